//! One piece's captures, walked depth first.

use super::Board;
use crate::geometry::{Direction, Jump, jump, look, ray, slide, step};
use crate::{Bitboard, Move, MoveList, Square};

/// A piece taken in hand to capture.
pub(super) struct Walk<'a> {
    from: Square,
    theirs: Bitboard,
    /// Captured pieces stay until the move is over and block; the starting square is empty.
    occupied: Bitboard,
    last_row: Bitboard,
    promotes: bool,
    moves: &'a mut MoveList,
}

impl Walk<'_> {
    #[inline]
    pub(super) fn new<'a>(board: &Board, from: Square, moves: &'a mut MoveList) -> Walk<'a> {
        Walk {
            from,
            theirs: board.theirs,
            occupied: board.occupied() - from.into(),
            last_row: board.last_row(),
            promotes: false,
            moves,
        }
    }

    /// Goes on as a man that came to `at` along `heading`, and ends there if nothing follows.
    pub(super) fn man(&mut self, at: Square, captured: Bitboard, heading: Direction) {
        if self.last_row.contains(at) {
            return self.promote(at, captured, heading);
        }
        let mut goes_on = false;
        for direction in Direction::ALL {
            let Jump { victim, landing } = jump(at, direction);
            if (victim & (self.theirs - captured)).is_empty() {
                continue;
            }
            let Some(to) = landing.filter(|&to| !self.occupied.contains(to)) else {
                continue;
            };
            goes_on = true;
            self.man(to, captured | victim, direction);
        }
        if !goes_on {
            self.end(at, captured);
        }
    }

    /// 1.5.15: a king there and then, and goes on as one.
    fn promote(&mut self, at: Square, captured: Bitboard, heading: Direction) {
        self.promotes = true;
        if !self.king(at, captured, Some(heading)) {
            self.end(at, captured);
        }
        self.promotes = false;
    }

    /// Goes on as a king that came to `at` along `heading`; returns whether that was possible.
    pub(super) fn king(
        &mut self,
        at: Square,
        captured: Bitboard,
        heading: Option<Direction>,
    ) -> bool {
        let mut goes_on = false;
        for direction in Direction::ALL {
            // The way back ends at the piece just captured.
            if heading.is_some_and(|heading| heading.opposite() == direction) {
                continue;
            }
            goes_on |= self.king_jump(at, captured, direction);
        }
        goes_on
    }

    /// Captures the first piece along `direction` if the rules allow it.
    fn king_jump(&mut self, at: Square, captured: Bitboard, direction: Direction) -> bool {
        let Some(victim) = look(at, direction, self.occupied).blocker else {
            return false;
        };
        if !(self.theirs - captured).contains(victim) {
            return false;
        }
        let beyond = look(victim, direction, self.occupied);
        let landings = beyond.open;
        if landings.is_empty() {
            return false;
        }
        let captured = captured | victim.into();
        let victims = self.theirs - captured;
        // Going on along the same line is the same from every landing square.
        let mut goes_on = beyond.blocker.is_some_and(|next| victims.contains(next))
            && self.king_jump(victim, captured, direction);
        let [left, right] = turns(direction);
        let is_beside = |victim: Square| {
            let beside = ray(victim, left) | ray(victim, right);
            !(beside & landings).is_empty()
        };
        if victims.into_iter().any(is_beside) {
            let may_turn_left = self.may_jump(landings, victims, left);
            let may_turn_right = self.may_jump(landings, victims, right);
            if may_turn_left || may_turn_right {
                for to in landings {
                    goes_on |= may_turn_left && self.king_jump(to, captured, left);
                    goes_on |= may_turn_right && self.king_jump(to, captured, right);
                }
            }
        }
        // The king must land where it can go on, if there is such a square.
        if !goes_on {
            for to in landings {
                self.end(to, captured);
            }
        }
        true
    }

    /// Whether a king on one of the squares captures one of `victims` along `direction`, all of them
    /// at once.
    #[inline]
    fn may_jump(&self, squares: Bitboard, victims: Bitboard, direction: Direction) -> bool {
        let empty = !self.occupied;
        let open = victims & step(empty, direction.opposite());
        if open.is_empty() {
            return false;
        }
        let before = squares | slide(squares, direction, empty);
        !(step(before, direction) & open).is_empty()
    }

    /// Records the end of a capture, unless another route had the same effect.
    #[inline]
    fn end(&mut self, to: Square, captured: Bitboard) {
        let m = Move::new(self.from, to, self.promotes, captured);
        // One piece is captured by one route.
        if captured.0.is_power_of_two() || !self.moves.contains(&m) {
            self.moves.push(m);
        }
    }
}

/// The two directions at right angles to this one.
#[inline]
const fn turns(direction: Direction) -> [Direction; 2] {
    match direction {
        Direction::UpLeft | Direction::DownRight => [Direction::UpRight, Direction::DownLeft],
        Direction::UpRight | Direction::DownLeft => [Direction::UpLeft, Direction::DownRight],
    }
}
