//! What is wrong with a question.

use checkers_lib::{FenError, MoveTextError};
use serde::Serialize;

use crate::Detail;

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mistake {
    /// What is wrong, for programs.
    pub code: MistakeCode,
    /// What is wrong, for people.
    pub message: String,
    /// The character of the position's text, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// What exactly is wrong with a position or a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
}

/// What is wrong with a question, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MistakeCode {
    /// A parameter is unknown, or its value is invalid.
    BadQuery,
    /// The text is not a position.
    BadFen,
    /// A move is illegal or malformed.
    BadMove,
    /// No tablebase contains the position.
    NoTable,
}

impl Mistake {
    /// A mistake without details.
    pub fn new(code: MistakeCode, message: impl Into<String>) -> Mistake {
        Mistake {
            code,
            message: message.into(),
            column: None,
            detail: None,
        }
    }
}

impl From<FenError> for Mistake {
    fn from(error: FenError) -> Mistake {
        let (detail, column) = Detail::of_fen(&error);
        Mistake {
            column,
            detail: Some(detail),
            ..Mistake::new(MistakeCode::BadFen, error.to_string())
        }
    }
}

impl From<MoveTextError> for Mistake {
    fn from(error: MoveTextError) -> Mistake {
        Mistake {
            detail: Some(Detail::from(&error)),
            ..Mistake::new(MistakeCode::BadMove, error.to_string())
        }
    }
}
