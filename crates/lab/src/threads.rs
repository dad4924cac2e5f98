//! How many threads to work with.

/// As many as asked for, or one for each processor.
pub(crate) fn count(asked: Option<u16>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.map_or_else(all, usize::from)
}
