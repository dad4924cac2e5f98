//! What the search does beyond alpha-beta, each to be switched on and off for a comparison.

/// Which techniques a search uses: those that pay, unless the spec says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Techniques {
    /// Windows about the score of the iteration before.
    pub aspiration: bool,
    /// The transposition table.
    pub table: bool,
    /// Captures are searched to their end where the search ends.
    pub quiescence: bool,
    /// Moves that cut off after the same last move before are tried early.
    pub history: bool,
    /// A ply less where the table has no move to begin with.
    pub internal: bool,
    /// Late moves are searched less deep.
    pub reductions: bool,
    /// An evaluation far above the window stands for a shallow search.
    pub futility: bool,
    /// The table's move is searched deeper if it is far better than the others; otherwise the node may be cut off.
    pub singular: bool,
    /// A forced move costs no depth. Off unless asked for: the plies it costs are worth as much.
    pub single_reply: bool,
    /// Nor does taking back on the principal variation. Off unless asked for, like the one above.
    pub recapture: bool,
    /// A position that comes again is a draw.
    pub repetition: bool,
    /// The counts of the draw articles go on in the tree.
    pub articles: bool,
    /// Scores shrink where hardly anything is left to win with.
    pub drawish: bool,
}

impl Techniques {
    /// All that pay.
    pub const DEFAULT: Techniques = Techniques {
        aspiration: true,
        table: true,
        quiescence: true,
        history: true,
        internal: true,
        reductions: true,
        futility: true,
        singular: true,
        single_reply: false,
        recapture: false,
        repetition: true,
        articles: true,
        drawish: true,
    };
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques::DEFAULT
    }
}
