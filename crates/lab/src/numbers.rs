//! Squares as numbers, and the option that says how they are counted.

use checkers_lib::{FenError, Numbering, Position};

/// The square that has the number 1.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum FirstSquare {
    /// As most programs have it: 1 is b8, 32 is g1
    B8,
    /// 1 is a1, 32 is h8
    A1,
    /// 1 is g1, 32 is b8
    G1,
    /// 1 is h8, 32 is a1
    H8,
}

impl From<FirstSquare> for Numbering {
    fn from(first: FirstSquare) -> Numbering {
        match first {
            FirstSquare::B8 => Numbering::FromB8,
            FirstSquare::A1 => Numbering::FromA1,
            FirstSquare::G1 => Numbering::FromG1,
            FirstSquare::H8 => Numbering::FromH8,
        }
    }
}

/// What helps if numbers fit several numberings.
pub(crate) const HINT: &str = "--numbers-from says which";

/// A position, with its numbers counted as asked or as it fits.
///
/// # Errors
/// When the text is no position.
pub(crate) fn read_position(
    text: &str,
    numbers_from: Option<FirstSquare>,
) -> Result<Position, FenError> {
    match numbers_from {
        Some(first) => Position::from_numbered_fen(text, first.into()),
        None => text.parse(),
    }
}

/// What is wrong with a position, and which option would help.
pub(crate) fn fen_reason(error: &FenError) -> String {
    match error {
        FenError::Numbers { .. } => format!("{error}: {HINT}"),
        _ => error.to_string(),
    }
}
