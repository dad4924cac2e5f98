//! The numbers of the search that a spec can set.

/// The numbers that decide how much a search leaves out and in which order it tries moves, to be tuned by matches.
/// `docs/engine.md` says what each belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tuning {
    /// Half the first window about the score of the iteration before, in centi-logits.
    pub aspiration_window: i32,
    /// The least depth at which a node without a move from the table loses a ply.
    pub internal_depth: i32,
    /// What divides the product of the logarithms of depth and move, which gives the plies of a reduction, in percent.
    pub reduction_divisor: u32,
    /// The first move, counted from 0, that is reduced on the principal variation.
    pub reduction_first: usize,
    /// The greatest depth at which the evaluation alone may cut off.
    pub futility_depth: i32,
    /// By how much it must be above the window, for each ply of depth, in centi-logits.
    pub futility_margin: i32,
    /// What a cut adds to the history of its move, for each ply of depth.
    pub history_bonus: i32,
}

impl Tuning {
    /// What `checkers-bot-test tune` found.
    pub const DEFAULT: Tuning = Tuning {
        aspiration_window: 13,
        internal_depth: 4,
        reduction_divisor: 129,
        reduction_first: 3,
        futility_depth: 3,
        futility_margin: 66,
        history_bonus: 32,
    };
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning::DEFAULT
    }
}
