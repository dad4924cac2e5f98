#![doc = include_str!("../README.md")]

mod adjudication;
mod cli;
pub mod commands;
pub mod csv;
mod document;
mod failure;
mod files;
#[cfg(test)]
mod fixtures;
pub mod format;
mod game_document;
mod guard;
mod hexadecimal;
mod in_process;
pub mod journal;
mod ledger;
mod limits;
mod machine;
mod network;
mod open_game;
mod pairing;
mod participant;
pub mod pdn;
mod plan;
mod player;
mod plot;
mod process;
pub mod progress;
mod queues;
mod record;
pub mod report;
pub mod reproduce;
mod results;
mod run;
pub mod standings;
mod stderr;
mod tables;
pub mod text;
mod times;
mod tournament;
mod tune;
mod worker_pool;

pub use adjudication::{Adjudication, AdjudicationError, DrawAdjudication, ResignAdjudication};
pub use cli::{
    BotTestCommand, Cli, ExportArgs, GauntletArgs, KnockoutArgs, LedgerArgs, MatchArgs, OutputArgs,
    PlayArgs, ReportArgs, RoundRobinArgs, SprtArgs, SwissArgs, WorkerArgs,
};
pub use document::{
    BotRecord, DOCUMENT_VERSION, DocumentSettings, OpeningsRecord, PairTally, PairingRecord, Place,
    SprtRecord, Stage, StageMeeting, TimeoutsRecord, TournamentRecord, TournamentResults,
};
pub use failure::{Exit, ExitCode, Failure, Fault, FaultKind, ServerFault};
pub use format::Format;
pub use in_process::WorkerError;
pub use limits::{BotLimits, LimitsError};
pub use machine::Machine;
pub use match_statistics as statistics;
pub use match_statistics::{Summary, mean};
pub use pairing::{PairRecord, Pairing};
pub use participant::{BotId, Participant, ParticipantError};
pub use plan::{Forfeits, GameOrder, Openings, RunConfig, Timeouts, TournamentPlan};
pub use player::{MatchPlayer, PlayerError};
pub use record::{
    Evidence, Forfeit, GameRecord, MoveRecord, Ruling, SearchRecord, Seats, Timekeeper,
};
pub use results::{PairResult, Points, Results, ResultsError};
pub use run::main_with;
pub use standings::Standings;
pub use times::{BotTimes, DepthCost};
pub use tournament::{Observer, PlayedTournament, Tournament, TournamentError};
pub use tune::TuneArgs;
