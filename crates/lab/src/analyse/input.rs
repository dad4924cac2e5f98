//! Positions and games to analyse.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use checkers_lib::pdn::{Games, PdnGame};
use checkers_lib::{DrawRules, Game, Move, Position};

use super::Args;
use crate::failure::Failure;

/// The positions of the arguments, each as a game that begins there.
///
/// # Errors
/// When one is no position, or the file cannot be read.
pub(super) fn positions(args: &Args) -> Result<Vec<Game>, Failure> {
    if let Some(fen) = &args.fen {
        let position: Position = fen.trim().parse().map_err(|error| Failure::Position {
            reason: format!("{error}"),
        })?;
        return Ok(vec![Game::from_position(position, DrawRules::Fmjd64)]);
    }
    let Some(path) = &args.fens else {
        return Ok(Vec::new());
    };
    let text = read(path)?;
    let lines = text.lines().enumerate();
    let lines = lines.map(|(i, line)| (i + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let position = line.parse().map_err(|error| Failure::Content {
                path: path.clone(),
                reason: format!("line {number}: {error}"),
            })?;
            Ok(Game::from_position(position, DrawRules::Fmjd64))
        })
        .collect()
}

/// The moves of a position to choose among; none are all.
///
/// # Errors
/// When one is no legal move.
pub(super) fn moves(args: &Args, game: &Game) -> Result<Vec<Move>, Failure> {
    let read = |text: &String| {
        let position = game.position();
        (position.parse_move(text)).map_err(|error| Failure::Searchmoves {
            reason: format!("{text:?}: {error}"),
        })
    };
    args.searchmoves.iter().map(read).collect()
}

/// The games of a file, up to the first that cannot be read, and whether those are all.
///
/// # Errors
/// When the file cannot be read, or no game in it.
pub(super) fn games(path: &Path) -> Result<(Vec<PdnGame>, Result<(), Failure>), Failure> {
    let text = read(path)?;
    let fail = |reason| Failure::Content {
        path: path.to_owned(),
        reason,
    };
    let mut games = Vec::new();
    for game in Games::new(&text) {
        match game {
            Ok(game) => games.push(game),
            Err(error) if games.is_empty() => return Err(fail(error.to_string())),
            Err(error) => return Ok((games, Err(fail(error.to_string())))),
        }
    }
    if games.is_empty() {
        return Err(fail("there is no game in it".to_owned()));
    }
    Ok((games, Ok(())))
}

fn read(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|source| Failure::ReadFile {
        path: path.to_owned(),
        source,
    })?;
    // Some editors begin a file with a mark that it is UTF-8.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}
