//! The positions of a slice in the order of their places.

use checkers_lib::{Bitboard, ByColor, Color, Position, Setup};

use crate::tablebase::layout::{BINOMIALS, Layout, MEN_SQUARES, OTHER_MEN_OFFSET};
use crate::tablebase::material::Material;
use crate::tablebase::placement::Placement;

/// How many places a thread takes at a time.
pub(crate) const PLACES_AT_A_TIME: usize = 1 << 16;

/// The row from which men promote.
pub(crate) const SEVENTH_ROW: Bitboard = Bitboard::row(6);

impl Placement {
    /// The position with White to move; `None` if the pieces break a rule of the board.
    pub(crate) fn position(&self) -> Option<Position> {
        let by_color = |white, black| ByColor { white, black };
        Position::from_setup(Setup {
            men: by_color(self.men, self.other_men),
            kings: by_color(self.kings, self.other_kings),
            turn: Color::White,
        })
        .ok()
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.men | self.kings | self.other_men | self.other_kings
    }
}

impl Layout {
    /// How many places mean a position.
    pub(crate) fn positions(&self) -> u64 {
        let [_, _, kings, other_kings] = self.radices.map(u64::from);
        let Material { mover, other } = self.material;
        // The other side's men on the 24 squares that both sides' men can stand on, or not.
        let shared: u64 = (0..=mover.men.min(24))
            .map(|inside| {
                let own = choose(24, inside) * choose(4, mover.men - inside);
                own * choose(MEN_SQUARES - inside, other.men)
            })
            .sum();
        shared * kings * other_kings
    }

    /// The place of `position.turned()`, without turning it. O(pieces).
    #[inline(always)]
    pub(crate) fn place_turned(&self, position: &Placement) -> usize {
        let &Placement {
            men: other_men,
            kings: other_kings,
            other_men: men,
            other_kings: kings,
        } = position;
        let all_men = men | other_men;
        let men_ranks = [rank_high(men.0), rank_high(other_men.0 << OTHER_MEN_OFFSET)];
        let [slow, fast] = self.slow_first([kings, other_kings]);
        let king_ranks = [
            rank_from_top(slow, all_men),
            rank_from_top(fast, all_men | slow),
        ];
        self.combine(self.slow_first(men_ranks), king_ranks)
    }
}

fn choose(squares: u8, pieces: u8) -> u64 {
    let binomials = BINOMIALS.get(pieces as usize);
    binomials.map_or(0, |row| row[squares as usize].into())
}

/// The rank of a set of the highest squares, counted from the top.
#[inline(always)]
fn rank_high(set: u32) -> u32 {
    rank_from_top(Bitboard(set), Bitboard::EMPTY)
}

/// The rank of the turned `set` among the sets of squares that are not the turned `taken`.
#[inline(always)]
fn rank_from_top(set: Bitboard, taken: Bitboard) -> u32 {
    let mut set = set.0;
    let mut rank = 0;
    let mut k = 1;
    while set != 0 {
        let zeros = set.leading_zeros();
        let bit = 0x8000_0000 >> zeros;
        let above = taken.0 & !(bit | (bit - 1));
        let square = zeros - above.count_ones();
        rank += BINOMIALS[k & 7][square as usize & 31];
        set ^= bit;
        k += 1;
    }
    rank
}

/// The positions of a slice by their places.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) layout: Layout,
    /// The sets of each rank, kings' before the taken squares are left out.
    sets: [Vec<u32>; 4],
}

/// The places that differ in the fast side's kings alone: those of one row are neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaceRow {
    /// The place of the first.
    pub(crate) first: usize,
    men: Bitboard,
    other_men: Bitboard,
    slow_kings: Bitboard,
    mover_is_fast: bool,
}

impl PlaceRow {
    /// Whether its places mean positions.
    #[inline(always)]
    pub(crate) fn is_sound(&self) -> bool {
        (self.men & self.other_men).is_empty()
    }

    #[inline(always)]
    fn placement(&self, fast_kings: u32) -> Placement {
        let taken = self.men | self.other_men | self.slow_kings;
        let fast_kings = spread(fast_kings, taken);
        let (kings, other_kings) = if self.mover_is_fast {
            (fast_kings, self.slow_kings)
        } else {
            (self.slow_kings, fast_kings)
        };
        Placement {
            men: self.men,
            kings,
            other_men: self.other_men,
            other_kings,
        }
    }
}

impl Places {
    pub(crate) fn new(material: Material) -> Places {
        let layout = Layout::new(material);
        let Material { mover, other } = material;
        let [slow, fast] = layout.slow_first([mover, other]);
        let counts = [slow.men, fast.men, slow.kings, fast.kings];
        let set = |i: usize| combinations(counts[i], layout.radices[i]);
        Places {
            layout,
            sets: [set(0), set(1), set(2), set(3)],
        }
    }

