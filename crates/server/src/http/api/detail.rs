//! What exactly is wrong with a position, a move or a game: for pages that say it in words of their own.

use checkers_lib::pdn::PdnErrorKind;
use checkers_lib::protocol::WireColor;
use checkers_lib::{FenError, MoveTextError, SetupError};
use schemars::JsonSchema;
use serde::Serialize;

/// What exactly is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Detail {
    /// Something else has to stand there.
    Syntax,
    /// No piece ever stands on this square.
    LightSquare {
        /// Its name.
        square: String,
    },
    /// Two pieces share a square.
    TakenTwice {
        /// Its name.
        square: String,
    },
    /// A man stands where it would be a king.
    ManOnLastRow {
        /// Whose man it is.
        color: WireColor,
        /// Where it stands.
        square: String,
    },
    /// A side has more than twelve pieces.
    TooManyPieces {
        /// Whose pieces.
        color: WireColor,
        /// How many there are.
        n: u32,
    },
    /// No legal move is written so.
    Illegal {
        /// What was read.
        text: String,
    },
    /// Several legal moves are written so.
    Ambiguous {
        /// What was read.
        text: String,
        /// The moves it could mean.
        moves: Vec<String>,
    },
    /// It is a game of another kind of draughts.
    GameType {
        /// The kind, as the text has it.
        text: String,
    },
    /// There is no such result.
    Result {
        /// What was read.
        text: String,
    },
    /// The result in front and the one at the end are not the same.
    ResultsDiffer,
    /// A tag is given twice for one game.
    RepeatedTag {
        /// Its name.
        text: String,
    },
    /// A position is announced and not given.
    MissingFen,
    /// Squares are numbers that can be counted from more than one corner.
    Numbers {
        /// What was read.
        text: String,
    },
    /// There is no game in the text.
    NoGame,
}

impl Detail {
    /// What is wrong with a position, and at which of its characters, counted from 1.
    pub(super) fn of_fen(error: &FenError) -> (Detail, Option<usize>) {
        match error {
            FenError::Syntax { column, .. } => (Detail::Syntax, Some(*column)),
            FenError::LightSquare { column, name } => {
                let square = name.clone();
                (Detail::LightSquare { square }, Some(*column))
            }
            FenError::TakenTwice { column, square } => {
                let square = square.to_string();
                (Detail::TakenTwice { square }, Some(*column))
            }
            FenError::Numbers { column, name } => {
                let text = name.clone();
                (Detail::Numbers { text }, Some(*column))
            }
            FenError::Setup(error) => (Detail::from(error), None),
        }
    }
}

impl From<&SetupError> for Detail {
    fn from(error: &SetupError) -> Detail {
        match *error {
            SetupError::TakenTwice { square } => Detail::TakenTwice {
                square: square.to_string(),
            },
            SetupError::ManOnLastRow { side, square } => Detail::ManOnLastRow {
                color: side.into(),
                square: square.to_string(),
            },
            SetupError::TooMany { side, count } => Detail::TooManyPieces {
                color: side.into(),
                n: count,
            },
        }
    }
}

impl From<&MoveTextError> for Detail {
    fn from(error: &MoveTextError) -> Detail {
        match error {
            MoveTextError::Syntax { .. } => Detail::Syntax,
            MoveTextError::Illegal { text } => Detail::Illegal { text: text.clone() },
            MoveTextError::Ambiguous { text, candidates } => Detail::Ambiguous {
                text: text.clone(),
                moves: candidates.clone(),
            },
        }
    }
}

impl From<&PdnErrorKind> for Detail {
    fn from(kind: &PdnErrorKind) -> Detail {
        let text = |text: &String| text.clone();
        match kind {
            PdnErrorKind::Expected(_) => Detail::Syntax,
            PdnErrorKind::GameType(name) => Detail::GameType { text: text(name) },
            PdnErrorKind::Result(name) => Detail::Result { text: text(name) },
            PdnErrorKind::ResultsDiffer { .. } => Detail::ResultsDiffer,
            PdnErrorKind::RepeatedTag(name) => Detail::RepeatedTag { text: text(name) },
            PdnErrorKind::MissingFen => Detail::MissingFen,
            PdnErrorKind::Fen(error) => Detail::of_fen(error).0,
            PdnErrorKind::Numbers(name) => Detail::Numbers { text: text(name) },
            PdnErrorKind::Illegal { text: name, .. } => Detail::Illegal { text: text(name) },
            PdnErrorKind::Ambiguous {
                text: name,
                candidates,
            } => Detail::Ambiguous {
                text: text(name),
                moves: candidates.clone(),
            },
        }
    }
}
