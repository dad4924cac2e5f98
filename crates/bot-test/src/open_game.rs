//! A game that runs: what was played, and since when who has been thinking.

use std::time::Instant;

use checkers_lib::protocol::{EndReason, GameResult};
use checkers_lib::{Game, GameError, Move};

use crate::failure::milliseconds;
use crate::{BotId, Failure, Fault, GameRecord, MoveRecord, Seats, Timeouts};

/// A game that runs. The time is an argument everywhere.
#[derive(Clone, Debug)]
pub(crate) struct OpenGame {
    number: u64,
    seats: Seats,
    game: Game,
    moves: Vec<MoveRecord>,
    began: Instant,
    turn_began: Instant,
}

impl OpenGame {
    /// A game that begins now.
    pub(crate) fn new(number: u64, seats: Seats, game: Game, now: Instant) -> OpenGame {
        OpenGame {
            number,
            seats,
            game,
            moves: Vec::new(),
            began: now,
            turn_began: now,
        }
    }

    /// Its number in the match, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The game by the rules.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The bot that is to move.
    pub(crate) fn to_move(&self) -> BotId {
        self.seats.player(self.game.turn().into())
    }

    /// Plays a move and keeps what is known about it.
    pub(crate) fn play(
        &mut self,
        m: Move,
        record: MoveRecord,
        now: Instant,
    ) -> Result<(), GameError> {
        self.game.play(m)?;
        self.moves.push(record);
        self.turn_began = now;
        Ok(())
    }

    /// When the present move or the game begins to take too long.
    pub(crate) fn deadline(&self, timeouts: Timeouts) -> Instant {
        let end_of_move = self.turn_began + timeouts.per_move;
        end_of_move.min(self.began + timeouts.per_game)
    }

    /// What takes too long once the deadline has passed.
    pub(crate) fn takes_too_long(&self, timeouts: Timeouts, now: Instant) -> Failure {
        if now < self.turn_began + timeouts.per_move {
            return Failure::GameTooLong {
                game: self.number,
                limit_ms: milliseconds(timeouts.per_game),
            };
        }
        self.fails(Fault::Hung {
            waited_ms: milliseconds(timeouts.per_move),
            fen: self.game.position().to_string(),
        })
    }

    /// The failure of the bot that is to move.
    pub(crate) fn fails(&self, fault: Fault) -> Failure {
        Failure::Bot {
            bot: self.to_move(),
            game: Some(self.number),
            fault,
            stderr: Vec::new(),
        }
    }

    /// The record of the game, which has ended.
    pub(crate) fn close(
        self,
        result: GameResult,
        reason: EndReason,
        article: Option<String>,
    ) -> GameRecord {
        GameRecord {
            number: self.number,
            seats: self.seats,
            start_fen: self.game.start().to_string(),
            moves: self.moves,
            result,
            reason,
            article,
        }
    }

    /// The record of the game, which goes no further.
    pub(crate) fn break_off(self) -> GameRecord {
        self.close(GameResult::Interrupted, EndReason::PlayerLeft, None)
    }
}
