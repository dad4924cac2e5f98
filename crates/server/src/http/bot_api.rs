//! An interface over HTTP for clients that were written for the bot interface of Lichess. `docs/bot-api.md`
//! describes it.
//!
//! A bot that calls it has a [`session`], which speaks the protocol with this server as any other client
//! does. The calls become messages, and the messages of the server become lines of JSON.

mod action;
mod awaited;
mod caller;
mod error;
mod fields;
mod session;
mod sessions;
mod streams;
mod table;
mod tables;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State};
use axum::response::Response;
use axum::routing::{MethodRouter, get, post};
use checkers_lib::Color;
use checkers_lib::protocol::{
    BotRequest, BotRequests, ClaimedResult, CreateTable, Offer, Phrase, SeatWish, WireColor,
    is_valid_name,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use super::HttpState;
use super::admission::Free;
use super::api::{InPath, MAX_BODY, json, read_body};
use super::routes::only;
use crate::accounts::{AccountError, AccountSession, Scope};
use crate::lobby::secrets;
use action::BotAction;
use caller::Caller;
use error::BotApiError;
use fields::Fields;
use session::Call;

pub(super) use error::with_errors;
pub(crate) use sessions::BotSessions;

/// The longest text of a move, in bytes: a capture of all pieces with its separators fits.
const MAX_MOVE: usize = 64;

/// The most tokens that are tested at once.
const MAX_TOKENS: usize = 10;

type BotApiResult = Result<Response, BotApiError>;

/// The routes under `/api`.
pub(super) fn router() -> Router<Arc<HttpState>> {
    let read = |router: MethodRouter<Arc<HttpState>>| only(router, "GET, HEAD");
    let act = |router: MethodRouter<Arc<HttpState>>| only(router, "POST");
    Router::new()
        .route("/account/playing", read(get(playing)))
        .route("/stream/event", read(get(events).head(no_stream)))
        .route("/bot/game/stream/{id}", read(get(game).head(no_stream)))
        .route("/bot/game/{id}/move/{move}", act(post(play)))
        .route("/bot/game/{id}/resign", act(post(resign)))
        .route("/bot/game/{id}/abort", act(post(abort)))
        .route("/bot/game/{id}/draw/{answer}", act(post(draw)))
        .route("/bot/game/{id}/takeback/{answer}", act(post(takeback)))
        .route("/bot/game/{id}/claim-victory", act(post(claim_victory)))
        .route("/bot/game/{id}/claim-draw", act(post(claim_draw)))
        .route("/bot/game/{id}/chat", act(post(chat)))
        .route("/challenge", read(get(challenges)))
        .route("/challenge/ai", act(post(challenge_level)))
        .route("/challenge/{id}", act(post(challenge)))
        .route("/challenge/{id}/accept", act(post(accept)))
        .route("/challenge/{id}/decline", act(post(decline)))
        .route("/challenge/{id}/cancel", act(post(cancel)))
        .route("/token/test", act(post(test_tokens)))
}

async fn events(caller: Caller) -> BotApiResult {
    caller.call(Call::Events).await.map(streams::answer)
}

async fn game(caller: Caller, InPath(id): InPath) -> BotApiResult {
    let opened = caller.call(|reply| Call::Game(id, reply)).await;
    opened.map(streams::answer)
}

/// Answers `HEAD`, which opens no stream: the one that is open would end.
async fn no_stream(_: Caller) -> Response {
    let (_, nothing) = mpsc::channel(1);
    streams::answer(nothing)
}

async fn playing(caller: Caller) -> BotApiResult {
    let games = caller.call(Call::Playing).await?;
    Ok(json(&games))
}

async fn challenges(caller: Caller) -> BotApiResult {
    let challenges = caller.call(Call::Challenges).await?;
    Ok(json(&challenges))
}

/// What a client may say beside its move.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct MoveQuery {
    offering_draw: String,
}

