//! Nothing is told before the log has it, and what the log does not take has not happened.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, Refusal, ServerMessage};
use tracing::{error, warn};

use super::handle::Request;
use super::journal::{Journal, JournalError};
use super::news::{Announcement, length_of_part, news_of};
use super::{INBOX, TableTask};
use crate::store::Append;
use crate::table::event::TableEvent;
use crate::table::{ClientId, Effect, Record};

/// How long a table waits before it tries again to read what is in the log.
const READ_AGAIN: Duration = Duration::from_secs(1);

impl TableTask {
    /// Has the log take what is to be remembered, and delivers what follows once it has.
    pub(super) async fn perform(&mut self, who: Option<ClientId>, mut effects: Vec<Effect>) {
        while !effects.is_empty() {
            let others = effects.split_off(length_of_part(&effects));
            let part = std::mem::replace(&mut effects, others);
            let news = news_of(&part);
            if let Some(game) = part
                .iter()
                .find_map(Effect::record)
                .map(|record| record.game)
                && let Err(error) = self.remember(part).await
            {
                return self.go_back(who, game, &error).await;
            }
            for news in news {
                self.deliver(news, who);
            }
        }
        if self.is_failing {
            // That it takes events again may have been heard of while it took these.
            self.note_health();
        }
    }

    /// Waits until the log has the records among these effects of one part.
    async fn remember(&mut self, mut part: Vec<Effect>) -> Result<(), JournalError> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        let asks = |record: &Record| {
            matches!(
                record.event,
                TableEvent::Started(_) | TableEvent::Moved(_) | TableEvent::TookBack(_)
            )
        };
        let asks = part.iter().filter_map(Effect::record).any(asks);
        let append = journal.prepare(&mut part)?;
        // While it waits nothing is kept of it but what goes over the wire.
        drop(part);
        let appended = self.append(append).await;
        if appended.is_ok() && asks {
            // Whoever is to move hears of it only now.
            self.table.told_late(Instant::now());
        }
        appended
    }

    /// Waits for the log, and tells everybody if that takes long because it fails.
    async fn append(&mut self, append: Append) -> Result<(), JournalError> {
        let Some(journal) = &mut self.journal else {
            return Ok(());
        };
        let mut receipt = journal.append(append).await?;
        loop {
            self.clients.flush().await;
            let Some(journal) = &mut self.journal else {
                return Ok(());
            };
            tokio::select! {
                biased;
                appended = &mut receipt => return Ok(appended.map(drop)?),
                () = journal.health_changed() => {
                    if !journal.is_ready() {
                        self.fail();
                    }
                }
                Some((who, request)) = self.inbox.recv(),
                    if self.is_failing && self.put_off.len() < INBOX =>
                {
                    self.put_off(who, *request);
                }
            }
        }
    }

    /// Takes in what comes while it is not known what is in the log: says that nothing can be
    /// stored, and keeps what can be done all the same for when the state is known.
    pub(super) fn put_off(&mut self, who: ClientId, request: Request) {
        let is_first = self.put_off.iter().all(|(other, _)| *other != who);
        match request {
            Request::Attach(outbox) if is_first => self.clients.attach(who, outbox),
            Request::Command(command, _) if !command.is_passing() => self.refuse(who),
            request => {
                let table = self.table.settings().id.clone();
                self.tell(who, &ServerMessage::Storage { table, ok: false });
                self.put_off.push_back((who, Box::new(request)));
            }
        }
    }

    /// Goes back to what is in the log, which does not have what `who` has asked for.
    pub(super) async fn go_back(&mut self, who: Option<ClientId>, game: u64, why: &JournalError) {
        let table = &self.table.settings().id;
        if why.is_passing() {
            warn!(table, game, error = %why, "not stored");
        } else {
            error!(table, game, error = %why, "the log has another idea of the game");
            self.is_read_only = true;
        }
        self.fail();
        let events = self.read(game).await;
        if let Err(error) = self.table.rebuild(game, &events, Instant::now()) {
            error!(game, %error, "the game cannot be restored");
            self.is_read_only = true;
        }
        self.table.suspend();
        if let Some(who) = who {
            self.refuse(who);
        }
        self.players = Some(self.table.players());
        self.note_health();
    }

    /// The events of a game that are in the log.
    pub(super) async fn read(&mut self, game: u64) -> Vec<TableEvent> {
        let Some(journal) = &mut self.journal else {
            return Vec::new();
        };
        self.clients.flush().await;
        loop {
            match journal.read(game).await {
                Ok(events) => return events,
                Err(error) => {
                    error!(game, %error, "the log cannot be read");
                    tokio::time::sleep(READ_AGAIN).await;
                }
            }
        }
    }

    pub(super) fn refuse(&mut self, who: ClientId) {
        let message = "the server cannot store anything at the moment; nothing has happened";
        let refusal = Refusal::new(ErrorCode::NotStored, message);
        self.tell(who, &refusal.into());
    }

    /// Takes in whether the log takes events.
    pub(super) fn note_health(&mut self) {
        let is_ready = self.journal.as_ref().is_none_or(Journal::is_ready);
        if !is_ready {
            self.fail();
        } else if self.is_failing && !self.is_read_only {
            self.is_failing = false;
            self.tell_of_storage(true);
            for news in news_of(&self.table.resume(Instant::now())) {
                self.deliver(news, None);
            }
        }
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
        let table = self.table.settings().id.clone();
        let message = ServerMessage::Storage { table, ok };
        self.announce(&Announcement::of(&message), None);
    }
}
