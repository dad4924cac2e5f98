//! Sides, roles and names on the wire.

use serde::{Deserialize, Serialize};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::MAX_NAME_CHARS;
use crate::Color;

/// A side: White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", try_from = "String")]
#[cfg_attr(feature = "schema", schemars(!try_from))]
#[expect(missing_docs, reason = "each variant is its own name")]
pub enum WireColor {
    White,
    Black,
}

/// Accepts only text, not serde's other forms of an enum.
impl TryFrom<String> for WireColor {
    type Error = UnknownColor;

    fn try_from(name: String) -> Result<WireColor, UnknownColor> {
        match name.as_str() {
            "white" => Ok(WireColor::White),
            "black" => Ok(WireColor::Black),
            _ => Err(UnknownColor(name)),
        }
    }
}

/// The text is not the name of a side.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown color {0:?}: expected white or black")]
pub struct UnknownColor(pub String);

impl From<Color> for WireColor {
    fn from(color: Color) -> WireColor {
        match color {
            Color::White => WireColor::White,
            Color::Black => WireColor::Black,
        }
    }
}

impl From<WireColor> for Color {
    fn from(color: WireColor) -> Color {
        match color {
            WireColor::White => Color::White,
            WireColor::Black => Color::Black,
        }
    }
}

/// The role of a client at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The player in White's seat.
    White,
    /// The player in Black's seat.
    Black,
    /// A spectator, who has no seat.
    Spectator,
}

impl Role {
    /// The role of a client with this seat, or with none.
    pub fn of_seat(seat: Option<Color>) -> Role {
        match seat {
            Some(Color::White) => Role::White,
            Some(Color::Black) => Role::Black,
            None => Role::Spectator,
        }
    }
}

/// A player or a spectator of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Player {
    /// The name.
    pub name: String,
    /// The role at the table.
    pub role: Role,
    /// For a bot of the server, what it is: `level N` or its specification. Absent for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
}

/// The rule for names, for the message of an error.
pub const NAME_RULE: &str = "a name has 1 to 30 visible characters, single spaces between words, none at \
    either end, and no mark without a letter or a number before it";

/// Whether `name` is valid: 1–[`MAX_NAME_CHARS`] visible characters, single spaces between words,
/// no mark without a letter or a number before it.
pub fn is_valid_name(name: &str) -> bool {
    (1..=MAX_NAME_CHARS).contains(&name.chars().count()) && name.split(' ').all(is_word)
}

/// Whether `word` is valid as a part of a name without spaces.
fn is_word(word: &str) -> bool {
    let mut bears_marks = false;
    let mut fits = |c: char| match c.general_category_group() {
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number => {
            bears_marks = true;
            true
        }
        GeneralCategoryGroup::Punctuation | GeneralCategoryGroup::Symbol => {
            bears_marks = false;
            true
        }
        GeneralCategoryGroup::Mark => bears_marks,
        GeneralCategoryGroup::Separator | GeneralCategoryGroup::Other => false,
    };
    !word.is_empty() && word.chars().all(|c| fits(c) && !is_blank(c))
}

/// Whether a letter, mark or symbol is invisible.
///
/// CITE: Unicode 16, the letters, marks and symbols with the property Default_Ignorable_Code_Point,
/// and other blank ones: joiners, fillers, the null notehead and the object replacement character.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        '\u{34f}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2800}' | '\u{2d7f}' | '\u{303f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{ffa0}' | '\u{fffc}' | '\u{1107f}' | '\u{16fe4}' | '\u{1d159}'
        | '\u{e0100}'..='\u{e01ef}'
    )
}
