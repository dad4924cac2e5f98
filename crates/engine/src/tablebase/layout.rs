//! The index: which place a position has in its slice.
//!
//! Of the two sides the one with more kings is the fast one; if both have as many, the side that is
//! not to move. A place is made of four ranks, of which the last one changes first from place to
//! place: the slow side's men on the 28 squares that its men can stand on, the fast side's men on
//! theirs, the slow side's kings on the squares that the men leave, the fast side's kings on the
//! squares left then. A rank is that of the set of squares among the sets of its size in
//! colexicographic order, which is their order as binary numbers. Men of both sides on one square
//! are the only places that mean nothing.
//!
//! Neighbours differ in what matters least, which is what makes tables small.

use checkers_lib::Bitboard;

use super::material::Material;
use super::placement::Placement;

/// A set's most pieces: one side of the largest table.
const MOST: usize = 7;

/// `BINOMIALS[k][n]` is the number of sets of k of n squares.
pub(super) static BINOMIALS: [[u32; 33]; MOST + 1] = {
    let mut table = [[0; 33]; MOST + 1];
    let mut n = 0;
    while n <= 32 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MOST && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The squares men can stand on.
pub(super) const MEN_SQUARES: u8 = 28;
/// What the other side's men squares begin with.
pub(super) const OTHER_MEN_OFFSET: u32 = 4;

/// How the places of a slice are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) material: Material,
    /// How many sets there are of each kind of piece, in the order of the ranks.
    pub(crate) radices: [u32; 4],
    /// Whether the side to move is the fast one.
    pub(super) mover_is_fast: bool,
}

impl Layout {
    pub(crate) fn new(material: Material) -> Layout {
        let Material { mover, other } = material;
        let free = 32 - mover.men - other.men;
        let mover_is_fast = mover.kings > other.kings;
        let [slow, fast] = if mover_is_fast {
            [other, mover]
        } else {
            [mover, other]
        };
        Layout {
            material,
            radices: [
                sets(slow.men, MEN_SQUARES),
                sets(fast.men, MEN_SQUARES),
                sets(slow.kings, free),
                sets(fast.kings, free - slow.kings),
            ],
            mover_is_fast,
        }
    }

    /// How many places there are.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.radices.iter().map(|&radix| radix as usize).product()
    }

    /// The place of a position, seen by the side to move. O(pieces).
    #[inline(always)]
    pub(crate) fn place(&self, position: &Placement) -> usize {
        let &Placement {
            men,
            kings,
            other_men,
            other_kings,
        } = position;
        let all_men = men | other_men;
        let men_ranks = [rank_low(men.0), rank_low(other_men.0 >> OTHER_MEN_OFFSET)];
        let [slow, fast] = self.slow_first([kings, other_kings]);
        let king_ranks = [rank(slow, all_men), rank(fast, all_men | slow)];
        self.combine(self.slow_first(men_ranks), king_ranks)
    }

    /// Puts what belongs to the two sides, that of the side to move first, into the order of ranks.
    #[inline(always)]
    pub(super) fn slow_first<T: Copy>(&self, [mover, other]: [T; 2]) -> [T; 2] {
        if self.mover_is_fast {
            [other, mover]
        } else {
            [mover, other]
        }
    }

    #[inline(always)]
    pub(super) fn combine(&self, men_ranks: [u32; 2], king_ranks: [u32; 2]) -> usize {
        let [_, fast_men, slow_kings, fast_kings] = self.radices;
        let [slow, fast] = men_ranks;
        // A slice of the most pieces there are has fewer than 2^32 sets of men and slow kings.
        let rest = (slow * fast_men + fast) * slow_kings + king_ranks[0];
        rest as usize * fast_kings as usize + king_ranks[1] as usize
    }
}

/// How many sets of so many pieces there are on so many squares.
pub(crate) fn sets(pieces: u8, squares: u8) -> u32 {
    BINOMIALS[pieces as usize][squares as usize]
}

/// The rank of a set of the lowest squares.
#[inline(always)]
pub(crate) fn rank_low(mut set: u32) -> u32 {
    let mut rank = 0;
    let mut k = 1;
    while set != 0 {
        rank += BINOMIALS[k & 7][set.trailing_zeros() as usize & 31];
        set &= set - 1;
        k += 1;
    }
    rank
}

/// The rank of `set` among the sets of squares that are not `taken`.
#[inline(always)]
pub(crate) fn rank(set: Bitboard, taken: Bitboard) -> u32 {
    let mut set = set.0;
    let mut rank = 0;
    let mut k = 1;
    while set != 0 {
        let below = taken.0 & ((set & set.wrapping_neg()) - 1);
        let square = set.trailing_zeros() - below.count_ones();
        rank += BINOMIALS[k & 7][square as usize & 31];
        set &= set - 1;
        k += 1;
    }
    rank
}

#[cfg(test)]
mod tests {
    use checkers_lib::Position;

    use super::*;

    #[test]
    fn the_format_has_an_example() {
        let position: Position = "W:Wc1,Ka1,Ke1:BKc3".parse().unwrap();
        let layout = Layout::new("KKm-K".parse().unwrap());
        assert_eq!(layout.radices, [1, 28, 31, 435]);
        assert_eq!(layout.place(&Placement::of(&position)), 16_965);
    }
}
