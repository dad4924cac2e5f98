//! Notifications of turns in games by correspondence, for browsers in which the page is closed.
//!
//! A browser gives the server an address at a push service, one for each session. The server sends an empty message to
//! it, so that the push service learns neither the game nor the player. Messages wait in a queue. A message is lost if
//! the queue is full or the push service cannot be reached.
//!
//! CITE: RFC 8030 (messages), RFC 8292 (how the server identifies itself).

mod delivery;
mod key;

use std::sync::Arc;

use event_store::{ReadError, Row, Sql, Statement, TokenHash, UnixMillis};
use hyper::Uri;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OnceCell, mpsc};
use tracing::warn;

use crate::accounts::AccountSession;
use crate::config::PushServices;
use crate::metrics::Metrics;
use key::PushKey;

pub(crate) use delivery::Deliveries;

/// The most messages that wait; further ones are lost.
const QUEUE: usize = 1000;

/// The longest address of a browser, in bytes.
const MAX_ENDPOINT: usize = 1000;

/// The notifications of a server.
#[derive(Debug)]
pub(crate) struct Push {
    tables: Arc<dyn Sql>,
    services: PushServices,
    key: OnceCell<PushKey>,
    turns: mpsc::Sender<TurnNotice>,
}

/// It is a player's turn.
#[derive(Debug)]
pub(crate) struct TurnNotice {
    pub(crate) player: TokenHash,
    pub(crate) game: String,
    /// The number of moves.
    pub(crate) ply: i64,
}

/// The address of a browser, and the page for which it wants notifications.
#[derive(Debug)]
struct Subscription {
    endpoint: Uri,
    /// The page from which the browser subscribed, as `https://…`; may be empty.
    origin: String,
}

/// Why something about notifications is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PushError {
    #[error("this server sends no notifications")]
    Off,
    #[error("expected the https address of a push service that this server sends to")]
    BadEndpoint,
    #[error("the server's key for push services cannot be read or made")]
    Key,
    #[error("notifications cannot be read or written now: try again")]
    Store(#[from] ReadError),
}

impl Push {
    /// The notifications, and the task that sends them.
    pub(crate) fn new(
        tables: Arc<dyn Sql>,
        services: PushServices,
        metrics: &Arc<Metrics>,
    ) -> (Arc<Push>, Deliveries) {
        let (turns, queue) = mpsc::channel(QUEUE);
        let push = Arc::new(Push {
            tables,
            services,
            key: OnceCell::new(),
            turns,
        });
        let deliveries = Deliveries::new(Arc::clone(&push), queue, Arc::clone(metrics));
        (push, deliveries)
    }

    /// Notifies a player, unless the queue is full.
    pub(crate) fn notify(&self, turn: TurnNotice) {
        if !self.services.is_empty()
            && let Err(TrySendError::Full(_)) = self.turns.try_send(turn)
        {
            warn!("too many notifications wait: one is lost");
        }
    }

    /// The public key that browsers subscribe with, in Base64 for addresses.
    pub(crate) async fn public_key(&self) -> Result<String, PushError> {
        Ok(self.key().await?.public())
    }

    /// Whether a session is notified.
    pub(crate) async fn is_subscribed(&self, session: &AccountSession) -> Result<bool, PushError> {
        let select = Statement::new(
            "SELECT created_at FROM push_subscription
             WHERE session = (SELECT hash FROM credential WHERE id = $1)",
            vec![session.credential.into()],
        );
        Ok(!self.tables.select(select).await?.is_empty())
    }

    /// The hosts of the push services of an account's browsers, with the time of each subscription.
    pub(crate) async fn services_of(
        &self,
        account: i64,
    ) -> Result<Vec<(String, UnixMillis)>, ReadError> {
        let select = Statement::new(
            "SELECT endpoint, push_subscription.created_at FROM push_subscription
                JOIN credential ON credential.hash = push_subscription.session
             WHERE credential.account = $1 ORDER BY push_subscription.created_at, endpoint",
            vec![account.into()],
        );
        let service = |row: &Row| {
            let endpoint: Option<Uri> = row.text(0).parse().ok();
            let host = endpoint.as_ref().and_then(Uri::host).unwrap_or_default();
            (host.to_owned(), UnixMillis(row.integer(1)))
        };
        Ok(self
            .tables
            .select(select)
            .await?
            .iter()
            .map(service)
            .collect())
    }

