//! What a table is served at: the table, who is there, and what is still to be told.
//!
//! Nothing here waits. What has to wait, for the log above all, is the task's.

use std::sync::Arc;
use std::time::Instant;

use checkers_lib::protocol::ServerMessage;
use tracing::Span;

use super::clients::Clients;
use super::glance::Glance;
use super::journal::{Journal, JournalError};
use super::news::{News, length_of_part, news_of};
use super::recent::Recent;
use super::watchers::Watchers;
use crate::metrics::Metrics;
use crate::store::{Append, OnAppended, WriteError};
use crate::table::event::TableEvent;
use crate::table::{ClientId, Command, Effect, Record, Sequel, Table};

/// A table and the clients it speaks to.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) table: Table,
    pub(super) clients: Clients,
    /// What is told of who is here, if it has changed since it was told.
    pub(super) players: Option<Box<ServerMessage>>,
    /// Who has come since.
    pub(super) newcomers: Vec<ClientId>,
    pub(super) watchers: Watchers,
    pub(super) recent: Recent,
    /// Where events are kept; without it, nowhere.
    pub(super) journal: Option<Journal>,
    /// The move that waits for the log. Nothing else happens before it.
    pub(super) held: Option<Held>,
    /// Whether the log cannot be written to.
    pub(super) is_failing: bool,
    /// Whether the log has another idea of the game, which takes no more events.
    pub(super) is_read_only: bool,
    pub(super) is_over: bool,
    pub(super) glance: Glance,
    pub(super) game: Span,
    pub(super) metrics: Arc<Metrics>,
}

/// A move that was played, and what is to be told of it once the log has it.
#[derive(Debug)]
pub(super) struct Held {
    /// The number of its game.
    pub(super) game: u64,
    pub(super) consequences: Consequences,
    /// What follows them and is for the log too.
    pub(super) others: Vec<Effect>,
    pub(super) write: Write,
}

/// What is told of a move.
#[derive(Debug)]
pub(super) struct Consequences {
    pub(super) by: ClientId,
    arrived: Instant,
    told: Told,
}

/// How far what is told is written down.
#[derive(Debug)]
enum Told {
    /// The move, and whose turn it is: written down when it is told, since nothing else happens at the
    /// table before.
    Move,
    News {
        /// Whether a clock begins to run when they are told.
        asks: bool,
        news: Vec<News>,
    },
}

/// How far the writing of a move is.
#[derive(Debug)]
pub(super) enum Write {
    /// The log has it in hand, and says when it is done.
    Queued,
    /// The log is to be asked for it.
    Wanted(Box<Append>),
    /// It is certain not to be written.
    Failed(JournalError),
}

