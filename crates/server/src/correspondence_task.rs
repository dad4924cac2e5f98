//! What is to be done now: games whose time is over, rows that are older than the log, accepted challenges whose game has
//! not begun, and moves that players have left.

use std::sync::Arc;

use tracing::warn;

use crate::correspondence::{Challenge, Correspondence, table_of};
use crate::push::{Push, Turn};
use crate::shard::Shards;
use crate::store::ReadError;
use crate::table::{ClientId, Command, game_id};

/// What becomes due in games that are not in memory.
#[derive(Debug)]
pub(crate) struct CorrespondenceTask {
    correspondence: Arc<Correspondence>,
    push: Arc<Push>,
    shards: Shards,
    /// The version of the routes when rows were last compared with the log.
    compared: Option<u64>,
}

impl CorrespondenceTask {
    pub(crate) fn new(
        correspondence: Arc<Correspondence>,
        push: Arc<Push>,
        shards: Shards,
    ) -> CorrespondenceTask {
        CorrespondenceTask {
            correspondence,
            push,
            shards,
            compared: None,
        }
    }

    /// Does what is due. Returns whether there may be more.
    pub(crate) async fn step(&mut self) -> Result<bool, ReadError> {
        let is_more = self.write().await?;
        self.compare_with_log().await?;
        self.end_overdue().await?;
        for challenge in self.correspondence.late().await? {
            begin(&self.correspondence, &self.shards, challenge).await?;
        }
        Ok(is_more)
    }

    /// Writes what was noted, and tells the shards, which may then drop the tables.
    async fn write(&mut self) -> Result<bool, ReadError> {
        let written = self.correspondence.write().await?;
        for progress in &written {
            self.shards.written(&progress.table, progress.seq).await;
            let Some(running) = &progress.running else {
                continue;
            };
            match self.answer(&progress.table).await {
                Ok(true) => {}
                Ok(false) => self.push.notify(Turn {
                    player: running.players[running.turn],
                    game: game_id(&progress.table, 1),
                    ply: running.ply.into(),
                }),
                Err(error) => {
                    warn!(%error, "conditional moves cannot be read");
                    self.compared = None;
                }
            }
        }
        Ok(!written.is_empty())
    }

    /// Loads the games of new shards whose rows are older than the log, so that the rows are written again, and those with
    /// a move that may have to be played. Forgets the rows of games that are over.
    async fn compare_with_log(&mut self) -> Result<(), ReadError> {
        let version = *self.shards.route_changes().borrow();
        if self.compared == Some(version) {
            return Ok(());
        }
        self.correspondence.forget_ended().await?;
        let mut after = String::new();
        loop {
            let stale = self.correspondence.stale(&after).await?;
            let Some(last) = stale.last() else { break };
            after.clone_from(last);
            for game in &stale {
                self.load(game).await;
            }
        }
        for game in self.correspondence.with_answers().await? {
            if let Some(table) = table_of(&game)
                && self.shards.has_here(table)
            {
                self.answer(table).await?;
            }
        }
        self.compared = Some(version);
        Ok(())
    }

    /// Loads the games whose time is over. Their tables end them.
    async fn end_overdue(&self) -> Result<(), ReadError> {
        let mut after = String::new();
        loop {
            let overdue = self.correspondence.overdue(&after).await?;
            let Some(last) = overdue.last() else {
                return Ok(());
            };
            after.clone_from(last);
            for game in &overdue {
                self.load(game).await;
            }
        }
    }

    /// Plays the move that the player to move at a table has left. Returns whether there is one.
    async fn answer(&self, table: &str) -> Result<bool, ReadError> {
        let answer = self.correspondence.answer(table).await?;
        let is_left = answer.is_some();
        if let Some((color, request)) = answer {
            let play = Command::PlayFor(color, request);
            self.shards.command_correspondence(table, play).await;
        }
        Ok(is_left)
    }

    async fn load(&self, game: &str) {
        if let Some(table) = table_of(game)
            && self.shards.has_here(table)
        {
            self.shards.load(table).await;
        }
    }
}

/// Starts the game of an accepted challenge, unless it has begun, and forgets the challenge then.
pub(crate) async fn begin(
    correspondence: &Correspondence,
    shards: &Shards,
    challenge: Challenge,
) -> Result<(), ReadError> {
    if !correspondence.has_begun(&challenge).await? {
        let Some((settings, policy)) = correspondence.table_of_challenge(&challenge) else {
            warn!(table = challenge.id, "an accepted challenge cannot be read");
            return Ok(());
        };
        if !correspondence.may_begin(&challenge).await? {
            return Ok(());
        }
        let table = match shards.find(&challenge.id) {
            Some(table) => table,
            None => shards.create(settings, policy).await,
        };
        let begin = Command::Begin(Box::new(challenge.players.clone()));
        table.command(ClientId::SERVER, begin).await;
        table.flush().await;
        if !correspondence.has_begun(&challenge).await? {
            // The shard may have no owner now, or the store may fail: it is tried again.
            return Ok(());
        }
    }
    correspondence.forget(&challenge).await
}

impl Shards {
    /// Sends a command of the server to a table with a game by correspondence, which is loaded if necessary.
    pub(crate) async fn command_correspondence(&self, table: &str, command: Command) {
        let table = self.correspondence(table);
        table.command(ClientId::SERVER, command).await;
    }
}