    /// Notifies the browser of a session at this address from now on, and at no other. `origin` is the page's.
    pub(crate) async fn subscribe(
        &self,
        session: &AccountSession,
        endpoint: &str,
        origin: Option<&str>,
    ) -> Result<(), PushError> {
        let uri = endpoint.parse::<Uri>().ok();
        let uri = uri.filter(|uri| endpoint.len() <= MAX_ENDPOINT && self.services.allow(uri));
        let uri = uri.ok_or(PushError::BadEndpoint)?.to_string();
        let origin = origin.filter(|origin| origin.starts_with("https://"));
        // The session is locked, so that two requests at a time follow each other.
        let lock = Statement::new(
            "UPDATE credential SET label = label WHERE id = $1 RETURNING id",
            vec![session.credential.into()],
        );
        let forget = Statement::new(
            "DELETE FROM push_subscription
             WHERE endpoint = $1 OR session = (SELECT hash FROM credential WHERE id = $2)",
            vec![uri.as_str().into(), session.credential.into()],
        );
        let insert = Statement::new(
            "INSERT INTO push_subscription (endpoint, session, origin, created_at)
             SELECT $1, hash, $2, $3 FROM credential WHERE id = $4",
            vec![
                uri.into(),
                origin.unwrap_or_default().into(),
                UnixMillis::now().0.into(),
                session.credential.into(),
            ],
        );
        let statements = vec![lock.required(), forget, insert];
        self.tables.transact(statements).await?;
        Ok(())
    }

    /// No longer notifies the browser of a session.
    pub(crate) async fn unsubscribe(&self, session: &AccountSession) -> Result<(), PushError> {
        let forget = Statement::new(
            "DELETE FROM push_subscription WHERE session = (SELECT hash FROM credential WHERE id = $1)",
            vec![session.credential.into()],
        );
        self.tables.transact(vec![forget]).await?;
        Ok(())
    }

    /// The key, which is made when it is first needed. All nodes of a cluster have the same.
    async fn key(&self) -> Result<&PushKey, PushError> {
        if self.services.is_empty() {
            return Err(PushError::Off);
        }
        self.key.get_or_try_init(|| self.read_key()).await
    }

    async fn read_key(&self) -> Result<PushKey, PushError> {
        let insert = Statement::new(
            "INSERT INTO push_key (number, key) VALUES (1, $1) ON CONFLICT (number) DO NOTHING",
            vec![PushKey::generate()?[..].into()],
        );
        let select = Statement::new("SELECT key FROM push_key", Vec::new());
        let mut rows = self.tables.select(select.clone()).await?;
        if rows.is_empty() {
            self.tables.transact(vec![insert]).await?;
            rows = self.tables.select(select).await?;
        }
        let key = rows.first().ok_or(PushError::Key)?;
        PushKey::read(key.bytes(0))
    }

    /// The addresses to which a message about this turn is to be sent; none if one was sent before.
    async fn addresses(&self, turn: &TurnNotice) -> Result<Vec<Subscription>, ReadError> {
        let select = Statement::new(
            "SELECT endpoint, origin FROM push_subscription
                JOIN credential ON credential.hash = push_subscription.session AND expires_at > $2
                JOIN account ON account.id = credential.account
             WHERE account.identity = $1",
            vec![turn.player.to_hex().into(), UnixMillis::now().0.into()],
        );
        let rows = self.tables.select(select).await?;
        let claim = Statement::new(
            "UPDATE correspondence SET notified = $2 WHERE game = $1 AND notified < $2 RETURNING game",
            vec![turn.game.as_str().into(), turn.ply.into()],
        );
        let claim = vec![claim.required()];
        if rows.is_empty() || self.tables.transact(claim).await?.is_none() {
            return Ok(Vec::new());
        }
        let subscription = |row: &Row| {
            let (endpoint, origin) = (row.text(0).parse().ok()?, row.text(1).to_owned());
            let is_allowed = self.services.allow(&endpoint);
            is_allowed.then_some(Subscription { endpoint, origin })
        };
        Ok(rows.iter().filter_map(subscription).collect())
    }

    /// Forgets an address that its service no longer knows.
    async fn forget(&self, subscription: &Subscription) -> Result<(), ReadError> {
        let forget = Statement::new(
            "DELETE FROM push_subscription WHERE endpoint = $1",
            vec![subscription.endpoint.to_string().into()],
        );
        self.tables.transact(vec![forget]).await.map(drop)
    }
}
