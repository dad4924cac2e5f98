//! `checkers-lab trace`: the tree that a search visits, as a file, in numbers, and compared.

mod diff;
mod report;
mod stat;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use checkers_engine::tree::{Tree, record};
use checkers_engine::{BotSpec, Limits};
use checkers_lib::{DrawRules, Game, Position};
use clap::Subcommand;

use crate::draft::Draft;
use crate::failure::{LabFailure, talk};
use crate::signals::stop_on_signals;

const EXAMPLES: &str = "\
Examples:
  checkers-lab trace alpha-beta --depth 8 --out alpha-beta.trace
  checkers-lab trace champion --fen W:Wc3,e3,g3:Bb6,d6,h6 --depth 12 --out champion.trace
  checkers-lab trace stat alpha-beta.trace
  checkers-lab trace diff alpha-beta.trace negascout.trace

A trace has every node that the search visited, in its order: move, window, depth, value, and how it
ended. The search is that of a new game, on one thread and without a book. If it visits more nodes
than --most-nodes, those far from the root are counted and not kept. docs/file-formats.md describes
the file.

Standard output carries what the bot answered.";

/// Record the tree that a search visits
#[derive(clap::Args)]
#[command(
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<TraceCommand>,

    #[command(flatten)]
    search: Option<SearchArgs>,
}

#[derive(clap::Args)]
struct SearchArgs {
    /// The bot that searches, NAME or NAME:KEY=VALUE,...
    bot: BotSpec,

    /// Where to search [default: the start of the game]
    #[arg(long)]
    fen: Option<Position>,

    /// How many plies deep [default: the bot's own depth]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,

    /// Visit at most this many nodes; of mcts, make this many simulations
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Keep at most this many nodes
    #[arg(long, value_name = "NODES", default_value_t = 4_000_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    most_nodes: u32,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Subcommand)]
enum TraceCommand {
    Stat(stat::Args),
    Diff(diff::Args),
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    match (&args.command, &args.search) {
        (Some(TraceCommand::Stat(args)), _) => stat::run(args),
        (Some(TraceCommand::Diff(args)), _) => diff::run(args),
        (None, Some(args)) => search(args),
        // The parser asks for a bot.
        (None, None) => Ok(()),
    }
}

fn search(args: &SearchArgs) -> Result<(), LabFailure> {
    let draft = Draft::create(&args.out)?;
    crate::tablebase::share();
    let position = args.fen.clone().unwrap_or_default();
    let game = Game::from_position(position, DrawRules::Fmjd64);
    let stop = stop_on_signals();
    let limits = Limits {
        depth: args.depth,
        nodes: args.nodes,
        stop: stop.clone(),
        ..Limits::default()
    };
    let bot = to_depth(&args.bot, args.depth);
    let tree = record(&bot, &game, &limits, args.most_nodes as usize)?;
    if stop.is_set() {
        return Err(LabFailure::Interrupted);
    }
    let bytes = tree.to_bytes();
    draft.commit_with(|file| file.write_all(&bytes))?;
    if tree.dropped() > 0 {
        talk(&format!(
            "{} of {} nodes are only counted: --most-nodes keeps more",
            tree.dropped(),
            tree.dropped() + tree.len() as u64,
        ));
    }
    talk(&format!("{} bytes in {}", bytes.len(), args.out.display()));
    let answer = report::answer(&tree);
    writeln!(io::stdout().lock(), "{answer}").map_err(LabFailure::Write)
}

/// The bot with this depth in its spec, if it has one there, so that the trace names the depth.
fn to_depth(bot: &BotSpec, depth: Option<u32>) -> BotSpec {
    let with_depth = depth.and_then(|depth| bot.clone().with("depth", &depth.to_string()).ok());
    with_depth.unwrap_or_else(|| bot.clone())
}

/// Reads a trace.
fn read(path: &Path) -> Result<Tree, LabFailure> {
    let bytes = fs::read(path).map_err(|source| LabFailure::ReadFile {
        path: path.to_owned(),
        source,
    })?;
    Tree::read(&bytes).map_err(|error| LabFailure::Content {
        path: path.to_owned(),
        reason: cli_kit::explain(&error),
    })
}
