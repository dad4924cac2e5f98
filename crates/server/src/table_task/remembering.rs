//! Nothing is told before the log has it, and what the log does not take has not happened.

use std::time::{Duration, Instant};

use checkers_lib::protocol::ServerMessage;
use tracing::{error, warn};

use super::desk::{Desk, Held, Write, is_asked};
use super::handle::Request;
use super::journal::{HealthChanges, JournalError};
use super::news::{length_of_part, news_of};
use super::{INBOX, TableTask};
use crate::store::{Append, Receipt, WriteError};
use crate::table::event::TableEvent;
use crate::table::{ClientId, Command, Effect};

/// How long a table waits before it tries again to read what is in the log.
const READ_AGAIN: Duration = Duration::from_secs(1);

impl TableTask {
    /// Has the log take what is to be remembered, and delivers what follows once it has.
    pub(super) async fn perform(
        &mut self,
        desk: &mut Desk,
        who: Option<ClientId>,
        mut effects: Vec<Effect>,
    ) {
        while !effects.is_empty() {
            let others = effects.split_off(length_of_part(&effects));
            let part = std::mem::replace(&mut effects, others);
            let news = news_of(&part);
            if let Some(game) = part
                .iter()
                .find_map(Effect::record)
                .map(|record| record.game)
                && let Err(error) = self.remember(desk, part).await
            {
                return self.go_back(desk, who, game, &error).await;
            }
            for news in news {
                desk.deliver(news, who);
            }
        }
        if desk.is_failing {
            // That it takes events again may have been heard of while it took these.
            desk.note_health();
        }
    }

    /// Brings the move to its end that waits for the log.
    pub(super) async fn finish(&mut self, desk: &mut Desk, held: Held, receipt: Option<Receipt>) {
        let written = match (held.write, receipt) {
            (Write::Queued, Some(receipt)) => {
                // That it takes no more events may be why the task has come.
                desk.look_at_log();
                self.wait_for(desk, receipt).await
            }
            (Write::Queued, None) => Err(WriteError::Stopped.into()),
            (Write::Wanted(append), _) => self.append(desk, *append).await,
            (Write::Failed(error), _) => Err(error),
        };
        let who = Some(held.consequences.by);
        match written {
            Ok(()) => {
                desk.tell_of(held.consequences);
                self.perform(desk, who, held.others).await;
            }
            Err(error) => self.go_back(desk, who, held.game, &error).await,
        }
    }

    /// Waits until the log has the records among these effects of one part.
    async fn remember(
        &mut self,
        desk: &mut Desk,
        mut part: Vec<Effect>,
    ) -> Result<(), JournalError> {
        let Some(journal) = &mut desk.journal else {
            return Ok(());
        };
        let asks = is_asked(&part);
        let append = journal.prepare(part.iter_mut().filter_map(Effect::record_mut))?;
        // While it waits nothing is kept of it but what goes over the wire.
        drop(part);
        let appended = self.append(desk, append).await;
        if appended.is_ok() && asks {
            // Whoever is to move hears of it only now.
            desk.table.told_late(Instant::now());
        }
        appended
    }

    async fn append(&mut self, desk: &mut Desk, append: Append) -> Result<(), JournalError> {
        let Some(journal) = &mut desk.journal else {
            return Ok(());
        };
        let receipt = journal.append(append).await?;
        self.wait_for(desk, receipt).await
    }

    /// Waits for the log, and tells everybody if that takes long because it fails.
    async fn wait_for(
        &mut self,
        desk: &mut Desk,
        mut receipt: Receipt,
    ) -> Result<(), JournalError> {
        loop {
            desk.clients.flush().await;
            tokio::select! {
                biased;
                appended = &mut receipt => return Ok(appended.map(drop)?),
                () = health_changed(&mut self.health) => desk.look_at_log(),
                Some((who, request)) = self.inbox.recv(),
                    if desk.is_failing && self.put_off.len() < INBOX =>
                {
                    self.received += 1;
                    self.put_off(desk, who, *request);
                }
            }
        }
    }

    /// Takes in what comes while it is not known what is in the log: says that nothing can be
    /// stored, and keeps what can be done all the same for when the state is known.
    fn put_off(&mut self, desk: &mut Desk, who: ClientId, request: Request) {
        let is_first = self.put_off.iter().all(|(other, _)| *other != who);
        match request {
            Request::Attach(outbox) if is_first => desk.clients.attach(who, outbox),
            Request::Command(command, _) if !command.is_passing() => desk.refuse(who),
            request => {
                let table = desk.table.settings().id.clone();
                desk.tell(who, &ServerMessage::Storage { table, ok: false });
                self.put_off.push_back((who, Box::new(request)));
            }
        }
    }

    /// Goes back to what is in the log, which does not have what `who` has asked for.
    async fn go_back(
        &mut self,
        desk: &mut Desk,
        who: Option<ClientId>,
        game: u64,
        why: &JournalError,
    ) {
        let table = &desk.table.settings().id;
        if why.is_passing() {
            warn!(table, game, error = %why, "not stored");
        } else {
            error!(table, game, error = %why, "the log has another idea of the game");
            desk.is_read_only = true;
        }
        desk.fail();
        let events = read(desk, game).await;
        if let Err(error) = desk.table.rebuild(game, &events, Instant::now()) {
            error!(game, %error, "the game cannot be restored");
            desk.is_read_only = true;
        }
        desk.table.suspend();
        if let Some(who) = who {
            desk.refuse(who);
        }
        desk.players = Some(Box::new(desk.table.players()));
        desk.note_health();
    }

    /// Lets clients go that read too slowly.
    pub(super) async fn drop_the_slow(&mut self, desk: &mut Desk) {
        while let Some(who) = desk.clients.next_too_slow() {
            let request = Request::Command(Command::Disconnect, Instant::now());
            self.serve(desk, who, Box::new(request)).await;
            desk.tell_players();
        }
    }
}

/// The events of a game that are in the log.
async fn read(desk: &mut Desk, game: u64) -> Vec<TableEvent> {
    let Some(journal) = &mut desk.journal else {
        return Vec::new();
    };
    desk.clients.flush().await;
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

/// Waits for word of the log's health, or for ever.
pub(super) async fn health_changed(health: &mut Option<HealthChanges>) {
    match health {
        Some(changes) => changes.next().await,
        None => std::future::pending().await,
    }
}
