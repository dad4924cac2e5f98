//! Games as text: PDN 3.0, game type 25.
//!
//! Strict in writing: the seven-tag roster first and in order, `[GameType "25,W,8,8,A0,0"]`, a
//! FEN tag for another start, algebraic moves in their shortest unambiguous form, clocks as
//! `{[%clk 0:04:31]}`, moves and comments in lines of at most 80 characters (unless one word is
//! longer), one of `1-0`, `0-1`, `1/2-1/2`, `0-0` (both lost), `*` at the end.
//!
//! Lenient in reading: a byte order mark, any line ends, `%` escape lines, `{…}` and `;` comments
//! anywhere, numeric annotations (`$3`), `!` and `?` suffixes, move numbers or none, every form
//! of move that [`Position::parse_move`] takes, long dashes and Cyrillic letters that look Latin,
//! results of the two-point system (`2-0`), a result in the tag alone, missing tags, games without
//! moves, quotes inside a tag's value with or without a backslash, `[FEN "?"]` for the start.
//! Variations in `( )` that cannot be read, or are nested deeper than [`DEEPEST`], become comments.
//! One bad game does not hide the next: see [`Games`].
//!
//! Squares may be numbers, see [`Numbering`]: counted as the caller says ([`Games::numbering`]), or
//! as the game type says, or else from b8 or a1, whichever makes the game legal. Numbers that fit
//! both are refused.
//!
//! ```
//! use checkers_lib::pdn;
//!
//! let games = pdn::parse("[White \"Аня\"]\n[Black \"Bob\"]\n\n1. c3-d4 {[%clk 0:04:31]} d6-c5 1-0")?;
//! assert_eq!(games[0].tags.get("White"), Some("Аня"));
//! assert_eq!(games[0].moves().len(), 2);
//! assert_eq!(pdn::parse(&games[0].to_string())?, games);
//! # Ok::<(), pdn::PdnError>(())
//! ```
//!
//! CITE: PDN 3.0, <https://pdn.fmjd.org>, for the grammar.

mod comment;
mod draft;
mod error;
mod lexer;
mod line;
mod reader;
mod tags;
mod writer;

use std::fmt;
use std::str::FromStr;

pub use crate::Numbering;
use crate::{
    Color, DrawReason, DrawRules, Game, GameError, Move, Outcome, PlayError, Position, WinReason,
};

pub use comment::Comment;
pub use error::{PdnError, PdnErrorKind};
pub use line::{Line, PdnMove, VariationError};
pub use reader::{Games, parse};
pub use tags::{TagError, Tags};

/// The game type of Russian draughts, with White to begin on an 8×8 board and algebraic squares.
pub const GAME_TYPE: &str = "25,W,8,8,A0,0";

/// What game types of Russian draughts begin with, whatever their notation.
const GAME_TYPE_NUMBER: &str = "25";

/// How deep variations are read that stand inside each other.
pub const DEEPEST: usize = 16;

/// The tag that says how a game ended, and its value for a loss on time.
const TERMINATION: (&str, &str) = ("Termination", "time forfeit");

/// A recorded game. Every move in it is legal; whether a draw rule ended it earlier is a question
/// for [`PdnGame::to_game`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnGame {
    /// Who, where and when.
    pub tags: Tags,
    /// How the game ended.
    pub result: PdnResult,
    /// The moves, with notes and variations.
    pub line: Line,
}

/// What was noted about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// Judgements, in the order given.
    pub nags: Vec<Nag>,
    /// The comment after the move, with the mover's clock.
    pub comment: Comment,
}

/// A numeric annotation glyph: `$1` is a good move (`!`), `$2` a mistake (`?`), `$3` `!!`,
/// `$4` `??`, `$5` `!?`, `$6` `?!`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

impl fmt::Display for Nag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}

/// A recorded move that cannot be played in a [`Game`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("ply {ply}: {source}")]
pub struct ReplayError {
    /// The move's number, both sides counted, from 1.
    pub ply: usize,
    /// Why not.
    pub source: GameError,
}

impl PdnGame {
    /// A game without moves.
    pub fn new(start: Position) -> PdnGame {
        PdnGame {
            tags: Tags::default(),
            result: PdnResult::Unfinished,
            line: Line::new(start),
        }
    }

