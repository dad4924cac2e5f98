//! Whether the store takes events.

use std::sync::Arc;

/// What the store can do at the moment. Reading works in each state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Health {
    /// It reads and writes.
    Ready,
    /// It cannot write, and tries again by itself.
    Failing {
        /// What the database says.
        cause: Arc<str>,
    },
    /// It was opened for reading.
    ReadOnly,
    /// It was closed, or another server has taken it over.
    Stopped,
}

impl Health {
    /// Whether events are taken.
    pub fn is_ready(&self) -> bool {
        *self == Health::Ready
    }
}
