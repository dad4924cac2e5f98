//! Work that is shared out among threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Parts of a range, as a thread takes them.
pub(crate) type Parts<'a> = dyn Iterator<Item = Range<usize>> + 'a;

/// Has `threads` threads run `work` on all of `0..len`, in parts of at most `part`; the results of
/// the threads are in no order. Less than two parts are the caller's own work.
pub(crate) fn in_parts<T: Send>(
    threads: usize,
    len: usize,
    part: usize,
    work: impl Fn(&mut Parts) -> T + Sync,
) -> Vec<T> {
    let part = part.max(1);
    let next = AtomicUsize::new(0);
    let run = || {
        let mut parts = std::iter::from_fn(|| {
            let begin = next.fetch_add(part, Ordering::Relaxed);
            (begin < len).then(|| begin..(begin + part).min(len))
        });
        work(&mut parts)
    };
    if threads < 2 || len <= part {
        return vec![run()];
    }
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut results = vec![run()];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_worked_on_once() {
        for (threads, len, part) in [(1, 10, 3), (4, 1000, 7), (3, 5, 100), (2, 0, 1)] {
            let sums = in_parts(threads, len, part, |parts| {
                parts.flatten().map(|i| i + 1).sum::<usize>()
            });
            assert_eq!(sums.iter().sum::<usize>(), len * (len + 1) / 2);
        }
    }
}
