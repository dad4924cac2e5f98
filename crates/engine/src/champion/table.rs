//! The transposition table that all threads of a search share.
//!
//! A cluster is a cache line of four entries, each of two words: what is known, and the position's
//! key exclusive or what is known. Threads read and write the words one by one without locks; an
//! entry whose two words come from different writes does not belong to any key, and counts as
//! empty. Old and shallow entries are replaced first: each search is a generation.
//!
//! Every entry says in which epoch it was stored, and those of other epochs count as empty too. So to
//! forget a game takes no time, however large the table is, though its clock may run already.
//!
//! CITE: R. Hyatt, T. Mann, "A lock-less transposition table implementation for parallel search
//! chess engines", ICGA Journal 25(1), 2002.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use super::params::PARAMS;
use crate::Score;
use crate::memory::Memory;
use crate::random::scale;
use crate::score::Bound;

/// Entries to a cluster.
const ENTRIES: usize = 4;
const WORDS_OF_CLUSTER: usize = 2 * ENTRIES;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TtEntry {
    /// How many plies deep the position was searched, 0–255.
    pub(super) depth: u32,
    pub(super) bound: Bound,
    /// Wins and losses are counted from the position.
    pub(super) score: Score,
    /// The place of the best move in generation order, below 128, if there is a best one.
    pub(super) best: Option<usize>,
}

/// The table, within a fixed budget of memory.
pub(super) struct SharedTable {
    memory: Option<Memory>,
    clusters: usize,
    generation: AtomicU8,
    epoch: AtomicU32,
}

/// Bits of the generation of an entry.
const GENERATION_BITS: u32 = 6;
const GENERATIONS: u8 = 1 << GENERATION_BITS;
/// Bits of a score, sign included.
const SCORE_BITS: u32 = 21;
/// Where the epoch of an entry begins, which has all bits above that.
const EPOCH_SHIFT: u32 = 24 + SCORE_BITS;
/// The epoch before anything was forgotten; words that nobody has written have none.
const UNTOUCHED: u32 = 1;
const LAST_EPOCH: u32 = (1 << (64 - EPOCH_SHIFT)) - 1;

const _: () = assert!(Score::WIN.value() < 1 << (SCORE_BITS - 1));

impl SharedTable {
    /// A table of `mebibytes` MiB, or one that stores nothing if there is no such memory.
    pub(super) fn new(mebibytes: u32) -> SharedTable {
        let clusters = (mebibytes as usize * 1024 * 1024) / (8 * WORDS_OF_CLUSTER);
        let memory = Memory::zeroed(clusters * WORDS_OF_CLUSTER);
        SharedTable {
            clusters: if memory.is_some() { clusters } else { 0 },
            memory,
            generation: AtomicU8::new(0),
            epoch: AtomicU32::new(UNTOUCHED),
        }
    }

    /// Forgets everything. O(budget) at first, when that makes sure that all the memory is there, and
    /// every half a million times; otherwise O(1).
    pub(super) fn clear(&self) {
        let next = match self.epoch.load(Ordering::Relaxed) {
            UNTOUCHED | LAST_EPOCH => {
                self.wipe();
                UNTOUCHED + 1
            }
            epoch => epoch + 1,
        };
        self.epoch.store(next, Ordering::Relaxed);
        self.generation.store(0, Ordering::Relaxed);
    }

    /// The system hands memory out as it is touched, which takes time.
    fn wipe(&self) {
        for word in self.words() {
            word.store(0, Ordering::Relaxed);
        }
    }

