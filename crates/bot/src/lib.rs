//! A bot that plays Russian draughts over the network: a client of the game server that lets an
//! engine choose its moves.
//!
//! [`run`] plays a number of games as [`Args`] says, or every game that a tournament arranges for
//! it, and tells about them in [`report`]s; [`main_with`] is all of the `checkers-bot` command but
//! the reading of its options, for binaries that bring it along. What to do on which message is
//! decided in [`player`], without IO; [`client`] is the WebSocket. A [`Chooser`] is a bot of ours or
//! another program's engine, to which [`HubEngine`] speaks the Hub protocol; [`serve_hub`] speaks it
//! for a bot of ours.
//!
//! ```
//! use checkers_bot::Args;
//! use clap::Parser;
//!
//! let args = Args::try_parse_from(["checkers-bot", "--name", "b1", "--bot", "alpha-beta:depth=7"])?;
//! assert_eq!(args.plan().series.map(|series| series.games), Some(1));
//! # Ok::<(), clap::Error>(())
//! ```

mod args;
mod backoff;
mod chooser;
pub mod client;
mod failure;
mod hub;
mod mirror;
pub mod player;
mod playing;
mod printer;
pub mod report;
mod run;
mod tally;
mod thinker;
mod ticket;
mod tls;

pub use args::Args;
pub use chooser::{Chooser, ChooserError};
pub use cli_kit::Signal;
pub use failure::{ExitCode, Failure, ProtocolError};
pub use hub::{
    BadMove, EngineEnd, HubArgs, HubEngine, HubError, HubSpec, HubSpecError, hub_with,
    serve as serve_hub,
};
pub use run::{main_with, run};
pub use tls::TlsError;
