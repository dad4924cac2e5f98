//! Games as PDN text, for the page to show.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::response::Response;
use checkers_lib::pdn::{Annotation, Comment, Games, Line, PdnError, PdnGame};
use checkers_lib::protocol::PlayedMove;
use checkers_lib::{DrawRules, Game, Move, Numbering, Position};
use position_api::{Detail, Mistake};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tracing::warn;

use super::json;
use super::problem::{Problem, ProblemCode};
use super::query::Parameters;
use super::types::{ImportedGame, ImportedMove, ListedGame};
use crate::http::HttpState;

/// The longest text, in bytes.
const MAX_TEXT: usize = 10_000_000;

/// A text may take this many times the handshake timeout to arrive.
const SLOWNESS: u32 = 6;

/// The number of games that are read from a text.
const MAX_GAMES: usize = 20_000;

/// The number of moves of a game that can be returned, variations included.
const MAX_MOVES: usize = 5_000;

/// The texts that are in memory at a time; others wait.
static TEXTS: Semaphore = Semaphore::const_new(16);

/// The texts that are parsed at a time; others wait.
static PARSERS: Semaphore = Semaphore::const_new(1);

/// Which game of the text to return.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct ImportQuery {
    /// Its number, counted from 1; by default the first that can be read.
    #[cfg_attr(test, schemars(range(min = 1, max = MAX_GAMES)))]
    game: Option<usize>,
    /// The square with the number 1, where squares are numbers; by default the one of the game type, or
    /// the one that fits the moves.
    numbers: Option<FirstSquare>,
}

/// The square that has the number 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
enum FirstSquare {
    A1,
    G1,
    B8,
    H8,
}

impl From<FirstSquare> for Numbering {
    fn from(first: FirstSquare) -> Numbering {
        match first {
            FirstSquare::A1 => Numbering::FromA1,
            FirstSquare::G1 => Numbering::FromG1,
            FirstSquare::B8 => Numbering::FromB8,
            FirstSquare::H8 => Numbering::FromH8,
        }
    }
}

/// `POST /api/pdn`: the games of the text in the body, and one of them with its moves. A FEN is read as a
/// game without moves.
pub(super) async fn read(
    State(shared): State<Arc<HttpState>>,
    Parameters(query): Parameters<ImportQuery>,
    request: Request,
) -> Result<Response, Problem> {
    let too_large = || {
        let message = format!("a text has at most {MAX_TEXT} bytes");
        Problem::new(ProblemCode::TooLarge, message)
    };
    let late = || Problem::new(ProblemCode::BadPdn, "the text did not arrive in time");
    let busy = || Problem::new(ProblemCode::Busy, "texts cannot be read now");
    let _text = TEXTS.acquire().await.map_err(|_closed| busy())?;
    let body = to_bytes(request.into_body(), MAX_TEXT);
    let body = timeout(SLOWNESS * shared.config.handshake_timeout, body).await;
    let bytes = body.map_err(|_elapsed| late())?;
    let bytes = bytes.map_err(|_error| too_large())?;
    let _parser = PARSERS.acquire().await.map_err(|_closed| busy())?;
    let game = spawn_blocking(move || {
        let text = std::str::from_utf8(&bytes)
            .map_err(|_error| Problem::new(ProblemCode::BadPdn, "expected text in UTF-8"))?;
        import(text, query)
    });
    let game = game.await.map_err(|error| {
        warn!(%error, "a text could not be read");
        busy()
    })?;
    Ok(json(&game?))
}

fn import(text: &str, query: ImportQuery) -> Result<ImportedGame, Problem> {
    let numbering = query.numbers.map(Numbering::from);
    if is_fen(text) {
        let position = match numbering {
            Some(numbering) => Position::from_numbered_fen(text.trim(), numbering),
            None => text.trim().parse(),
        };
        return Ok(imported(&PdnGame::new(position.map_err(Mistake::from)?)));
    }
    let mut games = Games::new(text);
    if let Some(numbering) = numbering {
        games = games.numbering(numbering);
    }
    let mut list = Vec::new();
    let mut wanted: Option<(usize, Result<PdnGame, PdnError>)> = None;
    let mut from = 0;
    while list.len() < MAX_GAMES
        && let Some(game) = games.next()
    {
        let to = games.offset();
        let number = list.len() + 1;
        list.push(listed(&game, from..to));
        from = to;
        let is_better = match (&wanted, query.game) {
            (None, None) => true,
            (Some((_, Err(_))), None) => game.is_ok(),
            (Some((_, Ok(_))), None) => false,
            (_, Some(wanted)) => wanted == number,
        };
        if is_better {
            wanted = Some((number, game));
        }
    }
    let Some((number, game)) = wanted else {
        let code = match query.game {
            Some(_) if !list.is_empty() => ProblemCode::NotFound,
            Some(_) | None => ProblemCode::BadPdn,
        };
        let nothing = Problem::new(code, "there is no such game in the text");
        return Err(nothing.about(Detail::NoGame));
    };
    let game = game?;
    let moves = count(&game.line);
    if moves > MAX_MOVES {
        let message =
            format!("the game has {moves} moves, and at most {MAX_MOVES} can be returned");
        return Err(Problem::new(ProblemCode::TooLarge, message));
    }
    Ok(ImportedGame {
        game: number,
        games: list.len(),
        list,
        is_cut_short: games.next().is_some(),
        ..imported(&game)
    })
}

