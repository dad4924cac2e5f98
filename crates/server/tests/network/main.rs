//! The server over real sockets.

mod bots;
mod connections;
mod directed;
mod limits;
mod pages;
mod returns;
mod support;
mod tables;
mod tls;
