//! Tournaments: what everybody sees, what players do, and what organisers do.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use checkers_lib::protocol::TablePhase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::account::{JsonBody, Owner, SignedInAs};
use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::{InPath, Parameters};
use super::types::Done;
use crate::http::Shared;
use crate::http::routes::only;
use crate::ratings::Speed;
use crate::store::UnixMillis;
use crate::tournaments::{
    Change, Correction, Entrants, Format, MAX_MINUTES, Plan, Player, Stage, Tournament,
    TournamentError, TournamentId, Tournaments,
};

/// Players of a tournament in an answer, if the query does not say.
const PLAYERS: usize = 100;

/// Running games in an answer.
const GAMES: usize = 20;

/// The tournaments of a server.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TournamentList {
    /// Of all, up to 50 that run, up to 50 to come and the last 50 that are over; of the account, the latest 200.
    tournaments: Vec<TournamentEntry>,
}

/// A tournament.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TournamentEntry {
    /// Its id.
    id: String,
    name: String,
    format: Format,
    /// Who may play.
    entrants: Entrants,
    /// The clock of both sides.
    clock: String,
    /// The class of the clock.
    speed: Speed,
    /// Whether its games are rated.
    rated: bool,
    /// Whether its games begin with drawn openings.
    openings: bool,
    /// Whether players need an invitation to enter.
    by_invitation: bool,
    /// The invitation; only for the organiser.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<String>,
    /// When it starts, in milliseconds since 1970, UTC.
    starts_ms: i64,
    /// When it ends, likewise: no more games begin, and games that end later do not count.
    ends_ms: i64,
    /// What happens now.
    stage: Stage,
    /// The name of the organiser; absent if the account was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    organiser: Option<String>,
    /// How many players have entered and not left.
    players: i64,
    /// The event of its games, for `/api/games`.
    event: String,
}

/// A tournament with its standings.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TournamentPage {
    #[serde(flatten)]
    tournament: TournamentEntry,
    /// How many games count.
    games: usize,
    /// The players in the order of their places.
    standings: Vec<TournamentPlayer>,
    /// The player that the query names, if it has entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<TournamentPlayer>,
    /// Running games, those of the leaders first.
    running: Vec<RunningGame>,
}

/// A player of a tournament.
#[derive(Debug, Serialize, JsonSchema)]
struct TournamentPlayer {
    /// The place, from 1; equal players share it.
    place: usize,
    name: String,
    points: u32,
    /// The points of each game, in the order of their ends.
    scores: Vec<u32>,
    wins: u32,
    draws: u32,
    /// Whether the points of the next game count twice.
    streak: bool,
    /// The average points of the opponents, which break ties.
    opponents: f64,
    /// Whether the player has left.
    left: bool,
}

/// A running game of a tournament.
#[derive(Debug, Serialize, JsonSchema)]
struct RunningGame {
    /// The table.
    table: String,
    white: String,
    black: String,
}

/// A tournament to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewTournament {
    /// Its name: 1 to 60 characters.
    name: String,
    format: Format,
    /// Who may play.
    entrants: Entrants,
    /// The clock of both sides, such as `3m+2s`.
    clock: String,
    /// Whether its games are rated.
    #[serde(default)]
    rated: bool,
    /// Whether its games begin with openings drawn from the server's list.
    #[serde(default)]
    openings: bool,
    /// Whether players need an invitation to enter.
    #[serde(default)]
    by_invitation: bool,
    /// When it starts, in milliseconds since 1970, UTC; without it, now.
    #[serde(default)]
    starts_ms: i64,
    /// How long it takes.
    #[schemars(range(min = 1, max = MAX_MINUTES))]
    minutes: u32,
}

/// How to enter a tournament.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The invitation, if the tournament needs one.
    #[serde(default)]
    invitation: Option<String>,
}

/// A player to remove.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Removal {
    /// The name.
    player: String,
}

/// The corrected result of a game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CorrectedGame {
    /// The id of the finished game.
    game: String,
    result: Correction,
}

/// Which players to return.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TournamentQuery {
    /// The most players in the answer; 100 if it is absent.
    #[schemars(range(min = 1, max = 1000))]
    limit: Option<usize>,
    /// A player to return in any case.
    player: Option<String>,
}

impl TournamentEntry {
    fn new(tournament: &Tournament) -> TournamentEntry {
        let plan = &tournament.plan;
        TournamentEntry {
            id: tournament.id.to_string(),
            name: plan.name.clone(),
            format: plan.format,
            entrants: plan.entrants,
            clock: plan.clock.to_string(),
            speed: Speed::of(plan.clock),
            rated: plan.is_rated,
            openings: plan.has_openings,
            by_invitation: !tournament.invitation.is_empty(),
            invitation: None,
            starts_ms: plan.starts_at.0,
            ends_ms: plan.ends_at.0,
            stage: tournament.stage(UnixMillis::now()),
            organiser: tournament.organiser.clone(),
            players: tournament.players,
            event: tournament.id.event(),
        }
    }

