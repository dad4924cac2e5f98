//! What the store can take: games that append a move at a time, with both durabilities. As in the
//! server, a few shards own the games, and each appends the moves of all its games as one batch and waits
//! until that is durable.
//!
//! In `saturated`, each game has its next move ready at once; in `paced`, each game plays one move a
//! second. The processor time of a move is printed with both. `archive` asks for pages of 10,000 finished games, half of them of
//! one player. The file is made in the directory `STORE_BENCH_DIR`, or in the
//! system's for temporary files; on a memory disk `power-loss` measures nothing. Words on the command
//! line, such as `crash paced`, pick what is measured.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use event_store::{
    Append, Archive, ArchiveFilter, Durability, EventLog, NewEvent, Seq, SqliteStore, Store,
    StoreConfig, StoreStats, StreamId, Summary, UnixMillis,
};
use tokio::task::JoinSet;
use tokio::time::sleep_until;

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// About what a move with its clocks takes.
const PAYLOAD: &[u8] = br#"{"ply":37,"path":["c3","e5","g7"],"captured":["d4","f6"],"clocks":{"white":178123,"black":164907},"took":2317,"id":"d1f0a7"}"#;

fn main() -> Result<(), AnyError> {
    // Run as a test, it is only to be seen to work.
    let is_bench = std::env::args().any(|argument| argument == "--bench");
    let time = Duration::from_secs(if is_bench { 5 } else { 1 });
    for durability in [Durability::PowerLoss, Durability::Crash] {
        for games in [1, 100, 1_000] {
            measure(
                durability,
                Load {
                    games,
                    time,
                    pace: None,
                },
            )?;
        }
        let pace = Some(Duration::from_secs(1));
        let games = 1_000;
        measure(durability, Load { games, time, pace })?;
    }
    measure_archive()
}

/// Whether the command line asks for all of this.
fn is_wanted(names: &[&str]) -> bool {
    let mut words = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'));
    words.all(|word| names.contains(&word.as_str()))
}

/// Finished games in the archive.
const FINISHED: u32 = 10_000;

fn measure_archive() -> Result<(), AnyError> {
    if !is_wanted(&["archive"]) {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let directory = tempfile::tempdir()?;
    let config = StoreConfig::new(directory.path()).durability(Durability::Crash);
    runtime.block_on(async {
        let store = SqliteStore::open(config)?;
        let mut batch = Vec::new();
        for game in 0..FINISHED {
            let event = NewEvent::new(UnixMillis::now(), "over", PAYLOAD);
            let append = Append::new(format!("done/{game}").parse()?, Seq::NONE, vec![event]);
            batch.push(append.closing(finished(game)));
            if game % 100 == 99 {
                store.append(std::mem::take(&mut batch)).await?;
            }
        }
        ask_archive(&store).await?;
        store.close().await;
        Ok(())
    })
}

/// A game of about 60 plies.
fn finished(game: u32) -> Summary {
    Summary {
        finished_at: UnixMillis(i64::from(game) * 60_000),
        result: ["white_won", "black_won", "draw"][game as usize % 3].into(),
        reason: ["resignation", "time", "no_moves"][game as usize / 3 % 3].into(),
        clock: ["none", "1m+1s", "5m+3s"][game as usize / 9 % 3].into(),
        plies: 20 + game % 100,
        white: Some(if game.is_multiple_of(2) {
            "anna".into()
        } else {
            format!("player {}", game % 500)
        }),
        black: Some(format!("player {}", game % 499)),
        white_bot: None,
        black_bot: game
            .is_multiple_of(5)
            .then(|| format!("level {}", game % 10 + 1)),
        document: PAYLOAD.repeat(8),
        rated: 0,
        event: None,
        gave_up: None,
    }
}

async fn ask_archive(store: &SqliteStore) -> Result<(), AnyError> {
    let all = ArchiveFilter::default;
    let anna = || ArchiveFilter {
        player: Some("anna".into()),
        ..all()
    };
    let nothing = Some(1);
    for (name, filter) in [
        ("the latest games", all()),
        (
            "none of all",
            ArchiveFilter {
                max_plies: nothing,
                ..all()
            },
        ),
        (
            "none of a result",
            ArchiveFilter {
                max_plies: nothing,
                result: Some("draw".into()),
                ..all()
            },
        ),
        ("a player's games", anna()),
        (
            "none of a player",
            ArchiveFilter {
                max_plies: nothing,
                ..anna()
            },
        ),
        (
            "none of a level",
            ArchiveFilter {
                max_plies: nothing,
                bot: Some("level 1".into()),
                ..all()
            },
        ),
    ] {
        let (began, repeats) = (Instant::now(), 20);
        for _ in 0..repeats {
            store.games(filter.clone(), None, 50).await?;
            store.count(filter.clone(), FINISHED).await?;
        }
        tell_archive(name, began.elapsed() / repeats)?;
    }
    let began = Instant::now();
    let count = store.played("anna".into()).await?.len();
    assert_eq!(count, FINISHED as usize / 2);
    tell_archive("all of a player's games", began.elapsed())
}

fn tell_archive(name: &str, took: Duration) -> Result<(), AnyError> {
    writeln!(
        io::stdout(),
        "archive    {FINISHED} games, {name}: {took:.1?}"
    )?;
    Ok(())
}

/// How much is asked of the store.
#[derive(Clone, Copy)]
struct Load {
    games: u32,
    time: Duration,
    /// Between two moves of a game; `None` is as fast as it goes.
    pace: Option<Duration>,
}

impl Load {
    fn name(&self) -> &'static str {
        match self.pace {
            Some(_) => "paced",
            None => "saturated",
        }
    }

    /// Whether the command line wants it.
    fn is_wanted(&self, durability: Durability) -> bool {
        is_wanted(&[durability.name(), self.name()])
    }
}

