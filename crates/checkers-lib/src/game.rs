//! A game: its position, how it came about, the draw rules, and how it ended.

use std::fmt;
use std::str::FromStr;

use crate::{Color, Move, Position};

pub use crate::draw::{DrawClock, DrawReason, DrawRules};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// One side won.
    Win {
        /// The side that won.
        winner: Color,
        /// What made the other side lose.
        reason: WinReason,
    },
    /// Nobody won.
    Draw(DrawReason),
}

/// Why the loser lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WinReason {
    /// The side to move has no pieces left.
    NoPieces,
    /// The side to move has pieces, but none can move.
    NoMoves,
    /// The loser gave up.
    Resignation,
    /// The loser's time ran out.
    Time,
}

impl Outcome {
    /// The winner, or `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw(_) => None,
        }
    }

    /// The article of the federation's rules that declares this outcome a draw, if one does.
    pub fn article(self) -> Option<&'static str> {
        match self {
            Outcome::Win { .. } => None,
            Outcome::Draw(reason) => reason.article(),
        }
    }

    /// The result as PDN writes it: `1-0`, `0-1` or `1/2-1/2`.
    pub fn pdn(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WinReason::NoPieces => "no pieces left",
            WinReason::NoMoves => "no legal move",
            WinReason::Resignation => "resignation",
            WinReason::Time => "time",
        })
    }
}

impl fmt::Display for Outcome {
    /// Writes `white won: no legal move` or `draw: repetition (article 7.2.3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win { winner, reason } => write!(f, "{winner} won: {reason}"),
            Outcome::Draw(reason) => write!(f, "draw: {reason}"),
        }
    }
}

/// A game from its first position on. Every move in it is legal, and none follows the end.
///
/// # Examples
/// ```
/// use checkers_lib::{DrawRules, Game};
///
/// let mut game = Game::new(DrawRules::Fmjd64);
/// let m = game.legal_moves()[0];
/// game.play(m)?;
/// assert_eq!(game.ply(), 1);
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), checkers_lib::GameError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// The position before each move, then the present one; never empty.
    positions: Vec<Position>,
    moves: Vec<Move>,
    rules: DrawRules,
    clock: DrawClock,
    outcome: Option<Outcome>,
}

/// Why a move was not played in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// The move is not legal in the present position.
    #[error("not a legal move here")]
    Illegal,
    /// The game has ended.
    #[error("the game is over")]
    Over,
}

impl Game {
    /// A game from the start position.
    pub fn new(rules: DrawRules) -> Game {
        Game::from_position(Position::start(), rules)
    }

    /// A game from any position. It may be over at once, if the side to move has no move. The
    /// draw counts begin here.
    pub fn from_position(position: Position, rules: DrawRules) -> Game {
        let outcome = lost(&position);
        Game {
            positions: vec![position],
            moves: Vec::new(),
            rules,
            clock: DrawClock::default(),
            outcome,
        }
    }

    /// Makes room for so many more moves, so that none of them has to.
    pub fn reserve(&mut self, plies: usize) {
        self.positions.reserve(plies);
        self.moves.reserve(plies);
    }

    /// Plays a move and finds out whether it ended the game.
    ///
    /// # Errors
    /// An illegal move or a game that is over; the game is as it was then.
    pub fn play(&mut self, m: Move) -> Result<(), GameError> {
        if self.outcome.is_none() && !self.position().is_legal(m) {
            return Err(GameError::Illegal);
        }
        self.play_unchecked(m)
    }

    /// Plays a move that has been found among those of the present position, and finds out whether it
    /// ended the game. Another move leaves a wrong game, never undefined behaviour.
    ///
    /// # Errors
    /// A game that is over; it is as it was then.
    pub fn play_unchecked(&mut self, m: Move) -> Result<(), GameError> {
        if self.outcome.is_some() {
            return Err(GameError::Over);
        }
        let mut position = self.position().clone();
        position.play_unchecked(m);
        let before = &self.positions[self.moves.len()];
        self.clock.advance(before, m, &position);
        self.positions.push(position);
        self.moves.push(m);
        // A move that leaves the opponent without a reply wins, whatever the counts say.
        self.outcome = lost(self.position()).or_else(|| self.draw().map(Outcome::Draw));
        Ok(())
    }

    fn draw(&self) -> Option<DrawReason> {
        match self.rules {
            DrawRules::Fmjd64 if self.repetitions() >= 3 => Some(DrawReason::Repetition),
            DrawRules::Fmjd64 => self.clock.due(self.position()),
            DrawRules::Study => {
                (self.ply() >= DrawRules::STUDY_PLIES).then_some(DrawReason::PlyLimit)
            }
        }
    }

    /// How often the present position has stood on the board with the same side to move, this
    /// time included. O(plies since the last capture or move of a man): what came before that cannot
    /// come again.
    pub fn repetitions(&self) -> usize {
        let present = self.position();
        self.positions
            .iter()
            .rev()
            .take(self.clock.reversible_plies() + 1)
            .step_by(2)
            .filter(|&earlier| earlier == present)
            .count()
    }

    /// Ends a game that is not over for a reason outside the board: resignation, time, agreement.
    /// The first end stands.
    pub fn end(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
    }

    /// The present position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The position the game began with.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position before each move, then the present one.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many moves have been played, both sides counted.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    /// The legal moves; none once the game is over.
    pub fn legal_moves(&self) -> crate::MoveList {
        match self.outcome {
            None => self.position().legal_moves(),
            Some(_) => crate::MoveList::new(),
        }
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// What the draw articles have counted so far.
    pub fn draw_clock(&self) -> DrawClock {
        self.clock
    }

    /// The draw rules in force.
    pub fn rules(&self) -> DrawRules {
        self.rules
    }
}

/// The loss of a side to move that has no move, if so.
fn lost(position: &Position) -> Option<Outcome> {
    position.is_lost().then(|| Outcome::Win {
        winner: !position.turn(),
        reason: if position.pieces(position.turn()).is_empty() {
            WinReason::NoPieces
        } else {
            WinReason::NoMoves
        },
    })
}

impl fmt::Display for DrawRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawRules::Fmjd64 => "fmjd64",
            DrawRules::Study => "study",
        })
    }
}

/// A name that no set of draw rules has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown draw rules {0:?}: expected fmjd64 or study")]
pub struct UnknownDrawRules(pub String);

impl FromStr for DrawRules {
    type Err = UnknownDrawRules;

    fn from_str(name: &str) -> Result<DrawRules, UnknownDrawRules> {
        match name {
            "fmjd64" => Ok(DrawRules::Fmjd64),
            "study" => Ok(DrawRules::Study),
            _ => Err(UnknownDrawRules(name.to_owned())),
        }
    }
}
