//! Bots, and tokens of people: what programs sign in with.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::{JsonBody, Owner, accounts, private};
use super::json;
use super::problem::Problem;
use super::query::InPath;
use super::types::Done;
use crate::accounts::{AccountError, NewBot, OwnToken, OwnedBot, Scope, Scopes};
use crate::http::HttpState;
use crate::http::routes::only;

pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/bots", only(post(create_bot), "POST"))
        .route("/bots/{name}/token", only(post(renew_token), "POST"))
        .route("/bots/{name}/delete", only(post(delete_bot), "POST"))
        .route("/tokens", only(post(create_token), "POST"))
        .route("/tokens/{id}/revoke", only(post(revoke_token), "POST"))
}

/// A bot.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct BotEntry {
    name: String,
    /// When it was created, in milliseconds since 1970, UTC.
    created_ms: i64,
    /// When it last connected, to the hour, likewise.
    used_ms: i64,
    /// What its token may be used for.
    scopes: Vec<Scope>,
}

/// A token of a person.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct TokenEntry {
    /// Its id.
    id: i64,
    /// What the owner calls it.
    label: String,
    /// What it may be used for.
    scopes: Vec<Scope>,
    /// When it was created, in milliseconds since 1970, UTC.
    created_ms: i64,
    /// When it was last used, to the hour, likewise.
    used_ms: i64,
}

/// A bot to create.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct BotRequest {
    /// Its name, to which `[bot]` is added if it does not end so: at most 30 characters with it.
    name: String,
    /// What its token may be used for; everything, if this is missing.
    #[serde(default)]
    scopes: Option<Vec<Scope>>,
}

/// A bot with a new token.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct BotToken {
    /// Its name.
    name: String,
    /// The token, for `join`. It does not expire, and cannot be read again.
    token: String,
}

/// A token that replaces another one.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TokenRenewal {
    /// What it may be used for; the same as the old one, if this is missing.
    scopes: Option<Vec<Scope>>,
}

/// A token of a person to create.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct TokenRequest {
    /// What the owner calls it; cut off after 60 characters.
    label: String,
    /// What it may be used for: `read`, `tournament` or both.
    scopes: Vec<Scope>,
}

/// A new token of a person.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct NewToken {
    /// The token, for the header. It does not expire, and cannot be read again.
    token: String,
}

impl From<NewBot> for BotToken {
    fn from(made: NewBot) -> BotToken {
        BotToken {
            name: made.name,
            token: made.token,
        }
    }
}

impl From<OwnedBot> for BotEntry {
    fn from(bot: OwnedBot) -> BotEntry {
        BotEntry {
            name: bot.name,
            created_ms: bot.created_at.0,
            used_ms: bot.used_at.0,
            scopes: bot.scopes.list(),
        }
    }
}

impl From<OwnToken> for TokenEntry {
    fn from(token: OwnToken) -> TokenEntry {
        TokenEntry {
            id: token.id,
            label: token.label,
            scopes: token.scopes.list(),
            created_ms: token.created_at.0,
            used_ms: token.used_at.0,
        }
    }
}

/// `POST /api/account/bots`: creates a bot.
async fn create_bot(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(BotRequest { name, scopes }): JsonBody<BotRequest>,
) -> Result<Response, Problem> {
    let scopes = scopes.map_or(Scopes::ALL, |scopes| scopes[..].into());
    let made = (accounts(&shared)?.create_bot(Some(&session), &name, scopes)).await?;
    Ok(private(&BotToken::from(made)))
}

/// `POST /api/account/bots/{name}/token`: replaces the token of a bot.
async fn renew_token(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
    JsonBody(TokenRenewal { scopes }): JsonBody<TokenRenewal>,
) -> Result<Response, Problem> {
    let scopes = scopes.map(|scopes| scopes[..].into());
    let made = (accounts(&shared)?.renew_token(&session, &name, scopes)).await?;
    shared.lobby.kick(&name).await;
    Ok(private(&BotToken::from(made)))
}

/// `POST /api/account/bots/{name}/delete`: deletes a bot; its games stay, under another name.
async fn delete_bot(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    accounts(&shared)?.delete_bot(&session, &name).await?;
    shared.lobby.kick(&name).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/tokens`: creates a token of a person.
async fn create_token(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(TokenRequest { label, scopes }): JsonBody<TokenRequest>,
) -> Result<Response, Problem> {
    let token = (accounts(&shared)?.create_token(&session, &label, &scopes)).await?;
    Ok(private(&NewToken { token }))
}

/// `POST /api/account/tokens/{id}/revoke`: revokes a token.
async fn revoke_token(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    let id = id.parse().map_err(|_| AccountError::NoSuchToken)?;
    accounts(&shared)?.revoke_token(&session, id).await?;
    Ok(json(&Done { done: true }))
}