    /// The record of a game, without notes. A win on time is told apart by the tag
    /// `[Termination "time forfeit"]`, unless `tags` has a `Termination` of its own.
    pub fn from_game(game: &Game, tags: Tags) -> PdnGame {
        let mut record = PdnGame {
            tags,
            result: game.outcome().into(),
            ..PdnGame::new(game.start().clone())
        };
        for &m in game.moves() {
            record.line.push_legal(m);
        }
        let on_time = matches!(
            game.outcome(),
            Some(Outcome::Win {
                reason: WinReason::Time,
                ..
            })
        );
        if on_time && record.tags.get(TERMINATION.0).is_none() {
            record.tags.put(TERMINATION.0, TERMINATION.1);
        }
        record
    }

    /// Plays the record under these draw rules. An end on the board goes before the recorded
    /// result; without one a recorded win counts as resignation, or as time if the tags say
    /// `[Termination "time forfeit"]`, and a recorded draw as agreement.
    ///
    /// # Errors
    /// When the record goes on after the rules have ended the game.
    pub fn to_game(&self, rules: DrawRules) -> Result<Game, ReplayError> {
        let mut game = Game::from_position(self.start().clone(), rules);
        for (i, played) in self.moves().iter().enumerate() {
            game.play(played.m)
                .map_err(|source| ReplayError { ply: i + 1, source })?;
        }
        let ended = self.tags.get(TERMINATION.0).unwrap_or_default();
        let reason = match ended.eq_ignore_ascii_case(TERMINATION.1) {
            true => WinReason::Time,
            false => WinReason::Resignation,
        };
        let win = |winner| Outcome::Win { winner, reason };
        match self.result {
            PdnResult::WhiteWins => game.end(win(Color::White)),
            PdnResult::BlackWins => game.end(win(Color::Black)),
            PdnResult::Draw => game.end(Outcome::Draw(DrawReason::Agreement)),
            PdnResult::BothLose | PdnResult::Unfinished => {}
        }
        Ok(game)
    }

    /// Adds a move and returns its notes to be filled in.
    ///
    /// # Errors
    /// A move that is not legal after the last one; the game is as it was then.
    pub fn push(&mut self, m: Move) -> Result<&mut Annotation, PlayError> {
        self.line.push(m)
    }

    /// The position the game began with.
    pub fn start(&self) -> &Position {
        self.line.start()
    }

    /// The position after the last move.
    pub fn position(&self) -> &Position {
        self.line.position()
    }

    /// The moves with their notes.
    pub fn moves(&self) -> &[PdnMove] {
        self.line.moves()
    }
}

/// How a recorded game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PdnResult {
    /// `1-0`, also read as `2-0`.
    WhiteWins,
    /// `0-1`, also read as `0-2`.
    BlackWins,
    /// `1/2-1/2`, also read as `1-1`.
    Draw,
    /// `0-0`: the game is lost for both.
    BothLose,
    /// `*`: not ended, or nobody noted how.
    #[default]
    Unfinished,
}

impl From<Option<Outcome>> for PdnResult {
    fn from(outcome: Option<Outcome>) -> PdnResult {
        match outcome.map(Outcome::winner) {
            Some(Some(Color::White)) => PdnResult::WhiteWins,
            Some(Some(Color::Black)) => PdnResult::BlackWins,
            Some(None) => PdnResult::Draw,
            None => PdnResult::Unfinished,
        }
    }
}

impl fmt::Display for PdnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PdnResult::WhiteWins => "1-0",
            PdnResult::BlackWins => "0-1",
            PdnResult::Draw => "1/2-1/2",
            PdnResult::BothLose => "0-0",
            PdnResult::Unfinished => "*",
        })
    }
}

/// A text that is no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown result {0:?}: expected 1-0, 0-1, 1/2-1/2, 0-0 or *")]
pub struct UnknownResult(pub String);

impl FromStr for PdnResult {
    type Err = UnknownResult;

    fn from_str(text: &str) -> Result<PdnResult, UnknownResult> {
        match text {
            "1-0" | "2-0" => Ok(PdnResult::WhiteWins),
            "0-1" | "0-2" => Ok(PdnResult::BlackWins),
            "1/2-1/2" | "1-1" => Ok(PdnResult::Draw),
            "0-0" => Ok(PdnResult::BothLose),
            "*" => Ok(PdnResult::Unfinished),
            _ => Err(UnknownResult(text.to_owned())),
        }
    }
}
