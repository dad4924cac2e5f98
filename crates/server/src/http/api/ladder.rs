//! The standings of the ladder.

use std::sync::{Arc, LazyLock};

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use checkers_lib::TimeControl;
use futures::StreamExt;
use hyper::header;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use super::account::{JsonBody, Owner};
use super::problem::{Problem, ProblemCode};
use super::query::{InPath, Parameters};
use super::ratings::speed;
use super::types::Done;
use super::{archive, json};
use crate::http::{HttpState, as_file, with_header};
use crate::ladder::{
    self, Ladder, LadderPlayer, MAX_DAYS, OwnedLadder, PrivateLadderError, Season, Similar,
    season_file,
};
use crate::ratings::Speed;

/// Season files that are sent at a time; further ones wait.
static FILES: Semaphore = Semaphore::const_new(16);

/// Comparisons of all games of a ladder at a time; further ones wait.
static COMPARISONS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2)));

/// The media type of JSON Lines.
const JSON_LINES: &str = "application/x-ndjson";

/// The standings of a season in a class of time controls.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct LadderStandings {
    /// The month, UTC, such as `2026-11`, or the id of a private ladder.
    season: String,
    /// The private ladder, while its owner keeps it.
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<LadderEntry>,
    speed: Speed,
    /// The event of its games, for `/api/games`.
    event: String,
    /// How many games count.
    games: u64,
    /// The strongest first, then those without a rating, by their scores. The endings of the last games may be missing.
    players: Vec<LadderPlayer>,
}

/// A private ladder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct LadderEntry {
    /// Its id, which is the season of its standings, and in the event of its games.
    id: String,
    /// What bots join with; only for its owner.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    name: String,
    /// The clock of both sides.
    clock: String,
    /// The class of the clock, in which the ladder has its standings.
    #[serde(skip_serializing_if = "Option::is_none")]
    speed: Option<Speed>,
    /// When the last games begin, in milliseconds since 1970, UTC.
    until_ms: i64,
}

/// A private ladder to create.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct NewLadder {
    /// Its name: 1 to 60 characters.
    name: String,
    /// The clock of both sides, such as `1m+1s`.
    clock: String,
    /// For how many days it is open.
    #[cfg_attr(test, schemars(range(min = 1, max = MAX_DAYS)))]
    days: u32,
}

/// How alike the players of a private ladder play.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct Similarity {
    /// All pairs of players that have met at least 20 equal positions, the most alike first.
    pairs: Vec<SimilarPlayers>,
}

/// How alike two players play.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct SimilarPlayers {
    /// The names; for bots of the server, their levels or specifications.
    players: [String; 2],
    /// Positions after the opening, with more than one move, that both have met.
    positions: u32,
    /// The share of these in which they chose the same move, from 0 to 1.
    same: f64,
}

impl From<OwnedLadder> for LadderEntry {
    fn from(ladder: OwnedLadder) -> LadderEntry {
        LadderEntry {
            id: ladder.season.to_string(),
            code: Some(ladder.code),
            name: ladder.name,
            speed: ladder.clock.parse().ok().map(Speed::of),
            clock: ladder.clock,
            until_ms: ladder.until.0,
        }
    }
}

impl From<Similar> for SimilarPlayers {
    fn from(pair: Similar) -> SimilarPlayers {
        SimilarPlayers {
            players: pair.players,
            positions: pair.positions,
            same: (pair.same * 1000.0).round() / 1000.0,
        }
    }
}

impl From<PrivateLadderError> for Problem {
    fn from(error: PrivateLadderError) -> Problem {
        let code = match error {
            PrivateLadderError::BadName => ProblemCode::BadQuery,
            PrivateLadderError::TooMany => ProblemCode::TooManyLadders,
            PrivateLadderError::NotFound => ProblemCode::NotFound,
            PrivateLadderError::NoRandomness(_) => ProblemCode::Busy,
            PrivateLadderError::Store(error) => return error.into(),
        };
        Problem::new(code, error.to_string())
    }
}

/// Which season to return.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct LadderQuery {
    /// A month such as `2026-11`, UTC, or the id of a private ladder; the current month if it is absent.
    #[cfg_attr(
        test,
        schemars(regex(pattern = "^((19[7-9][0-9]|2[0-9]{3})-(0[1-9]|1[0-2])|[0-9a-z]{8})$"))
    )]
    season: Option<String>,
}

