//! Analysis searches and their queue.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use checkers_engine::{Bot, BotSpec, Choice, Limits, Stop};
use checkers_lib::{DrawRules, Game, Move, Position};
use tokio::sync::oneshot;
use tracing::error;

use super::{AnalysisLine, AnalysisRequest};

/// The most analyses that wait for a thread.
const MAX_WAITING: usize = 32;
/// How long analyses wait for bots before one of them runs first.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(5);

/// A position that waits for a thread.
pub(in crate::bots) struct AnalysisJob {
    pub(super) position: Position,
    pub(super) request: AnalysisRequest,
    /// When it was requested.
    pub(super) since: Instant,
    pub(super) stop: Stop,
    /// Receives `None` if the search was stopped.
    pub(super) answer: oneshot::Sender<Option<Vec<AnalysisLine>>>,
}

impl AnalysisJob {
    /// Stops the search.
    pub(in crate::bots) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// The time limit.
    pub(in crate::bots) fn time(&self) -> Duration {
        self.request.time
    }

    /// Reduces the time limit to `time`.
    fn within(mut self, time: Duration) -> AnalysisJob {
        self.request.time = self.request.time.min(time);
        self
    }

    /// Searches, and answers unless the search fails.
    pub(in crate::bots) fn run(self) {
        let searched = catch_unwind(AssertUnwindSafe(|| {
            best_lines(&self.position, self.request, &self.stop)
        }));
        match searched {
            // The requester may be gone.
            Ok(lines) => drop(self.answer.send((!self.stop.is_set()).then_some(lines))),
            Err(_panic) => error!(fen = %self.position, "an analysis failed"),
        }
    }
}

/// The waiting analyses, and the number of running ones.
#[derive(Default)]
pub(in crate::bots) struct AnalysisQueue {
    /// In order of request.
    waiting: VecDeque<AnalysisJob>,
    running: usize,
    /// When an analysis last ran before waiting bots.
    last_overdue: Option<Instant>,
}

impl AnalysisQueue {
    pub(in crate::bots) fn push(&mut self, job: AnalysisJob) -> Result<(), AnalysisJob> {
        self.waiting.retain(|waiting| !waiting.stop.is_set());
        if self.waiting.len() >= MAX_WAITING {
            return Err(job);
        }
        // A stopped analysis returns to its old place.
        let index = self
            .waiting
            .partition_point(|other| other.since <= job.since);
        self.waiting.insert(index, job);
        Ok(())
    }

    /// The next analysis, if bots have used the threads for [`MAX_WAIT`] and none is running. It
    /// gets at most `time`.
    pub(in crate::bots) fn take_overdue(
        &mut self,
        time: Duration,
        now: Instant,
    ) -> Option<AnalysisJob> {
        let since = self.waiting.front()?.since;
        let since = self
            .last_overdue
            .map_or(since, |last_overdue| last_overdue.max(since));
        if now.saturating_duration_since(since) < MAX_WAIT {
            return None;
        }
        let job = self.take(1)?;
        self.last_overdue = Some(now);
        Some(job.within(time))
    }

    /// The next analysis, if fewer than `max` are running. It counts as running until
    /// [`AnalysisQueue::done`].
    pub(in crate::bots) fn take(&mut self, max: usize) -> Option<AnalysisJob> {
        if self.running >= max {
            return None;
        }
        loop {
            let job = self.waiting.pop_front()?;
            if !job.stop.is_set() {
                self.running += 1;
                return Some(job);
            }
        }
    }

    pub(in crate::bots) fn done(&mut self) {
        self.running -= 1;
    }

    pub(in crate::bots) fn clear(&mut self) {
        self.waiting.clear();
    }
}

