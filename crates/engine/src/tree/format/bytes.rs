//! Moves and scores as bytes.

use checkers_lib::{Move, Position};

use crate::Score;
use crate::bytes::{Content, Writer};

impl Writer {
    /// The place of a move among the legal ones.
    pub(super) fn place(&mut self, position: &Position, m: Move) {
        let moves = position.legal_moves();
        let place = moves.iter().position(|&legal| legal == m);
        self.number(place.unwrap_or(moves.len()) as u64);
    }

    /// Their number, then the place of each.
    pub(super) fn moves(&mut self, start: &Position, moves: &[Move]) {
        self.number(moves.len() as u64);
        let mut position = start.clone();
        for &m in moves {
            self.place(&position, m);
            position.play_unchecked(m);
        }
    }
}

impl Content<'_> {
    pub(super) fn score(&mut self) -> Option<Score> {
        score(self.signed()?)
    }

    pub(super) fn place(&mut self, position: &Position) -> Option<Move> {
        let place = usize::try_from(self.number()?).ok()?;
        position.legal_moves().get(place).copied()
    }

    pub(super) fn moves(&mut self, start: &Position) -> Option<Vec<Move>> {
        let count = self.number()?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..count {
            let m = self.place(&position)?;
            position.play_unchecked(m);
            moves.push(m);
        }
        Some(moves)
    }
}

/// A score that a file may have.
pub(super) fn score(value: i64) -> Option<Score> {
    let most = i64::from(Score::WIN.value()) + 1;
    (-most..=most)
        .contains(&value)
        .then(|| Score::new(value as i32))
}
