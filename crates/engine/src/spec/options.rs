//! What a spec decides: the algorithm, and the values of all keys.

use super::techniques::Techniques;
use super::tuning::Tuning;

/// The number of the highest level; the lowest is 1.
pub const HIGHEST_LEVEL: u32 = 10;

/// How a bot chooses its moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Algorithm {
    /// Any legal move, each as likely as another.
    Random,
    /// Minimax with the study's weaker evaluation: man 1, king 2.
    MinimaxWeak,
    /// Minimax with the study's better evaluation: man 5 and 1 for each row advanced, king 15.
    Minimax,
    /// Fail-soft alpha-beta with the better evaluation.
    AlphaBeta,
    /// NegaScout with the better evaluation.
    NegaScout,
    /// NegaScout with a transposition table and the better evaluation.
    NegaScoutTt,
    /// SSS*, as null-window searches from above with a table, with the better evaluation.
    SssStar,
    /// MTD(f): null-window searches about a guess with a table, with the better evaluation.
    Mtdf,
    /// NegaScout by iterative deepening, with ordered moves and quiescence.
    NegaScoutId,
    /// Monte-Carlo tree search.
    Mcts,
    /// The strongest search with the best evaluation.
    Champion,
    /// One of the levels of play from 1 to [`HIGHEST_LEVEL`].
    Level,
}

/// Which entries of the transposition table count at a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Accept {
    /// Those searched at least as deep as the node needs.
    #[default]
    AtLeast,
    /// Those searched exactly as deep as the node needs; the answer is minimax's then.
    Exact,
}

impl Accept {
    /// Whether an entry searched `known` plies deep counts where `needed` plies are needed.
    #[inline]
    pub(crate) fn accepts(self, known: u32, needed: u32) -> bool {
        match self {
            Accept::AtLeast => known >= needed,
            Accept::Exact => known == needed,
        }
    }
}

/// In which order a textbook search tries the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MoveOrder {
    /// As they are generated.
    #[default]
    Generated,
    /// By captures and what the search has learnt, the most promising first.
    Learnt,
    /// By minimax's values to the depth that remains, the best first.
    Best,
    /// By the same values, the worst first.
    Worst,
}

/// How a simulation ends below the tree of `mcts`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Playout {
    /// By a game of random moves.
    #[default]
    Random,
    /// By the evaluation, once random captures have left none pending.
    Eval,
}

/// What `champion` evaluates positions with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Evaluator {
    /// A small network that was trained.
    #[default]
    Network,
    /// Patterns of men and counts, whose weights were trained.
    Patterns,
    /// Terms and weights chosen by hand.
    Handcrafted,
    /// The study's: a man 5 and 1 for each row advanced, a king 15.
    Material,
}

/// The values of all keys; those a bot has no key for are at their defaults.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Seed of the random choices, or of the noise in the evaluation.
    pub seed: u64,
    /// How many plies deep to search.
    pub depth: u32,
    /// Memory of the transposition table in MiB.
    pub tt: u32,
    /// Which entries of the transposition table count.
    pub tt_accept: Accept,
    /// In which order a textbook search tries moves.
    pub order: MoveOrder,
    /// Whether a textbook search deepens step by step.
    pub id: bool,
    /// Whether captures are searched on after the last ply.
    pub quiescence: bool,
    /// Whether endgame tables are looked up.
    pub tablebase: bool,
    /// Whether the first moves come from the book, if the evaluation is that of the book.
    pub book: bool,
    /// How many simulations to make, where the limits bound neither nodes nor time.
    pub playouts: u64,
    /// How a simulation ends.
    pub playout: Playout,
    /// The constant of UCB1 in percent of the range of results.
    pub exploration: u32,
    /// The level of play.
    pub level: u32,
    /// What positions are evaluated with.
    pub evaluator: Evaluator,
    /// How many threads search.
    pub threads: u32,
    /// By how much less than an even game a draw is worth to `champion` when it plays, in centi-logits.
    pub contempt: u32,
    /// What the search does beyond alpha-beta.
    pub techniques: Techniques,
    /// The numbers of that search.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            depth: 6,
            tt: 64,
            tt_accept: Accept::AtLeast,
            order: MoveOrder::Generated,
            id: false,
            quiescence: true,
            tablebase: true,
            book: true,
            playouts: 10_000,
            playout: Playout::Random,
            exploration: 100,
            level: 5,
            evaluator: Evaluator::Network,
            threads: 1,
            contempt: 0,
            techniques: Techniques::DEFAULT,
            tuning: Tuning::DEFAULT,
        }
    }
}
