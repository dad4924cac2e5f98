//! Which bot with which options, as a text: `alpha-beta:depth=7,seed=1`.
//!
//! Lenient in reading: keys in any order, the study's names (`alphaBeta`). Strict in writing: our
//! names, keys in a fixed order, `depth` always and other keys only where they differ from their
//! defaults; so equal specs have equal texts.

mod effect;
mod keys;

use std::fmt;
use std::str::FromStr;

use checkers_lib::nearest;

pub use keys::Setting;

use crate::champion::Techniques;
use crate::registry::{BOTS, BotRow, Key, any_of};
use crate::{Bot, HIGHEST_LEVEL, level};

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
    /// One of the levels of play from 1 to [`HIGHEST_LEVEL`](crate::HIGHEST_LEVEL).
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
    Net,
    /// Patterns of men and counts, whose weights were trained.
    Patterns,
    /// Terms and weights chosen by hand.
    Hand,
    /// The study's: a man 5 and 1 for each row advanced, a king 15.
    Rows,
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
    /// Whether a textbook search tries the best moves first.
    pub order: bool,
    /// Whether a textbook search deepens step by step.
    pub id: bool,
    /// Whether captures are searched on after the last ply.
    pub quiescence: bool,
    /// Whether tables of endings are asked.
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
}

impl Default for Options {
    fn default() -> Options {
        Options {
            seed: 0,
            depth: 6,
            tt: 64,
            tt_accept: Accept::AtLeast,
            order: false,
            id: false,
            quiescence: true,
            tablebase: true,
            book: true,
            playouts: 10_000,
            playout: Playout::Random,
            exploration: 100,
            level: 5,
            evaluator: Evaluator::Net,
            threads: 1,
            contempt: 0,
            techniques: Techniques::DEFAULT,
        }
    }
}

/// Which bot, and with which options.
///
/// # Examples
/// ```
/// use checkers_engine::BotSpec;
///
/// let spec: BotSpec = "alphaBeta:seed=1,depth=7".parse()?;
/// assert_eq!(spec.to_string(), "alpha-beta:depth=7,seed=1");
///
/// let error = "alpha-beta:dept=7".parse::<BotSpec>().unwrap_err();
/// assert!(error.to_string().ends_with("did you mean depth?"));
/// # Ok::<(), checkers_engine::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotSpec {
    bot: &'static BotRow,
    options: Options,
}

impl BotSpec {
    /// How the bot chooses its moves.
    pub fn algorithm(&self) -> Algorithm {
        self.bot.algorithm
    }

    /// The bot's name without options.
    pub fn name(&self) -> &'static str {
        self.bot.name
    }

    /// The values of all keys.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether the bot answers the same moves with the same moves in every game of a run: all do
    /// but `random`, `level` and several threads of `champion`.
    pub fn is_deterministic(&self) -> bool {
        match self.bot.algorithm {
            Algorithm::Random | Algorithm::Level => false,
            Algorithm::Champion => self.options.threads == 1,
            Algorithm::MinimaxWeak
            | Algorithm::Minimax
            | Algorithm::AlphaBeta
            | Algorithm::NegaScout
            | Algorithm::NegaScoutTt
            | Algorithm::SssStar
            | Algorithm::Mtdf
            | Algorithm::NegaScoutId
            | Algorithm::Mcts => true,
        }
    }

    /// The bot that plays on a level; `None` if there is no such level.
    pub fn of_level(number: u32) -> Option<BotSpec> {
        format!("level:{number}").parse().ok()
    }

    /// The bot that plays as well as any level does and shows how, since nothing chooses among its
    /// moves but their scores: the one behind the highest level.
    pub fn strongest() -> BotSpec {
        let highest = BotSpec::of_level(HIGHEST_LEVEL).expect("the highest level is one");
        level::scorer(&highest)
    }

    /// Whether it keeps what it finds in a table, of [`Options::tt`] MiB.
    pub fn has_table(&self) -> bool {
        self.bot.key("tt").is_some()
    }

    /// The same bot with another seed.
    pub fn with_seed(mut self, seed: u64) -> BotSpec {
        self.options.seed = seed;
        self
    }

    /// The same bot without its book, for those who want to know what its search says.
    pub fn without_book(mut self) -> BotSpec {
        if self.bot.key("book").is_some() {
            self.options.book = false;
        }
        self
    }

    /// Makes the bot. Cheap: a transposition table takes its memory at the first search.
    pub fn build(&self) -> Box<dyn Bot> {
        (self.bot.build)(self)
    }

    /// The names of all bots, the simplest first.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        BOTS.iter().map(|bot| bot.name)
    }

    /// What can be written in a spec, for people: several lines, without a last line break.
    pub fn help() -> String {
        let mut lines = vec!["NAME or NAME:KEY=VALUE,KEY=VALUE".to_owned()];
        for bot in &BOTS {
            lines.push(format!("  {:<13} {}", bot.name, bot.about));
            let alias = bot.alias.map(|alias| format!("; also {alias}"));
            let keys: Vec<&str> = bot.keys.iter().map(|key| key.name).collect();
            let alias = alias.unwrap_or_default();
            lines.push(format!("  {:<13} keys: {}{alias}", "", keys.join(", ")));
        }
        lines.push("Keys".to_owned());
        for key in known_keys() {
            lines.push(format!("  {:<13} {}", key.name, key.about));
            let default = key.values.print((key.get)(&Options::default()));
            lines.push(format!("  {:<13} {}; default {default}", "", key.values));
        }
        lines.join("\n")
    }

    fn set(&mut self, assignment: &str) -> Result<&'static Key, SpecError> {
        let unnamed = self.bot.keys.iter().find(|key| key.is_unnamed);
        let named = assignment.split_once('=');
        let (name, text) = named
            .or_else(|| Some((unnamed?.name, assignment)))
            .ok_or_else(|| SpecError::NoValue {
                found: assignment.to_owned(),
            })?;
        let key = self.bot.key(name).ok_or_else(|| SpecError::UnknownKey {
            bot: self.bot.name,
            key: name.to_owned(),
            known: expected(name, self.bot.keys.iter().map(|key| key.name)),
        })?;
        let value = key.values.parse(text).ok_or_else(|| SpecError::BadValue {
            key: key.name,
            value: text.to_owned(),
            expected: key.values.to_string(),
        })?;
        (key.set)(&mut self.options, value);
        Ok(key)
    }
}

