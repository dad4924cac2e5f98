//! How long a bot may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What bounds one choice of a move. The default bounds nothing beyond the bot's own spec.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Searches this many plies deep instead of the spec's depth; brought into the range 1 to 64.
    pub depth: Option<u32>,
    /// Ends the search early when set.
    pub stop: Stop,
}

/// A flag that ends a search from outside: clone it, hand one clone to the search and call
/// [`Stop::stop`] on another from any thread. The search ends within a few thousand nodes.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Sets the flag, for good and for all its clones.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
