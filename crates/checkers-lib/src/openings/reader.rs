//! Openings from a text.

use std::str::FromStr;

use super::{MOVES, Opening};
use crate::pdn::{Games, PdnError, PdnErrorKind, PdnGame, PdnResult};
use crate::{FenError, Move, Position};

/// How openings are written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// An opening on each line: moves, a FEN, or a FEN and moves.
    Lines,
    /// The games of a PDN text.
    Pdn,
}

impl Format {
    /// The format of a text, to judge by its looks: a line that begins with a tag, or a game's
    /// result as a word, makes it PDN.
    pub fn detect(text: &str) -> Format {
        let is_pdn_line = |line: &str| {
            let line = before_comment(line).trim_start_matches('\u{feff}');
            let line = split_name(line).map_or(line, |(_, rest)| rest);
            let mut words = line.split_whitespace();
            line.trim_start().starts_with('[')
                || words.any(|word| word.parse::<PdnResult>().is_ok())
        };
        if text.lines().any(is_pdn_line) {
            Format::Pdn
        } else {
            Format::Lines
        }
    }
}

/// Why openings could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningsError {
    /// A line or a game is not what it should be.
    #[error(transparent)]
    Text(#[from] PdnError),
    /// There is nothing left to play.
    #[error(
        "opening {number}, {opening}, leaves no move to be played: expected an earlier position"
    )]
    Over {
        /// Which of the openings, counted from 1.
        number: usize,
        /// The opening.
        opening: Box<Opening>,
    },
}

/// Reads all openings of a text in either format, from their first move to their last.
///
/// # Errors
/// What is wrong with the first opening that cannot be read.
pub fn parse(text: &str) -> Result<Vec<Opening>, OpeningsError> {
    Reader::default().parse(text)
}

/// Reads openings with options; by default as [`parse`] does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reader {
    format: Option<Format>,
    plies: Option<usize>,
}

impl Reader {
    /// Reads texts in this format instead of the one that they seem to have.
    #[must_use]
    pub fn format(self, format: Format) -> Reader {
        let format = Some(format);
        Reader { format, ..self }
    }

    /// Leaves out the moves after this many plies. They must be legal all the same.
    #[must_use]
    pub fn plies(self, plies: usize) -> Reader {
        let plies = Some(plies);
        Reader { plies, ..self }
    }

    /// The openings of a text, in its order; the same one may come several times.
    ///
    /// # Errors
    /// What is wrong with the first opening that cannot be read.
    pub fn parse(&self, text: &str) -> Result<Vec<Opening>, OpeningsError> {
        let games = match self.format.unwrap_or_else(|| Format::detect(text)) {
            Format::Lines => parse_lines(text)?,
            Format::Pdn => (Games::new(text))
                .map(|game| Ok(OpeningLine::unnamed(game?)))
                .collect::<Result<_, PdnError>>()?,
        };
        let openings = games.into_iter().map(|line| self.opening(line));
        (1..)
            .zip(openings)
            .map(|(number, opening)| refuse_the_end(number, opening))
            .collect()
    }

    fn opening(&self, OpeningLine { name, game }: OpeningLine) -> Opening {
        let mut opening = Opening::new(game.start().clone());
        opening.name = name;
        let plies = self.plies.unwrap_or(usize::MAX);
        opening.moves = game
            .moves()
            .iter()
            .take(plies)
            .map(|played| played.m)
            .collect();
        opening.position = play_all(game.start(), &opening.moves);
        opening
    }
}

impl FromStr for Opening {
    type Err = OpeningsError;

    /// Reads what an opening prints as, or any other form of such a line.
    fn from_str(line: &str) -> Result<Opening, OpeningsError> {
        let line = parse_line(1, before_comment(line))?;
        refuse_the_end(1, Reader::default().opening(line))
    }
}

/// What a line says.
struct OpeningLine {
    name: Option<String>,
    game: PdnGame,
}

impl OpeningLine {
    fn unnamed(game: PdnGame) -> OpeningLine {
        OpeningLine { name: None, game }
    }
}

