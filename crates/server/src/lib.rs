#![doc = include_str!("../README.md")]

mod accounts;
mod bots;
mod broadcast;
mod cli;
mod cluster;
mod config;
mod connection;
mod correspondence;
mod correspondence_task;
mod director;
mod health;
mod http;
mod ladder;
mod lifecycle;
mod limits;
mod lobby;
mod lobby_shard;
mod metrics;
mod migrate;
mod moderation;
pub mod names;
mod profiles;
mod push;
mod ratings;
mod restore;
mod route;
mod secret;
mod server;
mod shard;
pub mod table;
mod tablebases;
mod tls;
mod tournaments;

pub use cli::{Args, EXIT_CODES, main_with};
pub use config::{
    AddressList, BadAddress, BadOrigin, BadPushService, Config, Origins, PushServices,
};
pub use director::DirectorToken;
pub use lifecycle::Stop;
pub use secret::Secret;
pub use server::{Server, ServerError};
pub use tls::TlsError;
