//! The sequential test as a format: when it ends, and what it looks at.

use checkers_bot_test::format::{Format, FormatReport, SprtEnd, SprtReport};
use checkers_bot_test::statistics::{Decision, Model, Sample};
use proptest::prelude::*;

use super::support::{Manner, TournamentLog, World, manner, plan, play};
use crate::is_exhaustive;

/// Normalized models are only slower.
fn sprt(max_pairs: u64) -> Format {
    Format::Sprt {
        elo: [0.0, 20.0],
        alpha: 0.05,
        beta: 0.05,
        model: Model::Logistic,
        max_pairs,
    }
}

fn tested(
    max_pairs: u64,
    openings: usize,
    world: World,
    manner: Manner,
) -> (TournamentLog, SprtReport) {
    let plan = plan(sprt(max_pairs), 2, true, openings);
    let played = play(&plan, world, manner);
    match played.report {
        FormatReport::Sprt(report) => (played, report),
        _ => panic!("{:?}", played.report),
    }
}

/// A world in which the first bot wins so many of a hundred games that are won.
fn strength(order: u32) -> World {
    World {
        order,
        ..World::USUAL
    }
}

#[test]
fn it_ends_when_it_is_decided() {
    for (order, decision) in [(70, Decision::AcceptH1), (30, Decision::AcceptH0)] {
        let (played, report) = tested(10_000, 1, strength(order), Manner::ONE_BY_ONE);
        assert_eq!(report.end, Some(SprtEnd::Decided));
        assert_eq!(report.answer.decision, decision);
        assert_eq!(played.counted, Some(report.judged));
        assert_eq!(played.total, Some(report.judged));
        assert!(report.judged < 10_000);
        assert_eq!(report.sample.games(), 2 * report.judged);
    }
}

#[test]
fn it_ends_where_it_must() {
    let (played, report) = tested(5, 1, strength(52), Manner::ONE_BY_ONE);
    assert_eq!(report.end, Some(SprtEnd::MaxPairs));
    assert_eq!(report.answer.decision, Decision::Continue);
    assert_eq!(played.pairings.len(), 5);
}

#[test]
fn bots_that_only_repeat_themselves_cannot_decide_it() {
    let repeating = World {
        varieties: 40,
        ..strength(52)
    };
    let (_, report) = tested(10_000, 40, repeating, Manner::ONE_BY_ONE);
    assert_eq!(report.end, Some(SprtEnd::OnlyRepeats));
    assert_eq!(report.sample.games(), 80);
    assert_eq!((report.judged, report.repeats), (80, 40));
    let (_, report) = tested(
        10_000,
        1,
        World {
            varieties: 1,
            ..repeating
        },
        Manner::ONE_BY_ONE,
    );
    assert_eq!((report.judged, report.repeats), (33, 32));
}

#[test]
fn bots_that_always_play_the_same_do_not_go_through_the_openings_again() {
    let mut plan = plan(sprt(10_000), 2, true, 40);
    plan.participants = vec!["alpha-beta".parse().unwrap(); 2];
    let played = play(&plan, strength(52), Manner::ONE_BY_ONE);
    let FormatReport::Sprt(report) = played.report else {
        panic!("{:?}", played.report);
    };
    assert_eq!(report.end, Some(SprtEnd::OnlyRepeats));
    assert_eq!(report.judged, 40);
}

#[test]
fn games_that_count_for_nothing_are_no_evidence() {
    let broken = World {
        voids: 100,
        ..World::USUAL
    };
    let (_, report) = tested(50, 1, broken, Manner::ONE_BY_ONE);
    assert_eq!((report.judged, report.voids), (50, 50));
    assert_eq!(report.sample.games(), 0);
    assert_eq!(report.end, Some(SprtEnd::MaxPairs));
}

#[test]
fn single_games_are_a_sample_of_games() {
    let plan = plan(sprt(20), 2, false, 1);
    let played = play(&plan, World::USUAL, Manner::ONE_BY_ONE);
    let FormatReport::Sprt(report) = played.report else {
        panic!("{:?}", played.report);
    };
    assert!(matches!(report.sample, Sample::Games(_)));
    assert!(played.pairings.iter().all(|pairing| pairing.bots[0].0 == 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if is_exhaustive() { 256 } else { 24 }))]
    #[test]
    fn the_decision_does_not_depend_on_concurrency(
        order in 35..70_u32,
        seed: u64,
        manner in manner(),
    ) {
        let world = World { seed, ..strength(order) };
        let expected = tested(300, 1, world, Manner::ONE_BY_ONE);
        prop_assert_eq!(tested(300, 1, world, manner), expected);
    }
}
