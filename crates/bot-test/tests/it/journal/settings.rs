//! What a tournament is recorded as, and what makes it another one.

use checkers_bot_test::format::Format;
use checkers_bot_test::journal::{Header, JournalSettings};
use checkers_bot_test::{DrawAdjudication, Forfeits, TournamentPlan};
use checkers_lib::{DrawRules, openings};

use super::support::plan;

/// What is told about a tournament that differs from the recorded one.
fn difference(change: impl FnOnce(&mut TournamentPlan)) -> Option<String> {
    let mut asked = plan();
    change(&mut asked);
    let difference = JournalSettings::of(&asked).difference(&JournalSettings::of(&plan()));
    difference.map(|difference| difference.to_string())
}

#[test]
fn a_header_is_read_as_it_was_written() {
    let header = Header::new(&plan(), Vec::new());
    let json = serde_json::to_string(&header).unwrap();
    assert!(json.starts_with("{\"journal\":1,\"program\":\"checkers-bot-test "));
    assert_eq!(serde_json::from_str::<Header>(&json).unwrap(), header);
}

#[test]
fn openings_are_known_by_a_hash_that_others_can_compute() {
    let openings = JournalSettings::of(&plan()).openings;
    assert_eq!(openings.count, 3);
    // printf 'c3-d4 d6-c5\nc3-b4\ng3-f4 b6-c5\n' | sha256sum
    let expected = "cb34346b4624a98b4a06f8b9a7609652f6806e523070f8c6cf31b523d99dfb5b";
    assert_eq!(openings.sha256, expected);
}

#[test]
fn every_setting_makes_a_difference() {
    let told = |change: &dyn Fn(&mut TournamentPlan)| difference(change).unwrap();
    assert_eq!(
        told(&|plan| plan.format = Format::RoundRobin { pairs: 2 }),
        "it has a round-robin, 3 pairs for every two bots, but the command line asks for a \
         round-robin, 2 pairs for every two bots"
    );
    assert_eq!(
        told(&|plan| drop(plan.participants.pop())),
        "it has the bots random, alpha-beta:depth=2, random@nodes=9, but the command line asks for \
         the bots random, alpha-beta:depth=2"
    );
    assert_eq!(
        told(&|plan| plan.swap = false),
        "it has swapped sides, but the command line asks for no swapped sides"
    );
    assert_eq!(
        told(&|plan| plan.draw_rules = DrawRules::Study),
        "it has the draw rules fmjd64, but the command line asks for the draw rules study"
    );
    let other = || openings::parse("c3-d4 d6-c5\nc3-b4\ng3-f4\n").unwrap();
    assert!(told(&|plan| plan.openings.list = other()).starts_with("it has 3 openings with the"));
    let draw = DrawAdjudication {
        move_number: 40,
        move_count: 8,
        score: 100,
    };
    let told_adjudication = told(&|plan| plan.adjudication.draw = Some(draw));
    assert!(told_adjudication.contains("games are adjudicated as draws from move 40"));
    assert_eq!(
        told(&|plan| plan.forfeits = Forfeits::Void),
        "it has lost games for forfeits, but the command line asks for void games for forfeits"
    );
    assert_eq!(
        told(&|plan| plan.in_process = false),
        "it has games within this process, but the command line asks for games over WebSocket"
    );
}

#[test]
fn more_pairs_extend_a_tournament_and_nothing_else_does() {
    let extends = |change: &dyn Fn(&mut TournamentPlan)| {
        let mut asked = plan();
        change(&mut asked);
        JournalSettings::of(&asked).extends(&JournalSettings::of(&plan()))
    };
    assert!(extends(
        &|plan| plan.format = Format::RoundRobin { pairs: 4 }
    ));
    assert!(!extends(
        &|plan| plan.format = Format::RoundRobin { pairs: 3 }
    ));
    assert!(!extends(
        &|plan| plan.format = Format::RoundRobin { pairs: 2 }
    ));
    assert!(!extends(&|plan| {
        plan.format = Format::RoundRobin { pairs: 4 };
        plan.swap = false;
    }));
    let odd = Format::Match { games: 3 };
    assert!(!Format::Match { games: 5 }.extends(&odd, 2));
    assert!(Format::Match { games: 5 }.extends(&odd, 1));
}

#[test]
fn where_openings_come_from_makes_none() {
    let elsewhere = |plan: &mut TournamentPlan| plan.openings.source = "elsewhere".to_owned();
    assert_eq!(difference(elsewhere), None);
    assert_eq!(difference(|_| {}), None);
}
