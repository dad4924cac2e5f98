//! Many positions at a time: those that differ in the square of one piece alone.
//!
//! That piece is the *runner*, and squares where it may stand are a set, a bit each. All other pieces
//! are a [`Context`]. A quiet move of another piece leads from a context to another one for all
//! squares of the runner at once but those on its way; the runner's own moves are slides of sets
//! within a context. Contexts are numbered like places of a slice, by ranks of sets of squares.
//!
//! White's pieces are those of the side to move of the material that the pair of slices is named
//! after; with Black to move the positions are those of the mirror image.
//!
//! If the runner is one of several equal pieces, each of them may be the runner: such a position is in
//! as many contexts. It is *at home* in the one where the runner stands highest.

use checkers_lib::geometry::{Direction, next, slide, step};
use checkers_lib::{Bitboard, ByColor, Color, Square};

use super::places::{combinations, spread};
use crate::tablebase::layout::{rank, rank_low, sets};
use crate::tablebase::material::{Force, Material};
use crate::tablebase::placement::Placement;

/// The squares that men of a side can stand on.
fn men_squares(side: Color) -> Bitboard {
    !Bitboard::promotion_row(side)
}

/// All pieces but the runner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Context {
    pub(crate) men: ByColor<Bitboard>,
    pub(crate) kings: ByColor<Bitboard>,
}

impl Context {
    #[inline(always)]
    fn all_men(&self) -> Bitboard {
        self.men.white | self.men.black
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.all_men() | self.kings.white | self.kings.black
    }
}

/// Which piece the runner is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Runner {
    pub(crate) side: Color,
    pub(crate) is_king: bool,
    /// How many such pieces there are.
    pub(crate) count: u8,
}

impl Runner {
    /// The kind of piece of which there are fewest.
    fn of(material: Material) -> Runner {
        let forces = [
            (Color::White, material.mover),
            (Color::Black, material.other),
        ];
        let runner = |side, is_king, count| Runner {
            side,
            is_king,
            count,
        };
        let kings = forces.map(|(side, force)| runner(side, true, force.kings));
        let men = forces.map(|(side, force)| runner(side, false, force.men));
        let mut fewest = kings[0];
        for other in [kings[1], men[0], men[1]] {
            let is_better = fewest.count == 0 || other.count < fewest.count;
            if other.count > 0 && is_better {
                fewest = other;
            }
        }
        fewest
    }

    /// The pieces of a context that are as the runner.
    #[inline(always)]
    fn equals(self, context: &Context) -> Bitboard {
        if self.is_king {
            context.kings[self.side]
        } else {
            context.men[self.side]
        }
    }

    #[inline(always)]
    fn put(self, context: &mut Context, pieces: Bitboard) {
        if self.is_king {
            context.kings[self.side] = pieces;
        } else {
            context.men[self.side] = pieces;
        }
    }
}

/// The contexts of a pair of slices.
#[derive(Debug)]
pub(crate) struct Contexts {
    pub(crate) runner: Runner,
    /// The sets of each rank: White's men, Black's men, White's kings, Black's kings.
    sets: [Vec<u32>; 4],
}

impl Contexts {
    pub(crate) fn new(material: Material) -> Contexts {
        let (runner, forces) = Contexts::without_runner(material);
        let counts = [
            forces.white.men,
            forces.black.men,
            forces.white.kings,
            forces.black.kings,
        ];
        let radices = radices(forces);
        let set = |i: usize| combinations(counts[i], radices[i]);
        Contexts {
            runner,
            sets: [set(0), set(1), set(2), set(3)],
        }
    }

    fn without_runner(material: Material) -> (Runner, ByColor<Force>) {
        let runner = Runner::of(material);
        let mut forces = ByColor {
            white: material.mover,
            black: material.other,
        };
        let force = &mut forces[runner.side];
        if runner.is_king {
            force.kings -= 1;
        } else {
            force.men -= 1;
        }
        (runner, forces)
    }

    /// How many contexts a pair has.
    pub(crate) fn count(material: Material) -> u64 {
        let (_, forces) = Contexts::without_runner(material);
        radices(forces).map(u64::from).iter().product()
    }

    pub(crate) fn len(&self) -> usize {
        self.sets.iter().map(Vec::len).product()
    }

    /// The number of a context. O(pieces).
    #[inline(always)]
    pub(crate) fn number(&self, context: &Context) -> usize {
        let white_men = rank_low(context.men.white.0) as usize;
        let black_men = rank_low(context.men.black.0 >> 4) as usize;
        self.number_with_men(white_men * self.sets[1].len() + black_men, context)
    }

    /// The same, with the men's part of it known.
    #[inline(always)]
    fn number_with_men(&self, men_number: usize, context: &Context) -> usize {
        let men = context.all_men();
        let white_kings = rank(context.kings.white, men) as usize;
        let black_kings = rank(context.kings.black, men | context.kings.white) as usize;
        (men_number * self.sets[2].len() + white_kings) * self.sets[3].len() + black_kings
    }

