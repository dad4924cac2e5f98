#![doc = include_str!("../README.md")]

mod args;
mod backoff;
pub mod client;
mod engine_spec;
mod failure;
mod hub;
pub mod player;
mod playing;
mod replica;
pub mod report;
mod report_writer;
mod resume;
mod run;
mod search_thread;
mod tables;
mod tally;
mod tls;

pub use args::Args;
pub use cli_kit::Signal;
pub use engine_spec::{EngineSpec, EngineSpecError};
pub use failure::{BotFailure, ExitCode, ProtocolError};
pub use hub::{
    BadMove, EngineEnd, HubArgs, HubEngine, HubError, HubSpec, HubSpecError, hub_with,
    serve as serve_hub,
};
pub use run::{main_with, run};
pub use tls::TlsError;
