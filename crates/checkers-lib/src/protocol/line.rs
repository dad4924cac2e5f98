//! The line of moves that a bot expects, on the wire.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Move, Position};

/// The maximum length of a line, in moves.
pub const MAX_LINE_MOVES: usize = 64;

/// The maximum length of a move in a line, in characters.
const MAX_MOVE_CHARS: usize = 48;

/// A line: the consecutive moves that a bot expects to be played, as text.
///
/// On the wire it is a list of at most [`MAX_LINE_MOVES`] texts. In memory it is one text with a
/// space between the moves, which saves memory: thousands of games have a line with every move. The
/// legality of the moves is not checked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WireLine(Box<str>);

/// Why a line is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadLine {
    /// It has more than [`MAX_LINE_MOVES`] moves.
    #[error("a line has at most {MAX_LINE_MOVES} moves")]
    TooLong,
    /// One of the texts cannot be a move.
    #[error(
        "a move of a line is made of squares, `-`, `:` and `x`, and has at most {MAX_MOVE_CHARS} characters"
    )]
    NoMove,
}

impl WireLine {
    /// The line of these moves, starting in `position`. It ends before the first illegal move and
    /// after [`MAX_LINE_MOVES`] moves.
    pub fn new(position: &Position, moves: &[Move]) -> WireLine {
        let mut position = position.clone();
        let mut line = String::new();
        for &m in moves.iter().take(MAX_LINE_MOVES) {
            if !position.is_legal(m) || push(&mut line, &position.notation(m)).is_err() {
                break;
            }
            position.play_unchecked(m);
        }
        WireLine(line.into())
    }

    /// The moves in order.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.0.split_ascii_whitespace()
    }

    /// Whether the line has no moves.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn push(line: &mut String, text: &str) -> Result<(), BadLine> {
    let is_of_a_move = |byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'-' | b':' | b'x');
    if text.is_empty() || text.len() > MAX_MOVE_CHARS || !text.bytes().all(is_of_a_move) {
        return Err(BadLine::NoMove);
    }
    if !line.is_empty() {
        line.push(' ');
    }
    line.push_str(text);
    Ok(())
}

/// Parses moves with spaces between them.
impl FromStr for WireLine {
    type Err = BadLine;

    fn from_str(text: &str) -> Result<WireLine, BadLine> {
        let mut line = String::new();
        for (count, text) in text.split_ascii_whitespace().enumerate() {
            if count == MAX_LINE_MOVES {
                return Err(BadLine::TooLong);
            }
            push(&mut line, text)?;
        }
        Ok(WireLine(line.into()))
    }
}

/// Writes the moves with a space between them.
impl fmt::Display for WireLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for WireLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.moves())
    }
}

impl<'de> Deserialize<'de> for WireLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WireLine, D::Error> {
        deserializer.deserialize_seq(Moves)
    }
}

struct Moves;

impl<'de> Visitor<'de> for Moves {
    type Value = WireLine;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAX_LINE_MOVES} moves")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<WireLine, A::Error> {
        let mut line = String::new();
        let mut count = 0;
        while let Some(text) = seq.next_element::<Cow<'de, str>>()? {
            count += 1;
            if count > MAX_LINE_MOVES {
                return Err(de::Error::custom(BadLine::TooLong));
            }
            push(&mut line, &text).map_err(de::Error::custom)?;
        }
        Ok(WireLine(line.into()))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for WireLine {
    fn schema_name() -> Cow<'static, str> {
        "WireLine".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The moves that a bot expects to be played, one after the other.",
            "type": "array",
            "maxItems": MAX_LINE_MOVES,
            "items": {"type": "string", "minLength": 1, "maxLength": MAX_MOVE_CHARS, "pattern": "^[a-h1-8:x-]+$"}
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<WireLine, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_is_written_as_it_is_read() {
        for json in ["[]", r#"["c3-d4"]"#, r#"["c3:e5:g7","h8:f6","a1-b2"]"#] {
            let line = read(json).unwrap();
            assert_eq!(serde_json::to_string(&line).unwrap(), json);
        }
        let line = read(r#"["c3-d4","b6-a5"]"#).unwrap();
        assert_eq!(line.to_string(), "c3-d4 b6-a5");
        assert_eq!("c3-d4 b6-a5".parse(), Ok(line));
        assert!(read("[]").unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_a_line_is_refused() {
        for json in [r#"[""]"#, r#"["c3 d4"]"#, r#"["}"]"#, r#"["ш"]"#] {
            assert!(
                read(json).unwrap_err().starts_with("a move of a line"),
                "{json}"
            );
        }
        for json in [r#""c3-d4""#, "[7]", "{}", "null"] {
            assert!(read(json).is_err(), "{json}");
        }
        let long = |moves: usize| serde_json::to_string(&vec!["c3-d4"; moves]).unwrap();
        assert_eq!(
            read(&long(MAX_LINE_MOVES)).unwrap().moves().count(),
            MAX_LINE_MOVES
        );
        let error = read(&long(MAX_LINE_MOVES + 1)).unwrap_err();
        assert!(error.starts_with("a line has at most 64 moves"), "{error}");
    }

    #[test]
    fn moves_are_written_up_to_the_first_that_cannot_be_played() {
        let start = Position::start();
        let first = start.parse_move("c3-d4").unwrap();
        let reply = start.clone().play(first).unwrap().legal_moves()[0];
        let line = WireLine::new(&start, &[first, reply, first]);
        assert_eq!(line.moves().count(), 2);
        assert!(line.to_string().starts_with("c3-d4 "), "{line}");
        assert_eq!(WireLine::new(&start, &[]), WireLine::default());
    }

    #[test]
    fn a_long_line_is_cut() {
        let position: Position = "W:WKa1:BKh2".parse().unwrap();
        let cycle = ["a1-b2", "h2-g1", "b2-a1", "g1-h2"];
        let mut at = position.clone();
        let mut moves = Vec::new();
        for text in cycle.iter().cycle().take(MAX_LINE_MOVES + 9) {
            let m = at.parse_move(text).unwrap();
            at.play_unchecked(m);
            moves.push(m);
        }
        let line = WireLine::new(&position, &moves);
        assert_eq!(line.moves().count(), MAX_LINE_MOVES);
    }
}
