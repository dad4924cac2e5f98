//! Every bot and every key a spec can name: the one place to add another.

use std::fmt;

use crate::Bot;
use crate::champion;
use crate::eval::{PieceCount, PieceRows};
use crate::fixed_depth::{FixedDepth, MAX_DEPTH};
use crate::level::{HIGHEST_LEVEL, Leveled};
use crate::mcts::Mcts;
use crate::mtd::{Mtdf, SssStar};
use crate::negascout_id::NegaScoutId;
use crate::spec::{Accept, Algorithm, BotSpec, Options, Playout};
use crate::study::{AlphaBeta, Minimax, NegaScout, NegaScoutTt, Random};

/// A bot as specs know it.
pub(crate) struct BotRow {
    pub(crate) algorithm: Algorithm,
    pub(crate) name: &'static str,
    /// The study's name.
    pub(crate) alias: Option<&'static str>,
    /// One line for people.
    pub(crate) about: &'static str,
    /// The keys it understands, in the order in which they are printed.
    pub(crate) keys: &'static [&'static Key],
    pub(crate) build: fn(&BotSpec) -> Box<dyn Bot>,
}

impl BotRow {
    /// The key of this name, if the bot understands it.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().copied().find(|key| key.name == name)
    }
}

impl PartialEq for BotRow {
    fn eq(&self, other: &BotRow) -> bool {
        self.algorithm == other.algorithm
    }
}

impl Eq for BotRow {}

impl fmt::Debug for BotRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All bots, the simplest first.
pub(crate) static BOTS: [BotRow; 12] = [
    BotRow {
        algorithm: Algorithm::Random,
        name: "random",
        alias: None,
        about: "any legal move, each as likely as another",
        keys: &[&SEED],
        build: |spec| Box::new(Random::new(spec)),
    },
    BotRow {
        algorithm: Algorithm::MinimaxWeak,
        name: "minimax-weak",
        alias: Some("miniMaxWeak"),
        about: "minimax that counts pieces: man 1, king 2",
        keys: &[&DEPTH, &SEED, &ID],
        build: |spec| {
            let search = Minimax::<PieceCount>::new(spec.options().seed);
            Box::new(FixedDepth::new(spec, search))
        },
    },
    BotRow {
        algorithm: Algorithm::Minimax,
        name: "minimax",
        alias: Some("miniMax"),
        about: "minimax that counts pieces and rows: man 5 and 1 a row, king 15",
        keys: &[&DEPTH, &SEED, &ID],
        build: |spec| {
            let search = Minimax::<PieceRows>::new(spec.options().seed);
            Box::new(FixedDepth::new(spec, search))
        },
    },
    BotRow {
        algorithm: Algorithm::AlphaBeta,
        name: "alpha-beta",
        alias: Some("alphaBeta"),
        about: "minimax's answer by alpha-beta",
        keys: &[&DEPTH, &SEED, &ORDER, &ID],
        build: |spec| {
            let Options { seed, order, .. } = *spec.options();
            let search = AlphaBeta::new(seed, order);
            Box::new(FixedDepth::new(spec, search))
        },
    },
    BotRow {
        algorithm: Algorithm::NegaScout,
        name: "negascout",
        alias: Some("negaScout"),
        about: "minimax's answer by NegaScout",
        keys: &[&DEPTH, &SEED, &ORDER, &ID],
        build: |spec| {
            let Options { seed, order, .. } = *spec.options();
            let search = NegaScout::new(seed, order);
            Box::new(FixedDepth::new(spec, search))
        },
    },
    BotRow {
        algorithm: Algorithm::NegaScoutTt,
        name: "negascout-tt",
        alias: Some("negaScoutTransposition"),
        about: "NegaScout with a transposition table",
        keys: &[&DEPTH, &SEED, &TT, &TT_ACCEPT, &ORDER, &ID],
        build: |spec| {
            let search = NegaScoutTt::new(spec.options());
            Box::new(FixedDepth::new(spec, search))
        },
    },
    BotRow {
        algorithm: Algorithm::SssStar,
        name: "sss-star",
        alias: None,
        about: "minimax's answer by SSS*, as null-window searches from above",
        keys: &[&DEPTH, &SEED, &TT, &ID],
        build: |spec| {
            let Options { seed, tt, .. } = *spec.options();
            Box::new(FixedDepth::new(spec, SssStar::new(seed, tt)))
        },
    },
    BotRow {
        algorithm: Algorithm::Mtdf,
        name: "mtdf",
        alias: None,
        about: "minimax's answer by MTD(f), as null-window searches about a guess",
        keys: &[&DEPTH, &SEED, &TT],
        build: |spec| {
            let Options { seed, tt, .. } = *spec.options();
            Box::new(FixedDepth::new(spec, Mtdf::new(seed, tt)))
        },
    },
    BotRow {
        algorithm: Algorithm::NegaScoutId,
        name: "negascout-id",
        alias: None,
        about: "NegaScout by iterative deepening, with ordered moves, quiescence and tables of endings",
        keys: &[&DEPTH, &SEED, &TT, &TT_ACCEPT, &QUIESCENCE, &TABLEBASE],
        build: |spec| Box::new(NegaScoutId::new(spec)),
    },
    BotRow {
        algorithm: Algorithm::Mcts,
        name: "mcts",
        alias: None,
        about: "Monte-Carlo tree search: UCT with proven wins and losses",
        keys: &[&PLAYOUTS, &PLAYOUT, &EXPLORATION, &SEED],
        build: |spec| Box::new(Mcts::new(spec)),
    },
    BotRow {
        algorithm: Algorithm::Champion,
        name: "champion",
        alias: None,
        about: "the strongest; each of its techniques can be switched off",
        keys: &champion::KEYS,
        build: champion::build,
    },
    BotRow {
        algorithm: Algorithm::Level,
        name: "level",
        alias: None,
        about: "an opponent for people: level:1 is the easiest, level:10 the strongest",
        keys: &[&LEVEL, &SEED],
        build: |spec| Box::new(Leveled::new(spec)),
    },
];

