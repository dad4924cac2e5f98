//! Matches between bots for Russian draughts.
//!
//! [`play`] plays what a [`Plan`] asks for: by a server and two bots, each a process of its own,
//! over WebSocket, or by the engines alone. What came of it is a [`MatchRecord`]: every output,
//! the text, the JSON and the PDN, is made from that alone.
//!
//! A failing bot never hangs a match. What it did is a [`Fault`], told apart by what the harness
//! sees itself: the end of its process, its absence from the table, its silence.
//!
//! What results say about strength is arithmetic of its own: [`statistics`]. A published study of
//! bots is played again by [`reproduce`].
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use checkers_bot_test::{Plan, Tally, Timeouts, Transport, play};
//! use checkers_lib::DrawRules;
//!
//! let plan = Plan {
//!     bots: ["minimax:depth=3".parse()?, "random".parse()?],
//!     games: 2,
//!     swap: true,
//!     openings: Vec::new(),
//!     draw_rules: DrawRules::Fmjd64,
//!     timeouts: Timeouts::default(),
//!     transport: Transport::InProcess,
//! };
//! let played = play(&plan, &mut ()).await?;
//! assert_eq!(Tally::of(&played.games).finished(), 2);
//! # Ok(())
//! # }
//! ```

mod cli;
pub mod commands;
mod contestant;
mod document;
mod evidence;
mod failure;
mod files;
#[cfg(test)]
mod fixtures;
mod guard;
mod in_process;
mod machine;
mod network;
mod open_game;
mod pdn;
mod plan;
mod process;
mod progress;
mod record;
mod referee;
pub mod reproduce;
mod run;
mod signals;
pub mod statistics;
mod tally;
mod telemetry;
pub mod text;
mod verdict;

pub use cli::{Cli, Command, MatchArgs};
pub use contestant::{Contestant, ContestantError};
pub use document::{BotRecord, DOCUMENT_VERSION, MatchOptions, MatchRecord};
pub use failure::{Exit, ExitCode, Failure, Fault, ServerFault};
pub use machine::Machine;
pub use plan::{Observer, Plan, Played, Timeouts, Transport};
pub use record::{BotId, Clock, GameRecord, MoveRecord, SearchInfo, Seats};
pub use referee::{Event, Referee};
pub use run::{main_with, play};
pub use statistics::{Summary, mean};
pub use tally::{BotTally, EndCount, Tally};
