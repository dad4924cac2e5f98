//! The command line.

mod formats;
mod help;
mod ledger_args;
mod play;
mod play_args;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::stats::StatsArgs;
use crate::reproduce::ReproduceArgs;
use crate::tune::TuneArgs;

pub use formats::{GauntletArgs, KnockoutArgs, MatchArgs, RoundRobinArgs, SprtArgs, SwissArgs};
pub(crate) use ledger_args::words_of_games;
pub use ledger_args::{ExportArgs, LedgerArgs, WorkerArgs};
pub(crate) use play::{PlanError, Play};
pub use play_args::{OutputArgs, PlayArgs};

/// Compares bots for Russian draughts by letting them play each other.
#[derive(Clone, Debug, Parser)]
#[command(name = "checkers-bot-test", version = cli_kit::VERSION, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: BotTestCommand,
}

/// What `report` takes.
#[derive(Clone, Debug, Args)]
pub struct ReportArgs {
    /// The journal
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// The files to write.
    #[command(flatten)]
    pub outputs: OutputArgs,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum BotTestCommand {
    /// Plays a match between two bots
    ///
    /// Wins and losses are those of the first bot, which begins with White.
    Match(MatchArgs),

    /// Plays a tournament in which every bot meets every other
    RoundRobin(RoundRobinArgs),

    /// Plays a tournament in which the first bots meet all the others
    Gauntlet(GauntletArgs),

    /// Plays a tournament in which the loser of each meeting is out; the bots are seeded in their
    /// order
    Knockout(KnockoutArgs),

    /// Plays a tournament of a fixed number of rounds, in each of which bots with similar scores
    /// meet
    Swiss(SwissArgs),

    /// Lets two bots play until a sequential probability ratio test decides
    ///
    /// H0: the first bot is stronger by the first number of --elo; H1: by the second.
    Sprt(SprtArgs),

    /// Shows what the journal of a tournament has so far, also while it is played
    Report(ReportArgs),

    /// Plays games of a tournament that another process has begun with --ledger
    Worker(WorkerArgs),

    /// Writes the journal of a tournament that was played with --ledger
    ExportJournal(ExportArgs),

    /// Plays a published study again and compares
    Reproduce(ReproduceArgs),

    /// Computes what known results say about strength
    Stats(StatsArgs),

    /// Finds better numbers for keys of a bot by games against itself
    ///
    /// Each iteration changes all keys at once, up or down at random, plays the bot with these changes against the bot
    /// with the opposite ones, and moves the values towards the winner (SPSA). Games begin from quiet positions, and
    /// tablebases end them. Then a sequential test (SPRT) decides whether the tuned bot is stronger than the given
    /// one, in games from other openings.
    Tune(TuneArgs),

    /// The server of a tournament; needs a parent that holds its stdin open
    #[command(hide = true)]
    Server(Box<checkers_server::Args>),

    /// A bot of a tournament; needs a parent that holds its stdin open
    #[command(hide = true)]
    Bot(checkers_bot::Args),

    /// A foreign bot of a tournament; needs a parent that holds its stdin open
    #[command(hide = true)]
    Foreign {
        /// The shell command to run.
        command: String,
    },
}

impl BotTestCommand {
    /// The tournament that the command plays, if it plays one.
    pub(crate) fn play(&self) -> Option<Play> {
        match self.clone() {
            BotTestCommand::Match(args) => Some(args.play()),
            BotTestCommand::RoundRobin(args) => Some(args.play()),
            BotTestCommand::Gauntlet(args) => Some(args.play()),
            BotTestCommand::Knockout(args) => Some(args.play()),
            BotTestCommand::Swiss(args) => Some(args.play()),
            BotTestCommand::Sprt(args) => Some(args.play()),
            BotTestCommand::Report(_)
            | BotTestCommand::Worker(_)
            | BotTestCommand::ExportJournal(_)
            | BotTestCommand::Reproduce(_)
            | BotTestCommand::Stats(_)
            | BotTestCommand::Tune(_)
            | BotTestCommand::Server(_)
            | BotTestCommand::Bot(_)
            | BotTestCommand::Foreign { .. } => None,
        }
    }
}