/// Whether the text begins like a FEN, as no game does.
fn is_fen(text: &str) -> bool {
    let after_side = text.trim_start().strip_prefix(['W', 'w', 'B', 'b']);
    let is_position = |rest: &str| {
        rest.trim_start()
            .strip_prefix(':')
            .is_some_and(|rest| rest.trim_start().starts_with(['W', 'w', 'B', 'b']))
    };
    after_side.is_some_and(is_position)
}

fn listed(game: &Result<PdnGame, PdnError>, bytes: std::ops::Range<usize>) -> ListedGame {
    let tag = |name| {
        let game = game.as_ref().ok()?;
        game.tags
            .get(name)
            .filter(|&value| value != "?")
            .map(str::to_owned)
    };
    ListedGame {
        from: bytes.start,
        to: bytes.end,
        white: tag("White"),
        black: tag("Black"),
        event: tag("Event"),
        date: tag("Date").filter(|date| !date.starts_with('?')),
        result: game.as_ref().ok().map(|game| game.result.to_string()),
        plies: game.as_ref().ok().map(|game| game.moves().len()),
        problem: game.as_ref().err().cloned().map(Problem::from),
    }
}

/// The game as the only one of its text.
fn imported(game: &PdnGame) -> ImportedGame {
    let tag = |name| game.tags.get(name).map(str::to_owned);
    let mut tree = Vec::new();
    add_line(&game.line, None, (0, 0), &mut tree);
    ImportedGame {
        white: tag("White"),
        black: tag("Black"),
        result: game.result.to_string(),
        start_fen: game.start().to_string(),
        moves: moves(&game.line),
        games: 1,
        game: 1,
        list: Vec::new(),
        is_cut_short: false,
        tags: tags(game),
        comment: text(&game.line.comment),
        tree,
    }
}

fn tags(game: &PdnGame) -> BTreeMap<String, String> {
    let known = game
        .tags
        .iter()
        .filter(|(_, value)| !value.starts_with('?'));
    known
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

fn count(line: &Line) -> usize {
    let moves = line.moves().iter();
    moves
        .map(|played| 1 + played.variations().iter().map(count).sum::<usize>())
        .sum()
}

/// The moves, each with its first route. PDN may continue where a game is drawn by a rule.
fn moves(line: &Line) -> Vec<PlayedMove> {
    let mut position = line.start().clone();
    let moves = (0..).zip(line.moves());
    moves
        .filter_map(|(ply, played)| {
            let shown = played_move(&position, ply, played.m)?;
            position.play_unchecked(played.m);
            Some(shown)
        })
        .collect()
}

fn played_move(position: &Position, ply: u32, m: Move) -> Option<PlayedMove> {
    let before = Game::from_position(position.clone(), DrawRules::default());
    let route = m.routes(position).into_iter().next()?;
    Some(PlayedMove {
        ply,
        ..PlayedMove::new(&before, m, &route, 0)
    })
}

/// Adds a line that begins at the node `parent`, which is `ply` plies into the game. A move comes before
/// its variations, so the first child of a node is the move that was played.
fn add_line(
    line: &Line,
    mut comment: Option<String>,
    (mut parent, mut ply): (usize, u32),
    tree: &mut Vec<ImportedMove>,
) {
    let mut position = line.start().clone();
    for played in line.moves() {
        let Some(shown) = played_move(&position, ply, played.m) else {
            return;
        };
        let Annotation {
            nags,
            comment: after,
        } = &played.annotation;
        tree.push(ImportedMove {
            parent,
            played: shown,
            nags: nags.iter().map(|nag| nag.0).collect(),
            before: comment.take(),
            comment: text(after),
            clock_ms: (after.clock()).and_then(|clock| clock.as_millis().try_into().ok()),
        });
        let here = tree.len();
        for variation in played.variations() {
            add_line(variation, text(&variation.comment), (parent, ply), tree);
        }
        position.play_unchecked(played.m);
        (parent, ply) = (here, ply + 1);
    }
}

fn text(comment: &Comment) -> Option<String> {
    (!comment.text().is_empty()).then(|| comment.text().to_owned())
}
