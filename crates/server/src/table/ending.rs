//! How games end.

use checkers_lib::protocol::{EndReason, GameResult};
use checkers_lib::{Color, Outcome};

/// How a game ends.
pub(super) struct Ending {
    pub(super) result: GameResult,
    pub(super) reason: EndReason,
    pub(super) article: Option<&'static str>,
    pub(super) left: Option<Color>,
}

impl Ending {
    /// An end that the board does not know of.
    pub(super) fn new(result: GameResult, reason: EndReason) -> Ending {
        Ending {
            result,
            reason,
            article: None,
            left: None,
        }
    }

    /// The end of a game that a side has left.
    pub(super) fn left_by(side: Color) -> Ending {
        Ending {
            left: Some(side),
            ..Ending::new(GameResult::Interrupted, EndReason::PlayerLeft)
        }
    }

    /// The end of a game that was called off.
    pub(super) fn aborted() -> Ending {
        Ending::new(GameResult::Interrupted, EndReason::Aborted)
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        Ending {
            article: outcome.article(),
            ..Ending::new(outcome.into(), outcome.into())
        }
    }
}
