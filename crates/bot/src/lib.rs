#![doc = include_str!("../README.md")]

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
