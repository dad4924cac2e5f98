//! Creates tables.

use std::sync::{Arc, LazyLock};

use checkers_lib::openings::{self, Opening};
use checkers_lib::protocol::{BotRequests, CreateTable, Refusal};
use checkers_lib::{Color, DrawRules};

use crate::bots::Bots;
use crate::metrics::Metrics;
use crate::shard::{Shards, TableHandle};
use crate::table::{ClientId, Policy, TableSettings};

/// The default openings.
static SUITE: LazyLock<Vec<Opening>> = LazyLock::new(openings::suite);

/// What the tables of a server have in common.
#[derive(Clone)]
pub(crate) struct TableFactory {
    pub(crate) shards: Shards,
    pub(crate) policy: Policy,
    /// The default draw rules.
    pub(crate) rules: DrawRules,
    /// The configured openings; empty for the default ones.
    pub(crate) openings: Vec<Opening>,
    pub(crate) metrics: Arc<Metrics>,
    /// The bots of the server.
    pub(crate) bots: Bots,
    /// Showcase games, if enabled.
    pub(crate) showcase: Option<ShowcaseGames>,
}

/// Games between bots that run while clients watch and no people play.
#[derive(Clone, Debug)]
pub(crate) struct ShowcaseGames {
    /// The number of concurrent games.
    pub(crate) games: usize,
    /// The bots that play them.
    pub(crate) bots: BotRequests,
}

impl TableFactory {
    pub(crate) async fn open(&self, settings: TableSettings) -> TableHandle {
        self.shards.create(settings, self.policy).await
    }

    /// The default draw rules.
    pub(crate) fn draw_rules(&self) -> DrawRules {
        self.rules
    }

    /// The openings to choose from.
    pub(crate) fn openings(&self) -> &[Opening] {
        match &self.openings[..] {
            [] => &SUITE,
            given => given,
        }
    }

    /// Checks that the server can play the requested bots.
    ///
    /// # Errors
    /// It cannot.
    pub(super) fn check_bots(&self, wanted: &CreateTable) -> Result<(), Refusal> {
        self.bots.check(&wanted.bots)
    }

    /// Seats the bots of a new table.
    ///
    /// # Errors
    /// As [`Bots::request_bot`]; an earlier bot may have come.
    pub(super) async fn seat_bots(
        &self,
        table: &TableHandle,
        bots: &BotRequests,
    ) -> Result<(), Refusal> {
        for (color, bot) in [(Color::White, &bots.white), (Color::Black, &bots.black)] {
            if let Some(bot) = bot {
                let by = (ClientId::SERVER, None);
                self.bots.request_bot(table, Some(color), bot, by).await?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Debug for TableFactory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableFactory")
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
