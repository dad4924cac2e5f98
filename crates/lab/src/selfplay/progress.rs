//! Telling how far the games are.

use std::time::{Duration, Instant};

use crate::dataset::Block;
use crate::failure::talk;

/// How often a line is written.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A line from time to time on standard error.
pub(super) struct SelfPlayProgress {
    begin: Instant,
    last_line: Instant,
    /// How many blocks are to be played now.
    blocks: usize,
    /// How many of them are.
    done: usize,
    /// Of those that are played now.
    games: u64,
    positions: usize,
    /// Of those that were there before.
    old: (u64, usize),
}

impl SelfPlayProgress {
    pub(super) fn new(blocks: usize, known: &[Block]) -> SelfPlayProgress {
        let games = known.iter().map(|block| u64::from(block.games)).sum();
        let positions = known.iter().map(|block| block.samples.len()).sum();
        if games > 0 {
            talk(&format!(
                "going on after {games} games, {positions} positions"
            ));
        }
        SelfPlayProgress {
            begin: Instant::now(),
            last_line: Instant::now(),
            blocks,
            done: 0,
            games: 0,
            positions: 0,
            old: (games, positions),
        }
    }

    /// Shows that a block is written.
    pub(super) fn show(&mut self, block: &Block) {
        self.done += 1;
        self.games += u64::from(block.games);
        self.positions += block.samples.len();
        if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            let left = self.seconds() * (self.blocks - self.done) as f64 / self.done as f64;
            talk(&format!("{}, about {left:.0} s left", self.line()));
        }
    }

    /// Sums up.
    pub(super) fn finish(&self) {
        talk(&self.line());
    }

    fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    fn line(&self) -> String {
        let (old_games, old_positions) = self.old;
        let seconds = self.seconds().max(1e-3);
        format!(
            "{} games, {} positions; {:.1} games/s, {:.0} positions/s",
            old_games + self.games,
            old_positions + self.positions,
            self.games as f64 / seconds,
            self.positions as f64 / seconds,
        )
    }
}
