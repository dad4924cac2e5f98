//! The keys of `champion` in a spec.

use super::key::{DEPTH, Key, SEED, TABLEBASE, TT, Values};
use super::options::Evaluator;

/// In the order in which they are printed.
pub(super) static KEYS: [&Key; 28] = [
    &DEPTH,
    &SEED,
    &TT,
    &TABLEBASE,
    &BOOK,
    &EVAL,
    &THREADS,
    &CONTEMPT,
    &ASPIRATION,
    &TABLE,
    &QUIESCENCE,
    &HISTORY,
    &INTERNAL,
    &REDUCTIONS,
    &FUTILITY,
    &SINGULAR,
    &SINGLE_REPLY,
    &RECAPTURE,
    &REPETITION,
    &ARTICLES,
    &DRAWISH,
    &ASPIRATION_WINDOW,
    &INTERNAL_DEPTH,
    &REDUCTION_DIVISOR,
    &REDUCTION_FIRST,
    &FUTILITY_DEPTH,
    &FUTILITY_MARGIN,
    &HISTORY_BONUS,
];

static EVAL: Key = Key {
    name: "eval",
    values: Values::Word(&["net", "patterns", "hand", "rows"]),
    about: "what evaluates: a trained network, trained patterns, weights by hand, material and rows",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.evaluator as u64,
    set: |options, value| {
        options.evaluator = match value {
            0 => Evaluator::Network,
            1 => Evaluator::Patterns,
            2 => Evaluator::Handcrafted,
            _ => Evaluator::Material,
        };
    },
};

static BOOK: Key = Key {
    name: "book",
    values: Values::Word(&["off", "on"]),
    about: "play the first moves from the book, which seed varies; with eval=net alone",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.book.into(),
    set: |options, value| options.book = value != 0,
};

static THREADS: Key = Key {
    name: "threads",
    values: Values::Number { min: 1, max: 256 },
    about: "how many threads search; more than one give another answer each time",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.threads.into(),
    set: |options, value| options.threads = value as u32,
};

static CONTEMPT: Key = Key {
    name: "contempt",
    values: Values::Number { min: 0, max: 400 },
    about: "by how much less than an even game a draw is worth when it plays, in hundredths of a logit",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.contempt.into(),
    set: |options, value| options.contempt = value as u32,
};

/// A key that switches one of the techniques.
macro_rules! switch {
    ($key:ident, $name:literal, $field:ident, $about:literal) => {
        static $key: Key = Key {
            name: $name,
            values: Values::Word(&["off", "on"]),
            about: $about,
            is_always_shown: false,
            is_unnamed: false,
            get: |options| options.techniques.$field.into(),
            set: |options, value| options.techniques.$field = value != 0,
        };
    };
}

switch!(
    ASPIRATION,
    "aspiration",
    aspiration,
    "windows about the score of the iteration before"
);
switch!(
    TABLE,
    "table",
    table,
    "remember positions in the transposition table"
);
switch!(
    QUIESCENCE,
    "quiesce",
    quiescence,
    "search captures on after the last ply"
);
switch!(
    HISTORY,
    "history",
    history,
    "try moves early that cut off after the same last move"
);
switch!(
    INTERNAL,
    "iir",
    internal,
    "a ply less where the table has no move"
);
switch!(REDUCTIONS, "lmr", reductions, "search late moves less deep");
switch!(
    FUTILITY,
    "futility",
    futility,
    "an evaluation far above the window stands for a shallow search"
);
switch!(
    SINGULAR,
    "singular",
    singular,
    "a ply more for a move of the table that is far better than the others"
);
switch!(
    SINGLE_REPLY,
    "single",
    single_reply,
    "a forced move costs no depth"
);
switch!(
    RECAPTURE,
    "recapture",
    recapture,
    "taking back on the principal variation costs no depth"
);
switch!(
    REPETITION,
    "repetition",
    repetition,
    "a position that comes again is a draw"
);
switch!(
    ARTICLES,
    "articles",
    articles,
    "count for the draw articles in the tree"
);
switch!(
    DRAWISH,
    "drawish",
    drawish,
    "shrink scores where hardly anything is left to win with"
);

/// A key of one of the numbers of the search.
macro_rules! number {
    ($key:ident, $name:literal, $field:ident, $min:literal..=$max:literal, $about:literal) => {
        static $key: Key = Key {
            name: $name,
            values: Values::Number {
                min: $min,
                max: $max,
            },
            about: $about,
            is_always_shown: false,
            is_unnamed: false,
            get: |options| options.tuning.$field as u64,
            set: |options, value| options.tuning.$field = value as _,
        };
    };
}

number!(
    ASPIRATION_WINDOW,
    "aspiration-window",
    aspiration_window,
    1..=400,
    "half the first aspiration window, in hundredths of a logit"
);
number!(
    INTERNAL_DEPTH,
    "iir-depth",
    internal_depth,
    1..=64,
    "the least depth at which iir takes a ply"
);
number!(
    REDUCTION_DIVISOR,
    "lmr-divisor",
    reduction_divisor,
    50..=1000,
    "what divides the plies of lmr, in percent"
);
number!(
    REDUCTION_FIRST,
    "lmr-first",
    reduction_first,
    1..=64,
    "how many moves of a node on the principal variation lmr does not reduce"
);
number!(
    FUTILITY_DEPTH,
    "futility-depth",
    futility_depth,
    1..=64,
    "the greatest depth at which futility cuts off"
);
number!(
    FUTILITY_MARGIN,
    "futility-margin",
    futility_margin,
    0..=1000,
    "how far above the window the evaluation has to be for futility, for each ply of depth"
);
number!(
    HISTORY_BONUS,
    "history-bonus",
    history_bonus,
    1..=1000,
    "what a cut adds to the history of its move for each ply of depth"
);
