//! `checkers-lab book stats`: what is in a book.

use std::collections::BTreeMap;
use std::io::{self, Write};

use checkers_engine::book::Book;
use checkers_lib::{Color, Position};

use super::probe::names;
use super::source::BookSource;
use crate::failure::LabFailure;

/// Show what is in a book: positions, pieces, best line, how it was made
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: BookSource,
}

pub(super) fn run(args: &Args) -> Result<(), LabFailure> {
    let book = args.source.open()?;
    let text = text(&args.source.name(), &book);
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).map_err(LabFailure::Write)
}

fn text(name: &str, book: &Book) -> String {
    let mut answered = 0;
    let mut by_pieces: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (key, _) in book.positions() {
        let position = key.position(Color::White);
        let is_answered = !book.moves(&position).is_empty();
        answered += usize::from(is_answered);
        let row = by_pieces.entry(position.occupied().len()).or_default();
        row.0 += 1;
        row.1 += usize::from(is_answered);
    }
    let start = Position::start();
    let line = book.line(&start);
    let bytes = book.to_bytes().len();
    let mut text = format!(
        "{name}: {} positions, {answered} of them answered, {bytes} bytes\n\
         best line from the start: {} plies: {}\n\
         pieces  positions  answered\n",
        book.len(),
        line.len(),
        names(&start, line).join(" "),
    );
    for (pieces, (positions, answered)) in by_pieces.iter().rev() {
        text.push_str(&format!("{pieces:>6} {positions:>10} {answered:>9}\n"));
    }
    text.push_str("made by\n");
    for line in book.note().lines() {
        text.push_str(&format!("  {line}\n"));
    }
    text
}
