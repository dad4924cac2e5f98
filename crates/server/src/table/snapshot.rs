//! All there is to know of a table, for who comes in.

use std::time::Instant;

use checkers_lib::Color;
use checkers_lib::protocol::{
    GameState, LegalMove, Offer, OpenOffer, Refusal, ServerMessage, Since, TableState,
};

use super::ending::Ending;
use super::finished_game::FinishedGame;
use super::rematch::LastGame;
use super::running_game::RunningGame;
use super::{ClientId, Effect, Table, View};

impl Table {
    /// The state as `who` is told it: at `now`, which is `server_ms` milliseconds after 1970.
    /// Costs a copy of the game.
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

    /// What `who` sees on coming in.
    pub(super) fn show(&self, who: ClientId, since: Option<Since>, now: Instant) -> Vec<Effect> {
        let view = self
            .members
            .get(&who)
            .map_or(View::Table, |member| member.view);
        match (since, view) {
            (Some(since), _) => self.catch_up(who, since, now),
            (None, View::Table) => vec![Effect::Show(who)],
            (None, View::Joining | View::Game) => {
                let running = self.running.as_ref();
                let state =
                    running.map(|running| ServerMessage::GameState(self.state_at(running, now)));
                let rematch = self.last.as_ref().and_then(|last| self.rematch_news(last));
                let told = state.into_iter().chain(rematch);
                told.map(|message| Effect::Tell(who, message)).collect()
            }
        }
    }

    /// Tells `who` the state, or what has happened since.
    pub(super) fn sync(
        &mut self,
        who: ClientId,
        since: Option<Since>,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        self.member(who)?;
        let mut effects = match since {
            Some(since) => self.catch_up(who, since, now),
            None => vec![Effect::Show(who)],
        };
        effects.extend(self.ask_again(who, now));
        Ok(effects)
    }

    /// Tells `who` what has happened since, and how the clocks stand by now.
    fn catch_up(&self, who: ClientId, since: Since, now: Instant) -> Vec<Effect> {
        let running = self.running.as_ref();
        let clocks = running.and_then(|running| running.clocks_news(now));
        let mut effects = vec![Effect::CatchUp(who, since)];
        effects.extend(clocks.map(|clocks| Effect::Tell(who, clocks)));
        effects
    }

    /// Asks `who` again for its move, if it is to move.
    pub(super) fn ask_again(&self, who: ClientId, now: Instant) -> Option<Effect> {
        let running = self.running.as_ref()?;
        let is_asked = self.sitting(running.turn()) == Some(who);
        let thinking_ms = running.thinking_ms(now);
        is_asked.then(|| Effect::Tell(who, self.request(running, who, thinking_ms)))
    }

    /// The request to the player to move, who has known the position for so long.
    pub(super) fn request(
        &self,
        running: &RunningGame,
        mover: ClientId,
        thinking_ms: Option<u64>,
    ) -> ServerMessage {
        running.request(self.legal_moves_for(mover), thinking_ms)
    }

    /// The legal moves, if `who` is to move and wants to be told.
    fn legal_moves_for(&self, who: ClientId) -> Vec<LegalMove> {
        let wants = self
            .members
            .get(&who)
            .is_some_and(|member| member.wants_moves);
        let running = self.running.as_ref().filter(|_| wants);
        let asked = running.filter(|running| self.sitting(running.turn()) == Some(who));
        asked.map(RunningGame::legal_moves).unwrap_or_default()
    }

    /// The side of `who` in the running game, or in the last one.
    fn side_of(&self, who: ClientId) -> Option<Color> {
        let last = || self.last_game_of(who).map(|(_, side)| side);
        self.seat_of(who).or_else(last)
    }

    /// The game so far, its side to move just asked.
    pub(super) fn state_of(&self, running: &RunningGame) -> GameState {
        running.state(self.stream.seq)
    }

    fn state_at(&self, running: &RunningGame, now: Instant) -> GameState {
        GameState {
            thinking_ms: running.thinking_ms(now),
            ..self.state_of(running)
        }
    }

    pub(super) fn over_news(&self, running: &RunningGame, ending: &Ending) -> ServerMessage {
        running.over(ending, self.stream.seq)
    }

    /// The news of an open offer to play again.
    fn rematch_news(&self, last: &LastGame) -> Option<ServerMessage> {
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