    /// The men's part of a context's number.
    #[inline(always)]
    fn men_number(&self, number: usize) -> usize {
        // Short divisions are quick ones, and numbers of contexts have 32 bits.
        (number as u32 / (self.sets[2].len() * self.sets[3].len()) as u32) as usize
    }

    /// The context of a number; `None` where men would stand on men.
    #[inline(always)]
    pub(crate) fn context(&self, number: usize) -> Option<Context> {
        let [_, black_men, white_kings, black_kings] = &self.sets;
        // Short divisions are quick ones, and numbers of contexts have 32 bits.
        let split = |number: u32, sets: &[u32]| {
            let radix = sets.len() as u32;
            (number / radix, sets[(number % radix) as usize])
        };
        let (rest, black_kings) = split(number as u32, black_kings);
        let (rest, white_kings) = split(rest, white_kings);
        let (rest, black_men) = split(rest, black_men);
        let white_men = Bitboard(self.sets[0][rest as usize]);
        let black_men = Bitboard(black_men << 4);
        if !(white_men & black_men).is_empty() {
            return None;
        }
        let men = white_men | black_men;
        let white_kings = spread(white_kings, men);
        let black_kings = spread(black_kings, men | white_kings);
        Some(Context {
            men: ByColor {
                white: white_men,
                black: black_men,
            },
            kings: ByColor {
                white: white_kings,
                black: black_kings,
            },
        })
    }

    /// Where the runner can stand.
    #[inline(always)]
    pub(crate) fn squares(&self, context: &Context) -> Bitboard {
        let free = !context.occupied();
        if self.runner.is_king {
            free
        } else {
            free & men_squares(self.runner.side)
        }
    }

    /// Where the runner stands in positions that are at home here.
    #[inline(always)]
    pub(crate) fn home(&self, context: &Context) -> Bitboard {
        let highest = self.runner.equals(context).0.checked_ilog2();
        Bitboard(highest.map_or(u32::MAX, |highest| u32::MAX << highest << 1))
    }

    /// The position with the runner on a square, seen by the side to move.
    #[inline(always)]
    pub(crate) fn position(&self, context: &Context, square: Square, turn: Color) -> Placement {
        let mut all = *context;
        self.runner
            .put(&mut all, self.runner.equals(context) | square.into());
        let placement = Placement {
            men: all.men.white,
            kings: all.kings.white,
            other_men: all.men.black,
            other_kings: all.kings.black,
        };
        match turn {
            Color::White => placement,
            Color::Black => placement.turned(),
        }
    }

    /// Where a position is at home, and the runner's square there.
    #[inline(always)]
    pub(crate) fn find(&self, position: &Placement, turn: Color) -> (usize, u32) {
        let seen = match turn {
            Color::White => *position,
            Color::Black => position.turned(),
        };
        let mut context = Context {
            men: ByColor {
                white: seen.men,
                black: seen.other_men,
            },
            kings: ByColor {
                white: seen.kings,
                black: seen.other_kings,
            },
        };
        let equals = self.runner.equals(&context);
        let square = 31 - (equals.0 | 1).leading_zeros();
        self.runner
            .put(&mut context, equals - Bitboard(1 << square));
        (self.number(&context), square)
    }

    /// The other contexts that the position with the runner on a square is in, and its runner there.
    #[inline]
    pub(crate) fn for_each_other(
        &self,
        context: &Context,
        square: Bitboard,
        mut visit: impl FnMut(usize, Bitboard),
    ) {
        let equals = self.runner.equals(context);
        for other in equals {
            let mut there = *context;
            let other = Bitboard::from(other);
            self.runner.put(&mut there, equals ^ other ^ square);
            visit(self.number(&there), other);
        }
    }

    /// From where the runner moves to one of `to` without a capture or a promotion.
    #[inline(always)]
    pub(crate) fn before_runner(&self, context: &Context, to: Bitboard) -> Bitboard {
        let empty = self.squares(context);
        let mut from = Bitboard::EMPTY;
        if self.runner.is_king {
            for direction in Direction::ALL {
                from |= slide(to, direction, empty);
            }
        } else {
            for direction in Direction::forward(self.runner.side) {
                from |= step(to, direction.opposite());
            }
        }
        from & empty
    }

