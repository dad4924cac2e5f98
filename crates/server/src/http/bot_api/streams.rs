//! The open streams of a bot: one of events, and one for each game.

use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures::stream;
use hyper::header;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::http::with_header;

/// The most lines that wait for one stream. A stream that is full ends: its client reads too slowly, and gets the
/// whole state when it opens the stream again.
const MAX_LINES: usize = 64;

/// How long a stream may be silent. Then an empty line shows that it is alive.
const SILENCE: Duration = Duration::from_secs(6);

/// The lines of a stream.
pub(super) type LineReceiver = mpsc::Receiver<String>;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum StreamLine {
    Event(Value),
    /// For the stream of the game at this table.
    Game(String, Value),
    /// The stream of the game at this table ends.
    End(String),
}

/// The streams of a bot. Opening one again ends the earlier one.
#[derive(Debug, Default)]
pub(super) struct Streams {
    events: Option<mpsc::Sender<String>>,
    /// By table.
    games: HashMap<String, mpsc::Sender<String>>,
}

impl Streams {
    pub(super) fn open_events(&mut self, first: Vec<Value>) -> LineReceiver {
        let (sender, lines) = mpsc::channel(MAX_LINES.max(first.len()));
        for line in &first {
            // There is room for them.
            let _ = sender.try_send(line.to_string());
        }
        self.events = Some(sender);
        lines
    }

    /// Opens the stream of the game at a table; of a game that is over, only the first line.
    pub(super) fn open_game(&mut self, table: &str, first: &Value, is_over: bool) -> LineReceiver {
        let (sender, lines) = mpsc::channel(MAX_LINES);
        // There is room for it.
        let _ = sender.try_send(first.to_string());
        if !is_over {
            self.games.insert(table.to_owned(), sender);
        }
        lines
    }

    pub(super) fn write(&mut self, line: StreamLine) {
        match line {
            StreamLine::Event(event) => {
                let sent = |events: &mut mpsc::Sender<String>| events.try_send(event.to_string());
                if self
                    .events
                    .as_mut()
                    .is_some_and(|events| sent(events).is_err())
                {
                    self.events = None;
                }
            }
            StreamLine::Game(table, line) => {
                let game = self.games.get(&table);
                if game.is_some_and(|game| game.try_send(line.to_string()).is_err()) {
                    self.games.remove(&table);
                }
            }
            StreamLine::End(table) => {
                self.games.remove(&table);
            }
        }
    }

    /// Whether a client reads one of them. Forgets those whose clients are gone.
    pub(super) fn are_open(&mut self) -> bool {
        self.events = self.events.take().filter(|events| !events.is_closed());
        self.games.retain(|_, game| !game.is_closed());
        self.events.is_some() || !self.games.is_empty()
    }
}

/// The answer with these lines.
pub(super) fn answer(lines: LineReceiver) -> Response {
    let lines = stream::unfold(lines, |mut lines| async move {
        let line = match timeout(SILENCE, lines.recv()).await {
            Ok(Some(line)) => Bytes::from(line + "\n"),
            Ok(None) => return None,
            Err(_) => Bytes::from_static(b"\n"),
        };
        Some((Ok::<_, Infallible>(line), lines))
    });
    let answer = Response::new(Body::from_stream(lines));
    let answer = with_header(answer, header::CONTENT_TYPE, "application/x-ndjson");
    with_header(answer, header::CACHE_CONTROL, "no-store")
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;
    use serde_json::json;

    use super::*;

    async fn next(
        body: &mut (impl futures::Stream<Item = Result<Bytes, axum::Error>> + Unpin),
    ) -> Option<Bytes> {
        body.next().await.transpose().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_sends_empty_lines_until_it_ends() {
        let mut streams = Streams::default();
        let lines = streams.open_game("t", &json!({"type": "gameFull"}), false);
        let mut body = answer(lines).into_body().into_data_stream();
        assert_eq!(next(&mut body).await.unwrap(), "{\"type\":\"gameFull\"}\n");
        let began = tokio::time::Instant::now();
        assert_eq!(next(&mut body).await.unwrap(), "\n");
        assert_eq!(began.elapsed(), SILENCE);
        streams.write(StreamLine::Game("t".into(), json!({"type": "gameState"})));
        streams.write(StreamLine::End("t".into()));
        assert_eq!(next(&mut body).await.unwrap(), "{\"type\":\"gameState\"}\n");
        assert_eq!(next(&mut body).await, None);
    }

    #[tokio::test]
    async fn a_stream_that_is_not_read_ends_after_the_lines_that_wait() {
        let mut streams = Streams::default();
        let mut lines = streams.open_events(Vec::new());
        for number in 0..2 * MAX_LINES {
            streams.write(StreamLine::Event(json!(number)));
        }
        assert!(!streams.are_open());
        let mut count = 0;
        while lines.recv().await.is_some() {
            count += 1;
        }
        assert_eq!(count, MAX_LINES);
    }

    #[tokio::test]
    async fn a_second_stream_ends_the_first() {
        let mut streams = Streams::default();
        let mut first = streams.open_events(vec![json!(1)]);
        let mut second = streams.open_events(Vec::new());
        streams.write(StreamLine::Event(json!(2)));
        assert_eq!(first.recv().await.as_deref(), Some("1"));
        assert_eq!(first.recv().await, None);
        assert_eq!(second.recv().await.as_deref(), Some("2"));
        assert!(streams.are_open());
        drop(second);
        assert!(!streams.are_open());
    }
}
