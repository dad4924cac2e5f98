//! What the tests of several modules need.

use std::process::Command;

use checkers_bot_test::format::Format;
use checkers_bot_test::{Adjudication, Forfeits, Openings, TournamentPlan};
use checkers_lib::DrawRules;
use checkers_lib::openings::Opening;

/// `checkers-bot-test` with these arguments.
pub(crate) fn program<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-bot-test"));
    command.args(arguments);
    command
}

/// A tournament within the process, of `random` alone, with swapped sides and lost forfeits.
pub(crate) fn plan(format: Format, participants: usize, openings: Vec<Opening>) -> TournamentPlan {
    TournamentPlan {
        format,
        participants: vec!["random".parse().unwrap(); participants],
        swap: true,
        openings: Openings {
            source: "made up".to_owned(),
            seed: None,
            list: openings,
        },
        draw_rules: DrawRules::Fmjd64,
        adjudication: Adjudication::default(),
        forfeits: Forfeits::Loss,
        in_process: true,
        keep_lines: false,
    }
}
