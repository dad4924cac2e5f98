//! The games that are played: legal, each to its end by the rules.
//!
//! `games.pdn` has the moves of
//! `checkers-bot-test match alpha-beta:depth=6 negascout-tt:depth=5 --in-process --games 32
//! --opening-plies 3 --seed 7 --no-swap --pdn FILE`, without tags, comments and move numbers.

use std::sync::Arc;

use checkers_lib::{DrawRules, pdn};

use crate::AnyError;
use crate::client::text_frame;

/// What a client sends for each move of a game.
pub(crate) type Frames = Arc<[Vec<u8>]>;

/// Recorded games, ready to be sent.
pub(crate) struct Games(Vec<Frames>);

impl Games {
    /// Reads the games.
    ///
    /// # Errors
    /// A game that the server would not take, or not end.
    pub(crate) fn read() -> Result<Games, AnyError> {
        let games = pdn::parse(include_str!("games.pdn"))?;
        let frames = games.iter().map(frames).collect::<Result<_, _>>()?;
        Ok(Games(frames))
    }

    /// The games one after the other for ever, another one first for every `number`.
    pub(crate) fn from(&self, number: usize) -> impl Iterator<Item = Frames> + use<> {
        let first = number % self.0.len();
        self.0.clone().into_iter().cycle().skip(first)
    }
}

fn frames(game: &pdn::PdnGame) -> Result<Frames, AnyError> {
    let played = game.to_game(DrawRules::Fmjd64)?;
    if played.outcome().is_none() {
        return Err("a game without an end".into());
    }
    let positions = played.positions().iter();
    let moves = positions.zip(played.moves()).enumerate();
    Ok(moves
        .map(|(ply, (position, &m))| {
            let text = position.notation(m);
            text_frame(&format!(r#"{{"type":"move","ply":{ply},"move":"{text}"}}"#))
        })
        .collect())
}
