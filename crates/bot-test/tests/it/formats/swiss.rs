//! Swiss tournaments: few rematches, few byes, and standings that add up.

use std::collections::{HashMap, HashSet};

use checkers_bot_test::format::{Format, FormatReport, SwissTable};
use checkers_bot_test::{BotId, Points};
use proptest::prelude::*;

use super::support::{Manner, World, plan, play, world};

fn swiss(bots: usize, rounds: u32, pairs: u64, swap: bool, world: World) -> SwissTable {
    let plan = plan(Format::Swiss { rounds, pairs }, bots, swap, 5);
    match play(&plan, world, Manner::ONE_BY_ONE).report {
        FormatReport::Swiss(table) => table,
        report => panic!("{report:?}"),
    }
}

#[test]
fn sixty_four_bots_play_ten_rounds_without_a_rematch() {
    let table = swiss(64, 10, 1, true, World::USUAL);
    assert_eq!(table.rounds.len(), 10);
    for round in &table.rounds {
        assert_eq!(round.meetings.len(), 32);
        assert!(!round.meetings.iter().any(|meeting| meeting.is_rematch));
    }
}

#[test]
fn the_number_of_rounds_is_that_of_a_knockout() {
    for (bots, rounds) in [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)] {
        assert_eq!(swiss(bots, 0, 1, true, World::USUAL).rounds.len(), rounds);
    }
}

#[test]
fn a_bye_is_worth_all_games_of_a_meeting() {
    let all_drawn = World {
        draws: 100,
        ..World::USUAL
    };
    let table = swiss(3, 1, 2, true, all_drawn);
    assert_eq!(table.rounds[0].bye, Some(BotId(2)));
    let told: Vec<_> = (table.standings.iter())
        .map(|standing| (standing.place, standing.bot.0, standing.points.value()))
        .collect();
    assert_eq!(told, [(1, 2, 4.0), (2, 0, 2.0), (3, 1, 2.0)]);
}

/// Whether these bots can meet two by two without a rematch.
fn can_avoid(bots: &[BotId], met: &HashSet<[BotId; 2]>) -> bool {
    let Some((&first, others)) = bots.split_first() else {
        return true;
    };
    others.iter().any(|&other| {
        let rest: Vec<BotId> = others.iter().copied().filter(|bot| *bot != other).collect();
        !met.contains(&ordered([first, other])) && can_avoid(&rest, met)
    })
}

fn ordered(mut bots: [BotId; 2]) -> [BotId; 2] {
    bots.sort_unstable();
    bots
}

proptest! {
    #[test]
    fn rematches_are_avoided_while_possible(
        (bots, rounds) in (2..9_usize).prop_flat_map(|bots| (Just(bots), 1..bots as u32)),
        world in world(),
    ) {
        let table = swiss(bots, rounds, 1, true, world);
        let (mut met, mut byes) = (HashSet::new(), HashSet::new());
        for round in &table.rounds {
            let all = (0..bots).map(BotId);
            let playing: Vec<BotId> = all.filter(|bot| Some(*bot) != round.bye).collect();
            let avoidable = can_avoid(&playing, &met);
            let rematches = round.meetings.iter().filter(|meeting| meeting.is_rematch).count();
            prop_assert_eq!(rematches == 0, avoidable);
            let paired: HashSet<BotId> =
                round.meetings.iter().flat_map(|meeting| meeting.bots).collect();
            prop_assert_eq!(paired.len(), playing.len());
            prop_assert_eq!(round.bye.is_some(), bots % 2 == 1);
            prop_assert!(round.bye.is_none_or(|bot| byes.insert(bot)), "a second bye");
            met.extend(round.meetings.iter().map(|meeting| ordered(meeting.bots)));
        }
    }

    #[test]
    fn standings_add_up(bots in 2..20_usize, pairs in 1..3_u64, swap: bool, world in world()) {
        let table = swiss(bots, 0, pairs, swap, world);
        let mut points: HashMap<BotId, Points> = HashMap::new();
        for round in &table.rounds {
            for meeting in &round.meetings {
                for (bot, scored) in meeting.bots.into_iter().zip(meeting.points) {
                    *points.entry(bot).or_default() += scored;
                }
            }
            if let Some(bot) = round.bye {
                let games = if swap { 2 * pairs } else { pairs };
                *points.entry(bot).or_default() += Points::of_wins(games);
            }
        }
        prop_assert_eq!(table.standings.len(), bots);
        for standing in &table.standings {
            prop_assert_eq!(standing.points, points[&standing.bot]);
        }
        let order = table.standings.windows(2);
        prop_assert!(order.into_iter().all(|two| two[0].points >= two[1].points));
    }

    #[test]
    fn the_bot_that_had_white_less_often_has_it(bots in 4..20_usize, world in world()) {
        let rounds = 3;
        let plan = plan(Format::Swiss { rounds, pairs: 1 }, bots, false, 5);
        let played = play(&plan, world, Manner::ONE_BY_ONE);
        let mut leads: HashMap<BotId, i64> = HashMap::new();
        for pairing in &played.pairings {
            let [white, black] = pairing.bots;
            let lead = |bot| leads.get(&bot).copied().unwrap_or_default();
            prop_assert!(lead(white) <= lead(black));
            *leads.entry(white).or_default() += 1;
            *leads.entry(black).or_default() -= 1;
        }
    }
}
