//! Games by correspondence: an account's games, challenges, vacation and conditional moves.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use checkers_lib::protocol::WireColor;
use event_store::UnixMillis;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::{JsonBody, Owner, private};
use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::InPath;
use super::types::Done;
use crate::accounts::AccountSession;
use crate::correspondence::{
    self, ConditionalLine, Correspondence, CorrespondenceError, CorrespondenceGame, Invitation,
    Vacation, Wish, table_of,
};
use crate::correspondence_task;
use crate::http::HttpState;
use crate::http::routes::only;
use crate::table::{Command, game_id};

/// The longest body with conditional moves, in bytes: 50 lines of 40 moves.
const MAX_LINES_BODY: usize = 16 << 10;

pub(super) fn router() -> Router<Arc<HttpState>> {
    Router::new()
        .route("/", only(get(overview), "GET, HEAD"))
        .route("/challenges", only(post(challenge), "POST"))
        .route("/challenges/{id}/accept", only(post(accept), "POST"))
        .route("/challenges/{id}/decline", only(post(decline), "POST"))
        .route("/vacation", only(post(start_vacation), "POST"))
        .route("/vacation/end", only(post(end_vacation), "POST"))
        .route(
            "/games/{id}/conditional",
            only(get(conditional).post(set_conditional), "GET, HEAD, POST"),
        )
}

/// What an account plays by correspondence.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct CorrespondenceOverview {
    /// The running games; those whose deadline is near first.
    games: Vec<CorrespondenceEntry>,
    /// The challenges that wait for an answer, the latest first.
    challenges: Vec<CorrespondenceChallenge>,
    vacation: VacationEntry,
}

/// A running game.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct CorrespondenceEntry {
    /// The id of the game.
    id: String,
    /// Its table, for `watch`.
    table: String,
    /// The side of the account.
    color: WireColor,
    opponent: String,
    /// Until when the opponent is on vacation, in milliseconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_away_ms: Option<i64>,
    /// The days for a move.
    days: i64,
    rated: bool,
    /// The number of moves, both sides counted.
    ply: i64,
    /// Whether the account is to move.
    your_turn: bool,
    /// When the time of the side to move is over, in milliseconds since 1970, UTC.
    deadline_ms: i64,
}

/// A challenge that waits for an answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct CorrespondenceChallenge {
    id: String,
    /// The other player.
    with: String,
    /// Whether the account is challenged; otherwise it has challenged.
    received: bool,
    /// The side of the account; absent if it is random.
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<WireColor>,
    /// The days for a move.
    days: i64,
    rated: bool,
    /// When it was made, in milliseconds since 1970, UTC.
    created_ms: i64,
}

/// The vacation of an account.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct VacationEntry {
    /// Until when the account is on vacation, in milliseconds since 1970, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    until_ms: Option<i64>,
    /// How many days are left of 30 in 365 days.
    days_left: i64,
}

/// A challenge.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewCorrespondence {
    /// The name of an account, whose owner need not be connected.
    opponent: String,
    /// The days for each move.
    #[cfg_attr(test, schemars(range(min = 1, max = correspondence::MAX_DAYS)))]
    days: u32,
    /// The side of the challenger; random if it is absent.
    #[serde(default)]
    color: Option<WireColor>,
    /// Whether the game is rated.
    #[serde(default)]
    rated: bool,
}

/// A challenge that was made.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ChallengeMade {
    /// Its id.
    id: String,
}

/// A game that has begun, or is about to begin.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct ChallengeAccepted {
    /// The id of the game.
    id: String,
    /// Its table.
    table: String,
}

/// A vacation to start.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewVacation {
    /// For how many days, from now on.
    #[cfg_attr(test, schemars(range(min = 1, max = correspondence::MAX_DAYS_A_YEAR)))]
    days: i64,
}

/// Moves that answer those of the opponent.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ConditionalMoves {
    /// At most 50 lines of at most 40 moves from the position of the game, such as `c3-d4 d6-c5`: a move of the
    /// opponent, the answer, and so on. Each ends with an answer.
    lines: Vec<String>,
}

impl From<CorrespondenceGame> for CorrespondenceEntry {
    fn from(game: CorrespondenceGame) -> CorrespondenceEntry {
        CorrespondenceEntry {
            table: table_of(&game.game).unwrap_or_default().to_owned(),
            id: game.game,
            color: game.color.into(),
            opponent: game.opponent,
            opponent_away_ms: game.opponent_away.map(|until| until.0),
            days: game.days,
            rated: game.rated,
            ply: game.ply,
            your_turn: game.is_own_turn,
            deadline_ms: game.deadline.0,
        }
    }
}

impl From<Invitation> for CorrespondenceChallenge {
    fn from(invitation: Invitation) -> CorrespondenceChallenge {
        CorrespondenceChallenge {
            id: invitation.id,
            with: invitation.with,
            received: invitation.is_received,
            color: invitation.color.map(WireColor::from),
            days: invitation.days,
            rated: invitation.rated,
            created_ms: invitation.created_at.0,
        }
    }
}

impl From<Vacation> for VacationEntry {
    fn from(vacation: Vacation) -> VacationEntry {
        VacationEntry {
            until_ms: vacation.until.map(|until| until.0),
            days_left: vacation.days_left,
        }
    }
}

