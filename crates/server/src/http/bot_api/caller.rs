//! Who calls: a bot, by the token of its account.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::response::Response;
use hyper::header;
use hyper::http::request::Parts;
use tokio::sync::{mpsc, oneshot};

use super::action::BotAction;
use super::error::BotApiError;
use super::session::{Call, Reply};
use crate::accounts::{AccountError, AccountSession, Scope};
use crate::http::api::{SignedInAs, json};
use crate::http::{AcceptedConnection, HttpState};

/// A bot that calls.
pub(super) struct Caller {
    shared: Arc<HttpState>,
    connection: Arc<AcceptedConnection>,
    session: AccountSession,
    token: String,
}

impl FromRequestParts<Arc<HttpState>> for Caller {
    type Rejection = BotApiError;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<HttpState>,
    ) -> Result<Caller, BotApiError> {
        let SignedInAs(session) = SignedInAs::from_request_parts(parts, shared).await?;
        if !session.is_bot() {
            return Err(BotApiError::bad(
                "only bots can do this: create one on the page, and use its token",
            ));
        }
        session.scopes.check(Scope::Play)?;
        let token = parts.headers.get(header::AUTHORIZATION);
        let token = token.and_then(|value| value.to_str().ok()?.split(' ').nth(1));
        let connection = parts.extensions.get::<Arc<AcceptedConnection>>();
        let (Some(token), Some(connection)) = (token, connection) else {
            return Err(AccountError::SignedOut.into());
        };
        Ok(Caller {
            shared: Arc::clone(shared),
            connection: Arc::clone(connection),
            token: token.to_owned(),
            session,
        })
    }
}

impl Caller {
    /// Does something, and returns what the client receives.
    pub(super) async fn act(&self, action: BotAction) -> Result<Response, BotApiError> {
        let answer = self.call(|reply| Call::Act(action, reply)).await?;
        Ok(json(&answer))
    }

    /// Calls the session of the bot, which begins if there is none.
    pub(super) async fn call<T>(
        &self,
        call: impl FnOnce(Reply<T>) -> Call,
    ) -> Result<T, BotApiError> {
        let (reply, answer) = oneshot::channel();
        let mut call = call(reply);
        // A session may end while a call is on its way. The next one is new.
        for _ in 0..2 {
            let (shared, session) = (&self.shared, &self.session);
            let calls = super::sessions::of(shared, session, &self.token, &self.connection)?;
            match calls.send(call).await {
                Ok(()) => {
                    let gone = |_| BotApiError::busy("the server is going down");
                    return answer.await.map_err(gone)?;
                }
                Err(mpsc::error::SendError(unsent)) => call = unsent,
            }
        }
        Err(BotApiError::busy(
            "the server has closed the connection of this bot: try again",
        ))
    }
}
