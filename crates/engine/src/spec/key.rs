//! The keys of specs but the champion's own, and the values of keys.

use std::fmt;

use super::options::{Accept, HIGHEST_LEVEL, MoveOrder, Options, Playout};
use crate::limits::MAX_DEPTH;

/// A key of a spec. Values are numbers here; [`Values`] knows how they are written.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) values: Values,
    /// One line for people.
    pub(super) about: &'static str,
    /// Printed even where it has its default.
    pub(super) is_always_shown: bool,
    /// Written without its name: `level:3`.
    pub(super) is_unnamed: bool,
    pub(super) get: fn(&Options) -> u64,
    pub(super) set: fn(&mut Options, u64),
}

pub(super) static DEPTH: Key = Key {
    name: "depth",
    values: Values::Number {
        min: 1,
        max: MAX_DEPTH as u64,
    },
    about: "how many plies deep to search",
    is_always_shown: true,
    is_unnamed: false,
    get: |options| options.depth.into(),
    set: |options, value| options.depth = value as u32,
};

pub(super) static SEED: Key = Key {
    name: "seed",
    values: Values::Number {
        min: 0,
        max: u64::MAX,
    },
    about: "seed of the random choices, or of the noise in the evaluation",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.seed,
    set: |options, value| options.seed = value,
};

pub(super) static TT: Key = Key {
    name: "tt",
    values: Values::Number {
        min: 1,
        max: 16_384,
    },
    about: "memory of the transposition table in MiB",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.tt.into(),
    set: |options, value| options.tt = value as u32,
};

pub(super) static TT_ACCEPT: Key = Key {
    name: "tt-accept",
    values: Values::Word(&["at-least", "exact"]),
    about: "accept table entries of at least, or of exactly, the needed depth",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.tt_accept as u64,
    set: |options, value| {
        options.tt_accept = if value == Accept::Exact as u64 {
            Accept::Exact
        } else {
            Accept::AtLeast
        };
    },
};

pub(super) static ORDER: Key = Key {
    name: "order",
    values: Values::Word(&["off", "on", "best", "worst"]),
    about: "try promising moves first (on), or by minimax's values the best or the worst first",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.order as u64,
    set: |options, value| {
        options.order = match value {
            0 => MoveOrder::Generated,
            1 => MoveOrder::Learnt,
            2 => MoveOrder::Best,
            _ => MoveOrder::Worst,
        };
    },
};

pub(super) static ID: Key = Key {
    name: "id",
    values: Values::Word(&["off", "on"]),
    about: "search by iterative deepening, as deep as time and nodes allow",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.id.into(),
    set: |options, value| options.id = value != 0,
};

pub(super) static QUIESCENCE: Key = Key {
    name: "quiescence",
    values: Values::Word(&["off", "on"]),
    about: "search captures on after the last ply",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.quiescence.into(),
    set: |options, value| options.quiescence = value != 0,
};

pub(super) static TABLEBASE: Key = Key {
    name: "tablebase",
    values: Values::Word(&["off", "on"]),
    about: "play endings by tables, and search up to them",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.tablebase.into(),
    set: |options, value| options.tablebase = value != 0,
};

pub(super) static PLAYOUTS: Key = Key {
    name: "playouts",
    values: Values::Number {
        min: 1,
        max: 1_000_000_000,
    },
    about: "how many simulations to make, where the limits bound neither nodes nor time",
    is_always_shown: true,
    is_unnamed: false,
    get: |options| options.playouts,
    set: |options, value| options.playouts = value,
};

pub(super) static PLAYOUT: Key = Key {
    name: "playout",
    values: Values::Word(&["random", "eval"]),
    about: "end a simulation by a random game, or by the evaluation once no capture is pending",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.playout as u64,
    set: |options, value| {
        options.playout = if value == Playout::Eval as u64 {
            Playout::Eval
        } else {
            Playout::Random
        };
    },
};

pub(super) static EXPLORATION: Key = Key {
    name: "c",
    values: Values::Number {
        min: 0,
        max: 10_000,
    },
    about: "exploration in percent of the range of results: the constant of UCB1",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.exploration.into(),
    set: |options, value| options.exploration = value as u32,
};

pub(super) static LEVEL: Key = Key {
    name: "level",
    values: Values::Number {
        min: 1,
        max: HIGHEST_LEVEL as u64,
    },
    about: "the level of play; may be written without its name",
    is_always_shown: true,
    is_unnamed: true,
    get: |options| options.level.into(),
    set: |options, value| options.level = value as u32,
};

/// The values of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// A decimal number.
    Number {
        /// The least.
        min: u64,
        /// The greatest.
        max: u64,
    },
    /// One of these words, stored as its place.
    Word(&'static [&'static str]),
}

impl Values {
    /// Parses a value; `None` if it is not allowed.
    pub(super) fn parse(self, text: &str) -> Option<u64> {
        match self {
            Values::Number { min, max } => {
                let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
                let number = text.parse().ok().filter(|_| is_decimal)?;
                (min..=max).contains(&number).then_some(number)
            }
            Values::Word(words) => Some(words.iter().position(|&word| word == text)? as u64),
        }
    }

    /// Writes a value so that it is read back.
    pub(super) fn print(self, value: u64) -> String {
        match self {
            Values::Number { .. } => value.to_string(),
            Values::Word(words) => words
                .get(value as usize)
                .copied()
                .unwrap_or_default()
                .to_owned(),
        }
    }
}

impl fmt::Display for Values {
    /// Writes `a number from 1 to 64` or `at-least or exact`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Values::Word(words) => f.write_str(&any_of(words.iter().copied())),
        }
    }
}

/// Lists names as people do: `a`, `a or b`, `a, b or c`.
pub(super) fn any_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match &names[..] {
        [] => "nothing".to_owned(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} or {last}", names.join(", ")),
    }
}
