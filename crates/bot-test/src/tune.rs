//! `checkers-bot-test tune`: finds better numbers for a bot's keys by games.

mod games;
mod journal;
mod spsa;

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use checkers_engine::tablebase::Tablebases;
use checkers_engine::{BotSpec, Values};
use checkers_lib::openings::{self, Opening};
use cli_kit::Signals;

use crate::commands::stats::Hypotheses;
use crate::files::FileError;
use crate::format::{FormatReport, SprtReport};
use crate::statistics::{Decision, Model, Sprt, SprtError, Wdl};
use crate::stderr::print_stderr;
use crate::{BotId, BotLimits, ExitCode, Failure, Format, PlayedTournament, TournamentError};

use self::games::TuningGames;
use self::journal::{Iteration, TuningJournal, TuningSettings};
use self::spsa::{Range, SpsaSchedule};

const EXAMPLES: &str = "\
Examples:
  checkers-bot-test tune champion:tt=4,book=off --key futility-margin=20..160 --limits nodes=4000
  checkers-bot-test tune champion:tt=4,book=off --key lmr-divisor=100..250 --key iir-depth=2..8 \\
      --limits nodes=4000 --iterations 5000 --journal tune.jsonl
  checkers-bot-test tune mcts:playouts=1000 --key c=20..300 --limits nodes=1000 --gate 0,10

The first line of the output is the tuned bot, the last one what the test says of it. The test ends
undecided when the openings that are kept for it, a fifth of all, are used up, or after 20000 pairs.

With --journal an interrupted run resumes when the same command is given again; an interrupted test
starts again. Unless time bounds the moves, or the bot has several threads, the result depends on
the arguments alone: only built-in tablebases are used. docs/engine.md lists the champion's keys.

Exit codes:
  0         done, whichever bot the test prefers
  1         a file cannot be read or written, or the system refuses something
  2         wrong usage
  4         a bot failed
  7         the test is undecided
  130, 143  ended early by Ctrl-C; by SIGTERM";

/// What `tune` takes.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct TuneArgs {
    /// The bot; its keys have the values that the search begins with
    bot: BotSpec,

    /// A key to tune, and the range of its values; may be repeated
    #[arg(long = "key", value_name = "KEY=MIN..MAX", required = true)]
    keys: Vec<Parameter>,

    /// What bounds a move: depth=5, nodes=10000, movetime=100ms [default: what the bot says]
    #[arg(long)]
    limits: Option<BotLimits>,

    /// How many iterations to play
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    iterations: u32,

    /// How many pairs of games an iteration plays
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pairs: u32,

    /// How many quiet plies come before the games
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u8).range(1..=10))]
    opening_plies: u8,

    /// What all chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// The hypotheses of the test at the end, in normalized Elo
    #[arg(
        long,
        value_name = "H0,H1",
        default_value = "0,5",
        allow_hyphen_values = true
    )]
    gate: Hypotheses,

    /// How many pairs to play at the same time, of those of an iteration [default: the physical
    /// cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// Keep the iterations in this file, or go on with those that it has
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// A key and the range of its values.
#[derive(Clone, Debug)]
struct Parameter {
    key: String,
    min: u64,
    max: u64,
}

impl FromStr for Parameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Parameter, String> {
        let parse = || {
            let (key, range) = text.split_once('=')?;
            let (min, max) = range.split_once("..")?;
            let (min, max) = (min.parse().ok()?, max.parse().ok()?);
            (min < max && max <= MOST).then(|| Parameter {
                key: key.to_owned(),
                min,
                max,
            })
        };
        parse().ok_or_else(|| "expected a key and a range, such as c=20..300".to_owned())
    }
}

/// The greatest value, below which all whole numbers have a floating-point number.
const MOST: u64 = 1 << 50;

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.key, self.min, self.max)
    }
}

/// After how many pairs the test ends undecided.
const GATE_PAIRS: u64 = 20_000;
/// How often the test may decide wrongly, either way.
const GATE_ERROR: f64 = 0.05;

