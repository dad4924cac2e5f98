//! A client that costs next to nothing: it knows as much of WebSockets as a load client needs.
//!
//! CITE: RFC 6455, section 5.2, for the frames.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::ops::Range;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::AnyError;

const FINAL_TEXT: u8 = 0x81;
const FINAL_PONG: u8 = 0x8a;
const TEXT: u8 = 0x1;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const IS_MASKED: u8 = 0x80;

/// The answer to the handshake fits, and most frames do.
const BUFFER: usize = 4 * 1024;

/// How the server begins to say that something was refused.
const ERROR: &[u8] = br#"{"type":"error""#;

/// A connection to what is measured.
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
    /// What of the buffer was received and not yet heard.
    unheard: Range<usize>,
}

impl Client {
    /// Connects and shakes hands.
    pub(crate) async fn connect(address: SocketAddr) -> Result<Client, AnyError> {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let request = format!(
            "GET /ws HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut client = Client {
            stream,
            buffer: vec![0; BUFFER],
            unheard: 0..0,
        };
        client.finish_handshake().await?;
        Ok(client)
    }

    async fn finish_handshake(&mut self) -> Result<(), AnyError> {
        loop {
            let head = &self.buffer[self.unheard.clone()];
            if let Some(end) = head.windows(4).position(|end| end == b"\r\n\r\n") {
                if !head.starts_with(b"HTTP/1.1 101 ") {
                    return Err(String::from_utf8_lossy(&head[..end]).into_owned().into());
                }
                self.unheard.start += end + 4;
                return Ok(());
            }
            self.receive().await?;
        }
    }

    /// Sends a text.
    pub(crate) async fn say(&mut self, text: &str) -> io::Result<()> {
        self.send(&text_frame(text)).await
    }

    /// Goes to a room of the relay.
    pub(crate) async fn enter(&mut self, room: &str) -> Result<(), AnyError> {
        self.say(room).await?;
        self.wait_for(|text| text == room.as_bytes()).await?;
        Ok(())
    }

    /// Sends a frame that is ready.
    pub(crate) async fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        self.stream.write_all(frame).await
    }

    /// Waits for a text that is wanted. A refusal is an error.
    pub(crate) async fn wait_for(
        &mut self,
        wanted: impl Fn(&[u8]) -> bool,
    ) -> Result<&[u8], AnyError> {
        loop {
            let text = self.hear().await?;
            if self.buffer[text.clone()].starts_with(ERROR) {
                return Err(String::from_utf8_lossy(&self.buffer[text]).into());
            }
            if wanted(&self.buffer[text.clone()]) {
                return Ok(&self.buffer[text]);
            }
        }
    }

    /// Where the next text is in the buffer. Answers pings.
    async fn hear(&mut self) -> Result<Range<usize>, AnyError> {
        loop {
            let Some((opcode, payload)) = self.take_frame() else {
                self.receive().await?;
                continue;
            };
            match opcode {
                TEXT => return Ok(payload),
                PING => {
                    let pong = frame(FINAL_PONG, &self.buffer[payload]);
                    self.send(&pong).await?;
                }
                CLOSE => {
                    let reason = String::from_utf8_lossy(&self.buffer[payload]).into_owned();
                    return Err(format!("the connection was closed: {reason}").into());
                }
                _ => return Err(format!("a frame of kind {opcode}").into()),
            }
        }
    }

    /// Takes a frame out of what was received, if there is a whole one.
    fn take_frame(&mut self) -> Option<(u8, Range<usize>)> {
        let unheard = &self.buffer[self.unheard.clone()];
        let (head, length) = match *unheard {
            [_, 126, high, low, ..] => (4, usize::from(u16::from_be_bytes([high, low]))),
            [_, 127, a, b, c, d, e, f, g, h, ..] => {
                let length = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
                (10, usize::try_from(length).ok()?)
            }
            [_, length, ..] if length < 126 => (2, usize::from(length)),
            _ => return None,
        };
        if unheard.len() < head + length {
            return None;
        }
        let opcode = unheard[0] & 0x0f;
        let begin = self.unheard.start + head;
        self.unheard.start = begin + length;
        Some((opcode, begin..begin + length))
    }

    async fn receive(&mut self) -> io::Result<()> {
        if self.unheard.is_empty() {
            self.unheard = 0..0;
        } else if self.unheard.end == self.buffer.len() {
            self.make_room();
        }
        match self
            .stream
            .read(&mut self.buffer[self.unheard.end..])
            .await?
        {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            count => {
                self.unheard.end += count;
                Ok(())
            }
        }
    }

    fn make_room(&mut self) {
        let length = self.unheard.len();
        self.buffer.copy_within(self.unheard.clone(), 0);
        self.unheard = 0..length;
        if length > self.buffer.len() / 2 {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }
}

/// A text as a client's frame.
pub(crate) fn text_frame(text: &str) -> Vec<u8> {
    frame(FINAL_TEXT, text.as_bytes())
}

/// The mask is zero, which leaves the payload as it is. The receiver has the same work with it.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = vec![first];
    match u8::try_from(payload.len()) {
        Ok(length @ ..126) => frame.push(IS_MASKED | length),
        _ => {
            let length = u16::try_from(payload.len()).unwrap_or(u16::MAX);
            frame.push(IS_MASKED | 126);
            frame.extend(length.to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend_from_slice(payload);
    frame
}
