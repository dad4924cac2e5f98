//! Accounts: signing in, and what an owner does with the account.
//!
//! A request has the token of its session as `Authorization: Bearer TOKEN`, which a page of another site cannot send.

use std::convert::Infallible;
use std::io::{Cursor, Write};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Extension, FromRequest, FromRequestParts, Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use futures::{StreamExt, stream};
use hyper::HeaderMap;
use hyper::header;
use hyper::http::request::Parts;
use qrcode::QrCode;
use qrcode::render::svg;
#[cfg(test)]
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::warn;
use zip::result::ZipResult;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::correspondence::{self, CorrespondenceOverview};
use super::games::games_of;
use super::json;
use super::ladder::{self, LadderEntry};
use super::moderation;
use super::notifications::{self, NotifiedBrowser};
use super::problem::{Problem, ProblemCode};
use super::programs::{self, BotEntry, TokenEntry};
use super::query::InPath;
use super::ratings::{self, PlayerRating};
use super::tournaments::{self, TournamentEntry};
use super::types::Done;
use crate::accounts::{AccountError, AccountRole, AccountSession, Accounts, Scope};
use crate::http::routes::only;
use crate::http::{AcceptedConnection, HttpState, as_file, with_header};

/// The longest body, in bytes.
pub(in crate::http) const MAX_BODY: usize = 4096;

/// How long a body may take to arrive.
const ARRIVAL: Duration = Duration::from_secs(10);

/// Exports at a time; further ones wait. Each has its archive in memory.
static EXPORTS: Semaphore = Semaphore::const_new(2);

/// Games that wait to be compressed; when full, reading waits.
const QUEUE: usize = 64;

/// The longest address of a page for a QR code, in bytes.
const MAX_PAGE: usize = 300;

pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/", only(get(account), "GET, HEAD"))
        .route("/export", only(get(export), "GET, HEAD"))
        .route("/delete", only(post(delete), "POST"))
        .route("/sign-in", only(post(sign_in), "POST"))
        .route("/sign-out", only(post(sign_out), "POST"))
        .route("/link", only(post(link), "POST"))
        .route("/password", only(post(password), "POST"))
        .merge(programs::router())
        .route("/ladders", only(post(ladder::create), "POST"))
        .route("/ladders/{id}/end", only(post(ladder::end), "POST"))
        .route("/ladders/{id}/delete", only(post(ladder::delete), "POST"))
        .route(
            "/ladders/{id}/similarity",
            only(get(ladder::similarity), "GET, HEAD"),
        )
        .nest("/tournaments", tournaments::router())
        .nest("/correspondence", correspondence::router())
        .nest("/notifications", notifications::router())
        .route("/recovery", only(post(recovery), "POST"))
        .route("/administrator", only(post(claim), "POST"))
        .route("/blocks", only(post(moderation::block), "POST"))
        .route("/blocks/{name}", only(get(moderation::blocked), "GET"))
        .route(
            "/blocks/{name}/end",
            only(post(moderation::unblock), "POST"),
        )
        .route("/reports", only(post(moderation::report), "POST"))
        .route("/sessions/{id}/end", only(post(end_session), "POST"))
}

/// An account, as its owner sees it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Account {
    /// The name.
    name: String,
    /// `person`, `bot`, `moderator` or `administrator`.
    role: AccountRole,
    /// The name again, as clients of Lichess expect it; only for bots, like the next two.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<String>,
    /// `BOT`.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// When the account was made, in milliseconds since 1970, UTC.
    created_ms: i64,
    /// Whether a password signs in.
    password: bool,
    /// The number of recovery codes that have not been used.
    recovery: i64,
    /// The open sessions, the last used first.
    sessions: Vec<SessionEntry>,
    /// The bots that belong to the account, by name.
    bots: Vec<BotEntry>,
    /// The tokens of the account, the last used first.
    tokens: Vec<TokenEntry>,
    /// The names of the players that the account blocks.
    blocks: Vec<String>,
    /// The private ladders of the account, the latest first.
    ladders: Vec<LadderEntry>,
    /// The reports that the account has filed; only in an exported account.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    reports: Vec<moderation::FiledReport>,
    /// The ratings; only in an exported account.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    ratings: Vec<PlayerRating>,
    /// The tournaments that the account organises; only in an exported account.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    tournaments: Vec<TournamentEntry>,
    /// The ids of the tournaments that it has entered, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    entered: Vec<String>,
    /// What it plays by correspondence, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    correspondence: Option<CorrespondenceOverview>,
    /// The browsers that are notified of turns, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    notifications: Vec<NotifiedBrowser>,
}

