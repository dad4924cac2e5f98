//! Knockouts: one bot is left.

use checkers_bot_test::BotId;
use checkers_bot_test::format::{Bracket, DecidedBy, Format, FormatReport};
use proptest::prelude::*;

use super::support::{Manner, TournamentLog, World, plan, play, world};

fn knockout(bots: usize, pairs: u64, playoffs: u64, world: World) -> (TournamentLog, Bracket) {
    let plan = plan(Format::Knockout { pairs, playoffs }, bots, true, 9);
    let played = play(&plan, world, Manner::ONE_BY_ONE);
    let FormatReport::Knockout(bracket) = played.report.clone() else {
        panic!("{:?}", played.report);
    };
    (played, bracket)
}

/// A world in which whoever comes first in the list wins so many games of a hundred.
fn without_draws(order: u32) -> World {
    World {
        draws: 0,
        order,
        ..World::USUAL
    }
}

#[test]
fn the_better_seeds_have_byes_and_meet_late() {
    let (_, bracket) = knockout(5, 1, 0, without_draws(100));
    let told: Vec<Vec<(usize, Option<usize>)>> = (bracket.rounds.iter())
        .map(|round| {
            (round.meetings.iter())
                .map(|meeting| (meeting.bot.0 + 1, meeting.opponent.map(|bot| bot.0 + 1)))
                .collect()
        })
        .collect();
    let expected = [
        vec![(1, None), (4, Some(5)), (2, None), (3, None)],
        vec![(1, Some(4)), (2, Some(3))],
        vec![(1, Some(2))],
    ];
    assert_eq!(told, expected);
    assert_eq!(bracket.champion, Some(BotId(0)));
    let byes = bracket.rounds[0].meetings[0].advance.unwrap();
    assert_eq!((byes.winner, byes.decided_by), (BotId(0), DecidedBy::Bye));
}

#[test]
fn the_seed_decides_where_nothing_else_does() {
    let all_drawn = World {
        draws: 100,
        ..World::USUAL
    };
    let (played, bracket) = knockout(4, 2, 3, all_drawn);
    assert_eq!(played.pairings.len(), 3 * (2 + 3));
    assert_eq!(bracket.champion, Some(BotId(0)));
    for meeting in bracket.rounds.iter().flat_map(|round| &round.meetings) {
        assert_eq!(meeting.playoffs, 3);
        assert_eq!(meeting.points[0], meeting.points[1]);
        assert_eq!(
            meeting.playoff_points.map(|points| points.value()),
            [3.0, 3.0]
        );
        assert_eq!(meeting.advance.unwrap().decided_by, DecidedBy::Seed);
    }
    let openings: Vec<u64> = played
        .pairings
        .iter()
        .map(|pairing| pairing.opening)
        .collect();
    assert_eq!(openings, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn every_number_of_bots_has_one_champion() {
    for bots in 2..=33 {
        let (played, bracket) = knockout(bots, 1, 1, World::USUAL);
        assert!(bracket.champion.is_some(), "{bots}");
        let rounds = bots.next_power_of_two().ilog2();
        assert_eq!(bracket.rounds.len() as u32, rounds, "{bots}");
        let meetings = (bracket.rounds.iter().flat_map(|round| &round.meetings))
            .filter(|meeting| meeting.opponent.is_some());
        assert_eq!(meetings.count(), bots - 1);
        assert!(
            played
                .pairings
                .iter()
                .all(|pairing| pairing.round <= rounds)
        );
    }
}

proptest! {
    #[test]
    fn the_bot_that_advances_has_earned_it(
        bots in 2..20_usize,
        pairs in 1..4_u64,
        playoffs in 0..4_u64,
        world in world(),
    ) {
        let (_, bracket) = knockout(bots, pairs, playoffs, world);
        for meeting in bracket.rounds.iter().flat_map(|round| &round.meetings) {
            let advance = meeting.advance.unwrap();
            let is_level = meeting.points[0] == meeting.points[1];
            let is_level_after = meeting.playoff_points[0] == meeting.playoff_points[1];
            let expected = match meeting.opponent {
                None => (meeting.bot, DecidedBy::Bye),
                Some(_) if is_level && is_level_after => (meeting.bot, DecidedBy::Seed),
                Some(other) => {
                    let (points, by) = if is_level {
                        (meeting.playoff_points, DecidedBy::Playoff)
                    } else {
                        (meeting.points, DecidedBy::Points)
                    };
                    (if points[0] > points[1] { meeting.bot } else { other }, by)
                }
            };
            prop_assert_eq!((advance.winner, advance.decided_by), expected);
            prop_assert!(meeting.playoffs <= playoffs);
            prop_assert!(meeting.playoffs == 0 || is_level);
        }
    }
}
