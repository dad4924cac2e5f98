//! The bot in a running game: its copy of the game, and how far it is with its own move.

use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, EndReason, GameResult, GameState, LegalMove, PlayedMove, SearchInfo, WireColor,
    WireLine,
};
use checkers_lib::{Color, DrawRules, Game, Move};

use crate::failure::{BotFailure, ProtocolError};
use crate::player::{Thought, Turn};
use crate::replica::{GameReplica, Received};
use crate::report::Report;
use crate::tally::{Times, micros};

/// A running game in which the bot has a seat.
pub(crate) struct Playing {
    replica: GameReplica,
    color: Color,
    opponent: String,
    move_state: MoveState,
    times: Times,
}

/// How far the bot is with its own move.
pub(crate) enum MoveState {
    /// It was not asked for one.
    None,
    Thinking,
    /// The move is on its way to the server.
    Sent(Box<Sent>),
}

/// What to do when it is asked for a move.
pub(crate) enum Todo {
    Nothing,
    /// Send the move again, which the server has not had.
    SendAgain(ClientMessage),
    Think(Turn, Game),
}

/// A move that the server has not played yet, and what will be reported of it.
pub(crate) struct Sent {
    m: Move,
    message: ClientMessage,
    time: Duration,
    report: Report,
}

impl Playing {
    /// Handles `game_started` for a game in which the bot has the seat of `color`.
    pub(crate) fn start(
        message: &'static str,
        state: &GameState,
        color: Color,
        rules: DrawRules,
    ) -> Result<Playing, ProtocolError> {
        let opponent = match color {
            Color::White => &state.black,
            Color::Black => &state.white,
        };
        Ok(Playing {
            replica: GameReplica::open(message, state, rules)?,
            color,
            opponent: opponent.clone(),
            move_state: MoveState::None,
            times: Times::default(),
        })
    }

    pub(crate) fn color(&self) -> Color {
        self.color
    }

    /// The times of the moves that the server has played.
    pub(crate) fn times(&self) -> Times {
        self.times
    }

    pub(crate) fn move_state(&self) -> &MoveState {
        &self.move_state
    }

    /// The number of the game on the server.
    pub(crate) fn number(&self) -> u64 {
        self.replica.number()
    }

    pub(crate) fn is_thinking(&self) -> bool {
        matches!(self.move_state, MoveState::Thinking)
    }

    /// The move that is on its way.
    pub(crate) fn unanswered(&self) -> Option<&ClientMessage> {
        match &self.move_state {
            MoveState::Sent(sent) => Some(&sent.message),
            MoveState::None | MoveState::Thinking => None,
        }
    }

    /// Handles `your_turn`. If the same move is requested again, goes on thinking, or sends the
    /// move again.
    pub(crate) fn asked(
        &mut self,
        received: &Received<'_>,
        legal_moves: &[LegalMove],
    ) -> Result<Todo, ProtocolError> {
        self.replica
            .check_request(received, legal_moves, self.color)?;
        Ok(match &self.move_state {
            MoveState::Thinking => Todo::Nothing,
            MoveState::Sent(sent) => Todo::SendAgain(sent.message.clone()),
            MoveState::None => {
                self.move_state = MoveState::Thinking;
                Todo::Think(self.turn(), self.replica.game().clone())
            }
        })
    }

    /// Handles the state of the game, and returns reports of its own moves that were played
    /// meanwhile.
    pub(crate) fn catch_up(
        &mut self,
        message: &'static str,
        state: &GameState,
    ) -> Result<Vec<Report>, ProtocolError> {
        let mut reports = Vec::new();
        for (mover, m) in self.replica.catch_up(message, state)? {
            if mover == self.color {
                reports.push(self.played(message, m, &state.fen)?);
            }
        }
        Ok(reports)
    }

    /// Whether the bot is thinking about this turn.
    pub(crate) fn awaits(&self, turn: Turn) -> bool {
        self.is_thinking() && self.turn() == turn
    }

    /// Turns a thought into the message that plays its move.
    pub(crate) fn decide(&mut self, thought: &Thought) -> Result<ClientMessage, BotFailure> {
        let position = self.replica.game().position();
        let choice = &thought.choice;
        let Some(m) = choice.best.filter(|&m| position.is_legal(m)) else {
            let fen = position.to_string();
            return Err(BotFailure::NoLegalMove { fen });
        };
        let text = position.notation(m);
        let Turn { game, ply } = thought.turn;
        let pv = WireLine::new(position, &choice.pv);
        let report = Report::Move {
            game,
            ply,
            text: text.clone(),
            score: choice.score.value(),
            depth: choice.depth,
            nodes: choice.nodes,
            time_us: micros(choice.time),
            pv: pv.clone(),
            book: choice.from_book,
        };
        let search = SearchInfo {
            score: choice.score.value(),
            depth: choice.depth,
            nodes: choice.nodes,
            time_us: micros(choice.time),
            pv,
        };
        let time = choice.time;
        let message = ClientMessage::Move {
            game: Some(game),
            ply,
            text,
            search: Some(search),
            id: Some(format!("{game}-{ply}")),
        };
        self.move_state = MoveState::Sent(Box::new(Sent {
            m,
            message: message.clone(),
            time,
            report,
        }));
        Ok(message)
    }

    /// Handles `moved` and returns the report of the move if it is the bot's own.
    pub(crate) fn moved(
        &mut self,
        game: u64,
        played: &PlayedMove,
        fen: &str,
        turn: WireColor,
    ) -> Result<Option<Report>, ProtocolError> {
        let mover = self.replica.game().turn();
        let m = self.replica.moved(game, played, fen, turn)?;
        if mover != self.color {
            return Ok(None);
        }
        self.played("moved", m, &played.text).map(Some)
    }

    /// Checks that the server played the bot's own move, written as `text`, and returns the report.
    fn played(
        &mut self,
        message: &'static str,
        m: Move,
        text: &str,
    ) -> Result<Report, ProtocolError> {
        let known = match std::mem::replace(&mut self.move_state, MoveState::None) {
            MoveState::Sent(sent) if sent.m == m => {
                self.times.add(sent.time);
                return Ok(sent.report);
            }
            MoveState::Sent(_) => "another one",
            MoveState::Thinking | MoveState::None => "still open",
        };
        Err(ProtocolError::Mismatch {
            message,
            field: "move",
            received: text.to_owned(),
            known: known.to_owned(),
        })
    }

    /// The report of the game when its end will not be heard.
    pub(crate) fn broken_off(&self) -> Report {
        self.report(GameResult::Interrupted, EndReason::PlayerLeft)
    }

    /// Handles `game_over` and returns the report of the game.
    pub(crate) fn over(
        &self,
        received: &Received<'_>,
        result: GameResult,
        reason: EndReason,
    ) -> Result<Report, ProtocolError> {
        self.replica.check_end(received, result, reason)?;
        Ok(self.report(result, reason))
    }

    fn report(&self, result: GameResult, reason: EndReason) -> Report {
        Report::Game {
            game: self.replica.number(),
            color: self.color.into(),
            opponent: self.opponent.clone(),
            result,
            reason,
            plies: self.replica.ply(),
            moves: self.times.moves(),
            mean_us: self.times.mean_us(),
            max_us: self.times.max_us(),
        }
    }

    fn turn(&self) -> Turn {
        Turn {
            game: self.replica.number(),
            ply: self.replica.ply(),
        }
    }
}
