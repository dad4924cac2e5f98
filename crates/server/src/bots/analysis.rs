//! Position analysis: scores and best moves, for people who review games.
//!
//! A position is searched without its game, so that the result depends on the position alone and
//! can be cached.

mod search;

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use checkers_engine::{Score, Stop};
use checkers_lib::{Move, Position};
use tokio::sync::{OnceCell, oneshot};

use super::pool::BotPool;

pub(super) use search::{AnalysisJob, AnalysisQueue};

/// The most concurrent analyses of one address.
const MAX_PER_ADDRESS: usize = 2;
/// The number of cached results, a few hundred bytes each.
const MAX_CACHED: usize = 4096;

/// The limits of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AnalysisRequest {
    /// The time limit.
    pub(crate) time: Duration,
    /// The depth limit, in plies.
    pub(crate) depth: u32,
    /// The number of best moves to return, 1 or more.
    pub(crate) lines: usize,
}

/// A move and its principal variation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnalysisLine {
    /// The score, from the perspective of the side to move.
    pub(crate) score: Score,
    /// The move and the best continuation.
    pub(crate) moves: Vec<Move>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// Why a position was not analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum AnalysisError {
    /// The queue is full.
    #[error("too many positions wait to be analysed")]
    Queue,
    /// The address has too many analyses under way.
    #[error("{MAX_PER_ADDRESS} analyses are under way for this address")]
    Address,
    /// The server is shutting down, or the search has failed.
    #[error("the analysis was broken off")]
    Aborted,
}

/// AnalysisQueue positions and caches the results.
#[derive(Clone)]
pub(crate) struct Analyst(Arc<AnalystInner>);

struct AnalystInner {
    pool: BotPool,
    cache: Mutex<AnalysisCache>,
    under_way: Mutex<HashMap<IpAddr, usize>>,
}

/// The result, best moves first. Concurrent requests for it wait for one search.
type CachedAnalysis = Arc<OnceCell<Arc<Vec<AnalysisLine>>>>;

#[derive(Default)]
struct AnalysisCache {
    answers: HashMap<(Position, AnalysisRequest), CachedAnalysis>,
    /// The keys in order of insertion.
    order: VecDeque<(Position, AnalysisRequest)>,
}

/// An analysis counted for an address until it is dropped.
struct AnalysisPermit<'a> {
    analyst: &'a AnalystInner,
    address: IpAddr,
}

impl Analyst {
    pub(super) fn new(pool: BotPool) -> Analyst {
        Analyst(Arc::new(AnalystInner {
            pool,
            cache: Mutex::default(),
            under_way: Mutex::default(),
        }))
    }

    /// The maximum time and depth of a search.
    pub(crate) fn max_limits(&self) -> (Duration, u32) {
        let limits = self.0.pool.limits();
        (limits.time, limits.depth)
    }

    /// The best moves of a position; empty if there is no legal move. The request counts for
    /// `address`, if given.
    ///
    /// # Errors
    /// [`AnalysisError`].
    pub(crate) async fn analyse(
        &self,
        position: &Position,
        request: AnalysisRequest,
        address: Option<IpAddr>,
    ) -> Result<Arc<Vec<AnalysisLine>>, AnalysisError> {
        let answer = lock(&self.0.cache).answer(position, request);
        if let Some(lines) = answer.get() {
            return Ok(Arc::clone(lines));
        }
        let _permit = address.map(|address| self.0.acquire(address)).transpose()?;
        let lines = answer
            .get_or_try_init(|| self.search(position, request))
            .await?;
        Ok(Arc::clone(lines))
    }

    /// Searches, and restarts when the search is stopped for a bot: a partial result is useless.
    async fn search(
        &self,
        position: &Position,
        request: AnalysisRequest,
    ) -> Result<Arc<Vec<AnalysisLine>>, AnalysisError> {
        let since = Instant::now();
        loop {
            if let Some(lines) = self.search_once(position, request, since).await? {
                return Ok(Arc::new(lines));
            }
        }
    }

    /// The lines; `None` if a bot needed the thread.
    async fn search_once(
        &self,
        position: &Position,
        request: AnalysisRequest,
        since: Instant,
    ) -> Result<Option<Vec<AnalysisLine>>, AnalysisError> {
        let (answer, searched) = oneshot::channel();
        let stop = Stop::default();
        let _stopped = StopOnDrop(stop.clone());
        let job = AnalysisJob {
            position: position.clone(),
            request,
            since,
            stop,
            answer,
        };
        self.0
            .pool
            .analyse(job)
            .map_err(|_job| AnalysisError::Queue)?;
        searched.await.map_err(|_closed| AnalysisError::Aborted)
    }
}

impl std::fmt::Debug for Analyst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyst").finish_non_exhaustive()
    }
}

impl AnalystInner {
    fn acquire(&self, address: IpAddr) -> Result<AnalysisPermit<'_>, AnalysisError> {
        let mut under_way = lock(&self.under_way);
        let count = under_way.entry(address).or_default();
        if *count >= MAX_PER_ADDRESS {
            return Err(AnalysisError::Address);
        }
        *count += 1;
        Ok(AnalysisPermit {
            analyst: self,
            address,
        })
    }
}

impl Drop for AnalysisPermit<'_> {
    fn drop(&mut self) {
        let mut under_way = lock(&self.analyst.under_way);
        if let Some(count) = under_way.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                under_way.remove(&self.address);
            }
        }
    }
}

