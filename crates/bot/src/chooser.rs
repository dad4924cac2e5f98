//! What chooses the moves: a bot of ours, or another program's engine.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use checkers_engine::{Bot, BotSpec, Choice, Limits, SpecError};
use checkers_lib::Game;

use crate::hub::{HubEngine, HubError, HubSpec, HubSpecError};

/// What chooses the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Chooser {
    /// A bot of ours: `alpha-beta:depth=7`.
    Engine(BotSpec),
    /// An engine that speaks the Hub protocol: `hub:cmd=./scan hub`.
    Hub(HubSpec),
}

/// Why a text does not say what chooses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChooserError {
    /// It is not the spec of a bot.
    #[error(transparent)]
    Engine(#[from] SpecError),
    /// It begins as the spec of an engine of another program, and goes wrong.
    #[error(transparent)]
    Hub(#[from] HubSpecError),
}

impl FromStr for Chooser {
    type Err = ChooserError;

    fn from_str(text: &str) -> Result<Chooser, ChooserError> {
        Ok(match HubSpec::is_meant(text) {
            true => Chooser::Hub(text.parse()?),
            false => Chooser::Engine(text.parse()?),
        })
    }
}

impl fmt::Display for Chooser {
    /// Writes the canonical spec.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chooser::Engine(spec) => spec.fmt(f),
            Chooser::Hub(spec) => spec.fmt(f),
        }
    }
}

/// A chooser at work.
pub(crate) enum Mind {
    Bot(Box<dyn Bot>),
    Hub(HubEngine),
}

impl Mind {
    /// Builds the bot, or starts the program, and waits until it is ready to play.
    /// A program has a `transcript` written if a file is given.
    pub(crate) fn make_up(chooser: &Chooser, transcript: Option<&Path>) -> Result<Mind, HubError> {
        Ok(match chooser {
            Chooser::Engine(spec) => {
                let mut bot = spec.build();
                bot.new_game(0);
                Mind::Bot(bot)
            }
            Chooser::Hub(spec) => Mind::Hub(HubEngine::start(spec, transcript)?),
        })
    }

    pub(crate) fn new_game(&mut self, number: u64) {
        match self {
            Mind::Bot(bot) => bot.new_game(number),
            Mind::Hub(engine) => engine.new_game(),
        }
    }

    pub(crate) fn choose(&mut self, game: &Game, limits: &Limits) -> Result<Choice, HubError> {
        match self {
            Mind::Bot(bot) => Ok(bot.choose(game, limits)),
            Mind::Hub(engine) => engine.choose(game, limits),
        }
    }
}