/// Every key of any bot, once.
fn known_keys() -> Vec<&'static Key> {
    let mut known: Vec<&'static Key> = Vec::new();
    for key in BOTS.iter().flat_map(|bot| bot.keys) {
        if known.iter().all(|other| other.name != key.name) {
            known.push(key);
        }
    }
    known
}

/// The known names, and which of them `name` is probably meant to be.
fn expected<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let all = any_of(known.clone());
    match nearest(name, known) {
        Some(meant) => format!("{all}; did you mean {meant}?"),
        None => all,
    }
}

/// Why a text is not the spec of a bot.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// No bot has this name.
    #[error("unknown bot {name:?}: expected {known}")]
    UnknownBot {
        /// The name that was read.
        name: String,
        /// The names there are, and the one that was probably meant.
        known: String,
    },
    /// The bot has no such key.
    #[error("{bot} has no key {key:?}: expected {known}")]
    UnknownKey {
        /// The bot's name.
        bot: &'static str,
        /// The key that was read.
        key: String,
        /// The keys it has, and the one that was probably meant.
        known: String,
    },
    /// Something else than `key=value`.
    #[error("expected KEY=VALUE, found {found:?}")]
    NoValue {
        /// What was read.
        found: String,
    },
    /// A value the key does not take.
    #[error("bad value {value:?} for {key}: expected {expected}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value that was read.
        value: String,
        /// The values it takes.
        expected: String,
    },
    /// A key given more than once.
    #[error("{key} is given twice")]
    GivenTwice {
        /// The key.
        key: &'static str,
    },
}

impl FromStr for BotSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<BotSpec, SpecError> {
        let (name, assignments) = match text.split_once(':') {
            Some((name, assignments)) => (name, Some(assignments)),
            None => (text, None),
        };
        let bot = BOTS
            .iter()
            .find(|bot| bot.name == name || bot.alias == Some(name));
        let bot = bot.ok_or_else(|| SpecError::UnknownBot {
            name: name.to_owned(),
            known: expected(name, BotSpec::names()),
        })?;
        let mut spec = BotSpec {
            bot,
            options: Options::default(),
        };
        let mut given: Vec<&str> = Vec::new();
        for assignment in assignments.iter().flat_map(|text| text.split(',')) {
            let key = spec.set(assignment)?.name;
            if given.contains(&key) {
                return Err(SpecError::GivenTwice { key });
            }
            given.push(key);
        }
        Ok(spec)
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text_without(None))
    }
}

impl BotSpec {
    /// The spec's text without the key of this name.
    fn text_without(&self, omitted: Option<&str>) -> String {
        let default = Options::default();
        let is_shown = |key: &&&Key| {
            let differs = (key.get)(&self.options) != (key.get)(&default);
            Some(key.name) != omitted && (key.is_always_shown || differs)
        };
        let assignment = |key: &&Key| {
            let value = key.values.print((key.get)(&self.options));
            match key.is_unnamed {
                true => value,
                false => format!("{}={value}", key.name),
            }
        };
        let keys: Vec<String> = (self.bot.keys.iter().filter(is_shown))
            .map(assignment)
            .collect();
        match keys.is_empty() {
            true => self.bot.name.to_owned(),
            false => format!("{}:{}", self.bot.name, keys.join(",")),
        }
    }
}
