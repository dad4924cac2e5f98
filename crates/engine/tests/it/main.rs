//! The crate from outside, as its users see it.

mod bots;
mod spec;
mod tablebase;
