//! The store, used the way the server uses it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod commits;
mod conformance;
mod damage;
mod full_disk;
mod kill;
mod migration;
mod opening;
mod support;
