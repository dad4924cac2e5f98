//! `checkers-bot-test reproduce`: the command line, and from there to the exit code.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use checkers_lib::openings;
use clap::error::ErrorKind;
use clap::{CommandFactory, value_parser};

use super::run::reproduce;
use super::{ReproduceOptions, ReproducePlan, Reproduction, figure, figure_name, tables};
use crate::files::{FileError, OutputFile};
use crate::stderr::print_stderr;
use crate::{Cli, ExitCode, Failure, TournamentError};

/// Plays a published study again and compares.
///
/// Plays the study's seven tables: a single game from the start for each row, as published, with
/// results, times and nodes; then, on all cores, many games of each row, from openings with both
/// colours. Draws the study's figures and judges its three conclusions. Without --table,
/// --figure and --conclusions that is all done; with them, only what they name.
///
/// The tables go to stdout as Markdown. Times are worth nothing while the machine does
/// something else.
#[derive(Clone, Debug, clap::Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct ReproduceArgs {
    /// Only this table, with its pairs; may be given more than once
    #[arg(long = "table", value_name = "1..7", value_parser = value_parser!(u8).range(1..=7))]
    pub tables: Vec<u8>,

    /// Only this figure, from the single games of all tables; may be given more than once
    #[arg(long = "figure", value_name = "3|4", value_parser = value_parser!(u8).range(3..=4))]
    pub figures: Vec<u8>,

    /// Only the conclusions, from searches of the same positions
    #[arg(long)]
    pub conclusions: bool,

    /// Everything with few games and little depth, in about two minutes
    #[arg(long, conflicts_with_all = ["pairs", "other_seeds", "timings", "from"])]
    pub quick: bool,

    /// Write the figures into this directory, as study-figure-3.svg and study-figure-4.svg
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,

    /// Write all results as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Play nothing, but print the results in a file that --json wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tables", "figures", "conclusions", "json"])]
    pub from: Option<PathBuf>,

    /// How many openings each row plays with both colours
    #[arg(long, alias = "honest-pairs", value_name = "N", default_value_t = 200)]
    pub pairs: u32,

    /// How many games from the start each row plays with other seeds
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub other_seeds: u32,

    /// How often each single game is played for its times; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = value_parser!(u32).range(1..=100))]
    pub timings: u32,

    /// Seed of White's noise and of the order of the openings; Black's seed is one more
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// How many pairs are played at the same time; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Leave out the rows in which White searches deeper
    #[arg(long, value_name = "N", default_value_t = 64, hide = true)]
    pub max_depth: u32,
}

/// What --quick plays: a tenth of the pairs and no deep rows.
const QUICK_PAIRS: u32 = 20;
const QUICK_SEEDS: u32 = 2;
const QUICK_DEPTH: u32 = 5;

const AFTER_HELP: &str = "\
Examples:
  Everything, in about a quarter of an hour on two cores:
    checkers-bot-test reproduce --out study --json study.json > study.md
  One table, with more openings:
    checkers-bot-test reproduce --table 5 --pairs 500
  Everything with few games, in about two minutes:
    checkers-bot-test reproduce --quick
  The figures alone, in one or two minutes:
    checkers-bot-test reproduce --figure 3 --figure 4

On two idle cores the single games of all tables, which either figure needs too, take a minute, the
searches of the conclusions a minute, and the pairs of all tables the rest of the quarter of an
hour. A busy machine takes longer. Each part says on stderr how long it took.

Exit codes:
  0    everything was played
  1    a file or stdout cannot be read or written, or this system does not let the program run
  2    the command line is wrong; nothing was played
  130  interrupted by Ctrl-C or SIGHUP; the results so far are printed
  143  terminated by SIGTERM; the results so far are printed";

