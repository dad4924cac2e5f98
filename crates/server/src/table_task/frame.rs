//! A message on its way to clients.

mod of_a_move;

use std::cell::RefCell;
use std::sync::Arc;

use checkers_lib::protocol::ServerMessage;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Control, Data, OpCode};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

use crate::json::Text;
use crate::table::{MoveTold, RequestTold};

/// Bytes that most messages have room in. What longer ones need is given back.
const USUAL: usize = 4 * 1024;

thread_local! {
    /// Where messages are written first. What is kept of them, some for long, takes no more memory than
    /// they have bytes.
    static SCRATCH: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A message to a client, serialised once however many clients get it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) text: Arc<str>,
    /// How many messages it asks the client for.
    pub(crate) asks_for: u8,
    /// What it is counted as.
    pub(crate) kind: Kind,
}

/// The messages that go out with every move, and all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Moved,
    YourTurn,
    /// What its text says.
    Other,
}

impl Frame {
    pub(crate) fn new(message: &ServerMessage) -> Frame {
        let asks_for = match message {
            // A move; an answer; a seat in the next game, or its arrangement; the director's end of
            // the game.
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
        Frame {
            text: written(|out| write(message, out)),
            asks_for,
            kind,
        }
    }

    /// The same as [`new`](Frame::new) of the message.
    pub(super) fn of_move(told: &MoveTold<'_>) -> Frame {
        Frame {
            text: written(|out| of_a_move::write_move(told, out)),
            asks_for: 0,
            kind: Kind::Moved,
        }
    }

    /// The same as [`new`](Frame::new) of the message.
    pub(super) fn of_request(told: RequestTold<'_>) -> Frame {
        if !told.legal_moves.is_empty() {
            return Frame::new(&told.message());
        }
        Frame {
            text: written(|out| of_a_move::write_request(&told, out)),
            asks_for: 1,
            kind: Kind::YourTurn,
        }
    }

    /// The message for a connection whose way out nobody else writes to.
    pub(crate) fn message(&self) -> Message {
        Message::Text(Utf8Bytes::from(&*self.text))
    }

    /// Writes it as it goes over the wire.
    pub(super) fn encode(&self, buffer: &mut Vec<u8>) {
        encode(OpCode::Data(Data::Text), self.text.as_bytes(), buffer);
    }
}

/// What `write` writes.
fn written(write: impl FnOnce(&mut String)) -> Arc<str> {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.clear();
        write(scratch);
        let text = scratch.as_str().into();
        scratch.shrink_to(USUAL);
        text
    })
}

/// Writes a message as JSON.
fn write(message: &ServerMessage, out: &mut String) {
    serde_json::to_writer(Text(out), message).expect("a wire type has no key but strings");
}

/// Writes a ping as it goes over the wire.
pub(super) fn encode_ping(payload: &[u8], buffer: &mut Vec<u8>) {
    encode(OpCode::Control(Control::Ping), payload, buffer);
}

/// Writes a server's whole message as one frame.
///
/// CITE: RFC 6455, section 5.2.
fn encode(code: OpCode, payload: &[u8], buffer: &mut Vec<u8>) {
    const IS_FINAL: u8 = 0x80;
    buffer.push(IS_FINAL | u8::from(code));
    match (u8::try_from(payload.len()), u16::try_from(payload.len())) {
        (Ok(length @ ..=125), _) => buffer.push(length),
        (_, Ok(length)) => {
            buffer.push(126);
            buffer.extend_from_slice(&length.to_be_bytes());
        }
        (_, Err(_)) => {
            buffer.push(127);
            buffer.extend_from_slice(&(payload.len() as u64).to_be_bytes());
        }
    }
    buffer.extend_from_slice(payload);
}

#[cfg(test)]
mod tests {
    use checkers_lib::Position;
    use checkers_lib::protocol::LegalMove;
    use tokio_tungstenite::tungstenite::protocol::frame::Frame as WireFrame;

    use super::*;

    #[test]
    fn a_request_is_the_frame_of_its_message() {
        let all = LegalMove::all(&Position::start());
        for legal_moves in [Vec::new(), all] {
            let told = || RequestTold {
                table: "k3x",
                game: 1,
                ply: 0,
                fen: "W:Wa1:Bh8",
                legal_moves: legal_moves.clone(),
                clocks: None,
                thinking_ms: None,
            };
            let (ours, theirs) = (Frame::of_request(told()), Frame::new(&told().message()));
            assert_eq!(ours.text, theirs.text);
            assert_eq!((ours.asks_for, ours.kind), (theirs.asks_for, theirs.kind));
        }
    }

    #[test]
    fn a_frame_is_as_the_library_writes_it() {
        for length in [0, 1, 125, 126, 65_535, 65_536] {
            let payload = vec![b'a'; length];
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            let code = OpCode::Data(Data::Text);
            encode(code, &payload, &mut ours);
            let frame = WireFrame::message(payload, code, true);
            frame.format(&mut theirs).unwrap();
            assert!(ours == theirs, "{length}");
        }
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        encode_ping(b"12345678", &mut ours);
        WireFrame::ping(&b"12345678"[..])
            .format(&mut theirs)
            .unwrap();
        assert_eq!(ours, theirs);
    }
}
