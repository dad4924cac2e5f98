//! Where the diagonals run: tables computed at compile time from files and rows.

use crate::{Bitboard, Color, Square};

/// The four diagonal directions. The first two lead up the board, the last two down, and the
/// opposite of number `d` is number `d ^ 3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From c1 to b2.
    UpLeft,
    /// From c1 to d2.
    UpRight,
    /// From d2 to c1.
    DownLeft,
    /// From d2 to e1.
    DownRight,
}

impl Direction {
    /// All directions, in the order of their numbers.
    pub const ALL: [Direction; 4] = [
        Direction::UpLeft,
        Direction::UpRight,
        Direction::DownLeft,
        Direction::DownRight,
    ];

    /// What `of` makes of each direction, in the order of their numbers.
    #[inline(always)] // Of an array's own `map` not every build rids the innermost loops.
    pub(crate) fn each<T>(of: impl Fn(Direction) -> T) -> [T; 4] {
        let [up_left, up_right, down_left, down_right] = Direction::ALL;
        [of(up_left), of(up_right), of(down_left), of(down_right)]
    }

    /// The two directions in which men of `side` walk.
    pub const fn forward(side: Color) -> [Direction; 2] {
        match side {
            Color::White => [Direction::UpLeft, Direction::UpRight],
            Color::Black => [Direction::DownLeft, Direction::DownRight],
        }
    }

    /// The direction back.
    #[inline]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[self as usize ^ 3]
    }

    /// Whether square numbers grow along this direction.
    #[inline]
    const fn is_up(self) -> bool {
        matches!(self, Direction::UpLeft | Direction::UpRight)
    }
}

/// Rows 1, 3, 5, 7, whose squares lie on files a, c, e, g.
const ODD_ROWS: u32 = 0x0f0f_0f0f;
const FILE_A: u32 = Bitboard::of(&[Square::A1, Square::A3, Square::A5, Square::A7]).0;
const FILE_H: u32 = Bitboard::of(&[Square::H2, Square::H4, Square::H6, Square::H8]).0;
const FILES_AB: u32 = FILE_A | FILE_A << 4;
const FILES_GH: u32 = FILE_H | FILE_H >> 4;

/// Every square of `set` moved one step in `direction`; those that would leave the board vanish.
#[inline]
pub const fn step(set: Bitboard, direction: Direction) -> Bitboard {
    let odd = set.0 & ODD_ROWS;
    let even = set.0 & !ODD_ROWS;
    Bitboard(match direction {
        Direction::UpLeft => (odd & !FILE_A) << 3 | even << 4,
        Direction::UpRight => odd << 4 | (even & !FILE_H) << 5,
        Direction::DownLeft => (odd & !FILE_A) >> 5 | even >> 4,
        Direction::DownRight => odd >> 4 | (even & !FILE_H) >> 3,
    })
}

/// Every square of `set` moved two steps in `direction`; those that would leave the board vanish.
#[inline]
pub(crate) const fn step_twice(set: Bitboard, direction: Direction) -> Bitboard {
    Bitboard(match direction {
        Direction::UpLeft => (set.0 & !FILES_AB) << 7,
        Direction::UpRight => (set.0 & !FILES_GH) << 9,
        Direction::DownLeft => (set.0 & !FILES_AB) >> 9,
        Direction::DownRight => (set.0 & !FILES_GH) >> 7,
    })
}

/// Every square that pieces of `set` reach in `direction` across `empty` squares. O(1).
#[inline]
pub const fn slide(set: Bitboard, direction: Direction, empty: Bitboard) -> Bitboard {
    // The reach doubles each time. `pairs` and `fours`: the last of so many empty squares in a row.
    let pairs = empty.0 & step(empty, direction).0;
    let fours = pairs & step_twice(Bitboard(pairs), direction).0;
    let one = step(set, direction).0 & empty.0;
    let two = Bitboard(one | step_twice(set, direction).0 & pairs);
    let four = Bitboard(two.0 | step_twice(two, direction).0 & pairs);
    let jumped = step_twice(step_twice(four, direction), direction);
    Bitboard(four.0 | jumped.0 & fours)
}