impl AnalysisCache {
    /// The cached result, or a new entry for it.
    fn answer(&mut self, position: &Position, request: AnalysisRequest) -> CachedAnalysis {
        let key = (position.clone(), request);
        if let Some(answer) = self.answers.get(&key) {
            return Arc::clone(answer);
        }
        if self.order.len() >= MAX_CACHED
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
        self.order.push_back(key.clone());
        let answer = CachedAnalysis::default();
        self.answers.insert(key, Arc::clone(&answer));
        answer
    }
}

/// Stops a search when its requester is gone.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A panic cannot leave the data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::BotLimits;
    use crate::bots::pool::BotTurn;
    use crate::metrics::BotMetrics;
    use checkers_lib::{DrawRules, Game, TimeControl};

    fn analyst() -> Analyst {
        Analyst::new(pool(1, Duration::from_secs(3600)))
    }

    /// A pool with one thread.
    fn pool(seats: usize, time: Duration) -> BotPool {
        let limits = BotLimits {
            threads: 1,
            seats,
            depth: 64,
            time,
            memory: 64,
        };
        BotPool::start(limits, BotMetrics::default()).unwrap()
    }

    fn turn(control: Option<&str>) -> BotTurn {
        let control = control.map(|control| control.parse::<TimeControl>().unwrap());
        BotTurn {
            game: Game::new(DrawRules::Fmjd64),
            clock: control.map(Into::into),
            since: Instant::now(),
            seed: 0,
        }
    }

    fn request(depth: u32, lines: usize) -> AnalysisRequest {
        AnalysisRequest {
            time: Duration::from_secs(600),
            depth,
            lines,
        }
    }

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    #[tokio::test]
    async fn the_best_move_comes_first_and_the_others_follow() {
        // d4-e5 loses a man, the other moves do not.
        let here = position("W:Wd4,a1:Bf6,h8");
        let lines = analyst().analyse(&here, request(6, 9), None).await.unwrap();
        assert_eq!(lines.len(), here.legal_moves().len());
        assert!(lines.is_sorted_by(|one, other| one.score >= other.score));
        let given_away = here.parse_move("d4-e5").unwrap();
        assert_eq!(lines.last().unwrap().moves[0], given_away);
        let two = analyst().analyse(&here, request(6, 2), None).await.unwrap();
        assert_eq!(two[..], lines[..2]);
    }

    #[tokio::test]
    async fn a_lost_position_has_no_line() {
        let lost = position("W:Wa1:Bb2,c3");
        let lines = analyst().analyse(&lost, request(4, 3), None).await.unwrap();
        assert!(lines.is_empty());
    }

    #[tokio::test]
    async fn cached_results_are_reused() {
        let analyst = analyst();
        let start = Position::start();
        let first = analyst.analyse(&start, request(3, 1), None).await.unwrap();
        let again = analyst.analyse(&start, request(3, 1), None).await.unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        let deeper = analyst.analyse(&start, request(4, 1), None).await.unwrap();
        assert!(!Arc::ptr_eq(&first, &deeper));
    }

    #[tokio::test]
    async fn an_analysis_restarts_after_a_bot_needed_its_thread() {
        let analyst = analyst();
        let started = analyst.0.pool.seat("random".parse().unwrap()).unwrap();
        // The first search loads the engine's data.
        let start = Position::start();
        analyst.analyse(&start, request(1, 1), None).await.unwrap();
        // It takes about a second.
        let long = request(28, 1);
        let asker = analyst.clone();
        let analysis = tokio::spawn(async move { asker.analyse(&start, long, None).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(started.think(turn(Some("10"))).await.is_some());
        assert!(!analysis.is_finished(), "the bot has not waited for it");
        let lines = analysis.await.unwrap().unwrap();
        assert_eq!(lines[0].depth, long.depth, "it has begun again");
    }

    #[tokio::test]
    async fn an_analysis_runs_while_bots_keep_searching() {
        let pool = pool(3, Duration::from_millis(300));
        let bots = ["minimax:depth=30"; 3].map(|spec| pool.seat(spec.parse().unwrap()).unwrap());
        for bot in bots {
            let mut thinking = bot.think(turn(None));
            tokio::spawn(async move {
                while (&mut thinking).await.is_some() {
                    thinking = bot.think(turn(None));
                }
            });
        }
        let (answer, searched) = oneshot::channel();
        let job = AnalysisJob {
            position: Position::start(),
            request: request(64, 1),
            since: Instant::now().checked_sub(search::MAX_WAIT).unwrap(),
            stop: Stop::default(),
            answer,
        };
        pool.analyse(job).ok().unwrap();
        assert_eq!(searched.await.unwrap().map(|lines| lines.len()), Some(1));
    }

    #[tokio::test]
    async fn an_address_is_limited_to_two_analyses() {
        let analyst = analyst();
        let anna: IpAddr = "192.0.2.1".parse().unwrap();
        let _both = [anna, anna].map(|address| analyst.0.acquire(address).ok().unwrap());
        let refused = analyst
            .analyse(&Position::start(), request(2, 1), Some(anna))
            .await;
        assert_eq!(refused, Err(AnalysisError::Address));
    }

    #[test]
    fn old_results_are_evicted() {
        let mut cache = AnalysisCache::default();
        let start = Position::start();
        let first = cache.answer(&start, request(1, 1));
        for lines in 0..MAX_CACHED {
            cache.answer(&start, request(2, lines + 1));
        }
        assert_eq!(cache.answers.len(), MAX_CACHED);
        assert!(!Arc::ptr_eq(&first, &cache.answer(&start, request(1, 1))));
    }
}