    /// Begins a search: what is known from earlier ones is replaced first.
    pub(super) fn next_generation(&self) {
        let next = self.generation.load(Ordering::Relaxed).wrapping_add(1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    fn words(&self) -> &[AtomicU64] {
        self.memory.as_ref().map_or(&[], Memory::words)
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[AtomicU64] {
        let first = scale(key, self.clusters) * WORDS_OF_CLUSTER;
        let words = self.words();
        words
            .get(first..first + WORDS_OF_CLUSTER)
            .unwrap_or_default()
    }

    /// Has the cluster of a position fetched that is going to be looked at soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(memory) = &self.memory {
            memory.prefetch(scale(key, self.clusters) * WORDS_OF_CLUSTER);
        }
    }

    /// What is known about the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<TtEntry> {
        for entry in self.cluster(key).chunks_exact(2) {
            let data = entry[1].load(Ordering::Relaxed);
            if entry[0].load(Ordering::Relaxed) ^ data == key
                && epoch_of(data) == self.epoch.load(Ordering::Relaxed)
            {
                return Some(unpack(data));
            }
        }
        None
    }

    /// Stores what was found out about the position with this key, in place of the entry that is
    /// worth least.
    #[inline]
    pub(super) fn store(&self, key: u64, mut known: TtEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let epoch = self.epoch.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut place = 0;
        let mut least = i32::MAX;
        for (i, entry) in cluster.chunks_exact(2).enumerate() {
            let data = entry[1].load(Ordering::Relaxed);
            let is_empty = epoch_of(data) != epoch;
            if !is_empty && entry[0].load(Ordering::Relaxed) ^ data == key {
                if known.best.is_none() {
                    known.best = unpack(data).best;
                }
                place = i;
                break;
            }
            let worth = if is_empty {
                i32::MIN
            } else {
                worth(data, generation)
            };
            if worth < least {
                (least, place) = (worth, i);
            }
        }
        if let [check, data, ..] = cluster.get(2 * place..).unwrap_or_default() {
            let word = pack(known, generation, epoch);
            check.store(key ^ word, Ordering::Relaxed);
            data.store(word, Ordering::Relaxed);
        }
    }

    /// How full the table is of entries of this search, from 0 to 1000, from a sample.
    pub(super) fn permille_full(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let epoch = self.epoch.load(Ordering::Relaxed);
        let sample = self.words().chunks_exact(2).take(1000);
        let (mut used, mut looked) = (0, 0);
        for entry in sample {
            let data = entry[1].load(Ordering::Relaxed);
            looked += 1;
            used += u32::from(epoch_of(data) == epoch && generation_of(data) == generation);
        }
        1000 * used / u32::max(looked, 1)
    }
}

/// How much is lost with an entry: its depth, less for each generation that it is old.
#[inline]
fn worth(data: u64, generation: u8) -> i32 {
    let age = generation.wrapping_sub(generation_of(data)) % GENERATIONS;
    i32::from(data as u8) - PARAMS.table_age_penalty * i32::from(age)
}

/// From the lowest bit up: depth 8, bound 2, generation 6, best move 8, score 21, epoch 19 (never 0).
#[inline]
fn pack(known: TtEntry, generation: u8, epoch: u32) -> u64 {
    let best = known.best.map_or(0, |place| (place as u64 & 0x7f) | 0x80);
    let score = known.score.value() as u64 & ((1 << SCORE_BITS) - 1);
    u64::from(known.depth as u8)
        | (known.bound as u64 + 1) << 8
        | u64::from(generation) << 10
        | best << 16
        | score << 24
        | u64::from(epoch) << EPOCH_SHIFT
}

#[inline]
fn unpack(data: u64) -> TtEntry {
    let best = (data >> 16) as u8;
    // An arithmetic shift from the top brings the sign along.
    let score = (data << (64 - SCORE_BITS - 24)) as i64 >> (64 - SCORE_BITS);
    TtEntry {
        depth: u32::from(data as u8),
        bound: match data >> 8 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        },
        score: Score::new(score as i32),
        best: (best & 0x80 != 0).then_some(usize::from(best & 0x7f)),
    }
}

#[inline]
fn generation_of(data: u64) -> u8 {
    (data >> 10) as u8 % GENERATIONS
}

