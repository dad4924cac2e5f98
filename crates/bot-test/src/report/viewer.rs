//! The games on a board: a script shows the positions that are computed here, and knows no rules.

use std::iter;

use checkers_lib::{Color, Piece, Position, Square};
use maud::{Markup, PreEscaped, html};

use crate::GameRecord;

const SCRIPT: &str = include_str!("viewer.js");

/// The board, which is hidden until a game is chosen.
pub(super) fn board() -> Markup {
    html! {
        div #viewer.viewer tabindex="0" role="group" aria-label="board; arrow keys move" hidden {
            svg viewBox="0 0 80 80" role="img" aria-label="" {
                rect.light width="80" height="80" {}
                g {}
            }
            p { output {} }
            p.buttons {
                button aria-label="first" { "«" } button aria-label="previous" { "‹" }
                button aria-label="next" { "›" } button aria-label="last" { "»" }
            }
        }
    }
}

/// The moves of a game, with its positions for the script.
pub(super) fn game(game: &GameRecord) -> Markup {
    html! {
        span data-game=(game.number) data-positions=(positions(game)) { (movetext(game)) }
    }
}

/// The script, after all that it works on.
pub(super) fn script() -> Markup {
    html! { script type="module" { (PreEscaped(SCRIPT)) } }
}

/// Each position of a game from the first on, square by square from a1 to h8.
fn positions(game: &GameRecord) -> String {
    let mut position = game.start.clone();
    let played = game.moves.iter().map(|played| {
        position.play_unchecked(played.m);
        squares(&position)
    });
    iter::once(squares(&game.start)).chain(played).collect()
}

fn squares(position: &Position) -> String {
    let letter = |square| match position.piece_at(square) {
        None => '.',
        Some(Piece { color, is_king }) => match (color, is_king) {
            (Color::White, false) => 'w',
            (Color::White, true) => 'W',
            (Color::Black, false) => 'b',
            (Color::Black, true) => 'B',
        },
    };
    Square::ALL.into_iter().map(letter).collect()
}

/// The moves of a game with their numbers: `1. c3-d4 f6-g5 2. …`.
fn movetext(game: &GameRecord) -> String {
    let first = usize::from(game.start.turn() == Color::Black);
    let moves = game.texts().enumerate().map(|(index, text)| {
        let ply = index + first;
        match (ply.is_multiple_of(2), index) {
            (true, _) => format!("{}. {text}", ply / 2 + 1),
            (false, 0) => format!("1… {text}"),
            (false, _) => text,
        }
    });
    moves.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use checkers_lib::protocol::{EndReason, GameResult};

    use super::*;
    use crate::fixtures;

    #[test]
    fn every_position_is_there() {
        let game = fixtures::game(1, GameResult::Draw, EndReason::Agreement);
        let positions = positions(&game);
        assert_eq!(positions.len(), 32 * (game.moves.len() + 1));
        let start = "wwwwwwwwwwww........bbbbbbbbbbbb";
        let moved = "wwwwwwwww.ww.w......bbbbbbbbbbbb";
        assert_eq!(positions[..32], *start);
        assert_eq!(positions[32..64], *moved);
    }

    #[test]
    fn the_script_is_small_and_does_not_end_itself() {
        assert!(SCRIPT.len() < 4096);
        assert!(!SCRIPT.contains("</script"));
    }
}
