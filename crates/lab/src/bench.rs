//! `checkers-lab bench`: fixed positions to a fixed depth, which takes the same nodes everywhere.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use checkers_engine::{BotSpec, Limits};

use crate::failure::{LabFailure, talk};
use crate::positions;

const EXAMPLES: &str = "\
Examples:
  checkers-lab bench
  checkers-lab bench --check crates/engine/bench.txt      fails if the nodes are others
  checkers-lab bench champion:eval=rows,lmr=off --depth 9

Every position is searched as in a new game on one thread. Standard output carries the nodes of all
positions together, which depend on the program alone: a change that means to change nothing leaves
them as they are. Standard error carries nodes and speed, position by position.";

/// Count the nodes of fixed searches, and how fast they are
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The bot that searches
    #[arg(default_value = "champion:tt=16,eval=hand")]
    bot: BotSpec,

    /// How many plies deep
    #[arg(long, default_value_t = 18, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,

    /// Compare the nodes with those that this file begins with
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let expected = args.check.as_deref().map(read_nodes).transpose()?;
    let nodes = search(args);
    writeln!(io::stdout().lock(), "{nodes}").map_err(LabFailure::Write)?;
    match (&args.check, expected) {
        (Some(path), Some(expected)) if expected != nodes => Err(LabFailure::OtherNodes {
            path: path.clone(),
            expected,
            found: nodes,
        }),
        _ => Ok(()),
    }
}

/// The nodes of all positions.
fn search(args: &Args) -> u64 {
    let mut bot = args.bot.clone().without_book().build();
    let limits = Limits {
        depth: Some(args.depth),
        ..Limits::default()
    };
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for game in positions::games() {
        bot.new_game(0);
        let choice = bot.choose(&game, &limits);
        talk(&line(
            choice.nodes,
            choice.time,
            &game.position().to_string(),
        ));
        nodes += choice.nodes;
        time += choice.time;
    }
    talk(&line(nodes, time, "all together"));
    nodes
}

fn line(nodes: u64, time: Duration, what: &str) -> String {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds / 1e6;
    format!("{nodes:>11} nodes {seconds:>7.3} s {speed:>6.2} million nodes/s  {what}")
}

fn read_nodes(path: &Path) -> Result<u64, LabFailure> {
    let text = fs::read_to_string(path).map_err(|source| LabFailure::ReadFile {
        path: path.to_owned(),
        source,
    })?;
    let first = text.split_whitespace().next().unwrap_or_default();
    first.parse().map_err(|_| LabFailure::Content {
        path: path.to_owned(),
        reason: format!("expected a number of nodes, found {first:?}"),
    })
}
