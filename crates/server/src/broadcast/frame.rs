//! A message to clients, serialised.

use checkers_lib::protocol::ServerMessage;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// A message to clients. It is serialised once; clones share the text.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    text: Utf8Bytes,
    /// How many messages the client is asked for. They do not count against its message rate.
    pub(crate) asks_for: u8,
    /// The label of the message in the metrics.
    pub(crate) kind: Kind,
}

/// How a message is counted. The two that go out with every move have counters of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Moved,
    YourTurn,
    /// Counted by the type in the text.
    Other,
}

impl Frame {
    /// Serialises a message.
    pub(crate) fn new(message: &ServerMessage) -> Frame {
        let asks_for = match message {
            // A move, an answer to an offer, a seat in the next game, or the director's next step.
            ServerMessage::YourTurn { .. }
            | ServerMessage::Offered { .. }
            | ServerMessage::GameOver { .. }
            | ServerMessage::GameStarted(_) => 1,
            _ => 0,
        };
        let kind = match message {
            ServerMessage::Moved { .. } => Kind::Moved,
            ServerMessage::YourTurn { .. } => Kind::YourTurn,
            _ => Kind::Other,
        };
        let text = serde_json::to_string(message).expect("wire types have only string keys");
        Frame {
            text: text.into(),
            asks_for,
            kind,
        }
    }

    /// The message as JSON.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The same for a WebSocket.
    pub(crate) fn message(&self) -> Message {
        Message::Text(self.text.clone())
    }
}
