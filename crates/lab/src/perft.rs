//! `checkers-lab perft`: counts the leaves of the game tree.

mod tree;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use checkers_lib::Position;
use serde::Serialize;

use crate::failure::{LabFailure, talk};
use tree::{Counting, Leaves};

const EXAMPLES: &str = "\
Examples:
  checkers-lab perft 11                   110917189
  checkers-lab perft 13 --threads 2       2673979569
  checkers-lab perft 3 --divide           one line per first move, then `total: 302`
  checkers-lab perft 4 --fen W:WKa1:Bc7   from another position
  checkers-lab perft 9 --count route      4570667

Standard output carries the count, standard error the time and the leaves per second. Known counts
are in docs/rules.md.";

/// Count the leaves of the game tree, the usual proof that a move generator is right
///
/// Draws are not declared: a line ends only where the side to move has no move.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many plies deep to count
    // Deeper trees would need more stack, and centuries.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,

    /// Where to begin [default: the start of the game]
    #[arg(long)]
    fen: Option<Position>,

    /// How many threads to count with; the result is the same
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Also count below each first move, sorted by notation
    #[arg(long)]
    divide: bool,

    /// Which moves count as different
    #[arg(long, value_enum, default_value_t = Counting::Effect)]
    count: Counting,

    /// Write one JSON object instead
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let position = args.fen.clone().unwrap_or_default();
    let begin = Instant::now();
    let leaves = tree::count(&position, args.depth, args.count, args.threads);
    let report = PerftDocument::new(args, &position, &leaves, begin.elapsed());
    let output = &mut io::stdout().lock();
    if args.json {
        return report.write_json(output).map_err(LabFailure::Write);
    }
    talk(&report.summary());
    report.write_text(output).map_err(LabFailure::Write)
}

/// The result, with everything that is needed to repeat it. The JSON form is its fields in this
/// order; `version` goes up when one changes its meaning.
#[derive(Serialize)]
struct PerftDocument {
    version: u32,
    fen: String,
    depth: u32,
    count: Counting,
    threads: u16,
    leaves: u64,
    seconds: f64,
    leaves_per_second: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Root>>,
}

/// The leaves below a first move.
#[derive(Serialize)]
struct Root {
    #[serde(rename = "move")]
    notation: String,
    leaves: u64,
}

impl PerftDocument {
    fn new(args: &Args, position: &Position, leaves: &Leaves, time: Duration) -> PerftDocument {
        let seconds = time.as_secs_f64();
        PerftDocument {
            version: 1,
            fen: position.to_string(),
            depth: args.depth,
            count: args.count,
            threads: args.threads,
            leaves: leaves.total,
            seconds,
            leaves_per_second: (leaves.total as f64 / seconds) as u64,
            divide: args.divide.then(|| divide(position, leaves)),
        }
    }

    fn summary(&self) -> String {
        format!(
            "depth {}: {} leaves in {:.3} s, {:.1} million leaves/s, threads: {}",
            self.depth,
            self.leaves,
            self.seconds,
            self.leaves_per_second as f64 / 1e6,
            self.threads,
        )
    }

    fn write_text(&self, output: &mut impl Write) -> io::Result<()> {
        let Some(roots) = &self.divide else {
            return writeln!(output, "{}", self.leaves);
        };
        for Root { notation, leaves } in roots {
            writeln!(output, "{notation}: {leaves}")?;
        }
        writeln!(output, "total: {}", self.leaves)
    }

    fn write_json(&self, output: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *output, self)?;
        writeln!(output)
    }
}

fn divide(position: &Position, leaves: &Leaves) -> Vec<Root> {
    let root = |&(m, leaves)| Root {
        notation: position.notation(m),
        leaves,
    };
    let mut roots: Vec<Root> = leaves.by_root.iter().map(root).collect();
    roots.sort_by(|a, b| a.notation.cmp(&b.notation));
    roots
}
