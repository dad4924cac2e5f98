//! Asking the champion more than for a move.

use std::time::Duration;

use checkers_lib::{Game, Move};

use super::engine::Searcher;
use super::opening::Opening;
use crate::{BotSpec, Choice, Limits, Score};

/// What is to be found out about a position.
#[derive(Clone, Debug)]
pub struct Question {
    /// What bounds the search. Without any bound it goes on to the greatest depth there is, or
    /// until it is stopped.
    pub limits: Limits,
    /// How many of the best moves to tell, each with its line; at least 1.
    pub lines: usize,
    /// The moves to choose among; all if there is none.
    pub moves: Vec<Move>,
    /// Whether a move is to be played, so that [`Options::contempt`](crate::Options::contempt) counts.
    /// Whoever wants to know what a position is worth does without.
    pub is_to_play: bool,
}

impl Default for Question {
    /// The best move, without bounds.
    fn default() -> Question {
        Question {
            limits: Limits::default(),
            lines: 1,
            moves: Vec::new(),
            is_to_play: false,
        }
    }
}

/// What is known after an iteration.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// How many plies deep the iteration was.
    pub depth: u32,
    /// The nodes of all threads so far.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
    /// How much of the transposition table this search has filled, in permille.
    pub full: u32,
    /// The best moves with their lines, the best first.
    pub lines: Vec<Variation>,
}

/// A line of best play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// What it is worth to the side to move, in centi-logits; [`win_chance`](crate::win_chance)
    /// makes a chance of it.
    pub score: Score,
    /// The moves, legal to the end; one at least.
    pub pv: Vec<Move>,
}

/// The end of a search.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Answer {
    /// What is known at the end. Its depth is that of the last iteration that was finished.
    pub report: Report,
    /// Whether the search came to its end; if not, the limits ended it.
    pub complete: bool,
}

/// The champion as an adviser: it tells what it thinks while it searches, several lines if asked.
///
/// # Examples
/// ```
/// use checkers_engine::{Analyst, Limits, Question};
/// use checkers_lib::{DrawRules, Game};
///
/// let spec = "champion:tt=1".parse()?;
/// let mut analyst = Analyst::new(&spec).expect("the spec names the champion");
/// let question = Question {
///     limits: Limits { depth: Some(5), ..Limits::default() },
///     lines: 2,
///     ..Question::default()
/// };
/// let mut depths = Vec::new();
/// let game = Game::new(DrawRules::Fmjd64);
/// let answer = analyst.ask(&game, &question, &mut |report| depths.push(report.depth));
/// assert_eq!(depths, [1, 2, 3, 4, 5]);
/// assert_eq!(answer.report.lines.len(), 2);
/// # Ok::<(), checkers_engine::SpecError>(())
/// ```
pub struct Analyst {
    opening: Option<Opening>,
    searcher: Box<dyn Searcher>,
}

impl Analyst {
    /// The adviser of a spec; `None` if that is not of `champion`. Cheap: the table takes its
    /// memory with the first game or search.
    pub fn new(spec: &BotSpec) -> Option<Analyst> {
        let searcher = super::searcher(spec)?;
        let opening = Opening::of(spec.options());
        Some(Analyst { opening, searcher })
    }

    /// The move that the bot of the spec would play from its book without a search, if it would.
    /// [`Analyst::ask`] always searches.
    pub fn from_book(&self, game: &Game) -> Option<Choice> {
        self.opening.as_ref()?.choose(game)
    }

    /// Forgets what it has found out, and gets ready so that the next search waits for nothing.
    pub fn new_game(&mut self) {
        self.searcher.forget();
    }

    /// Searches the present position of a game, and tells after each iteration what is known. A
    /// position without a move has no line.
    pub fn ask(
        &mut self,
        game: &Game,
        question: &Question,
        tell: &mut dyn FnMut(&Report),
    ) -> Answer {
        self.searcher.search(game, question, tell)
    }
}
