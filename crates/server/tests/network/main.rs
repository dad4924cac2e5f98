//! The server over real sockets.

mod connections;
mod directed;
mod support;
