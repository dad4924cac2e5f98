//! A bot that plays over HTTP, and its streams.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::net::TcpStream;

use crate::network::support::{request, within};

/// A bot, by its token.
pub(crate) struct Bot {
    pub(crate) server: SocketAddr,
    pub(crate) token: String,
}

/// A stream of lines.
pub(crate) struct LineStream(Lines<BufReader<TcpStream>>);

impl Bot {
    pub(crate) async fn call(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let body = body.to_string();
        let (token, length) = (&self.token, body.len());
        let text = format!(
            "{method} /api{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let answer = request(self.server, &text).await;
        let status = answer["HTTP/1.1 ".len()..][..3].parse().unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        (status, serde_json::from_str(body).unwrap_or_default())
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.call("GET", path, &json!({})).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        self.call("POST", path, &body).await
    }

    /// Does something that succeeds.
    pub(crate) async fn act(&self, path: &str) -> Value {
        let (status, answer) = self.post(path, json!({})).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    /// The status of a call that fails, which says why.
    pub(crate) async fn refused(&self, path: &str, body: Value) -> u16 {
        let (status, answer) = self.post(path, body).await;
        let reason = answer["error"].as_str().unwrap_or_default();
        assert!(!reason.is_empty(), "{path}: {answer}");
        status
    }

    /// Opens a stream; without chunks, as HTTP/1.0 has it.
    pub(crate) async fn stream(&self, path: &str) -> (u16, LineStream) {
        let mut socket = TcpStream::connect(self.server).await.unwrap();
        let token = &self.token;
        let head = format!("GET /api{path} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut lines = BufReader::new(socket).lines();
        let first = within(lines.next_line()).await.unwrap().unwrap();
        let status = first.split(' ').nth(1).unwrap().parse().unwrap();
        while within(lines.next_line()).await.unwrap().unwrap() != "" {}
        (status, LineStream(lines))
    }

    pub(crate) async fn events(&self) -> LineStream {
        let (status, stream) = self.stream("/stream/event").await;
        assert_eq!(status, 200);
        stream
    }

    pub(crate) async fn game(&self, id: &str) -> LineStream {
        let (status, stream) = self.stream(&format!("/bot/game/stream/{id}")).await;
        assert_eq!(status, 200);
        stream
    }
}

impl LineStream {
    /// The next line that is not empty; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            let line = within(self.0.next_line()).await.unwrap()?;
            if !line.is_empty() {
                return Some(serde_json::from_str(&line).unwrap());
            }
        }
    }

    /// Whether the stream ends, with or without an error, and without another line.
    pub(crate) async fn is_broken(&mut self) -> bool {
        match within(self.0.next_line()).await {
            Ok(Some(line)) => line.is_empty(),
            Ok(None) | Err(_) => true,
        }
    }

    pub(crate) async fn expect(&mut self, kind: &str) -> Value {
        let line = self.next().await.expect("a line");
        assert_eq!(line["type"], kind, "{line}");
        line
    }

    /// The state with this number of moves.
    pub(crate) async fn wait_for_move(&mut self, count: usize) -> Value {
        loop {
            let line = self.next().await.expect("a line");
            let state = line.get("state").unwrap_or(&line);
            let moves = state["moves"].as_str().unwrap_or_default();
            if moves.split_whitespace().count() == count {
                return state.clone();
            }
        }
    }
}

/// Starts a game in which the first bot has White; its id.
pub(crate) async fn challenge(white: &Bot, black: &Bot, body: Value) -> String {
    let mut events = black.events().await;
    let (status, challenge) = white.post("/challenge/owl%5Bbot%5D", body).await;
    assert_eq!(status, 200, "{challenge}");
    let id = challenge["id"].as_str().unwrap().to_owned();
    let event = events.expect("challenge").await;
    assert_eq!(event["challenge"]["id"], id.as_str());
    black.act(&format!("/challenge/{id}/accept")).await;
    assert_eq!(
        events.expect("gameStart").await["game"]["gameId"],
        id.as_str()
    );
    id
}

pub(crate) fn white() -> Value {
    json!({"color": "white", "clock.limit": 300, "clock.increment": 3})
}