/// A key of a spec. Values are numbers here; [`Values`] knows how they are written.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) values: Values,
    /// One line for people.
    pub(crate) about: &'static str,
    /// Printed even where it has its default.
    pub(crate) is_always_shown: bool,
    /// Written without its name: `level:3`.
    pub(crate) is_unnamed: bool,
    pub(crate) get: fn(&Options) -> u64,
    pub(crate) set: fn(&mut Options, u64),
}

pub(crate) static DEPTH: Key = Key {
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

pub(crate) static SEED: Key = Key {
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

pub(crate) static TT: Key = Key {
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

static TT_ACCEPT: Key = Key {
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

static ORDER: Key = Key {
    name: "order",
    values: Values::Word(&["off", "on"]),
    about: "try the best moves first, by captures, killers, history and the table",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.order.into(),
    set: |options, value| options.order = value != 0,
};

static ID: Key = Key {
    name: "id",
    values: Values::Word(&["off", "on"]),
    about: "search by iterative deepening, as deep as time and nodes allow",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.id.into(),
    set: |options, value| options.id = value != 0,
};

static QUIESCENCE: Key = Key {
    name: "quiescence",
    values: Values::Word(&["off", "on"]),
    about: "search captures on after the last ply",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.quiescence.into(),
    set: |options, value| options.quiescence = value != 0,
};

pub(crate) static TABLEBASE: Key = Key {
    name: "tablebase",
    values: Values::Word(&["off", "on"]),
    about: "play endings by tables, and search up to them",
    is_always_shown: false,
    is_unnamed: false,
    get: |options| options.tablebase.into(),
    set: |options, value| options.tablebase = value != 0,
};

static PLAYOUTS: Key = Key {
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

static PLAYOUT: Key = Key {
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

static EXPLORATION: Key = Key {
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

static LEVEL: Key = Key {
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
    /// Reads a value; `None` if it is none of these.
    pub(crate) fn parse(self, text: &str) -> Option<u64> {
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
    pub(crate) fn print(self, value: u64) -> String {
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
pub(crate) fn any_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match &names[..] {
        [] => "nothing".to_owned(),
        [name] => (*name).to_owned(),
        [names @ .., last] => format!("{} or {last}", names.join(", ")),
    }
}
