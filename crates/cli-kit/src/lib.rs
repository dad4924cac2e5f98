#![doc = include_str!("../README.md")]

mod environment;
mod errors;
mod message;
mod pages;
mod parse;
pub mod priority;
mod signals;
mod values;

pub use environment::{UnknownVariable, check as check_environment};
pub use errors::{reason, usage_error};
pub use message::{explain, io_reason};
pub use pages::generate_pages;
pub use parse::{parse, parse_from, try_parse};
pub use signals::{Hangups, Signal, Signals};
pub use values::{clock, movetime, pause, time};

/// The version; in release builds with commit and date.
pub const VERSION: &str = env!("CLI_KIT_VERSION");

/// Exit codes with one meaning in all programs. A program may have more.
pub mod exit {
    /// Everything asked for is done.
    pub const DONE: u8 = 0;
    /// Something failed: a file, the network or the system. The message says what.
    pub const FAILED: u8 = 1;
    /// An option, an environment variable or the configuration file is wrong. Nothing was done.
    pub const USAGE: u8 = 2;
    /// Stopped by Ctrl-C or the end of the terminal: 128 and the number of SIGINT.
    pub const INTERRUPTED: u8 = 130;
    /// Stopped by SIGTERM: 128 and its number.
    pub const TERMINATED: u8 = 143;
}
