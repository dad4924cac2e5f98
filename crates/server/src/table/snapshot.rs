//! The full state of a table, as clients receive it.

use std::time::Instant;

use checkers_lib::Color;
use checkers_lib::protocol::{
    GameState, LegalMove, Offer, OpenOffer, Refusal, ServerMessage, Since, TableState,
};

use super::ending::Ending;
use super::finished_game::FinishedGame;
use super::rematch::LastGame;
use super::running_game::RunningGame;
use super::{ClientId, Effect, StateView, Table};

impl Table {
    /// The state as `who` receives it at `now`, which is `server_ms` milliseconds after 1970.
    /// Copies the game.
    pub fn snapshot(&self, who: ClientId, now: Instant, server_ms: u64) -> ServerMessage {
        let running = self.running.as_ref();
        let offered = self.last.as_ref().and_then(|last| last.offered);
        let rematch = offered.map(|by| OpenOffer {
            offer: Offer::Rematch,
            by: by.into(),
        });
        ServerMessage::TableState(Box::new(TableState {
            table: self.settings.id.clone(),
            info: self.info(now),
            state: running
                .map(|running| self.state_at(running, now))
                .or_else(|| self.over.as_ref().map(FinishedGame::state)),
            you: self.side_of(who).map(Into::into),
            legal_moves: self.legal_moves_for(who),
            rematch,
            server_ms,
        }))
    }

    /// What `who` receives when it joins.
    pub(super) fn show(&self, who: ClientId, since: Option<Since>, now: Instant) -> Vec<Effect> {
        let view = self
            .members
            .get(&who)
            .map_or(StateView::Table, |member| member.view);
        match (since, view) {
            (Some(since), _) => self.catch_up(who, since, now),
            (None, StateView::Table) => vec![Effect::SendState(who)],
            (None, StateView::Joining | StateView::Game) => {
                let running = self.running.as_ref();
                let state =
                    running.map(|running| ServerMessage::GameState(self.state_at(running, now)));
                let rematch = self
                    .last
                    .as_ref()
                    .and_then(|last| self.rematch_message(last));
                let messages = state.into_iter().chain(rematch);
                messages.map(|message| Effect::Send(who, message)).collect()
            }
        }
    }

    /// Sends `who` the state, or the events after `since`.
    pub(super) fn sync(
        &mut self,
        who: ClientId,
        since: Option<Since>,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        self.member(who)?;
        let mut effects = match since {
            Some(since) => self.catch_up(who, since, now),
            None => vec![Effect::SendState(who)],
        };
        effects.extend(self.repeat_move_request(who, now));
        Ok(effects)
    }

    /// Sends `who` the events after `since`, and the current clocks.
    fn catch_up(&self, who: ClientId, since: Since, now: Instant) -> Vec<Effect> {
        let running = self.running.as_ref();
        let clocks = running.and_then(|running| running.clocks_message(now));
        let mut effects = vec![Effect::SendMissed(who, since)];
        effects.extend(clocks.map(|clocks| Effect::Send(who, clocks)));
        effects
    }

    /// Repeats the request for a move, if `who` is to move.
    pub(super) fn repeat_move_request(&self, who: ClientId, now: Instant) -> Option<Effect> {
        let running = self.running.as_ref()?;
        let is_asked = self.client_at(running.turn()) == Some(who);
        let thinking_ms = running.thinking_ms(now);
        is_asked.then(|| Effect::Send(who, self.request(running, who, thinking_ms)))
    }

    /// The request for a move, which the player has had for `thinking_ms`.
    pub(super) fn request(
        &self,
        running: &RunningGame,
        mover: ClientId,
        thinking_ms: Option<u64>,
    ) -> ServerMessage {
        running.request(self.legal_moves_for(mover), thinking_ms)
    }

    /// The legal moves, if `who` is to move and wants them.
    fn legal_moves_for(&self, who: ClientId) -> Vec<LegalMove> {
        let wants = self
            .members
            .get(&who)
            .is_some_and(|member| member.wants_moves);
        let running = self.running.as_ref().filter(|_| wants);
        let asked = running.filter(|running| self.client_at(running.turn()) == Some(who));
        asked.map(RunningGame::legal_moves).unwrap_or_default()
    }

    /// The side of `who` in the running game, or else in the last one.
    fn side_of(&self, who: ClientId) -> Option<Color> {
        let last = || self.last_game_of(who).map(|(_, side)| side);
        self.seat_of(who).or_else(last)
    }

    /// The state of the game, without the thinking time.
    pub(super) fn state_of(&self, running: &RunningGame) -> GameState {
        running.state(self.stream.seq)
    }

    fn state_at(&self, running: &RunningGame, now: Instant) -> GameState {
        GameState {
            thinking_ms: running.thinking_ms(now),
            ..self.state_of(running)
        }
    }

    pub(super) fn game_over_message(
        &self,
        running: &RunningGame,
        ending: &Ending,
    ) -> ServerMessage {
        running.game_over_message(ending, self.stream.seq)
    }

    /// The message for an open rematch offer.
    fn rematch_message(&self, last: &LastGame) -> Option<ServerMessage> {
        let by = last.offered?.into();
        Some(ServerMessage::Offered {
            table: self.settings.id.clone(),
            game: last.number,
            seq: None,
            offer: Offer::Rematch,
            by,
        })
    }
}
