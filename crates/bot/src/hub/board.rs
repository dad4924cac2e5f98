//! Positions and moves in the protocol's words.
//!
//! Squares are numbers from 1 = b8 to 32 = g1. A position is the side to move, `W` or `B`, and a
//! letter for each square: `w` and `b` men, `W` and `B` kings, `e` nothing. A move is `22-18`, or
//! `22x15x18`: from, to, and every captured square in any order, so that it is unambiguous.

use checkers_lib::pdn::Numbering;
use checkers_lib::{Bitboard, Color, Move, Position, Setup, SetupError, Square};

const NUMBERING: Numbering = Numbering::FromB8;

/// Errors quote at most this many characters of a text.
const SHOWN: usize = 80;

/// Writes a position: 33 characters.
pub(crate) fn position_text(position: &Position) -> String {
    let turn = match position.turn() {
        Color::White => 'W',
        Color::Black => 'B',
    };
    let squares = (1..=32).filter_map(|number| NUMBERING.square(number));
    let letters = squares.map(|square| letter(position, square));
    [turn].into_iter().chain(letters).collect()
}

fn letter(position: &Position, square: Square) -> char {
    let setup = position.setup();
    if setup.men.white.contains(square) {
        'w'
    } else if setup.kings.white.contains(square) {
        'W'
    } else if setup.men.black.contains(square) {
        'b'
    } else if setup.kings.black.contains(square) {
        'B'
    } else {
        'e'
    }
}

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PositionError {
    #[error("a position has 33 characters, this one {0}")]
    Length(usize),
    #[error("a position begins with W or B, not with {0:?}")]
    Turn(char),
    #[error("{letter:?} on square {number}: expected w, b, W, B or e")]
    Letter { letter: char, number: u8 },
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// Reads a position.
///
/// # Errors
/// What is no position, and what breaks a rule of the board: too many pieces, or a man on its last
/// row.
pub(crate) fn parse_position(text: &str) -> Result<Position, PositionError> {
    let mut letters = text.chars();
    let length = letters.clone().count();
    let turn = letters.next().ok_or(PositionError::Length(0))?;
    if length != 33 {
        return Err(PositionError::Length(length));
    }
    let mut setup = Setup::EMPTY;
    setup.turn = match turn {
        'W' => Color::White,
        'B' => Color::Black,
        other => return Err(PositionError::Turn(other)),
    };
    for (number, letter) in (1..).zip(letters) {
        let square = NUMBERING
            .square(number)
            .map_or(Bitboard::EMPTY, Bitboard::from);
        let pieces = match letter {
            'e' => continue,
            'w' => &mut setup.men.white,
            'b' => &mut setup.men.black,
            'W' => &mut setup.kings.white,
            'B' => &mut setup.kings.black,
            _ => return Err(PositionError::Letter { letter, number }),
        };
        *pieces |= square;
    }
    Ok(Position::from_setup(setup)?)
}

/// Writes a move.
pub(crate) fn move_text(m: Move) -> String {
    let number = |square| NUMBERING.number(square);
    let separator = if m.is_capture() { 'x' } else { '-' };
    let mut text = format!("{}{separator}{}", number(m.from()), number(m.to()));
    let mut captured: Vec<u8> = m.captured().into_iter().map(number).collect();
    captured.sort_unstable();
    for square in captured {
        text += &format!("x{square}");
    }
    text
}

/// Writes moves with spaces between them.
pub(crate) fn moves_text(moves: &[Move]) -> String {
    let texts: Vec<String> = moves.iter().map(|&m| move_text(m)).collect();
    texts.join(" ")
}

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum MoveError {
    #[error("{0:?} is no move such as 22-18 or 22x15x18")]
    Syntax(String),
    #[error("{0} is not a legal move here")]
    Illegal(String),
    #[error("{0} is ambiguous: it names {1} moves; name the captured squares")]
    Ambiguous(String, usize),
}

/// Reads a legal move of a position. A capture that is the only one from here to there may be
/// without its captured squares.
///
/// # Errors
/// A text that is no move, that names none which is legal here, or several.
pub(crate) fn parse_move(position: &Position, text: &str) -> Result<Move, MoveError> {
    let shown = || text.chars().take(SHOWN).collect::<String>();
    let named = Named::parse(text).ok_or_else(|| MoveError::Syntax(shown()))?;
    let legal = position.legal_moves();
    let fitting: Vec<&Move> = legal.iter().filter(|&&m| named.fits(m)).collect();
    match fitting[..] {
        [&m] => Ok(m),
        [] => Err(MoveError::Illegal(shown())),
        _ => Err(MoveError::Ambiguous(shown(), fitting.len())),
    }
}

/// What a text says of a move.
struct Named {
    from: Square,
    to: Square,
    is_capture: bool,
    /// Empty if nothing is said about it.
    captured: Bitboard,
}

impl Named {
    fn parse(text: &str) -> Option<Named> {
        let is_capture = text.contains('x');
        let separator = if is_capture { 'x' } else { '-' };
        let squares: Option<Vec<Square>> = text.split(separator).map(square).collect();
        match &squares?[..] {
            [from, to, captured @ ..] if is_capture || captured.is_empty() => Some(Named {
                from: *from,
                to: *to,
                is_capture,
                captured: captured.iter().copied().collect(),
            }),
            _ => None,
        }
    }

    fn fits(&self, m: Move) -> bool {
        m.from() == self.from
            && m.to() == self.to
            && m.is_capture() == self.is_capture
            && (self.captured.is_empty() || m.captured() == self.captured)
    }
}

fn square(digits: &str) -> Option<Square> {
    let is_decimal = digits.bytes().all(|byte| byte.is_ascii_digit());
    NUMBERING.square(digits.parse().ok().filter(|_| is_decimal)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkers_lib::{DrawRules, Game};
    use proptest::prelude::*;

    fn position(fen: &str) -> Position {
        fen.parse().unwrap()
    }

    fn moves(fen: &str) -> Vec<String> {
        let position = position(fen);
        let mut moves: Vec<String> = position.legal_moves().into_iter().map(move_text).collect();
        moves.sort();
        moves
    }

    #[test]
    fn the_start_is_written_from_b8_to_g1() {
        let text = format!("W{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
        assert_eq!(position_text(&Position::start()), text);
        assert_eq!(parse_position(&text), Ok(Position::start()));
    }

    #[test]
    fn every_piece_stands_on_the_square_of_its_number() {
        for (number, name) in [(1, "b8"), (4, "h8"), (5, "a7"), (29, "a1"), (32, "g1")] {
            let mut text = ['e'; 33];
            text[0] = 'B';
            text[number] = 'W';
            let text: String = text.into_iter().collect();
            let found = parse_position(&text).unwrap();
            assert_eq!(found, position(&format!("B:WK{name}:B")), "{number}");
            assert_eq!(position_text(&found), text);
        }
    }

    #[test]
    fn an_invalid_position_is_reported() {
        let start = position_text(&Position::start());
        for (text, reported) in [
            (String::new(), "33 characters"),
            (start.clone() + "e", "this one 34"),
            (start.replacen('W', "w", 1), "begins with W or B"),
            (start.replacen('e', "x", 1), "'x' on square 13"),
            (start.replacen('e', "é", 1), "on square 13"),
            (start.replacen('e', "w", 1), "white"),
            (start.replacen("bbb", "wbb", 1).replace("ww", "we"), "b8"),
        ] {
            let error = parse_position(&text)
                .unwrap_err()
                .to_string()
                .to_lowercase();
            assert!(error.contains(&reported.to_lowercase()), "{text}: {error}");
        }
    }

    #[test]
    fn a_capture_names_what_it_captures() {
        assert_eq!(moves("W:Wc3:Ba7"), ["22-17", "22-18"]);
        assert_eq!(moves("W:Wc3:Bd4"), ["22x15x18"]);
        // d6:f8:h6, a king from f8 on.
        assert_eq!(moves("W:Wd6:Be7,g7"), ["10x12x7x8"]);
        // c3 round and back, by either way.
        assert_eq!(moves("W:Wc3:Bb4,b6,d4,d6"), ["22x22x9x10x17x18"]);
    }

    #[test]
    fn captures_with_the_same_ends_are_distinguished() {
        // To e7 by a3 or by e3, or round to c1.
        let fen = "W:Wc1:Bb2,b4,d2,d4,d6";
        let texts = ["30x30x17x18x25x26", "30x7x10x17x25", "30x7x10x18x26"];
        assert_eq!(moves(fen), texts);
        for text in texts {
            let m = parse_move(&position(fen), text).unwrap();
            assert_eq!(move_text(m), text);
        }
        let ambiguous = MoveError::Ambiguous("30x7".to_owned(), 2);
        assert_eq!(parse_move(&position(fen), "30x7"), Err(ambiguous));
    }

    #[test]
    fn captured_squares_come_in_any_order_or_not_at_all() {
        let board = position("W:Wc3:Bd4,d6");
        let m = board.legal_moves()[0];
        for text in ["22x6x10x18", "22x6x18x10", "22x6", "022x06"] {
            assert_eq!(parse_move(&board, text), Ok(m), "{text}");
        }
        for text in ["22x6x10", "22-6", "22x6x10x18x9"] {
            let illegal = MoveError::Illegal(text.to_owned());
            assert_eq!(parse_move(&board, text), Err(illegal));
        }
    }

    #[test]
    fn an_invalid_move_is_reported() {
        let start = Position::start();
        for text in [
            "", "22", "22-", "22-18-15", "33-29", "0-5", "+22-18", "22–18", "c3-d4",
        ] {
            let error = parse_move(&start, text).unwrap_err();
            assert_eq!(error, MoveError::Syntax(text.to_owned()));
        }
        let endless = "1x".repeat(40_000);
        let error = parse_move(&start, &endless).unwrap_err();
        assert!(error.to_string().len() < 200);
    }

    /// The positions of a game of random moves.
    fn walk(choices: &[u16]) -> Vec<Position> {
        let mut game = Game::new(DrawRules::Fmjd64);
        for &choice in choices {
            let legal = game.legal_moves();
            let Some(&m) = legal.get(usize::from(choice) % legal.len().max(1)) else {
                break;
            };
            game.play(m).unwrap();
        }
        game.positions().to_vec()
    }

    proptest! {
        #[test]
        fn positions_and_moves_are_read_back(choices in prop::collection::vec(any::<u16>(), 0..120)) {
            for position in walk(&choices) {
                prop_assert_eq!(parse_position(&position_text(&position)), Ok(position.clone()));
                for &m in &position.legal_moves() {
                    prop_assert_eq!(parse_move(&position, &move_text(m)), Ok(m));
                }
            }
        }

        #[test]
        fn any_board_is_read_back(letters in "[WB][wbWBe]{32}") {
            if let Ok(position) = parse_position(&letters) {
                prop_assert_eq!(position_text(&position), letters);
                for &m in &position.legal_moves() {
                    prop_assert_eq!(parse_move(&position, &move_text(m)), Ok(m));
                }
            }
        }

        #[test]
        fn no_text_is_too_odd(position in any::<String>(), m in "[0-9x:-]{0,12}") {
            let _ = parse_position(&position);
            let _ = parse_move(&Position::start(), &m);
        }
    }
}
