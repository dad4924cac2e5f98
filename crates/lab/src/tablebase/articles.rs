//! `checkers-lab tablebase articles`: what the articles that count moves change.

use std::io::{self, Write};
use std::time::Instant;

use checkers_engine::tablebase::{ArticleSolver, GenerationPlan, SliceStats, UnderArticles};
use serde::Serialize;

use super::DirArgs;
use super::directory::Directory;
use super::failure::TableFailure;
use super::generate::{Resources, check_memory};
use super::runs::CompletedRun;
use crate::failure::{LabFailure, talk};

/// The most pieces: with more, even a single pair of slices takes more memory than most machines have.
const MOST_PIECES: u8 = 6;

const EXAMPLES: &str = "\
Examples:
  checkers-lab tablebase articles --pieces 5
  checkers-lab tablebase articles --pieces 6 --dir tables --json

The values in tables ignore articles 7.2.4 to 7.2.8, which declare a draw after a number of moves.
This command solves the slices again under these articles, counting from each position, and prints
for each slice:
  drawn    won and lost positions that the articles make draws
  longest  the most plies that the winner to move needs before a capture, a promotion or the end; in
           slices of up to 3 pieces with a limit, before the end
  limit    the plies at which an article declares a draw, if one does

The slices must have been generated. At the end the results go to the directory's manifest.json, too;
an interrupted run has to begin again.";

/// Show which won positions are draws under the articles that count moves
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Up to how many pieces
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=i64::from(MOST_PIECES)))]
    pieces: u8,

    #[command(flatten)]
    resources: Resources,

    /// Write a JSON line for each slice instead
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    place: DirArgs,
}

/// A line of the output.
#[derive(Serialize)]
struct ArticlesDocument<'a> {
    slice: &'a str,
    drawn: u64,
    #[serde(flatten)]
    under: &'a UnderArticles,
}

impl ArticlesDocument<'_> {
    fn write(&self, as_json: bool) -> io::Result<()> {
        let mut output = io::stdout().lock();
        if as_json {
            serde_json::to_writer(&mut output, self)?;
            return writeln!(output);
        }
        let or_nothing =
            |plies: Option<u8>| plies.map_or_else(String::new, |plies| plies.to_string());
        writeln!(
            output,
            "{:<8} {:>11} {:>11} {:>9} {:>7} {:>5}",
            self.slice,
            self.under.wins,
            self.under.losses,
            self.drawn,
            or_nothing(self.under.longest),
            or_nothing(self.under.limit),
        )
    }
}

/// How many decided positions of a slice are draws under the articles.
pub(super) fn drawn(stats: &SliceStats, under: &UnderArticles) -> u64 {
    (stats.wins + stats.losses).saturating_sub(under.wins + under.losses)
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let begin = Instant::now();
    let mut directory = Directory::open(&args.place.dir)?;
    let plan = GenerationPlan::under_articles(args.pieces, args.resources.memory)
        .map_err(TableFailure::from)?;
    for half in plan.pairs.iter().flat_map(|pair| pair.pair()) {
        directory.require(half)?;
    }
    check_memory(&plan)?;
    let threads = args.resources.threads();
    let mut solver = ArticleSolver::new(threads);
    let mut all_drawn = 0;
    if !args.json {
        write_head().map_err(LabFailure::Write)?;
    }
    for (done, &pair) in plan.pairs.iter().enumerate() {
        let solved = solver.solve(pair).map_err(TableFailure::from)?;
        for (material, under) in solved {
            if let Some(listed) = directory.manifest.find(material) {
                let line = ArticlesDocument {
                    slice: &listed.stats.material,
                    drawn: drawn(&listed.stats, &under),
                    under: &under,
                };
                all_drawn += line.drawn;
                line.write(args.json).map_err(LabFailure::Write)?;
            }
            directory.manifest.add_articles(material, under);
        }
        let seconds = begin.elapsed().as_secs_f64();
        talk(&format!(
            "{pair}: {} of {} pairs, {seconds:.1} s",
            done + 1,
            plan.pairs.len()
        ));
    }
    directory.manifest.write(&directory.path)?;
    talk(&format!(
        "{all_drawn} of {} positions are draws by the articles alone",
        plan.positions
    ));
    let command = format!("tablebase articles --pieces {}", args.pieces);
    Ok(CompletedRun::since(begin, command, plan.positions, threads).add_to(&args.place.dir)?)
}

fn write_head() -> io::Result<()> {
    writeln!(
        io::stdout().lock(),
        "{:<8} {:>11} {:>11} {:>9} {:>7} {:>5}",
        "slice",
        "wins",
        "losses",
        "drawn",
        "longest",
        "limit"
    )
}
