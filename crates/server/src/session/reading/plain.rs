//! Moves as most clients write them: whole numbers and texts without escapes, nothing between them.
//!
//! A move is read for every one that is played, and a library that can read anything takes several times
//! as long for it. Whatever is written in another way is left to that.

use checkers_lib::protocol::{Addressed, ClientMessage};

const BEGINNING: &str = r#"{"type":"move""#;

/// So many digits fit into any number here.
const DIGITS: usize = 9;

#[derive(Default)]
struct Fields<'a> {
    table: Option<&'a str>,
    game: Option<u32>,
    ply: Option<u32>,
    text: Option<&'a str>,
    id: Option<&'a str>,
}

/// Reads a move; `None` if it is no move, or not a plain one.
pub(super) fn read_move(text: &str) -> Option<Addressed> {
    let mut rest = text.strip_prefix(BEGINNING)?;
    let mut fields = Fields::default();
    while let Some(next) = rest.strip_prefix(",\"") {
        let end = next.bytes().position(|byte| byte == b'"')?;
        let (name, value) = next.split_at_checked(end)?;
        let value = value.strip_prefix("\":")?;
        rest = match name {
            "table" => texts(&mut fields.table, value)?,
            "move" => texts(&mut fields.text, value)?,
            "id" => texts(&mut fields.id, value)?,
            "game" => numbers(&mut fields.game, value)?,
            "ply" => numbers(&mut fields.ply, value)?,
            _ => return None,
        };
    }
    if rest != "}" {
        return None;
    }
    let message = ClientMessage::Move {
        game: fields.game.map(u64::from),
        ply: fields.ply?,
        text: fields.text?.to_owned(),
        search: None,
        id: fields.id.map(str::to_owned),
    };
    let table = fields.table.map(str::to_owned);
    Some(Addressed { message, table })
}

/// Reads a text into a field that has none yet; returns what comes after it.
fn texts<'a>(field: &mut Option<&'a str>, value: &'a str) -> Option<&'a str> {
    let value = value.strip_prefix('"')?;
    let is_special = |&byte: &u8| byte == b'"' || byte == b'\\' || byte < b' ';
    let end = value.as_bytes().iter().position(is_special)?;
    let rest = value.get(end..)?.strip_prefix('"')?;
    field.is_none().then_some(())?;
    *field = value.get(..end);
    Some(rest)
}

/// Reads a whole number into a field that has none yet; returns what comes after it.
fn numbers<'a>(field: &mut Option<u32>, value: &'a str) -> Option<&'a str> {
    let is_digit = |byte: &&u8| byte.is_ascii_digit();
    let length = value.as_bytes().iter().take_while(is_digit).count();
    let (digits, rest) = value.split_at_checked(length)?;
    let is_plain = (1..=DIGITS).contains(&length) && !(length > 1 && digits.starts_with('0'));
    (is_plain && field.is_none()).then_some(())?;
    *field = digits.parse().ok();
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_move_is_read() {
        let text = r#"{"type":"move","ply":3,"move":"c3-d4","table":"k3x","game":7,"id":"a"}"#;
        let expected = Addressed {
            message: ClientMessage::Move {
                game: Some(7),
                ply: 3,
                text: "c3-d4".to_owned(),
                search: None,
                id: Some("a".to_owned()),
            },
            table: Some("k3x".to_owned()),
        };
        assert_eq!(read_move(text), Some(expected));
    }

    #[test]
    fn what_is_not_plain_is_left_alone() {
        for text in [
            r#"{"type":"move","ply":3,"move":"c3\u002dd4"}"#,
            r#"{"type":"move","ply":03,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":-3,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":3.0,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":9999999999,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":3,"ply":3,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":3,"move":"c3-d4","id":null}"#,
            r#"{"type":"move", "ply":3,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":3,"move":"c3-d4"} "#,
            r#"{"type":"move","ply":3,"move":"c3-d4","#,
            r#"{"type":"move","ply":3,"move":"c3-d4"#,
            r#"{"type":"move","ply":3,"move":"c3-d4","color":"white"}"#,
            r#"{"type":"moved","ply":3,"move":"c3-d4"}"#,
        ] {
            assert_eq!(read_move(text), None, "{text}");
        }
    }
}
