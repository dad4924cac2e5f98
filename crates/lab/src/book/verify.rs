//! `checkers-lab book verify`: whether a book is what it should be.

use std::io::{self, Write};

use super::source::Source;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Every byte is checked: the checksums of all parts, that the positions are legal and each is there
once, and that each position whose moves are known is worth as much as the best of them. The first
thing that is wrong is told with its place in the file, and the exit code is 1.";

/// Check a book, byte by byte and position by position
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let book = args.source.open()?;
    let name = args.source.name();
    if let Some(position) = book.contradiction() {
        return Err(Failure::Content {
            path: name.into(),
            reason: format!("{position} is not worth as much as its best move"),
        });
    }
    let mut output = io::stdout().lock();
    writeln!(output, "{name}: {} positions, all right", book.len()).map_err(Failure::Write)
}
