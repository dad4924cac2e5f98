//! The server: tables for Russian draughts, played over WebSockets and validated by the server.
//!
//! [`Server`] listens and serves; [`table::Table`] is the game as a pure state machine;
//! `docs/protocol.md` describes the messages. Games start when both seats are taken or, on a server
//! with a [`DirectorToken`], when a tournament's director arranges them.
//!
//! ```
//! # async fn example() -> Result<(), checkers_server::ServerError> {
//! use checkers_server::{Config, Server};
//!
//! let server = Server::bind(Config { port: 0, ..Config::default() }).await?;
//! println!("listening on {}", server.local_addr());
//! server.run(async { tokio::signal::ctrl_c().await.unwrap_or_default() }).await;
//! # Ok(())
//! # }
//! ```

mod bots;
mod broadcast;
mod cli;
mod config;
mod connection;
mod director;
mod hex;
mod http;
mod lifecycle;
mod limits;
mod lobby;
mod lobby_shard;
mod metrics;
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
pub use secret::Secret;
pub use server::{Server, ServerError};
pub use tls::TlsError;