/// Plays a move. It does not count as a request, as a move over the WebSocket does not.
async fn play(
    caller: Caller,
    Path((game, text)): Path<(String, String)>,
    query: Result<Query<MoveQuery>, QueryRejection>,
) -> BotApiResult {
    if text.len() > MAX_MOVE {
        return Err(BotApiError::bad("this is not a move"));
    }
    let offers_draw = query.is_ok_and(|Query(query)| query.offering_draw == "true");
    let action = BotAction::Move {
        game,
        text,
        offers_draw,
    };
    let mut answer = caller.act(action).await?;
    answer.extensions_mut().insert(Free);
    Ok(answer)
}

async fn resign(caller: Caller, InPath(game): InPath) -> BotApiResult {
    caller.act(BotAction::Resign(game)).await
}

async fn abort(caller: Caller, InPath(game): InPath) -> BotApiResult {
    caller.act(BotAction::Abort(game)).await
}

async fn draw(caller: Caller, Path((game, answer)): Path<(String, String)>) -> BotApiResult {
    let agrees = is_yes(&answer)?;
    caller
        .act(BotAction::Agree(game, Offer::Draw, agrees))
        .await
}

async fn takeback(caller: Caller, Path((game, answer)): Path<(String, String)>) -> BotApiResult {
    let agrees = is_yes(&answer)?;
    let action = BotAction::Agree(game, Offer::Takeback, agrees);
    caller.act(action).await
}

fn is_yes(answer: &str) -> Result<bool, BotApiError> {
    match answer {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err(BotApiError::bad("the path ends in yes or no")),
    }
}

async fn claim_victory(caller: Caller, InPath(game): InPath) -> BotApiResult {
    caller.act(BotAction::Claim(game, ClaimedResult::Win)).await
}

async fn claim_draw(caller: Caller, InPath(game): InPath) -> BotApiResult {
    caller
        .act(BotAction::Claim(game, ClaimedResult::Draw))
        .await
}

/// Says the phrase that a text contains. Players of this server have only phrases: other texts reach nobody, and the
/// answer has no `said`.
async fn chat(caller: Caller, InPath(game): InPath, fields: Fields) -> BotApiResult {
    let text = fields.text("text")?.unwrap_or_default();
    match phrase(&text) {
        Some(phrase) => {
            caller.act(BotAction::Say(game, phrase)).await?;
            Ok(json(&json!({"ok": true, "said": phrase})))
        }
        None => Ok(json(&json!({"ok": true}))),
    }
}

fn phrase(text: &str) -> Option<Phrase> {
    let text = text.to_lowercase().replace('_', " ");
    let phrases = [
        ("good luck", Phrase::GoodLuck),
        ("good game", Phrase::GoodGame),
        ("good move", Phrase::GoodMove),
        ("one moment", Phrase::OneMoment),
        ("must go", Phrase::MustGo),
        ("goodbye", Phrase::Goodbye),
        ("thank", Phrase::Thanks),
        ("sorry", Phrase::Sorry),
        ("oops", Phrase::Oops),
        ("hello", Phrase::Hello),
    ];
    let found = phrases.into_iter().find(|(words, _)| text.contains(words));
    found.map(|(_, phrase)| phrase)
}

async fn challenge(caller: Caller, InPath(name): InPath, fields: Fields) -> BotApiResult {
    if !is_valid_name(&name) {
        return Err(BotApiError::not_found("there is no such player"));
    }
    let wanted = CreateTable {
        color: Some(color(&fields)?.unwrap_or(SeatWish::Random)),
        opponent: Some(name),
        ..wanted(&fields)?
    };
    caller.act(BotAction::Challenge(Box::new(wanted))).await
}

