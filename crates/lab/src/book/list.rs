//! `checkers-lab book list`: the openings of a book.

use std::collections::HashSet;
use std::io::{self, BufWriter, Write};

use checkers_engine::book::Book;
use checkers_lib::openings::Opening;
use checkers_lib::{Color, Position};

use super::source::BookSource;
use crate::failure::LabFailure;

const EXAMPLES: &str = "\
Examples:
  checkers-lab book list --plies 4
  checkers-lab book list --plies 8 --margin 30 > openings.txt

Each line has the moves from the start, and behind a # what the position is worth to White, in
hundredths of a logit. Matches can begin with them: checkers-bot-test match --openings FILE.";

/// List the openings of a book, each position once
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    source: BookSource,

    /// How many plies the openings last
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=60))]
    plies: u8,

    /// How much less than the best each move may be worth
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..))]
    margin: i32,
}

pub(super) fn run(args: &Args) -> Result<(), LabFailure> {
    let book = args.source.open()?;
    let mut output = BufWriter::new(io::stdout().lock());
    let mut write = || {
        for opening in openings(&book, args.plies, args.margin) {
            let score = book.score(opening.position()).unwrap_or(0);
            let whites = match opening.position().turn() {
                Color::White => score,
                Color::Black => -score,
            };
            writeln!(output, "{opening} # {whites:+}")?;
        }
        output.flush()
    };
    write().map_err(LabFailure::Write)
}

/// The openings of this length with moves that are all nearly the best, in the order of the moves'
/// values.
fn openings(book: &Book, plies: u8, margin: i32) -> Vec<Opening> {
    let mut openings = vec![Opening::new(Position::start())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut longer = Vec::new();
        for opening in &openings {
            let moves = book.moves(opening.position());
            let best = moves.first().map_or(0, |best| best.score);
            for known in moves.iter().filter(|known| known.score >= best - margin) {
                let mut next = opening.clone();
                if next.push(known.m).is_ok() && seen.insert(next.position().clone()) {
                    longer.push(next);
                }
            }
        }
        openings = longer;
    }
    openings
}
