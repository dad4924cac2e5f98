//! Many games at one time, each between two connections.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until};

use crate::client::Client;
use crate::games::{Frames, Games};
use crate::subject::{Kind, Subject};
use crate::{AnyError, process};

/// Connections that are made at one time.
pub(crate) const AT_ONCE: usize = 64;

/// How much is played.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    /// Games at one time.
    pub(crate) pairs: usize,
    /// Between two moves of a game; `None` is as fast as it goes.
    pub(crate) pace: Option<Duration>,
    /// Before the time that counts.
    pub(crate) warm_up: Duration,
    /// The time that counts.
    pub(crate) time: Duration,
}

/// What was played in the time that counts.
pub(crate) struct Played {
    time: Duration,
    /// The processor time of the subject.
    cpu: Duration,
    /// The processor time of this process.
    own_cpu: Duration,
    commits: u64,
    /// From a move's sending to the opponent's being asked for the next, in microseconds, sorted.
    latencies: Vec<u32>,
}

impl Played {
    pub(crate) fn rate(&self) -> f64 {
        self.latencies.len() as f64 / self.time.as_secs_f64()
    }

    /// In microseconds.
    pub(crate) fn cpu_per_move(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.latencies.len() as f64
    }

    pub(crate) fn busy_percent(&self) -> f64 {
        100.0 * self.cpu.as_secs_f64() / self.time.as_secs_f64()
    }

    pub(crate) fn own_busy_percent(&self) -> f64 {
        100.0 * self.own_cpu.as_secs_f64() / self.time.as_secs_f64()
    }

    pub(crate) fn commit_rate(&self) -> f64 {
        self.commits as f64 / self.time.as_secs_f64()
    }

    /// The latency that so many of a thousand moves do not exceed.
    pub(crate) fn quantile_ms(&self, per_mille: usize) -> f64 {
        let last = self.latencies.len().saturating_sub(1);
        let micros = self.latencies.get(last * per_mille / 1_000);
        micros.map_or(f64::NAN, |&micros| f64::from(micros) / 1e3)
    }
}

/// The span of time that counts.
#[derive(Clone, Copy)]
struct Window {
    begin: Instant,
    end: Instant,
}

/// Plays and measures.
pub(crate) async fn play(subject: &Subject, games: &Games, load: Load) -> Result<Played, AnyError> {
    let pairs = seat(subject, load.pairs).await?;
    let start = Instant::now();
    let begin = start + load.warm_up;
    let window = Window {
        begin,
        end: begin + load.time,
    };
    let mut playing = JoinSet::new();
    for (number, pair) in pairs.into_iter().enumerate() {
        // Games at a pace begin one after the other, not all at once, and long before what counts:
        // to begin one costs as much as many moves.
        let share = number as f64 / load.pairs as f64;
        let first = (load.pace).map(|_| start + (load.warm_up / 2).mul_f64(share));
        playing.spawn(pair.play(games.from(number), first.zip(load.pace), window));
    }
    sleep(begin.saturating_duration_since(Instant::now())).await;
    let before = Reading::of(subject).await?;
    sleep(window.end.saturating_duration_since(Instant::now())).await;
    let after = Reading::of(subject).await?;
    let mut latencies = Vec::new();
    while let Some(of_pair) = playing.join_next().await {
        latencies.append(&mut of_pair??);
    }
    latencies.sort_unstable();
    Ok(Played {
        time: after.at - before.at,
        cpu: after.cpu - before.cpu,
        own_cpu: after.own_cpu - before.own_cpu,
        commits: after.commits - before.commits,
        latencies,
    })
}

/// What the meters show at a moment.
struct Reading {
    at: Instant,
    cpu: Duration,
    own_cpu: Duration,
    commits: u64,
}

impl Reading {
    async fn of(subject: &Subject) -> Result<Reading, AnyError> {
        let (at, cpu) = (Instant::now(), subject.cpu_time()?);
        let own_cpu = process::cpu_time(std::process::id())?;
        let commits = match subject.kind {
            Kind::PowerLoss => subject.commits().await?,
            Kind::Relay | Kind::Crash => 0,
        };
        Ok(Reading {
            at,
            cpu,
            own_cpu,
            commits,
        })
    }
}

async fn seat(subject: &Subject, count: usize) -> Result<Vec<Pair>, AnyError> {
    let (kind, address) = (subject.kind, subject.address);
    stream::iter(0..count)
        .map(|number| Pair::seat(kind, address, number.to_string()))
        .buffered(AT_ONCE)
        .try_collect()
        .await
}

/// The two who play one game after the other.
pub(crate) struct Pair {
    kind: Kind,
    white: Client,
    black: Client,
    /// Where they play.
    pub(crate) table: String,
}

