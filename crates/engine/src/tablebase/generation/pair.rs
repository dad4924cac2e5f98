//! Retrograde analysis of a slice and its mirror image, which quiet moves lead to and fro between.
//!
//! A first look at each position finds what leads out of the two slices: captures, which settle the
//! position, and promotions. Then, distance by distance, what is decided in so many plies is told to
//! the positions before: from a lost one they are won; those before a won one are lost if all their
//! moves lead to won ones. What is never told anything is drawn.
//!
//! All of that is done for up to 32 positions at a time: see [`contexts`](super::contexts).
//!
//! CITE: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use checkers_lib::{Bitboard, ByColor, Color, MoveList, Square};

use super::contexts::{Context, Contexts};
use super::places::SEVENTH_ROW;
use super::side_table::{Decided, SideTable};
use super::slice_set::SliceSet;
use super::solved::Solved;
use crate::prefetch::prefetch;
use crate::tablebase::material::Material;
use crate::tablebase::parallel::{Parts, in_parts};
use crate::tablebase::processor::for_this_processor;
use crate::tablebase::value::{Distance, Wdl};

/// How many contexts a thread takes at a time.
const CONTEXTS_AT_A_TIME: usize = 2048;

/// How many contexts are fetched before the first of them is looked at.
const BEFORE_AT_A_TIME: usize = 64;

/// How long before its turn a candidate is fetched.
const CANDIDATES_AHEAD: usize = 4;

/// A distance does not fit into a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{material} has a distance beyond {} plies, which is more than its tables hold",
    Distance::LONGEST
)]
pub struct TooLong {
    /// Which slice, or its mirror image.
    pub material: Material,
}

/// How long a side takes to lose by captures and promotions that all lead to lost positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LosingChange {
    /// As long as the game takes from there.
    Counts,
    /// No time: such a position is as one without a move.
    IsTheEnd,
}

/// Solves a slice and, where it is another, its mirror image. The finished slices must have every slice
/// that captures and promotions lead to.
pub(crate) fn solve(
    material: Material,
    finished: &SliceSet,
    losing_change: LosingChange,
    threads: usize,
) -> Result<Vec<Solved>, TooLong> {
    let contexts = Contexts::new(material);
    let pair = SlicePair {
        sides: ByColor::new_with(|_| SideTable::new(contexts.len())),
        contexts,
        finished,
        losing_change,
        threads,
        last: AtomicU8::new(0),
    };
    pair.look_at_all();
    let mut told = Frontier::default();
    for distance in 0..Distance::LONGEST {
        let mut front = pair.due(distance);
        front.extend(match distance % 2 {
            0 => pair.losses_before(&told, distance),
            _ => pair.wins_before(&told, distance),
        });
        told = front;
        if told.is_empty() && distance >= pair.last.load(Relaxed) {
            return Ok(pair.finish(material));
        }
    }
    Err(TooLong { material })
}

/// The memory in bytes that [`solve`] takes besides the finished slices.
pub(crate) fn memory(material: Material, places: [u64; 2]) -> u64 {
    let contexts = Contexts::count(material);
    let side_table = contexts * (32 + 20 + 8);
    let frontiers = contexts * 16;
    let first = 2 * side_table + frontiers.max(2 * places[0]);
    first.max(side_table + 2 * (places[0] + places[1]))
}

/// What is decided in the same number of plies, by the side to move.
#[derive(Default)]
struct Frontier(ByColor<Vec<Decided>>);

impl Frontier {
    fn is_empty(&self) -> bool {
        self.0.white.is_empty() && self.0.black.is_empty()
    }

    fn extend(&mut self, other: Frontier) {
        for side in [Color::White, Color::Black] {
            self.0[side].extend_from_slice(&other.0[side]);
        }
    }
}

/// Some positions of a context from which a move leads to one that is decided.
struct Before {
    context: Context,
    number: u32,
    squares: Bitboard,
}

/// What a thread needs for the first look.
#[derive(Default)]
struct Scratch<'a> {
    moves: MoveList,
    /// Where the positions after captures are looked up, with the runner's squares before them.
    after_captures: Vec<(Square, &'a u8)>,
}

