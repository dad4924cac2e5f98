//! Blocks: the players with whom an account does not play.

use event_store::{Row, Statement, TokenHash, UnixMillis};

use super::{Moderation, ModerationError};
use crate::accounts::AccountSession;
use crate::names;

/// The most players that an account blocks.
pub(super) const MAX_BLOCKS: i64 = 200;

/// Players who are not paired with a client because one of them blocks the other.
const MAX_OPPONENTS: i64 = 400;

/// Players with whom a client is not paired.
pub(crate) type Opponents = Vec<TokenHash>;

/// The identities of those whom the account with the identity $1 blocks, and of those who block it.
const BETWEEN: &str = "
    SELECT other.identity FROM account
        JOIN block ON block.account = account.id JOIN account AS other ON other.id = block.blocked
        WHERE account.identity = $1
    UNION
    SELECT other.identity FROM account
        JOIN block ON block.blocked = account.id JOIN account AS other ON other.id = block.account
        WHERE account.identity = $1
    LIMIT $2";

/// The name of the account with the name or the identity $2, if it and the one with the identity $1 are blocked.
const BETWEEN_TWO: &str = "
    SELECT other.name FROM account
        JOIN block ON block.account = account.id JOIN account AS other ON other.id = block.blocked
        WHERE account.identity = $1 AND (other.identity = $2 OR other.name = $2)
    UNION
    SELECT other.name FROM account
        JOIN block ON block.blocked = account.id JOIN account AS other ON other.id = block.account
        WHERE account.identity = $1 AND (other.identity = $2 OR other.name = $2)";

impl Moderation {
    /// The names that the account blocks.
    pub(crate) async fn blocks(
        &self,
        session: &AccountSession,
    ) -> Result<Vec<String>, ModerationError> {
        let select = Statement::new(
            "SELECT name FROM block JOIN account ON account.id = block.blocked
             WHERE block.account = $1 ORDER BY name",
            vec![session.account.into()],
        );
        let rows = self.tables.select(select).await?;
        Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
    }

    /// Whether the account blocks the one with this name.
    pub(crate) async fn is_blocked(
        &self,
        session: &AccountSession,
        name: &str,
    ) -> Result<bool, ModerationError> {
        let select = Statement::new(
            "SELECT CAST(1 AS bigint) FROM block WHERE account = $1 AND blocked = $2",
            vec![session.account.into(), self.find(name).await?.into()],
        );
        Ok(!self.tables.select(select).await?.is_empty())
    }

    /// Blocks the account with this name.
    pub(crate) async fn block(
        &self,
        session: &AccountSession,
        name: &str,
    ) -> Result<(), ModerationError> {
        if name == session.name {
            return Err(ModerationError::Oneself);
        }
        let blocked = self.find(name).await?;
        let has_room = Statement::new(
            "SELECT CAST(1 AS bigint) WHERE (SELECT count(*) FROM block WHERE account = $1) < $2",
            vec![session.account.into(), MAX_BLOCKS.into()],
        );
        let insert = Statement::new(
            "INSERT INTO block (account, blocked, created_at) SELECT $1, id, $2 FROM account WHERE id = $3 AND role <> 'leaving'
             ON CONFLICT (account, blocked) DO NOTHING",
            vec![
                session.account.into(),
                UnixMillis::now().0.into(),
                blocked.into(),
            ],
        );
        let done = self
            .tables
            .transact(vec![has_room.required(), insert])
            .await?;
        done.map(|_| ()).ok_or(ModerationError::TooManyBlocks)
    }

    /// Ends a block. Nothing happens if there is none.
    pub(crate) async fn unblock(
        &self,
        session: &AccountSession,
        name: &str,
    ) -> Result<(), ModerationError> {
        let delete = Statement::new(
            "DELETE FROM block WHERE account = $1 AND blocked IN (SELECT id FROM account WHERE skeleton = $2)",
            vec![session.account.into(), names::skeleton(name).into()],
        );
        self.tables.transact(vec![delete]).await?;
        Ok(())
    }

    /// The players whom the client blocks, and those who block it.
    pub(crate) async fn opponents_to_avoid(&self, key: TokenHash) -> Opponents {
        let other = |row: &Row| TokenHash::from_hex(row.text(0));
        let parameters = vec![key.to_hex().into(), MAX_OPPONENTS.into()];
        let rows = self.read(Statement::new(BETWEEN, parameters)).await;
        rows.iter().filter_map(other).collect()
    }

    /// Checks that neither the client nor the account with this name or identity blocks the other.
    pub(crate) async fn check_opponent(
        &self,
        key: TokenHash,
        other: &str,
    ) -> Result<(), ModerationError> {
        let parameters = vec![key.to_hex().into(), other.into()];
        let rows = self.read(Statement::new(BETWEEN_TWO, parameters)).await;
        match rows.first() {
            Some(row) => Err(ModerationError::Blocked(row.text(0).to_owned())),
            None => Ok(()),
        }
    }

    /// The rows of a query about blocks, which are ignored while the database cannot be read, so that games go on.
    async fn read(&self, select: Statement) -> Vec<Row> {
        self.tables.select(select).await.unwrap_or_else(|error| {
            ModerationError::from(error).log();
            Vec::new()
        })
    }
}