/// `GET /api/ladder/{speed}`: the standings of a season.
pub(super) async fn standings(
    State(shared): State<Arc<HttpState>>,
    InPath(name): InPath,
    Parameters(query): Parameters<LadderQuery>,
) -> Result<Response, Problem> {
    let speed = speed(&name)?;
    let season = match query.season {
        Some(text) => season(&text, ProblemCode::BadQuery)?,
        None => Season::now(),
    };
    let ladder = ladder(&shared)?;
    let standings = ladder.standings(season, speed).await?;
    let private = match season.is_private() {
        true => ladder.private(season).await?,
        false => None,
    };
    let private = private.map(|private| LadderEntry {
        code: None,
        ..LadderEntry::from(private)
    });
    Ok(json(&LadderStandings {
        season: season.to_string(),
        private,
        speed,
        event: season.event(),
        games: standings.games,
        players: standings.players.iter().map(LadderPlayer::from).collect(),
    }))
}

/// `GET /api/ladder/seasons/{season}`: the games of a season and its standings, as JSON Lines, streamed.
pub(super) async fn file(
    State(shared): State<Arc<HttpState>>,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    let season = season(&text, ProblemCode::NotFound)?;
    let turn = FILES.acquire().await.map_err(|_closed| busy())?;
    let lines = season_file(archive(&shared)?, season);
    let lines = lines.inspect(move |_| {
        let _held_until_sent = &turn;
    });
    let answer = Response::new(Body::from_stream(lines));
    let answer = with_header(answer, header::CONTENT_TYPE, JSON_LINES);
    Ok(as_file(answer, &format!("{}.jsonl", season.event())))
}

fn season(text: &str, code: ProblemCode) -> Result<Season, Problem> {
    let season = text.parse();
    season.map_err(|error| Problem::new(code, format!("season: {error}, found {text:?}")))
}

/// `POST /api/account/ladders`: creates a private ladder.
pub(super) async fn create(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    JsonBody(wanted): JsonBody<NewLadder>,
) -> Result<Response, Problem> {
    let bad = |message: String| Problem::new(ProblemCode::BadQuery, message);
    let NewLadder { name, clock, days } = wanted;
    let clock: TimeControl = clock
        .parse()
        .map_err(|error| bad(format!("clock: {error}")))?;
    if !(1..=MAX_DAYS).contains(&days) {
        return Err(bad(format!(
            "days: expected a whole number from 1 to {MAX_DAYS}"
        )));
    }
    let made = ladder(&shared)?
        .create(session.account, &name, clock, days)
        .await?;
    Ok(json(&LadderEntry::from(made)))
}

/// `POST /api/account/ladders/{id}/end`: ends a private ladder now.
pub(super) async fn end(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    ladder(&shared)?.end(session.account, &id).await?;
    Ok(json(&Done { done: true }))
}

/// `POST /api/account/ladders/{id}/delete`: deletes a private ladder; its games stay.
pub(super) async fn delete(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    ladder(&shared)?.delete(session.account, &id).await?;
    Ok(json(&Done { done: true }))
}

/// `GET /api/account/ladders/{id}/similarity`: how alike the players play.
pub(super) async fn similarity(
    State(shared): State<Arc<HttpState>>,
    Owner(session): Owner,
    InPath(id): InPath,
) -> Result<Response, Problem> {
    let own = ladder(&shared)?.of_owner(session.account).await?;
    let own = own
        .into_iter()
        .find(|ladder| ladder.season.to_string() == id);
    let season = own.ok_or(PrivateLadderError::NotFound)?.season;
    let turn = Arc::clone(&COMPARISONS).acquire_owned().await;
    let turn = turn.map_err(|_closed| busy())?;
    let pairs = ladder::similarity(archive(&shared)?, season, turn).await?;
    Ok(json(&Similarity {
        pairs: pairs.into_iter().map(SimilarPlayers::from).collect(),
    }))
}

/// The private ladders of an account.
pub(super) async fn of_owner(shared: &HttpState, owner: i64) -> Result<Vec<LadderEntry>, Problem> {
    let ladders = match &shared.ladder {
        Some(ladder) => ladder.of_owner(owner).await?,
        None => Vec::new(),
    };
    Ok(ladders.into_iter().map(LadderEntry::from).collect())
}

fn ladder(shared: &HttpState) -> Result<&Ladder, Problem> {
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    shared.ladder.as_deref().ok_or_else(nothing)
}

fn busy() -> Problem {
    Problem::new(ProblemCode::Busy, "seasons cannot be read now")
}
