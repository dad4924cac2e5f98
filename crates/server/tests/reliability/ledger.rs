//! What the players were told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use checkers_lib::protocol::{EndReason, GameResult};

/// What all players of a run were told together.
#[derive(Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Entries>>);

#[derive(Default)]
pub(crate) struct Entries {
    /// The games that began, by the ids they have in the archive.
    pub(crate) games: BTreeMap<String, Told>,
    /// Connections that were opened again.
    pub(crate) reconnections: u64,
    /// Moves of which the server said that they were there already.
    pub(crate) known_already: u64,
    /// Moves that the server said it could not keep.
    pub(crate) not_stored: u64,
}

/// What was told of a game.
#[derive(Default)]
pub(crate) struct Told {
    /// The moves that were acknowledged, by ply.
    pub(crate) moves: BTreeMap<u32, String>,
    pub(crate) end: Option<(GameResult, EndReason)>,
}

impl Ledger {
    pub(crate) fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().expect("nobody panics meanwhile")
    }

    pub(crate) fn began(&self, table: &str, game: u64) {
        self.entries().games.entry(id(table, game)).or_default();
    }

    /// A move is there. Whoever tells it, it is the same move.
    pub(crate) fn moved(&self, table: &str, game: u64, ply: u32, text: &str) {
        let mut entries = self.entries();
        let told = entries.games.entry(id(table, game)).or_default();
        let known = told.moves.entry(ply).or_insert_with(|| text.to_owned());
        assert_eq!(known, text, "two moves at ply {ply} of {}", id(table, game));
    }

    pub(crate) fn over(&self, table: &str, game: u64, end: (GameResult, EndReason)) {
        let mut entries = self.entries();
        let told = entries.games.entry(id(table, game)).or_default();
        let known = told.end.get_or_insert(end);
        assert_eq!(*known, end, "two ends of {}", id(table, game));
    }
}

impl Entries {
    pub(crate) fn moves(&self) -> usize {
        self.games.values().map(|told| told.moves.len()).sum()
    }
}

fn id(table: &str, game: u64) -> String {
    format!("{table}-{game}")
}
