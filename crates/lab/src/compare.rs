//! `checkers-lab compare`: what the bots' answers cost, side by side.

mod chart;
mod measure;
mod table;

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use checkers_engine::{Algorithm, BotSpec};

use crate::draft::Draft;
use crate::failure::LabFailure;
use crate::signals::stop_on_signals;
use measure::{Bench, MeasuredEffort, Series};

const EXAMPLES: &str = "\
Examples:
  checkers-lab compare > algorithms.md
  checkers-lab compare --svg algorithms.svg       also plot nodes and time against depth
  checkers-lab compare mtdf negascout-tt:tt=8 --depth 8

Every bot searches the same 20 positions, each as in a new game: openings, middle games, endings
with kings. Figures are means over the positions: nodes, which are the same in every run, and
milliseconds, of which each position's fastest round counts. `mcts` knows no depth; it is measured
by the number of its simulations.

Standard output carries Markdown tables, standard error the progress.";

/// Measure nodes and time against depth, bot by bot, on one fixed set of positions
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Bots to compare, each as NAME or NAME:KEY=VALUE,...
    #[arg(default_values = BOTS, hide_default_value = true)]
    bots: Vec<BotSpec>,

    /// How many plies deep to search at most
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: u32,

    /// Go no further with a bot once all positions together took longer than this
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = cli_kit::pause)]
    patience: Duration,

    /// How often to measure
    #[arg(long, default_value = "3")]
    rounds: NonZeroU32,

    /// Also draw a plot into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Every algorithm that searches, `negascout-id` also in its exact form.
const BOTS: [&str; 11] = [
    "minimax-weak",
    "minimax",
    "alpha-beta",
    "negascout",
    "negascout-tt",
    "sss-star",
    "mtdf",
    "negascout-id:tt-accept=exact,quiescence=off",
    "negascout-id",
    "mcts",
    "mcts:playout=eval",
];

const SIMULATIONS: [u64; 4] = [100, 1_000, 10_000, 100_000];

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let plot = args.svg.as_deref().map(Draft::create).transpose()?;
    let bench = Bench::new(args.rounds, args.patience, stop_on_signals());
    let series = args.bots.iter().map(|spec| measure(args, &bench, spec));
    let series: Vec<Series> = series.collect::<Result<_, _>>()?;
    table::write(&mut io::stdout().lock(), &series).map_err(LabFailure::Write)?;
    match plot {
        Some(plot) => plot.commit(&chart::svg(&series)?),
        None => Ok(()),
    }
}

fn measure(args: &Args, bench: &Bench, spec: &BotSpec) -> Result<Series, LabFailure> {
    match spec.algorithm() {
        Algorithm::Mcts => bench.measure(spec, SIMULATIONS.map(MeasuredEffort::Simulations)),
        _ => bench.measure(spec, (1..=args.depth).map(MeasuredEffort::Depth)),
    }
}
