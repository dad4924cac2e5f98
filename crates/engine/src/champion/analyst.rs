//! Asking the champion more than for a move.

use checkers_lib::Game;

use super::bot::searcher;
use super::engine::Searcher;
use super::opening::Opening;
use super::question::{Question, SearchAnswer, SearchReport};
use crate::{BotSpec, Choice};

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
        let searcher = searcher(spec)?;
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
        tell: &mut dyn FnMut(&SearchReport),
    ) -> SearchAnswer {
        self.searcher.search(game, question, tell)
    }
}
