//! The games that are played: legal, each to its end by the rules.
//!
//! `games.pdn` has the moves of
//! `checkers-bot-test match alpha-beta:depth=6 negascout-tt:depth=5 --in-process --games 32
//! --opening-plies 3 --seed 7 --no-swap --pdn FILE`, without tags, comments and move numbers.

use std::sync::Arc;

use checkers_lib::{DrawRules, pdn};
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::AnyError;

/// The messages of a client for each move of a game.
type RecordedMoves = Vec<Utf8Bytes>;

/// Recorded games, ready to be sent.
#[derive(Clone)]
pub(crate) struct RecordedGames(Arc<[RecordedMoves]>);

impl RecordedGames {
    /// Reads the games.
    ///
    /// # Errors
    /// A game that the server would refuse, or not end.
    pub(crate) fn read() -> Result<RecordedGames, AnyError> {
        let games = pdn::parse(include_str!("games.pdn"))?;
        games
            .iter()
            .map(messages)
            .collect::<Result<_, _>>()
            .map(RecordedGames)
    }

    /// The game of this number; after the last one the first one follows.
    pub(crate) fn game(&self, number: usize) -> &[Utf8Bytes] {
        &self.0[number % self.0.len()]
    }
}

fn messages(game: &pdn::PdnGame) -> Result<RecordedMoves, AnyError> {
    let played = game.to_game(DrawRules::Fmjd64)?;
    if played.outcome().is_none() {
        return Err("a game without an end".into());
    }
    let positions = played.positions().iter();
    let moves = positions.zip(played.moves()).enumerate();
    Ok(moves
        .map(|(ply, (position, &m))| {
            let text = position.notation(m);
            format!(r#"{{"type":"move","ply":{ply},"move":"{text}"}}"#).into()
        })
        .collect())
}
