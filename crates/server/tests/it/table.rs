//! Tests of the table state machine, without sockets.

mod chat;
mod clocks;
mod correspondence;
mod directed;
mod draws;
mod games;
mod memory;
mod presence;
mod rematches;
mod resignations;
mod scene;
mod takebacks;
