//! A linear evaluation: patterns of men, and counts.
//!
//! Nine overlapping windows of 4 × 4 squares, eight of them dark, cover the board. What the men of
//! both sides look like within a window is one of 3⁸ patterns, and each has a weight; kings,
//! mobility and the like are counted. Each weight is two, one for the full and one for the empty
//! board, which are mixed by the number of pieces. The evaluation of a side is that of what it sees
//! less that of what its opponent sees, and what the right to move is worth.
//!
//! CITE: M. Buro, "Logistello: A Strong Learning Othello Program", 1995, for patterns whose weights
//! are fitted by regression; F. Letouzey, Scan, 2015, for doing so in draughts, by phase.

use std::sync::{Arc, OnceLock};

use checkers_lib::{Bitboard, Board, Color, Position};

use super::view::SideView;
use super::weights::{WeightsError, WeightsFile, WeightsKind};

/// The patterns of a window.
const PATTERNS: usize = 3_usize.pow(8);
/// The windows: their corners on files a, c, e and rows 1, 3, 5.
const WINDOWS: usize = 9;
/// The counted terms: see [`counts`].
const COUNTS: usize = 38;
/// The terms of a position: patterns of windows, then counts.
pub const TERMS: usize = WINDOWS * PATTERNS + COUNTS;
/// All weights: of the full board, then of the empty one.
pub const PATTERN_VALUES: usize = 2 * TERMS;
/// What stands for a centi-logit in the weights.
pub const UNIT: i32 = 16;
/// The pieces of a full board.
const FULL: i32 = 24;
/// Values beyond are cut off.
const MOST_VALUE: i32 = 20_000;

/// The evaluation by patterns. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Patterns {
    /// By term: of the full and of the empty board, side by side.
    weights: Arc<[[i16; 2]]>,
}

/// The file of weights that is part of the program.
pub(crate) static SHIPPED: &[u8] = include_bytes!("../../data/patterns.weights");

impl Patterns {
    /// The patterns of a file.
    ///
    /// # Errors
    /// When it is for something else.
    pub fn new(file: &WeightsFile) -> Result<Patterns, WeightsError> {
        let values = file.expect(WeightsKind::Patterns, PATTERN_VALUES)?;
        let (full, empty) = values.split_at(TERMS);
        let pairs = full.iter().zip(empty).map(|(&full, &empty)| [full, empty]);
        Ok(Patterns {
            weights: pairs.collect(),
        })
    }

    /// The patterns that are built into every program.
    ///
    /// # Panics
    /// Never: the weights are part of the program and of its tests.
    pub fn embedded() -> Patterns {
        static PATTERNS: OnceLock<Patterns> = OnceLock::new();
        let read = || WeightsFile::read(SHIPPED).and_then(|file| Patterns::new(&file));
        let patterns = PATTERNS.get_or_init(|| read().expect("weights that are read in the tests"));
        patterns.clone()
    }

    /// What a position is worth to its side to move, in centi-logits within ±20,000. O(pieces).
    pub fn evaluate(&self, position: &Position) -> i32 {
        let view = SideView::of(position, position.turn());
        let mut sums = [0_i32; 2];
        terms_of(&view, |term, count| {
            let [full, empty] = self.weights.get(term).copied().unwrap_or_default();
            sums[0] += count * i32::from(full);
            sums[1] += count * i32::from(empty);
        });
        let pieces = view.occupied().len() as i32;
        let [full, empty] = sums;
        let value = (full * pieces + empty * (FULL - pieces)) / (FULL * UNIT);
        value.clamp(-MOST_VALUE, MOST_VALUE)
    }
}

/// Tells each term of what a side to move sees, below [`TERMS`], and how often it counts.
#[inline]
pub fn terms_of(view: &SideView, mut tell: impl FnMut(usize, i32)) {
    let turned = view.turned();
    for (seen, sign) in [(view, 1), (&turned, -1)] {
        for (window, shift) in SHIFTS.into_iter().enumerate() {
            let ours = TERNARY[within(seen.men[0], shift)];
            let theirs = TERNARY[within(seen.men[1], shift)];
            let pattern = usize::from(ours) + 2 * usize::from(theirs);
            tell(window * PATTERNS + pattern, sign);
        }
    }
    let (ours, theirs) = (counts(view), counts(&turned));
    for (i, (ours, theirs)) in ours.into_iter().zip(theirs).enumerate() {
        if ours != theirs {
            tell(WINDOWS * PATTERNS + i, ours - theirs);
        }
    }
    tell(WINDOWS * PATTERNS + COUNTS - 1, 1);
}

/// How far down a window's lowest row begins in a board.
const SHIFTS: [u32; WINDOWS] = [0, 1, 2, 8, 9, 10, 16, 17, 18];

/// The eight squares of a window as a byte: two squares of each of four rows.
#[inline]
fn within(set: Bitboard, shift: u32) -> usize {
    let rows = (set.0 >> shift) & 0x3333;
    let pairs = (rows | rows >> 2) & 0x0f0f;
    ((pairs | pairs >> 4) & 0xff) as usize
}

