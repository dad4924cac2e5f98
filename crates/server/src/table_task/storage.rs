//! Whether the log can be written to, and what is told of that.

use std::time::Instant;

use checkers_lib::protocol::{ErrorCode, Refusal, ServerMessage};

use super::desk::Desk;
use super::journal::Journal;
use super::news::{Announcement, news_of};
use crate::table::ClientId;

impl Desk {
    pub(super) fn refuse(&mut self, who: ClientId) {
        let message = "the server cannot store anything at the moment; nothing has happened";
        let refusal = Refusal::new(ErrorCode::NotStored, message);
        self.tell(who, &refusal.into());
    }

    /// Takes in whether the log takes events.
    pub(super) fn note_health(&mut self) {
        self.look_at_log();
        if self.is_log_ready() && self.is_failing && !self.is_read_only {
            self.is_failing = false;
            self.tell_of_storage(true);
            for news in news_of(&self.table.resume(Instant::now())) {
                self.deliver(news, None);
            }
        }
    }

    /// Takes in whether the log takes no events.
    pub(super) fn look_at_log(&mut self) {
        if !self.is_log_ready() {
            self.fail();
        }
    }

    fn is_log_ready(&self) -> bool {
        self.journal.as_ref().is_none_or(Journal::is_ready)
    }

    /// Takes in that the log takes no events.
    pub(super) fn fail(&mut self) {
        self.table.suspend();
        if !self.is_failing {
            self.is_failing = true;
            self.tell_of_storage(false);
        }
    }

    pub(super) fn tell_of_storage(&mut self, ok: bool) {
        let message = self.storage(ok);
        self.announce(&Announcement::of(&message), None);
    }

    /// Tells somebody who has come why no clock runs, if that is so.
    pub(super) fn warn_of_storage(&mut self, who: ClientId) {
        if self.is_failing && self.table.has(who) {
            let message = self.storage(false);
            self.tell(who, &message);
        }
    }

    fn storage(&self, ok: bool) -> ServerMessage {
        let table = self.table.settings().id.clone();
        ServerMessage::Storage { table, ok }
    }
}
