//! Finished games.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use checkers_lib::protocol::GameRecord;
use event_store::{ArchiveFilter, ArchivedGame, ReadError, Store, StreamId, all_games};
use futures::{Stream, StreamExt};
use hyper::HeaderMap;
use hyper::header;
use tracing::warn;

use super::problem::{Problem, ProblemCode};
use super::query::{GamesQuery, InPath, Parameters};
use super::types::{GameList, GameSummary};
use super::{archive, json, pdn};
use crate::http::{HttpState, as_file, listed, with_header};
use crate::table::CompactRecord;
use crate::tournaments::Records;

/// The media type of PDN, which other draughts servers use too.
pub(super) const PDN: &str = "application/x-draughts-pdn; charset=utf-8";

/// The games of a query are counted up to this number.
const MAX_COUNT: u32 = 10_000;

/// `GET /api/games`: a page of the games that match the query.
pub(super) async fn list(
    State(shared): State<Arc<HttpState>>,
    Parameters(query): Parameters<GamesQuery>,
) -> Result<Response, Problem> {
    let (filter, after, limit) = (query.filter()?, query.place()?, query.limit());
    let archive = archive(&shared)?;
    let page = archive.games(filter.clone(), after, limit).await?;
    let count = match (after, &page.next) {
        (Some(_), _) => None,
        (None, None) => u32::try_from(page.games.len()).ok(),
        (None, Some(_)) => Some(archive.count(filter, MAX_COUNT).await?),
    };
    Ok(json(&GameList {
        games: page.games.iter().filter_map(summary).collect(),
        next: page.next.map(|next| next.to_string()),
        count,
    }))
}

/// The summary of a game; `None` if its document cannot be read.
fn summary(game: &ArchivedGame) -> Option<GameSummary> {
    match CompactRecord::read_head(&game.summary.document) {
        Ok(record) => Some(GameSummary::new(record, game.summary.plies)),
        Err(error) => {
            warn!(game = %game.stream, %error, "the game's document cannot be read");
            None
        }
    }
}

/// `GET /api/games/{id}`: a game with its moves, as JSON; as PDN if the id ends in `.pdn` or `Accept`
/// prefers it.
pub(super) async fn one(
    State(shared): State<Arc<HttpState>>,
    InPath(id): InPath,
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
        as_pdn(pdn::text(&game, host(&headers))?)
    } else {
        json(&game)
    };
    Ok(with_header(answer, header::VARY, "Accept"))
}

/// `GET /api/games.pdn`: all games that match the query, the latest first, streamed; those of a tournament with its
/// name and with corrected results.
pub(super) async fn export(
    State(shared): State<Arc<HttpState>>,
    Parameters(query): Parameters<GamesQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (archive, filter) = (archive(&shared)?, query.filter()?);
    let tournament = match (&shared.tournaments, &filter.event) {
        (Some(tournaments), Some(event)) => tournaments.records_of(event).await?,
        _ => None,
    };
    let file = tournament.as_ref().map(|tournament| tournament.id.event());
    let texts = as_pdn_texts(archive, filter, headers, tournament);
    let answer = with_header(
        Response::new(Body::from_stream(texts)),
        header::CONTENT_TYPE,
        PDN,
    );
    let file = file.as_deref().unwrap_or("games");
    Ok(as_file(answer, &format!("{file}.pdn")))
}

/// All games of a player, as PDN.
pub(super) fn games_of(
    shared: &HttpState,
    player: &str,
    headers: &HeaderMap,
) -> Result<impl Stream<Item = Result<Bytes, ReadError>> + Send + use<>, Problem> {
    let filter = ArchiveFilter {
        player: Some(player.to_owned()),
        ..ArchiveFilter::default()
    };
    Ok(as_pdn_texts(
        archive(shared)?,
        filter,
        headers.clone(),
        None,
    ))
}

fn as_pdn_texts(
    archive: Arc<dyn Store>,
    filter: ArchiveFilter,
    headers: HeaderMap,
    tournament: Option<Records>,
) -> impl Stream<Item = Result<Bytes, ReadError>> + Send {
    all_games(archive, filter).map(move |game| {
        let host = host(&headers);
        game.map(|game| Bytes::from(exported(&game, host, tournament.as_ref())))
    })
}

/// A game and a blank line. One that cannot be read becomes an escape line, which readers skip.
fn exported(game: &ArchivedGame, host: Option<&str>, tournament: Option<&Records>) -> String {
    let text = record(game).and_then(|mut record| {
        if let Some(tournament) = tournament {
            tournament.complete(&mut record);
        }
        pdn::text(&record, host)
    });
    match text {
        Ok(text) => text + "\n",
        Err(_) => format!("% {} cannot be read\n\n", game.stream),
    }
}

/// The name by which the client knows this server.
fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

fn record(game: &ArchivedGame) -> Result<GameRecord, Problem> {
    CompactRecord::read(&game.summary.document).map_err(|error| {
        warn!(game = %game.stream, %error, "the game's document cannot be read");
        let message = format!("the stored game {} cannot be read", game.stream);
        Problem::new(ProblemCode::Damaged, message)
    })
}

fn as_pdn(text: String) -> Response {
    with_header(Response::new(Body::from(text)), header::CONTENT_TYPE, PDN)
}

/// Whether `Accept` prefers PDN to JSON: the one with the higher weight, or the first of equals.
///
/// CITE: RFC 9110, section 12.5.1, for the weights.
fn prefers_pdn(headers: &HeaderMap) -> bool {
    let mut most = (0.0, false);
    for wanted in listed(headers, header::ACCEPT) {
        let mut parts = wanted.split(';').map(str::trim);
        let is_pdn = match parts.next() {
            Some("application/x-draughts-pdn" | "text/pdn") => true,
            Some("application/json" | "*/*") => false,
            _ => continue,
        };
        let weight = parts.find_map(|part| part.strip_prefix("q="));
        let weight = weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        if weight > most.0 {
            most = (weight, is_pdn);
        }
    }
    most.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_media_type_is_chosen() {
        let pdn = "application/x-draughts-pdn";
        for (accept, expected) in [
            (pdn.to_owned(), true),
            (format!("{pdn}, application/json"), true),
            (format!("application/json, {pdn}"), false),
            (format!("application/json; q=0.1, {pdn}"), true),
            (format!("{pdn};q=0.2, */*"), false),
            (format!("{pdn};q=0"), false),
            (format!("{pdn};q=much"), false),
            ("text/html, */*".to_owned(), false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            assert_eq!(prefers_pdn(&headers), expected, "{accept}");
        }
        assert!(!prefers_pdn(&HeaderMap::new()));
    }
}
