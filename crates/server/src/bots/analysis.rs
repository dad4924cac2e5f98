//! What positions are worth, and which moves are best: for people who look back on a game.
//!
//! Every position is searched for itself, without the game before it, so that the answer depends on
//! the position alone and many who look at one game share its answers.

mod search;

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use checkers_engine::{Score, Stop};
use checkers_lib::{Move, Position};
use tokio::sync::{OnceCell, oneshot};

use super::pool::Pool;

pub(super) use search::{Analyses, AnalysisJob};

/// Analyses of one address at one time.
const MOST_OF_AN_ADDRESS: usize = 2;
/// Answers that are cached; a few hundred bytes each.
const MOST_KNOWN: usize = 4096;

/// How a position is to be analysed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct AnalysisRequest {
    /// How long the search may take.
    pub(crate) time: Duration,
    /// How many plies deep it may go.
    pub(crate) depth: u32,
    /// How many moves are to be told, the best first; 1 or more.
    pub(crate) lines: usize,
}

/// A move and what follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// What it is worth to the side to move.
    pub(crate) score: Score,
    /// The move and the best play after it.
    pub(crate) moves: Vec<Move>,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// Why there is no answer now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Busy {
    /// As many wait as may.
    #[error("too many positions wait to be analysed")]
    Queue,
    /// The address has as many under way as it may.
    #[error("{MOST_OF_AN_ADDRESS} analyses are under way for this address")]
    Address,
    /// The server goes down, or the search has failed.
    #[error("the analysis was broken off")]
    BrokenOff,
}

/// Analyses positions, and remembers the answers.
#[derive(Clone)]
pub(crate) struct Analyst(Arc<Inner>);

struct Inner {
    pool: Pool,
    known: Mutex<Known>,
    under_way: Mutex<HashMap<IpAddr, usize>>,
}

/// Every move that was asked for, the best first. Whoever asks while it is searched waits for it.
type Answer = Arc<OnceCell<Arc<Vec<Line>>>>;

#[derive(Default)]
struct Known {
    answers: HashMap<(Position, AnalysisRequest), Answer>,
    /// The keys in the order in which they came.
    order: VecDeque<(Position, AnalysisRequest)>,
}

/// The right of an address to an analysis; dropping it gives it back.
struct Turn<'a> {
    analyst: &'a Inner,
    address: IpAddr,
}

impl Analyst {
    pub(super) fn new(pool: Pool) -> Analyst {
        Analyst(Arc::new(Inner {
            pool,
            known: Mutex::default(),
            under_way: Mutex::default(),
        }))
    }

    /// The longest search and the deepest that there may be.
    pub(crate) fn most(&self) -> (Duration, u32) {
        let limits = self.0.pool.limits();
        (limits.time, limits.depth)
    }

    /// The best moves of a position for whom `address` is that of, `None` being nobody in particular;
    /// none if there is no legal move.
    ///
    /// # Errors
    /// [`Busy`].
    pub(crate) async fn analyse(
        &self,
        position: &Position,
        request: AnalysisRequest,
        address: Option<IpAddr>,
    ) -> Result<Arc<Vec<Line>>, Busy> {
        let answer = lock(&self.0.known).answer(position, request);
        if let Some(lines) = answer.get() {
            return Ok(Arc::clone(lines));
        }
        let _turn = address.map(|address| self.0.turn_of(address)).transpose()?;
        let lines = answer
            .get_or_try_init(|| self.search(position, request))
            .await?;
        Ok(Arc::clone(lines))
    }

    /// Begins again as often as it is broken off: half an analysis is none.
    async fn search(
        &self,
        position: &Position,
        request: AnalysisRequest,
    ) -> Result<Arc<Vec<Line>>, Busy> {
        let since = Instant::now();
        loop {
            if let Some(lines) = self.search_once(position, request, since).await? {
                return Ok(Arc::new(lines));
            }
        }
    }

    /// The lines, or `None` if a bot could not wait for the thread.
    async fn search_once(
        &self,
        position: &Position,
        request: AnalysisRequest,
        since: Instant,
    ) -> Result<Option<Vec<Line>>, Busy> {
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
        self.0.pool.analyse(job).map_err(|_job| Busy::Queue)?;
        searched.await.map_err(|_closed| Busy::BrokenOff)
    }
}