/// The next square in each direction.
static NEIGHBOURS: [[Option<Square>; 4]; 32] = {
    let mut table = [[None; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let mut direction = 0;
        while direction < 4 {
            table[square][direction] =
                step(Bitboard(1 << square), Direction::ALL[direction]).first();
            direction += 1;
        }
        square += 1;
    }
    table
};

/// All squares beyond a square in a direction.
#[inline]
pub(crate) fn ray(square: Square, direction: Direction) -> Bitboard {
    RAYS[square.index()][direction as usize]
}

static RAYS: [[Bitboard; 4]; 32] = {
    let mut table = [[Bitboard::EMPTY; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let mut direction = 0;
        while direction < 4 {
            let from = Bitboard(1 << square);
            table[square][direction] = slide(from, Direction::ALL[direction], Bitboard::FULL);
            direction += 1;
        }
        square += 1;
    }
    table
};

/// The next square in `direction` as a set of one, or of none at the edge.
#[inline]
pub(crate) fn neighbour(square: Square, direction: Direction) -> Bitboard {
    step(square.into(), direction)
}

/// The next square in `direction`, if the board does not end there.
#[inline]
pub fn next(square: Square, direction: Direction) -> Option<Square> {
    NEIGHBOURS[square.index()][direction as usize]
}

/// A man's jump from some square in some direction.
#[derive(Clone, Copy)]
pub(crate) struct Jump {
    /// The square jumped over as a set of one, or of none where the board ends.
    pub(crate) victim: Bitboard,
    /// The square behind it, if there is one.
    pub(crate) landing: Option<Square>,
}

static JUMPS: [[Jump; 4]; 32] = {
    let mut table = [[Jump {
        victim: Bitboard::EMPTY,
        landing: None,
    }; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let mut direction = 0;
        while direction < 4 {
            let from = Bitboard(1 << square);
            table[square][direction] = Jump {
                victim: step(from, Direction::ALL[direction]),
                landing: step_twice(from, Direction::ALL[direction]).first(),
            };
            direction += 1;
        }
        square += 1;
    }
    table
};

/// The jump of a man on `square` in `direction`.
#[inline]
pub(crate) fn jump(square: Square, direction: Direction) -> Jump {
    JUMPS[square.index()][direction as usize]
}

/// What a king on `square` sees in `direction`.
pub(crate) struct KingView {
    /// The empty squares before the first piece.
    pub(crate) open: Bitboard,
    /// The first piece, if any.
    pub(crate) blocker: Option<Square>,
}

/// Looks from `square` along `direction` up to the first square of `occupied`. O(1).
#[inline]
pub(crate) fn look(square: Square, direction: Direction, occupied: Bitboard) -> KingView {
    let ray = ray(square, direction).0;
    let blockers = ray & occupied.0;
    if blockers == 0 {
        return KingView {
            open: Bitboard(ray),
            blocker: None,
        };
    }
    let (index, before) = if direction.is_up() {
        let index = blockers.trailing_zeros();
        (index, (1u32 << index) - 1)
    } else {
        let index = 31 - blockers.leading_zeros();
        (index, !0 << index << 1)
    };
    KingView {
        open: Bitboard(ray & before),
        blocker: Some(Square::wrapping(index)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next square by files and rows.
    fn next_on_board(square: Square, direction: Direction) -> Option<Square> {
        let (file, row) = match direction {
            Direction::UpLeft => (-1, 1),
            Direction::UpRight => (1, 1),
            Direction::DownLeft => (-1, -1),
            Direction::DownRight => (1, -1),
        };
        Square::at(
            square.file().wrapping_add_signed(file),
            square.row().wrapping_add_signed(row),
        )
    }

    fn squares_and_directions() -> impl Iterator<Item = (Square, Direction)> {
        Square::ALL
            .into_iter()
            .flat_map(|square| Direction::ALL.map(|direction| (square, direction)))
    }

    #[test]
    fn one_step_and_two_lead_to_the_neighbours() {
        for (square, direction) in squares_and_directions() {
            let expected = next_on_board(square, direction);
            assert_eq!(next(square, direction), expected);
            assert_eq!(neighbour(square, direction).first(), expected);
            let behind = expected.and_then(|next| next_on_board(next, direction));
            assert_eq!(step_twice(square.into(), direction).first(), behind);
            assert_eq!(jump(square, direction).landing, behind);
            if let Some(next) = expected {
                assert_eq!(next_on_board(next, direction.opposite()), Some(square));
            }
        }
    }

    #[test]
    fn looks_and_slides_end_at_the_first_piece() {
        for i in 0..4096u32 {
            let occupied = Bitboard(i.wrapping_mul(0x9e37_79b9));
            for (square, direction) in squares_and_directions() {
                let mut open = Bitboard::EMPTY;
                let mut ahead = next_on_board(square, direction);
                while let Some(at) = ahead.filter(|&at| !occupied.contains(at)) {
                    open |= at.into();
                    ahead = next_on_board(at, direction);
                }
                let view = look(square, direction, occupied);
                assert_eq!((view.open, view.blocker), (open, ahead));
                assert_eq!(slide(square.into(), direction, !occupied), open);
            }
        }
    }
}
