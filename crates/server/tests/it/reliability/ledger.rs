//! What the players received.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use checkers_lib::protocol::{EndReason, GameResult};

/// What all players of a run received.
#[derive(Clone, Default)]
pub(crate) struct Ledger(Arc<Mutex<Entries>>);

#[derive(Default)]
pub(crate) struct Entries {
    /// The started games, by their ids in the archive.
    pub(crate) games: BTreeMap<String, Told>,
    /// The number of reconnects.
    pub(crate) reconnections: u64,
    /// The number of moves acknowledged as duplicates.
    pub(crate) known_already: u64,
    /// The number of moves refused as not stored.
    pub(crate) not_stored: u64,
    /// What each player that plays on received last.
    pub(crate) latest: BTreeMap<String, VecDeque<String>>,
}

/// How many messages of a player are kept, and how much of each.
const LATEST: usize = 12;
const LONGEST: usize = 300;

/// What was received of a game.
#[derive(Default)]
pub(crate) struct Told {
    /// The acknowledged moves, by ply.
    pub(crate) moves: BTreeMap<u32, String>,
    pub(crate) end: Option<(GameResult, EndReason)>,
    /// Whether its table is gone: a kill may take a table without a game, and the message of the end with it.
    is_table_gone: bool,
}

impl Ledger {
    pub(crate) fn entries(&self) -> MutexGuard<'_, Entries> {
        self.0.lock().expect("nobody panics meanwhile")
    }

    pub(crate) fn began(&self, table: &str, game: u64) {
        self.entries().games.entry(id(table, game)).or_default();
    }

    /// Records a move, which must be the same from all sources.
    pub(crate) fn moved(&self, table: &str, game: u64, ply: u32, text: &str) {
        let mut entries = self.entries();
        let received = entries.games.entry(id(table, game)).or_default();
        let known = received.moves.entry(ply).or_insert_with(|| text.to_owned());
        assert_eq!(known, text, "two moves at ply {ply} of {}", id(table, game));
    }

    pub(crate) fn over(&self, table: &str, game: u64, end: (GameResult, EndReason)) {
        let mut entries = self.entries();
        let received = entries.games.entry(id(table, game)).or_default();
        let known = received.end.get_or_insert(end);
        assert_eq!(*known, end, "two ends of {}", id(table, game));
    }

    /// Records what a player received, and what it makes of it.
    pub(crate) fn received(&self, player: &str, note: &str) {
        let mut entries = self.entries();
        let latest = entries.latest.entry(player.to_owned()).or_default();
        latest.push_back(note.chars().take(LONGEST).collect());
        if latest.len() > LATEST {
            latest.pop_front();
        }
    }

    /// Records that a table is gone, so that nobody will be told of the end of its last game.
    pub(crate) fn gone(&self, table: &str) {
        for (id, received) in &mut self.entries().games {
            received.is_table_gone |= table_of(id) == table;
        }
    }
}

impl Entries {
    pub(crate) fn moves(&self) -> usize {
        self.games
            .values()
            .map(|received| received.moves.len())
            .sum()
    }

    /// The unfinished games at tables that are there, with the number of moves in each.
    pub(crate) fn unfinished(&self) -> BTreeMap<String, usize> {
        let games = self.games.keys();
        let unfinished = games.filter_map(|id| Some((id.clone(), self.unfinished_moves(id)?)));
        unfinished.collect()
    }

    /// The number of moves in such a game.
    pub(crate) fn unfinished_moves(&self, id: &str) -> Option<usize> {
        let game = self.games.get(id)?;
        (game.end.is_none() && !game.is_table_gone).then_some(game.moves.len())
    }
}

/// The table of a game.
pub(crate) fn table_of(id: &str) -> &str {
    let (table, _) = id.rsplit_once('-').expect("the id of a game");
    table
}

fn id(table: &str, game: u64) -> String {
    format!("{table}-{game}")
}
