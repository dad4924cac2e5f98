//! `checkers-lab regret`: what a bot's moves lose.

mod endings;
mod measure;
mod middle;
mod positions;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use checkers_engine::tablebase::Tablebases;
use checkers_engine::{Algorithm, BotSpec};

use crate::failure::LabFailure;
use crate::player::{PlayerFactory, SearchEffort};
use crate::signals::stop_on_signals;
use measure::RegretMeasure;
use positions::GameSource;

const EXAMPLES: &str = "\
Examples:
  checkers-lab regret champion champion:tablebase=off
  checkers-lab regret level:level=8 --games games.pdn --nodes 500,5000
  checkers-lab regret champion --movetime 10ms,50ms --endings 1000 --middle-games 0

Draws hide differences in strength: a bot may lose points in most games, and still draw them. Two
figures show what it loses, both in points (a win is 1, a draw 1/2) in 100 moves:

Endings have at most as many pieces as the tablebases, which say what each move is worth. The draw
articles do not count.

In middle games a judge searches each position, then the position after its own move and that after
the bot's move, each with 100 times (--factor) the largest effort. A score becomes expected points, and
the difference is the loss. The judge may be wrong too: the loss of a single move can be negative.

Positions come from the games of files, or from games that champion plays against itself from the
built-in openings. Each is used once, has a choice of moves, and is searched as in a new game. Errors
are half of a 95 % interval. With --nodes the results depend on nothing but the program.";

/// Measure what a bot's moves lose, compared with tablebases and with far longer searches
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Bots to measure, each as NAME or NAME:KEY=VALUE,...
    #[arg(required = true, value_parser = bot)]
    bots: Vec<Named>,

    /// Take positions from the games of this PDN file instead of own games; may be repeated
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,

    /// How many games to play for positions, without --games
    #[arg(
        long,
        value_name = "N",
        default_value = "200",
        conflicts_with = "games"
    )]
    play: NonZeroUsize,

    /// How many nodes to search for a move
    #[arg(
        long,
        value_delimiter = ',',
        default_values_t = [1_000, 10_000],
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000),
        conflicts_with = "movetime"
    )]
    nodes: Vec<u64>,

    /// How long to search for a move
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = cli_kit::movetime)]
    movetime: Vec<Duration>,

    /// How many endings to measure at most
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    endings: usize,

    /// How many positions of middle games to measure at most
    #[arg(long, value_name = "N", default_value_t = 200)]
    middle_games: usize,

    /// The judge of middle games
    #[arg(long, value_name = "BOT", default_value = "champion:tt=64", value_parser = judge)]
    judge: Named,

    /// How much more than the bots the judge searches
    #[arg(long, value_name = "N", default_value = "100")]
    factor: NonZeroU32,

    /// How many threads to search with, each with a bot of its own [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// A bot with its name as the user writes it.
#[derive(Clone)]
struct Named {
    name: String,
    spec: BotSpec,
}

fn bot(text: &str) -> Result<Named, String> {
    let spec = text.parse().map_err(|error| format!("{error}"))?;
    Ok(Named {
        name: text.to_owned(),
        spec,
    })
}

/// Reads a bot whose scores are those of the learned evaluation.
fn judge(text: &str) -> Result<Named, String> {
    let judge = bot(text)?;
    match judge.spec.algorithm() {
        Algorithm::Champion => Ok(judge),
        _ => Err("expected a champion: only its scores become expected points".to_owned()),
    }
}

/// A bot with what it may spend on a move.
struct Contender {
    name: String,
    factory: PlayerFactory,
    effort: SearchEffort,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    crate::tablebase::share();
    let measure = RegretMeasure {
        threads: crate::threads::count(args.threads),
        stop: stop_on_signals(),
    };
    let source = match args.games.as_slice() {
        [] => GameSource::Played(args.play.get()),
        files => GameSource::Files(files),
    };
    let most_pieces = Tablebases::shared().most_pieces().into();
    let positions = source.positions(most_pieces, &measure)?;
    let contenders = args.contenders()?;
    let endings = positions::spread(&positions.endings, args.endings);
    let middle_games = positions::spread(&positions.middle_games, args.middle_games);

    let mut text = String::new();
    if !endings.is_empty() {
        text += &endings::table(&endings, most_pieces, &contenders, &measure)?;
    }
    if !middle_games.is_empty() {
        let judge = Contender::new(&args.judge, args.judges_effort())?;
        let table = middle::table(&middle_games, &judge, &contenders, &measure)?;
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = write!(text, "{gap}{table}");
    }
    if text.is_empty() {
        return Err(LabFailure::NoPositions);
    }
    let written = io::stdout().lock().write_all(text.as_bytes());
    written.map_err(LabFailure::Write)
}

impl Args {
    fn efforts(&self) -> Vec<SearchEffort> {
        if self.movetime.is_empty() {
            self.nodes
                .iter()
                .copied()
                .map(SearchEffort::Nodes)
                .collect()
        } else {
            self.movetime
                .iter()
                .copied()
                .map(SearchEffort::Time)
                .collect()
        }
    }

    fn contenders(&self) -> Result<Vec<Contender>, LabFailure> {
        let pairs = self
            .bots
            .iter()
            .flat_map(|bot| self.efforts().into_iter().map(move |effort| (bot, effort)));
        pairs
            .map(|(bot, effort)| Contender::new(bot, effort))
            .collect()
    }

    fn judges_effort(&self) -> SearchEffort {
        let factor = self.factor.get();
        match self.movetime.iter().max() {
            Some(time) => SearchEffort::Time(time.saturating_mul(factor)),
            None => {
                let nodes = self.nodes.iter().copied().max().unwrap_or_default();
                SearchEffort::Nodes(nodes.saturating_mul(factor.into()))
            }
        }
    }
}

impl Contender {
    fn new(bot: &Named, effort: SearchEffort) -> Result<Contender, LabFailure> {
        Ok(Contender {
            name: bot.name.clone(),
            factory: PlayerFactory::new(&bot.spec, None)?,
            effort,
        })
    }

    /// The first columns of its row.
    fn columns(&self) -> String {
        let effort = match self.effort {
            SearchEffort::Nodes(nodes) => format!("{nodes} nodes"),
            SearchEffort::Time(time) => humantime::format_duration(time).to_string(),
        };
        format!("| `{}` | {effort} ", self.name)
    }
}
