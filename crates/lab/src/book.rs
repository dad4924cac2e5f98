//! `checkers-lab book`: makes, checks and asks opening books.

mod build;
mod list;
mod plan;
mod probe;
mod progress;
mod source;
mod stats;
mod tree;
mod verify;

use clap::Subcommand;

use crate::failure::LabFailure;

const EXAMPLES: &str = "\
Examples:
  checkers-lab book build --positions 40000 --nodes 20000 --out opening.book
  checkers-lab book probe --moves 'c3-d4 b6-a5'
  checkers-lab book list --plies 4
  checkers-lab book stats
  checkers-lab book verify

A book has positions of the first moves with what they are worth, as deep searches and the best play
between them say. docs/book.md says how it is made and played from, docs/file-formats.md what its
file is made of.";

/// Make, check and ask opening books
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    Build(build::Args),
    Probe(probe::Args),
    List(list::Args),
    Stats(stats::Args),
    Verify(verify::Args),
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    match &args.command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Probe(args) => probe::run(args),
        BookCommand::List(args) => list::run(args),
        BookCommand::Stats(args) => stats::run(args),
        BookCommand::Verify(args) => verify::run(args),
    }
}
