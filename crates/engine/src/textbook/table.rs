//! The transposition table of the textbook searches. The champion has another one: SSS* and MTD(f) store both bounds
//! of a position, which leaves no room for the age of an entry.
//!
//! A bucket holds two positions. The first place goes to the deeper search, and what it held moves to the second
//! place, which takes everything else. What is known about a position is a [`Record`]: one score and its bound, or
//! both bounds.
//!
//! CITE: D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, "Replacement Schemes for
//! Transposition Tables", ICCA Journal 17(4), 1994: the scheme is their TwoDeep.

use std::marker::PhantomData;

use crate::Score;
use crate::random::scale;
use crate::score::Bound;

/// What is known about one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TwoDeepEntry {
    /// How many plies deep the position was searched, 1–255.
    pub(crate) depth: u32,
    pub(crate) bound: Bound,
    /// Wins and losses are counted from the position, not from the root of some search.
    pub(crate) score: Score,
    /// The place of the best move in generation order, below 65,536.
    pub(crate) best: usize,
}

/// What null-window searches find out about one position: the true score lies between two bounds,
/// the bounds included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScoreBounds {
    /// How many plies deep the position was searched, 1–255.
    pub(crate) depth: u32,
    /// Wins and losses are counted from the position, as in an [`TwoDeepEntry`].
    pub(crate) lower: Score,
    pub(crate) upper: Score,
    /// The place in generation order of the move that proves the lower bound, below 512.
    pub(crate) best: usize,
}

/// What a table keeps about a position: one word.
pub(crate) trait Record: Copy {
    /// The word, with the depth in its lowest byte.
    fn pack(self) -> u64;

    /// What was packed into a word that is not zero.
    fn unpack(word: u64) -> Self;
}

/// A table within a fixed budget of memory, which it takes when first prepared.
pub(crate) struct TwoDeepTable<R> {
    capacity: usize,
    /// Empty until prepared.
    buckets: Vec<Bucket>,
    records: PhantomData<R>,
}

/// A position's key and its packed record; all zero when free. Plain words, so that the system
/// hands out a table of zeros without anybody writing them.
type Slot = [u64; 2];

/// The deeper position, then the fresher one.
type Bucket = [Slot; 2];

impl<R: Record> TwoDeepTable<R> {
    /// A table of at most `mebibytes` MiB. Cheap: the memory comes with [`TwoDeepTable::prepare`].
    pub(crate) fn new(mebibytes: u32) -> TwoDeepTable<R> {
        TwoDeepTable {
            capacity: (mebibytes as usize * 1024 * 1024) / size_of::<Bucket>(),
            buckets: Vec::new(),
            records: PhantomData,
        }
    }

    /// Takes the memory, unless that was done before. Without it nothing is ever stored.
    pub(crate) fn prepare(&mut self) {
        if self.buckets.is_empty() {
            self.buckets = vec![Bucket::default(); self.capacity];
        }
    }

    /// Forgets everything and keeps the memory. O(budget).
    pub(crate) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
    }

    /// What is known about the position with this key from a search whose depth `accepts`.
    #[inline]
    pub(crate) fn probe(&self, key: u64, accepts: impl Fn(u32) -> bool) -> Option<R> {
        let bucket = self.buckets.get(scale(key, self.buckets.len()))?;
        let slot = bucket
            .iter()
            .find(|slot| slot[0] == key && slot[1] != 0 && accepts(depth_of(slot[1])))?;
        Some(R::unpack(slot[1]))
    }

    /// Stores what was found out about the position with this key.
    #[inline]
    pub(crate) fn store(&mut self, key: u64, record: R) {
        let index = scale(key, self.buckets.len());
        let Some([deep, fresh]) = self.buckets.get_mut(index) else {
            return;
        };
        let slot = [key, record.pack()];
        if depth_of(slot[1]) < depth_of(deep[1]) {
            *fresh = slot;
            return;
        }
        if deep[0] != key {
            *fresh = *deep;
        }
        *deep = slot;
    }
}

impl Record for TwoDeepEntry {
    /// Score, place of the best move, bound, depth, from the highest bit down.
    #[inline]
    fn pack(self) -> u64 {
        let score = self.score.value() as u32;
        u64::from(score) << 32
            | u64::from(self.best as u16) << 16
            | (self.bound as u64) << 8
            | u64::from(self.depth as u8)
    }

    #[inline]
    fn unpack(word: u64) -> TwoDeepEntry {
        TwoDeepEntry {
            depth: depth_of(word),
            bound: match word >> 8 & 0xff {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            best: usize::from((word >> 16) as u16),
            score: Score::new((word >> 32) as i32),
        }
    }
}

/// The bits of a score in [`ScoreBounds`], sign included.
const SCORE_BITS: u32 = 21;

const _: () = assert!(Score::WIN.value() < 1 << (SCORE_BITS - 1));

impl Record for ScoreBounds {
    /// Upper bound, lower bound, place of the best move, depth, from the highest bit down.
    #[inline]
    fn pack(self) -> u64 {
        let low_bits = |score: Score| u64::from(score.value() as u32) & ((1 << SCORE_BITS) - 1);
        low_bits(self.upper) << (64 - SCORE_BITS)
            | low_bits(self.lower) << (64 - 2 * SCORE_BITS)
            | (self.best as u64 & 0x1ff) << 8
            | u64::from(self.depth as u8)
    }