    /// The length of a row.
    #[inline(always)]
    pub(crate) fn row_len(&self) -> usize {
        self.sets[3].len()
    }

    /// How many rows a thread takes at a time.
    pub(crate) fn rows_at_a_time(&self) -> usize {
        PLACES_AT_A_TIME.div_ceil(self.row_len())
    }

    #[inline(always)]
    pub(crate) fn rows(&self) -> usize {
        self.layout.len() / self.row_len()
    }

    #[inline(always)]
    pub(crate) fn row(&self, number: usize) -> PlaceRow {
        let kings = self.sets[2].len();
        let fast_men = self.sets[1].len();
        let (rest, king_rank) = (number / kings, number % kings);
        let men_sets = [self.sets[0][rest / fast_men], self.sets[1][rest % fast_men]];
        let [men, other_men] = self.layout.slow_first(men_sets);
        let (men, other_men) = (Bitboard(men), Bitboard(other_men << OTHER_MEN_OFFSET));
        PlaceRow {
            first: number * self.row_len(),
            men,
            other_men,
            slow_kings: spread(self.sets[2][king_rank], men | other_men),
            mover_is_fast: self.layout.mover_is_fast,
        }
    }

    /// The positions of a sound row, in the order of their places.
    #[inline(always)]
    pub(crate) fn positions(&self, row: PlaceRow) -> impl Iterator<Item = Placement> {
        self.sets[3].iter().map(move |&set| row.placement(set))
    }

    /// The position of a place in `row`.
    #[inline(always)]
    pub(crate) fn position_in(&self, row: &PlaceRow, place: usize) -> Placement {
        row.placement(self.sets[3][place - row.first])
    }

    /// The position of a place; `None` for a place that means nothing.
    pub(crate) fn position(&self, place: usize) -> Option<Placement> {
        let row = self.row(place / self.row_len());
        row.is_sound().then(|| self.position_in(&row, place))
    }
}

/// The first sets of so many bits as binary numbers, in ascending order.
pub(crate) fn combinations(pieces: u8, count: u32) -> Vec<u32> {
    let mut set: u64 = (1 << pieces) - 1;
    let mut sets = Vec::with_capacity(count as usize);
    for _ in 0..count {
        sets.push(set as u32);
        // CITE: R. W. Gosper, HAKMEM item 175: the next number with as many bits.
        if set != 0 {
            let lowest = set & set.wrapping_neg();
            let ripple = set + lowest;
            set = ripple | (((set ^ ripple) >> 2) / lowest);
        }
    }
    sets
}

/// Puts bit i of `set` on the i-th square that is not `taken`.
#[inline(always)]
pub(crate) fn spread(mut set: u32, taken: Bitboard) -> Bitboard {
    let mut holes = taken.0;
    while holes != 0 {
        let below = (holes & holes.wrapping_neg()) - 1;
        set = (set & below) | (set & !below) << 1;
        holes &= holes - 1;
    }
    Bitboard(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the published combinatorics of the board say.
    const POSITIONS: [(u8, u64); 6] = [
        (2, 3_488),
        (3, 196_032),
        (4, 6_209_316),
        (5, 139_450_808),
        (6, 2_426_085_676),
        (7, 34_243_113_624),
    ];

    #[test]
    fn there_are_as_many_positions_as_are_known() {
        for (pieces, positions) in POSITIONS {
            let all = Material::all(pieces).into_iter();
            let sum: u64 = all.map(|material| Layout::new(material).positions()).sum();
            assert_eq!(sum, positions, "{pieces} pieces");
        }
    }

    #[test]
    fn places_and_positions_are_one_to_one() {
        for pieces in 2..=4 {
            for material in Material::all(pieces) {
                let places = Places::new(material);
                let mut sound = 0;
                for place in 0..places.layout.len() {
                    let Some(position) = places.position(place) else {
                        continue;
                    };
                    sound += 1;
                    assert_eq!(position.material(), material);
                    assert!(position.position().is_some(), "{position:?}");
                    assert_eq!(places.layout.place(&position), place);
                    assert_eq!(places.layout.place_turned(&position.turned()), place);
                }
                assert_eq!(sound, places.layout.positions(), "{material}");
            }
        }
    }

    #[test]
    fn rows_hold_all_places_in_order() {
        for material in ["KKm-KK", "Kmm-Km", "mm-mm", "KK-K", "K-KK"] {
            let places = Places::new(material.parse().unwrap());
            let mut next = 0;
            for number in 0..places.rows() {
                let row = places.row(number);
                assert_eq!(row.first, next);
                if row.is_sound() {
                    for (i, position) in places.positions(row).enumerate() {
                        assert_eq!(places.position_in(&row, next + i), position);
                    }
                }
                next += places.row_len();
            }
            assert_eq!(next, places.layout.len());
        }
    }
}