/// An open session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct SessionEntry {
    /// Its id.
    id: i64,
    /// The name that the client gave itself; empty for the first session.
    label: String,
    /// When it began, in milliseconds since 1970, UTC.
    created_ms: i64,
    /// When it was last used, to the hour, likewise.
    used_ms: i64,
    /// Whether it is the session of this request.
    own: bool,
}

/// What signs in.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub(crate) enum SignIn {
    /// A name and its password.
    Password(PasswordShown),
    /// A code.
    Code(CodeShown),
}

/// A name and its password.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct PasswordShown {
    /// The name.
    name: String,
    /// The password.
    password: String,
    /// A name for the list of sessions; cut off after 60 characters.
    #[serde(default)]
    label: String,
}

/// A code that signs in.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct CodeShown {
    /// The code of a link, or a recovery code.
    code: String,
    /// A name for the list of sessions; cut off after 60 characters.
    #[serde(default)]
    label: String,
}

/// A new session.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct SignedIn {
    /// The name of the account.
    name: String,
    /// The token of the session, for `join` and the header. It cannot be read again.
    token: String,
}

/// Which page a link leads to.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LinkRequest {
    /// The address of the page, to which the code is added for the QR code.
    page: String,
}

/// A code that signs in once, within a day.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Link {
    /// The code.
    code: String,
    /// The address of the page with the code, as a QR code in SVG.
    qr: String,
}

/// A new password.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The password: 8 to 128 characters.
    password: String,
}

/// What confirms that an account is to be deleted.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Deletion {
    /// The name of the account.
    name: String,
}

/// New recovery codes.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct RecoveryCodes {
    /// Single-use codes. They cannot be read again.
    recovery: Vec<String>,
}

/// The code of the first administrator.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Claim {
    /// The code that the server has printed.
    code: String,
}

/// The session of a request, or the bot.
pub(in crate::http) struct SignedInAs(pub(in crate::http) AccountSession);

/// The session of a request; a token is refused.
pub(super) struct Owner(pub(super) AccountSession);

/// A person, by a session, or by a token with the scope to organise tournaments.
pub(super) struct Organiser(pub(super) AccountSession);

impl FromRequestParts<Arc<HttpState>> for Owner {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<HttpState>,
    ) -> Result<Owner, Problem> {
        let SignedInAs(session) = SignedInAs::from_request_parts(parts, shared).await?;
        session.check_owner()?;
        Ok(Owner(session))
    }
}

impl FromRequestParts<Arc<HttpState>> for Organiser {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<HttpState>,
    ) -> Result<Organiser, Problem> {
        let SignedInAs(session) = SignedInAs::from_request_parts(parts, shared).await?;
        session.check_person(Scope::Tournament)?;
        Ok(Organiser(session))
    }
}

impl FromRequestParts<Arc<HttpState>> for SignedInAs {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut Parts,
        shared: &Arc<HttpState>,
    ) -> Result<SignedInAs, Problem> {
        let shown = parts.headers.get(header::AUTHORIZATION);
        let shown = shown.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        let token = shown.ok_or(AccountError::SignedOut)?;
        Ok(SignedInAs(accounts(shared)?.session(token).await?))
    }
}

/// A body in JSON of at most `MAX` bytes.
pub(super) struct JsonBody<T, const MAX: usize = MAX_BODY>(pub(super) T);

impl<T: DeserializeOwned, const MAX: usize> FromRequest<Arc<HttpState>> for JsonBody<T, MAX> {
    type Rejection = Problem;

    async fn from_request(
        request: Request,
        _: &Arc<HttpState>,
    ) -> Result<JsonBody<T, MAX>, Problem> {
        let body = read_body(request.into_body(), MAX).await?;
        // The error does not repeat the body, which may contain a secret.
        let parsed = serde_json::from_slice(&body).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let message = format!(
                "the body is not the JSON that is expected, at line {line}, column {column}"
            );
            Problem::new(ProblemCode::BadQuery, message)
        });
        parsed.map(JsonBody)
    }
}

