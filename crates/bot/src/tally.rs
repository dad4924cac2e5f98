//! Sums over moves and games.

use std::fmt;
use std::time::Duration;

use checkers_lib::Color;
use checkers_lib::protocol::GameResult;

use crate::report::Report;

/// The times of some moves.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Times {
    moves: u32,
    total: Duration,
    max: Duration,
}

impl Times {
    /// Counts one more move.
    pub(crate) fn add(&mut self, time: Duration) {
        self.moves += 1;
        self.total += time;
        self.max = self.max.max(time);
    }

    fn merge(&mut self, other: Times) {
        self.moves += other.moves;
        self.total += other.total;
        self.max = self.max.max(other.max);
    }

    pub(crate) fn moves(&self) -> u32 {
        self.moves
    }

    /// The mean in microseconds; 0 without a move.
    pub(crate) fn mean_us(&self) -> u64 {
        micros(self.total.checked_div(self.moves).unwrap_or_default())
    }

    /// The maximum in microseconds; 0 without a move.
    pub(crate) fn max_us(&self) -> u64 {
        micros(self.max)
    }
}

/// A duration in whole microseconds.
pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A result in one player's eyes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GameVerdict {
    Won,
    Lost,
    Drawn,
    Interrupted,
}

impl GameVerdict {
    /// What `result` means for the player of `color`.
    pub(crate) fn of(result: GameResult, color: Color) -> GameVerdict {
        match result {
            GameResult::WhiteWon if color == Color::White => GameVerdict::Won,
            GameResult::BlackWon if color == Color::Black => GameVerdict::Won,
            GameResult::WhiteWon | GameResult::BlackWon => GameVerdict::Lost,
            GameResult::Draw => GameVerdict::Drawn,
            GameResult::Interrupted => GameVerdict::Interrupted,
        }
    }
}

impl fmt::Display for GameVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameVerdict::Won => "won",
            GameVerdict::Lost => "lost",
            GameVerdict::Drawn => "drawn",
            GameVerdict::Interrupted => "interrupted",
        })
    }
}

/// The games of a run.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RunTally {
    games: u32,
    wins: u32,
    losses: u32,
    draws: u32,
    interrupted: u32,
    times: Times,
}

impl RunTally {
    /// How many games are over.
    pub(crate) fn games(&self) -> u32 {
        self.games
    }

    /// Counts a game that was played as `color`.
    pub(crate) fn add(&mut self, color: Color, result: GameResult, times: Times) {
        self.games += 1;
        self.times.merge(times);
        let count = match GameVerdict::of(result, color) {
            GameVerdict::Won => &mut self.wins,
            GameVerdict::Lost => &mut self.losses,
            GameVerdict::Drawn => &mut self.draws,
            GameVerdict::Interrupted => &mut self.interrupted,
        };
        *count += 1;
    }

    /// The last report of a run.
    pub(crate) fn done(&self) -> Report {
        Report::Done {
            games: self.games,
            wins: self.wins,
            losses: self.losses,
            draws: self.draws,
            interrupted: self.interrupted,
            mean_us: self.times.mean_us(),
            max_us: self.times.max_us(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(micros: &[u64]) -> Times {
        let mut times = Times::default();
        for &time in micros {
            times.add(Duration::from_micros(time));
        }
        times
    }

    #[test]
    fn no_moves_take_no_time() {
        assert_eq!((times(&[]).mean_us(), times(&[]).max_us()), (0, 0));
    }

    #[test]
    fn a_run_is_summed_up_over_moves_not_games() {
        let mut tally = RunTally::default();
        tally.add(Color::White, GameResult::WhiteWon, times(&[10, 20, 30]));
        tally.add(Color::Black, GameResult::WhiteWon, times(&[100]));
        tally.add(Color::White, GameResult::Draw, times(&[]));
        tally.add(Color::White, GameResult::Interrupted, times(&[]));
        let done = Report::Done {
            games: 4,
            wins: 1,
            losses: 1,
            draws: 1,
            interrupted: 1,
            mean_us: 40,
            max_us: 100,
        };
        assert_eq!(tally.done(), done);
    }
}
