//! The players and spectators of a measurement: a task each, which ends only with an error.

use std::convert::Infallible;
use std::future::pending;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::AnyError;
use crate::client::{Client, Heard};
use crate::games::Games;
use crate::subject::Kind;

/// What all clients of a measurement share.
#[derive(Default)]
pub(crate) struct Shared {
    /// Whether latencies count.
    pub(crate) is_measuring: AtomicBool,
    /// Whether the players make no more moves.
    pub(crate) is_over: AtomicBool,
    /// Moves sent.
    pub(crate) moves: AtomicU64,
    /// Moves that all spectators together have received.
    pub(crate) deliveries: AtomicU64,
}

impl Shared {
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

/// One of the two players of a pair, which plays one game after the other.
pub(crate) struct Player {
    pub(crate) kind: Kind,
    pub(crate) client: Client,
    /// 0 for White, 1 for Black: the parity of its plies.
    pub(crate) color: usize,
    pub(crate) games: Games,
    /// The game that is played.
    pub(crate) number: usize,
    /// How long it thinks before each move.
    pub(crate) think: Duration,
    pub(crate) timing: Arc<Mutex<Timing>>,
    pub(crate) shared: Arc<Shared>,
}

impl Player {
    /// Begins after a delay.
    pub(crate) async fn play(mut self, delay: Duration) -> Result<Infallible, AnyError> {
        sleep(delay).await;
        match self.kind {
            Kind::Relay if self.color == 0 => self.make_move(0).await?,
            Kind::Relay => {}
            _ => self.take_seat().await?,
        }
        loop {
            let text = self.client.hear().await?;
            let heard = Heard::read(&text)?;
            if heard.moved().is_some_and(|ply| ply % 2 != self.color) {
                self.shared.note_latency(&self.timing);
            }
            if let Some(ply) = self.own_turn(&heard) {
                self.make_move(ply).await?;
            }
            if heard.kind == "game_over" {
                self.number += 1;
                self.take_seat().await?;
            }
        }
    }

    async fn take_seat(&mut self) -> Result<(), AnyError> {
        let color = ["white", "black"][self.color];
        let text = format!(r#"{{"type":"take_seat","color":"{color}"}}"#);
        self.client.send(text).await
    }

    /// The ply that the player is to play now, if it is. The relay does not say; there, the next
    /// game begins after the last move.
    fn own_turn(&mut self, heard: &Heard<'_>) -> Option<usize> {
        if self.kind != Kind::Relay {
            return heard.ply.filter(|_| heard.kind == "your_turn");
        }
        let mut ply = heard.moved()? + 1;
        if ply == self.games.game(self.number).len() {
            self.number += 1;
            ply = 0;
        }
        (ply % 2 == self.color).then_some(ply)
    }

    async fn make_move(&mut self, ply: usize) -> Result<(), AnyError> {
        if !self.think.is_zero() {
            sleep(self.think).await;
        }
        if self.shared.is_over.load(Relaxed) {
            return pending().await;
        }
        let game = self.games.game(self.number);
        let text = game.get(ply).ok_or("the game goes on after its end")?;
        lock(&self.timing).sent = Instant::now();
        self.shared.moves.fetch_add(1, Relaxed);
        self.client.send(text.clone()).await
    }
}

/// Reads everything, and counts the moves.
pub(crate) async fn watch(mut client: Client, shared: Arc<Shared>) -> Result<Infallible, AnyError> {
    loop {
        let text = client.hear().await?;
        if Heard::read(&text)?.moved().is_some() {
            shared.deliveries.fetch_add(1, Relaxed);
        }
    }
}
