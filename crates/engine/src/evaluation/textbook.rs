//! The study's two evaluations, with a byte of noise.

use std::marker::PhantomData;

use checkers_lib::{Bitboard, Color, Position};

use crate::Score;
use crate::random::mix;

/// Counts what stands on the board.
pub(crate) trait Material: Send {
    /// White's worth minus Black's.
    fn balance(position: &Position) -> i32;
}

/// A man counts 1, a king 2.
pub(crate) struct PieceCount;

/// A man counts 5 and 1 for each row it has advanced from its side's first row, a king 15.
pub(crate) struct PieceRows;

impl Material for PieceCount {
    #[inline]
    fn balance(position: &Position) -> i32 {
        let [white, black] = Color::ALL.map(|side| position.pieces(side));
        surplus(white, black) + king_surplus(position)
    }
}

impl Material for PieceRows {
    #[inline]
    fn balance(position: &Position) -> i32 {
        let [white, black] = Color::ALL.map(|side| position.men(side));
        let counts = count_by_row(white, black);
        let (odd_rows, even_rows) = (
            counts & 0x0f0f_0f0f_0f0f_0f0f,
            counts >> 4 & 0x0f0f_0f0f_0f0f_0f0f,
        );
        let (white_odd, black_odd) = (odd_rows as u32, (odd_rows >> 32) as u32);
        let (white_even, black_even) = (even_rows as u32, (even_rows >> 32) as u32);
        // What a man is worth on rows 1, 3, 5, 7 and on rows 2, 4, 6, 8.
        let white = weigh(white_odd, [5, 7, 9, 11]) + weigh(white_even, [6, 8, 10, 12]);
        let black = weigh(black_odd, [12, 10, 8, 6]) + weigh(black_even, [11, 9, 7, 5]);
        white as i32 - black as i32 + 15 * king_surplus(position)
    }
}

/// The number of pieces on each row, four bits a row: White's in the lower half, row 1 first, and
/// Black's in the upper half.
#[inline]
fn count_by_row(white: Bitboard, black: Bitboard) -> u64 {
    let set = u64::from(white.0) | u64::from(black.0) << 32;
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
}

/// The sum of the bytes of `counts`, lowest first, each times its weight. It must stay below 256.
#[inline]
fn weigh(counts: u32, weights: [u8; 4]) -> u32 {
    counts.wrapping_mul(u32::from_be_bytes(weights)) >> 24
}

/// How many squares more `white` has than `black`, with one population count.
#[inline]
fn surplus(white: Bitboard, black: Bitboard) -> i32 {
    let both = u64::from(white.0) | u64::from(!black.0) << 32;
    both.count_ones() as i32 - 32
}

#[inline]
fn king_surplus(position: &Position) -> i32 {
    let [white, black] = Color::ALL.map(|side| position.kings(side));
    // Most positions have no king, and a population count is not for nothing.
    if (white | black).is_empty() {
        return 0;
    }
    surplus(white, black)
}

/// The worth of leaves: `M` times 256 plus a byte that looks random but depends on the seed and
/// the position alone, so that runs can be repeated and all exact searches agree.
pub(crate) struct Evaluation<M> {
    salt: u64,
    material: PhantomData<M>,
}

impl<M: Material> Evaluation<M> {
    pub(crate) fn new(seed: u64) -> Evaluation<M> {
        Evaluation {
            salt: mix(seed),
            material: PhantomData,
        }
    }

    /// The score of a position `ply` plies below the root that is not searched any deeper.
    #[inline]
    pub(crate) fn leaf(&self, position: &Position, ply: u32) -> Score {
        if position.is_lost() {
            return Score::lost_in(ply);
        }
        let score = Score::new(256 * M::balance(position) + self.noise(position));
        match position.turn() {
            Color::White => score,
            Color::Black => -score,
        }
    }

