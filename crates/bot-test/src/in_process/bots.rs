//! The bots of a runner: built when they are needed, and kept for the games to come.

use std::time::{Duration, Instant};

use checkers_engine::{Bot, Choice, Limits};

use super::{Build, panics};
use crate::BotId;
use crate::open_game::OpenGame;

/// How many bots are kept: some have tables of many megabytes.
const KEPT: usize = 8;

/// The bots of a runner, the one used last at the end.
#[derive(Default)]
pub(super) struct Bots(Vec<KeptBot>);

pub(super) struct KeptBot {
    id: BotId,
    /// Nothing until it is needed, and after it has panicked.
    bot: Option<Box<dyn Bot>>,
    /// The number of the game it plays.
    game: u64,
}

/// What a bot did with its turn.
pub(super) enum Thought {
    /// It chose, perhaps no move at all.
    Choice {
        /// What it chose.
        choice: Choice,
        /// How long it took, if a side of the game has a clock.
        elapsed: Duration,
    },
    /// It panicked with this message.
    Panic(String),
}

impl Bots {
    /// Makes room for the bots of a pairing.
    pub(super) fn seat(&mut self, bots: [BotId; 2]) {
        for id in bots {
            let known = self.0.iter().position(|kept| kept.id == id);
            let kept = known.map_or_else(|| KeptBot::new(id), |index| self.0.remove(index));
            self.0.push(kept);
        }
        let superfluous = self.0.len().saturating_sub(KEPT);
        self.0.drain(..superfluous);
    }

    /// A bot that was seated.
    pub(super) fn get(&mut self, id: BotId) -> Option<&mut KeptBot> {
        self.0.iter_mut().rev().find(|kept| kept.id == id)
    }
}

impl KeptBot {
    fn new(id: BotId) -> KeptBot {
        KeptBot {
            id,
            bot: None,
            game: 0,
        }
    }

    /// Lets the bot choose a move. Builds the bot first if necessary, and announces a new game to
    /// it.
    pub(super) fn think(&mut self, open: &OpenGame, limits: &Limits, build: &Build) -> Thought {
        let thought = panics::catch(|| self.choose(open, limits, build));
        thought.unwrap_or_else(|message| {
            let broken = self.bot.take();
            // It has panicked, even if it returned a value.
            let _ = panics::catch(|| drop(broken));
            Thought::Panic(message)
        })
    }

    fn choose(&mut self, open: &OpenGame, limits: &Limits, build: &Build) -> Thought {
        let is_new = self.bot.is_none() || self.game != open.number();
        let bot = self.bot.get_or_insert_with(|| build(self.id));
        if is_new {
            self.game = open.number();
            // Engines count the games of a run from 0.
            bot.new_game(open.number() - 1);
        }
        let began = open.clocks().any().then(Instant::now);
        Thought::Choice {
            choice: bot.choose(open.game(), limits),
            elapsed: began.map_or(Duration::ZERO, |began| began.elapsed()),
        }
    }
}