    /// With the invitation.
    fn for_organiser(tournament: &Tournament) -> TournamentEntry {
        let invitation = Some(tournament.invitation.clone()).filter(|text| !text.is_empty());
        TournamentEntry {
            invitation,
            ..TournamentEntry::new(tournament)
        }
    }
}

impl From<&Player> for TournamentPlayer {
    fn from(player: &Player) -> TournamentPlayer {
        let score = &player.score;
        let games = score.games.len().max(1) as f64;
        TournamentPlayer {
            place: player.place,
            name: player.name.clone(),
            points: score.points,
            scores: score.games.clone(),
            wins: score.wins,
            draws: score.draws,
            streak: score.is_on_streak(),
            opponents: (score.opposition as f64 / games * 100.0).round() / 100.0,
            left: player.has_left,
        }
    }
}

impl From<TournamentError> for Problem {
    fn from(error: TournamentError) -> Problem {
        let code = match error {
            TournamentError::NotFound
            | TournamentError::NoSuchPlayer
            | TournamentError::NoSuchGame => ProblemCode::NotFound,
            TournamentError::TooMany | TournamentError::Full => ProblemCode::TooManyTournaments,
            TournamentError::NotYours
            | TournamentError::Over
            | TournamentError::OtherEntrants(_)
            | TournamentError::NotInvited
            | TournamentError::Removed => ProblemCode::NotAllowed,
            TournamentError::NoRandomness(_) => ProblemCode::Busy,
            TournamentError::Store(error) => return error.into(),
        };
        Problem::new(code, error.to_string())
    }
}

/// The routes under `/api/account/tournaments`.
pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/", only(get(of_owner).post(create), "GET, HEAD, POST"))
        .route("/{id}/enter", only(post(enter), "POST"))
        .route("/{id}/leave", only(post(leave), "POST"))
        .route("/{id}/pause", only(post(pause), "POST"))
        .route("/{id}/resume", only(post(resume), "POST"))
        .route("/{id}/end", only(post(end), "POST"))
        .route("/{id}/remove", only(post(remove), "POST"))
        .route("/{id}/correct", only(post(correct), "POST"))
}

/// `GET /api/tournaments`: the tournaments that run, that are to come, and that are over.
pub(super) async fn list(State(shared): State<Arc<Shared>>) -> Result<Response, Problem> {
    let list = tournaments(&shared)?.list().await?;
    let tournaments = list.iter().map(TournamentEntry::new).collect();
    Ok(json(&TournamentList { tournaments }))
}

/// `GET /api/tournaments/{id}`: a tournament with its standings.
pub(super) async fn one(
    State(shared): State<Arc<Shared>>,
    InPath(text): InPath,
    Parameters(query): Parameters<TournamentQuery>,
) -> Result<Response, Problem> {
    let tournaments = tournaments(&shared)?;
    let tournament = tournaments.find(id(&text)?).await?;
    let standings = tournaments.standings(&tournament).await?;
    let limit = query.limit.unwrap_or(PLAYERS);
    let player = query.player.as_deref();
    let player = player.and_then(|name| standings.player(name));
    let running = running(&shared, &tournament, |name| {
        standings.player(name).map(|player| player.place)
    });
    Ok(json(&TournamentPage {
        tournament: TournamentEntry::new(&tournament),
        games: standings.games,
        standings: (standings.players.iter().take(limit))
            .map(TournamentPlayer::from)
            .collect(),
        player: player.map(TournamentPlayer::from),
        running,
    }))
}

/// The first running games by the place of the better player. O(tables).
fn running(
    shared: &Shared,
    tournament: &Tournament,
    place: impl Fn(&str) -> Option<usize>,
) -> Vec<RunningGame> {
    let event = tournament.id.event();
    let mut games: Vec<(usize, RunningGame)> = Vec::new();
    for table in shared.tables.tables(|_| true) {
        if table.settings().event.as_ref() != Some(&event) {
            continue;
        }
        let status = table.status();
        if status.phase == TablePhase::Running
            && let (Some(white), Some(black)) = (&status.seats.white, &status.seats.black)
        {
            let places = [&white.name, &black.name].map(|name| place(name));
            let best = places.into_iter().flatten().min();
            let game = RunningGame {
                table: table.id().to_owned(),
                white: white.name.to_string(),
                black: black.name.to_string(),
            };
            games.push((best.unwrap_or(usize::MAX), game));
        }
    }
    games.sort_by(|(place, game), (other, of)| (place, &game.table).cmp(&(other, &of.table)));
    games.truncate(GAMES);
    games.into_iter().map(|(_, game)| game).collect()
}

/// `GET /api/account/tournaments`: the tournaments that the account organises.
async fn of_owner(
    State(shared): State<Arc<Shared>>,
    Owner(session): Owner,
) -> Result<Response, Problem> {
    let own = tournaments(&shared)?.of_owner(session.account).await?;
    let own = own.iter();
    let tournaments = own.map(TournamentEntry::for_organiser).collect();
    Ok(json(&TournamentList { tournaments }))
}

