//! Positions and games to analyse.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use checkers_lib::pdn::{Games, Numbering, PdnError, PdnErrorKind, PdnGame};
use checkers_lib::{DrawRules, Game, Move};
use encoding_rs::{UTF_8, WINDOWS_1251};

use super::Args;
use crate::failure::LabFailure;
use crate::numbers::{HINT, fen_reason, read_position};

/// The positions of the arguments, each as a game that begins there.
///
/// # Errors
/// When one is no position, or the file cannot be read.
pub(super) fn positions(args: &Args) -> Result<Vec<Game>, LabFailure> {
    if let Some(fen) = &args.fen {
        let position = read_position(fen.trim(), args.numbers_from);
        let position = position.map_err(|error| LabFailure::Position {
            reason: fen_reason(&error),
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
            let position = read_position(line, args.numbers_from);
            let position = position.map_err(|error| LabFailure::Content {
                path: path.clone(),
                reason: format!("line {number}: {}", fen_reason(&error)),
            })?;
            Ok(Game::from_position(position, DrawRules::Fmjd64))
        })
        .collect()
}

/// The moves of a position to choose among; none are all.
///
/// # Errors
/// When one is no legal move.
pub(super) fn moves(args: &Args, game: &Game) -> Result<Vec<Move>, LabFailure> {
    let read = |text: &String| {
        let position = game.position();
        (position.parse_move(text)).map_err(|error| LabFailure::Searchmoves {
            reason: format!("{text:?}: {error}"),
        })
    };
    args.searchmoves.iter().map(read).collect()
}

/// The games of a file in its order, and what is wrong with those that are none.
///
/// # Errors
/// When the file cannot be read, or no game in it.
pub(crate) fn games(
    path: &Path,
    numbering: Option<Numbering>,
) -> Result<Vec<Result<PdnGame, PdnError>>, LabFailure> {
    let text = read(path)?;
    let games = Games::new(&text);
    let games: Vec<_> = match numbering {
        Some(numbering) => games.numbering(numbering).collect(),
        None => games.collect(),
    };
    if games.iter().any(Result::is_ok) {
        return Ok(games);
    }
    let first = games.into_iter().find_map(Result::err);
    Err(LabFailure::Content {
        path: path.to_owned(),
        reason: first
            .as_ref()
            .map_or_else(|| "there is no game in it".to_owned(), describe),
    })
}

/// What is wrong with a game, and which option would help.
pub(super) fn describe(error: &PdnError) -> String {
    match error.kind {
        PdnErrorKind::Numbers(_) => format!("{error}: {HINT}"),
        _ => error.to_string(),
    }
}

fn read(path: &Path) -> Result<String, LabFailure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|source| LabFailure::ReadFile {
        path: path.to_owned(),
        source,
    })?;
    Ok(decoded(&bytes))
}

/// The text of a file: UTF-8, or Windows-1251, which older Russian programs write. A byte order
/// mark may precede either and is no part of the text.
fn decoded(bytes: &[u8]) -> String {
    let encoding = match str::from_utf8(bytes) {
        Ok(_) => UTF_8,
        Err(_) => WINDOWS_1251,
    };
    let (text, ..) = encoding.decode(bytes);
    text.into_owned()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn names_are_read_in_the_encodings_that_files_come_in() {
        let name = "[White \"Аня\"]";
        let utf_16: Vec<u8> = (name.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        for bytes in [
            name.as_bytes(),
            &[b"\xef\xbb\xbf", name.as_bytes()].concat(),
            b"[White \"\xc0\xed\xff\"]",
            &[b"\xff\xfe", &utf_16[..]].concat(),
        ] {
            assert_eq!(decoded(bytes), name, "{bytes:?}");
        }
    }
}
