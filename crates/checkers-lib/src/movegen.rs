//! The move generator: every legal move once, by its effect.
//!
//! Quiet moves come from shifted bitboards, captures from a depth-first walk of each piece. The
//! article numbers are those of the federation's rules for draughts-64.

use crate::geometry::{Direction, Jump, jump, look, neighbour, step};
use crate::{Bitboard, Move, MoveList, Position, Square};

/// Adds all legal moves of the side to move to an empty list.
#[inline]
pub(crate) fn legal_moves(position: &Position, moves: &mut MoveList) {
    if can_capture(position) {
        captures(position, moves);
    } else {
        quiet_moves(position, moves);
    }
}

/// As many as [`legal_moves`] has, without making the quiet ones.
#[inline]
pub(crate) fn count_moves(position: &Position) -> usize {
    if can_capture(position) {
        let mut moves = MoveList::new();
        captures(position, &mut moves);
        return moves.len();
    }
    let us = position.turn();
    let empty = !position.occupied();
    let [left, right] = Direction::forward(us).map(|d| step(position.men(us), d) & empty);
    // Both sets in one word: one population count instead of two.
    let mut count = (u64::from(left.0) << 32 | u64::from(right.0)).count_ones();
    for king in position.kings(us) {
        for direction in Direction::ALL {
            count += look(king, direction, position.occupied()).open.len();
        }
    }
    count as usize
}

/// Whether the side to move has any move at all.
#[inline]
pub(crate) fn can_move(position: &Position) -> bool {
    let us = position.turn();
    let empty = !position.occupied();
    let quiet = |pieces, direction| !(step(pieces, direction) & empty).is_empty();
    let [left, right] = Direction::forward(us);
    let kings = position.kings(us);
    quiet(position.pieces(us), left)
        || quiet(position.pieces(us), right)
        || (!kings.is_empty() && (quiet(kings, left.opposite()) || quiet(kings, right.opposite())))
        || can_capture(position)
}

/// Whether the side to move can, and therefore must, capture.
#[inline]
pub(crate) fn can_capture(position: &Position) -> bool {
    let us = position.turn();
    let (ours, theirs, occupied) = (
        position.pieces(us),
        position.pieces(!us),
        position.occupied(),
    );
    let empty = !occupied;
    let mut jumps = Bitboard::EMPTY;
    for direction in Direction::ALL {
        jumps |= step(step(ours, direction) & theirs, direction) & empty;
    }
    if !jumps.is_empty() {
        return true;
    }
    position.kings(us).into_iter().any(|king| {
        Direction::ALL.into_iter().any(|direction| {
            look(king, direction, occupied)
                .blocker
                .is_some_and(|piece| {
                    theirs.contains(piece) && !(neighbour(piece, direction) & empty).is_empty()
                })
        })
    })
}

fn quiet_moves(position: &Position, moves: &mut MoveList) {
    let us = position.turn();
    let occupied = position.occupied();
    let last_row = Bitboard::promotion_row(us);
    for direction in Direction::forward(us) {
        for to in step(position.men(us), direction) - occupied {
            if let Some(from) = neighbour(to, direction.opposite()).first() {
                moves.push(Move::new(from, to, last_row.contains(to), Bitboard::EMPTY));
            }
        }
    }
    for from in position.kings(us) {
        for direction in Direction::ALL {
            for to in look(from, direction, occupied).open {
                moves.push(Move::new(from, to, false, Bitboard::EMPTY));
            }
        }
    }
}

fn captures(position: &Position, moves: &mut MoveList) {
    let us = position.turn();
    let mut walk = Walk {
        from: Square::A1,
        theirs: position.pieces(!us),
        occupied: position.occupied(),
        last_row: Bitboard::promotion_row(us),
        promotes: false,
        moves,
        first: 0,
    };
    let men = position.men(us);
    let mut jumpers = Bitboard::EMPTY;
    for direction in Direction::ALL {
        let back = direction.opposite();
        let victims = step(!walk.occupied, back) & walk.theirs;
        jumpers |= step(victims, back) & men;
    }
    for from in jumpers {
        walk.lift(from);
        walk.man(from, Bitboard::EMPTY);
        walk.put_back();
    }
    for from in position.kings(us) {
        walk.lift(from);
        walk.king(from, Bitboard::EMPTY, None);
        walk.put_back();
    }
}

/// One piece's captures, walked depth first.
struct Walk<'a> {
    from: Square,
    theirs: Bitboard,
    /// Captured pieces stay until the move is over and block; the starting square is empty.
    occupied: Bitboard,
    last_row: Bitboard,
    promotes: bool,
    moves: &'a mut MoveList,
    /// Where this piece's moves begin in `moves`.
    first: usize,
}

impl Walk<'_> {
    /// Takes a piece in hand: its square counts as empty during the move.
    #[inline]
    fn lift(&mut self, from: Square) {
        self.from = from;
        self.first = self.moves.len();
        self.occupied = self.occupied - from.into();
    }

    #[inline]
    fn put_back(&mut self) {
        self.occupied |= self.from.into();
    }

    /// Records the end of a capture, unless another route had the same effect.
    #[inline]
    fn end(&mut self, to: Square, captured: Bitboard) {
        let m = Move::new(self.from, to, self.promotes, captured);
        if !self.moves[self.first..].contains(&m) {
            self.moves.push(m);
        }
    }

    /// Goes on from `at` as a man; returns whether that was possible.
    fn man(&mut self, at: Square, captured: Bitboard) -> bool {
        let mut goes_on = false;
        for direction in Direction::ALL {
            let Jump { victim, landing } = jump(at, direction);
            if (victim & (self.theirs - captured)).is_empty() {
                continue;
            }
            let Some(to) = (landing - self.occupied).first() else {
                continue;
            };
            goes_on = true;
            let captured = captured | victim;
            if self.last_row.contains(to) {
                // 1.5.15: a king there and then, and goes on as one.
                self.promotes = true;
                if !self.king(to, captured, Some(direction)) {
                    self.end(to, captured);
                }
                self.promotes = false;
            } else if !self.man(to, captured) {
                self.end(to, captured);
            }
        }
        goes_on
    }

    /// Goes on from `at` as a king that came along `heading`; returns whether that was possible.
    fn king(&mut self, at: Square, captured: Bitboard, heading: Option<Direction>) -> bool {
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
        let landings = look(victim, direction, self.occupied).open;
        if landings.is_empty() {
            return false;
        }
        let captured = captured | victim.into();
        // Going on along the same line is the same from every landing square.
        let mut goes_on = self.king_jump(victim, captured, direction);
        let [left, right] = turns(direction);
        for to in landings {
            goes_on |= self.king_jump(to, captured, left);
            goes_on |= self.king_jump(to, captured, right);
        }
        // The king must land where it can go on, if there is such a square.
        if !goes_on {
            for to in landings {
                self.end(to, captured);
            }
        }
        true
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
