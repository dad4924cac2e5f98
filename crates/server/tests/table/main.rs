//! The table's rules, without a socket.

mod clocks;
mod directed;
mod draws;
mod endings;
mod games;
mod rematches;
mod scene;
mod takebacks;
