//! The bot from outside: its decisions, and its process against a scripted server and a real one.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod arranged;
mod distrust;
mod failures;
mod games;
mod hub;
mod kill;
mod offers;
mod player;
mod process;
mod real_server;
mod referee;
mod report;
mod returning;
mod script;
mod tls;
mod unread;
