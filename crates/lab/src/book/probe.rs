//! `checkers-lab book probe`: what a book knows about a position.

use std::io::{self, Write};

use checkers_engine::book::{Book, BookMove};
use checkers_engine::{Score, win_chance};
use checkers_lib::{Move, Position, openings};
use serde::Serialize;

use super::source::BookSource;
use crate::failure::LabFailure;

const EXAMPLES: &str = r#"Examples:
  checkers-lab book probe
  checkers-lab book probe --moves 'c3-d4 b6-a5'
  checkers-lab book probe --fen W:Wa1,c1:Bb8,d8 --json

Each move the book knows has a line, the best first: what it is worth to the side that plays it, in
hundredths of a logit and as a chance, and the best play after it. A star marks the moves among which
the seed of a game chooses. With --json there is one line, here broken up to be read:
  {"fen":"...","score":12,
   "moves":[{"move":"c3-d4","score":12,"win_chance":0.53,"is_played":true,"pv":["c3-d4","..."]}]}
score is missing where the book does not have the position; moves are none where it ends."#;

/// Show what a book knows about a position
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    source: BookSource,

    /// The position [default: the start]
    #[arg(long, conflicts_with = "moves")]
    fen: Option<String>,

    /// The moves that lead there from the start
    #[arg(long, allow_hyphen_values = true)]
    moves: Option<String>,

    /// Write one JSON object instead
    #[arg(long)]
    json: bool,
}

/// Field names and their order are the command's interface.
#[derive(Serialize)]
struct Known {
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    moves: Vec<KnownMove>,
}

#[derive(Serialize)]
struct KnownMove {
    #[serde(rename = "move")]
    name: String,
    score: i32,
    win_chance: f64,
    is_played: bool,
    pv: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<(), LabFailure> {
    let book = args.source.open()?;
    let position = args.position()?;
    let known = Known::new(&book, &position);
    let text = if args.json {
        serde_json::to_string(&known).expect("texts and numbers can be written") + "\n"
    } else {
        known.text()
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).map_err(LabFailure::Write)
}

impl Args {
    fn position(&self) -> Result<Position, LabFailure> {
        if let Some(fen) = &self.fen {
            return fen.trim().parse().map_err(|error| LabFailure::Position {
                reason: format!("{error}"),
            });
        }
        let text = self.moves.as_deref().unwrap_or_default();
        let openings = openings::parse(text).map_err(|error| LabFailure::Moves {
            reason: error.to_string(),
        })?;
        match &openings[..] {
            [] => Ok(Position::start()),
            [opening] => Ok(opening.position().clone()),
            _ => Err(LabFailure::Moves {
                reason: "expected one line".to_owned(),
            }),
        }
    }
}

impl Known {
    fn new(book: &Book, position: &Position) -> Known {
        let moves = book.moves(position);
        let known = |known: &BookMove| {
            let mut after = position.clone();
            after.play_unchecked(known.m);
            let line = [known.m].into_iter().chain(book.line(&after));
            KnownMove {
                name: position.notation(known.m),
                score: known.score,
                win_chance: (win_chance(Score::new(known.score)) * 1e3).round() / 1e3,
                is_played: known.is_as_good_as(moves[0]),
                pv: names(position, line),
            }
        };
        Known {
            fen: position.to_string(),
            score: book.score(position),
            moves: moves.iter().map(known).collect(),
        }
    }

    fn text(&self) -> String {
        let head = match self.score {
            Some(score) => format!("{}  {score:+}\n", self.fen),
            None => format!("{}  not in the book\n", self.fen),
        };
        let line = |known: &KnownMove| {
            let star = if known.is_played { '*' } else { ' ' };
            let chance = 100.0 * known.win_chance;
            let (name, score) = (&known.name, known.score);
            let pv = known.pv.join(" ");
            format!("{star} {name:<11} {score:>+6} {chance:>5.1}%  {pv}\n")
        };
        head + &self.moves.iter().map(line).collect::<String>()
    }
}

/// The moves of a line as they are written.
pub(super) fn names(position: &Position, line: impl IntoIterator<Item = Move>) -> Vec<String> {
    let mut position = position.clone();
    let mut names = Vec::new();
    for m in line {
        names.push(position.notation(m));
        position.play_unchecked(m);
    }
    names
}
