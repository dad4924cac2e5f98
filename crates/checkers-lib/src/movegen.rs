//! The move generator: every legal move once, by its effect.
//!
//! Quiet moves and the usual short captures of men are found for all men at once with shifted
//! sets ([`Jumps`]); what is longer, and what kings capture, is walked piece by piece ([`Walk`]).
//! The article numbers are those of the federation's rules for draughts-64.
//!
//! [`Board`] is what it looks at. Whoever visits positions by the billion and has no use for keys
//! makes boards of his own.

mod jumps;
mod walk;

use crate::bitboard::len_of_both;
use crate::geometry::{Direction, Jump, jump, look, next, slide, step};
use crate::{Bitboard, Color, Move, MoveList, Position};
use jumps::{Jumps, Sets, total, union};
use walk::Walk;

/// Adds all legal moves of the side to move to an empty list.
#[inline]
pub(crate) fn legal_moves(position: &Position, moves: &mut MoveList) {
    let board = Board::new(position);
    board.captures(moves);
    if moves.is_empty() {
        board.quiet_moves(moves);
    }
}

/// As many as [`legal_moves`] has, most often without making one.
#[inline(always)] // A caller that only counts then never computes what nobody reads.
pub(crate) fn count_moves(position: &Position) -> usize {
    let board = Board::new(position);
    if !board.kings.is_empty() {
        return board.count_with_kings() as usize;
    }
    let jumps = Jumps::new(&board);
    if (board.men & jumps.starts()).is_empty() {
        let [left, right] = board.steps();
        return len_of_both(left, right) as usize;
    }
    let count = jumps.count(board.men, board.last_row());
    count.unwrap_or_else(|| board.count_one_by_one()) as usize
}

/// Whether the side to move has any move at all.
#[inline]
pub(crate) fn can_move(position: &Position) -> bool {
    let board = Board::new(position);
    let [left, right] = board.steps();
    let king_steps = || union(Direction::each(|direction| step(board.kings, direction)));
    !(left | right).is_empty()
        || (!board.kings.is_empty() && !(king_steps() - board.occupied()).is_empty())
        || board.can_capture()
}

/// Whether the side to move can, and therefore must, capture.
#[inline]
pub(crate) fn can_capture(position: &Position) -> bool {
    Board::new(position).can_capture()
}

/// Whether the side that is not to move could capture if it were its turn.
#[inline]
pub(crate) fn is_threatened(position: &Position) -> bool {
    let them = !position.turn();
    let board = Board {
        us: them,
        men: position.men(them),
        kings: position.kings(them),
        theirs: position.pieces(!them),
    };
    board.can_capture()
}

/// The board as the side to move sees it: a [`Position`] without its key, for loops that make
/// their positions from nothing. It asks no questions: sets that overlap, and men on their last
/// row, have moves that mean nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// The side to move.
    pub us: Color,
    /// Its men.
    pub men: Bitboard,
    /// Its kings.
    pub kings: Bitboard,
    /// The enemy's pieces.
    pub theirs: Bitboard,
}

impl Board {
    #[inline]
    fn new(position: &Position) -> Board {
        let us = position.turn();
        Board {
            us,
            men: position.men(us),
            kings: position.kings(us),
            theirs: position.pieces(!us),
        }
    }

    /// Puts the captures into `moves`, whose former content is dropped.
    #[inline]
    pub fn captures_into(&self, moves: &mut MoveList) {
        moves.clear();
        self.captures(moves);
    }

    /// Puts the moves that capture nothing into `moves`, whose former content is dropped. They are
    /// legal only if there is no capture.
    #[inline]
    pub fn quiet_moves_into(&self, moves: &mut MoveList) {
        moves.clear();
        self.quiet_moves(moves);
    }

    /// The number of moves that capture nothing.
    #[inline]
    pub fn count_quiet_moves(&self) -> u32 {
        let [left, right] = self.steps();
        let steps = len_of_both(left, right);
        if self.kings.is_empty() {
            return steps;
        }
        steps + total(self.king_slides())
    }

    #[inline]
    fn occupied(&self) -> Bitboard {
        self.men | self.kings | self.theirs
    }

    #[inline]
    fn last_row(&self) -> Bitboard {
        Bitboard::promotion_row(self.us)
    }

    /// Whether there is a capture.
    #[inline(always)] // Of a board without kings, which is most of them, nothing else is asked.
    pub fn can_capture(&self) -> bool {
        !(self.men & Jumps::new(self).starts()).is_empty()
            || (!self.kings.is_empty() && self.kings_can_capture())
    }

    #[inline(never)] // As above.
    fn kings_can_capture(&self) -> bool {
        let empty = !self.occupied();
        let slides = self.king_slides();
        let landings = Direction::each(|direction| {
            let before = self.kings | slides[direction as usize];
            let victims = step(before, direction) & self.theirs;
            step(victims, direction) & empty
        });
        !union(landings).is_empty()
    }

