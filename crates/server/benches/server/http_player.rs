//! A player that is a bot over HTTP, as clients of Lichess are.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::AnyError;
use crate::player::Seat;
use crate::subject::Subject;

/// How long a connection is used again; the server closes one that is silent for longer.
const KEEP_ALIVE: Duration = Duration::from_secs(3);

/// A bot with the stream of its events.
pub(crate) struct HttpBot {
    address: SocketAddr,
    token: String,
    /// The connection of its calls, and when it was last used.
    calls: (BufReader<TcpStream>, Instant),
    events: BufReader<TcpStream>,
}

impl HttpBot {
    /// Creates a bot with this name, and connects it.
    pub(crate) async fn connect(subject: &Arc<Subject>, name: &str) -> Result<HttpBot, AnyError> {
        let (creator, name) = (Arc::clone(subject), name.to_owned());
        let created = tokio::task::spawn_blocking(move || creator.create_bot(&name));
        let (address, token) = (subject.addresses[0], created.await??);
        Ok(HttpBot {
            calls: (connect(address).await?, Instant::now()),
            events: stream(address, &token, "/api/stream/event").await?,
            address,
            token,
        })
    }

    async fn call(&mut self, path: &str, body: &str) -> Result<(), AnyError> {
        let (token, length) = (&self.token, body.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        let (calls, used) = &mut self.calls;
        if used.elapsed() > KEEP_ALIVE {
            *calls = connect(self.address).await?;
        }
        calls.write_all(request.as_bytes()).await?;
        let (status, length) = read_head(calls).await?;
        let mut answer = vec![0; length];
        calls.read_exact(&mut answer).await?;
        *used = Instant::now();
        match status {
            200 => Ok(()),
            _ => Err(format!("{path}: {status} {}", String::from_utf8_lossy(&answer)).into()),
        }
    }
}

async fn connect(address: SocketAddr) -> Result<BufReader<TcpStream>, AnyError> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

/// Opens a stream of lines; without chunks, as HTTP/1.0 has it.
async fn stream(
    address: SocketAddr,
    token: &str,
    path: &str,
) -> Result<BufReader<TcpStream>, AnyError> {
    let mut stream = connect(address).await?;
    let request = format!("GET {path} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    match read_head(&mut stream).await? {
        (200, _) => Ok(stream),
        (status, _) => Err(format!("{path}: {status}").into()),
    }
}

/// Reads the head of an answer: the status, and the length of the body if it says so.
async fn read_head(stream: &mut BufReader<TcpStream>) -> Result<(u16, usize), AnyError> {
    let (mut status, mut length, mut line) = (0, 0, String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Err("the connection ended".into());
        }
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(rest) = line.strip_prefix("http/1.") {
            status = rest.split(' ').nth(1).ok_or("no status")?.parse()?;
        } else if let Some(text) = line.strip_prefix("content-length:") {
            length = text.trim().parse()?;
        } else if line.is_empty() {
            return Ok((status, length));
        }
    }
}

/// The next line that is not empty; `None` at the end.
async fn next_line(stream: &mut BufReader<TcpStream>) -> Result<Option<Value>, AnyError> {
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        if !line.trim_end().is_empty() {
            return Ok(Some(serde_json::from_str(&line)?));
        }
    }
}

/// A player that is a bot over HTTP.
pub(crate) struct HttpPlayer {
    pub(crate) bot: HttpBot,
    /// The name of the other one.
    pub(crate) opponent: String,
    pub(crate) seat: Seat,
}

impl HttpPlayer {
    /// Begins after a delay.
    pub(crate) async fn play(mut self, delay: Duration) -> Result<Infallible, AnyError> {
        sleep(delay).await;
        loop {
            if self.seat.color == 0 {
                let path = format!("/api/challenge/{}%5Bbot%5D", self.opponent);
                self.bot.call(&path, r#"{"color":"white"}"#).await?;
            }
            loop {
                let event = next_line(&mut self.bot.events).await?;
                let event = event.ok_or("the stream of events ended")?;
                match event["type"].as_str() {
                    Some("challenge") => {
                        let id = event["challenge"]["id"].as_str().ok_or("no id")?;
                        let path = format!("/api/challenge/{id}/accept");
                        self.bot.call(&path, "").await?;
                    }
                    Some("gameStart") => {
                        let id = event["game"]["id"].as_str().ok_or("no id")?;
                        self.play_game(id).await?;
                    }
                    Some("gameFinish") => break,
                    _ => {}
                }
            }
        }
    }

    async fn play_game(&mut self, id: &str) -> Result<(), AnyError> {
        let path = format!("/api/bot/game/stream/{id}");
        let mut lines = stream(self.bot.address, &self.bot.token, &path).await?;
        let mut seen = None;
        while let Some(line) = next_line(&mut lines).await? {
            let state = line.get("state").unwrap_or(&line);
            let Some(moves) = state["moves"].as_str() else {
                continue;
            };
            let ply = moves.split_whitespace().count();
            if seen.replace(ply).is_some_and(|seen| seen >= ply) {
                continue;
            }
            if ply > 0 && ply % 2 == self.seat.color {
                self.seat.note_latency();
            }
            if state["status"] == "started" && ply % 2 == self.seat.color {
                self.make_move(id, ply).await?;
            }
        }
        self.seat.number += 1;
        Ok(())
    }

    async fn make_move(&mut self, id: &str, ply: usize) -> Result<(), AnyError> {
        let text = self.seat.choose(ply).await?;
        let text: Value = serde_json::from_str(&text)?;
        let text = text["move"].as_str().ok_or("no move")?;
        let path = format!("/api/bot/game/{id}/move/{text}");
        self.seat.note_sent();
        self.bot.call(&path, "").await
    }
}
