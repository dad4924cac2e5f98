//! Blocks and reports of players, and what moderators do.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::{JsonBody, Owner, accounts, private, qr_of};
use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::{InPath, Parameters};
use super::types::Done;
use crate::accounts::{AccountError, AccountRole, AccountSession};
use crate::http::HttpState;
use crate::http::routes::only;
use crate::moderation::{
    LogEntry, Moderation, ModerationAction, NewReport, Reason, ReportedPlayer, check_role,
};

/// The longest id of a game, in characters.
const MAX_ID: usize = 64;

pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/reports", only(get(queue), "GET, HEAD"))
        .route("/log", only(get(log), "GET, HEAD"))
        .route("/staff", only(get(staff), "GET, HEAD"))
        .route("/invitations", only(post(invite), "POST"))
        .route("/players/{name}/mute", only(post(mute), "POST"))
        .route("/players/{name}/suspend", only(post(suspend), "POST"))
        .route("/players/{name}/lift", only(post(lift), "POST"))
        .route("/players/{name}/dismiss", only(post(dismiss), "POST"))
        .route("/players/{name}/role", only(post(appoint), "POST"))
        .route("/players/{name}/link", only(post(link), "POST"))
}

/// The players with open reports.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ReportQueue {
    /// Those who wait longest first.
    players: Vec<QueueEntry>,
}

/// A player with open reports.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct QueueEntry {
    name: String,
    role: AccountRole,
    /// The end of a mute, in milliseconds since 1970, UTC; 0 if there was none.
    muted_until_ms: i64,
    /// The end of a suspension, likewise.
    suspended_until_ms: i64,
    /// How often the player was muted or suspended.
    sanctions: i64,
    /// The open reports, the oldest first.
    reports: Vec<ReportEntry>,
}

/// A report.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ReportEntry {
    /// Who reports.
    by: String,
    reason: Reason,
    /// The id of a game.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, schemars(default))]
    game: String,
    text: String,
    /// When it was filed, in milliseconds since 1970, UTC.
    at_ms: i64,
}

/// A report, as the account that has filed it sees it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct FiledReport {
    /// The player.
    name: String,
    reason: Reason,
    /// The id of a game; empty if there is none.
    game: String,
    text: String,
    /// When it was filed, in milliseconds since 1970, UTC.
    at_ms: i64,
}

/// A part of the log of moderation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ModerationLog {
    /// Up to 50, the latest first.
    entries: Vec<ModerationEntry>,
}

/// An action of a moderator.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ModerationEntry {
    id: i64,
    /// In milliseconds since 1970, UTC.
    at_ms: i64,
    /// Empty for the operator, and for an account that has been deleted.
    moderator: String,
    /// `mute`, `suspend`, `lift`, `dismiss`, `link`, `invitation`, or a new role.
    action: String,
    /// The player; empty if there is none, and for an account that has been deleted.
    player: String,
    /// Empty if there is none.
    reason: String,
    /// The end of a mute or a suspension, in milliseconds since 1970, UTC; 0 for other actions.
    until_ms: i64,
}

/// The accounts with a role.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct Staff {
    staff: Vec<StaffEntry>,
}

/// An account with a role.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct StaffEntry {
    name: String,
    role: AccountRole,
}

/// A report to file.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportRequest {
    /// The name of the player, who has an account.
    name: String,
    reason: Reason,
    /// The id of a game.
    #[serde(default)]
    game: String,
    /// What happened: at most 500 characters.
    #[serde(default)]
    text: String,
}

/// A player to block.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockRequest {
    /// The name of the player, who has an account.
    name: String,
}

/// Whether a player is blocked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Blocked {
    /// Whether the account blocks the player.
    blocked: bool,
}

/// A mute or a suspension.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Sanction {
    /// How long it lasts, from now.
    hours: i64,
    reason: Reason,
}

/// A role to give.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Appointment {
    /// `person`, `moderator` or `administrator`.
    role: AccountRole,
}

/// A code for one new account.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Invitation {
    invitation: String,
}

/// A page of the log.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct LogPage {
    /// Only entries with lower ids.
    before: Option<i64>,
}

impl From<ReportedPlayer> for QueueEntry {
    fn from(player: ReportedPlayer) -> QueueEntry {
        let reports = player.reports.into_iter().map(|report| ReportEntry {
            by: report.by,
            reason: report.reason,
            game: report.game,
            text: report.text,
            at_ms: report.at.0,
        });
        QueueEntry {
            name: player.name,
            role: player.role,
            muted_until_ms: player.muted_until.0,
            suspended_until_ms: player.suspended_until.0,
            sanctions: player.sanctions,
            reports: reports.collect(),
        }
    }
}

impl From<LogEntry> for ModerationEntry {
    fn from(entry: LogEntry) -> ModerationEntry {
        ModerationEntry {
            id: entry.id,
            at_ms: entry.at.0,
            moderator: entry.moderator,
            action: entry.action,
            player: entry.subject,
            reason: entry.reason,
            until_ms: entry.until.0,
        }
    }
}

pub(super) fn moderation(shared: &HttpState) -> Result<&Moderation, Problem> {
    let nothing = || Problem::new(ProblemCode::NotFound, "this server has no accounts");
    shared.moderation.as_deref().ok_or_else(nothing)
}

