//! One game that many watch.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::sync::Notify;
use tokio::task::JoinSet;

use crate::AnyError;
use crate::client::Client;
use crate::games::Games;
use crate::play::{AT_ONCE, Pair, is_of_type};
use crate::subject::{Kind, Subject};

/// What the spectators got.
pub(crate) struct Watched {
    time: Duration,
    /// The processor time of the subject.
    cpu: Duration,
    /// Moves times spectators.
    deliveries: u64,
}

impl Watched {
    pub(crate) fn rate(&self) -> f64 {
        self.deliveries as f64 / self.time.as_secs_f64()
    }

    /// In microseconds.
    pub(crate) fn cpu_per_delivery(&self) -> f64 {
        self.cpu.as_secs_f64() * 1e6 / self.deliveries as f64
    }
}

/// The moves that all spectators together have got.
#[derive(Default)]
struct Count {
    deliveries: AtomicU64,
    /// When somebody is to be told.
    goal: AtomicU64,
    reached: Notify,
}

impl Count {
    fn add_one(&self) {
        if self.deliveries.fetch_add(1, Relaxed) + 1 == self.goal.load(Relaxed) {
            self.reached.notify_one();
        }
    }

    /// Waits until there are so many.
    async fn reach(&self, goal: u64) {
        self.goal.store(goal, Relaxed);
        while self.deliveries.load(Relaxed) < goal {
            self.reached.notified().await;
        }
    }
}

/// Plays on for some time, each move when all spectators have got the one before.
pub(crate) async fn watch(
    subject: &Subject,
    games: &Games,
    spectators: usize,
    time: Duration,
) -> Result<Watched, AnyError> {
    let mut pair = Pair::seat(subject.kind, subject.address, "game".into()).await?;
    let count = Arc::new(Count::default());
    let mut watching = come_in(subject, &pair.table, spectators, &count).await?;
    let mut measured = None;
    let mut moves = 0;
    'playing: for game in games.from(0) {
        pair.begin().await?;
        for ply in 0..game.len() {
            pair.make_move(&game, ply).await?;
            moves += 1;
            tokio::select! {
                () = count.reach(moves * spectators as u64) => {}
                Some(gone) = watching.join_next() => return Err(gone?),
            }
            // The first moves are not measured.
            let &mut (begin, cpu, first) =
                measured.get_or_insert((Instant::now(), subject.cpu_time()?, moves));
            if begin.elapsed() >= time {
                measured = Some((begin, cpu, first));
                break 'playing;
            }
        }
    }
    let (begin, cpu, first) = measured.ok_or("nothing was played")?;
    Ok(Watched {
        time: begin.elapsed(),
        cpu: subject.cpu_time()? - cpu,
        deliveries: (moves - first) * spectators as u64,
    })
}

/// Lets spectators in. Each is a task that ends only if something is wrong, with what is.
async fn come_in(
    subject: &Subject,
    table: &str,
    spectators: usize,
    count: &Arc<Count>,
) -> Result<JoinSet<AnyError>, AnyError> {
    let clients: Vec<Client> = stream::iter(0..spectators)
        .map(|number| spectator(subject, table, number))
        .buffered(AT_ONCE)
        .try_collect()
        .await?;
    let mut watching = JoinSet::new();
    for client in clients {
        watching.spawn(count_moves(client, subject.kind, Arc::clone(count)));
    }
    Ok(watching)
}

async fn spectator(subject: &Subject, table: &str, number: usize) -> Result<Client, AnyError> {
    let mut client = Client::connect(subject.address).await?;
    if subject.kind.is_relay() {
        client.enter(table).await?;
    } else {
        let table = format!(r#""table":"{table}""#);
        client.join(&format!("s{number}"), &table).await?;
    }
    Ok(client)
}

async fn count_moves(mut client: Client, kind: Kind, count: Arc<Count>) -> AnyError {
    loop {
        let moved = client
            .wait_for(|text| kind.is_relay() || is_of_type(text, "moved"))
            .await;
        match moved {
            Ok(_) => count.add_one(),
            Err(error) => return error,
        }
    }
}
