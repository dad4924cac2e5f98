//! Searching many positions with several threads, and means of what is found.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use checkers_engine::Stop;
use checkers_lib::{DrawRules, Game, Move, Position};
use indicatif::ProgressBar;

use super::Contender;
use crate::failure::LabFailure;
use crate::player::{ScoredBot, SearchResult};

/// How to search.
pub(super) struct RegretMeasure {
    pub(super) threads: usize,
    pub(super) stop: Stop,
}

impl RegretMeasure {
    /// What each item comes to, in their order. Each thread makes a worker.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn map<T: Sync, W, R: Send>(
        &self,
        items: &[T],
        make: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &T) -> R + Sync,
    ) -> Result<Vec<R>, LabFailure> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::with_capacity(items.len()));
        // Drawn on a terminal only.
        let bar = ProgressBar::new(items.len() as u64);
        thread::scope(|scope| {
            for _ in 0..self.threads.min(items.len()) {
                scope.spawn(|| {
                    let mut worker = make();
                    while !self.stop.is_set() {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(item) = items.get(at) else { return };
                        let result = work(&mut worker, item);
                        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                        done.push((at, result));
                        bar.inc(1);
                    }
                });
            }
        });
        bar.finish_and_clear();
        if self.stop.is_set() {
            return Err(LabFailure::Interrupted);
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }

    /// The moves that a bot chooses.
    ///
    /// # Errors
    /// When stopped.
    pub(super) fn choices(
        &self,
        positions: &[Position],
        contender: &Contender,
    ) -> Result<Vec<Option<Move>>, LabFailure> {
        let make = || contender.factory.make(&self.stop);
        self.map(positions, make, |player, position| {
            search(player, position, contender).best
        })
    }
}

/// Searches a position as in a new game.
pub(super) fn search(
    player: &mut ScoredBot,
    position: &Position,
    contender: &Contender,
) -> SearchResult {
    player.new_game(0);
    let game = Game::from_position(position.clone(), DrawRules::Fmjd64);
    player.search(&game, contender.effort)
}

/// The mean of losses, in 100 moves, with half of its 95 % interval.
pub(super) fn per_100_moves(losses: &[f64]) -> String {
    let count = losses.len() as f64;
    let mean = losses.iter().sum::<f64>() / count;
    let variance =
        losses.iter().map(|loss| (loss - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let error = 1.96 * (variance / count).sqrt();
    format!("{:.2} ± {:.2}", 100.0 * mean, 100.0 * error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let measure = RegretMeasure {
            threads: 3,
            stop: Stop::default(),
        };
        let items: Vec<u64> = (0..100).collect();
        let doubled = measure.map(&items, || (), |(), item| item * 2).unwrap();
        assert_eq!(
            doubled,
            items.iter().map(|item| item * 2).collect::<Vec<_>>()
        );
        measure.stop.stop();
        assert!(measure.map(&items, || (), |(), item| *item).is_err());
    }

    #[test]
    fn a_mean_has_its_error() {
        assert_eq!(per_100_moves(&[0.0, 0.0, 0.5, 0.5]), "25.00 ± 28.29");
        assert_eq!(per_100_moves(&[0.5]), "50.00 ± 0.00");
    }
}