/// A body of at most `most` bytes.
pub(in crate::http) async fn read_body(body: Body, most: usize) -> Result<Bytes, Problem> {
    let read = timeout(ARRIVAL, to_bytes(body, most)).await;
    let late = |_| Problem::new(ProblemCode::BadQuery, "the body did not arrive in time");
    read.map_err(late)?.map_err(|_| {
        let message = format!("a body has at most {most} bytes");
        Problem::new(ProblemCode::TooLarge, message)
    })
}

pub(super) fn accounts(shared: &HttpState) -> Result<&Accounts, Problem> {
    let nothing = || Problem::new(ProblemCode::NotFound, "this server has no accounts");
    shared.accounts.as_deref().ok_or_else(nothing)
}

/// `GET /api/account`: the account of the session.
async fn account(
    State(shared): State<Arc<HttpState>>,
    SignedInAs(session): SignedInAs,
) -> Result<Response, Problem> {
    session.scopes.check(Scope::Read)?;
    Ok(private(&describe(&shared, &session).await?))
}

async fn describe(shared: &HttpState, session: &AccountSession) -> Result<Account, Problem> {
    let accounts = accounts(shared)?;
    let overview = accounts.overview(session).await?;
    let entries = overview.sessions.into_iter().map(|open| SessionEntry {
        id: open.id,
        label: open.label,
        created_ms: open.created_at.0,
        used_ms: open.used_at.0,
        own: open.is_own,
    });
    let bots = accounts.bots(session).await?;
    let for_bots = |text: &str| session.is_bot().then(|| text.to_owned());
    Ok(Account {
        id: for_bots(&session.name),
        username: for_bots(&session.name),
        title: for_bots("BOT"),
        name: session.name.clone(),
        role: session.role,
        created_ms: overview.created_at.0,
        password: overview.has_password,
        recovery: overview.recovery,
        sessions: entries.collect(),
        bots: bots.into_iter().map(BotEntry::from).collect(),
        tokens: overview.tokens.into_iter().map(TokenEntry::from).collect(),
        blocks: moderation::moderation(shared)?.blocks(session).await?,
        ladders: ladder::of_owner(shared, session.account).await?,
        reports: Vec::new(),
        ratings: Vec::new(),
        tournaments: Vec::new(),
        entered: Vec::new(),
        correspondence: None,
        notifications: Vec::new(),
    })
}

/// `GET /api/account/export`: all stored data of the account, as a zip archive.
async fn export(
    State(shared): State<Arc<HttpState>>,
    SignedInAs(session): SignedInAs,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    session.check_person(Scope::Read)?;
    let busy = || Problem::new(ProblemCode::Busy, "accounts cannot be exported now");
    let turn = EXPORTS.acquire().await.map_err(|_closed| busy())?;
    let mut account = describe(&shared, &session).await?;
    account.reports = moderation::filed_by(&shared, &session).await?;
    if let Some(ratings) = &shared.ratings {
        account.ratings = ratings::of_player(ratings, &session.name, u32::MAX).await?;
    }
    (account.tournaments, account.entered) =
        tournaments::of_account(&shared, session.account, &session.name).await?;
    account.correspondence = Some(correspondence::describe(&shared, &session).await?);
    account.notifications = notifications::browsers(&shared, &session).await?;
    let account = serde_json::to_vec_pretty(&account).map_err(|_| busy())?;
    let mut games = pin!(games_of(&shared, &session.name, &headers)?);
    let (texts, received) = mpsc::channel(QUEUE);
    let packing = spawn_blocking(move || pack(&account, received));
    while let Some(text) = games.next().await {
        if texts.send(text?).await.is_err() {
            break;
        }
    }
    drop(texts);
    let packed = packing.await.map_err(|_| busy())?;
    let body = packed.map_err(|error| {
        warn!(%error, "an account cannot be exported");
        busy()
    })?;
    let body = stream::once(async move {
        let _held_until_sent = turn;
        Ok::<_, Infallible>(Bytes::from(body))
    });
    let answer = Response::new(Body::from_stream(body));
    let answer = with_header(answer, header::CONTENT_TYPE, "application/zip");
    let answer = as_file(answer, "account.zip");
    Ok(with_header(answer, header::CACHE_CONTROL, "no-store"))
}

