//! The server over real sockets.

mod connections;
mod directed;
mod limits;
mod pages;
mod returns;
mod support;
mod tables;
mod tls;
