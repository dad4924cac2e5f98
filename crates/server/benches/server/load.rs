//! One measurement: a new subject, its clients, and the figures.

use std::convert::Infallible;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt, TryStreamExt};
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::AnyError;
use crate::client::LoadClient;
use crate::games::RecordedGames;
use crate::http_player::{HttpBot, HttpPlayer};
use crate::parts::Side;
use crate::player::{LoadPlayer, Seat, SharedLoad, Timing, lock, watch};
use crate::subject::{Subject, SubjectKind};

/// Connections that are opened at the same time.
const OPENED_TOGETHER: usize = 64;

/// Between the first moves and the measurement, in addition to the time in which the games begin.
const WARM_UP: Duration = Duration::from_secs(2);

/// How long the last moves may take to reach the spectators.
const DELIVERY: Duration = Duration::from_secs(10);

/// How long preparation and measurement may take together, in addition to the measured time.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the clients do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Load {
    /// Games that are played at the same time, each by two clients.
    pub(crate) games: usize,
    /// How long a player thinks before each move.
    pub(crate) think: Duration,
    /// Spectators of the first game.
    pub(crate) spectators: usize,
    /// Clients that have joined and do nothing.
    pub(crate) idle: usize,
}

impl Load {
    /// Games as fast as possible.
    pub(crate) fn games(games: usize) -> Load {
        Load {
            games,
            ..Load::default()
        }
    }

    pub(crate) fn connections(&self) -> usize {
        2 * self.games + self.spectators + self.idle
    }
}

/// The figures of one measurement.
pub(crate) struct Measured {
    /// Moves per second.
    pub(crate) rate: f64,
    /// Processor time of the subject per move, in µs.
    pub(crate) cpu_per_move: f64,
    /// The same of its database.
    pub(crate) database_cpu_per_move: f64,
    /// Processor time of the subject, in percent of one core.
    pub(crate) busy: f64,
    /// From the sending of a move to its arrival at the opponent, in ms: the median, and what 99 %
    /// of the moves do not exceed.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// Moves that did not reach a spectator, of all spectators together.
    pub(crate) missed: f64,
    /// Growth of the subject's memory per connection, in KiB.
    pub(crate) memory: f64,
}

type Clients = JoinSet<Result<Infallible, AnyError>>;

/// Measures one side of a comparison. Spectators and idle clients run on a runtime of their own.
pub(crate) async fn measure(
    side: &Side,
    seconds: f64,
    spectators: &Handle,
) -> Result<Measured, AnyError> {
    let time = Duration::from_secs_f64(seconds);
    timeout(PATIENCE + time, measure_for(side, time, spectators))
        .await
        .map_err(|_| "the measurement took too long")?
}

async fn measure_for(
    side: &Side,
    time: Duration,
    spectators: &Handle,
) -> Result<Measured, AnyError> {
    let subject = Arc::new(Subject::start(side)?);
    let memory_before = subject.memory()?;
    let shared = Arc::<SharedLoad>::default();
    let mut clients = JoinSet::new();
    let timings = connect(&subject, &side.load, &shared, &mut clients, spectators).await?;
    pass(WARM_UP + side.load.think, &mut clients).await?;

    let (begin, cpu_before) = (Instant::now(), subject.cpu_time()?);
    let database_before = subject.database_cpu_time()?;
    shared.is_measuring.store(true, Relaxed);
    pass(time, &mut clients).await?;
    shared.is_measuring.store(false, Relaxed);
    let (time, cpu) = (begin.elapsed(), subject.cpu_time()? - cpu_before);
    let database_cpu = subject.database_cpu_time()?.saturating_sub(database_before);
    let memory = subject.memory()? - memory_before;

    let missed = finish(&side.load, &shared, &mut clients).await?;
    let mut latencies = Vec::new();
    for timing in timings {
        latencies.append(&mut lock(&timing).latencies);
    }
    latencies.sort_unstable();
    let per_move = |cpu: Duration| cpu.as_secs_f64() * 1e6 / latencies.len() as f64;
    Ok(Measured {
        rate: latencies.len() as f64 / time.as_secs_f64(),
        cpu_per_move: per_move(cpu),
        database_cpu_per_move: per_move(database_cpu),
        busy: 100.0 * cpu.as_secs_f64() / time.as_secs_f64(),
        p50: quantile_ms(&latencies, 0.5),
        p99: quantile_ms(&latencies, 0.99),
        missed: missed as f64,
        memory: memory / side.load.connections() as f64,
    })
}