/// A zip archive of the account and its games, which come one by one.
fn pack(account: &[u8], mut games: mpsc::Receiver<Bytes>) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file("account.json", SimpleFileOptions::default())?;
    zip.write_all(account)?;
    zip.start_file("games.pdn", SimpleFileOptions::default())?;
    while let Some(text) = games.blocking_recv() {
        zip.write_all(&text)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// `POST /api/account/delete`: deletes the account; its games stay, under another name.
async fn delete(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(Deletion { name }): JsonBody<Deletion>,
) -> Result<Response, Problem> {
    if name != session.name {
        let message = "to delete the account, repeat its name";
        return Err(Problem::new(ProblemCode::BadQuery, message));
    }
    accounts(&shared)?.delete(&name).await?;
    shared.lobby.kick(&name).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/sign-in`: begins a session.
async fn sign_in(
    State(shared): State<Arc<HttpState>>,
    Extension(connection): Extension<Arc<AcceptedConnection>>,
    JsonBody(shown): JsonBody<SignIn>,
) -> Result<Response, Problem> {
    let accounts = accounts(&shared)?;
    let from = connection.permit.address();
    let (session, token) = match shown {
        SignIn::Code(CodeShown { code, label }) => {
            accounts.sign_in_by_code(&code, &label, from).await?
        }
        SignIn::Password(PasswordShown {
            name,
            password,
            label,
        }) => {
            accounts
                .sign_in_by_password(&name, &password, &label, from)
                .await?
        }
    };
    let name = session.name;
    Ok(private(&SignedIn { name, token }))
}

/// `POST /api/account/sign-out`: ends the session.
async fn sign_out(
    State(shared): State<Arc<HttpState>>,
    SignedInAs(session): SignedInAs,
) -> Result<Response, Problem> {
    accounts(&shared)?.sign_out(&session).await?;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/sessions/{id}/end`: ends one of the account's sessions.
async fn end_session(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    let id = id.parse().map_err(|_| AccountError::NoSuchSession)?;
    accounts(&shared)?.end_session(&session, id).await?;
    // The connection may belong to the session that has ended; if not, the client reconnects.
    shared.lobby.kick(&session.name).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/link`: makes a code that signs in on another device.
async fn link(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(LinkRequest { page }): JsonBody<LinkRequest>,
) -> Result<Response, Problem> {
    let code = accounts(&shared)?.link(&session).await?;
    Ok(private(&qr_of(&page, code)?))
}

/// A code, and the address of a page with it as a QR code.
pub(super) fn qr_of(page: &str, code: String) -> Result<Link, Problem> {
    let too_long = || Problem::new(ProblemCode::BadQuery, "the address of the page is too long");
    if page.len() > MAX_PAGE {
        return Err(too_long());
    }
    let drawn = QrCode::new(format!("{page}{code}")).map_err(|_| too_long())?;
    let qr = drawn
        .render::<svg::Color<'_>>()
        .min_dimensions(240, 240)
        .build();
    Ok(Link { code, qr })
}

/// `POST /api/account/password`: sets the password; all other sessions end.
async fn password(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(NewPassword { password }): JsonBody<NewPassword>,
) -> Result<Response, Problem> {
    accounts(&shared)?.set_password(&session, &password).await?;
    // The connection may belong to a session that has ended; if not, the client reconnects.
    shared.lobby.kick(&session.name).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/recovery`: makes new recovery codes; the old ones are void.
async fn recovery(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    let recovery = accounts(&shared)?.renew_recovery(&session).await?;
    Ok(private(&RecoveryCodes { recovery }))
}

/// `POST /api/account/administrator`: makes the account the first administrator.
async fn claim(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(Claim { code }): JsonBody<Claim>,
) -> Result<Response, Problem> {
    (accounts(&shared)?.claim_administration(&session, &code)).await?;
    Ok(json(&Done { done: true }))
}

/// An answer that nothing on the way keeps.
pub(super) fn private<T: Serialize>(body: &T) -> Response {
    let mut answer = json(body);
    let never = header::HeaderValue::from_static("no-store");
    answer.headers_mut().insert(header::CACHE_CONTROL, never);
    answer
}
