//! Every bot that a spec can name, with its keys.

use std::fmt;

use super::champion_keys;
use super::key::{
    DEPTH, EXPLORATION, ID, Key, LEVEL, ORDER, PLAYOUT, PLAYOUTS, QUIESCENCE, SEED, TABLEBASE, TT,
    TT_ACCEPT,
};
use super::options::Algorithm;

/// A bot as specs know it.
pub(super) struct BotRow {
    pub(super) algorithm: Algorithm,
    pub(super) name: &'static str,
    /// The study's name.
    pub(super) alias: Option<&'static str>,
    /// One line for people.
    pub(super) about: &'static str,
    /// The keys it understands, in the order in which they are printed.
    pub(super) keys: &'static [&'static Key],
}

impl BotRow {
    /// The key of this name, if the bot understands it.
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
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
pub(super) static BOTS: [BotRow; 12] = [
    BotRow {
        algorithm: Algorithm::Random,
        name: "random",
        alias: None,
        about: "any legal move, each as likely as another",
        keys: &[&SEED],
    },
    BotRow {
        algorithm: Algorithm::MinimaxWeak,
        name: "minimax-weak",
        alias: Some("miniMaxWeak"),
        about: "minimax that counts pieces: man 1, king 2",
        keys: &[&DEPTH, &SEED, &ID],
    },
    BotRow {
        algorithm: Algorithm::Minimax,
        name: "minimax",
        alias: Some("miniMax"),
        about: "minimax that counts pieces and rows: man 5 and 1 a row, king 15",
        keys: &[&DEPTH, &SEED, &ID],
    },
    BotRow {
        algorithm: Algorithm::AlphaBeta,
        name: "alpha-beta",
        alias: Some("alphaBeta"),
        about: "minimax's answer by alpha-beta",
        keys: &[&DEPTH, &SEED, &ORDER, &ID],
    },
    BotRow {
        algorithm: Algorithm::NegaScout,
        name: "negascout",
        alias: Some("negaScout"),
        about: "minimax's answer by NegaScout",
        keys: &[&DEPTH, &SEED, &ORDER, &ID],
    },
    BotRow {
        algorithm: Algorithm::NegaScoutTt,
        name: "negascout-tt",
        alias: Some("negaScoutTransposition"),
        about: "NegaScout with a transposition table",
        keys: &[&DEPTH, &SEED, &TT, &TT_ACCEPT, &ORDER, &ID],
    },
    BotRow {
        algorithm: Algorithm::SssStar,
        name: "sss-star",
        alias: None,
        about: "minimax's answer by SSS*, as null-window searches from above",
        keys: &[&DEPTH, &SEED, &TT, &ID],
    },
    BotRow {
        algorithm: Algorithm::Mtdf,
        name: "mtdf",
        alias: None,
        about: "minimax's answer by MTD(f), as null-window searches about a guess",
        keys: &[&DEPTH, &SEED, &TT],
    },
    BotRow {
        algorithm: Algorithm::NegaScoutId,
        name: "negascout-id",
        alias: None,
        about: "NegaScout by iterative deepening, with ordered moves, quiescence and endgame tables",
        keys: &[&DEPTH, &SEED, &TT, &TT_ACCEPT, &QUIESCENCE, &TABLEBASE],
    },
    BotRow {
        algorithm: Algorithm::Mcts,
        name: "mcts",
        alias: None,
        about: "Monte-Carlo tree search: UCT with proven wins and losses",
        keys: &[&PLAYOUTS, &PLAYOUT, &EXPLORATION, &SEED],
    },
    BotRow {
        algorithm: Algorithm::Champion,
        name: "champion",
        alias: None,
        about: "the strongest; each of its techniques can be switched off",
        keys: &champion_keys::KEYS,
    },
    BotRow {
        algorithm: Algorithm::Level,
        name: "level",
        alias: None,
        about: "an opponent for people: level:1 is the easiest, level:10 the strongest",
        keys: &[&LEVEL, &SEED],
    },
];
