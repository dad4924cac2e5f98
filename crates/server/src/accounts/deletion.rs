//! Deletes accounts: first what signs in, then the name in all games, at last the account.

use event_store::{Statement, UnixMillis};

use super::removal::{self, Removal};
use super::{AccountError, Accounts};
use crate::lobby::secrets::draw_letters;
use crate::{moderation, names, ratings, tournaments};

/// Letters of the name under which the games of a deleted account stay.
const PSEUDONYM_LETTERS: usize = 10;

impl Accounts {
    /// Starts to delete an account with its bots: no secret of theirs is valid any more. [`Accounts::finish_deletions`] does the rest.
    pub(crate) async fn delete(&self, name: &str) -> Result<bool, AccountError> {
        let skeleton = names::skeleton(name);
        let mark = match names::is_of_bot_account(name) {
            true => names::BOT_MARK,
            false => "",
        };
        let letters = draw_letters(PSEUDONYM_LETTERS)?;
        // A leaving account needs no key: the column holds the name under which its games stay.
        let pseudonym = format!("{}{letters}{mark}", names::DELETED);
        let leave = Statement::new(
            "UPDATE account SET role = 'leaving', password = '', identity = $1
             WHERE skeleton = $2 AND name = $3 AND role <> 'leaving' RETURNING id",
            vec![pseudonym.into(), skeleton.as_str().into(), name.into()],
        );
        let forget = Statement::new(
            "DELETE FROM credential WHERE account IN (
                SELECT id FROM account WHERE skeleton = $1
                    OR owner = (SELECT id FROM account WHERE skeleton = $1))",
            vec![skeleton.into()],
        );
        let begun = self.tables.transact(vec![leave.required(), forget]).await?;
        self.deletions.notify_one();
        Ok(begun.is_some())
    }

    /// Waits until a deletion is started on this node.
    pub(crate) async fn deletion_begun(&self) {
        self.deletions.notified().await;
    }

    /// Makes one pass over the accounts that are being deleted, and returns their names, each with whether it is done.
    /// If not, it needs another pass: the player has a seat, or an event with the name may have been stored during
    /// this one. Also deletes expired credentials, and what belongs to ended sessions.
    pub(crate) async fn finish_deletions(&self) -> Result<Vec<(String, bool)>, AccountError> {
        let expired = Statement::new(
            "DELETE FROM credential WHERE expires_at < $1",
            vec![UnixMillis::now().0.into()],
        );
        let unused = Statement::new(
            "DELETE FROM push_subscription WHERE session NOT IN (SELECT hash FROM credential)",
            Vec::new(),
        );
        self.tables.transact(vec![expired, unused]).await?;
        let select = Statement::new(
            "SELECT id, name, identity FROM account WHERE role = 'leaving' ORDER BY id",
            Vec::new(),
        );
        let mut leaving = Vec::new();
        for row in self.tables.select(select).await? {
            let (id, name, pseudonym) = (row.integer(0), row.text(1), row.text(2));
            let is_done = self.finish_deletion(id, name, pseudonym).await?;
            leaving.push((name.to_owned(), is_done));
        }
        Ok(leaving)
    }

    async fn finish_deletion(
        &self,
        id: i64,
        name: &str,
        pseudonym: &str,
    ) -> Result<bool, AccountError> {
        let bots = Statement::new(
            "SELECT name FROM account WHERE owner = $1 AND role = 'bot'",
            vec![id.into()],
        );
        for bot in self.tables.select(bots).await? {
            self.delete(bot.text(0)).await?;
        }
        let events = [
            "DELETE FROM correspondence_challenge WHERE challenger = $1 OR opponent = $1",
            "DELETE FROM conditional_moves WHERE account = $1",
            "DELETE FROM vacation WHERE account = $1",
            "DELETE FROM private_ladder WHERE owner = $1",
            "UPDATE tournament SET owner = 0 WHERE owner = $1",
        ];
        let events = events.map(|text| Statement::new(text, vec![id.into()]));
        let forgotten = events
            .into_iter()
            .chain(moderation::forget(id, name, pseudonym));
        self.tables.transact(forgotten.collect()).await?;
        if name != pseudonym {
            if removal::replace(&*self.tables, name, pseudonym).await? != Removal::NothingLeft {
                return Ok(false);
            }
            let rename = Statement::new(
                "UPDATE account SET name = $1, skeleton = $1 WHERE id = $2",
                vec![pseudonym.into(), id.into()],
            );
            let mut statements = vec![rename];
            statements.extend(ratings::rename(name, pseudonym));
            statements.extend(tournaments::rename(name, pseudonym));
            self.tables.transact(statements).await?;
        }
        if !self.tables.scrub().await? {
            return Ok(false);
        }
        let delete = Statement::new("DELETE FROM account WHERE id = $1", vec![id.into()]);
        self.tables.transact(vec![delete]).await?;
        Ok(true)
    }
}
