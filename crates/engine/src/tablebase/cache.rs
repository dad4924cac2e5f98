//! Decoded blocks, kept as long as there is room.

use std::sync::{Mutex, PoisonError};

use crate::random::mix;

/// How many threads can look at once, for the price of a mutex each.
const SHARDS: usize = 64;

/// How many blocks can share a place.
const WAYS: usize = 8;

/// Decoded blocks by number. Of those that share a place the last ones looked at stay, so that the
/// cache never holds more than it has places for.
#[derive(Debug)]
pub(crate) struct Cache {
    shards: Vec<Mutex<Shard>>,
}

#[derive(Debug)]
struct Shard {
    /// The last one looked at comes first in each place.
    places: Vec<[Kept; WAYS]>,
}

/// A block and its number; no number as long as the place is empty.
#[derive(Clone, Debug)]
struct Kept {
    number: u64,
    bytes: Vec<u8>,
}

const NO_NUMBER: u64 = u64::MAX;

impl Cache {
    /// A cache of so many blocks, rounded up. Memory is taken as blocks come.
    pub(crate) fn new(blocks: usize) -> Cache {
        let empty = [(); WAYS].map(|()| Kept {
            number: NO_NUMBER,
            bytes: Vec::new(),
        });
        let places = blocks.div_ceil(SHARDS * WAYS).max(1);
        let shard = || {
            Mutex::new(Shard {
                places: vec![empty.clone(); places],
            })
        };
        Cache {
            shards: (0..SHARDS).map(|_| shard()).collect(),
        }
    }

    /// What `look` sees in a block. If the cache does not have it, `read` puts it there first, in
    /// place of another; nobody else waits for that but those who ask for the same part of the
    /// cache.
    pub(crate) fn look<T, E>(
        &self,
        number: u64,
        read: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
        look: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, E> {
        // Neighbouring blocks are asked for together, and so are blocks of the same number in different
        // tables: let them be in different shards.
        let mixed = mix(number) as usize;
        let shard = &self.shards[mixed % SHARDS];
        // A thread that died while reading left a place without a number.
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        let places = shard.places.len();
        let ways = &mut shard.places[mixed / SHARDS % places];
        let found = ways.iter().position(|kept| kept.number == number);
        ways[..=found.unwrap_or(WAYS - 1)].rotate_right(1);
        let kept = &mut ways[0];
        if found.is_none() {
            kept.number = NO_NUMBER;
            read(&mut kept.bytes)?;
            kept.number = number;
        }
        Ok(look(&kept.bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(number: u64, reads: &mut u32) -> impl FnOnce(&mut Vec<u8>) -> Result<(), ()> {
        *reads += 1;
        move |bytes| {
            *bytes = vec![number as u8; 3];
            Ok(())
        }
    }

    #[test]
    fn a_block_is_read_once_and_seen_often() {
        let cache = Cache::new(100_000);
        for _ in 0..3 {
            for number in 0..50 {
                let seen = cache.look(number, |bytes| read(number, &mut 0)(bytes), |b| b[2]);
                assert_eq!(seen, Ok(number as u8));
            }
        }
        let again = cache.look(7, |_| Err(()), |bytes| bytes[0]);
        assert_eq!(again, Ok(7));
    }

    #[test]
    fn blocks_of_the_same_number_in_different_tables_are_kept_together() {
        let cache = Cache::new(4096);
        let number = |table: u64| table << 48 | 7;
        for table in 0..200 {
            let seen = cache.look(number(table), |bytes| read(table, &mut 0)(bytes), |b| b[0]);
            assert_eq!(seen, Ok(table as u8));
        }
        for table in 0..200 {
            let again = cache.look(number(table), |_| Err(()), |bytes| bytes[0]);
            assert_eq!(again, Ok(table as u8));
        }
    }

    #[test]
    fn a_small_cache_is_right_too() {
        let cache = Cache::new(1);
        for i in 0..10_000u64 {
            let number = i * i % 251;
            let seen = cache.look(number, |bytes| read(number, &mut 0)(bytes), |b| b[0]);
            assert_eq!(seen, Ok(number as u8));
        }
    }

    #[test]
    fn what_cannot_be_read_is_not_kept() {
        let cache = Cache::new(10);
        assert_eq!(cache.look(3, |_| Err("no"), |_| ()), Err("no"));
        assert_eq!(
            cache.look(3, |bytes| read(3, &mut 0)(bytes), |b| b[1]),
            Ok(3)
        );
    }
}
