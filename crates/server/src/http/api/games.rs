//! Finished games.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::response::Response;
use checkers_lib::protocol::GameRecord;
use futures::StreamExt;
use hyper::HeaderMap;
use hyper::header;
use tracing::warn;

use super::problem::{Problem, ProblemCode};
use super::query::{GamesQuery, Parameters};
use super::types::{GameList, GameSummary};
use super::{archive, json, pdn};
use crate::http::{Shared, listed, with_header};
use crate::store::{ArchivedGame, StreamId};
use crate::table::KeptGame;

/// The media type of PDN, by which other servers of the game know it too.
pub(super) const PDN: &str = "application/x-draughts-pdn; charset=utf-8";

/// `GET /api/games`: a page of the games that are wanted.
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Parameters(query): Parameters<GamesQuery>,
) -> Result<Response, Problem> {
    let (filter, after, limit) = (query.filter()?, query.place()?, query.limit()?);
    let page = archive(&shared)?.games(filter, after, limit).await?;
    let games = page.games.iter().map(record);
    let games: Result<Vec<GameSummary>, Problem> = games.map(|game| Ok(game?.into())).collect();
    Ok(json(&GameList {
        games: games?,
        next: page.next.map(|next| next.to_string()),
    }))
}

/// `GET /api/games/{id}`: a game with its moves, as JSON; as PDN if the id ends in `.pdn` or the
/// request asks for that.
pub(super) async fn one(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (id, is_named) = match id.strip_suffix(".pdn") {
        Some(id) => (id, true),
        None => (&*id, false),
    };
    let no_game = || Problem::new(ProblemCode::NotFound, format!("no finished game {id:?}"));
    let stream: StreamId = id.parse().map_err(|_| no_game())?;
    let game = archive(&shared)?.game(stream).await?.ok_or_else(no_game)?;
    let game = record(&game)?;
    let answer = if is_named || prefers_pdn(&headers) {
        as_pdn(pdn::text(&game)?)
    } else {
        json(&game)
    };
    Ok(with_header(answer, header::VARY, "Accept"))
}

/// `GET /api/games.pdn`: all games that are wanted, the latest first, read as they are sent.
pub(super) async fn export(
    State(shared): State<Arc<Shared>>,
    Parameters(query): Parameters<GamesQuery>,
) -> Result<Response, Problem> {
    if query.cursor.is_some() || query.limit.is_some() {
        let message = "an export has no pages: neither cursor nor limit";
        return Err(Problem::new(ProblemCode::BadQuery, message));
    }
    let games = archive(&shared)?.all_games(query.filter()?);
    let texts = games.map(|game| game.map(|game| Bytes::from(exported(&game))));
    let answer = with_header(
        Response::new(Body::from_stream(texts)),
        header::CONTENT_TYPE,
        PDN,
    );
    let attachment = "attachment; filename=\"games.pdn\"";
    Ok(with_header(answer, header::CONTENT_DISPOSITION, attachment))
}

/// A game and a blank line. One that cannot be read becomes an escape line, which readers skip.
fn exported(game: &ArchivedGame) -> String {
    match record(game).and_then(|record| pdn::text(&record)) {
        Ok(text) => text + "\n",
        Err(_) => format!("% {} cannot be read\n\n", game.stream),
    }
}

/// What is kept of a game.
fn record(game: &ArchivedGame) -> Result<GameRecord, Problem> {
    KeptGame::read(&game.summary.document).map_err(|error| {
        warn!(game = %game.stream, %error, "the game's document cannot be read");
        let message = format!("what is kept of {} cannot be read", game.stream);
        Problem::new(ProblemCode::Damaged, message)
    })
}

fn as_pdn(text: String) -> Response {
    with_header(Response::new(Body::from(text)), header::CONTENT_TYPE, PDN)
}

/// Whether PDN is asked for before JSON.
fn prefers_pdn(headers: &HeaderMap) -> bool {
    let mut types = listed(headers, header::ACCEPT)
        .map(|wanted| wanted.split(';').next().unwrap_or_default().trim());
    types.find_map(|wanted| match wanted {
        "application/x-draughts-pdn" | "text/pdn" => Some(true),
        "application/json" | "*/*" => Some(false),
        _ => None,
    }) == Some(true)
}
