//! The standings of the ladder.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::response::Response;
use hyper::header::{self, HeaderValue};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::problem::{Problem, ProblemCode};
use super::query::{InPath, Parameters};
use super::ratings::speed;
use super::{archive, json};
use crate::http::{Shared, with_header};
use crate::ladder::{Ladder, LadderPlayer, Season, season_file};
use crate::ratings::Speed;

/// The media type of JSON Lines.
const JSON_LINES: &str = "application/x-ndjson";

/// The standings of a season in a class of time controls.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LadderStandings {
    /// The month, UTC, such as `2026-11`.
    season: String,
    speed: Speed,
    /// The event of its games, for `/api/games`.
    event: String,
    /// How many games count.
    games: u64,
    /// The strongest first, then those without a rating. The endings of the last games may be missing.
    players: Vec<LadderPlayer>,
}

/// Which season to return.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LadderQuery {
    /// A month such as `2026-11`, UTC; the current one if it is absent.
    #[schemars(regex(pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    season: Option<String>,
}

/// `GET /api/ladder/{speed}`: the standings of a season.
pub(super) async fn standings(
    State(shared): State<Arc<Shared>>,
    InPath(name): InPath,
    Parameters(query): Parameters<LadderQuery>,
) -> Result<Response, Problem> {
    let speed = speed(&name)?;
    let season = match query.season {
        Some(text) => season(&text, ProblemCode::BadQuery)?,
        None => Season::now(),
    };
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    let ladder: &Ladder = shared.ladder.as_deref().ok_or_else(nothing)?;
    let standings = ladder.standings(&season, speed).await?;
    Ok(json(&LadderStandings {
        season: season.to_string(),
        speed,
        event: season.event(),
        games: standings.games,
        players: standings.players.iter().map(LadderPlayer::from).collect(),
    }))
}

/// `GET /api/ladder/seasons/{season}`: the games of a season and its standings, as JSON Lines, streamed.
pub(super) async fn file(
    State(shared): State<Arc<Shared>>,
    InPath(text): InPath,
) -> Result<Response, Problem> {
    let season = season(&text, ProblemCode::NotFound)?;
    let lines = season_file(archive(&shared)?, &season);
    let answer = Response::new(Body::from_stream(lines));
    let mut answer = with_header(answer, header::CONTENT_TYPE, JSON_LINES);
    let attachment = format!("attachment; filename=\"{}.jsonl\"", season.event());
    if let Ok(attachment) = HeaderValue::try_from(attachment) {
        answer
            .headers_mut()
            .insert(header::CONTENT_DISPOSITION, attachment);
    }
    Ok(answer)
}

fn season(text: &str, code: ProblemCode) -> Result<Season, Problem> {
    let season = text.parse();
    season.map_err(|error| Problem::new(code, format!("season: {error}, found {text:?}")))
}
