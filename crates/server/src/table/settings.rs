//! The settings of a table, fixed when it is opened.

use std::time::Duration;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{TableKind, Visibility};
use checkers_lib::{ByColor, DrawRules, TimeControl};
use event_store::TokenHash;
use position_api::is_playable;

use crate::director::DirectorToken;

/// The settings of a table and its games.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// The id, used in messages and in the event log.
    pub id: String,
    /// The kind of table. The main table stays open when it is empty.
    pub kind: TableKind,
    /// Whether lists of tables include it.
    pub visibility: Visibility,
    pub rules: DrawRules,
    /// The time controls of games that start when both seats are taken.
    pub clocks: ByColor<Option<TimeControl>>,
    /// The openings of the games, in turn. Empty: the initial position.
    pub openings: Vec<Opening>,
    /// Whether takebacks are allowed.
    pub casual: bool,
    /// Whether the games are rated. Then only accounts and levels get a seat.
    pub rated: bool,
    /// The event that its only game belongs to.
    pub event: Option<String>,
    /// For an event, the hashes of the secrets of those who get the seats; the server's bots get the others.
    pub players: ByColor<Option<TokenHash>>,
    /// The name of the challenged player.
    pub opponent: Option<String>,
    /// The hash of that player's secret.
    pub opponent_key: Option<TokenHash>,
    /// The token of the director; `None` if players take their seats themselves.
    pub director: Option<DirectorToken>,
}

impl TableSettings {
    /// A public table without clocks, whose games start from the initial position.
    pub fn new(id: impl Into<String>, rules: DrawRules) -> TableSettings {
        TableSettings {
            id: id.into(),
            kind: TableKind::default(),
            visibility: Visibility::Public,
            rules,
            clocks: ByColor::default(),
            openings: Vec::new(),
            casual: true,
            rated: false,
            event: None,
            players: ByColor::default(),
            opponent: None,
            opponent_key: None,
            director: None,
        }
    }

    /// Checks that each opening leaves something to play.
    ///
    /// # Errors
    /// With an opening, the game is over before or after its last move, or a side has no pieces.
    pub fn check(&self) -> Result<(), BadOpening> {
        for (i, opening) in self.openings.iter().enumerate() {
            let game = opening.to_game(self.rules);
            if !game.is_ok_and(|game| is_playable(&game)) {
                return Err(BadOpening { number: i + 1 });
            }
        }
        Ok(())
    }
}

/// An opening after which there is nothing to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("opening {number} ends the game")]
pub struct BadOpening {
    /// The number of the opening, from 1.
    pub number: usize,
}

/// The timeouts of tables, the same for all tables of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// How long a player may be absent before the opponent may claim the game, or before the seat
    /// is freed if no game runs.
    pub grace: Duration,
    /// The maximum network lag that is not charged to a player's clock.
    pub lag_allowance: Duration,
    /// How long a table stays open while no player is connected.
    pub idle: Duration,
    /// The same while a game without clocks runs, or while people watch a table without a game.
    pub idle_untimed: Duration,
}

impl Default for Policy {
    /// A minute of grace, and no lag compensation.
    fn default() -> Policy {
        Policy {
            grace: Duration::from_secs(60),
            lag_allowance: Duration::ZERO,
            idle: Duration::from_secs(10 * 60),
            idle_untimed: Duration::from_secs(60 * 60),
        }
    }
}