    #[inline]
    fn unpack(word: u64) -> ScoreBounds {
        // An arithmetic shift from the top brings the sign along.
        let score = |word: u64| Score::new((word as i64 >> (64 - SCORE_BITS)) as i32);
        ScoreBounds {
            depth: depth_of(word),
            lower: score(word << SCORE_BITS),
            upper: score(word),
            best: (word >> 8 & 0x1ff) as usize,
        }
    }
}

/// The depth in a packed record, 0 in a free slot.
#[inline]
fn depth_of(word: u64) -> u32 {
    u32::from(word as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32) -> TwoDeepEntry {
        TwoDeepEntry {
            depth,
            bound: Bound::Exact,
            score: Score::new(-77),
            best: 3,
        }
    }

    fn prepared(mebibytes: u32) -> TwoDeepTable<TwoDeepEntry> {
        let mut table = TwoDeepTable::new(mebibytes);
        table.prepare();
        table
    }

    const ANY: fn(u32) -> bool = |_| true;

    #[test]
    fn entries_survive_packing() {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            for score in [
                Score::ZERO,
                Score::new(-1),
                Score::win_in(3),
                Score::lost_in(64),
            ] {
                for (depth, best) in [(1, 0), (64, 511), (255, 65_535)] {
                    let entry = TwoDeepEntry {
                        depth,
                        bound,
                        score,
                        best,
                    };
                    assert_eq!(TwoDeepEntry::unpack(entry.pack()), entry);
                    assert_ne!(entry.pack(), 0);
                }
            }
        }
    }

    #[test]
    fn bounds_survive_packing() {
        let scores = [
            -Score::WIN,
            Score::lost_in(64),
            Score::ZERO,
            Score::new(-1),
            Score::WIN,
        ];
        for (lower, upper) in scores.into_iter().zip(scores.into_iter().rev()) {
            for (depth, best) in [(1, 0), (64, 7), (255, 511)] {
                let bounds = ScoreBounds {
                    depth,
                    lower,
                    upper,
                    best,
                };
                assert_eq!(ScoreBounds::unpack(bounds.pack()), bounds);
            }
        }
    }

    #[test]
    fn answers_only_for_the_same_key_and_an_accepted_depth() {
        let mut table = prepared(1);
        let key = 0x1234_5678_9abc_def0;
        table.store(key, entry(5));
        assert_eq!(table.probe(key, ANY), Some(entry(5)));
        assert_eq!(table.probe(key, |depth| depth == 5), Some(entry(5)));
        assert_eq!(table.probe(key, |depth| depth >= 6), None);
        // The same bucket, but another position.
        assert_eq!(table.probe(key ^ 1, ANY), None);
        // The key of an empty slot is no position that was stored.
        assert_eq!(table.probe(0, ANY), None);
    }

    #[test]
    fn the_deeper_stays_and_the_fresher_replaces() {
        let mut table = prepared(1);
        let found = |table: &TwoDeepTable<TwoDeepEntry>, key| {
            table.probe(key, ANY).map(|entry| entry.depth)
        };
        let [a, b, c, d] = [1, 2, 3, 4];
        table.store(a, entry(5));
        table.store(b, entry(3));
        assert_eq!((found(&table, a), found(&table, b)), (Some(5), Some(3)));
        // Shallower than the deep one: takes the fresh place.
        table.store(c, entry(2));
        assert_eq!((found(&table, a), found(&table, b)), (Some(5), None));
        assert_eq!(found(&table, c), Some(2));
        // As deep as the deep one: takes its place and moves it to the fresh one.
        table.store(d, entry(5));
        assert_eq!((found(&table, d), found(&table, a)), (Some(5), Some(5)));
        assert_eq!(found(&table, c), None);
    }

    #[test]
    fn one_position_can_be_known_at_two_depths() {
        let mut table = prepared(1);
        table.store(9, entry(6));
        table.store(9, entry(4));
        assert_eq!(table.probe(9, |depth| depth == 6), Some(entry(6)));
        assert_eq!(table.probe(9, |depth| depth == 4), Some(entry(4)));
        // Going deeper replaces the position itself and leaves its neighbour alone.
        table.store(10, entry(5));
        table.store(9, entry(7));
        assert_eq!(table.probe(9, |depth| depth == 7), Some(entry(7)));
        assert_eq!(table.probe(10, ANY), Some(entry(5)));
    }

    #[test]
    fn keeps_to_its_budget() {
        for mebibytes in [1, 3, 64] {
            let table = TwoDeepTable::<TwoDeepEntry>::new(mebibytes);
            let budget = mebibytes as usize * 1024 * 1024;
            let used = table.capacity * size_of::<Bucket>();
            assert!(used <= budget && used + size_of::<Bucket>() > budget);
            assert_eq!(table.buckets.capacity(), 0, "no memory before it is needed");
        }
        let mut table = prepared(1);
        let used = table.buckets.capacity();
        for i in 0..200_000 {
            table.store(crate::random::mix(i), entry(1 + i as u32 % 64));
        }
        table.prepare();
        assert_eq!(table.buckets.capacity(), used);
    }

    #[test]
    fn an_unprepared_or_cleared_table_knows_nothing() {
        let mut table = TwoDeepTable::<TwoDeepEntry>::new(1);
        table.store(7, entry(1));
        assert_eq!(table.probe(7, ANY), None);
        table.prepare();
        table.store(7, entry(1));
        table.clear();
        table.prepare();
        assert_eq!(table.probe(7, ANY), None);
    }
}
