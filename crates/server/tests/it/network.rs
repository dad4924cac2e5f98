//! The server over real sockets.

mod accounts;
mod admin;
mod api;
mod bots;
mod connections;
mod directed;
pub(crate) mod http_bot;
mod keep_alive;
mod limits;
mod pages;
mod request_id;
mod returns;
mod seats;
pub(crate) mod support;
mod tables;
mod tls;
