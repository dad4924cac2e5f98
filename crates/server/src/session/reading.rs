//! From the text of a frame to a message.

mod plain;

use checkers_lib::protocol::{About, Addressed, ClientMessage, ErrorCode, Refusal, SearchInfo};
use serde::Deserialize;

/// Reads a message, or says what is wrong with it.
pub(super) fn read(text: &str) -> Result<Addressed, Refusal> {
    match plain::read_move(text).or_else(|| read_move(text)) {
        Some(message) => Ok(message),
        None => read_any(text),
    }
}

/// Reads a move with whatever may be said with it. An enum that is told by one of its fields is read by way of a copy
/// of all of them, which costs more than all else that is done with a move's text.
fn read_move(text: &str) -> Option<Addressed> {
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Move,
    }
    #[derive(Deserialize)]
    struct Move {
        #[serde(rename = "type")]
        _kind: Kind,
        table: Option<String>,
        game: Option<u64>,
        ply: u32,
        #[serde(rename = "move")]
        text: String,
        search: Option<SearchInfo>,
        id: Option<String>,
    }
    if !text.starts_with(r#"{"type":"move","#) {
        return None;
    }
    let read: Move = serde_json::from_str(text).ok()?;
    let message = ClientMessage::Move {
        game: read.game,
        ply: read.ply,
        text: read.text,
        search: read.search,
        id: read.id,
    };
    let table = read.table;
    Some(Addressed { message, table })
}

fn read_any(text: &str) -> Result<Addressed, Refusal> {
    // A list of a message's values would be read as the message too.
    let is_object = text.trim_start().starts_with('{');
    let error = match serde_json::from_str(text) {
        Ok(message) if is_object => return address(message, text),
        Ok(_) => serde::de::Error::custom("a message is an object"),
        Err(error) => error,
    };
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else {
        return Err(Refusal::new(
            ErrorCode::BadJson,
            format!("not JSON: {error}"),
        ));
    };
    let Some(name) = value.get("type").and_then(|name| name.as_str()) else {
        let message = "a message is an object with a text in `type`";
        return Err(Refusal::new(ErrorCode::BadJson, message));
    };
    Err(if ClientMessage::TYPES.contains(&name) {
        Refusal::new(ErrorCode::BadMessage, format!("{name}: {error}"))
    } else {
        let known = ClientMessage::TYPES.join(", ");
        let message = format!("unknown type {name:?}: expected one of {known}");
        Refusal::new(ErrorCode::UnknownType, message)
    })
}

/// Reads the table's id beside the message: most messages have none, and are not read twice.
fn address(message: ClientMessage, text: &str) -> Result<Addressed, Refusal> {
    // A backslash may stand in its name for a letter.
    if !text.contains(r#""table""#) && !text.contains('\\') {
        return Ok(message.into());
    }
    match serde_json::from_str(text) {
        Ok(About { table }) => Ok(Addressed { message, table }),
        Err(error) => Err(Refusal::new(
            ErrorCode::BadMessage,
            format!("{}: {error}", message.type_name()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bad_messages_are_told_apart() {
        let code = |text: &str| match read(text) {
            Err(refusal) => refusal.code,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(code("{"), ErrorCode::BadJson);
        assert_eq!(code("[1]"), ErrorCode::BadJson);
        assert_eq!(code(r#"["join","anna"]"#), ErrorCode::BadJson);
        let nested = r#"{"type":"take_seat","color":{"white":null}}"#;
        assert_eq!(code(nested), ErrorCode::BadMessage);
        assert_eq!(code(r#"{"name":"anna"}"#), ErrorCode::BadJson);
        assert_eq!(code(r#"{"type":"dance"}"#), ErrorCode::UnknownType);
        assert_eq!(code(r#"{"type":"join"}"#), ErrorCode::BadMessage);
        assert_eq!(
            code(r#"{"type":"move","ply":-1,"move":"c3-d4"}"#),
            ErrorCode::BadMessage
        );
        assert_eq!(
            code(r#"{"type":"take_seat","color":"red"}"#),
            ErrorCode::BadMessage
        );
        assert_eq!(
            code(r#"{"type":"leave_seat","table":7}"#),
            ErrorCode::BadMessage
        );
    }

    #[test]
    fn a_move_is_read_like_any_message() {
        let moves = [
            r#"{"type":"move","ply":3,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":3,"move":"c3-d4","table":"k3x","game":7,"id":"a","more":[1]}"#,
            r#"{"type":"move","search":{"score":-1,"depth":2,"nodes":3,"time_us":4,"pv":["c3-d4"]},"ply":0,"move":"","id":null}"#,
        ];
        for text in moves {
            assert_eq!(read_move(text), read_any(text).ok(), "{text}");
            assert!(read_move(text).is_some(), "{text}");
            assert_eq!(read(text).ok(), read_any(text).ok(), "{text}");
        }
        let others = [
            r#"{"type":"move","move":"c3-d4"}"#,
            r#"{"type":"move","ply":-1,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":1,"ply":2,"move":"c3-d4"}"#,
            r#"{"type":"move","type":"leave_seat","ply":1,"move":"c3-d4"}"#,
            r#"{"type":"move","ply":1,"move":"c3-d4","table":7}"#,
            r#"{"type":"move","ply":1,"move":"c3-d4"} more"#,
            r#"{"type":"leave_seat"}"#,
        ];
        for text in others {
            assert_eq!(read_move(text), None, "{text}");
            assert_eq!(plain::read_move(text), None, "{text}");
        }
    }

    const FIELDS: [&str; 14] = [
        r#""table":"k3x""#,
        r#""\u0074able":"k3x""#,
        r#""table":null"#,
        r#""table":7"#,
        r#""game":7"#,
        r#""game":-7"#,
        r#""id":"a""#,
        r#""id":null"#,
        r#""search":{"score":-1,"depth":2,"nodes":3,"time_us":4}"#,
        r#""search":[1,2]"#,
        r#""type":"move""#,
        r#""ply":3"#,
        r#""more":[1]"#,
        r#""more":{"table":"k3x"}"#,
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn whatever_is_read_as_a_move_is_read_like_any_message(
            more in prop::collection::vec(prop::sample::select(&FIELDS[..]), 0..4)
        ) {
            let fields = [r#""type":"move""#, r#""ply":3"#, r#""move":"c3-d4""#];
            let text = [&fields[..], &more[..]].concat().join(",");
            let text = format!("{{{text}}}");
            prop_assert_eq!(read(&text).ok(), read_any(&text).ok(), "{}", text);
        }
    }

    #[test]
    fn a_message_is_about_the_table_it_names() {
        let about = |text| read(text).map(|read| (read.message, read.table));
        assert_eq!(
            about(r#"{"type":"leave_seat"}"#),
            Ok((ClientMessage::LeaveSeat, None))
        );
        assert_eq!(
            about(r#"{"table":"k3x","type":"leave_seat"}"#),
            Ok((ClientMessage::LeaveSeat, Some("k3x".into())))
        );
        assert_eq!(
            about(r#"{"type":"leave_seat","\u0074able":"k3x"}"#),
            Ok((ClientMessage::LeaveSeat, Some("k3x".into())))
        );
    }
}
