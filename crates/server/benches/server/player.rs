//! The players and spectators of a measurement: a task each, which ends only with an error.

use std::convert::Infallible;
use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::sleep;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::AnyError;
use crate::client::{Heard, LoadClient};
use crate::games::RecordedGames;
use crate::subject::SubjectKind;

/// What all clients of a measurement share.
#[derive(Default)]
pub(crate) struct SharedLoad {
    /// Whether latencies count.
    pub(crate) is_measuring: AtomicBool,
    /// Whether the players make no more moves.
    pub(crate) is_over: AtomicBool,
    /// Moves sent.
    pub(crate) moves: AtomicU64,
    /// Moves that all spectators together have received.
    pub(crate) deliveries: AtomicU64,
}

impl SharedLoad {
    /// Notes how long the last move of a pair took to reach the opponent.
    pub(crate) fn note_latency(&self, timing: &Mutex<Timing>) {
        if self.is_measuring.load(Relaxed) {
            let mut timing = lock(timing);
            let latency = timing.sent.elapsed();
            timing.latencies.push(latency);
        }
    }
}

/// When the last move of a pair was sent, and how long the measured ones took to reach the opponent.
pub(crate) struct Timing {
    pub(crate) sent: Instant,
    pub(crate) latencies: Vec<Duration>,
}

impl Timing {
    pub(crate) fn new() -> Arc<Mutex<Timing>> {
        Arc::new(Mutex::new(Timing {
            sent: Instant::now(),
            latencies: Vec::new(),
        }))
    }
}

pub(crate) fn lock(timing: &Mutex<Timing>) -> MutexGuard<'_, Timing> {
    timing.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One of the two seats of a pair, which plays one game after the other.
pub(crate) struct Seat {
    /// 0 for White, 1 for Black: the parity of its plies.
    pub(crate) color: usize,
    pub(crate) games: RecordedGames,
    /// The game that is played.
    pub(crate) number: usize,
    /// How long the player thinks before each move.
    pub(crate) think: Duration,
    pub(crate) timing: Arc<Mutex<Timing>>,
    pub(crate) shared: Arc<SharedLoad>,
}

impl Seat {
    /// Thinks, and returns the message of the move; never, once the measurement is over.
    pub(crate) async fn choose(&self, ply: usize) -> Result<Utf8Bytes, AnyError> {
        if !self.think.is_zero() {
            sleep(self.think).await;
        }
        if self.shared.is_over.load(Relaxed) {
            return pending().await;
        }
        let game = self.games.game(self.number);
        let text = game.get(ply).ok_or("the game goes on after its end")?;
        Ok(text.clone())
    }

    /// Notes that a move is sent now.
    pub(crate) fn note_sent(&self) {
        lock(&self.timing).sent = Instant::now();
        self.shared.moves.fetch_add(1, Relaxed);
    }

    /// Notes how long the opponent's move took to arrive.
    pub(crate) fn note_latency(&self) {
        self.shared.note_latency(&self.timing);
    }
}

/// A player with a connection of its own.
pub(crate) struct LoadPlayer {
    pub(crate) kind: SubjectKind,
    pub(crate) client: LoadClient,
    pub(crate) seat: Seat,
}

impl LoadPlayer {
    /// Begins after a delay.
    pub(crate) async fn play(mut self, delay: Duration) -> Result<Infallible, AnyError> {
        sleep(delay).await;
        match self.kind {
            SubjectKind::Relay if self.seat.color == 0 => self.make_move(0).await?,
            SubjectKind::Relay => {}
            _ => self.take_seat().await?,
        }
        loop {
            let text = self.client.hear().await?;
            let heard = Heard::read(&text)?;
            if heard.moved().is_some_and(|ply| ply % 2 != self.seat.color) {
                self.seat.note_latency();
            }
            if let Some(ply) = self.own_turn(&heard) {
                self.make_move(ply).await?;
            }
            if heard.kind == "game_over" {
                self.seat.number += 1;
                self.take_seat().await?;
            }
        }
    }

    async fn take_seat(&mut self) -> Result<(), AnyError> {
        let color = ["white", "black"][self.seat.color];
        let text = format!(r#"{{"type":"take_seat","color":"{color}"}}"#);
        self.client.send(text).await
    }

    /// The ply that the player is to play now, if it is. The relay does not say; there, the next
    /// game begins after the last move.
    fn own_turn(&mut self, heard: &Heard<'_>) -> Option<usize> {
        if self.kind != SubjectKind::Relay {
            return heard.ply.filter(|_| heard.kind == "your_turn");
        }
        let mut ply = heard.moved()? + 1;
        if ply == self.seat.games.game(self.seat.number).len() {
            self.seat.number += 1;
            ply = 0;
        }
        (ply % 2 == self.seat.color).then_some(ply)
    }

    async fn make_move(&mut self, ply: usize) -> Result<(), AnyError> {
        let text = self.seat.choose(ply).await?;
        self.seat.note_sent();
        self.client.send(text).await
    }
}

/// Reads everything, and counts the moves.
pub(crate) async fn watch(
    mut client: LoadClient,
    shared: Arc<SharedLoad>,
) -> Result<Infallible, AnyError> {
    loop {
        let text = client.hear().await?;
        if Heard::read(&text)?.moved().is_some() {
            shared.deliveries.fetch_add(1, Relaxed);
        }
    }
}