/// Why the values were not tuned to the end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TuneError {
    #[error("--key: {0}")]
    Key(String),
    #[error("--gate: {0}")]
    Gate(#[from] SprtError),
    #[error("this system does not let the program run")]
    System(#[source] io::Error),
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    #[error("{0}")]
    Failed(Failure),
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {reason}", path.display())]
    Content { path: PathBuf, reason: String },
    #[error(transparent)]
    File(#[from] FileError),
    #[error("cannot write the result to stdout")]
    Stdout(#[source] io::Error),
}

impl TuneError {
    fn exit_code(&self) -> ExitCode {
        match self {
            TuneError::Key(_) | TuneError::Gate(_) => ExitCode::Usage,
            TuneError::Failed(failure) => failure.into(),
            TuneError::System(_)
            | TuneError::Tournament(_)
            | TuneError::Read { .. }
            | TuneError::Content { .. }
            | TuneError::File(_)
            | TuneError::Stdout(_) => ExitCode::Failed,
        }
    }
}

impl TuneArgs {
    /// Tunes the bot, and reports the result.
    pub(crate) fn run(&self) -> ExitCode {
        // The same everywhere: what the tables of a directory decide depends on the machine.
        Tablebases::load(None, |_| {}).share();
        let done = tokio::runtime::Runtime::new()
            .map_err(TuneError::System)
            .and_then(|runtime| runtime.block_on(self.tune_until_stopped()));
        match done {
            Ok(decision) => decision,
            Err(error) => {
                print_stderr(&format!("error: {}\n", cli_kit::explain(&error)));
                let is_stopped = matches!(
                    error,
                    TuneError::Failed(Failure::Interrupted | Failure::Terminated)
                );
                if self.journal.is_some() && is_stopped {
                    print_stderr("the same command goes on from here\n");
                }
                error.exit_code()
            }
        }
    }

    async fn tune_until_stopped(&self) -> Result<ExitCode, TuneError> {
        let mut signals = Signals::with_hangup().map_err(TuneError::System)?;
        tokio::select! {
            done = self.tune_and_test() => done,
            signal = signals.next() => Err(TuneError::Failed(signal.into())),
        }
    }

    async fn tune_and_test(&self) -> Result<ExitCode, TuneError> {
        let start = self.start()?;
        Sprt::new(self.gate.0, GATE_ERROR, GATE_ERROR, Model::Normalized)?;
        let games = TuningGames {
            limits: self.limits.unwrap_or_default(),
            concurrency: self
                .concurrency
                .map_or_else(num_cpus::get_physical, usize::from),
        };
        let mut openings = openings::enumerate(self.opening_plies.into());
        openings::shuffle(&mut openings, self.seed);
        // Four fifths for the iterations, and the others for the test.
        let (seen, unseen) = openings.split_at((openings.len() * 4 / 5).max(1));
        let values = self.tune(&games, start.clone(), seen).await?;
        let tuned = self.bot_with(values.iter().map(|value| value.round() as u64))?;
        report(&tuned.to_string())?;
        for ((parameter, before), after) in self.keys.iter().zip(start).zip(values) {
            report(&format!("{}: {before} to {after:.1}", parameter.key))?;
        }
        if tuned == self.bot {
            report("unchanged: there is nothing to test")?;
            return Ok(ExitCode::Done);
        }
        print_stderr("testing the tuned bot against the given one\n");
        let format = Format::Sprt {
            elo: self.gate.0,
            alpha: GATE_ERROR,
            beta: GATE_ERROR,
            model: Model::Normalized,
            max_pairs: GATE_PAIRS,
        };
        let unseen = if unseen.is_empty() { seen } else { unseen };
        let bots = [&tuned, &self.bot];
        let played = games.play(bots, format, unseen.to_vec()).await?;
        let FormatReport::Sprt(test) = &played.report else {
            return Ok(ExitCode::Undecided);
        };
        report(&verdict(test, self.gate))?;
        Ok(match test.answer.decision {
            Decision::Continue => ExitCode::Undecided,
            Decision::AcceptH0 | Decision::AcceptH1 => ExitCode::Done,
        })
    }
}

/// Writes a line of the results.
fn report(line: &str) -> Result<(), TuneError> {
    writeln!(io::stdout(), "{line}").map_err(TuneError::Stdout)
}

fn verdict(test: &SprtReport, Hypotheses([h0, h1]): Hypotheses) -> String {
    let decision = match test.answer.decision {
        Decision::AcceptH1 => "H1 accepted: keep the tuned bot",
        Decision::AcceptH0 => "H0 accepted: keep the given bot",
        Decision::Continue => "undecided: keep the given bot",
    };
    format!(
        "{decision} (SPRT of {h0} against {h1} normalized Elo, {} pairs, LLR {:+.2})",
        test.judged, test.answer.llr
    )
}

impl TuneArgs {
    /// The values that the bot has for the keys.
    ///
    /// # Errors
    /// A key is unknown or has no numbers, or a range is wrong.
    fn start(&self) -> Result<Vec<u64>, TuneError> {
        let settings: Vec<_> = self.bot.settings().collect();
        let value = |(place, parameter): (usize, &Parameter)| {
            let mut before = self.keys[..place].iter();
            if before.any(|other| other.key == parameter.key) {
                return Err(format!("{} is given twice", parameter.key));
            }
            let setting = settings.iter().find(|found| found.key == parameter.key);
            let value = setting
                .filter(|found| matches!(found.values, Values::Number { .. }))
                .and_then(|found| found.value.parse().ok())
                .ok_or_else(|| format!("{} has no number {}", self.bot.name(), parameter.key))?;
            for bound in [parameter.min, parameter.max] {
                let bounded = self.bot.clone().with(&parameter.key, &bound.to_string());
                bounded.map_err(|error| error.to_string())?;
            }
            if !(parameter.min..=parameter.max).contains(&value) {
                return Err(format!("{parameter} does not contain the bot's {value}"));
            }
            Ok(value)
        };
        let values: Result<Vec<u64>, String> = self.keys.iter().enumerate().map(value).collect();
        values.map_err(TuneError::Key)
    }

    /// Plays the iterations that the journal does not have, and returns the values after the last one.
    async fn tune(
        &self,
        games: &TuningGames,
        start: Vec<u64>,
        openings: &[Opening],
    ) -> Result<Vec<f64>, TuneError> {
        let schedule = SpsaSchedule {
            iterations: self.iterations,
            games: 2 * self.pairs,
            seed: self.seed,
        };
        let range = |parameter: &Parameter| Range {
            min: parameter.min as f64,
            max: parameter.max as f64,
        };
        let ranges: Vec<Range> = self.keys.iter().map(range).collect();
        let mut values: Vec<f64> = start.into_iter().map(|value| value as f64).collect();
        let mut next = 0;
        let mut journal = None;
        if let Some(path) = &self.journal {
            let (opened, last) = TuningJournal::open(path, &self.settings())?;
            journal = Some(opened);
            if let Some(last) = last {
                next = last.iteration + 1;
                values = last.values;
                print_stderr(&format!("going on after {next} iterations\n"));
            }
        }
        let mut progress = TuningProgress::new(self, next);
        for number in next..self.iterations {
            let trial = schedule.trial(number, &values, &ranges);
            let [plus, minus] = trial.values.clone().map(|values| self.bot_with(values));
            let first = number as usize * self.pairs as usize;
            let openings = openings.iter().cycle().skip(first % openings.len());
            let openings: Vec<Opening> = openings.take(self.pairs as usize).cloned().collect();
            let format = Format::Match {
                games: schedule.games.into(),
            };
            let played = games.play([&plus?, &minus?], format, openings).await?;
            let margin = margin(&played);
            trial.learn(margin, &mut values, &ranges);
            if let Some(journal) = &mut journal {
                journal.add(&Iteration {
                    iteration: number,
                    margin,
                    values: values.clone(),
                })?;
            }
            progress.show(number + 1, &values);
        }
        Ok(values)
    }

    /// The bot with these values of the keys.
    fn bot_with(&self, values: impl IntoIterator<Item = u64>) -> Result<BotSpec, TuneError> {
        let mut bot = self.bot.clone();
        for (parameter, value) in self.keys.iter().zip(values) {
            let changed = bot.with(&parameter.key, &value.to_string());
            bot = changed.map_err(|error| TuneError::Key(error.to_string()))?;
        }
        Ok(bot)
    }

    /// The bot with the values of all its keys.
    fn all_keys(&self) -> String {
        let settings = self.bot.settings();
        let keys: Vec<String> = settings
            .map(|setting| format!("{}={}", setting.key, setting.value))
            .collect();
        format!("{}:{}", self.bot.name(), keys.join(","))
    }

    fn settings(&self) -> TuningSettings {
        TuningSettings {
            version: 1,
            bot: self.all_keys(),
            parameters: self.keys.iter().map(Parameter::to_string).collect(),
            limits: self.limits.unwrap_or_default().to_string(),
            opening_plies: self.opening_plies,
            iterations: self.iterations,
            pairs: self.pairs,
            seed: self.seed,
        }
    }
}

/// How many points the first bot scored more than the second.
fn margin(played: &PlayedTournament) -> f64 {
    let mut score = Wdl::default();
    let games = played.pairs.iter().flat_map(|pair| &pair.games);
    games
        .filter_map(|game| game.score_of(BotId::FIRST))
        .for_each(|result| score.count(result));
    score.points() - score.swapped().points()
}

/// A line from time to time on standard error.
struct TuningProgress<'a> {
    args: &'a TuneArgs,
    begin: Instant,
    last_line: Instant,
    first: u32,
}

impl TuningProgress<'_> {
    /// How often a line is written.
    const BETWEEN_LINES: Duration = Duration::from_secs(10);

    fn new(args: &TuneArgs, first: u32) -> TuningProgress<'_> {
        TuningProgress {
            args,
            begin: Instant::now(),
            last_line: Instant::now(),
            first,
        }
    }

    /// Shows that `done` iterations are played.
    fn show(&mut self, done: u32, values: &[f64]) {
        if self.last_line.elapsed() < Self::BETWEEN_LINES && done < self.args.iterations {
            return;
        }
        self.last_line = Instant::now();
        let played = f64::from(done - self.first);
        let seconds = self.begin.elapsed().as_secs_f64().max(1e-3);
        let left = seconds / played * f64::from(self.args.iterations - done);
        let values = self.args.keys.iter().zip(values);
        let values: Vec<String> = values
            .map(|(parameter, value)| format!("{}={value:.1}", parameter.key))
            .collect();
        print_stderr(&format!(
            "iteration {done} of {}, {:.1} games/s, about {left:.0} s left: {}\n",
            self.args.iterations,
            played * f64::from(2 * self.args.pairs) / seconds,
            values.join(" "),
        ));
    }
}
