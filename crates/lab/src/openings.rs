//! `checkers-lab openings`: makes a suite of balanced openings.

mod progress;
mod search;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use checkers_engine::{Algorithm, BotSpec};
use checkers_lib::openings::{self, Opening};

use crate::draft::Draft;
use crate::failure::{LabFailure, talk};
use crate::signals::stop_on_signals;
use search::{OpeningSearch, Scored};

const EXAMPLES: &str = "\
Examples:
  checkers-lab openings --plies 3
  checkers-lab openings --plies 6 --depth 14 --seed 1 --out suite.txt
  checkers-lab openings --plies 8 --margin 100 --count 200 --seed 7
  checkers-lab openings --from suite.txt --bot champion:depth=24,book=off --margin 100

Each line has an opening's moves from the start and, behind a #, its score in White's eyes: the mean
of a search to the bot's depth and of one a ply less deep, for a search flatters the side that moves
last. Comments at the top have the command that makes the same text again with any number of threads.
See docs/openings.md.

Ctrl-C ends the command with exit code 130; a file of that name is then as it was.";

/// Make a suite of balanced openings for matches
///
/// Lists the positions that are reached by quiet moves alone, each once however it is reached, or the
/// openings of a file, searches each, and keeps those in which neither side is ahead by more than a
/// margin.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How many plies the openings last, both sides counted
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=10))]
    #[arg(required_unless_present = "from")]
    plies: Option<u8>,

    /// Take the openings of this file in place of every quiet position
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    from: Option<PathBuf>,

    /// The greatest advantage of either side, in the bot's units: a man is 1280, a row 256; for
    /// champion, a man is about 140
    // Won and lost positions lie far beyond.
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    margin: u32,

    /// How many plies deep to search [default: 12]
    #[arg(long, conflicts_with = "bot", value_parser = clap::value_parser!(u8).range(1..=64))]
    depth: Option<u8>,

    /// The bot that searches [default: negascout-tt:depth=DEPTH,tt=16,tt-accept=exact]
    #[arg(long, value_parser = searcher)]
    bot: Option<BotSpec>,

    /// End when this many are found [default: search them all]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,

    /// Take them in the random order of this seed [default: sorted by their moves]
    #[arg(long)]
    seed: Option<u64>,

    /// How many threads to search with, each with a bot of its own [default: all processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Write to this file, at the end and all at once [default: standard output]
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Reads a bot with meaningful scores.
fn searcher(text: &str) -> Result<BotSpec, String> {
    let spec: BotSpec = text.parse().map_err(|error| format!("{error}"))?;
    if spec.algorithm() == Algorithm::Random {
        return Err("random does not score: expected a bot that searches".to_owned());
    }
    Ok(spec.without_book())
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let stop = stop_on_signals();
    let draft = args.out.as_deref().map(Draft::create).transpose()?;
    let search = OpeningSearch {
        bot: args.bot(),
        margin: args.margin,
        count: args.count.map_or(usize::MAX, |count| count as usize),
        threads: args.threads.map_or_else(all_processors, usize::from),
        stop,
    };
    let kept = search.balanced(args.candidates()?)?;
    args.warn_of_shortage(kept.len());
    let text = args.text(&kept);
    match draft {
        Some(draft) => draft.commit(&text),
        None => io::stdout()
            .lock()
            .write_all(text.as_bytes())
            .map_err(LabFailure::Write),
    }
}

/// The openings of a file.
///
/// # Errors
/// It cannot be read, or has no openings.
fn read(path: &Path) -> Result<Vec<Opening>, LabFailure> {
    let text = fs::read_to_string(path).map_err(|source| LabFailure::ReadFile {
        path: path.to_owned(),
        source,
    })?;
    let content = |reason: String| LabFailure::Content {
        path: path.to_owned(),
        reason,
    };
    let found = openings::parse(&text).map_err(|error| content(error.to_string()))?;
    if found.is_empty() {
        return Err(content("has no openings".to_owned()));
    }
    Ok(found)
}

fn all_processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

impl Args {
    fn bot(&self) -> BotSpec {
        // This bot's scores depend on the position alone, not on the order of its moves.
        let exact = || {
            let depth = self.depth.unwrap_or(12);
            let spec = format!("negascout-tt:depth={depth},tt=16,tt-accept=exact");
            spec.parse().expect("a known bot with a depth in its range")
        };
        self.bot.clone().unwrap_or_else(exact)
    }

    fn warn_of_shortage(&self, kept: usize) {
        let wanted = self.count.unwrap_or(1);
        if kept < wanted as usize {
            talk(&format!(
                "warning: {kept} found, {wanted} wanted: raise --margin{}",
                if self.from.is_none() {
                    " or --plies"
                } else {
                    ""
                }
            ));
        }
    }

    /// All openings, in the order in which they are to be searched.
    ///
    /// # Errors
    /// The file cannot be read.
    fn candidates(&self) -> Result<Vec<Opening>, LabFailure> {
        let mut candidates = match &self.from {
            Some(path) => read(path)?,
            None => openings::enumerate(self.plies.unwrap_or_default().into()),
        };
        if let Some(seed) = self.seed {
            openings::shuffle(&mut candidates, seed);
        }
        Ok(candidates)
    }

    fn text(&self, kept: &[Scored]) -> String {
        let lines = kept
            .iter()
            .map(|Scored { opening, score }| format!("{opening} # {score}\n"));
        let header = format!(
            "# Openings, {} of them: {} in which neither side is ahead by more\n\
             # than {}, where a man is {}. Behind each is its score in White's eyes.\n\
             # Made by checkers-lab {} with\n\
             #   {}\n",
            kept.len(),
            match &self.from {
                Some(path) => format!("those of {}", path.display()),
                None => format!("quiet positions at ply {}", self.plies.unwrap_or_default()),
            },
            self.margin,
            self.bot().man(),
            env!("CARGO_PKG_VERSION"),
            self.command(),
        );
        header + &lines.collect::<String>()
    }

    /// The command that makes the same text again, with every option that shapes it.
    fn command(&self) -> String {
        let option = |name, value: Option<String>| {
            value
                .map(|value| format!(" --{name} {value}"))
                .unwrap_or_default()
        };
        format!(
            "checkers-lab openings{}{} --margin {} --bot {}{}{}",
            option("plies", self.plies.map(|plies| plies.to_string())),
            option(
                "from",
                self.from.as_ref().map(|path| path.display().to_string())
            ),
            self.margin,
            self.bot(),
            option("count", self.count.map(|count| count.to_string())),
            option("seed", self.seed.map(|seed| seed.to_string())),
        )
    }
}
