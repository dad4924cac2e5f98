//! The standings of the ladder.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::{InPath, Parameters};
use super::ratings::speed;
use crate::http::Shared;
use crate::ladder::{Season, Standing};
use crate::ratings::Speed;

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
    /// The strongest first, then those without a rating.
    players: Vec<LadderPlayer>,
}

/// A player of the ladder.
#[derive(Debug, Serialize, JsonSchema)]
struct LadderPlayer {
    /// The name; for a bot of the server, its level or specification, such as `level 5`.
    name: String,
    /// Whether the server plays it.
    server: bool,
    /// In Elo, on the scale of the levels, whose ratings are fixed; absent if the games do not determine it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<f64>,
    /// The lower end of the middle 95 % of the ratings that the games allow; absent for a level, and if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    /// The upper end, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    /// Why there is no rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    unrated: Option<String>,
    /// Moves that the player had a choice about in positions of up to five pieces.
    ending_moves: i64,
    /// Points that these moves lost in a hundred, against the exact tablebases; absent without such moves. The
    /// endings of the last games may be missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    ending_lost: Option<f64>,
    won: u32,
    drawn: u32,
    lost: u32,
}

/// Which season to return.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LadderQuery {
    /// A month such as `2026-11`, UTC; the current one if it is absent.
    #[schemars(regex(pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$"))]
    season: Option<String>,
}

impl From<&Standing> for LadderPlayer {
    fn from(standing: &Standing) -> LadderPlayer {
        let tenths = |elo: f64| (elo * 10.0).round() / 10.0;
        let hundredths = |points: f64| (points * 100.0).round() / 100.0;
        let interval = standing.interval.unwrap_or_default();
        LadderPlayer {
            name: standing.name.clone(),
            server: standing.is_of_server,
            rating: standing.rating.ok().map(tenths),
            low: interval.low.map(tenths),
            high: interval.high.map(tenths),
            unrated: standing.rating.err().map(|reason| reason.to_string()),
            ending_moves: standing.regret.moves,
            ending_lost: standing.regret.per_100_moves().map(hundredths),
            won: standing.games.wins,
            drawn: standing.games.draws,
            lost: standing.games.losses,
        }
    }
}

/// `GET /api/ladder/{speed}`: the standings of a season.
pub(super) async fn standings(
    State(shared): State<Arc<Shared>>,
    InPath(name): InPath,
    Parameters(query): Parameters<LadderQuery>,
) -> Result<Response, Problem> {
    let speed = speed(&name)?;
    let season = match query.season {
        Some(text) => text.parse().map_err(|error| {
            Problem::new(
                ProblemCode::BadQuery,
                format!("season: {error}, found {text:?}"),
            )
        })?,
        None => Season::now(),
    };
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    let ladder = shared.ladder.as_ref().ok_or_else(nothing)?;
    let standings = ladder.standings(&season, speed).await?;
    Ok(json(&LadderStandings {
        season: season.to_string(),
        speed,
        event: season.event(),
        games: standings.games,
        players: standings.players.iter().map(LadderPlayer::from).collect(),
    }))
}
