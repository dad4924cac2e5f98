//! What chooses the moves: a bot of ours, or another program's engine.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use checkers_engine::{Bot, BotSpec, Choice, Limits, SpecError};
use checkers_lib::Game;

use crate::hub::{HubEngine, HubError, HubSpec, HubSpecError};

/// What chooses the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineSpec {
    /// A bot of ours: `alpha-beta:depth=7`.
    Engine(BotSpec),
    /// An engine that speaks the Hub protocol: `hub:cmd=./scan hub`.
    Hub(HubSpec),
}

/// Why a text does not say what chooses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineSpecError {
    /// It is not the spec of a bot.
    #[error(transparent)]
    Engine(#[from] SpecError),
    /// It begins as the spec of an engine of another program, and goes wrong.
    #[error(transparent)]
    Hub(#[from] HubSpecError),
}

impl FromStr for EngineSpec {
    type Err = EngineSpecError;

    fn from_str(text: &str) -> Result<EngineSpec, EngineSpecError> {
        Ok(match HubSpec::is_meant(text) {
            true => EngineSpec::Hub(text.parse()?),
            false => EngineSpec::Engine(text.parse()?),
        })
    }
}

impl fmt::Display for EngineSpec {
    /// Writes the canonical spec.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineSpec::Engine(spec) => spec.fmt(f),
            EngineSpec::Hub(spec) => spec.fmt(f),
        }
    }
}

pub(crate) enum RunningEngine {
    Bot(Box<dyn Bot>),
    Hub(HubEngine),
}

impl RunningEngine {
    /// Builds the bot, or starts the program, and waits until it is ready to play.
    /// A program has a `transcript` written if a file is given.
    pub(crate) fn build(
        spec: &EngineSpec,
        transcript: Option<&Path>,
    ) -> Result<RunningEngine, HubError> {
        Ok(match spec {
            EngineSpec::Engine(spec) => {
                let mut bot = spec.build();
                bot.new_game(0);
                RunningEngine::Bot(bot)
            }
            EngineSpec::Hub(spec) => RunningEngine::Hub(HubEngine::start(spec, transcript)?),
        })
    }

    pub(crate) fn new_game(&mut self, number: u64) {
        match self {
            RunningEngine::Bot(bot) => bot.new_game(number),
            RunningEngine::Hub(engine) => engine.new_game(),
        }
    }

    pub(crate) fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, HubError> {
        match self {
            RunningEngine::Bot(bot) => Ok(bot.choose(game, limits)),
            RunningEngine::Hub(engine) => engine.choose(game, limits),
        }
    }
}
