//! Bots that programs play with.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use checkers_engine::evaluation::{WeightsError, WeightsFile};
use checkers_engine::{Algorithm, Bot, BotSpec, Limits, Score, Stop, champion_with};
use checkers_lib::{Game, Move};

use crate::dataset::Sample;
use crate::failure::LabFailure;

/// Makes players: a bot, and weights that replace its own. Players always search: a book would hide
/// what their search finds.
pub(crate) struct PlayerFactory {
    spec: BotSpec,
    weights: Option<Weights>,
}

struct Weights {
    file: WeightsFile,
    /// The CRC-32 of the weights, without the rest of their file.
    sum: u32,
}

impl Weights {
    /// Reads weights that this bot can use.
    fn read(spec: &BotSpec, path: &Path) -> Result<Weights, LabFailure> {
        let failure = |source| LabFailure::Weights {
            path: path.to_owned(),
            source,
        };
        let bytes = fs::read(path).map_err(|source| failure(WeightsError::Io(source)))?;
        let file = WeightsFile::read(&bytes).map_err(failure)?;
        champion_with(spec, &file).map_err(failure)?;
        let values: Vec<u8> = file.values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let sum = crc32fast::hash(&values);
        Ok(Weights { file, sum })
    }
}

impl PlayerFactory {
    /// # Errors
    /// When the weights cannot be read or used.
    pub(crate) fn new(spec: &BotSpec, weights: Option<&Path>) -> Result<PlayerFactory, LabFailure> {
        let weights = weights.map(|path| Weights::read(spec, path)).transpose()?;
        Ok(PlayerFactory {
            spec: spec.clone(),
            weights,
        })
    }

    /// Makes a player that stops at this signal.
    pub(crate) fn make(&self, stop: &Stop) -> ScoredBot {
        let with_weights = |weights: &Weights| champion_with(&self.spec, &weights.file).ok();
        let bot = self.weights.as_ref().and_then(with_weights);
        ScoredBot {
            bot: bot.unwrap_or_else(|| self.spec.clone().without_book().build()),
            stop: stop.clone(),
        }
    }
}

impl fmt::Display for PlayerFactory {
    /// Writes the spec, and which weights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spec.fmt(f)?;
        match &self.weights {
            Some(weights) => write!(f, " weights={:08x}", weights.sum),
            None => Ok(()),
        }
    }
}

/// A bot with scores on a common scale.
pub(crate) struct ScoredBot {
    bot: Box<dyn Bot>,
    stop: Stop,
}

/// What a search may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SearchEffort {
    Nodes(u64),
    Time(Duration),
}

impl SearchEffort {
    pub(crate) fn divided_by(self, parts: u32) -> SearchEffort {
        match self {
            SearchEffort::Nodes(nodes) => SearchEffort::Nodes(nodes / u64::from(parts)),
            SearchEffort::Time(time) => SearchEffort::Time(time / parts),
        }
    }
}

/// What a search found.
pub(crate) struct SearchResult {
    /// The best move; `None` without legal moves, or if the search was stopped.
    pub(crate) best: Option<Move>,
    /// What it is worth to the side to move, in centi-logits.
    pub(crate) score: i16,
}

/// Centi-logits of a unit of the study's evaluation, which counts 5 for a man and 1 for its row.
const STUDY_UNIT: i32 = 20;

impl ScoredBot {
    /// Forgets the game before.
    pub(crate) fn new_game(&mut self, number: u64) {
        self.bot.new_game(number);
    }

    pub(crate) fn search(&mut self, game: &Game, effort: SearchEffort) -> SearchResult {
        let mut limits = Limits {
            stop: self.stop.clone(),
            ..Limits::default()
        };
        match effort {
            SearchEffort::Nodes(nodes) => limits.nodes = Some(nodes),
            SearchEffort::Time(time) => limits.movetime = Some(time),
        }
        let choice = self.bot.choose(game, &limits);
        SearchResult {
            best: choice.best.filter(|_| !self.stop.is_set()),
            score: self.centi_logits(choice.score),
        }
    }

    fn centi_logits(&self, score: Score) -> i16 {
        let decided = i32::from(Sample::DECIDED);
        let value = if score.is_win() {
            decided
        } else if score.is_loss() {
            -decided
        } else if self.bot.spec().algorithm() == Algorithm::Champion {
            score.value()
        } else {
            score.value() * STUDY_UNIT / 256
        };
        value.clamp(-decided, decided) as i16
    }
}
