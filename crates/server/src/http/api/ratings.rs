//! Ratings: those of a player, and the best of each class.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use checkers_lib::TimeControl;
use event_store::{ReadError, UnixMillis};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::{InPath, Parameters};
use crate::http::HttpState;
use crate::ratings::{RatedPlayer, RatingPool, Ratings, Speed, Standing};

/// The number of players of a leaderboard.
const MAX_RANKED: usize = 100;

/// The number of points of a rating in the course of time, on a player's page.
pub(super) const MAX_POINTS: u32 = 500;

/// A rating at present.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct Rating {
    /// In points; an average player has 1500.
    rating: i64,
    /// The standard deviation of the rating, in points.
    deviation: i64,
    /// Whether the deviation is too large to compare the rating with others.
    provisional: bool,
    /// Rated games so far.
    games: i64,
}

/// A player's rating in a class of time controls.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct PlayerRating {
    speed: Speed,
    #[serde(flatten)]
    rating: Rating,
    /// The share of the other people, or of the other bots, whose rating is lower, in percent, rounded down; absent if
    /// the rating is provisional or isolated, or if there are fewer than ten others whose deviations were small enough after
    /// their last game.
    #[serde(skip_serializing_if = "Option::is_none")]
    percentile: Option<i64>,
    /// Whether the latest 100 games were against fewer than five opponents, or more than three quarters of them against
    /// one: then the rating is not listed among the best.
    isolated: bool,
    /// The rating after each of the latest games, the earliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(default))]
    history: Vec<RatingPoint>,
}

/// The class of the rating to return.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct RatingQuery {
    /// A time control of the class, such as `5m+3s`.
    #[cfg_attr(
        test,
        schemars(regex(
            pattern = "^([1-9][0-9]?(s|m)([+~][0-9]{1,2}(s|m)|/move)?|([1-9]|[12][0-9]|30)d/move)$"
        ))
    )]
    clock: String,
}

/// A rating after a game.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct RatingPoint {
    /// When the game ended, in milliseconds since 1970, UTC.
    at_ms: i64,
    rating: i64,
}

/// The best players of a class of time controls.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct Leaderboard {
    speed: Speed,
    /// The best first, without those whose rating is provisional or isolated.
    players: Vec<RankedPlayer>,
}

/// A player of a leaderboard.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct RankedPlayer {
    name: String,
    #[serde(flatten)]
    rating: Rating,
}

impl Rating {
    fn new(standing: Standing, now: UnixMillis) -> Rating {
        Rating {
            rating: standing.points(),
            deviation: standing.deviation_at(now),
            provisional: standing.is_provisional_at(now),
            games: standing.games,
        }
    }
}

/// Whose ratings to return.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct LeaderboardQuery {
    /// Whether those of bots.
    #[serde(default)]
    bots: bool,
}

/// `GET /api/ratings/{speed}`: the best players.
pub(super) async fn best(
    State(shared): State<Arc<HttpState>>,
    InPath(name): InPath,
    Parameters(LeaderboardQuery { bots }): Parameters<LeaderboardQuery>,
) -> Result<Response, Problem> {
    let speed = speed(&name)?;
    let pool = if bots {
        RatingPool::Bots
    } else {
        RatingPool::People
    };
    let best = ratings(&shared)?.best(speed, pool, MAX_RANKED).await?;
    let now = UnixMillis::now();
    let player = |RatedPlayer { name, standing }| RankedPlayer {
        name,
        rating: Rating::new(standing, now),
    };
    let players = best.into_iter().map(player).collect();
    Ok(json(&Leaderboard { speed, players }))
}

/// `GET /api/players/{name}/rating`: the rating of a player for a time control.
pub(super) async fn one(
    State(shared): State<Arc<HttpState>>,
    InPath(name): InPath,
    Parameters(RatingQuery { clock }): Parameters<RatingQuery>,
) -> Result<Response, Problem> {
    let control = clock.parse::<TimeControl>();
    let speed =
        control.map_err(|error| Problem::new(ProblemCode::BadQuery, format!("clock: {error}")))?;
    let speed = Speed::of(speed);
    let ratings = ratings(&shared)?;
    let mut all = ratings.of(&name).await?.into_iter();
    let Some((_, standing)) = all.find(|(class, _)| *class == speed) else {
        let message = format!("no player named {name:?} has a rating for this clock");
        return Err(Problem::new(ProblemCode::NotFound, message));
    };
    Ok(json(&PlayerRating {
        speed,
        rating: Rating::new(standing, UnixMillis::now()),
        percentile: ratings.percentile(&name, speed, standing).await?,
        isolated: ratings.is_isolated(&name, speed).await?,
        history: Vec::new(),
    }))
}

/// The class of time controls of this name.
pub(super) fn speed(name: &str) -> Result<Speed, Problem> {
    Speed::from_name(name).ok_or_else(|| {
        let message = format!("expected blitz, rapid, classic or correspondence, found {name:?}");
        Problem::new(ProblemCode::NotFound, message)
    })
}

fn ratings(shared: &HttpState) -> Result<&Ratings, Problem> {
    let nothing = || Problem::new(ProblemCode::NoArchive, "this server keeps no games");
    shared.ratings.as_deref().ok_or_else(nothing)
}

/// The ratings of a player, each after the latest `points` games.
pub(super) async fn of_player(
    ratings: &Ratings,
    name: &str,
    points: u32,
) -> Result<Vec<PlayerRating>, ReadError> {
    let now = UnixMillis::now();
    let mut all = Vec::new();
    for (speed, standing) in ratings.of(name).await? {
        let history = ratings.history(name, speed, points).await?;
        let point = |point: crate::ratings::Point| RatingPoint {
            at_ms: point.at.0,
            rating: point.rating,
        };
        all.push(PlayerRating {
            speed,
            rating: Rating::new(standing, now),
            percentile: ratings.percentile(name, speed, standing).await?,
            isolated: ratings.is_isolated(name, speed).await?,
            history: history.into_iter().map(point).collect(),
        });
    }
    Ok(all)
}
