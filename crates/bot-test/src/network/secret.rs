//! Random words that cannot be guessed.

use std::hash::{BuildHasher, RandomState};

/// A short word, of eight letters and digits.
pub(super) fn word() -> String {
    format!("{:08x}", random() >> 32)
}

/// A token for the director of a server.
pub(super) fn token() -> String {
    format!("{:016x}{:016x}", random(), random())
}

/// The keys of the standard library's hash tables come from the system's source of randomness.
fn random() -> u64 {
    RandomState::new().hash_one(0_u8)
}
