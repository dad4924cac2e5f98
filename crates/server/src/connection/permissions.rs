//! Checks whether a client may do what it asks for.

use checkers_lib::protocol::{CreateTable, ErrorCode, Refusal};

use super::{ClientSession, Connection};
use crate::accounts::{Scope, Scopes};
use crate::names;

impl Connection {
    /// The session of a client that has an account.
    pub(super) fn account(&self) -> Option<&ClientSession> {
        let session = self.session.as_ref();
        session.filter(|session| session.scopes.is_some())
    }

    /// Checks that the bot's token may be used for this; guests and people may do everything.
    pub(super) fn check_scope(&self, scope: Scope) -> Result<(), Refusal> {
        let scopes = self.account().and_then(|session| session.scopes);
        Ok(scopes.unwrap_or(Scopes::ALL).check(scope)?)
    }

    /// Checks that no moderator has suspended the account.
    pub(super) async fn check_may_play(&self) -> Result<(), Refusal> {
        if let (Some(account), Some(moderation)) = (self.account(), &self.shared.moderation) {
            moderation.check_may_play(account.key).await?;
        }
        Ok(())
    }

    /// Checks that no moderator has muted the account.
    pub(super) async fn check_may_talk(&self) -> Result<(), Refusal> {
        if let (Some(account), Some(moderation)) = (self.account(), &self.shared.moderation) {
            moderation.check_may_talk(account.key).await?;
        }
        Ok(())
    }

    /// Checks that the client may play at this table, and keeps the table if only TV has shown it.
    pub(super) async fn check_seat(&mut self, id: Option<&str>) -> Result<(), Refusal> {
        self.keep_tv_table(id).await?;
        let table = self.table(id)?;
        self.check_can_be_rated(table.settings().rated).await?;
        self.check_players(id).await
    }

    /// Checks that the client and the players at this table may begin a game, and that none of them blocks another.
    pub(super) async fn check_players(&self, id: Option<&str>) -> Result<(), Refusal> {
        let Some(moderation) = &self.shared.moderation else {
            return Ok(());
        };
        self.check_may_play().await?;
        let own = self.session.as_ref().map(|session| session.key);
        let table = self.table(id)?;
        let players = table
            .status()
            .players()
            .filter_map(|seat| seat.key)
            .collect::<Vec<_>>();
        for player in players.into_iter().filter(|&key| Some(key) != own) {
            moderation.check_may_play(player).await?;
            if let Some(account) = self.account() {
                let player = player.to_hex();
                moderation.check_opponent(account.key, &player).await?;
            }
        }
        Ok(())
    }

    /// Checks that the client may create this table.
    pub(super) async fn check_table(&self, wanted: &CreateTable) -> Result<(), Refusal> {
        self.check_can_be_rated(wanted.rated).await?;
        self.check_may_play().await?;
        let (Some(opponent), Some(session)) = (&wanted.opponent, &self.session) else {
            return Ok(());
        };
        self.check_scope(Scope::Challenge)?;
        if wanted.rated {
            names::check_same_pool(&session.name, opponent)?;
        }
        if let (Some(account), Some(moderation)) = (self.account(), &self.shared.moderation) {
            moderation.check_opponent(account.key, opponent).await?;
        }
        Ok(())
    }

    /// Checks that the client may play a rated game, if `is_rated`.
    pub(super) async fn check_can_be_rated(&self, is_rated: bool) -> Result<(), Refusal> {
        if !is_rated {
            return Ok(());
        }
        let (Some(account), Some(ratings)) = (self.account(), &self.shared.ratings) else {
            let message = "only accounts play rated games: keep your name, or sign in";
            return Err(Refusal::new(ErrorCode::NotRated, message));
        };
        ratings.check_not_paused(&account.name).await
    }
}