impl std::fmt::Debug for Analyst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyst").finish_non_exhaustive()
    }
}

impl Inner {
    fn turn_of(&self, address: IpAddr) -> Result<Turn<'_>, Busy> {
        let mut under_way = lock(&self.under_way);
        let count = under_way.entry(address).or_default();
        if *count >= MOST_OF_AN_ADDRESS {
            return Err(Busy::Address);
        }
        *count += 1;
        Ok(Turn {
            analyst: self,
            address,
        })
    }
}

impl Drop for Turn<'_> {
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

impl Known {
    /// The answer there is, or the place for it.
    fn answer(&mut self, position: &Position, request: AnalysisRequest) -> Answer {
        let key = (position.clone(), request);
        if let Some(answer) = self.answers.get(&key) {
            return Arc::clone(answer);
        }
        if self.order.len() >= MOST_KNOWN
            && let Some(oldest) = self.order.pop_front()
        {
            self.answers.remove(&oldest);
        }
        self.order.push_back(key.clone());
        let answer = Answer::default();
        self.answers.insert(key, Arc::clone(&answer));
        answer
    }
}

/// Ends a search nobody waits for any more.
struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// What somebody did who panicked while they had it was done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::BotLimits;
    use crate::bots::pool::Turn;
    use crate::metrics::BotMetrics;
    use checkers_lib::{DrawRules, Game, TimeControl};

    fn analyst() -> Analyst {
        Analyst::new(pool(1, Duration::from_secs(3600)))
    }

    /// One thread.
    fn pool(seats: usize, time: Duration) -> Pool {
        let limits = BotLimits {
            threads: 1,
            seats,
            depth: 64,
            time,
            memory: 64,
        };
        Pool::start(limits, BotMetrics::default()).unwrap()
    }

    fn turn(control: Option<&str>) -> Turn {
        let control = control.map(|control| control.parse::<TimeControl>().unwrap());
        Turn {
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
        // d4-e5 gives a man away for nothing, the others do not.
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
    async fn what_is_known_is_not_searched_again() {
        let analyst = analyst();
        let start = Position::start();
        let first = analyst.analyse(&start, request(3, 1), None).await.unwrap();
        let again = analyst.analyse(&start, request(3, 1), None).await.unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        let deeper = analyst.analyse(&start, request(4, 1), None).await.unwrap();
        assert!(!Arc::ptr_eq(&first, &deeper));
    }

    #[tokio::test]
    async fn what_a_bot_breaks_off_begins_again() {
        let analyst = analyst();
        let started = analyst.0.pool.seat("random".parse().unwrap()).unwrap();
        // Its time is short enough to come to an end, and too long for a bot in a hurry.
        let long = AnalysisRequest {
            time: Duration::from_secs(2),
            ..request(64, 1)
        };
        // What the first search of all reads is read.
        let start = Position::start();
        analyst.analyse(&start, request(1, 1), None).await.unwrap();
        let asker = analyst.clone();
        let analysis = tokio::spawn(async move { asker.analyse(&start, long, None).await });
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert!(started.think(turn(Some("10"))).await.is_some());
        assert!(!analysis.is_finished(), "the bot has not waited for it");
        let moved = Instant::now();
        assert_eq!(analysis.await.unwrap().unwrap().len(), 1);
        assert!(moved.elapsed() > long.time / 2, "it began again");
    }

    #[tokio::test]
    async fn bots_that_are_never_done_let_it_through() {
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
    async fn an_address_has_two_under_way() {
        let analyst = analyst();
        let anna: IpAddr = "192.0.2.1".parse().unwrap();
        let _both = [anna, anna].map(|address| analyst.0.turn_of(address).ok().unwrap());
        let refused = analyst
            .analyse(&Position::start(), request(2, 1), Some(anna))
            .await;
        assert_eq!(refused, Err(Busy::Address));
    }

    #[test]
    fn old_answers_make_room() {
        let mut known = Known::default();
        let start = Position::start();
        let first = known.answer(&start, request(1, 1));
        for lines in 0..MOST_KNOWN {
            known.answer(&start, request(2, lines + 1));
        }
        assert_eq!(known.answers.len(), MOST_KNOWN);
        assert!(!Arc::ptr_eq(&first, &known.answer(&start, request(1, 1))));
    }
}
