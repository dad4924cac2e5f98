//! Tests of the table state machine, without sockets.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod chat;
mod clocks;
mod directed;
mod draws;
mod games;
mod memory;
mod presence;
mod rematches;
mod resignations;
mod scene;
mod takebacks;
