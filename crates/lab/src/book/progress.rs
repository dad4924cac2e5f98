//! Telling how far a book is.

use std::time::{Duration, Instant};

use crate::failure::talk;

/// How often a line is written.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A line from time to time on standard error.
pub(super) struct BookProgress {
    begin: Instant,
    last_line: Instant,
    /// How many positions there are to be.
    positions: usize,
    /// How many were searched now.
    searched: usize,
}

impl BookProgress {
    /// For a book of `positions`, of which `known` were searched before.
    pub(super) fn new(positions: usize, known: usize) -> BookProgress {
        if known > 0 {
            talk(&format!("going on after {known} positions"));
        }
        BookProgress {
            begin: Instant::now(),
            last_line: Instant::now(),
            positions,
            searched: 0,
        }
    }

    /// Shows how many more positions were searched, and how many the book has.
    pub(super) fn show(&mut self, searched: usize, positions: usize) {
        self.searched += searched;
        if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            let left = self.positions.saturating_sub(positions) as f64 / self.speed();
            let left = humantime::format_duration(Duration::from_secs(left as u64));
            talk(&format!("{}, about {left} left", self.line(positions)));
        }
    }

    /// Sums up.
    pub(super) fn finish(&self, positions: usize) {
        talk(&self.line(positions));
    }

    /// In positions a second.
    fn speed(&self) -> f64 {
        (self.searched as f64 / self.begin.elapsed().as_secs_f64()).max(1e-3)
    }

    fn line(&self, positions: usize) -> String {
        let (wanted, searched, speed) = (self.positions, self.searched, self.speed());
        format!("{positions} of {wanted} positions; {searched} searched now, {speed:.1} a second")
    }
}
