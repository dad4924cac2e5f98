//! Serialised messages.

use checkers_lib::protocol::ServerMessage;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// A message to clients. It is serialised once; clones share the text.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    text: Utf8Bytes,
    /// The number of replies that the message asks for. They do not count against the client's
    /// message rate.
    pub(crate) expected_replies: u8,
    /// The label of the message in the metrics.
    pub(crate) kind: FrameKind,
}

/// How a message is counted. The two that go out with every move have counters of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FrameKind {
    Moved,
    YourTurn,
    /// After it, as after `Moved`, a move that the client has sent is not sent again. Counted as `Other`.
    Answer,
    /// Counted by the type in the text.
    Other,
}

impl Frame {
    /// Serialises a message.
    pub(crate) fn new(message: &ServerMessage) -> Frame {
        let kind = match message {
            ServerMessage::Moved { .. } => FrameKind::Moved,
            ServerMessage::YourTurn { .. } => FrameKind::YourTurn,
            ServerMessage::TookBack { .. }
            | ServerMessage::GameOver { .. }
            | ServerMessage::Acknowledged { .. }
            | ServerMessage::Error { .. } => FrameKind::Answer,
            _ => FrameKind::Other,
        };
        let text = serde_json::to_string(message).expect("wire types have only string keys");
        Frame {
            text: text.into(),
            expected_replies: expected_replies(message),
            kind,
        }
    }

    /// A message that another node has serialised.
    pub(crate) fn from_parts(text: Utf8Bytes, expected_replies: u8, kind: FrameKind) -> Frame {
        Frame {
            text,
            expected_replies,
            kind,
        }
    }

    /// Whether both share their text.
    pub(crate) fn is_same(&self, other: &Frame) -> bool {
        std::ptr::eq(self.text.as_str(), other.text.as_str())
    }

    /// The message as JSON.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The message for a WebSocket.
    pub(crate) fn message(&self) -> Message {
        Message::Text(self.text.clone())
    }
}

/// How many replies a message asks for.
pub(crate) fn expected_replies(message: &ServerMessage) -> u8 {
    match message {
        // A move, an answer to an offer, a seat in the next game, or the director's next step.
        ServerMessage::YourTurn { .. }
        | ServerMessage::Offered { .. }
        | ServerMessage::GameOver { .. }
        | ServerMessage::GameStarted(_) => 1,
        _ => 0,
    }
}
