//! `checkers-lab tablebase probe`: asks tables about positions.

use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;

use checkers_engine::tablebase::{Analysis, MoveValue, Tablebases, Wdl};
use checkers_lib::Position;
use serde::Serialize;

use crate::failure::{Failure, talk};

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

    /// Also tell whether the line of best play ends before an article declares a draw
    #[arg(long)]
    articles: bool,

    /// The directory of the tables [default: only those that are built in]
    #[arg(long, env = "CHECKERS_TABLEBASE")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let tables = open(args)?;
    let mut output = BufWriter::new(io::stdout().lock());
    let Some(fen) = &args.fen else {
        for line in io::stdin().lock().lines() {
            let line = line.map_err(Failure::Read)?;
            if !line.trim().is_empty() {
                let answer = answer(&tables, line.trim(), args.articles);
                write(&answer, args.json, &mut output).map_err(Failure::Write)?;
            }
        }
        return Ok(());
    };
    let answer = answer(&tables, fen.trim(), args.articles);
    write(&answer, args.json, &mut output).map_err(Failure::Write)?;
    match answer {
        Answer::Known { .. } => Ok(()),
        Answer::Error { error, .. } => Err(Failure::Position { reason: error }),
    }
}

fn open(args: &Args) -> Result<Tablebases, Failure> {
    let Some(dir) = &args.dir else {
        return Ok(Tablebases::embedded());
    };
    let (tables, faults) =
        Tablebases::open(dir).map_err(|source| super::TableFailure::Directory {
            path: dir.clone(),
            source,
        })?;
    for fault in faults {
        talk(&format!("warning: {fault}"));
    }
    Ok(tables)
}

/// The answer to one line.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Known {
        #[serde(flatten)]
        analysis: Analysis,
        #[serde(skip_serializing_if = "Option::is_none")]
        fits_articles: Option<bool>,
        #[serde(skip)]
        line: Vec<String>,
    },
    Error {
        fen: String,
        error: String,
    },
}

fn answer(tables: &Tablebases, fen: &str, articles: bool) -> Answer {
    let ask = || -> Result<Answer, String> {
        let position: Position = fen.parse().map_err(|error| format!("{error}"))?;
        let text = |error: checkers_engine::tablebase::ProbeError| error.to_string();
        let mut fits_articles = None;
        if articles {
            fits_articles = tables.fits_articles(&position).map_err(text)?;
        }
        Ok(Answer::Known {
            analysis: tables.analyse(&position).map_err(text)?,
            fits_articles,
            line: line(tables, &position).map_err(text)?,
        })
    };
    ask().unwrap_or_else(|error| Answer::Error {
        fen: fen.to_owned(),
        error,
    })
}

/// The best play as it is written.
fn line(
    tables: &Tablebases,
    position: &Position,
) -> Result<Vec<String>, checkers_engine::tablebase::ProbeError> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for m in tables.best_line(&position)? {
        line.push(position.notation(m));
        position.play_unchecked(m);
    }
    Ok(line)
}

fn write(answer: &Answer, json: bool, output: &mut impl Write) -> io::Result<()> {
    if json {
        serde_json::to_writer(&mut *output, answer)?;
        writeln!(output)?;
        return output.flush();
    }
    match answer {
        Answer::Error { fen, error } => writeln!(output, "{fen}: {error}")?,
        Answer::Known {
            analysis,
            fits_articles,
            line,
        } => {
            writeln!(output, "{}", valued(analysis.value, analysis.plies))?;
            for MoveValue {
                notation,
                value,
                plies,
            } in &analysis.moves
            {
                writeln!(output, "  {notation:<8} {}", valued(*value, *plies))?;
            }
            if !line.is_empty() {
                writeln!(output, "best play: {}", line.join(" "))?;
            }
            if let Some(fits) = fits_articles {
                let word = if *fits { "before" } else { "after" };
                writeln!(output, "it ends {word} an article declares a draw")?;
            }
        }
    }
    output.flush()
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