/// The reports that the account has filed, the latest first.
pub(super) async fn filed_by(
    shared: &HttpState,
    session: &AccountSession,
) -> Result<Vec<FiledReport>, Problem> {
    let reports = moderation(shared)?.reports_by(session).await?;
    let filed = reports.into_iter().map(|(name, report)| FiledReport {
        name,
        reason: report.reason,
        game: report.game,
        text: report.text,
        at_ms: report.at.0,
    });
    Ok(filed.collect())
}

/// `POST /api/account/blocks`: blocks a player.
pub(super) async fn block(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(BlockRequest { name }): JsonBody<BlockRequest>,
) -> Result<Response, Problem> {
    moderation(&shared)?.block(&session, &name).await?;
    Ok(json(&Done { done: true }))
}

/// `GET /api/account/blocks/{name}`: whether the account blocks a player, who has an account too.
pub(super) async fn blocked(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    let blocked = moderation(&shared)?.is_blocked(&session, &name).await?;
    Ok(json(&Blocked { blocked }))
}

/// `POST /api/account/blocks/{name}/end`: ends a block.
pub(super) async fn unblock(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    moderation(&shared)?.unblock(&session, &name).await?;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/reports`: reports a player to the moderators.
pub(super) async fn report(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(request): JsonBody<ReportRequest>,
) -> Result<Response, Problem> {
    let ReportRequest {
        name,
        reason,
        game,
        text,
    } = request;
    let is_id = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if game.len() > MAX_ID || !game.chars().all(is_id) {
        let message = "game: expected the id of a game";
        return Err(Problem::new(ProblemCode::BadQuery, message));
    }
    let report = NewReport {
        name,
        reason,
        game,
        text,
    };
    moderation(&shared)?.report(&session, report).await?;
    Ok(json(&Done { done: true }))
}

/// `GET /api/moderation/reports`: the players with open reports.
async fn queue(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    let players = moderation(&shared)?.queue(&session).await?;
    let players = players.into_iter().map(QueueEntry::from).collect();
    Ok(private(&ReportQueue { players }))
}

/// `GET /api/moderation/log`: what moderators have done.
async fn log(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    Parameters(page): Parameters<LogPage>,
) -> Result<Response, Problem> {
    check_role(&session, false)?;
    let before = page.before.unwrap_or(i64::MAX);
    let entries = moderation(&shared)?.log(before).await?;
    let entries = entries.into_iter().map(ModerationEntry::from).collect();
    Ok(private(&ModerationLog { entries }))
}

/// `GET /api/moderation/staff`: the accounts with a role.
async fn staff(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    let staff = moderation(&shared)?.staff(&session).await?;
    let entry = |(name, role)| StaffEntry { name, role };
    let staff = staff.into_iter().map(entry).collect();
    Ok(private(&Staff { staff }))
}

/// `POST /api/moderation/players/{name}/mute`: the player cannot say anything for a time.
async fn mute(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
    JsonBody(Sanction { hours, reason }): JsonBody<Sanction>,
) -> Result<Response, Problem> {
    act(
        &shared,
        &session,
        &name,
        ModerationAction::Mute(hours, reason),
    )
    .await
}

/// `POST /api/moderation/players/{name}/suspend`: the player cannot begin games for a time.
async fn suspend(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
    JsonBody(Sanction { hours, reason }): JsonBody<Sanction>,
) -> Result<Response, Problem> {
    let done = act(
        &shared,
        &session,
        &name,
        ModerationAction::Suspend(hours, reason),
    )
    .await?;
    // They may wait for a game.
    let bots = moderation(&shared)?.bots_of(&name).await?;
    for waiting in bots.iter().chain([&name]) {
        shared.lobby.kick(waiting).await;
    }
    Ok(done)
}

/// `POST /api/moderation/players/{name}/lift`: ends a mute and a suspension.
async fn lift(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    act(&shared, &session, &name, ModerationAction::Lift).await
}

/// `POST /api/moderation/players/{name}/dismiss`: closes the reports about the player.
async fn dismiss(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    act(&shared, &session, &name, ModerationAction::Dismiss).await
}

/// `POST /api/moderation/players/{name}/role`: gives the player a role, or takes it; for administrators.
async fn appoint(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
    JsonBody(Appointment { role }): JsonBody<Appointment>,
) -> Result<Response, Problem> {
    if role == AccountRole::Bot {
        let message = "role: expected person, moderator or administrator";
        return Err(Problem::new(ProblemCode::BadQuery, message));
    }
    act(&shared, &session, &name, ModerationAction::Appoint(role)).await
}

/// `POST /api/moderation/players/{name}/link`: a code that signs in to the account; for administrators.
async fn link(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    moderation(&shared)?
        .act(&session, &name, ModerationAction::Link)
        .await?;
    let code = accounts(&shared)?.link_to(&name).await?;
    let code = code.ok_or(AccountError::Busy)?;
    Ok(private(&qr_of("", code)?))
}

/// `POST /api/moderation/invitations`: a code for one new account; for administrators.
async fn invite(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    moderation(&shared)?.note_invitation(&session).await?;
    let invitation = accounts(&shared)?.invite().await?;
    Ok(private(&Invitation { invitation }))
}

async fn act(
    shared: &HttpState,
    session: &AccountSession,
    name: &str,
    action: ModerationAction,
) -> Result<Response, Problem> {
    moderation(shared)?.act(session, name, action).await?;
    Ok(json(&Done { done: true }))
}