/// `POST /api/account/tournaments`: creates a tournament.
async fn create(
    State(shared): State<Arc<Shared>>,
    Owner(session): Owner,
    JsonBody(wanted): JsonBody<NewTournament>,
) -> Result<Response, Problem> {
    let bad = |message: String| Problem::new(ProblemCode::BadQuery, message);
    let clock = wanted.clock.parse();
    let clock = clock.map_err(|error| bad(format!("clock: {error}")))?;
    let plan = Plan {
        name: wanted.name,
        format: wanted.format,
        entrants: wanted.entrants,
        clock,
        is_rated: wanted.rated,
        has_openings: wanted.openings,
        starts_at: UnixMillis(wanted.starts_ms),
        ends_at: UnixMillis(0),
    };
    let plan = plan.checked(wanted.minutes, UnixMillis::now());
    let plan = plan.map_err(|error| bad(error.to_string()))?;
    let tournaments = tournaments(&shared)?;
    let made = tournaments.create(session.account, &plan, wanted.by_invitation);
    Ok(json(&TournamentEntry::for_organiser(&made.await?)))
}

/// `POST /api/account/tournaments/{id}/enter`: enters a tournament.
async fn enter(
    State(shared): State<Arc<Shared>>,
    SignedInAs(session): SignedInAs,
    InPath(text): InPath,
    JsonBody(Entry { invitation }): JsonBody<Entry>,
) -> Result<Response, Problem> {
    let entered = tournaments(&shared)?.enter(id(&text)?, &session.name, invitation.as_deref());
    Ok(json(&TournamentEntry::new(&entered.await?)))
}

/// `POST /api/account/tournaments/{id}/leave`: leaves a tournament. A running game goes on.
async fn leave(
    State(shared): State<Arc<Shared>>,
    SignedInAs(session): SignedInAs,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    let id = id(&text)?;
    tournaments(&shared)?.leave(id, &session.name).await?;
    shared.lobby.leave_arenas(session.name).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/tournaments/{id}/pause`: no games begin until the tournament is resumed.
async fn pause(
    State(shared): State<Arc<Shared>>,
    Owner(session): Owner,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    change(&shared, session.account, &text, Change::Pause).await
}

/// `POST /api/account/tournaments/{id}/resume`: games begin again.
async fn resume(
    State(shared): State<Arc<Shared>>,
    Owner(session): Owner,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    change(&shared, session.account, &text, Change::Resume).await
}

/// `POST /api/account/tournaments/{id}/end`: ends the tournament now.
async fn end(
    State(shared): State<Arc<Shared>>,
    Owner(session): Owner,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    change(&shared, session.account, &text, Change::End).await
}

async fn change(
    shared: &Shared,
    account: i64,
    text: &str,
    change: Change,
) -> Result<Response, Problem> {
    let tournaments = tournaments(shared)?;
    let changed = tournaments.change(account, id(text)?, change).await?;
    Ok(json(&TournamentEntry::for_organiser(&changed)))
}

/// `POST /api/account/tournaments/{id}/remove`: removes a player, who cannot enter again.
async fn remove(
    State(shared): State<Arc<Shared>>,
    Owner(session): Owner,
    InPath(text): InPath,
    JsonBody(Removal { player }): JsonBody<Removal>,
) -> Result<Response, Problem> {
    let id = id(&text)?;
    let tournaments = tournaments(&shared)?;
    tournaments.remove(session.account, id, &player).await?;
    shared.lobby.leave_arenas(player).await;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/tournaments/{id}/correct`: corrects the result of a finished game.
async fn correct(
    State(shared): State<Arc<Shared>>,
    Owner(session): Owner,
    InPath(text): InPath,
    JsonBody(CorrectedGame { game, result }): JsonBody<CorrectedGame>,
) -> Result<Response, Problem> {
    let tournaments = tournaments(&shared)?;
    let corrected = tournaments.correct(session.account, id(&text)?, &game, result);
    corrected.await?;
    Ok(json(&Done { done: true }))
}

fn id(text: &str) -> Result<TournamentId, Problem> {
    text.parse().map_err(|_| TournamentError::NotFound.into())
}

fn tournaments(shared: &Shared) -> Result<&Tournaments, Problem> {
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    shared.tournaments.as_deref().ok_or_else(nothing)
}

/// What an account organises, and the ids of what it has entered.
pub(super) async fn of_account(
    shared: &Shared,
    account: i64,
    name: &str,
) -> Result<(Vec<TournamentEntry>, Vec<String>), Problem> {
    let Some(tournaments) = &shared.tournaments else {
        return Ok(Default::default());
    };
    let own = tournaments.of_owner(account).await?;
    let own = own.iter().map(TournamentEntry::for_organiser).collect();
    Ok((own, tournaments.entered_by(name).await?))
}
