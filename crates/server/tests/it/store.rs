//! The store, used the way the server uses it.

mod commits;
mod conformance;
mod copying;
mod damage;
mod full_disk;
mod kill;
mod migration;
mod opening;
pub(crate) mod postgres;
mod support;
