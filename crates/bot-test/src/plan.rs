//! What is to be played, and who is told how it goes.

use std::path::PathBuf;
use std::time::Duration;

use checkers_lib::openings::Opening;
use checkers_lib::{DrawRules, Position};

use crate::{BotId, Contestant, Failure, GameRecord, Seats};

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What plays, the first bot first.
    pub bots: [Contestant; 2],
    /// How many games, one or more.
    pub games: u32,
    /// Whether the bots change sides from game to game. The first begins with White.
    pub swap: bool,
    /// What the games begin from, one opening after the other and over again; a pair of games
    /// with sides swapped has the same one. None is the start.
    pub openings: Vec<Opening>,
    /// When games are drawn.
    pub draw_rules: DrawRules,
    /// How long each step may take.
    pub timeouts: Timeouts,
    /// How the games are played.
    pub transport: Transport,
}

/// How long each step of a match may take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Timeouts {
    /// For a bot to connect and to take its seat, before every game; for the server to come up.
    pub connect: Duration,
    /// For a move.
    pub per_move: Duration,
    /// For a game.
    pub per_game: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            connect: Duration::from_secs(10),
            per_move: Duration::from_secs(5 * 60),
            per_game: Duration::from_secs(4 * 60 * 60),
        }
    }
}

/// How the games of a match are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Transport {
    /// By a server and two bots, each a process of its own, over WebSocket.
    WebSocket {
        /// This program, which is started again as each of them.
        program: PathBuf,
    },
    /// By the engines alone, in this process.
    InProcess,
}

impl Plan {
    /// What plays as `bot`.
    pub fn contestant(&self, bot: BotId) -> &Contestant {
        &self.bots[bot.0]
    }

    /// What a game begins from; games are counted from 1.
    pub fn opening(&self, number: u64) -> Opening {
        let turn = if self.swap {
            (number - 1) / 2
        } else {
            number - 1
        };
        let count = (self.openings.len() as u64).max(1);
        let opening = self.openings.get((turn % count) as usize).cloned();
        opening.unwrap_or_else(|| Opening::new(Position::start()))
    }

    /// Who has which side in a game.
    pub fn seats(&self, number: u64) -> Seats {
        Seats::of_game(number, self.swap)
    }
}

/// What came of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Every game, in the order they were played; the last may be broken off.
    pub games: Vec<GameRecord>,
    /// Why the match ended before its last game, if it did.
    pub failure: Option<Failure>,
}

/// Somebody who is told how a match goes while it goes. Nothing has to be done about it.
pub trait Observer {
    /// A game began.
    fn started(&mut self, _number: u64) {}
    /// A move was played.
    fn moved(&mut self) {}
    /// A game is over.
    fn over(&mut self, _game: &GameRecord) {}
}

/// Somebody who does not care.
impl Observer for () {}
