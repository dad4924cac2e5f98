//! Where the diagonals run: tables computed at compile time from files and rows.

use crate::{Bitboard, Color, Square};

/// The four diagonal directions. The first two lead up the board, the last two down, and the
/// opposite of number `d` is number `d ^ 3`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    UpLeft,
    UpRight,
    DownLeft,
    DownRight,
}

impl Direction {
    pub(crate) const ALL: [Direction; 4] = [
        Direction::UpLeft,
        Direction::UpRight,
        Direction::DownLeft,
        Direction::DownRight,
    ];

    /// The two directions in which men of `side` walk.
    pub(crate) const fn forward(side: Color) -> [Direction; 2] {
        match side {
            Color::White => [Direction::UpLeft, Direction::UpRight],
            Color::Black => [Direction::DownLeft, Direction::DownRight],
        }
    }

    /// The direction back.
    #[inline]
    pub(crate) const fn opposite(self) -> Direction {
        Direction::ALL[self as usize ^ 3]
    }

    /// Whether square numbers grow along this direction.
    #[inline]
    const fn is_up(self) -> bool {
        matches!(self, Direction::UpLeft | Direction::UpRight)
    }

    const fn delta(self) -> (i8, i8) {
        match self {
            Direction::UpLeft => (-1, 1),
            Direction::UpRight => (1, 1),
            Direction::DownLeft => (-1, -1),
            Direction::DownRight => (1, -1),
        }
    }
}

/// Rows 1, 3, 5, 7, whose squares lie on files a, c, e, g.
const ODD_ROWS: u32 = 0x0f0f_0f0f;
const FILE_A: u32 = Bitboard::of(&[Square::A1, Square::A3, Square::A5, Square::A7]).0;
const FILE_H: u32 = Bitboard::of(&[Square::H2, Square::H4, Square::H6, Square::H8]).0;

/// Every square of `set` moved one step in `direction`; those that would leave the board vanish.
#[inline]
pub(crate) const fn step(set: Bitboard, direction: Direction) -> Bitboard {
    let odd = set.0 & ODD_ROWS;
    let even = set.0 & !ODD_ROWS;
    Bitboard(match direction {
        Direction::UpLeft => (odd & !FILE_A) << 3 | even << 4,
        Direction::UpRight => odd << 4 | (even & !FILE_H) << 5,
        Direction::DownLeft => (odd & !FILE_A) >> 5 | even >> 4,
        Direction::DownRight => odd >> 4 | (even & !FILE_H) >> 3,
    })
}

/// The neighbour in each direction as a set of one square, or of none at the edge.
static NEIGHBOURS: [[Bitboard; 4]; 32] = {
    let mut table = [[Bitboard::EMPTY; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let mut direction = 0;
        while direction < 4 {
            table[square][direction] = step(Bitboard(1 << square), Direction::ALL[direction]);
            direction += 1;
        }
        square += 1;
    }
    table
};

/// All squares beyond a square in each direction.
static RAYS: [[Bitboard; 4]; 32] = {
    let mut table = [[Bitboard::EMPTY; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let mut direction = 0;
        while direction < 4 {
            let (file_step, row_step) = Direction::ALL[direction].delta();
            let (mut file, mut row) = (
                Square::ALL[square].file() as i8,
                Square::ALL[square].row() as i8,
            );
            let mut ray = 0;
            loop {
                file += file_step;
                row += row_step;
                if file < 0 || file > 7 || row < 0 || row > 7 {
                    break;
                }
                ray |= 1 << (row * 4 + file / 2);
            }
            table[square][direction] = Bitboard(ray);
            direction += 1;
        }
        square += 1;
    }
    table
};

/// The next square in `direction` as a set of one, or of none at the edge.
#[inline]
pub(crate) fn neighbour(square: Square, direction: Direction) -> Bitboard {
    NEIGHBOURS[square.index()][direction as usize]
}

/// A man's jump from some square in some direction, as sets of one square each, or of none where
/// the board ends.
#[derive(Clone, Copy)]
pub(crate) struct Jump {
    /// The square jumped over.
    pub(crate) victim: Bitboard,
    /// The square behind it.
    pub(crate) landing: Bitboard,
}

static JUMPS: [[Jump; 4]; 32] = {
    let mut table = [[Jump {
        victim: Bitboard::EMPTY,
        landing: Bitboard::EMPTY,
    }; 4]; 32];
    let mut square = 0;
    while square < 32 {
        let mut direction = 0;
        while direction < 4 {
            let victim = NEIGHBOURS[square][direction];
            let landing = step(victim, Direction::ALL[direction]);
            table[square][direction] = Jump { victim, landing };
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
pub(crate) struct View {
    /// The empty squares before the first piece.
    pub(crate) open: Bitboard,
    /// The first piece, if any.
    pub(crate) blocker: Option<Square>,
}

/// Looks from `square` along `direction` up to the first square of `occupied`. O(1).
#[inline]
pub(crate) fn look(square: Square, direction: Direction, occupied: Bitboard) -> View {
    let ray = RAYS[square.index()][direction as usize].0;
    let blockers = ray & occupied.0;
    if blockers == 0 {
        return View {
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
    View {
        open: Bitboard(ray & before),
        blocker: Some(Square::wrapping(index)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_rays_and_neighbours_agree() {
        for square in Square::ALL {
            for direction in Direction::ALL {
                let (file, row) = direction.delta();
                let next = Square::at(
                    square.file().wrapping_add_signed(file),
                    square.row().wrapping_add_signed(row),
                );
                assert_eq!(neighbour(square, direction).first(), next);
                let view = look(square, direction, Bitboard::EMPTY);
                assert!(!view.open.contains(square));
                assert_eq!(
                    view.open & neighbour(square, direction),
                    neighbour(square, direction)
                );
                if let Some(next) = next {
                    assert!(view.open.contains(next));
                    assert_eq!(neighbour(next, direction.opposite()).first(), Some(square));
                    let blocked = look(square, direction, next.into());
                    assert_eq!(
                        (blocked.open, blocked.blocker),
                        (Bitboard::EMPTY, Some(next))
                    );
                }
            }
        }
    }
}