impl From<CorrespondenceError> for Problem {
    fn from(error: CorrespondenceError) -> Problem {
        let code = match &error {
            CorrespondenceError::BadDays | CorrespondenceError::BadVacation => {
                ProblemCode::BadQuery
            }
            CorrespondenceError::BadLine { .. } => ProblemCode::BadMove,
            CorrespondenceError::NoVacationLeft(_)
            | CorrespondenceError::OnVacation
            | CorrespondenceError::NotOnVacation
            | CorrespondenceError::Suspended
            | CorrespondenceError::YourTurn => ProblemCode::NotAllowed,
            CorrespondenceError::TooMany(_) => ProblemCode::TooManyGames,
            CorrespondenceError::NoSuchOpponent(_)
            | CorrespondenceError::NoSuchChallenge
            | CorrespondenceError::NoSuchGame => ProblemCode::NotFound,
            CorrespondenceError::NoRandomness(_) | CorrespondenceError::Store(_) => {
                ProblemCode::Busy
            }
        };
        Problem::new(code, error.to_string())
    }
}

fn service(shared: &HttpState) -> Result<&Correspondence, Problem> {
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    shared.correspondence.as_deref().ok_or_else(nothing)
}

/// Checks that the player may play rated games now.
async fn check_not_paused(shared: &HttpState, session: &AccountSession) -> Result<(), Problem> {
    let Some(ratings) = &shared.ratings else {
        return Ok(());
    };
    let checked = ratings.check_not_paused(&session.name).await;
    checked.map_err(|refusal| Problem::new(ProblemCode::NotAllowed, refusal.message))
}

/// `GET /api/account/correspondence`: the games, challenges and vacation of the account.
async fn overview(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    Ok(private(&describe(&shared, &session).await?))
}

/// What the account plays by correspondence.
pub(super) async fn describe(
    shared: &HttpState,
    session: &AccountSession,
) -> Result<CorrespondenceOverview, Problem> {
    let service = service(shared)?;
    let account = session.account;
    let games = service.of(account).await?;
    let challenges = service.invitations(account).await?;
    Ok(CorrespondenceOverview {
        games: games.into_iter().map(CorrespondenceEntry::from).collect(),
        challenges: challenges
            .into_iter()
            .map(CorrespondenceChallenge::from)
            .collect(),
        vacation: service.vacation(account).await?.into(),
    })
}

/// `POST /api/account/correspondence/challenges`: challenges a player.
async fn challenge(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(wanted): JsonBody<NewCorrespondence>,
) -> Result<Response, Problem> {
    let wish = Wish {
        color: wanted.color.map(Into::into),
        days: wanted.days,
        rated: wanted.rated,
    };
    let service = service(&shared)?;
    if wish.rated {
        check_not_paused(&shared, &session).await?;
    }
    let id = service
        .challenge(session.account, &wanted.opponent, wish)
        .await?;
    Ok(private(&ChallengeMade { id }))
}

/// `POST /api/account/correspondence/challenges/{id}/accept`: accepts a challenge, and starts its game.
async fn accept(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    let service = service(&shared)?;
    let is_rated = service.is_rated(session.account, &id).await;
    if is_rated.map_err(CorrespondenceError::from)? {
        check_not_paused(&shared, &session).await?;
    }
    let challenge = service.accept(session.account, &id).await?;
    correspondence_task::begin(service, &shared.tables, challenge).await?;
    Ok(private(&ChallengeAccepted {
        id: game_id(&id, 1),
        table: id,
    }))
}

/// `POST /api/account/correspondence/challenges/{id}/decline`: declines a challenge, or withdraws one.
async fn decline(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    service(&shared)?.decline(session.account, &id).await?;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/correspondence/vacation`: starts a vacation.
async fn start_vacation(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(NewVacation { days }): JsonBody<NewVacation>,
) -> Result<Response, Problem> {
    let service = service(&shared)?;
    let until = service.start_vacation(session.account, days).await?;
    change_vacation(&shared, &session, until).await
}

/// `POST /api/account/correspondence/vacation/end`: ends it early.
async fn end_vacation(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    let service = service(&shared)?;
    service.end_vacation(session.account).await?;
    change_vacation(&shared, &session, UnixMillis::now()).await
}

/// Informs the tables in memory, and those that are being loaded, of a vacation of one of their players.
async fn change_vacation(
    shared: &HttpState,
    session: &AccountSession,
    until: UnixMillis,
) -> Result<Response, Problem> {
    let service = service(shared)?;
    let rest = correspondence::millis(until.0.saturating_sub(UnixMillis::now().0));
    for game in service.of(session.account).await? {
        if let Some(table) = table_of(&game.game) {
            let change = Command::Vacation(session.identity.hash(), rest);
            shared.tables.command_correspondence(table, change).await;
        }
    }
    let vacation = service.vacation(session.account).await?;
    Ok(private(&VacationEntry::from(vacation)))
}

/// `GET /api/account/correspondence/games/{id}/conditional`: the conditional moves that are left.
async fn conditional(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    let lines = service(&shared)?.lines(session.account, &id).await?;
    Ok(private(&ConditionalMoves::from(lines)))
}

/// `POST /api/account/correspondence/games/{id}/conditional`: replaces the conditional moves.
async fn set_conditional(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
    JsonBody(wanted): JsonBody<ConditionalMoves, MAX_LINES_BODY>,
) -> Result<Response, Problem> {
    let line = |text: &String| text.split_whitespace().map(str::to_owned).collect();
    let lines: Vec<ConditionalLine> = wanted.lines.iter().map(line).collect();
    let service = service(&shared)?;
    let lines = service.set_lines(session.account, &id, &lines).await?;
    if let Some(table) = table_of(&id) {
        // The opponent may have moved meanwhile.
        correspondence_task::play_answer(service, &shared.tables, table).await;
    }
    Ok(private(&ConditionalMoves::from(lines)))
}

impl From<Vec<ConditionalLine>> for ConditionalMoves {
    fn from(lines: Vec<ConditionalLine>) -> ConditionalMoves {
        ConditionalMoves {
            lines: lines.iter().map(|line| line.join(" ")).collect(),
        }
    }
}