    /// Adds all captures: those of men by direction, then those of kings.
    fn captures(&self, moves: &mut MoveList) {
        if !self.men.is_empty() {
            self.captures_by_men(moves);
        }
        for from in self.kings {
            Walk::new(self, from, moves).king(from, Bitboard::EMPTY, None);
        }
    }

    #[inline]
    fn captures_by_men(&self, moves: &mut MoveList) {
        let jumps = Jumps::new(self);
        for heading in Direction::ALL {
            for from in self.men & jumps.starts_along(heading) {
                let Jump { victim, landing } = jump(from, heading);
                let Some(to) = landing else { continue };
                if jumps.goes_on(to, heading) || self.last_row().contains(to) {
                    Walk::new(self, from, moves).man(to, victim, heading);
                } else {
                    moves.push(Move::new(from, to, false, victim));
                }
            }
        }
    }

    /// Adds all moves that capture nothing, in the same order.
    fn quiet_moves(&self, moves: &mut MoveList) {
        for (steps, direction) in self.steps().into_iter().zip(Direction::forward(self.us)) {
            for to in steps {
                if let Some(from) = next(to, direction.opposite()) {
                    let promotes = self.last_row().contains(to);
                    moves.push(Move::new(from, to, promotes, Bitboard::EMPTY));
                }
            }
        }
        for from in self.kings {
            for direction in Direction::ALL {
                for to in look(from, direction, self.occupied()).open {
                    moves.push(Move::new(from, to, false, Bitboard::EMPTY));
                }
            }
        }
    }

    /// Where men can step to: those that step left, and those that step right.
    #[inline]
    fn steps(&self) -> [Bitboard; 2] {
        let [left, right] = match self.us {
            Color::White => [
                step(self.men, Direction::UpLeft),
                step(self.men, Direction::UpRight),
            ],
            Color::Black => [
                step(self.men, Direction::DownLeft),
                step(self.men, Direction::DownRight),
            ],
        };
        [left - self.occupied(), right - self.occupied()]
    }

    /// Where kings can go without capturing, by direction.
    #[inline]
    fn king_slides(&self) -> Sets {
        Direction::each(|direction| slide(self.kings, direction, !self.occupied()))
    }

    #[inline(never)] // Rare; the callers' loops stay small.
    fn count_with_kings(&self) -> u32 {
        if self.can_capture() {
            return self.count_one_by_one();
        }
        self.count_quiet_moves()
    }

    /// Counts captures by making them.
    #[inline(never)] // As above.
    fn count_one_by_one(&self) -> u32 {
        let mut moves = MoveList::new();
        self.captures(&mut moves);
        moves.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts in a whole game tree that the ways of asking for moves agree.
    fn check(position: &Position, depth: u32) {
        let moves = position.legal_moves();
        assert_eq!(position.count_moves(), moves.len(), "{position:?}");
        assert_eq!(position.is_lost(), moves.is_empty(), "{position:?}");
        let captures = moves.iter().filter(|m| m.is_capture()).count();
        assert_eq!(position.must_capture(), captures > 0, "{position:?}");
        assert!(captures == 0 || captures == moves.len(), "{position:?}");
        if depth > 0 {
            for &m in &moves {
                let mut child = position.clone();
                child.play_unchecked(m);
                check(&child, depth - 1);
            }
        }
    }

    #[test]
    fn counting_agrees_with_making() {
        check(&Position::start(), 7);
        for fen in [
            "W:Wa1,c3,e3,d6,Kg1:Bb8,f6,h4,Kc7,Ka3",
            "B:Wc3,e3,d6,Kg1,Kh8:Bb8,f6,h6,Kc7,Ka3",
            "W:WKa1,Kh2,Ka3,Kb8,Kd8,Kh8:BKb2,d2,f2,Kc5,e5,Kg5,Kc7,e7,g7",
        ] {
            check(&fen.parse().unwrap(), 4);
        }
    }

    #[test]
    fn the_richest_positions_known_fit_into_a_list() {
        for fen in [
            "W:WKa1,Kc1,Ke1,Kg1,Kh2,Kh4,Ka5,Kd6,Kh6,Ka7,Kd8,Kh8:B",
            "W:WKe1,Kg1,Kh2,Kh6,Ka7,Kh8:Bb2,Kd2,f2,b4,d4,f4,c7,e7,g7",
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(position.legal_moves().len(), 68, "{fen}");
            assert_eq!(position.count_moves(), 68, "{fen}");
        }
    }

    #[test]
    fn long_captures_are_counted_once_each() {
        for (fen, count) in [
            ("W:Wa1:Bb2,d4,f6", 1),     // three pieces in one move
            ("W:Wc3:Bb4,b6,d4,d6", 1),  // a circle, clockwise or not
            ("W:Wc3,g3:Bd4,f4,d6", 2),  // two men come by e5
            ("W:Wd6:Be7,g7", 1),        // a man goes on as a king
            ("W:Wb6,d6:Bc7,e7,Kf4", 5), // two promote, one goes on as a king
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(position.count_moves(), count, "{fen}");
            assert_eq!(position.legal_moves().len(), count, "{fen}");
        }
    }
}
