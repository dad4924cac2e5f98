//! A table at a glance, for whoever looks at it now and then.
//!
//! Nobody waits for a change: a table changes with every move, and to tell those who wait takes locks.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use crate::table::{Table, TableStatus};

/// What is to be seen of a table.
#[derive(Clone, Debug)]
pub(crate) struct Glance {
    shown: Arc<Shown>,
    /// The last change that was taken in.
    seen: u64,
}

#[derive(Debug)]
struct Shown {
    status: RwLock<TableStatus>,
    changes: AtomicU64,
}

impl Glance {
    pub(super) fn new(status: TableStatus) -> Glance {
        let shown = Shown {
            status: RwLock::new(status),
            changes: AtomicU64::new(0),
        };
        Glance {
            shown: Arc::new(shown),
            seen: 0,
        }
    }

    /// Brings it up to date for everybody who looks.
    pub(super) fn update(&self, table: &Table) {
        let mut status = self
            .shown
            .status
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        if table.update(&mut status) {
            self.shown.changes.fetch_add(1, Relaxed);
        }
    }

    /// Takes in that a move has been played, and nothing else has changed: looks at less of the table
    /// than [`update`](Glance::update).
    pub(super) fn moved(&self, table: &Table) {
        let mut status = (self.shown.status.write()).unwrap_or_else(PoisonError::into_inner);
        if table.update_game(&mut status) {
            self.shown.changes.fetch_add(1, Relaxed);
        }
    }

    /// How the table is. It cannot change while this is held: not for long.
    pub(crate) fn status(&self) -> RwLockReadGuard<'_, TableStatus> {
        (self.shown.status.read()).unwrap_or_else(PoisonError::into_inner)
    }

    /// How the table is, if that has changed since this was asked last.
    pub(crate) fn news(&mut self) -> Option<TableStatus> {
        let status = (self.shown.status.read()).unwrap_or_else(PoisonError::into_inner);
        // It changes only while the status is locked.
        let changes = self.shown.changes.load(Relaxed);
        let is_new = changes != self.seen;
        self.seen = changes;
        is_new.then(|| status.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use checkers_lib::DrawRules;

    use super::*;
    use crate::table::{ClientId, Command, Entrance};

    #[test]
    fn a_change_is_news_once() {
        let mut table = Table::new("main", DrawRules::Fmjd64);
        let glance = Glance::new(table.status());
        let mut other = glance.clone();
        assert!(other.news().is_none());
        let entrance = Entrance::named("anna");
        table.handle(ClientId(1), Command::Enter(entrance), Instant::now());
        glance.update(&table);
        glance.update(&table);
        assert_eq!(other.news().map(|status| status.watchers), Some(1));
        assert!(other.news().is_none());
        assert_eq!(glance.status().watchers, 1);
    }
}