async fn challenge_level(caller: Caller, fields: Fields) -> BotApiResult {
    let level = fields.number("level")?.unwrap_or(1);
    let level = u8::try_from(level).unwrap_or(u8::MAX);
    let level = Some(BotRequest::Level(level));
    let own = color(&fields)?.and_then(SeatWish::color);
    let own = own.unwrap_or_else(secrets::draw_color);
    let mut bots = BotRequests::default();
    match own {
        Color::White => bots.black = level,
        Color::Black => bots.white = level,
    }
    let wanted = CreateTable {
        color: Some(WireColor::from(own).into()),
        bots,
        ..wanted(&fields)?
    };
    caller.act(BotAction::PlayLevel(Box::new(wanted))).await
}

/// The table that a challenge asks for, without its players.
fn wanted(fields: &Fields) -> Result<CreateTable, BotApiError> {
    if fields.text("days")?.is_some() {
        return Err(BotApiError::bad("bots play no games by correspondence"));
    }
    match fields.text("variant")?.as_deref() {
        None | Some("russian" | "standard" | "fromPosition") => {}
        Some(other) => {
            let message = format!("this server has only Russian draughts, not {other:?}");
            return Err(BotApiError::bad(message));
        }
    }
    let increment = fields.number("clock.increment")?.unwrap_or_default();
    let limit = fields.number("clock.limit")?;
    let rated = fields.switch("rated")?;
    Ok(CreateTable {
        clock: limit.map(|limit| format!("{limit}s+{increment}s")),
        start_fen: fields.text("fen")?.filter(|fen| fen != "startpos"),
        casual: Some(!rated),
        rated,
        ..CreateTable::default()
    })
}

fn color(fields: &Fields) -> Result<Option<SeatWish>, BotApiError> {
    let wish = fields.text("color")?.map(SeatWish::try_from).transpose();
    wish.map_err(|error| BotApiError::bad(error.to_string()))
}

/// Says whose the tokens in the body are, which commas separate, and what they may be used for; as the scopes of
/// Lichess, for which clients look.
async fn test_tokens(State(shared): State<Arc<HttpState>>, request: Request) -> BotApiResult {
    let body = read_body(request.into_body(), MAX_BODY).await?;
    let tokens = str::from_utf8(&body).unwrap_or_default().split(',');
    let tokens = tokens.map(str::trim).filter(|token| !token.is_empty());
    let tokens: Vec<&str> = tokens.take(MAX_TOKENS + 1).collect();
    if tokens.len() > MAX_TOKENS {
        let message = format!("at most {MAX_TOKENS} tokens can be tested at once");
        return Err(BotApiError::bad(message));
    }
    let accounts = shared.accounts.as_deref();
    let accounts = accounts.ok_or_else(|| BotApiError::not_found("this server has no accounts"))?;
    let mut tested = Map::new();
    for token in tokens {
        let known = match accounts.session(token).await {
            Ok(session) => json!({
                "userId": session.name,
                "scopes": scopes(&session),
                "expires": null,
            }),
            Err(AccountError::SignedOut) => Value::Null,
            Err(error) => return Err(error.into()),
        };
        tested.insert(token.to_owned(), known);
    }
    Ok(json(&tested))
}

/// What a token may be used for, in the words of Lichess.
fn scopes(session: &AccountSession) -> String {
    let scopes = session.scopes.list().into_iter();
    let scopes = scopes.filter_map(|scope| match scope {
        Scope::Play if session.is_bot() => Some("bot:play"),
        Scope::Challenge if session.is_bot() => Some("challenge:read,challenge:write"),
        Scope::Tournament => Some("tournament:write"),
        Scope::Read | Scope::Play | Scope::Challenge => None,
    });
    scopes.collect::<Vec<_>>().join(",")
}

async fn accept(caller: Caller, InPath(id): InPath) -> BotApiResult {
    caller.act(BotAction::Accept(id)).await
}

async fn decline(caller: Caller, InPath(id): InPath) -> BotApiResult {
    caller.act(BotAction::Decline(id)).await
}

async fn cancel(caller: Caller, InPath(id): InPath) -> BotApiResult {
    caller.act(BotAction::Cancel(id)).await
}
