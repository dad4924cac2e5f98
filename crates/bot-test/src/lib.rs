//! Tournaments between bots for Russian draughts.
//!
//! A [`Plan`] decides which games there are and what they count, a [`Conduct`] how they are played:
//! within this process, or over WebSocket with a server and bots that are processes of their own.
//! [`Tournament::play`] plays them. [`Standings`] are what its games add up to, and a
//! [`TournamentRecord`] is everything that is known about it, from which JSON, [`csv`], [`pdn`],
//! [`text`](mod@text) and the page of [`report`] are made. A [`journal`](mod@journal) keeps what is
//! played, so that a tournament that was broken off can be gone on with. [`statistics`] is the
//! arithmetic. [`main_with`] is the program `checkers-bot-test`.
//!
//! ```
//! use std::sync::Arc;
//!
//! use checkers_bot_test::{
//!     Adjudication, BotId, Conduct, Entrant, Forfeits, Format, Openings, Plan, Standings, Timeouts,
//!     Tournament,
//! };
//! use checkers_lib::{DrawRules, openings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let entrants: Vec<Entrant> =
//!     vec!["random".parse()?, "alpha-beta@depth=2".parse()?, "negascout@depth=4".parse()?];
//! let plan = Arc::new(Plan {
//!     format: Format::RoundRobin { pairs: 10 },
//!     entrants,
//!     swap: true,
//!     openings: Openings {
//!         source: "the built-in suite".to_owned(),
//!         seed: None,
//!         list: openings::suite(),
//!     },
//!     draw_rules: DrawRules::Fmjd64,
//!     adjudication: Adjudication::default(),
//!     forfeits: Forfeits::Loss,
//!     in_process: true,
//!     keep_lines: false,
//! });
//! let conduct = Arc::new(Conduct {
//!     timeouts: Timeouts::default(),
//!     concurrency: 1,
//!     patience: 3,
//!     program: std::env::current_exe()?, // what is started over WebSocket; not needed here
//!     transcripts: None,
//! });
//! let tournament =
//!     Tournament { plan: Arc::clone(&plan), conduct, journal: None, played: Vec::new() };
//!
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! let played = runtime.block_on(tournament.play(&mut ()))?;
//!
//! let standings = Standings::of(plan.entrants.len(), plan.swap, &played.pairs)?;
//! for &bot in &standings.ranking {
//!     println!("{bot} {}: {} points", plan.entrant(bot), standings.bot(bot).points);
//! }
//! assert_eq!(standings.evidence.games, 60);
//! assert_eq!(standings.ranking, [BotId(2), BotId(1), BotId(0)]);
//! # Ok(())
//! # }
//! ```

mod adjudication;
mod cli;
pub mod commands;
mod contestant;
pub mod csv;
mod document;
mod entrant;
mod failure;
mod files;
#[cfg(test)]
mod fixtures;
pub mod format;
mod game_document;
mod guard;
mod in_process;
pub mod journal;
mod limits;
mod machine;
mod network;
mod open_game;
mod pairing;
pub mod pdn;
mod plan;
mod process;
pub mod progress;
mod record;
pub mod report;
pub mod reproduce;
mod results;
mod run;
mod slot;
pub mod standings;
pub mod statistics;
mod talk;
pub mod text;
mod times;
mod tournament;

pub use adjudication::{Adjudication, AdjudicationError, DrawAdjudication, ResignAdjudication};
pub use cli::{
    Cli, Command, GauntletArgs, KnockoutArgs, MatchArgs, OutputArgs, PlayArgs, ReportArgs,
    RoundRobinArgs, SprtArgs, SwissArgs,
};
pub use contestant::{Contestant, ContestantError};
pub use document::{
    BotRecord, DOCUMENT_VERSION, OpeningsRecord, Outcome, PairingRecord, Place, Settings,
    SprtRecord, Stage, StageMeeting, Tally, TimeoutsRecord, TournamentRecord,
};
pub use entrant::{BotId, Entrant, EntrantError};
pub use failure::{Exit, ExitCode, Failure, Fault, FaultKind, ServerFault};
pub use format::Format;
pub use in_process::SlotError;
pub use limits::{BotLimits, LimitsError};
pub use machine::Machine;
pub use pairing::{PairRecord, Pairing};
pub use plan::{Conduct, Forfeits, GameOrder, Openings, Plan, Timeouts};
pub use record::{Evidence, Forfeit, GameRecord, MoveRecord, Ruling, Search, Seats, Timekeeper};
pub use results::{PairResult, Points, Results, ResultsError};
pub use run::main_with;
pub use standings::Standings;
pub use statistics::{Summary, mean};
pub use times::{BotTimes, DepthCost};
pub use tournament::{Observer, Played, Tournament, TournamentError};