    /// Goes back all quiet moves of a side, the runner's and its equals' left out, by which positions
    /// of a context were reached with the runner on one of `squares`: visits each context before,
    /// with the squares that are not in the way of the move.
    #[inline(always)]
    pub(crate) fn for_each_before(
        &self,
        context: &Context,
        number: usize,
        side: Color,
        squares: Bitboard,
        mut visit: impl FnMut(&Context, usize, Bitboard),
    ) {
        let is_runners = self.runner.side == side;
        if !is_runners || self.runner.is_king {
            let [left, right] = Direction::forward(side);
            let back = [left.opposite(), right.opposite()];
            self.for_each_step(context, side, back, |before, from| {
                let squares = squares - from;
                if !squares.is_empty() {
                    visit(before, self.number(before), squares);
                }
            });
        }
        if !is_runners || !self.runner.is_king {
            let men_number = self.men_number(number);
            for king in context.kings[side] {
                for_each_slide(context, side, king, |before, way| {
                    let squares = squares - way;
                    if !squares.is_empty() {
                        visit(before, self.number_with_men(men_number, before), squares);
                    }
                });
            }
        }
    }

    /// Those of `squares` for the runner from which every quiet move of a side, promotions apart,
    /// leads to what `is_good` says of a context: squares of the runner.
    #[inline(always)]
    pub(crate) fn only_good_after(
        &self,
        context: &Context,
        number: usize,
        side: Color,
        squares: Bitboard,
        is_good: impl Fn(usize) -> Bitboard,
    ) -> Bitboard {
        let mut squares = squares;
        if self.runner.side == side {
            let bad = self.squares(context) - is_good(number);
            squares = squares - self.before_runner(context, bad);
        }
        if squares.is_empty() {
            return squares;
        }
        // All moves of a king are looked up, even if the first one tells enough: to wait for one after
        // the other takes longer.
        let men_number = self.men_number(number);
        for king in context.kings[side] {
            for_each_slide(context, side, king, |after, way| {
                squares &= is_good(self.number_with_men(men_number, after)) | way;
            });
            if squares.is_empty() {
                return squares;
            }
        }
        self.for_each_step(context, side, Direction::forward(side), |after, to| {
            squares &= is_good(self.number(after)) | to;
        });
        squares
    }

    /// The contexts after steps of a side's men that end on squares for men, with these squares.
    #[inline(always)]
    fn for_each_step(
        &self,
        context: &Context,
        side: Color,
        directions: [Direction; 2],
        mut visit: impl FnMut(&Context, Bitboard),
    ) {
        let men = context.men[side];
        let empty = !context.occupied() & men_squares(side);
        for direction in directions {
            for to in step(men, direction) & empty {
                let to = Bitboard::from(to);
                let mut after = *context;
                after.men[side] = men ^ to ^ step(to, direction.opposite());
                visit(&after, to);
            }
        }
    }
}

/// The contexts after slides of a side's king, with the squares that must be empty for it.
#[inline(always)]
fn for_each_slide(
    context: &Context,
    side: Color,
    king: Square,
    mut visit: impl FnMut(&Context, Bitboard),
) {
    let others = context.kings[side] ^ king.into();
    let occupied = context.occupied();
    for direction in Direction::ALL {
        let (mut at, mut way) = (king, Bitboard::EMPTY);
        while let Some(to) = next(at, direction).filter(|&to| !occupied.contains(to)) {
            at = to;
            way |= to.into();
            let mut after = *context;
            after.kings[side] = others | to.into();
            visit(&after, way);
        }
    }
}

/// How many sets there are of each rank.
fn radices(forces: ByColor<Force>) -> [u32; 4] {
    let ByColor { white, black } = forces;
    let free = 32 - white.men - black.men;
    [
        sets(white.men, 28),
        sets(black.men, 28),
        sets(white.kings, free),
        sets(black.kings, free - white.kings),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_and_numbers_are_one_to_one() {
        for pieces in 2..=5 {
            for material in Material::all(pieces) {
                let contexts = Contexts::new(material);
                assert_eq!(contexts.len() as u64, Contexts::count(material));
                for number in 0..contexts.len() {
                    if let Some(context) = contexts.context(number) {
                        assert_eq!(contexts.number(&context), number, "{material}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_position_is_at_home_in_one_context_and_as_often_elsewhere_as_it_has_equals() {
        for material in ["KK-K", "Kmm-m", "KKK-KK", "mm-mm", "KKm-Kmm"] {
            let contexts = Contexts::new(material.parse().unwrap());
            for number in (0..contexts.len()).step_by(7) {
                let Some(context) = contexts.context(number) else {
                    continue;
                };
                let squares = contexts.squares(&context);
                for square in squares & contexts.home(&context) {
                    for turn in [Color::White, Color::Black] {
                        let position = contexts.position(&context, square, turn);
                        let home = (number, square as u32);
                        assert_eq!(contexts.find(&position, turn), home, "{position:?}");
                        let mut others = 1;
                        contexts.for_each_other(&context, square.into(), |other, runner| {
                            others += 1;
                            let there = contexts.context(other).unwrap();
                            let runner = runner.first().unwrap();
                            assert!(contexts.squares(&there).contains(runner));
                            assert!(!contexts.home(&there).contains(runner));
                            assert_eq!(contexts.position(&there, runner, turn), position);
                        });
                        assert_eq!(others, contexts.runner.count);
                    }
                }
            }
        }
    }
}