struct SlicePair<'a> {
    contexts: Contexts,
    sides: ByColor<SideTable>,
    finished: &'a SliceSet,
    losing_change: LosingChange,
    threads: usize,
    /// The longest distance foreseen.
    last: AtomicU8,
}

impl SlicePair<'_> {
    /// Takes the first look at all positions.
    fn look_at_all(&self) {
        let contexts = self.contexts.len();
        in_parts(self.threads, contexts, CONTEXTS_AT_A_TIME, |parts| {
            for_this_processor!(parts, |parts| self.look_at_parts(parts));
        });
    }

    #[inline(always)]
    fn look_at_parts(&self, parts: &mut Parts) {
        let mut scratch = Scratch::default();
        let mut last = 0;
        for number in parts.flatten() {
            if let Some(context) = self.contexts.context(number) {
                for side in Color::ALL {
                    last = last.max(self.look_at(&context, number, side, &mut scratch));
                }
            }
        }
        self.last.fetch_max(last, Relaxed);
    }

    /// Looks at the positions that are at home in a context; returns the longest distance.
    #[inline(always)]
    fn look_at<'l>(
        &'l self,
        context: &Context,
        number: usize,
        side: Color,
        scratch: &mut Scratch<'l>,
    ) -> u8 {
        let side_table = &self.sides[side];
        let at_home = self.contexts.squares(context) & self.contexts.home(context);
        let quiet = at_home - self.contexts.with_capture(context, side);
        let movable = quiet & self.contexts.with_move(context, side);
        // Quiet moves may win, and lose if all do, unless a promotion does better.
        let (winnable, mut losable) = (movable, movable);
        let mut found = [Distance::DRAW.0; 32];
        for square in at_home - quiet {
            let position = self.contexts.position(context, square, side);
            found[square as usize] = Distance::LOST.before().0;
            let visit = |after| scratch.after_captures.push((square, after));
            (self.finished).for_each_after_capture(&position, &mut scratch.moves, visit);
        }
        // They have been fetched by now.
        for (square, after) in scratch.after_captures.drain(..) {
            let worst = &mut found[square as usize];
            *worst = Distance(*worst).min(Distance(*after)).0;
        }
        for square in at_home - quiet {
            let value = &mut found[square as usize];
            *value = self.by_change(Distance(*value).before()).0;
        }
        for square in quiet - movable {
            found[square as usize] = Distance::LOST.0;
        }
        for square in self.with_promotions(context, side, quiet) {
            let position = self.contexts.position(context, square, side);
            if let Some(best) = self.finished.value_by_promotions(&position) {
                let is_losing = best.wdl() == Wdl::Loss;
                if !(is_losing && movable.contains(square)) {
                    losable = losable - square.into();
                    found[square as usize] = self.by_change(best).0;
                }
            }
        }
        side_table.quiet[number].fetch_or(quiet.0, Relaxed);
        side_table.winnable[number].fetch_or(winnable.0, Relaxed);
        side_table.losable[number].open.fetch_or(losable.0, Relaxed);
        for (i, eight) in found.as_chunks::<8>().0.iter().enumerate() {
            // Nobody else has written there, and what is to be overwritten has all bits set.
            side_table.distances[4 * number + i].fetch_and(u64::from_le_bytes(*eight), Relaxed);
        }
        let mut last = 0;
        for square in at_home {
            let value = found[square as usize];
            if value != Distance::DRAW.0 {
                side_table.note(number, value);
                last = last.max(value);
            }
            self.for_each_other(context, square.into(), |other, runner| {
                let set = |set: Bitboard| if set.contains(square) { runner.0 } else { 0 };
                side_table.winnable[other].fetch_or(set(winnable), Relaxed);
                side_table.losable[other]
                    .open
                    .fetch_or(set(losable), Relaxed);
                if value != Distance::DRAW.0 {
                    side_table.write(other, runner, value);
                    side_table.note(other, value);
                }
            });
        }
        last
    }

    /// What a position is worth if the best capture or promotion makes it worth this.
    #[inline(always)]
    fn by_change(&self, value: Distance) -> Distance {
        match self.losing_change {
            LosingChange::IsTheEnd if value.wdl() == Wdl::Loss => Distance::LOST,
            _ => value,
        }
    }

    /// What was foreseen to be decided in so many plies, and still is.
    fn due(&self, distance: u8) -> Frontier {
        self.front(|side_table, _| {
            in_parts(
                self.threads,
                self.contexts.len(),
                CONTEXTS_AT_A_TIME,
                |parts| {
                    for_this_processor!(parts, |parts| side_table.take_all_due(parts, distance))
                },
            )
        })
    }

    /// What was not decided yet and is won by a move to a position that is lost in a ply less.
    fn wins_before(&self, lost: &Frontier, distance: u8) -> Frontier {
        self.front(|_, side| {
            let lost = &lost.0[!side];
            in_parts(self.threads, lost.len(), CONTEXTS_AT_A_TIME, |parts| {
                for_this_processor!(parts, |parts| self.claim_wins(parts, lost, side, distance))
            })
        })
    }

    /// What was not decided yet and is lost, since all moves lead to won positions, one at least to a
    /// position that is won in a ply less.
    fn losses_before(&self, won: &Frontier, distance: u8) -> Frontier {
        self.front(|_, side| {
            let won = &won.0[!side];
            let found = in_parts(self.threads, won.len(), CONTEXTS_AT_A_TIME, |parts| {
                for_this_processor!(parts, |parts| self.find_candidates(parts, won, side))
            });
            let found = found.concat();
            in_parts(self.threads, found.len(), CONTEXTS_AT_A_TIME, |parts| {
                for_this_processor!(parts, |parts| self
                    .find_losses(parts, &found, side, distance))
            })
        })
    }

    /// Has both sides find what is decided.
    fn front(&self, find: impl Fn(&SideTable, Color) -> Vec<Vec<Decided>>) -> Frontier {
        Frontier(ByColor::new_with(|side| {
            find(&self.sides[side], side).concat()
        }))
    }

    #[inline(always)]
    fn claim_wins(
        &self,
        parts: &mut Parts,
        lost: &[Decided],
        side: Color,
        distance: u8,
    ) -> Vec<Decided> {
        let side_table = &self.sides[side];
        let mut found = Vec::new();
        let fetch = |number: usize| prefetch(side_table.winnable.get(number));
        self.for_each_before(parts, lost, side, fetch, |before| {
            let number = before.number as usize;
            let new = side_table.claim_win(number, before.squares, distance, &mut found);
            self.for_each_other(&before.context, new, |other, runner| {
                side_table.claim_win(other, runner, distance, &mut found);
            });
        });
        found
    }

    /// The contexts of positions that lead to one of those that are won.
    #[inline(always)]
    fn find_candidates(&self, parts: &mut Parts, won: &[Decided], side: Color) -> Vec<u32> {
        let side_table = &self.sides[side];
        let mut found = Vec::new();
        let fetch = |number: usize| prefetch(side_table.losable.get(number));
        self.for_each_before(parts, won, side, fetch, |before| {
            let losable = &side_table.losable[before.number as usize];
            let open = losable.open.load(Relaxed) & before.squares.0;
            if open != 0 && losable.candidates.fetch_or(open, Relaxed) == 0 {
                found.push(before.number);
            }
        });
        found
    }

    #[inline(always)]
    fn find_losses(
        &self,
        parts: &mut Parts,
        candidates: &[u32],
        side: Color,
        distance: u8,
    ) -> Vec<Decided> {
        let mut found = Vec::new();
        let losable = &self.sides[side].losable;
        for i in parts.flatten() {
            let ahead = candidates.get(i + CANDIDATES_AHEAD);
            prefetch(ahead.and_then(|&number| losable.get(number as usize)));
            self.find_losses_in(candidates[i] as usize, side, distance, &mut found);
        }
        found
    }

    /// Finds out which of a context's candidates are lost.
    #[inline(always)]
    fn find_losses_in(&self, number: usize, side: Color, distance: u8, found: &mut Vec<Decided>) {
        let side_table = &self.sides[side];
        let Some(context) = self.contexts.context(number) else {
            return;
        };
        let losable = &side_table.losable[number];
        let candidates = losable.candidates.swap(0, Relaxed) & losable.open.load(Relaxed);
        let lost =
            self.contexts
                .only_good_after(&context, number, side, Bitboard(candidates), |after| {
                    self.sides[!side].won(after)
                });
        if lost.is_empty() {
            return;
        }
        let promoting = self.with_promotions(&context, side, lost);
        let mut lose = |lost: Bitboard, plies: u8| {
            let found = (plies == distance).then_some(&mut *found);
            self.lose(&context, number, side, lost, plies, found);
        };
        lose(lost - promoting, distance);
        for square in promoting {
            let position = self.contexts.position(&context, square, side);
            let promotion = self.finished.value_by_promotions(&position);
            let promotion = promotion.and_then(Distance::plies);
            let plies = promotion.map_or(distance, |plies| plies.max(distance));
            lose(square.into(), plies);
        }
    }

    /// Writes that positions are lost, here and wherever else they are; now if there is a list of
    /// what is, otherwise to come.
    #[inline(always)]
    fn lose(
        &self,
        context: &Context,
        number: usize,
        side: Color,
        lost: Bitboard,
        plies: u8,
        mut found: Option<&mut Vec<Decided>>,
    ) {
        let side_table = &self.sides[side];
        if found.is_none() {
            self.last.fetch_max(plies, Relaxed);
        }
        let new = side_table.claim_loss(number, lost, plies, found.as_deref_mut());
        self.for_each_other(context, new, |other, runner| {
            side_table.claim_loss(other, runner, plies, found.as_deref_mut());
        });
    }

    /// Those of the runner's squares with which a side has a man on the row before the last.
    #[inline(always)]
    fn with_promotions(&self, context: &Context, side: Color, squares: Bitboard) -> Bitboard {
        let row = match side {
            Color::White => SEVENTH_ROW,
            Color::Black => SEVENTH_ROW.rotated(),
        };
        let runner = self.contexts.runner;
        if !(context.men[side] & row).is_empty() {
            squares
        } else if runner.side == side && !runner.is_king {
            squares & row
        } else {
            Bitboard::EMPTY
        }
    }

    /// Visits all positions of a side to move from which a quiet move leads to one of those that are
    /// decided. Each has been fetched some time before it is visited: that is where the time goes.
    #[inline(always)]
    fn for_each_before(
        &self,
        parts: &mut Parts,
        decided: &[Decided],
        side: Color,
        fetch: impl Fn(usize),
        mut visit: impl FnMut(&Before),
    ) {
        let mut ahead = Vec::with_capacity(2 * BEFORE_AT_A_TIME);
        for decided in parts.flat_map(|part| &decided[part]) {
            self.before(decided, side, |context, number, squares| {
                fetch(number);
                ahead.push(Before {
                    context: *context,
                    number: number as u32,
                    squares,
                });
            });
            if ahead.len() >= BEFORE_AT_A_TIME {
                ahead.drain(..).for_each(|before| visit(&before));
            }
        }
        ahead.iter().for_each(visit);
    }

    /// Finds the contexts from which a quiet move of a side leads to one of the positions that are
    /// decided, with the runner's squares.
    #[inline(always)]
    fn before(
        &self,
        decided: &Decided,
        side: Color,
        mut visit: impl FnMut(&Context, usize, Bitboard),
    ) {
        let number = decided.context as usize;
        let Some(context) = self.contexts.context(number) else {
            return;
        };
        if self.contexts.runner.side == side {
            let squares = self.contexts.before_runner(&context, decided.squares);
            visit(&context, number, squares);
        }
        // Every position is at home once.
        let at_home = decided.squares & self.contexts.home(&context);
        if !at_home.is_empty() {
            self.contexts
                .for_each_before(&context, number, side, at_home, visit);
        }
    }

    /// The other contexts that some positions are in.
    #[inline(always)]
    fn for_each_other(
        &self,
        context: &Context,
        squares: Bitboard,
        mut visit: impl FnMut(usize, Bitboard),
    ) {
        if self.contexts.runner.count > 1 {
            for square in squares {
                self.contexts
                    .for_each_other(context, square.into(), &mut visit);
            }
        }
    }

    /// The slices by their places.
    fn finish(self, material: Material) -> Vec<Solved> {
        let SlicePair {
            contexts,
            sides: ByColor { white, black },
            threads,
            ..
        } = self;
        let mut solved = vec![white.finish(&contexts, material, Color::White, threads)];
        drop(white);
        let mirrored = material.mirrored();
        if mirrored != material {
            solved.push(black.finish(&contexts, mirrored, Color::Black, threads));
        }
        solved
    }
}