/// Connects all clients and starts them, the players last.
async fn connect(
    subject: &Arc<Subject>,
    load: &Load,
    shared: &Arc<SharedLoad>,
    clients: &mut Clients,
    spectators: &Handle,
) -> Result<Vec<Arc<Mutex<Timing>>>, AnyError> {
    if subject.kind == SubjectKind::ServerOverHttp {
        return connect_bots(subject, load, shared, clients).await;
    }
    let pairs: Vec<_> = stream::iter(0..load.games)
        .map(|number| seat(subject, number))
        .buffered(OPENED_TOGETHER)
        .try_collect()
        .await?;
    let table = pairs.first().map(|(_, table)| table.clone());
    let join = |number| {
        let (subject, table) = (Arc::clone(subject), table.clone());
        let name = format!("s{number}");
        spectators.spawn(async move { LoadClient::join(&subject, &name, table.as_deref()).await })
    };
    let mut joined = stream::iter(0..load.spectators + load.idle)
        .map(join)
        .buffered(OPENED_TOGETHER);
    while let Some(client) = joined.next().await {
        clients.spawn_on(watch(client??, Arc::clone(shared)), spectators);
    }
    let pairs = pairs.into_iter().map(|(pair, _)| pair).collect();
    let kind = subject.kind;
    start(pairs, load, shared, clients, |client, seat, delay| {
        let player = LoadPlayer { kind, client, seat };
        player.play(delay)
    })
}

/// Starts the players of all pairs, one pair after the other, so that the moves are spread over time.
fn start<C, F>(
    pairs: Vec<[C; 2]>,
    load: &Load,
    shared: &Arc<SharedLoad>,
    clients: &mut Clients,
    play: impl Fn(C, Seat, Duration) -> F,
) -> Result<Vec<Arc<Mutex<Timing>>>, AnyError>
where
    F: Future<Output = Result<Infallible, AnyError>> + Send + 'static,
{
    let games = RecordedGames::read()?;
    let mut timings = Vec::new();
    for (number, pair) in pairs.into_iter().enumerate() {
        let delay = load.think.mul_f64(number as f64 / load.games as f64);
        let timing = Timing::new();
        for (color, client) in pair.into_iter().enumerate() {
            let seat = Seat {
                color,
                games: games.clone(),
                number,
                think: load.think,
                timing: Arc::clone(&timing),
                shared: Arc::clone(shared),
            };
            clients.spawn(play(client, seat, delay));
        }
        timings.push(timing);
    }
    Ok(timings)
}

/// The same for bots that play over HTTP.
async fn connect_bots(
    subject: &Arc<Subject>,
    load: &Load,
    shared: &Arc<SharedLoad>,
    clients: &mut Clients,
) -> Result<Vec<Arc<Mutex<Timing>>>, AnyError> {
    let connect = async |number: usize| {
        let white = HttpBot::connect(subject, &format!("white{number}")).await?;
        let black = HttpBot::connect(subject, &format!("black{number}")).await?;
        Ok::<_, AnyError>([white, black])
    };
    let mut pairs = Vec::new();
    for number in 0..load.games {
        pairs.push(connect(number).await?);
    }
    start(pairs, load, shared, clients, |bot, seat, delay| {
        let player = HttpPlayer {
            bot,
            opponent: format!("black{}", seat.number),
            seat,
        };
        player.play(delay)
    })
}

/// Brings two clients to a table of their own. Returns its id too.
async fn seat(subject: &Subject, number: usize) -> Result<([LoadClient; 2], String), AnyError> {
    let (white, table) = LoadClient::open_table(subject, number).await?;
    let black = LoadClient::join(subject, &format!("b{number}"), Some(&table)).await?;
    Ok(([white, black], table))
}

/// Lets time pass, unless a client fails.
async fn pass(time: Duration, clients: &mut Clients) -> Result<(), AnyError> {
    tokio::select! {
        () = sleep(time) => Ok(()),
        Some(failed) = clients.join_next() => match failed? {
            Ok(never) => match never {},
            Err(error) => Err(format!("a client failed: {error}").into()),
        },
    }
}

/// Stops the players and waits until the spectators have received every move. Returns how many
/// deliveries are missing.
async fn finish(load: &Load, shared: &SharedLoad, clients: &mut Clients) -> Result<u64, AnyError> {
    shared.is_over.store(true, Relaxed);
    let end = Instant::now() + DELIVERY;
    loop {
        let expected = shared.moves.load(Relaxed) * load.spectators as u64;
        let missing = expected.saturating_sub(shared.deliveries.load(Relaxed));
        if missing == 0 || Instant::now() > end {
            return Ok(missing);
        }
        pass(Duration::from_millis(50), clients).await?;
    }
}

fn quantile_ms(sorted: &[Duration], quantile: f64) -> f64 {
    let last = sorted.len().saturating_sub(1) as f64;
    let latency = sorted.get((last * quantile).round() as usize);
    latency.map_or(f64::NAN, |latency| latency.as_secs_f64() * 1e3)
}
