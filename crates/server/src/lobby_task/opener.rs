//! How tables come into being while the server runs.

use std::sync::{Arc, LazyLock};

use checkers_lib::openings::{self, Opening};
use checkers_lib::protocol::{BotRequests, CreateTable, Refusal};
use checkers_lib::{Color, DrawRules};
use tracing::warn;

use crate::bots::Bots;
use crate::metrics::Metrics;
use crate::store::EventLog;
use crate::table::{Policy, Table, TableSettings};
use crate::table_task::{self, Later, TableHandle};

/// The openings of a server to which none were given.
static SUITE: LazyLock<Vec<Opening>> = LazyLock::new(openings::suite);

/// What all tables of a server have in common.
pub(crate) struct Opener {
    /// Where their events are kept; without it, nowhere.
    pub(crate) log: Option<Arc<dyn EventLog>>,
    pub(crate) policy: Policy,
    /// The draw rules of tables that choose none.
    pub(crate) rules: DrawRules,
    /// The openings that were given to the server; without any, it has the built-in suite.
    pub(crate) openings: Vec<Opening>,
    /// Who sees to what their clients can wait for.
    pub(crate) later: Later,
    pub(crate) metrics: Arc<Metrics>,
    /// Who sits where the server is to play.
    pub(crate) bots: Bots,
    /// The games of bots that there are to be while somebody looks and nobody plays.
    pub(crate) house: Option<House>,
}

/// Games of bots for those who look.
#[derive(Clone, Debug)]
pub(crate) struct House {
    /// How many at one time.
    pub(crate) games: usize,
    /// Who plays them.
    pub(crate) bots: BotRequests,
}

impl Opener {
    /// Begins to serve a new table.
    pub(crate) fn open(&self, settings: TableSettings) -> TableHandle {
        let table = Table::open(settings).with_policy(self.policy);
        let (log, later) = (self.log.clone(), self.later.clone());
        let (handle, task) = table_task::channel(table, log, later, Arc::clone(&self.metrics));
        tokio::spawn(task.run());
        handle
    }

    /// The draw rules of tables that choose none.
    pub(crate) fn draw_rules(&self) -> DrawRules {
        self.rules
    }

    /// The openings that a table may choose among.
    pub(crate) fn openings(&self) -> &[Opening] {
        match &self.openings[..] {
            [] => &SUITE,
            given => given,
        }
    }

    /// Checks that the bots of a table that is wanted can be played.
    ///
    /// # Errors
    /// They cannot.
    pub(crate) fn check_bots(&self, wanted: &CreateTable) -> Result<(), Refusal> {
        self.bots.check(&wanted.bots)
    }

    /// Lets the bots of a new table come to it.
    pub(crate) fn invite(&self, table: &TableHandle, bots: &BotRequests) {
        for (color, bot) in [(Color::White, &bots.white), (Color::Black, &bots.black)] {
            let invited = bot
                .as_ref()
                .map(|bot| self.bots.seat_bot(table, Some(color), bot, None));
            if let Some(Err(refusal)) = invited {
                warn!(table = table.id(), ?refusal, "a bot does not come");
            }
        }
    }
}

impl std::fmt::Debug for Opener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opener")
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