/// Half of the time is for the best move, the other half for the other moves, if they are
/// requested.
fn best_lines(position: &Position, request: AnalysisRequest, stop: &Stop) -> Vec<AnalysisLine> {
    let mut bot = BotSpec::strongest().without_book().build();
    let game = Game::from_position(position.clone(), DrawRules::default());
    let moves = position.legal_moves();
    let others = if request.lines > 1 {
        moves.len().saturating_sub(1)
    } else {
        0
    };
    let limits = |time: Duration, depth: u32| Limits {
        depth: Some(depth.max(1)),
        movetime: Some(time),
        stop: stop.clone(),
        ..Limits::default()
    };
    let time = if others > 0 {
        request.time / 2
    } else {
        request.time
    };
    let best = bot.choose(&game, &limits(time, request.depth));
    let Some(first) = best.best else {
        return Vec::new();
    };
    let mut lines = vec![AnalysisLine::from(best)];
    if others > 0 {
        let share = request.time / 2 / u32::try_from(others).unwrap_or(u32::MAX);
        let rest = moves.iter().copied().filter(|&m| m != first);
        let searched = rest.filter_map(|m| {
            search_after(
                &mut *bot,
                &game,
                m,
                &limits(share, request.depth.saturating_sub(1)),
            )
        });
        // The best move was searched longest: no other move can have a higher score.
        let most = lines[0].score;
        lines.extend(searched.map(|line| AnalysisLine {
            score: line.score.min(most),
            ..line
        }));
        lines[1..].sort_by_key(|line| Reverse(line.score));
        lines.truncate(request.lines);
    }
    lines
}

/// The line of a move, from a search of the position after it.
fn search_after(bot: &mut dyn Bot, game: &Game, m: Move, limits: &Limits) -> Option<AnalysisLine> {
    let mut after = game.clone();
    after.play(m).ok()?;
    let reply = bot.choose(&after, limits);
    Some(AnalysisLine {
        score: reply.score.before_the_move(),
        moves: [m].into_iter().chain(reply.pv).collect(),
        depth: reply.depth + 1,
        nodes: reply.nodes,
    })
}

impl From<Choice> for AnalysisLine {
    fn from(choice: Choice) -> AnalysisLine {
        AnalysisLine {
            score: choice.score,
            moves: choice.pv,
            depth: choice.depth,
            nodes: choice.nodes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> AnalysisJob {
        AnalysisJob {
            position: Position::start(),
            request: AnalysisRequest {
                time: Duration::from_secs(600),
                depth: 2,
                lines: 1,
            },
            since: Instant::now(),
            stop: Stop::default(),
            answer: oneshot::channel().0,
        }
    }

    #[test]
    fn an_overdue_analysis_runs_once_then_bots_go_first() {
        let mut waiting = AnalysisQueue::default();
        let first = job();
        let begun = first.since;
        let after = |seconds| begun + Duration::from_secs(seconds);
        let time = Duration::from_millis(50);
        let later = AnalysisJob {
            since: after(1),
            ..job()
        };
        // In reverse order, as if the first one had been stopped.
        assert!(waiting.push(later).is_ok() && waiting.push(first).is_ok());
        assert!(waiting.take_overdue(time, after(4)).is_none());
        let taken = waiting.take_overdue(time, after(5)).unwrap();
        assert_eq!((taken.since, taken.time()), (begun, time));
        assert!(
            waiting.take_overdue(time, after(11)).is_none(),
            "one at a time"
        );
        waiting.done();
        assert!(
            waiting.take_overdue(time, after(9)).is_none(),
            "the bots' turn"
        );
        assert!(waiting.take_overdue(time, after(10)).is_some());
    }

    #[test]
    fn queue_and_running_analyses_are_bounded() {
        let mut waiting = AnalysisQueue::default();
        for _ in 0..MAX_WAITING {
            assert!(waiting.push(job()).is_ok());
        }
        assert!(waiting.push(job()).is_err());
        waiting.waiting[3].stop.stop();
        assert!(waiting.push(job()).is_ok(), "nobody waits for the fourth");
        assert!(waiting.take(1).is_some() && waiting.take(1).is_none());
        waiting.done();
        assert!(waiting.take(1).is_some());
    }
}
