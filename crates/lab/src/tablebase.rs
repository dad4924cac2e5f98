//! `checkers-lab tablebase`: generates, verifies and probes endgame tablebases.

mod articles;
mod directory;
mod failure;
mod generate;
mod manifest;
mod pack;
mod play;
mod probe;
mod report;
mod runs;
mod stats;
mod verify;

use std::path::PathBuf;

use checkers_engine::tablebase::Tablebases;
use clap::Subcommand;

use crate::failure::{LabFailure, talk};
pub(crate) use failure::TableFailure;

const EXAMPLES: &str = "\
Examples:
  checkers-lab tablebase generate --pieces 5
  checkers-lab tablebase generate --pieces 6 --memory 6G --dir tables
  checkers-lab tablebase verify --pieces 5
  checkers-lab tablebase stats --pieces 4
  checkers-lab tablebase probe --fen W:Wb6:Bb8

Tables contain, for every position of a number of pieces, whether it is won, lost or drawn, and the
number of plies to the end. See docs/tablebases.md, and docs/file-formats.md for the files.";

/// Generate, verify and probe endgame tablebases
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: TablebaseCommand,
}

#[derive(Subcommand)]
enum TablebaseCommand {
    Generate(generate::Args),
    Articles(articles::Args),
    Verify(verify::Args),
    Stats(stats::StatsArgs),
    Probe(probe::Args),
    List(stats::ListArgs),
    Pack(pack::Args),
    Report(report::Args),
}

/// Where the tables are.
#[derive(clap::Args)]
struct DirArgs {
    /// The directory of the tables
    #[arg(long, env = "CHECKERS_TABLEBASE", default_value = "tablebase")]
    dir: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    match &args.command {
        TablebaseCommand::Generate(args) => generate::run(args),
        TablebaseCommand::Articles(args) => articles::run(args),
        TablebaseCommand::Verify(args) => verify::run(args),
        TablebaseCommand::Stats(args) => stats::stats(args),
        TablebaseCommand::Probe(args) => probe::run(args),
        TablebaseCommand::List(args) => stats::list(args),
        TablebaseCommand::Pack(args) => pack::run(args),
        TablebaseCommand::Report(args) => report::run(args),
    }
}

/// Lets the bots of this process ask the tables that the environment names.
pub(crate) fn share() {
    Tablebases::load(Tablebases::directory().as_deref(), warn).share();
}

/// Lets the bots of this process ask the built-in tables alone, so that they play the same everywhere.
pub(crate) fn share_built_in() {
    Tablebases::load(None, warn).share();
}

/// Warns about a table that is skipped.
fn warn(fault: &str) {
    talk(&format!("warning: {fault}"));
}
