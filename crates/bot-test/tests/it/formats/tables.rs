//! Formats that are known from the beginning.

use std::collections::BTreeMap;

use checkers_bot_test::format::{Format, FormatReport};
use checkers_bot_test::{BotId, Pairing};
use proptest::prelude::*;

use super::support::{TournamentLog, plan, play_usually};

/// Pairings as people write them: `1: 1-2 #0` is round 1, bots 1 and 2, opening 0.
fn told(played: &TournamentLog) -> Vec<String> {
    let line = |pairing: &Pairing| {
        let [first, second] = pairing.bots.map(|bot| bot.0 + 1);
        let star = if pairing.games == 1 { "" } else { " twice" };
        format!(
            "{}: {first}-{second} #{}{star}",
            pairing.round, pairing.opening
        )
    };
    played.pairings.iter().map(line).collect()
}

fn played(format: Format, participants: usize, swap: bool) -> TournamentLog {
    play_usually(&plan(format, participants, swap, 1))
}

#[test]
fn a_match_has_as_many_games_as_it_should() {
    let odd = played(Format::Match { games: 5 }, 2, true);
    assert_eq!(
        told(&odd),
        ["1: 1-2 #0 twice", "1: 1-2 #1 twice", "1: 1-2 #2"]
    );
    assert_eq!(odd.total, Some(3));
    let even = played(Format::Match { games: 2 }, 2, true);
    assert_eq!(told(&even), ["1: 1-2 #0 twice"]);
    let single = played(Format::Match { games: 2 }, 2, false);
    assert_eq!(told(&single), ["1: 1-2 #0", "1: 1-2 #1"]);
}

#[test]
fn a_round_robin_goes_from_opening_to_opening() {
    let pairs = played(Format::RoundRobin { pairs: 2 }, 3, true);
    let expected = [
        "1: 2-3 #0 twice",
        "1: 1-2 #0 twice",
        "1: 3-1 #0 twice",
        "2: 2-3 #1 twice",
        "2: 1-2 #1 twice",
        "2: 3-1 #1 twice",
    ];
    assert_eq!(told(&pairs), expected);
    let single = played(Format::RoundRobin { pairs: 2 }, 3, false);
    let expected = [
        "1: 2-3 #0",
        "1: 1-2 #0",
        "1: 3-1 #0",
        "2: 3-2 #1",
        "2: 2-1 #1",
        "2: 1-3 #1",
    ];
    assert_eq!(told(&single), expected);
    assert_eq!(single.report, FormatReport::Plain);
}

#[test]
fn a_gauntlet_is_run_by_the_first_bots() {
    let gauntlet = Format::Gauntlet {
        challengers: 2,
        pairs: 1,
    };
    let expected = ["1: 1-3 #0", "1: 2-4 #0", "1: 4-1 #0", "1: 3-2 #0"];
    assert_eq!(told(&played(gauntlet, 4, false)), expected);
}

#[test]
fn what_cannot_be_played_is_no_schedule() {
    let alone = plan(Format::RoundRobin { pairs: 1 }, 1, true, 1);
    assert!(alone.format.schedule(&alone).is_err());
}

/// The openings of every two bots, in the order in which they play them, and how many more games
/// each bot has with White than with Black.
fn meetings(pairings: &[Pairing]) -> (BTreeMap<[BotId; 2], Vec<u64>>, BTreeMap<BotId, i64>) {
    let (mut openings, mut whites) = (BTreeMap::<_, Vec<u64>>::new(), BTreeMap::new());
    for pairing in pairings {
        let [white, black] = pairing.bots;
        let bots = [white.min(black), white.max(black)];
        openings.entry(bots).or_default().push(pairing.opening);
        if pairing.games == 1 {
            *whites.entry(white).or_default() += 1;
            *whites.entry(black).or_default() -= 1;
        }
    }
    (openings, whites)
}

proptest! {
    #[test]
    fn in_a_round_robin_all_meet_alike(bots in 2..12_usize, pairs in 1..6_u64, swap: bool) {
        let played = played(Format::RoundRobin { pairs }, bots, swap);
        let (openings, whites) = meetings(&played.pairings);
        prop_assert_eq!(openings.len(), bots * (bots - 1) / 2);
        let expected: Vec<u64> = (0..pairs).collect();
        prop_assert!(openings.values().all(|openings| *openings == expected));
        let most = i64::from(pairs % 2 == 1);
        prop_assert!(whites.values().all(|lead| lead.abs() <= most));
        prop_assert_eq!(played.total, Some(played.pairings.len() as u64));
    }

    #[test]
    fn in_a_gauntlet_challengers_meet_all_others(
        (bots, challengers) in (2..12_usize).prop_flat_map(|bots| (Just(bots), 1..bots)),
        pairs in 1..6_u64,
        swap: bool,
    ) {
        let played = played(Format::Gauntlet { challengers, pairs }, bots, swap);
        let (openings, whites) = meetings(&played.pairings);
        prop_assert_eq!(openings.len(), challengers * (bots - challengers));
        let expected: Vec<u64> = (0..pairs).collect();
        for ([challenger, other], openings) in openings {
            prop_assert!(challenger.0 < challengers && other.0 >= challengers);
            prop_assert_eq!(openings, expected.clone());
        }
        if pairs % 2 == 0 {
            prop_assert!(whites.values().all(|lead| *lead == 0));
        }
        for challenger in (0..challengers).map(BotId) {
            prop_assert!(whites.get(&challenger).is_none_or(|lead| lead.abs() <= 1));
        }
    }
}
