//! `checkers-lab analyse`: what positions are worth, and where games were lost.

mod cache;
mod graph;
pub(crate) mod input;
mod judge;
mod live;
mod report;
mod verdict;

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use checkers_engine::{Analyst, BotSpec, Limits};
use checkers_lib::pdn::Numbering;

use crate::draft::Draft;
use crate::failure::LabFailure;
use crate::numbers::FirstSquare;
use crate::signals::stop_on_signals;
use cache::Cache;
use judge::Judge;

const EXAMPLES: &str = r#"Examples:
  checkers-lab analyse --fen W:Wc3,e3:Bd6,f6 --depth 20
  checkers-lab analyse --fen W:Wc3,e3:Bd6,f6 --searchmoves c3-b4 e3-d4
  checkers-lab analyse --fens positions.txt --nodes 100000 --json
  checkers-lab analyse --pdn game.pdn --movetime 200ms --svg game.svg
  checkers-lab analyse --pdn game.pdn --cache analyses.jsonl

A position is shown in a table that grows by a line with every iteration. With --json each position
gives one line, here broken up to be read:
  {"fen":"W:Wc1,e1,d2,f2,c3,e3:Bd6,f6,b8,d8,f8,h8","move":"f2-g3","score":15,"win_chance":0.537,
   "depth":12,"nodes":99697,"nps":4426791,"time_ms":22,"pv":["f2-g3","f6-e5","..."]}

  score       to the side to move, in hundredths of a logit: 100 are a chance of 73 %; nothing if
              the end is known, which "win_in" or "loss_in" has in plies: 500 and more where
              a tablebase has the result, but not the distance
  win_chance  the expected result of the side to move, from 0 to 1
  lines       with --multi-pv: the best moves, each with score, win_chance and pv

A game is shown move by move from White's side: the value of the position, the cost of the move, and
a better move if there was one. With --json each move gives one line, with what the position before it
was worth to the side that played it, as above, and with game, ply, played, cost and mark. Moves that cost 5, 10 or 20 % of the game are marked ?!, ? and ??.
A game that cannot be read is named and left out. Files are in UTF-8 or Windows-1251.

A cache keeps what was found under position and limits; the second look is instant."#;

/// Find out what positions are worth, and which moves of a game were mistakes
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("input").required(true))]
pub(crate) struct Args {
    /// A position
    #[arg(long, group = "input")]
    fen: Option<String>,

    /// A file of positions, one to a line; - is standard input
    #[arg(long, value_name = "FILE", group = "input")]
    fens: Option<PathBuf>,

    /// A file of games; - is standard input
    #[arg(long, value_name = "FILE", group = "input")]
    pdn: Option<PathBuf>,

    /// Count squares that are given as numbers from this one; without it, from b8 or a1, whichever
    /// fits, and in games as their GameType says
    #[arg(long, value_name = "SQUARE")]
    numbers_from: Option<FirstSquare>,

    /// Think this long about each position, such as 100ms or 2s [default: 1s if nothing else is given]
    #[arg(long, value_parser = cli_kit::movetime)]
    movetime: Option<Duration>,

    /// Search each position this many plies deep
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=64))]
    depth: Option<u32>,

    /// Search this many nodes of each position
    #[arg(long)]
    nodes: Option<u64>,

    /// Show this many of the best moves
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    multi_pv: u8,

    /// Choose among these moves only
    #[arg(long, value_name = "MOVE", num_args = 1.., value_delimiter = ',', conflicts_with_all = ["fens", "pdn"])]
    searchmoves: Vec<String>,

    /// The analyst: champion with any of its keys
    #[arg(long, default_value = "champion", value_parser = champion)]
    bot: BotSpec,

    /// Write one JSON object a position instead
    #[arg(long)]
    json: bool,

    /// Look answers up in this file, and add those that it does not have
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Draw the course of the first game into this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fen", "fens"])]
    svg: Option<PathBuf>,
}

fn champion(text: &str) -> Result<BotSpec, String> {
    let spec: BotSpec = text.parse().map_err(|error| format!("{error}"))?;
    match Analyst::new(&spec) {
        Some(_) => Ok(spec),
        None => Err(format!("{} is no analyst: expected champion", spec.name())),
    }
}

impl Args {
    fn limits(&self) -> Limits {
        let is_bounded = self.depth.is_some() || self.nodes.is_some();
        let second = (!is_bounded).then_some(Duration::from_secs(1));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.or(second),
            stop: stop_on_signals(),
            ..Limits::default()
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let plot = args.svg.as_deref().map(Draft::create).transpose()?;
    let cache = args.cache.as_deref().map(Cache::open).transpose()?;
    let mut judge = Judge::new(&args.bot, args.limits(), args.multi_pv.into(), cache);
    if let Some(path) = &args.pdn {
        let games = input::games(path, args.numbers_from.map(Numbering::from))?;
        let bad = report::run(&mut judge, &games, args.json, plot)?;
        return match bad {
            0 => Ok(()),
            bad => Err(LabFailure::Content {
                path: path.clone(),
                reason: format!("{bad} of {} games could not be read", games.len()),
            }),
        };
    }
    let mut output = io::stdout().lock();
    let games = input::positions(args)?;
    if let [game] = &games[..] {
        judge.choose_among(input::moves(args, game)?);
    }
    for game in games {
        let verdict = if args.json {
            let verdict = judge.verdict(&game, &mut |_, _| Ok(()))?;
            let line = verdict.to_json();
            writeln!(output, "{line}")
                .and_then(|()| output.flush())
                .map_err(LabFailure::Write)?;
            verdict
        } else {
            live::show(&mut judge, &game, &mut output)?
        };
        if verdict.is_interrupted {
            return Err(LabFailure::CutShort);
        }
    }
    Ok(())
}
