//! A random mover, the yardstick.

use checkers_lib::Game;

use crate::clock::Instant;
use crate::random::{mix, scale};
use crate::{Bot, BotSpec, Choice, Limits, Score};

/// Plays every legal move with the same probability. The move depends on the seed, the number of
/// the game and the ply, so that a run can be repeated and its games still differ.
pub(crate) struct Random {
    spec: BotSpec,
    game: u64,
}

impl Random {
    pub(crate) fn new(spec: &BotSpec) -> Random {
        Random {
            spec: spec.clone(),
            game: 0,
        }
    }

    fn word(&self, ply: usize) -> u64 {
        mix(mix(mix(self.spec.options().seed) ^ self.game) ^ ply as u64)
    }
}

impl Bot for Random {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, number: u64) {
        self.game = number;
    }

    fn choose(&mut self, game: &Game, _limits: &Limits) -> Choice {
        let start = Instant::now();
        let moves = game.legal_moves();
        let Some(&m) = moves.get(scale(self.word(game.ply()), moves.len())) else {
            return Choice::none(game);
        };
        Choice {
            best: Some(m),
            score: Score::ZERO,
            depth: 0,
            nodes: 0,
            time: start.elapsed(),
            pv: vec![m],
            complete: true,
            from_book: false,
        }
    }
}
