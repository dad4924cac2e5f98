//! What can be wrong with a PDN text, and where.

use super::PdnResult;
use crate::{FenError, MoveTextError, Position};

/// Why a game could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct PdnError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: PdnErrorKind,
}

/// What is wrong with a PDN text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PdnErrorKind {
    /// The text has another form.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The game is another kind of draughts.
    #[error("game type {0:?}: expected 25, Russian draughts")]
    GameType(String),
    /// The result tag holds something else.
    #[error("result {0:?}: expected 1-0, 0-1, 1/2-1/2, 0-0 or *")]
    Result(String),
    /// The tag and the end of the moves disagree about the result.
    #[error("result {moves}: expected {tag} as in the Result tag")]
    ResultsDiffer {
        /// What the tag says.
        tag: PdnResult,
        /// What the moves end with.
        moves: PdnResult,
    },
    /// A tag is given twice for one game.
    #[error("tag {0} is given already: expected another tag, or a blank line before the next game")]
    RepeatedTag(String),
    /// `[SetUp "1"]` announces a position that is not given.
    #[error("expected a FEN tag beside SetUp \"1\"")]
    MissingFen,
    /// The start position cannot be read.
    #[error("{}", fen_reason(.0))]
    Fen(FenError),
    /// Squares are numbers that fit more than one numbering.
    #[error("expected a square such as c3: {0} can be counted from b8 or from a1")]
    Numbers(String),
    /// A move is not legal.
    #[error("{text} is not a legal move here: expected {}", or_end(legal))]
    Illegal {
        /// The move as given.
        text: String,
        /// The legal moves.
        legal: Vec<String>,
    },
    /// A move fits several legal moves.
    #[error("{text} is ambiguous: expected {}", candidates.join(" or "))]
    Ambiguous {
        /// The move as given.
        text: String,
        /// What it could mean, in unambiguous form.
        candidates: Vec<String>,
    },
}

impl PdnErrorKind {
    /// What is wrong with a move in this position; a syntax error loses its column.
    pub(super) fn from_move(error: MoveTextError, position: &Position) -> PdnErrorKind {
        match error {
            MoveTextError::Syntax { expected, .. } => PdnErrorKind::Expected(expected),
            MoveTextError::Illegal { text } => {
                let moves = position.legal_moves();
                let legal = sorted(moves.iter().map(|&m| position.notation(m)));
                PdnErrorKind::Illegal { text, legal }
            }
            MoveTextError::Ambiguous { text, candidates } => PdnErrorKind::Ambiguous {
                text,
                candidates: sorted(candidates),
            },
        }
    }
}

/// In an order that does not depend on how moves are generated.
fn sorted(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.into_iter().collect();
    texts.sort();
    texts
}

/// The error without its column, which [`PdnError`] gives within the whole text.
fn fen_reason(error: &FenError) -> String {
    match error {
        FenError::Syntax { expected, .. } => format!("expected {expected}"),
        FenError::LightSquare { name, .. } => format!("expected a dark square: {name} is light"),
        FenError::TakenTwice { square, .. } => {
            format!("expected an empty square: {square} is taken already")
        }
        FenError::Numbers { .. } => "expected a square such as c3".to_owned(),
        FenError::Setup(error) => format!("expected a possible position: {error}"),
    }
}

fn or_end(legal: &[String]) -> String {
    if legal.is_empty() {
        "the end of the game".to_owned()
    } else {
        legal.join(", ")
    }
}