    /// 0–255. Keys are random already, so that one multiplication is mixing enough.
    #[inline]
    fn noise(&self, position: &Position) -> i32 {
        let product = (position.key() ^ self.salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (product >> 56) as i32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use checkers_lib::{ByColor, Setup, Square};

    use super::*;

    /// Thousands of positions: every one within five plies of the start, and the same in the
    /// middle of a game with kings.
    fn positions() -> Vec<Position> {
        let middle = "W:Wc1,e1,b4,f4,Kd8:Ba5,h6,f8,g7,Kg1".parse().unwrap();
        let mut positions = vec![Position::start(), middle];
        let mut next = 0;
        for end in [2, 30, 300, 3000] {
            while next < end.min(positions.len()) {
                let position = positions[next].clone();
                for &m in &position.legal_moves() {
                    positions.push(position.clone().play(m).unwrap());
                }
                next += 1;
            }
        }
        positions
    }

    fn swapped(position: &Position) -> Position {
        let Setup { men, kings, turn } = position.setup();
        let swap = |sets: ByColor<Bitboard>| ByColor::new_with(|side| sets[!side].rotated());
        Position::from_setup(Setup {
            men: swap(men),
            kings: swap(kings),
            turn: !turn,
        })
        .unwrap()
    }

    /// A balance straight from its definition.
    fn balance(position: &Position, man: fn(Square, Color) -> i32, king: i32) -> i32 {
        let worth = |side| {
            let men: i32 = position.men(side).into_iter().map(|at| man(at, side)).sum();
            men + king * position.kings(side).len() as i32
        };
        worth(Color::White) - worth(Color::Black)
    }

    #[test]
    fn material_is_what_the_study_says() {
        for position in positions() {
            assert_eq!(
                PieceCount::balance(&position),
                balance(&position, |_, _| 1, 2),
                "{position}"
            );
            assert_eq!(
                PieceRows::balance(&position),
                balance(&position, |at, side| 5 + i32::from(at.row_from(side)), 15),
                "{position}"
            );
        }
    }

    #[test]
    fn extreme_set_ups_do_not_overflow() {
        for (fen, count, rows) in [
            ("W:Wa7,c7,e7,g7,b6,d6,f6,h6,a5,c5,e5,g5:B", 12, 120),
            ("W:W:Bb2,d2,f2,h2,a3,c3,e3,g3,b4,d4,f4,h4", -12, -120),
            (
                "W:WKa7,Kc7,Ke7,Kg7,Kb6,Kd6,Kf6,Kh6,Ka5,Kc5,Ke5,Kg5:B",
                24,
                180,
            ),
            ("W:W:B", 0, 0),
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(PieceCount::balance(&position), count);
            assert_eq!(PieceRows::balance(&position), rows);
        }
    }

    #[test]
    fn both_sides_see_the_board_alike() {
        for position in positions() {
            let swapped = swapped(&position);
            assert_eq!(
                PieceCount::balance(&swapped),
                -PieceCount::balance(&position)
            );
            assert_eq!(PieceRows::balance(&swapped), -PieceRows::balance(&position));
        }
    }

    #[test]
    fn a_leaf_is_256_times_material_and_a_byte_in_whites_view() {
        let evaluation = Evaluation::<PieceRows>::new(1);
        for position in positions() {
            let score = evaluation.leaf(&position, 3);
            assert_eq!(score, evaluation.leaf(&position, 5));
            let for_white = match position.turn() {
                Color::White => score,
                Color::Black => -score,
            };
            let noise = for_white.value() - 256 * PieceRows::balance(&position);
            assert!((0..256).contains(&noise), "{noise} in {position}");
        }
    }

    #[test]
    fn the_byte_depends_on_the_seed_and_the_position() {
        let positions: HashSet<Position> = positions().into_iter().collect();
        let [one, other] = [1, 2].map(Evaluation::<PieceRows>::new);
        let mut seen = [0; 256];
        let mut same = 0;
        for position in &positions {
            seen[one.noise(position) as usize] += 1;
            same += usize::from(one.noise(position) == other.noise(position));
        }
        let expected = positions.len() / 256;
        assert!(expected > 10);
        assert!(seen.iter().all(|&count| count < 3 * expected), "{seen:?}");
        assert!(same < 3 * expected, "{same} of {} alike", positions.len());
    }

    #[test]
    fn a_lost_leaf_counts_its_plies() {
        let lost: Position = "W:Wa1:Bb2,c3".parse().unwrap();
        let evaluation = Evaluation::<PieceRows>::new(0);
        assert_eq!(evaluation.leaf(&lost, 7), Score::lost_in(7));
    }
}
