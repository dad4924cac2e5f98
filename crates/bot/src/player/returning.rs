//! What the bot does when its connection is lost, and when it is back.

use checkers_lib::protocol::{ClientMessage, GameResult, GameState};

use super::{Action, Actions, NOTHING, Player, PlayerStage, received};
use crate::failure::BotFailure;

impl Player {
    /// Whether it is to come back after the connection has ended like this. A director's game is
    /// not waited for, and a server that closes for good, or gives no token, is not come back to.
    pub fn comes_back(&self, failure: &BotFailure) -> bool {
        let is_done = matches!(self.stage, PlayerStage::Joining | PlayerStage::Finished);
        failure.is_loss() && !is_done && self.is_known()
    }

    /// Whether it can come back to the server that it is on, in games that no director arranges.
    pub fn is_known(&self) -> bool {
        self.plan.series.is_some() && self.resume.is_valid()
    }

    /// Whether the server keeps the name for it.
    pub fn has_name(&self) -> bool {
        self.resume.is_valid()
    }

    /// Handles the loss of a connection that the bot will restore. It goes on thinking.
    pub fn lost(&mut self) {
        self.client.disconnected();
        self.is_returning = true;
        self.late_moves = 0;
    }

    /// The move that was sent and is not played yet: it may be sent again, where no director
    /// arranges the games.
    pub fn unanswered(&self) -> Option<&ClientMessage> {
        match &self.stage {
            PlayerStage::Playing(playing) if self.is_known() && !self.is_returning => {
                playing.unanswered()
            }
            PlayerStage::Playing(_)
            | PlayerStage::Joining
            | PlayerStage::Waiting
            | PlayerStage::Finished => None,
        }
    }

    /// Handles the state of the running game, or of the last one, when the bot joins.
    pub(super) fn found(&mut self, message: &'static str, state: Option<&GameState>) -> Actions {
        let running = state.filter(|state| state.result.is_none());
        match (&mut self.stage, state) {
            (PlayerStage::Playing(playing), Some(state)) if state.game == playing.number() => {
                let mut actions = Vec::new();
                for report in playing.catch_up(message, state)? {
                    actions.push(Action::Report(report));
                }
                if !playing.is_thinking() {
                    actions.push(Action::StopThinking);
                }
                if let (Some(result), Some(reason)) = (state.result, state.reason) {
                    let received = received(message, state.game, state.ply, &state.fen);
                    actions.extend(self.game_over(&received, result, reason)?);
                }
                Ok(actions)
            }
            (PlayerStage::Playing(_), _) => {
                // It was over, and others have begun another one.
                let mut actions = self.break_off();
                actions.extend(self.go_on());
                Ok(actions)
            }
            (PlayerStage::Waiting, _) if self.is_returning => match running {
                Some(state) if self.client.seat().is_some() => self.game_started(state),
                Some(_) | None => NOTHING,
            },
            (PlayerStage::Joining | PlayerStage::Waiting | PlayerStage::Finished, _) => NOTHING, // a game of others
        }
    }

    /// Gives up the game that it plays; its end will not arrive.
    pub(super) fn break_off(&mut self) -> Vec<Action> {
        let PlayerStage::Playing(playing) = &self.stage else {
            return Vec::new();
        };
        let report = playing.broken_off();
        self.tally
            .add(playing.color(), GameResult::Interrupted, playing.times());
        self.stage = PlayerStage::Waiting;
        vec![Action::StopThinking, Action::Report(report)]
    }
}