fn measure(durability: Durability, load: Load) -> Result<(), AnyError> {
    if !load.is_wanted(durability) {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let directory = match std::env::var_os("STORE_BENCH_DIR") {
        Some(parent) => tempfile::tempdir_in(parent)?,
        None => tempfile::tempdir()?,
    };
    let config = StoreConfig::new(directory.path()).durability(durability);
    let store = {
        // Where the server opens it too.
        let _entered = runtime.enter();
        SqliteStore::open(config)?
    };
    let (cpu, began) = (cpu_time()?, Instant::now());
    let store = std::sync::Arc::new(store);
    let mut latencies = runtime.block_on(play(&store, load))?;
    let (took, cpu) = (began.elapsed(), cpu_time()?.saturating_sub(cpu));
    latencies.sort_unstable();
    let stats = store.stats();
    let size = fs::metadata(directory.path().join("checkers.db-wal"))?.len();
    report(durability, load, &stats, &latencies, took, cpu, size)?;
    runtime.block_on(store.close());
    Ok(())
}

/// As many as a server has on two cores.
const SHARDS: u32 = 4;

async fn play(store: &std::sync::Arc<SqliteStore>, load: Load) -> Result<Vec<Duration>, AnyError> {
    let (mut shards, begin) = (JoinSet::new(), Instant::now());
    for shard in 0..SHARDS.min(load.games) {
        let games = (shard..load.games).step_by(SHARDS as usize).collect();
        shards.spawn(play_games(std::sync::Arc::clone(store), games, load, begin));
    }
    let mut latencies = Vec::new();
    while let Some(shard) = shards.join_next().await {
        latencies.append(&mut shard??);
    }
    Ok(latencies)
}

/// Events of a game, after which its place is taken by the next game.
const EVENTS: u32 = 70;

/// A game of a shard.
struct BenchGame {
    number: u32,
    stream: StreamId,
    last: Seq,
    next_move: Instant,
}

impl BenchGame {
    fn append(&self) -> Append {
        let event = NewEvent::new(UnixMillis::now(), "moved", PAYLOAD);
        let append = Append::new(self.stream.clone(), self.last, vec![event]);
        if self.last.next() == Seq(EVENTS) {
            append.discarding()
        } else {
            append
        }
    }

    /// Counts an event that is durable.
    fn appended(&mut self, last: Seq, games: u32) -> Result<(), AnyError> {
        self.last = last;
        if last == Seq(EVENTS) {
            self.number += games;
            self.stream = format!("game/{}", self.number).parse()?;
            self.last = Seq::NONE;
        }
        Ok(())
    }
}

/// Plays these games until the time is over. Returns how long each move took to be durable.
async fn play_games(
    store: std::sync::Arc<SqliteStore>,
    games: Vec<u32>,
    load: Load,
    begin: Instant,
) -> Result<Vec<Duration>, AnyError> {
    let mut latencies = Vec::new();
    let mut shard = Vec::new();
    for game in games {
        shard.push(BenchGame {
            number: game,
            stream: format!("game/{game}").parse()?,
            last: Seq::NONE,
            // Games begin one after the other, not all at once.
            next_move: begin + load.pace.unwrap_or_default() * game / load.games,
        });
    }
    while begin.elapsed() < load.time {
        let next = shard.iter().map(|game| game.next_move).min();
        sleep_until(next.unwrap_or(begin).into()).await;
        let now = Instant::now();
        let mut due: Vec<&mut BenchGame> = shard
            .iter_mut()
            .filter(|game| game.next_move <= now)
            .collect();
        let batch = due.iter().map(|game| game.append()).collect();
        let outcomes = store.append(batch).await?;
        for (game, outcome) in due.iter_mut().zip(outcomes) {
            game.appended(outcome?, load.games)?;
            latencies.push(match load.pace {
                Some(pace) => {
                    let took = game.next_move.elapsed();
                    game.next_move += pace;
                    took
                }
                None => now.elapsed(),
            });
        }
    }
    Ok(latencies)
}

fn report(
    durability: Durability,
    load: Load,
    stats: &StoreStats,
    latencies: &[Duration],
    took: Duration,
    cpu: Duration,
    log_bytes: u64,
) -> io::Result<()> {
    let rate = |count: u64| count as f64 / took.as_secs_f64();
    let quantile = |per_mille: usize| latencies[(latencies.len() - 1) * per_mille / 1_000];
    writeln!(
        io::stdout(),
        "{durability:10} {:9} {:5} games: {:7.0} events/s {:6.0} commits/s, \
         {:5.1} µs CPU/event, p50 {:?} p99 {:?}, log {:.1} MiB",
        load.name(),
        load.games,
        rate(stats.events),
        rate(stats.commits),
        cpu.as_secs_f64() * 1e6 / stats.events as f64,
        quantile(500),
        quantile(990),
        log_bytes as f64 / f64::from(1 << 20),
    )
}

/// The processor time of this process so far.
fn cpu_time() -> Result<Duration, AnyError> {
    let stat = fs::read_to_string(Path::new("/proc/self/stat"))?;
    let (_, fields) = stat
        .rsplit_once(") ")
        .ok_or("no such line in /proc/self/stat")?;
    let ticks = fields
        .split(' ')
        .skip(11)
        .take(2)
        .map(str::parse::<u64>)
        .sum::<Result<u64, _>>()?;
    // Linux counts in hundredths of a second for programs, whatever the kernel does.
    Ok(Duration::from_millis(ticks * 10))
}