/// Why the study could not be played or printed.
#[derive(Debug, thiserror::Error)]
enum ReproduceError {
    #[error(transparent)]
    Games(#[from] TournamentError),
    #[error("cannot create {}", path.display())]
    Directory { path: PathBuf, source: io::Error },
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not what --json writes", path.display())]
    Record {
        path: PathBuf,
        source: serde_json::Error,
    },
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot write the document to stdout")]
    Stdout(#[source] io::Error),
}

impl ReproduceError {
    fn exit_code(&self) -> ExitCode {
        match self {
            ReproduceError::Games(_)
            | ReproduceError::Directory { .. }
            | ReproduceError::Read { .. }
            | ReproduceError::Record { .. }
            | ReproduceError::File(_)
            | ReproduceError::Stdout(_) => ExitCode::Failed,
        }
    }
}

impl ReproduceArgs {
    /// Does what was asked for.
    pub(crate) fn run(&self) -> ExitCode {
        match self.try_run() {
            Ok(None) => ExitCode::Done,
            Ok(Some(failure)) => {
                print_stderr(&format!("error: {failure}\n"));
                ExitCode::from(&failure)
            }
            Err(error) => {
                print_stderr(&format!("error: {}\n", cli_kit::explain(&error)));
                error.exit_code()
            }
        }
    }

    /// Returns what ended it early. Wrong usage ends the process, as it does while the command
    /// line is read.
    fn try_run(&self) -> Result<Option<Failure>, ReproduceError> {
        let known = self.from.as_deref().map(read).transpose()?;
        let plan = self.plan().unwrap_or_else(|error| error.exit());
        let figures = known
            .as_ref()
            .map_or(&plan.figures, |record| &record.figures);
        let outputs = Outputs::prepare(self, figures)?;
        let (record, failure) = match known {
            Some(record) => (record, None),
            None => play(&plan)?,
        };
        // A stdout that is closed must not cost the files.
        let printed = tell(&record);
        outputs.write(&record)?;
        printed.map(|()| failure)
    }

    /// The plan of the reproduction.
    ///
    /// # Errors
    /// More pairs than there are openings.
    pub fn plan(&self) -> Result<ReproducePlan, clap::Error> {
        let openings = openings::suite().len();
        if self.pairs as usize > openings {
            let message = format!("--pairs: there are {openings} openings");
            return Err(Cli::command().error(ErrorKind::ValueValidation, message));
        }
        let is_all = self.tables.is_empty() && self.figures.is_empty() && !self.conclusions;
        Ok(ReproducePlan {
            tables: chosen(&self.tables, 1..=7, is_all),
            figures: chosen(&self.figures, 3..=4, is_all),
            compares: is_all || self.conclusions,
            options: self.options(),
        })
    }

    fn options(&self) -> ReproduceOptions {
        if self.quick {
            return ReproduceOptions {
                timings: 1,
                other_seeds: QUICK_SEEDS,
                pairs: QUICK_PAIRS,
                max_depth: self.max_depth.min(QUICK_DEPTH),
                ..self.given_options()
            };
        }
        self.given_options()
    }

    fn given_options(&self) -> ReproduceOptions {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        ReproduceOptions {
            seed: self.seed,
            timings: self.timings,
            other_seeds: self.other_seeds,
            pairs: self.pairs,
            threads: self.threads.map_or_else(cores, usize::from),
            max_depth: self.max_depth,
        }
    }
}

/// The chosen of all numbers, in order and once each.
fn chosen(given: &[u8], all: std::ops::RangeInclusive<u8>, is_all: bool) -> Vec<u8> {
    all.filter(|number| is_all || given.contains(number))
        .collect()
}

fn read(path: &Path) -> Result<Reproduction, ReproduceError> {
    let path = || path.to_owned();
    let text = fs::read_to_string(path()).map_err(|source| ReproduceError::Read {
        path: path(),
        source,
    })?;
    serde_json::from_str(&text).map_err(|source| ReproduceError::Record {
        path: path(),
        source,
    })
}

/// Plays until everything is played or something ends it, which is returned too.
fn play(plan: &ReproducePlan) -> Result<(Reproduction, Option<Failure>), TournamentError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.map_err(TournamentError::System)?;
    runtime.block_on(reproduce(plan))
}

fn tell(record: &Reproduction) -> Result<(), ReproduceError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(tables::document(record).as_bytes());
    (written.and_then(|()| stdout.flush())).map_err(ReproduceError::Stdout)
}

/// The files that were asked for.
struct Outputs {
    json: Option<OutputFile>,
    figures: Vec<(u8, OutputFile)>,
}

impl Outputs {
    fn prepare(args: &ReproduceArgs, figures: &[u8]) -> Result<Outputs, ReproduceError> {
        if !figures.is_empty() {
            fs::create_dir_all(&args.out).map_err(|source| ReproduceError::Directory {
                path: args.out.clone(),
                source,
            })?;
        }
        let figure = |&number: &u8| {
            let path = args.out.join(figure_name(number));
            Ok((number, OutputFile::prepare(&path)?))
        };
        Ok(Outputs {
            json: args.json.as_deref().map(OutputFile::prepare).transpose()?,
            figures: figures
                .iter()
                .map(figure)
                .collect::<Result<_, FileError>>()?,
        })
    }

    fn write(&self, record: &Reproduction) -> Result<(), FileError> {
        if let Some(file) = &self.json {
            file.write(record.to_json().as_bytes())?;
        }
        for (number, file) in &self.figures {
            file.write(figure::draw(*number, record).as_bytes())?;
        }
        Ok(())
    }
}
