//! The endings of games.

use checkers_lib::protocol::{ClosedReason, EndReason, GameResult};
use checkers_lib::{Color, Outcome};

use super::event::Ended;

/// How a game ends.
#[derive(Clone, Debug)]
pub(super) struct Ending {
    pub(super) result: GameResult,
    pub(super) reason: EndReason,
    pub(super) article: Option<&'static str>,
    pub(super) left: Option<Color>,
}

impl Ending {
    /// An ending without a rule article.
    pub(super) fn new(result: GameResult, reason: EndReason) -> Ending {
        Ending {
            result,
            reason,
            article: None,
            left: None,
        }
    }

    /// The game is interrupted because `side` left.
    pub(super) fn left_by(side: Color) -> Ending {
        Ending {
            left: Some(side),
            ..Ending::new(GameResult::Interrupted, EndReason::PlayerLeft)
        }
    }

    /// The game is interrupted because both sides left.
    pub(super) fn left_by_both() -> Ending {
        Ending::new(GameResult::Interrupted, EndReason::PlayerLeft)
    }

    /// `side` loses because it left.
    pub(super) fn lost_by_leaving(side: Color) -> Ending {
        Ending {
            left: Some(side),
            ..Ending::new(won_by(!side), EndReason::PlayerLeft)
        }
    }

    /// `side` aborted the game.
    pub(super) fn aborted_by(side: Color) -> Ending {
        Ending {
            left: Some(side),
            ..Ending::new(GameResult::Interrupted, EndReason::Aborted)
        }
    }

    /// The game is interrupted because both players are absent.
    pub(super) fn abandoned_by_both() -> Ending {
        Ending::new(GameResult::Interrupted, EndReason::Abandoned)
    }

    /// The table was closed.
    pub(super) fn of_closed(reason: ClosedReason) -> Ending {
        match reason {
            ClosedReason::Admin => Ending::new(GameResult::Interrupted, EndReason::Adjudication),
            ClosedReason::Idle | ClosedReason::Ended => Ending::abandoned_by_both(),
        }
    }

    /// A player claimed the game: a win of `winner`, or else a draw.
    pub(super) fn claimed(winner: Option<Color>) -> Ending {
        let result = winner.map_or(GameResult::Draw, won_by);
        Ending::new(result, EndReason::Abandoned)
    }

    pub(super) fn event(&self) -> Ended {
        Ended {
            result: self.result,
            reason: self.reason,
            article: self.article.map(str::to_owned),
            left: self.left.map(Into::into),
        }
    }
}

fn won_by(side: Color) -> GameResult {
    match side {
        Color::White => GameResult::WhiteWon,
        Color::Black => GameResult::BlackWon,
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
