#![doc = include_str!("../README.md")]

mod bots;
mod broadcast;
mod cli;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "servers do not join clusters yet")
)]
mod cluster;
mod config;
mod connection;
mod director;
mod health;
mod hex;
mod http;
mod lifecycle;
mod limits;
mod lobby;
mod lobby_shard;
mod metrics;
mod migrate;
pub mod names;
mod priority;
mod secret;
mod server;
mod shard;
pub mod store;
pub mod table;
mod tablebases;
mod tls;

pub use cli::{Args, EXIT_CODES, main_with};
pub use config::{AddressList, BadAddress, BadOrigin, Config, Origins};
pub use director::DirectorToken;
pub use lifecycle::Stop;
pub use migrate::Migration;
pub use secret::Secret;
pub use server::{Server, ServerError};
pub use tls::TlsError;
