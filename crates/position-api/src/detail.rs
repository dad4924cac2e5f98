//! The exact error in a position, a move or a game.

use checkers_lib::pdn::PdnErrorKind;
use checkers_lib::protocol::WireColor;
use checkers_lib::{FenError, MoveTextError, SetupError};
use serde::Serialize;

/// The exact error in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Detail {
    /// The text has the wrong form.
    Syntax,
    /// The square is a light one, on which no piece can stand.
    LightSquare {
        /// Its name.
        square: String,
    },
    /// Two pieces share a square.
    TakenTwice {
        /// Its name.
        square: String,
    },
    /// A man stands on the last row.
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
    /// No legal move has this notation.
    Illegal {
        /// What was read.
        text: String,
    },
    /// Several legal moves have this notation.
    Ambiguous {
        /// What was read.
        text: String,
        /// The moves it could mean.
        moves: Vec<String>,
    },
    /// It is a game of another draughts variant.
    GameType {
        /// The game type in the text.
        text: String,
    },
    /// The result is unknown.
    Result {
        /// What was read.
        text: String,
    },
    /// The result in the tags and the one after the moves differ.
    ResultsDiffer,
    /// A tag is given twice for one game.
    RepeatedTag {
        /// Its name.
        text: String,
    },
    /// The tag `SetUp` announces a position, but there is none.
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
    /// The error in a position, and the character at which it is, counted from 1.
    pub fn of_fen(error: &FenError) -> (Detail, Option<usize>) {
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