impl Pair {
    /// Brings two clients together at a table of their own.
    pub(crate) async fn seat(
        kind: Kind,
        address: SocketAddr,
        name: String,
    ) -> Result<Pair, AnyError> {
        let mut white = Client::connect(address).await?;
        let mut black = Client::connect(address).await?;
        let table = if kind.is_relay() {
            for client in [&mut white, &mut black] {
                client.enter(&name).await?;
            }
            name
        } else {
            white.join(&format!("w{name}"), r#""lobby":true"#).await?;
            let table = white.create_table().await?;
            // As the page does where somebody plays.
            white.say(r#"{"type":"unsubscribe_lobby"}"#).await?;
            black
                .join(&format!("b{name}"), &format!(r#""table":"{table}""#))
                .await?;
            table
        };
        Ok(Pair {
            kind,
            white,
            black,
            table,
        })
    }

    /// Plays until the time is over. Returns how long the moves took that were made in the time
    /// that counts.
    async fn play(
        mut self,
        games: impl Iterator<Item = Frames>,
        pace: Option<(Instant, Duration)>,
        window: Window,
    ) -> Result<Vec<u32>, AnyError> {
        let (mut due, pace) = pace.unzip();
        let mut latencies = Vec::new();
        if let Some(first) = due {
            sleep_until(first.into()).await;
        }
        for game in games {
            self.begin().await?;
            for ply in 0..game.len() {
                if let (Some(due), Some(pace)) = (&mut due, pace) {
                    sleep_until((*due).into()).await;
                    *due += pace;
                }
                let sent = Instant::now();
                self.make_move(&game, ply).await?;
                let made = Instant::now();
                if made >= window.end {
                    return Ok(latencies);
                }
                if made >= window.begin {
                    let micros = made.duration_since(sent).as_micros();
                    latencies.push(u32::try_from(micros).unwrap_or(u32::MAX));
                }
            }
        }
        Ok(latencies)
    }

    /// Begins a game. The relay does not know of games.
    pub(crate) async fn begin(&mut self) -> Result<(), AnyError> {
        if self.kind.is_relay() {
            return Ok(());
        }
        self.white.take_seat("white").await?;
        self.black.take_seat("black").await?;
        self.white.wait_for(|text| asks_for(text, 0)).await?;
        Ok(())
    }

    /// Makes the move of a ply, and waits until the opponent knows of it: is asked for the next one,
    /// or told of the end.
    pub(crate) async fn make_move(&mut self, game: &Frames, ply: usize) -> Result<(), AnyError> {
        let (mover, opponent) = match ply % 2 {
            0 => (&mut self.white, &mut self.black),
            _ => (&mut self.black, &mut self.white),
        };
        mover.send(&game[ply]).await?;
        let is_last = ply + 1 == game.len();
        match (self.kind, is_last) {
            (Kind::Relay, _) => opponent.wait_for(|_| true).await?,
            (_, false) => opponent.wait_for(|text| asks_for(text, ply + 1)).await?,
            (_, true) => {
                opponent
                    .wait_for(|text| is_of_type(text, "game_over"))
                    .await?
            }
        };
        if is_last && !self.kind.is_relay() {
            mover.wait_for(|text| is_of_type(text, "game_over")).await?;
        }
        Ok(())
    }
}

impl Client {
    /// Comes in, with more fields than the name. Does not want lists of legal moves.
    pub(crate) async fn join(&mut self, name: &str, fields: &str) -> Result<(), AnyError> {
        let join = format!(r#"{{"type":"join","name":"{name}","moves":false,{fields}}}"#);
        self.say(&join).await?;
        self.wait_for(|text| is_of_type(text, "joined")).await?;
        Ok(())
    }

    async fn create_table(&mut self) -> Result<String, AnyError> {
        self.say(r#"{"type":"create_table","visibility":"link"}"#)
            .await?;
        let created = self
            .wait_for(|text| is_of_type(text, "table_created"))
            .await?;
        let created: serde_json::Value = serde_json::from_slice(created)?;
        let table = created["table"].as_str().ok_or("a table without a name")?;
        Ok(table.to_owned())
    }

    async fn take_seat(&mut self, color: &str) -> Result<(), AnyError> {
        let text = format!(r#"{{"type":"take_seat","color":"{color}"}}"#);
        Ok(self.say(&text).await?)
    }
}

/// Whether a message is of this type.
pub(crate) fn is_of_type(text: &[u8], name: &str) -> bool {
    let rest = text.strip_prefix(br#"{"type":""#);
    let rest = rest.and_then(|rest| rest.strip_prefix(name.as_bytes()));
    rest.is_some_and(|rest| rest.starts_with(b"\""))
}

/// Whether a message asks for the move of this ply: what was sent before has been judged.
fn asks_for(text: &[u8], ply: usize) -> bool {
    let wanted = format!(r#""ply":{ply},"#);
    is_of_type(text, "your_turn")
        && text
            .windows(wanted.len())
            .any(|part| part == wanted.as_bytes())
}
