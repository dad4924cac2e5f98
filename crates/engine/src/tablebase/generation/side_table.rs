//! The positions of a slice while it is being solved, by their contexts.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use checkers_lib::Bitboard;

use super::pages;
use crate::prefetch::prefetch;
use crate::tablebase::parallel::Parts;

/// Positions with one side to move while they are being solved; a bit of a set is a square of the
/// runner.
pub(crate) struct SideTable {
    /// Distances as far as they are known, a byte for each square of the runner: final below the
    /// distance that is told from, perhaps to be shortened for wins above it.
    pub(crate) distances: Vec<AtomicU64>,
    /// Those without a capture, for each context.
    pub(crate) quiet: Vec<AtomicU32>,
    /// Those of them that a move may still win.
    pub(crate) winnable: Vec<AtomicU32>,
    pub(crate) losable: Vec<LossCandidates>,
    /// The won ones by now, for each context.
    pub(crate) won: Vec<AtomicU32>,
    /// For each context the distances that have been foreseen in it, a bit each, modulo 64: those
    /// for which its distances have to be looked through.
    noted: Vec<AtomicU64>,
}

/// The positions of a context that may come to be lost.
#[derive(Default)]
pub(crate) struct LossCandidates {
    /// Those without a capture that are lost once all moves within the slices lose.
    pub(crate) open: AtomicU32,
    /// Those of them that might be lost by now.
    pub(crate) candidates: AtomicU32,
}

impl SideTable {
    pub(crate) fn new(contexts: usize) -> SideTable {
        let mut table = SideTable {
            distances: pages::with_capacity(4 * contexts),
            quiet: pages::with_capacity(contexts),
            winnable: pages::with_capacity(contexts),
            losable: pages::with_capacity(contexts),
            won: pages::with_capacity(contexts),
            noted: pages::with_capacity(contexts),
        };
        table
            .distances
            .resize_with(4 * contexts, || AtomicU64::new(!0));
        table.losable.resize_with(contexts, LossCandidates::default);
        for sets in [&mut table.quiet, &mut table.winnable, &mut table.won] {
            sets.resize_with(contexts, AtomicU32::default);
        }
        table.noted.resize_with(contexts, AtomicU64::default);
        table
    }

    #[inline(always)]
    pub(crate) fn distance(&self, context: usize, square: usize) -> u8 {
        (self.distances[4 * context + square / 8].load(Relaxed) >> (8 * (square % 8))) as u8
    }

    /// Writes the distances of positions that no other thread writes.
    #[inline(always)]
    pub(crate) fn write(&self, context: usize, squares: Bitboard, distance: u8) {
        for square in squares {
            let square = square as usize;
            let change = self.distance(context, square) ^ distance;
            let word = &self.distances[4 * context + square / 8];
            word.fetch_xor(u64::from(change) << (8 * (square % 8)), Relaxed);
        }
    }

    /// The positions of a context with this distance.
    #[inline(always)]
    pub(crate) fn with_distance(&self, context: usize, distance: u8) -> Bitboard {
        const LOW: u64 = 0x0101_0101_0101_0101;
        let mut squares = 0;
        for i in 0..4 {
            let word = self.distances[4 * context + i].load(Relaxed) ^ (LOW * u64::from(distance));
            // The highest bit of each byte that is 0, then all of them together.
            let low_bits = LOW * 0x7f;
            let zeros = !(((word & low_bits) + low_bits) | word | low_bits);
            let bits = (zeros >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            squares |= (bits as u32) << (8 * i);
        }
        Bitboard(squares)
    }

    /// Foresees a distance.
    #[inline(always)]
    pub(crate) fn note(&self, context: usize, distance: u8) {
        self.noted[context].fetch_or(note(distance), Relaxed);
    }

    /// Has fetched what is known of a position.
    #[inline(always)]
    pub(crate) fn prefetch_position(&self, context: usize, square: usize) {
        prefetch(self.quiet.get(context));
        prefetch(self.distances.get(4 * context + square / 8));
    }

    #[inline(always)]
    pub(crate) fn won(&self, context: usize) -> Bitboard {
        Bitboard(self.won[context].load(Relaxed))
    }
}

/// The bit of a distance among those that are noted.
#[inline(always)]
fn note(distance: u8) -> u64 {
    1 << (distance % 64)
}

/// Some positions of a context that are decided in the same number of plies.
#[derive(Clone, Copy)]
pub(crate) struct Decided {
    pub(crate) context: u32,
    pub(crate) squares: Bitboard,
}

impl SideTable {
    #[inline(always)]
    pub(crate) fn take_all_due(&self, parts: &mut Parts, distance: u8) -> Vec<Decided> {
        let note = note(distance);
        let mut found = Vec::new();
        for context in parts.flatten() {
            if self.noted[context].load(Relaxed) & note != 0 {
                self.take_due(context, distance, &mut found);
            }
        }
        found
    }

    /// Adds what is due now in a context, and settles it.
    #[inline(always)]
    pub(crate) fn take_due(&self, context: usize, distance: u8, found: &mut Vec<Decided>) {
        let due = self.with_distance(context, distance);
        if due.is_empty() {
            return;
        }
        self.winnable[context].fetch_and(!due.0, Relaxed);
        self.losable[context].open.fetch_and(!due.0, Relaxed);
        if distance % 2 == 1 {
            self.won[context].fetch_or(due.0, Relaxed);
        }
        found.push(Decided {
            context: context as u32,
            squares: due,
        });
    }

    /// Those of the positions that were not decided are won now; returns them.
    #[inline(always)]
    pub(crate) fn claim_win(
        &self,
        context: usize,
        squares: Bitboard,
        distance: u8,
        found: &mut Vec<Decided>,
    ) -> Bitboard {
        let winnable = &self.winnable[context];
        if winnable.load(Relaxed) & squares.0 == 0 {
            return Bitboard::EMPTY;
        }
        let new = winnable.fetch_and(!squares.0, Relaxed) & squares.0;
        self.losable[context].open.fetch_and(!new, Relaxed);
        self.won[context].fetch_or(new, Relaxed);
        self.write(context, Bitboard(new), distance);
        found.push(Decided {
            context: context as u32,
            squares: Bitboard(new),
        });
        Bitboard(new)
    }

    /// Those of the positions that were not known to be lost are; returns them. They are added to
    /// the list of what is decided now, or noted where that is to come.
    #[inline(always)]
    pub(crate) fn claim_loss(
        &self,
        context: usize,
        squares: Bitboard,
        distance: u8,
        found: Option<&mut Vec<Decided>>,
    ) -> Bitboard {
        let losable = &self.losable[context].open;
        let new = losable.fetch_and(!squares.0, Relaxed) & squares.0;
        if new == 0 {
            return Bitboard::EMPTY;
        }
        self.winnable[context].fetch_and(!new, Relaxed);
        self.write(context, Bitboard(new), distance);
        match found {
            Some(found) => found.push(Decided {
                context: context as u32,
                squares: Bitboard(new),
            }),
            None => self.note(context, distance),
        }
        Bitboard(new)
    }
}
