//! What clients are told of what has happened.

use std::time::Instant;

use checkers_lib::protocol::ServerMessage;
use tracing::{Span, debug, info, info_span};

use super::TableTask;
use super::frame::Frame;
use crate::store::UnixMillis;
use crate::table::{ClientId, Command, Effect};

impl TableTask {
    pub(super) fn deliver(&mut self, effect: &Effect) {
        match effect {
            Effect::Record(_) => {}
            Effect::Tell(who, message) => {
                if let ServerMessage::Error { code, message, .. } = message {
                    debug!(client = who.0, ?code, message, "refused");
                }
                self.clients.tell(&self.table, *who, &Frame::new(message));
            }
            Effect::TellAll(players @ ServerMessage::Players { .. }) => {
                self.players = Some(players.clone());
            }
            Effect::TellAll(message) => {
                self.log(message);
                let frame = Frame::new(message);
                self.recent.told(message, &frame);
                self.clients.tell_all(&self.table, &frame);
            }
            Effect::CatchUp(who, since) => {
                let Some(missed) = self.recent.since(*since) else {
                    return self.show(*who);
                };
                for frame in missed {
                    self.clients.tell(&self.table, *who, frame);
                }
            }
            Effect::Show(who) => self.show(*who),
            Effect::Release(who) => self.clients.detach(*who),
            Effect::Close(reason) => {
                info!(table = self.table.settings().id, ?reason, "closed");
                self.is_over = true;
            }
        }
    }

    /// Tells a client the state.
    pub(super) fn show(&mut self, who: ClientId) {
        let server_ms = u64::try_from(UnixMillis::now().0).unwrap_or_default();
        let state = self.table.snapshot(who, Instant::now(), server_ms);
        self.clients.tell(&self.table, who, &Frame::new(&state));
    }

    /// Tells the state to a client for whom too much was waiting.
    pub(super) fn refresh(&mut self, who: ClientId) {
        self.clients.catches_up(who);
        if self.table.has(who) {
            self.show(who);
        }
    }

    /// Tells everybody the list of players, once however often it has changed; or only those who
    /// have come, if it is the same.
    pub(super) fn tell_players(&mut self) {
        let Some(players) = self.players.take() else {
            return;
        };
        let frame = Frame::new(&players);
        let newcomers = std::mem::take(&mut self.newcomers);
        if self.watchers.told_players(&players) {
            self.clients.tell_all(&self.table, &frame);
        } else {
            for who in newcomers {
                self.clients.tell(&self.table, who, &frame);
            }
        }
    }

    pub(super) fn tell_watchers(&mut self) {
        if let Some(count) = self.watchers.next_count(Instant::now()) {
            let table = self.table.settings().id.clone();
            self.deliver(&Effect::TellAll(ServerMessage::Watchers { table, count }));
        }
    }

    /// Lets clients go that read too slowly.
    pub(super) async fn drop_the_slow(&mut self) {
        while let Some(who) = self.clients.next_too_slow() {
            self.carry_out(who, Command::Disconnect, Instant::now())
                .await;
            self.tell_players();
        }
    }

    pub(super) fn log(&mut self, message: &ServerMessage) {
        self.metrics.told(message);
        match message {
            ServerMessage::GameStarted(game) => {
                self.game = info_span!("game", id = game.id);
                info!(parent: &self.game, white = game.white, black = game.black, "started");
            }
            ServerMessage::Moved { played, .. } => {
                debug!(parent: &self.game, ply = played.ply, played.text, "move");
            }
            ServerMessage::GameOver {
                result,
                reason,
                ply,
                ..
            } => {
                info!(parent: &self.game, ?result, ?reason, ply, "over");
                self.game = Span::none();
            }
            _ => {}
        }
    }
}
