//! Compares the crate with other implementations.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod swiss;
