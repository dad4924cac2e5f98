//! The MTD family: a score is found by null-window searches alone, each of which tells on which
//! side of a guess it lies. The members differ in where they begin to guess.
//!
//! Like the study's bots they search to a fixed depth, in generation order, and evaluate what
//! stands there; what they find is minimax's score, and minimax's move too. A pass that fails high
//! stops at the first root move that is worth the guess or more, so all moves before it are worth
//! less than the guess. Once the score is known to be what that pass returned, no move before it
//! reaches the score, and the move itself does.
//!
//! CITE: A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, "Best-first fixed-depth minimax
//! algorithms", Artificial Intelligence 87, 1996.

mod mt;

use checkers_lib::Position;

use self::mt::Mt;
use crate::Score;
use crate::budget::Stopped;
use crate::textbook::fixed_depth::FixedDepthSearch;
use crate::textbook::search_state::{PrincipalVariation, SearchState};
use crate::tree::Observer;

/// MTD(f): begins with a guess at the score and follows the answers up or down. The guess comes
/// from iterative deepening, as in its authors' driver; it is the score found two plies less deep,
/// because scores of even and of odd depths differ by a tempo. The nodes of all depths count.
pub(crate) struct Mtdf<O> {
    test: Mt<O>,
    /// The deepest depth that the last search finished.
    finished: u32,
}

impl<O: Observer> Mtdf<O> {
    /// `mebibytes` is the table's budget; the memory is taken at the first search.
    pub(crate) fn new(seed: u64, mebibytes: u32, observer: &O) -> Mtdf<O> {
        Mtdf {
            test: Mt::new(seed, mebibytes, observer),
            finished: 0,
        }
    }

    /// Leaves the answer of the deepest depth that was finished in `answer`.
    fn deepen(
        &mut self,
        root: &Position,
        depth: u32,
        answer: &mut PrincipalVariation,
    ) -> Result<(), Stopped> {
        self.finished = 0;
        let mut guesses = [Score::ZERO; 2];
        for depth in 1..=depth {
            *answer = mtd(&mut self.test, root, guesses[0], depth)?;
            self.finished = depth;
            guesses = [guesses[1], answer.score];
        }
        Ok(())
    }
}

impl<O: Observer> FixedDepthSearch for Mtdf<O> {
    type Observer = O;

    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped> {
        self.test.prepare();
        let mut answer = PrincipalVariation::default();
        let finished = self.deepen(root, depth, &mut answer);
        *self.test.state().line() = answer;
        finished
    }

    fn state(&mut self) -> &mut SearchState<O> {
        self.test.state()
    }

    fn finished(&self) -> u32 {
        self.finished
    }

    fn forget(&mut self) {
        self.test.forget();
    }
}

/// SSS* as MTD(+∞): begins above every score and goes down from one upper bound to the next, until
/// one is reached. It visits the leaves that Stockman's best-first search visits, in the same
/// order, with the table in the place of its sorted list.
///
/// CITE: G. C. Stockman, "A Minimax Algorithm Better than Alpha-Beta?", Artificial Intelligence
/// 12, 1979; as null-window searches after Plaat et al., above.
pub(crate) struct SssStar<O>(Mt<O>);

impl<O: Observer> SssStar<O> {
    /// `mebibytes` is the table's budget; the memory is taken at the first search.
    pub(crate) fn new(seed: u64, mebibytes: u32, observer: &O) -> SssStar<O> {
        SssStar(Mt::new(seed, mebibytes, observer))
    }
}

impl<O: Observer> FixedDepthSearch for SssStar<O> {
    type Observer = O;

    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped> {
        self.0.prepare();
        let answer = mtd(&mut self.0, root, Score::WIN, depth);
        let (answer, finished) = match answer {
            Ok(line) => (line, Ok(())),
            Err(Stopped) => (PrincipalVariation::default(), Err(Stopped)),
        };
        *self.0.state().line() = answer;
        finished
    }

    fn state(&mut self) -> &mut SearchState<O> {
        self.0.state()
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

/// The score of `root` and the best line from there, by passes that close in on the score from
/// `guess`.
fn mtd<O: Observer>(
    test: &mut Mt<O>,
    root: &Position,
    mut guess: Score,
    depth: u32,
) -> Result<PrincipalVariation, Stopped> {
    let (mut lower, mut upper) = (-Score::WIN, Score::WIN);
    let mut best = None;
    while lower < upper {
        let beta = if guess == lower { guess.next() } else { guess };
        guess = test.value(root, beta, depth, 0)?;
        if guess < beta {
            upper = guess;
        } else {
            lower = guess;
            best = test.state().line().moves.first().copied();
        }
    }
    Ok(test.line(root, best, guess, depth))
}
