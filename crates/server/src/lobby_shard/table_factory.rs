//! How tables come into being while the server runs.

use std::sync::{Arc, LazyLock};

use checkers_lib::openings::{self, Opening};
use checkers_lib::protocol::{BotRequests, CreateTable, Refusal};
use checkers_lib::{Color, DrawRules};
use tracing::warn;

use crate::bots::Bots;
use crate::metrics::Metrics;
use crate::shard::{Shards, TableHandle};
use crate::table::{Policy, Table, TableSettings};

/// The openings of a server to which none were given.
static SUITE: LazyLock<Vec<Opening>> = LazyLock::new(openings::suite);

/// What all tables of a server have in common.
pub(crate) struct TableFactory {
    pub(crate) shards: Shards,
    pub(crate) policy: Policy,
    /// The draw rules of tables that choose none.
    pub(crate) rules: DrawRules,
    /// The openings that were given to the server; without any, it has the built-in suite.
    pub(crate) openings: Vec<Opening>,
    pub(crate) metrics: Arc<Metrics>,
    /// Who sits where the server is to play.
    pub(crate) bots: Bots,
    /// The games of bots that there are to be while somebody looks and nobody plays.
    pub(crate) house: Option<ShowcaseGames>,
}

/// Games of bots for those who look.
#[derive(Clone, Debug)]
pub(crate) struct ShowcaseGames {
    /// How many at one time.
    pub(crate) games: usize,
    /// Who plays them.
    pub(crate) bots: BotRequests,
}

impl TableFactory {
    /// Begins to serve a new table.
    pub(crate) async fn open(&self, settings: TableSettings) -> TableHandle {
        let table = Table::open(settings).with_policy(self.policy);
        self.shards.open(table.into()).await
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

impl std::fmt::Debug for TableFactory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableFactory")
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
