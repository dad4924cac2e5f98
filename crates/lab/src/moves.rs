//! `checkers-lab moves`: the legal moves of positions, as JSON lines.

use std::io::{self, BufRead, BufWriter, Write};

use checkers_lib::{FenError, Move, Position, Route, Square};
use serde::Serialize;

use crate::failure::LabFailure;
use crate::numbers::{FirstSquare, fen_reason, read_position};

const EXAMPLES: &str = r#"Examples:
  checkers-lab moves --fen W:Wc3:Bd4
  checkers-lab moves --fen W:W22:B18 --numbers-from b8
  checkers-lab moves < positions.txt | jq '.moves | length'

Each position gives one line, here broken up to be read:
  {"fen":"W:Wc3:Bd4",
   "moves":[{"from":"c3","to":"e5","captures":["d4"],"promotes":false,"result":"B:We5:B",
             "routes":[{"squares":["c3","e5"],"captures":["d4"]}]}]}

  fen       the line as it was given, without the spaces around it
  moves     each effect once, in the generator's order; empty if the side to move has lost
  captures  of a move: in board order a1, c1, ... h8; of a route: in the order of capture
  result    the position after the move, its FEN in the one form that is written
  routes    every way to carry out the move, at most 512 of them

An invalid line gives {"fen":...,"error":...}, and the command goes on; the exit code stays 0. It is
2 only if the position given with --fen is invalid. Blank lines are skipped. Each answer is written
before the next line is read."#;

/// List the legal moves of positions as JSON, one line each
///
/// Reads a FEN per line from standard input until its end.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Answer for this position alone and read no input
    #[arg(long)]
    fen: Option<String>,

    /// Count squares that are given as numbers from this one; without it, from b8 or a1, whichever
    /// fits
    #[arg(long, value_name = "SQUARE")]
    numbers_from: Option<FirstSquare>,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let mut output = BufWriter::new(io::stdout().lock());
    match &args.fen {
        Some(fen) => answer_one(fen, args.numbers_from, &mut output),
        None => answer_lines(io::stdin().lock(), args.numbers_from, &mut output),
    }
}

fn answer_one(
    fen: &str,
    numbers_from: Option<FirstSquare>,
    output: &mut impl Write,
) -> Result<(), LabFailure> {
    let answer = MovesDocument::to(fen.trim().as_bytes(), numbers_from);
    write_line(&answer, output).map_err(LabFailure::Write)?;
    match answer {
        MovesDocument::Moves { .. } => Ok(()),
        MovesDocument::Error { error, .. } => Err(LabFailure::Position { reason: error }),
    }
}

fn answer_lines(
    input: impl BufRead,
    numbers_from: Option<FirstSquare>,
    output: &mut impl Write,
) -> Result<(), LabFailure> {
    for line in input.split(b'\n') {
        let line = line.map_err(LabFailure::Read)?;
        let fen = line.trim_ascii();
        if !fen.is_empty() {
            write_line(&MovesDocument::to(fen, numbers_from), output).map_err(LabFailure::Write)?;
        }
    }
    Ok(())
}

/// Writes an answer and flushes it: the client may wait for it before the next question.
fn write_line(answer: &MovesDocument, output: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    writeln!(output)?;
    output.flush()
}

/// The line written for a position. Field names and their order are the command's interface.
#[derive(Serialize)]
#[serde(untagged)]
enum MovesDocument {
    Moves { fen: String, moves: Vec<LegalMove> },
    Error { fen: String, error: String },
}

#[derive(Serialize)]
struct LegalMove {
    from: String,
    to: String,
    captures: Vec<String>,
    promotes: bool,
    result: String,
    routes: Vec<LegalRoute>,
}

#[derive(Serialize)]
struct LegalRoute {
    squares: Vec<String>,
    captures: Vec<String>,
}

impl MovesDocument {
    fn to(line: &[u8], numbers_from: Option<FirstSquare>) -> MovesDocument {
        let fen = String::from_utf8_lossy(line).into_owned();
        match read(line, numbers_from) {
            Ok(position) => {
                let moves = position.legal_moves();
                let moves = moves.iter().map(|&m| LegalMove::new(m, &position));
                MovesDocument::Moves {
                    fen,
                    moves: moves.collect(),
                }
            }
            Err(error) => MovesDocument::Error {
                fen,
                error: error.to_string(),
            },
        }
    }
}

impl LegalMove {
    fn new(m: Move, position: &Position) -> LegalMove {
        let mut result = position.clone();
        result.play_unchecked(m);
        LegalMove {
            from: m.from().to_string(),
            to: m.to().to_string(),
            captures: names(m.captured()),
            promotes: m.promotes(),
            result: result.to_string(),
            routes: m
                .routes(position)
                .into_iter()
                .map(LegalRoute::new)
                .collect(),
        }
    }
}

impl LegalRoute {
    fn new(route: Route) -> LegalRoute {
        LegalRoute {
            squares: names(route.squares),
            captures: names(route.captures),
        }
    }
}

fn names(squares: impl IntoIterator<Item = Square>) -> Vec<String> {
    squares
        .into_iter()
        .map(|square| square.to_string())
        .collect()
}

/// Why a line is not a position.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error("byte {byte}: not UTF-8")]
    NotUtf8 { byte: usize },
    #[error("{}", fen_reason(.0))]
    Fen(FenError),
}

fn read(line: &[u8], numbers_from: Option<FirstSquare>) -> Result<Position, LineError> {
    let text = str::from_utf8(line).map_err(|error| LineError::NotUtf8 {
        byte: error.valid_up_to() + 1,
    })?;
    read_position(text, numbers_from).map_err(LineError::Fen)
}
