//! Neither concurrency nor being broken off changes a tournament.

use checkers_bot_test::format::Format;
use checkers_bot_test::statistics::Model;
use proptest::prelude::*;

use super::support::{Manner, manner, plan, play, world};

/// Any format, with a number of bots it can have.
fn format() -> impl Strategy<Value = (Format, usize)> {
    let pairs = || 1..4_u64;
    prop_oneof![
        (1..40_u64).prop_map(|games| (Format::Match { games }, 2)),
        (pairs(), 2..7_usize).prop_map(|(pairs, bots)| (Format::RoundRobin { pairs }, bots)),
        (pairs(), 2..7_usize).prop_map(|(pairs, bots)| {
            let challengers = bots / 2;
            (Format::Gauntlet { challengers, pairs }, bots)
        }),
        (pairs(), 0..3_u64, 2..12_usize)
            .prop_map(|(pairs, playoffs, bots)| (Format::Knockout { pairs, playoffs }, bots)),
        (pairs(), 0..4_u32, 4..12_usize)
            .prop_map(|(pairs, rounds, bots)| (Format::Swiss { rounds, pairs }, bots)),
        (1..200_u64, -50.0..50.0_f64).prop_map(|(max_pairs, elo)| {
            let sprt = Format::Sprt {
                elo: [elo, elo + 30.0],
                alpha: 0.1,
                beta: 0.1,
                model: Model::Logistic,
                max_pairs,
            };
            (sprt, 2)
        }),
    ]
}

proptest! {
    #[test]
    fn a_tournament_is_the_same_however_it_is_played(
        (format, bots) in format(),
        swap: bool,
        openings in 1..60_usize,
        world in world(),
        manner in manner(),
    ) {
        let plan = plan(format, bots, swap, openings);
        let expected = play(&plan, world, Manner::ONE_BY_ONE);
        let found = play(&plan, world, manner);
        prop_assert_eq!(&found, &expected);
        if let Some(total) = expected.total {
            prop_assert_eq!(total, expected.pairings.len() as u64);
        }
    }

    #[test]
    fn formats_are_read_as_they_are_written((format, _) in format()) {
        let json = serde_json::to_string(&format).unwrap();
        prop_assert_eq!(serde_json::from_str::<Format>(&json).unwrap(), format);
    }
}
