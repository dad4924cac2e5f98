//! A game as PDN text, to be looked at.

use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::response::Response;
use checkers_lib::pdn::PdnGame;
use checkers_lib::protocol::PlayedMove;
use checkers_lib::{DrawRules, Game, pdn};
use tokio::time::timeout;

use super::detail::Detail;
use super::json;
use super::problem::{Problem, ProblemCode};
use super::types::ImportedGame;
use crate::http::Shared;

/// The longest text, in bytes.
const LONGEST: usize = 64 * 1024;

/// `POST /api/pdn`: the first game of the text in the body.
pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    request: Request,
) -> Result<Response, Problem> {
    let too_large = || {
        let message = format!("a text has at most {LONGEST} bytes");
        Problem::new(ProblemCode::TooLarge, message)
    };
    let late = || Problem::new(ProblemCode::BadPdn, "the text did not come in time");
    let body = to_bytes(request.into_body(), LONGEST);
    let body = timeout(shared.config.handshake_timeout, body).await;
    let bytes = body.map_err(|_elapsed| late())?;
    let bytes = bytes.map_err(|_error| too_large())?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|_error| Problem::new(ProblemCode::BadPdn, "expected text in UTF-8"))?;
    let games = pdn::parse(text)?;
    let Some(first) = games.first() else {
        let nothing = Problem::new(ProblemCode::BadPdn, "there is no game in the text");
        return Err(nothing.about(Detail::NoGame));
    };
    Ok(json(&imported(first, games.len())))
}

fn imported(game: &PdnGame, games: usize) -> ImportedGame {
    let tag = |name| game.tags.get(name).map(str::to_owned);
    ImportedGame {
        white: tag("White"),
        black: tag("Black"),
        result: game.result.to_string(),
        start_fen: game.start().to_string(),
        moves: moves(game),
        games,
    }
}

/// The moves, each with the first of its ways. PDN goes on where a game is drawn by a rule.
fn moves(game: &PdnGame) -> Vec<PlayedMove> {
    let mut position = game.start().clone();
    let moves = (0..).zip(game.moves());
    let played = moves.filter_map(|(ply, played)| {
        let before = Game::from_position(position.clone(), DrawRules::default());
        let route = played.m.routes(&position).into_iter().next()?;
        position.play_unchecked(played.m);
        Some(PlayedMove {
            ply,
            ..PlayedMove::new(&before, played.m, &route, 0)
        })
    });
    played.collect()
}
