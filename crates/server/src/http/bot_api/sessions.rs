//! The sessions of the bots that play over HTTP on this node.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use event_store::TokenHash;
use tokio::io::duplex;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tracing::{Instrument, field, info_span};

use super::error::BotApiError;
use super::session::{BotSession, Call, MAX_CALLS};
use crate::accounts::AccountSession;
use crate::connection::Connection;
use crate::http::api::{Problem, ProblemCode};
use crate::http::{AcceptedConnection, HttpState};
use crate::limits::{RateLimiter, TokenBucket};

/// The bytes that wait between a session and its connection, each way.
const PIPE: usize = 16 * 1024;

/// The sessions, by the key of the account. A bot has at most one on a node.
#[derive(Debug, Default)]
pub(crate) struct BotSessions(Mutex<HashMap<TokenHash, OpenSession>>);

#[derive(Debug)]
struct OpenSession {
    /// The token with which it has joined, as its row. Another one may allow less.
    credential: i64,
    calls: mpsc::Sender<Call>,
}

impl OpenSession {
    fn is_over(&self) -> bool {
        self.calls.is_closed()
    }
}

/// The queue of calls of a bot's session, which begins if there is none. A session counts as one connection of the
/// client's address.
pub(super) fn of(
    shared: &Arc<HttpState>,
    session: &AccountSession,
    token: &str,
    client: &AcceptedConnection,
) -> Result<mpsc::Sender<Call>, BotApiError> {
    let key = session.identity.hash();
    let sessions = &shared.bot_sessions.0;
    let mut sessions = sessions.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |open: &&OpenSession| open.credential == session.credential && !open.is_over();
    if let Some(open) = sessions.get(&key).filter(is_same) {
        return Ok(open.calls.clone());
    }
    if shared.lifecycle.is_draining() {
        let message = "the server is shutting down";
        return Err(Problem::new(ProblemCode::ShuttingDown, message).into());
    }
    let accepted = AcceptedConnection {
        id: shared.clients.next(),
        peer: client.peer,
        permit: client.permit.admit_another(Instant::now())?,
    };
    let (config, now) = (&shared.config, Instant::now());
    let messages = TokenBucket::new(config.message_burst, config.message_rate, now);
    let limiter = RateLimiter::new(messages, accepted.permit.messages());
    let (calls, received) = mpsc::channel(MAX_CALLS);
    sessions.retain(|_, open| !open.is_over());
    let open = OpenSession {
        credential: session.credential,
        calls: calls.clone(),
    };
    sessions.insert(key, open);
    let (name, token) = (session.name.clone(), token.to_owned());
    begin(shared, accepted, (received, limiter), name, token);
    Ok(calls)
}

/// Starts the task of a session, and that of its connection.
fn begin(
    shared: &Arc<HttpState>,
    accepted: AcceptedConnection,
    (calls, limiter): (mpsc::Receiver<Call>, RateLimiter),
    name: String,
    token: String,
) {
    let (near, far) = duplex(PIPE);
    let span = info_span!(
        parent: None, "connection", id = accepted.id.0, peer = %accepted.peer, name = field::Empty
    );
    let connection = Connection::new(
        (Box::pin(far), Vec::new()),
        Arc::new(accepted),
        Arc::clone(shared),
    );
    // Calls are limited instead, so that each has an answer.
    let served = async move { connection.await.without_message_limit().run().await };
    shared.connections.spawn(served.instrument(span));
    shared.connections.spawn(async move {
        let config = WebSocketConfig::default()
            .read_buffer_size(4 * 1024)
            .write_buffer_size(4 * 1024);
        let socket = WebSocketStream::from_raw_socket(near, Role::Client, Some(config)).await;
        BotSession::new(socket, calls, limiter, name)
            .run(token)
            .await;
    });
}