/// A byte's binary digits, read as ternary ones.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut digit, mut place) = (0, 1);
        while digit < 8 {
            if byte >> digit & 1 == 1 {
                table[byte] += place;
            }
            place *= 3;
            digit += 1;
        }
        byte += 1;
    }
    table
};

/// What is counted of a side that sees this. Men, whether there is a king, kings on each square,
/// kings on the main road, moves without a capture, men that cannot step. The last place is kept
/// for the right to move.
#[inline]
fn counts(view: &SideView) -> [i32; COUNTS] {
    let mut counts = [0; COUNTS];
    let [men, their_men] = view.men;
    let [kings, their_kings] = view.kings;
    counts[0] = men.len() as i32;
    counts[1] = i32::from(!kings.is_empty());
    for king in kings {
        counts[2 + king.index()] = 1;
    }
    counts[34] = i32::from(!(kings & Bitboard::MAIN_ROAD).is_empty());
    let board = Board {
        us: Color::White,
        men,
        kings,
        theirs: their_men | their_kings,
    };
    counts[35] = board.count_quiet_moves() as i32;
    counts[36] = stuck(men, view.occupied()).len() as i32;
    counts
}

/// The men that walk up and have no empty square before them.
fn stuck(men: Bitboard, occupied: Bitboard) -> Bitboard {
    let free = !occupied.0;
    // In even rows, counted from 0, the square up to the left has a number 3 greater, up to the
    // right 4 greater; in odd rows 4 and 5.
    const EVEN: u32 = 0x0f0f_0f0f;
    const NOT_FIRST_FILE: u32 = !0x0101_0101;
    const NOT_LAST_FILE: u32 = !0x8080_8080;
    let even = (free >> 4 | (free >> 3) & NOT_FIRST_FILE) & EVEN;
    let odd = (free >> 4 | (free >> 5) & NOT_LAST_FILE) & !EVEN;
    men - Bitboard(even | odd)
}

#[cfg(test)]
mod tests {
    use checkers_lib::Square;

    use super::*;
    use crate::Rng;

    fn random_patterns(seed: u64) -> Patterns {
        let mut rng = Rng::new(seed);
        let file = WeightsFile {
            kind: WeightsKind::Patterns,
            provenance: String::new(),
            values: (0..PATTERN_VALUES)
                .map(|_| rng.below(4_001) as i16 - 2_000)
                .collect(),
        };
        Patterns::new(&file).unwrap()
    }

    #[test]
    fn windows_are_squares_of_the_board() {
        for (window, shift) in SHIFTS.into_iter().enumerate() {
            let (row, file) = (2 * (window as u8 / 3), 2 * (window as u8 % 3));
            let inside = |square: &Square| {
                (row..row + 4).contains(&square.row()) && (file..file + 4).contains(&square.file())
            };
            let mut bits = 0;
            for square in Square::ALL {
                let bit = within(square.into(), shift);
                assert_eq!(bit != 0, inside(&square), "{square} in window {window}");
                bits |= bit;
            }
            assert_eq!(bits, 0xff, "window {window}");
        }
    }

    #[test]
    fn stuck_men_have_no_step() {
        for fen in [
            "W:Wa1,c3,h2,g1,a7:Bb2,d4,b4,g3,b8",
            "W:Wa3,b4,h4,c5,e5,h6:Bd6,f6,b6,g7,g5",
        ] {
            let position: Position = fen.parse().unwrap();
            let view = SideView::of(&position, Color::White);
            for man in view.men[0] {
                let board = Board {
                    us: Color::White,
                    men: man.into(),
                    kings: Bitboard::EMPTY,
                    theirs: view.occupied() - man.into(),
                };
                let is_stuck = stuck(view.men[0], view.occupied()).contains(man);
                assert_eq!(is_stuck, board.count_quiet_moves() == 0, "{man} in {fen}");
            }
        }
    }

    #[test]
    fn the_built_in_patterns_know_what_more_men_are_worth() {
        let patterns = Patterns::embedded();
        let ahead: Position = "W:Wa1,c1,e1,c3,e3,d4:Bb8,d8,f8,h6,a5".parse().unwrap();
        assert!(patterns.evaluate(&ahead) > 50);
        assert!(patterns.evaluate(&Position::start()).abs() < 50);
    }

    #[test]
    fn both_sides_are_alike() {
        let patterns = random_patterns(3);
        let white: Position = "W:Wa1,c3,Kd4:Bc7,Kh8,a5".parse().unwrap();
        let black: Position = "B:Wf2,Ka1,h4:Bh8,f6,Ke5".parse().unwrap();
        assert_eq!(patterns.evaluate(&white), patterns.evaluate(&black));
    }

    #[test]
    fn a_position_is_worth_the_sum_of_its_terms() {
        // Every weight 1 centi-logit: patterns cancel, men, moves and the right to move are left.
        let file = WeightsFile {
            kind: WeightsKind::Patterns,
            provenance: String::new(),
            values: vec![UNIT as i16; PATTERN_VALUES],
        };
        let patterns = Patterns::new(&file).unwrap();
        let position: Position = "W:Wa1,c1,e1:Bd8,f8".parse().unwrap();
        // One man more; White has 5 moves and Black 4; the right to move.
        assert_eq!(patterns.evaluate(&position), 1 + 1 + 1);
    }
}
