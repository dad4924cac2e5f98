//! The server over real sockets.

mod connections;
mod directed;
mod limits;
mod pages;
mod support;
mod tls;
