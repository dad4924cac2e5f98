//! Analyses of positions and games.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, State};
use axum::response::Response;
use checkers_lib::Position;
use futures::stream;
use hyper::header;
use position_api::{Analysis, positions};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;

use super::json;
#[cfg(test)]
use super::openapi::texts;
use super::problem::{Problem, ProblemCode};
use super::query::Parameters;
use crate::bots::{AnalysisLine, AnalysisRequest, Analyst};
use crate::http::{AcceptedConnection, HttpState, with_header};

/// The default search time of a position, in milliseconds.
const DEFAULT_TIME: u64 = 500;
/// The default search time of each position of a game, in milliseconds.
const DEFAULT_TIME_IN_GAME: u64 = 100;

/// The position, and how to search it.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct AnalysisQuery {
    /// The position; without it, the start of the game.
    #[cfg_attr(test, schemars(schema_with = "texts::fen_schema"))]
    fen: Option<String>,
    /// Moves from the position, separated by spaces.
    #[cfg_attr(test, schemars(schema_with = "texts::moves_schema"))]
    moves: Option<String>,
    /// How long to search a position, in milliseconds: 1–60000. The server may take less.
    #[cfg_attr(test, schemars(range(min = 1, max = 60_000)))]
    time: Option<u64>,
    /// How many plies deep to search at most: 1–64. The server may search less deep.
    #[cfg_attr(test, schemars(range(min = 1, max = 64)))]
    depth: Option<u32>,
    /// How many of the best moves to return: 1 (the default) to 5.
    #[cfg_attr(test, schemars(range(min = 1, max = 5)))]
    lines: Option<usize>,
}

/// `GET /api/analysis`: the value of a position.
pub(super) async fn one(
    State(shared): State<Arc<HttpState>>,
    Extension(connection): Extension<Arc<AcceptedConnection>>,
    Parameters(query): Parameters<AnalysisQuery>,
) -> Result<Response, Problem> {
    let positions = query.positions()?;
    let analyst = shared.bots.analyst();
    let request = query.request(analyst, DEFAULT_TIME);
    let (ply, last) = (positions.len() - 1, &positions[positions.len() - 1]);
    check_fair(&shared, std::slice::from_ref(last))?;
    let address = connection.permit.address();
    let lines = analyst.analyse(last, request, address).await?;
    Ok(json(&analysis(ply, last, &lines)))
}

/// `GET /api/analysis/game`: the value of every position of a game, a line of JSON each, streamed.
pub(super) async fn game(
    State(shared): State<Arc<HttpState>>,
    Extension(connection): Extension<Arc<AcceptedConnection>>,
    Parameters(query): Parameters<AnalysisQuery>,
) -> Result<Response, Problem> {
    let positions = query.positions()?;
    let analyst = shared.bots.analyst().clone();
    let request = query.request(&analyst, DEFAULT_TIME_IN_GAME);
    check_fair(&shared, &positions)?;
    let address = connection.permit.address();
    let begin = (analyst, positions, 0);
    let lines = stream::try_unfold(begin, move |(analyst, positions, ply)| async move {
        let Some(position) = positions.get(ply) else {
            return Ok(None);
        };
        let line = line_of(&analyst, position, request, address, ply).await?;
        Ok::<_, crate::bots::AnalysisError>(Some((line, (analyst, positions, ply + 1))))
    });
    Ok(with_header(
        Response::new(Body::from_stream(lines)),
        header::CONTENT_TYPE,
        "application/x-ndjson",
    ))
}

async fn line_of(
    analyst: &Analyst,
    position: &Position,
    request: AnalysisRequest,
    address: Option<IpAddr>,
    ply: usize,
) -> Result<Bytes, crate::bots::AnalysisError> {
    let lines = analyst.analyse(position, request, address).await?;
    let text = serde_json::to_string(&analysis(ply, position, &lines));
    let text = text.expect("an analysis has no key but strings");
    Ok(Bytes::from(text + "\n"))
}

/// Refuses positions of running games, so that players cannot use the analysis.
fn check_fair(shared: &HttpState, positions: &[Position]) -> Result<(), Problem> {
    let keys: Vec<u64> = positions.iter().map(Position::key).collect();
    if shared.tables.has_position_in_play(&keys) {
        let message = "somebody is playing this position: it is analysed when the game is over";
        return Err(Problem::new(ProblemCode::GameRunning, message));
    }
    Ok(())
}

impl AnalysisQuery {
    /// The position and the one after each move.
    fn positions(&self) -> Result<Vec<Position>, Problem> {
        let moves = self.moves.as_deref().unwrap_or_default();
        Ok(positions(self.fen.as_deref(), moves)?)
    }

    /// The search, within the limits of the server.
    fn request(&self, analyst: &Analyst, default_ms: u64) -> AnalysisRequest {
        let (most_time, most_depth) = analyst.max_limits();
        let time = Duration::from_millis(self.time.unwrap_or(default_ms));
        AnalysisRequest {
            time: time.min(most_time),
            depth: self.depth.unwrap_or(most_depth).min(most_depth),
            lines: self.lines.unwrap_or(1),
        }
    }
}

fn analysis(ply: usize, position: &Position, lines: &[AnalysisLine]) -> Analysis {
    let depth = lines.first().map_or(0, |line| line.depth);
    let nodes = lines.iter().map(|line| line.nodes).sum();
    let lines = lines.iter().map(|line| (line.score, &line.moves[..]));
    Analysis::new(ply, position, depth, nodes, lines)
}