#[inline]
fn epoch_of(data: u64) -> u32 {
    (data >> EPOCH_SHIFT) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(depth: u32) -> TtEntry {
        TtEntry {
            depth,
            bound: Bound::Lower,
            score: Score::new(-77),
            best: Some(3),
        }
    }

    #[test]
    fn entries_survive_packing() {
        let scores = [0, -1, 999_997, -999_936, 20_000].map(Score::new);
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for score in scores {
                for (depth, best) in [(0, None), (64, Some(0)), (255, Some(127))] {
                    let known = TtEntry {
                        depth,
                        bound,
                        score,
                        best,
                    };
                    for (generation, epoch) in [(0, UNTOUCHED), (1, 2), (63, LAST_EPOCH)] {
                        let data = pack(known, generation, epoch);
                        assert_eq!(unpack(data), known);
                        assert_eq!(generation_of(data), generation);
                        assert_eq!(epoch_of(data), epoch);
                    }
                }
            }
        }
    }

    #[test]
    fn answers_for_the_same_key_alone() {
        let table = SharedTable::new(1);
        assert_eq!(table.probe(0), None);
        table.store(0x1234, known(5));
        assert_eq!(table.probe(0x1234), Some(known(5)));
        assert_eq!(table.probe(0x1235), None);
        table.clear();
        assert_eq!(table.probe(0x1234), None);
    }

    /// Stores entries for few keys, in different generations; returns what is known in the end.
    fn fill(table: &SharedTable) -> Vec<Option<TtEntry>> {
        let mut rng = crate::random::Rng::new(7);
        for i in 0..400 {
            let best = (rng.below(2) == 0).then_some(3);
            let known = TtEntry {
                best,
                ..known(rng.below(32) as u32)
            };
            table.store(rng.below(16) as u64, known);
            if i % 50 == 49 {
                table.next_generation();
            }
        }
        (0..16).map(|key| table.probe(key)).collect()
    }

    #[test]
    fn a_table_that_has_forgotten_is_like_a_new_one() {
        let table = SharedTable::new(1);
        let of_new = fill(&table);
        let (many, few) = (of_new.iter().flatten().count(), 16);
        assert!(0 < many && many < few, "some were replaced");
        for _ in 0..3 {
            table.clear();
            assert_eq!((table.probe(3), table.permille_full()), (None, 0));
            assert_eq!(fill(&table), of_new);
        }
        table.epoch.store(LAST_EPOCH, Ordering::Relaxed);
        assert_eq!(fill(&table), of_new);
        table.clear();
        assert!(
            table
                .words()
                .iter()
                .all(|word| word.load(Ordering::Relaxed) == 0)
        );
        assert_eq!(fill(&table), of_new);
    }

    #[test]
    fn the_shallowest_of_a_full_cluster_goes_and_the_old_before_the_new() {
        let table = SharedTable::new(1);
        for (key, depth) in [(1, 9), (2, 4), (3, 7), (4, 8)] {
            table.store(key, known(depth));
        }
        table.store(5, known(1));
        assert_eq!(table.probe(2), None);
        table.next_generation();
        for (key, depth) in [(6, 6), (7, 6), (8, 6)] {
            table.store(key, known(depth));
        }
        assert_eq!(table.probe(5), None);
        let left = [1, 3, 4].map(|key| table.probe(key).is_some());
        assert_eq!(left, [true, false, false]);
    }

    #[test]
    fn a_bound_without_a_move_leaves_the_move_that_was_known() {
        let table = SharedTable::new(1);
        table.store(9, known(5));
        table.store(
            9,
            TtEntry {
                best: None,
                ..known(6)
            },
        );
        assert_eq!(table.probe(9), Some(known(6)));
    }

    #[test]
    fn words_of_different_writes_belong_to_nobody() {
        let table = SharedTable::new(1);
        table.store(1, known(5));
        let words = table.cluster(1);
        words[1].store(pack(known(9), 0, UNTOUCHED), Ordering::Relaxed);
        assert_eq!(table.probe(1), None);
    }
}
