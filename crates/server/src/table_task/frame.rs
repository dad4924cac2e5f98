//! A message on its way to clients.

use checkers_lib::protocol::ServerMessage;
use tokio_tungstenite::tungstenite::Utf8Bytes;
use tokio_tungstenite::tungstenite::protocol::frame::Frame as WireFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// Bytes that most messages have room in.
const USUAL: usize = 512;

/// A message to a client, serialised once however many clients get it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) text: Utf8Bytes,
    /// How many messages it asks the client for.
    pub(crate) asks_for: u8,
}

impl Frame {
    pub(crate) fn new(message: &ServerMessage) -> Frame {
        let mut text = Vec::with_capacity(USUAL);
        serde_json::to_writer(&mut text, message).expect("a wire type has no key but strings");
        let text = String::from_utf8(text).expect("JSON is UTF-8");
        let asks_for = match message {
            // A move; an answer; a seat in the next game, or its arrangement; the director's end of
            // the game.
            ServerMessage::YourTurn { .. }
            | ServerMessage::Offered { .. }
            | ServerMessage::GameOver { .. }
            | ServerMessage::GameStarted(_) => 1,
            _ => 0,
        };
        Frame {
            text: text.into(),
            asks_for,
        }
    }

    /// Writes it as it goes over the wire.
    pub(super) fn encode(self, buffer: &mut Vec<u8>) {
        encode(
            WireFrame::message(self.text, OpCode::Data(Data::Text), true),
            buffer,
        );
    }
}

/// Writes a ping as it goes over the wire.
pub(super) fn encode_ping(payload: Vec<u8>, buffer: &mut Vec<u8>) {
    encode(WireFrame::ping(payload), buffer);
}

fn encode(frame: WireFrame, buffer: &mut Vec<u8>) {
    frame.format(buffer).expect("a vector takes all");
}
