//! Who is here, and who has finished games here.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use checkers_lib::Color;
use checkers_lib::protocol::GameResult;

use super::problem::{Problem, ProblemCode};
use super::query::InPath;
use super::types::{PlayerPage, PlayersHere, Tally};
use super::{archive, json};
use crate::http::Shared;
use crate::store::Score;

/// `GET /api/players`: who is connected, by name.
pub(super) async fn here(State(shared): State<Arc<Shared>>) -> Response {
    let (players, count) = shared.lobby.players().await;
    json(&PlayersHere { players, count })
}

/// `GET /api/players/{name}`: how a player's games ended.
pub(super) async fn one(
    State(shared): State<Arc<Shared>>,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    let scores = archive(&shared)?.scores(name.clone()).await?;
    let times = scores.iter().flat_map(|score| [score.first, score.last]);
    let times: Vec<i64> = times.map(|at| at.0).collect();
    let (Some(&first_ms), Some(&last_ms)) = (times.iter().min(), times.iter().max()) else {
        let message = format!("nobody named {name:?} has finished a game here");
        return Err(Problem::new(ProblemCode::NotFound, message));
    };
    Ok(json(&PlayerPage {
        name,
        white: tally(&scores, Color::White),
        black: tally(&scores, Color::Black),
        first_ms,
        last_ms,
    }))
}

/// How the games with one colour ended.
fn tally(scores: &[Score], color: Color) -> Tally {
    let mut tally = Tally::default();
    for score in scores {
        if score.is_white != (color == Color::White) {
            continue;
        }
        match GameResult::from_name(&score.result) {
            Some(GameResult::Draw) => tally.drawn += score.games,
            Some(GameResult::Interrupted) | None => tally.interrupted += score.games,
            Some(won @ (GameResult::WhiteWon | GameResult::BlackWon)) => {
                if won.winner() == Some(color) {
                    tally.won += score.games;
                } else {
                    tally.lost += score.games;
                }
            }
        }
    }
    tally
}
