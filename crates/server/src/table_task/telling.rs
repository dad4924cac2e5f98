//! What clients are told of what has happened.

use std::time::Instant;

use checkers_lib::protocol::ServerMessage;
use tracing::{Span, debug, info, info_span};

use super::desk::Desk;
use super::frame::Frame;
use super::news::{Announcement, News, Step};
use crate::store::UnixMillis;
use crate::table::ClientId;

impl Desk {
    /// Delivers what follows from a command of `by`.
    pub(super) fn deliver(&mut self, news: News, by: Option<ClientId>) {
        match news {
            News::Tell(who, frame) => self.clients.tell(&self.table, who, &frame),
            News::TellAll(announcement) => {
                let knows = by.filter(|_| matches!(announcement.step, Some(Step::Move { .. })));
                self.announce(&announcement, knows);
            }
            News::Players(players) => self.players = Some(players),
            News::CatchUp(who, since) => {
                let Some(missed) = self.recent.since(since) else {
                    return self.show(who);
                };
                for frame in missed {
                    self.clients.tell(&self.table, who, frame);
                }
            }
            News::Show(who) => self.show(who),
            News::Release(who) => self.clients.detach(who),
            News::Close(reason) => {
                info!(table = self.table.settings().id, ?reason, "closed");
                self.is_over = true;
            }
        }
    }

    /// Tells everybody who has entered of the last move, which was by `mover`, and asks for the next.
    pub(super) fn tell_of_move(&mut self, mover: ClientId) {
        let Some(told) = self.table.last_move() else {
            return;
        };
        let announcement = Announcement::of_move(&told);
        let request = self.table.next_request(&told.fen);
        let request = request.map(|(next, request)| (next, Frame::of_request(request)));
        self.announce(&announcement, Some(mover));
        if let Some((next, request)) = request {
            self.clients.tell(&self.table, next, &request);
        }
    }

    /// Tells everybody who has entered. Whoever `knows` may be told a little later.
    pub(super) fn announce(
        &mut self,
        Announcement { frame, event, step }: &Announcement,
        knows: Option<ClientId>,
    ) {
        if let Some(step) = step {
            self.metrics.told(step);
            self.log(step);
        }
        if let Some(event) = event {
            self.recent.told(*event, frame);
        }
        self.clients.tell_all(&self.table, frame, knows);
    }

    /// Tells one client.
    pub(super) fn tell(&mut self, who: ClientId, message: &ServerMessage) {
        self.clients.tell(&self.table, who, &Frame::new(message));
    }

    /// Tells a client the state.
    pub(super) fn show(&mut self, who: ClientId) {
        let server_ms = u64::try_from(UnixMillis::now().0).unwrap_or_default();
        let state = self.table.snapshot(who, Instant::now(), server_ms);
        self.tell(who, &state);
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
            self.clients.tell_all(&self.table, &frame, None);
        } else {
            for who in newcomers {
                self.clients.tell(&self.table, who, &frame);
            }
        }
    }

    pub(super) fn tell_watchers(&mut self) {
        if self.watchers.is_told() {
            return;
        }
        if let Some(count) = self.watchers.next_count(Instant::now()) {
            let table = self.table.settings().id.clone();
            let message = ServerMessage::Watchers { table, count };
            self.announce(&Announcement::of(&message), None);
        }
    }

    fn log(&mut self, step: &Step) {
        match step {
            Step::Start { id, white, black } => {
                self.game = info_span!("game", id);
                info!(parent: &self.game, white, black, "started");
            }
            Step::Move { ply } => debug!(parent: &self.game, ply, "move"),
            Step::End {
                result,
                reason,
                ply,
            } => {
                info!(parent: &self.game, ?result, ?reason, ply, "over");
                self.game = Span::none();
            }
        }
    }
}