fn play_all(start: &Position, legal_moves: &[Move]) -> Position {
    let mut position = start.clone();
    for &m in legal_moves {
        position.play_unchecked(m);
    }
    position
}

fn refuse_the_end(number: usize, opening: Opening) -> Result<Opening, OpeningsError> {
    if opening.position.is_lost() {
        let opening = Box::new(opening);
        return Err(OpeningsError::Over { number, opening });
    }
    Ok(opening)
}

fn parse_lines(text: &str) -> Result<Vec<OpeningLine>, PdnError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, before_comment(line)))
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| parse_line(number, line))
        .collect()
}

fn before_comment(line: &str) -> &str {
    line.split_once('#').map_or(line, |(content, _)| content)
}

fn parse_line(number: usize, line: &str) -> Result<OpeningLine, PdnError> {
    let (name, rest) = split_name(line).map_err(|error| on_line(number, 0, error))?;
    let before = line.chars().count() - rest.chars().count();
    let game = parse_played(rest).map_err(|error| on_line(number, before, error))?;
    let name = name.map(ToOwned::to_owned);
    Ok(OpeningLine { name, game })
}

/// The name in front of a line, and what follows it. No move and no FEN begins with its mark.
fn split_name(line: &str) -> Result<(Option<&str>, &str), PdnError> {
    const EXPECTED: &str = "a name such as \"Edge\", which is no number";
    let Some(quoted) = line.trim_start().strip_prefix('"') else {
        return Ok((None, line));
    };
    let (name, rest) = quoted.split_once('"').unwrap_or_default();
    let name = name.trim();
    if name.is_empty() || name.parse::<usize>().is_ok() {
        return Err(PdnError {
            line: 1,
            column: 1 + line.chars().take_while(|c| c.is_whitespace()).count(),
            kind: PdnErrorKind::Expected(EXPECTED),
        });
    }
    Ok((Some(name), rest))
}

/// What is played: moves, a FEN, or both.
fn parse_played(text: &str) -> Result<PdnGame, PdnError> {
    if !begins_like_fen(text) {
        return parse_moves(Position::start(), text).map_err(|error| on_line(1, 0, error));
    }
    let (fen, moves) = text.split_once(MOVES).unwrap_or((text, ""));
    let start: Position = fen.parse().map_err(fen_error)?;
    if fen == text {
        return Ok(PdnGame::new(start));
    }
    let before_moves = fen.chars().count() + MOVES.len();
    parse_moves(start, moves).map_err(|error| on_line(1, before_moves, error))
}

/// Whether a side to move and a colon follow; no move begins like that.
fn begins_like_fen(line: &str) -> bool {
    let after_side = line.trim_start().strip_prefix(['W', 'w', 'B', 'b']);
    after_side.is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// The one game that these moves are, read as PDN below a tag with the position.
fn parse_moves(start: Position, moves: &str) -> Result<PdnGame, PdnError> {
    const EXPECTED: &str = "moves such as c3-d4, or a FEN such as W:Wc3:Bd4, on each line";
    let tag = format!("[FEN \"{start}\"]");
    let text = format!("{tag}\n{moves}");
    let mut games = Games::new(&text);
    match (games.next().transpose()?, games.next()) {
        (Some(game), None) if !game.moves().is_empty() => Ok(game),
        _ => Err(PdnError {
            line: 2,
            column: 1 + moves.chars().take_while(|c| c.is_whitespace()).count(),
            kind: PdnErrorKind::Expected(EXPECTED),
        }),
    }
}

/// The error in its place: on this line, behind this many characters.
fn on_line(line: usize, before: usize, error: PdnError) -> PdnError {
    PdnError {
        line,
        column: before + error.column,
        kind: error.kind,
    }
}

fn fen_error(error: FenError) -> PdnError {
    let column = error.column().unwrap_or(1);
    PdnError {
        line: 1,
        column,
        kind: PdnErrorKind::Fen(error),
    }
}
