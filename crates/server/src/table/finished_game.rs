//! The last finished game of a table.

use checkers_lib::protocol::{GameState, wire_ply};

use super::ending::Ending;
use super::running_game::RunningGame;

#[derive(Debug)]
pub(super) struct FinishedGame {
    pub(super) game: RunningGame,
    pub(super) ending: Ending,
    /// The number of its last event.
    pub(super) seq: u32,
}

impl FinishedGame {
    pub(super) fn ply(&self) -> u32 {
        wire_ply(&self.game.game)
    }

    /// The final state of the game.
    pub(super) fn state(&self) -> GameState {
        let ending = &self.ending;
        GameState {
            result: Some(ending.result),
            reason: Some(ending.reason),
            article: ending.article.map(str::to_owned),
            left: ending.left.map(Into::into),
            offers: Vec::new(),
            ..self.game.state(self.seq)
        }
    }
}
