//! `checkers-lab book verify`: whether a book is what it should be.

use std::io::{self, Write};

use super::source::BookSource;
use crate::failure::LabFailure;

const EXAMPLES: &str = "\
Every byte is checked: the checksums of all parts, that each position is legal and occurs once, and
that the value of each position with known moves is that of the best of them. The first error is
shown with its place in the file, and the exit code is 1.";

/// Check a book, byte by byte and position by position
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    source: BookSource,
}

pub(super) fn run(args: &Args) -> Result<(), LabFailure> {
    let book = args.source.open()?;
    let name = args.source.name();
    if let Some(position) = book.contradiction() {
        return Err(LabFailure::Content {
            path: name.into(),
            reason: format!("{position} is not worth as much as its best move"),
        });
    }
    let mut output = io::stdout().lock();
    writeln!(output, "{name}: {} positions, all right", book.len()).map_err(LabFailure::Write)
}
