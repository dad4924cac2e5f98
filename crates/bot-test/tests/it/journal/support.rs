//! A plan, some records and a place for files.

use std::path::PathBuf;

use checkers_bot_test::format::Format;
use checkers_bot_test::journal::{Header, Journal};
use checkers_bot_test::{BotId, GameRecord, MoveRecord, PairRecord, Pairing, TournamentPlan};
use checkers_lib::openings;
use checkers_lib::protocol::{EndReason, GameResult};
use tempfile::TempDir;

use crate::support;

pub(crate) fn plan() -> TournamentPlan {
    let openings = openings::parse("c3-d4 d6-c5\nc3-b4\ng3-f4 b6-c5\n").unwrap();
    let participants = ["random", "alpha-beta:depth=2", "random@nodes=9"];
    TournamentPlan {
        participants: participants.map(|text| text.parse().unwrap()).to_vec(),
        ..support::plan(Format::RoundRobin { pairs: 3 }, 3, openings)
    }
}

/// The pairing of a number, which has only its openings' moves.
pub(crate) fn record(id: u64) -> PairRecord {
    let pairing = Pairing {
        id,
        round: 1,
        bots: [BotId::FIRST, BotId::SECOND],
        opening: id,
        games: 2,
    };
    let games = (plan().orders(&pairing).into_iter())
        .map(|order| GameRecord {
            number: order.number,
            seats: order.seats,
            start: order.opening.start().clone(),
            moves: (order.opening.moves().iter())
                .map(|&m| MoveRecord::of_opening(m))
                .collect(),
            result: GameResult::Draw,
            reason: EndReason::Agreement,
            article: None,
            ruling: None,
        })
        .collect();
    PairRecord { pairing, games }
}

pub(crate) fn records(count: u64) -> Vec<PairRecord> {
    (0..count).map(record).collect()
}

/// A path that nothing has yet; the file goes with the directory.
pub(crate) fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("tournament.journal");
    (directory, path)
}

/// The bytes of a journal of so many pairings.
pub(crate) fn journal(count: u64) -> Vec<u8> {
    let (_directory, path) = place();
    let mut journal = Journal::create(&path, &Header::new(&plan(), Vec::new())).unwrap();
    journal.append(&records(count)).unwrap();
    std::fs::read(&path).unwrap()
}
