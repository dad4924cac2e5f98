//! `checkers-lab train`: makes the weights of an evaluation from games.

mod adam;
mod descent;
mod model;
mod network;
mod patterns;
mod target;

use std::path::PathBuf;

use checkers_engine::evaluation::WeightsFile;

use crate::dataset;
use crate::draft::Draft;
use crate::failure::{LabFailure, talk};
use crate::signals::stop_on_signals;
use descent::{Descent, Hyperparameters, TrainingGames};
use model::Model;
use network::NetworkModel;
use patterns::PatternsModel;
use target::Target;

const EXAMPLES: &str = "\
Examples:
  checkers-lab train gen0.games --out gen0.net
  checkers-lab train gen1.games gen2.games --result-share 0.6 --out gen2.net
  checkers-lab train gen2.games --td-lambda 0.8 --out temporal.net
  checkers-lab train gen2.games --model patterns --out gen2.patterns

The target of each position is a mean of its game's result and of its search's score, or with
--td-lambda of the scores of later searches. Every 20th game is held out; the loss, a cross-entropy,
is shown after each epoch for both parts, and the weights kept are those of the epoch with the least
loss on the games held out. The same files, options and machine give the same bytes.

Ctrl-C ends the command with exit code 130; a file of that name is then as it was.";

/// Train an evaluation on games of selfplay
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,

    /// What to train
    #[arg(long, value_enum, default_value_t = ModelName::Net)]
    model: ModelName,

    /// How often to look at every position, at most; 0 makes untrained weights
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=1000))]
    epochs: u32,

    /// How far to step at first; the rate falls to nothing along a cosine [default: 0.003 for the
    /// network, 0.001 for the patterns]
    #[arg(long, value_parser = fraction)]
    rate: Option<f32>,

    /// How many positions to look at before each step
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,

    /// The share of the game's result in what a position is worth; the rest is the search's score
    #[arg(long, default_value_t = 0.5, value_parser = fraction)]
    result_share: f32,

    /// Learn by temporal differences: how much what is further ahead counts, from 0 to 1
    #[arg(long, value_parser = fraction, conflicts_with = "result_share")]
    td_lambda: Option<f32>,

    /// End after this many epochs in a row without a new best
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,

    /// What all chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// A line to keep in the file of weights, such as the commit; may be given several times
    #[arg(long, value_name = "TEXT")]
    note: Vec<String>,

    /// The file of weights to write, at the end and all at once
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum ModelName {
    /// The network
    Net,
    /// The linear evaluation by patterns
    Patterns,
}

fn fraction(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1.0).contains(&number) {
        Ok(number)
    } else {
        Err("expected a number from 0 to 1".to_owned())
    }
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let draft = Draft::create(&args.out)?;
    let bytes = match args.model {
        ModelName::Net => train::<NetworkModel>(args)?,
        ModelName::Patterns => train::<PatternsModel>(args)?,
    };
    draft.commit_with(|file| std::io::Write::write_all(file, &bytes))
}

fn train<M: Model>(args: &Args) -> Result<Vec<u8>, LabFailure> {
    let data = dataset::read(&args.games)?;
    let games = TrainingGames::new(&data.samples, args.target());
    talk(&format!(
        "{} positions to learn from, {} held out",
        games.learnt.len(),
        games.held_out.len()
    ));
    let descent = Descent::<M>::new(&games, args.hyperparameters());
    let found = descent
        .run(&stop_on_signals())
        .ok_or(LabFailure::Interrupted)?;
    let provenance = args.provenance(&data.settings, &found.summary(&games));
    let file = WeightsFile {
        kind: M::KIND,
        provenance,
        values: M::quantised(&found.weights),
    };
    file.to_bytes().map_err(|source| LabFailure::Weights {
        path: args.out.clone(),
        source,
    })
}

impl Args {
    fn target(&self) -> Target {
        match self.td_lambda {
            Some(lambda) => Target::Temporal(lambda),
            None => Target::Mixed(self.result_share),
        }
    }

    fn hyperparameters(&self) -> Hyperparameters {
        let rate = self.rate.unwrap_or(match self.model {
            ModelName::Net => 0.003,
            ModelName::Patterns => 0.001,
        });
        Hyperparameters {
            epochs: self.epochs,
            rate,
            batch: self.batch as usize,
            patience: self.patience,
            seed: self.seed,
        }
    }

    /// How the weights were made: what `strings` shows of the file.
    fn provenance(&self, settings: &[String], summary: &str) -> String {
        let Hyperparameters {
            epochs,
            rate,
            batch,
            patience,
            seed,
        } = self.hyperparameters();
        let model = match self.model {
            ModelName::Net => "net",
            ModelName::Patterns => "patterns",
        };
        let target = match self.target() {
            Target::Mixed(share) => format!("result-share={share}"),
            Target::Temporal(lambda) => format!("td-lambda={lambda}"),
        };
        let mut lines = vec![format!(
            "made by checkers-lab {}",
            env!("CARGO_PKG_VERSION")
        )];
        lines.extend(self.note.iter().cloned());
        lines.push(format!(
            "train model={model} {target} epochs={epochs} rate={rate} batch={batch} \
             patience={patience} seed={seed}"
        ));
        lines.extend(settings.iter().cloned());
        lines.push(summary.to_owned());
        lines.join("\n")
    }
}
