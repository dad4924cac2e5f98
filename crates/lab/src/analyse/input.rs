//! Positions and games to analyse.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use checkers_lib::pdn::{Games, PdnGame};
use checkers_lib::{DrawRules, Game, Position};

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

/// The games of a file.
///
/// # Errors
/// When it cannot be read, or a game in it.
pub(super) fn games(path: &Path) -> Result<Vec<PdnGame>, Failure> {
    let text = read(path)?;
    let games: Result<Vec<PdnGame>, _> = Games::new(&text).collect();
    games.map_err(|error| Failure::Content {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    text.map_err(|source| Failure::ReadFile {
        path: path.to_owned(),
        source,
    })
}
