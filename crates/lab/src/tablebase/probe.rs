//! `checkers-lab tablebase probe`: asks tables about positions.

use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;

use checkers_engine::tablebase::{Analysis, MoveValue, Report, Tablebases, Wdl};
use checkers_lib::Position;
use serde::Serialize;

use crate::failure::LabFailure;
use crate::tablebase::TableFailure;

const EXAMPLES: &str = r#"Examples:
  checkers-lab tablebase probe --fen W:WKa1,Kc1,Ke1:BKh8
  checkers-lab tablebase probe --fen W:Wb6:Bb8 --dir tablebase --json
  checkers-lab tablebase probe --json < positions.txt

With --json each position gives one line, here broken up to be read:
  {"value":"win","plies":7,
   "moves":[{"move":"a5-b4","value":"win","plies":7},{"move":"a5-b6","value":"draw","plies":null}]}

  value  win, draw or loss: for the side to move, the draw-counting articles apart
  plies  how long a decided game lasts from here by best play of both sides, or null where it is
         drawn or no table of distances has it
  moves  the legal moves with what each is worth, the best first

A line that is no position, or that no table has, gives {"fen":...,"error":...} and the rest goes on.
Values of up to 5 pieces are built in; everything else comes from --dir."#;

/// Ask what positions are worth, and each of their moves
///
/// Reads a FEN per line from standard input until its end.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Answer for this position alone and read no input
    #[arg(long)]
    fen: Option<String>,

    /// Write JSON lines
    #[arg(long)]
    json: bool,

    /// Also show whether the line of best play ends before an article declares a draw; in JSON as
    /// "fits_articles", with that line as "line"
    #[arg(long)]
    articles: bool,

    /// The directory of the tables [default: only those that are built in]
    #[arg(long, env = "CHECKERS_TABLEBASE")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let tables = Tablebases::load(args.dir.as_deref(), super::warn);
    let mut output = BufWriter::new(io::stdout().lock());
    let Some(fen) = &args.fen else {
        for line in io::stdin().lock().lines() {
            let line = line.map_err(LabFailure::Read)?;
            if !line.trim().is_empty() {
                let answer = answer(&tables, line.trim());
                write(&answer, args, &mut output).map_err(LabFailure::Write)?;
            }
        }
        return Ok(());
    };
    let answer = answer(&tables, fen.trim());
    write(&answer, args, &mut output).map_err(LabFailure::Write)?;
    match answer {
        ProbeDocument::Known(_) => Ok(()),
        ProbeDocument::Error(Unknown { error: reason, .. }) => {
            let is_position = fen.parse::<Position>().is_ok();
            Err(if is_position {
                TableFailure::Unknown { reason }.into()
            } else {
                LabFailure::Position { reason }
            })
        }
    }
}

/// The answer to one line.
enum ProbeDocument {
    Known(Report),
    Error(Unknown),
}

/// Why there is no answer.
#[derive(Serialize)]
struct Unknown {
    fen: String,
    error: String,
}

fn answer(tables: &Tablebases, fen: &str) -> ProbeDocument {
    let ask = || -> Result<Report, String> {
        let position: Position = fen.parse().map_err(|error| format!("{error}"))?;
        tables.report(&position).map_err(|error| error.to_string())
    };
    ask().map_or_else(
        |error| {
            let fen = fen.to_owned();
            ProbeDocument::Error(Unknown { fen, error })
        },
        ProbeDocument::Known,
    )
}

fn write(answer: &ProbeDocument, args: &Args, output: &mut impl Write) -> io::Result<()> {
    match answer {
        ProbeDocument::Error(unknown) if args.json => write_json(unknown, output)?,
        ProbeDocument::Known(report) if args.json && args.articles => write_json(report, output)?,
        ProbeDocument::Known(report) if args.json => write_json(&report.analysis, output)?,
        ProbeDocument::Error(Unknown { fen, error }) => writeln!(output, "{fen}: {error}")?,
        ProbeDocument::Known(report) => write_text(report, args.articles, output)?,
    }
    output.flush()
}

fn write_json(value: &impl Serialize, output: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    writeln!(output)
}

fn write_text(report: &Report, articles: bool, output: &mut impl Write) -> io::Result<()> {
    let Analysis {
        value,
        plies,
        moves,
    } = &report.analysis;
    writeln!(output, "{}", valued(*value, *plies))?;
    for MoveValue {
        notation,
        value,
        plies,
    } in moves
    {
        writeln!(output, "  {notation:<8} {}", valued(*value, *plies))?;
    }
    if !report.line.is_empty() {
        writeln!(output, "best play: {}", report.line.join(" "))?;
    }
    if let Some(fits) = report.fits_articles.filter(|_| articles) {
        let word = if fits { "before" } else { "after" };
        writeln!(output, "it ends {word} an article declares a draw")?;
    }
    Ok(())
}

fn valued(value: Wdl, plies: Option<u8>) -> String {
    let word = match value {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    };
    match plies {
        Some(plies) => format!("{word} in {plies}"),
        None => word.to_owned(),
    }
}
