//! Parses messages.

use checkers_lib::protocol::{About, Addressed, ClientMessage, ErrorCode, Refusal};

/// Parses a message, or explains what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Addressed, Refusal> {
    // Serde would accept an array of the field values as well.
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

/// Parses the id of the table. Most messages have none, and are not parsed twice.
fn address(message: ClientMessage, text: &str) -> Result<Addressed, Refusal> {
    // With a backslash, the name of the field may be escaped.
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
    use super::*;

    #[test]
    fn bad_messages_have_different_codes() {
        let code = |text: &str| match parse(text) {
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
    fn the_table_of_a_message_is_parsed() {
        let about = |text| parse(text).map(|read| (read.message, read.table));
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
