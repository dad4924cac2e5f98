//! What a table is: all that is said of it before anybody sits down.

use std::time::Duration;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{TableKind, Visibility};
use checkers_lib::{ByColor, Color, DrawRules, Game, TimeControl};

use crate::director::DirectorToken;
use crate::store::TokenHash;

/// What a table is and what its games are like.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// What it is called in messages and in the log.
    pub id: String,
    /// How it came to be. The main table stays when nobody is there.
    pub kind: TableKind,
    /// Who finds it.
    pub visibility: Visibility,
    /// When its games are drawn.
    pub rules: DrawRules,
    /// The clocks of the games that begin when both seats are taken.
    pub clocks: ByColor<Option<TimeControl>>,
    /// What the games begin from, one after the other and over again; none is the start.
    pub openings: Vec<Opening>,
    /// Whether moves may be taken back.
    pub casual: bool,
    /// The name of the player who is asked to play.
    pub opponent: Option<String>,
    /// By what that player is known again.
    pub opponent_key: Option<TokenHash>,
    /// What shows who arranges the games; without it, whoever takes a seat plays.
    pub director: Option<DirectorToken>,
}

impl TableSettings {
    /// A public table without clocks, where games begin from the start.
    pub fn new(id: impl Into<String>, rules: DrawRules) -> TableSettings {
        TableSettings {
            id: id.into(),
            kind: TableKind::default(),
            visibility: Visibility::Public,
            rules,
            clocks: ByColor::default(),
            openings: Vec::new(),
            casual: true,
            opponent: None,
            opponent_key: None,
            director: None,
        }
    }

    /// Checks that something is left to play after each opening.
    ///
    /// # Errors
    /// An opening that the draw rules end before its last move or with it, or after which a side has
    /// no piece.
    pub fn check(&self) -> Result<(), BadOpening> {
        for (i, opening) in self.openings.iter().enumerate() {
            let game = opening.to_game(self.rules);
            if !game.is_ok_and(|game| is_to_be_played(&game)) {
                return Err(BadOpening { number: i + 1 });
            }
        }
        Ok(())
    }
}

/// Whether there is anything to play: it is not over, and both sides have pieces.
pub(crate) fn is_to_be_played(game: &Game) -> bool {
    let has_pieces = |side| !game.position().pieces(side).is_empty();
    game.outcome().is_none() && Color::ALL.into_iter().all(has_pieces)
}

/// An opening after which there is nothing to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("opening {number} ends the game")]
pub struct BadOpening {
    /// Which of them, from 1.
    pub number: usize,
}

/// How patient a table is with its players: the same for all tables of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// How long a player may be away until the opponent may claim the game, and until a seat at
    /// which no game runs is free again.
    pub grace: Duration,
    /// The most time that the network may take of a move without costing its player anything.
    pub lag_allowance: Duration,
    /// How long a table goes on while nobody is there to play.
    pub idle: Duration,
    /// The same while a game without clocks runs, or somebody looks on where none does.
    pub idle_untimed: Duration,
}

impl Default for Policy {
    /// A minute of grace, and nothing for the network.
    fn default() -> Policy {
        Policy {
            grace: Duration::from_secs(60),
            lag_allowance: Duration::ZERO,
            idle: Duration::from_secs(10 * 60),
            idle_untimed: Duration::from_secs(60 * 60),
        }
    }
}
