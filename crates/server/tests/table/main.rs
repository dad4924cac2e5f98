//! The table's rules, without a socket.

mod clocks;
mod directed;
mod games;
mod scene;
