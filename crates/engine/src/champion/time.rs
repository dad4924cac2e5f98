//! When to stop deepening.

use std::time::Duration;

use checkers_lib::Move;

use super::params::PARAMS;
use super::question::Variation;
use crate::clock::Instant;
use crate::{Limits, Ponder, Score};

/// Decides after each iteration whether another is begun.
///
/// On a clock none is begun once a part of the time aimed at is over, because an iteration takes
/// longer than all before it. The part grows while the best move changes and when the score falls:
/// then there is something to find out. A time per move is used up, except for a move to play that is the only one.
///
/// CITE: R. M. Hyatt, "Using Time Wisely", ICCA Journal 7(1), 1984.
pub(super) struct Pace {
    begin: Instant,
    ponder: Option<Ponder>,
    /// What is aimed at on a clock.
    target: Option<Duration>,
    /// Whether the only move ends the search.
    takes_only_move: bool,
    best: Option<Move>,
    score: Score,
    /// How often the best move changed, older changes counting half as much with each iteration.
    changes: f64,
}

impl Pace {
    pub(super) fn new(limits: &Limits, is_to_play: bool) -> Pace {
        let is_timed = limits.most_time().is_some();
        Pace {
            begin: Instant::now(),
            ponder: limits.ponder.clone(),
            target: limits.clock.and(limits.target_time()),
            takes_only_move: limits.clock.is_some() || (is_to_play && is_timed),
            best: None,
            score: Score::ZERO,
            changes: 0.0,
        }
    }

    /// The time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Whether to search deeper after an iteration found this line, one of `choices` moves.
    pub(super) fn goes_on(&mut self, line: &Variation, choices: usize) -> bool {
        let best = line.pv.first().copied();
        let is_change = self.best.is_some() && self.best != best;
        let falls = self.score.value().saturating_sub(line.score.value());
        self.changes = self.changes / 2.0 + f64::from(u8::from(is_change));
        self.best = best;
        self.score = line.score;
        let turn = match &self.ponder {
            None => Some(self.begin),
            Some(ponder) => ponder.turn(),
        };
        let Some(turn) = turn else {
            return true;
        };
        if self.takes_only_move && choices < 2 {
            return false;
        }
        let Some(target) = self.target else {
            return true;
        };
        let mut part = PARAMS.time_part + PARAMS.time_part_of_change * self.changes;
        if falls > PARAMS.time_fall {
            part += PARAMS.time_part_of_fall;
        }
        turn.elapsed() < target.mul_f64(part)
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::Position;

    use super::*;
    use crate::Clock;

    fn line(place: usize, score: i32) -> Variation {
        Variation {
            score: Score::new(score),
            pv: vec![Position::start().legal_moves()[place]],
        }
    }

    fn pace(remaining: Duration, spent: Duration) -> Pace {
        let clock = Clock {
            remaining,
            increment: Duration::ZERO,
        };
        let limits = Limits {
            clock: Some(clock),
            ..Limits::default()
        };
        let mut pace = Pace::new(&limits, true);
        pace.begin = Instant::now().checked_sub(spent).unwrap();
        pace
    }

    #[test]
    fn a_best_move_that_changes_gets_more_time() {
        // Aims at 100 s and has taken 60.
        let begin = || pace(Duration::from_secs(3000), Duration::from_secs(60));
        let mut settled = begin();
        assert!(!settled.goes_on(&line(0, 5), 7));
        let mut unsettled = begin();
        unsettled.goes_on(&line(0, 5), 7);
        assert!(unsettled.goes_on(&line(1, 5), 7));
        let mut falling = begin();
        falling.goes_on(&line(0, 200), 7);
        assert!(falling.goes_on(&line(0, 5), 7));
    }

    #[test]
    fn without_a_choice_there_is_nothing_to_think_about() {
        let hour = Duration::from_secs(3600);
        assert!(!pace(hour, Duration::ZERO).goes_on(&line(0, 0), 1));
        assert!(pace(hour, Duration::ZERO).goes_on(&line(0, 0), 2));
        let movetime = Limits {
            movetime: Some(hour),
            ..Limits::default()
        };
        assert!(!Pace::new(&movetime, true).goes_on(&line(0, 0), 1));
        assert!(Pace::new(&movetime, false).goes_on(&line(0, 0), 1));
        let nodes = Limits {
            nodes: Some(9),
            ..Limits::default()
        };
        assert!(Pace::new(&nodes, true).goes_on(&line(0, 0), 1));
    }

    #[test]
    fn time_per_move_and_the_opponents_time_are_used_up() {
        let movetime = Limits {
            movetime: Some(Duration::ZERO),
            ..Limits::default()
        };
        assert!(Pace::new(&movetime, true).goes_on(&line(0, 0), 2));
        let ponder = Ponder::default();
        let clock = Clock {
            remaining: Duration::ZERO,
            increment: Duration::ZERO,
        };
        let limits = Limits {
            clock: Some(clock),
            ponder: Some(ponder.clone()),
            ..Limits::default()
        };
        let mut pace = Pace::new(&limits, true);
        assert!(pace.goes_on(&line(0, 0), 2));
        ponder.hit();
        assert!(!pace.goes_on(&line(0, 0), 2));
    }
}