impl Desk {
    /// When something is to be done though nobody asks for anything.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let table = self.table.poll_timeout();
        table.into_iter().chain(self.watchers.due()).min()
    }

    /// Whether a move that came at this moment can be played without waiting for anything.
    pub(super) fn is_free(&self, arrived: Instant) -> bool {
        let is_due = |due: Instant| due <= arrived;
        self.held.is_none()
            && !(self.is_failing || self.is_over)
            && !self.table.poll_timeout().is_some_and(is_due)
    }

    /// Plays a move. What is to be remembered of it is on its way to the log then, which calls `whom`
    /// once it has it, and what follows is [held](Held).
    pub(super) fn play(
        &mut self,
        by: ClientId,
        command: Command,
        arrived: Instant,
        whom: Arc<dyn OnAppended>,
    ) {
        match self.table.carry_out(by, command, arrived) {
            Sequel::Move(mut record) => {
                let told = Told::Move;
                let consequences = Consequences { by, arrived, told };
                let game = record.game;
                match &mut self.journal {
                    Some(journal) => {
                        let append = journal.prepare([&mut record]);
                        let write = begin_to_write(journal, append, whom);
                        self.hold(game, consequences, Vec::new(), write);
                    }
                    None => self.tell_of(consequences),
                }
            }
            Sequel::Effects(effects) => self.perform(by, effects, arrived, whom),
        }
    }

    /// Has the log take the first part of what follows from a command of `by`, and holds all of it.
    fn perform(
        &mut self,
        by: ClientId,
        mut effects: Vec<Effect>,
        arrived: Instant,
        whom: Arc<dyn OnAppended>,
    ) {
        let record = effects.iter().find_map(Effect::record);
        let (Some(journal), Some(game)) = (&mut self.journal, record.map(|record| record.game))
        else {
            let told = Told::of(&effects);
            return self.tell_of(Consequences { by, arrived, told });
        };
        let others = effects.split_off(length_of_part(&effects));
        let told = Told::of(&effects);
        let append = journal.prepare(effects.iter_mut().filter_map(Effect::record_mut));
        let write = match append {
            Ok(append) if !others.is_empty() => Write::Wanted(Box::new(append)),
            append => begin_to_write(journal, append, whom),
        };
        self.hold(game, Consequences { by, arrived, told }, others, write);
    }

    fn hold(&mut self, game: u64, consequences: Consequences, others: Vec<Effect>, write: Write) {
        self.held = Some(Held {
            game,
            consequences,
            others,
            write,
        });
    }

    /// Takes in what became of the move that is held. Whatever cannot be told of it at once waits for
    /// the task.
    pub(super) fn appended(&mut self, outcome: Result<(), WriteError>) {
        match (self.held.take(), outcome) {
            (Some(held), Ok(())) => self.tell_of(held.consequences),
            (Some(held), Err(error)) => {
                let write = Write::Failed(error.into());
                self.held = Some(Held { write, ..held });
            }
            (None, _) => {}
        }
    }

    /// Tells what follows from a move that the log has.
    pub(super) fn tell_of(&mut self, consequences: Consequences) {
        let Consequences { by, arrived, told } = consequences;
        if told.asks() && self.journal.is_some() {
            let now = Instant::now();
            // Whoever is to move hears of it only now.
            self.table.told_late(now);
            self.metrics
                .move_durable(now.saturating_duration_since(arrived));
        }
        match told {
            Told::Move => self.tell_of_move(by),
            Told::News { news, .. } => {
                for news in news {
                    self.deliver(news, Some(by));
                }
            }
        }
        self.clients.told_move(arrived);
    }

    /// Takes in that a move that came at this moment has been told by the task.
    pub(super) fn told_move(&mut self, arrived: Instant) {
        if self.journal.is_some() {
            self.metrics.move_durable(arrived.elapsed());
        }
        self.clients.told_move(arrived);
    }

    /// Whether there is something to do that is the task's.
    pub(super) fn wants_task(&self) -> bool {
        let is_queued = |held: &Held| matches!(held.write, Write::Queued);
        self.players.is_some()
            || self.is_failing
            || self.is_over
            || self.clients.has_too_slow()
            || self.held.as_ref().is_some_and(|held| !is_queued(held))
    }

    /// Carries a command out; what follows from it is still to be performed.
    pub(super) fn carry_out(
        &mut self,
        who: ClientId,
        command: Command,
        arrived: Instant,
    ) -> Vec<Effect> {
        if command.is_leaving() {
            // Even the shortest visit is told.
            self.tell_players();
        }
        if self.is_failing && !command.is_passing() {
            self.refuse(who);
            return Vec::new();
        }
        let comes = matches!(command, Command::Enter(_)) && !self.table.has(who);
        let effects = self.table.handle(who, command, arrived);
        if comes && self.table.has(who) {
            self.clients.enters(who);
            self.newcomers.push(who);
            self.watchers.count(self.table.watchers());
        }
        effects
    }

    /// Takes in that a client has gone.
    pub(super) fn take_leave_of(&mut self, who: ClientId) {
        self.clients.detach(who);
        self.watchers.count(self.table.watchers());
    }
}

/// Has the log take events at once, if it has room for them.
fn begin_to_write(
    journal: &Journal,
    append: Result<Append, JournalError>,
    whom: Arc<dyn OnAppended>,
) -> Write {
    match append.map(|append| journal.try_append(append, whom)) {
        Ok(Ok(Ok(()))) => Write::Queued,
        Ok(Ok(Err(error))) => Write::Failed(error.into()),
        Ok(Err(append)) => Write::Wanted(append),
        Err(error) => Write::Failed(error),
    }
}

impl Told {
    fn of(effects: &[Effect]) -> Told {
        Told::News {
            asks: is_asked(effects),
            news: news_of(effects),
        }
    }

    fn asks(&self) -> bool {
        match self {
            Told::Move => true,
            Told::News { asks, .. } => *asks,
        }
    }
}

/// Whether somebody is asked for a move once these are told.
pub(super) fn is_asked(effects: &[Effect]) -> bool {
    let asks = |record: &Record| {
        matches!(
            record.event,
            TableEvent::Started(_) | TableEvent::Moved(_) | TableEvent::TookBack(_)
        )
    };
    effects.iter().filter_map(Effect::record).any(asks)
}
