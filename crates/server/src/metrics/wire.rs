//! The types of messages, for the metrics.

use std::borrow::Cow;

use checkers_lib::protocol::ClientMessage;
use serde::Deserialize;

/// The type of a malformed message from a client; `bad` if the type is unknown.
pub(crate) fn kind_refused(text: &str) -> &'static str {
    #[derive(Deserialize)]
    struct Tagged<'a> {
        #[serde(borrow, rename = "type")]
        kind: Cow<'a, str>,
    }
    let tagged = serde_json::from_str::<Tagged<'_>>(text).ok();
    let known = |tagged: Tagged<'_>| {
        let mut types = ClientMessage::TYPES.into_iter();
        types.find(|&kind| kind == tagged.kind)
    };
    tagged.and_then(known).unwrap_or("bad")
}

/// The type of a message from the server, which is its first field.
pub(super) fn kind_sent(text: &str) -> &str {
    let kind = text.strip_prefix(r#"{"type":""#).and_then(up_to_quote);
    kind.unwrap_or("unknown")
}

/// The error code of a message from the server; `None` if it is not an error.
pub(super) fn refusal_sent(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(r#"{"type":"error","code":""#)?;
    up_to_quote(rest)
}

/// Names are short, so a plain loop over their bytes is the fastest search.
fn up_to_quote(text: &str) -> Option<&str> {
    let end = text.bytes().position(|byte| byte == b'"')?;
    text.get(..end)
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{ErrorCode, Refusal, ServerMessage};

    use super::*;

    #[test]
    fn types_are_found() {
        assert_eq!(kind_refused(r#"{"name":"anna", "type":"join"}"#), "join");
        assert_eq!(kind_refused(r#"{"type":"dance"}"#), "bad");
        assert_eq!(kind_refused("nonsense"), "bad");
        let players = ServerMessage::Players {
            table: "main".to_owned(),
            players: vec![],
            watchers: 0,
        };
        let players = serde_json::to_string(&players).unwrap();
        assert_eq!(
            (kind_sent(&players), refusal_sent(&players)),
            ("players", None)
        );
        let refusal = Refusal::new(ErrorCode::WrongPly, "no");
        let refusal = serde_json::to_string(&ServerMessage::from(refusal)).unwrap();
        assert_eq!(kind_sent(&refusal), "error");
        assert_eq!(refusal_sent(&refusal), Some("wrong_ply"));
    }
}
