//! The table's rules, without a socket.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod clocks;
mod directed;
mod draws;
mod endings;
mod games;
mod memory;
mod presence;
mod rematches;
mod scene;
mod takebacks;
mod talk;
