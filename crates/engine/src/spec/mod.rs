//! Which bot with which options, as a text: `alpha-beta:depth=7,seed=1`.
//!
//! Lenient in reading: keys in any order, the study's names (`alphaBeta`). Strict in writing: our
//! names, keys in a fixed order, `depth` always and other keys only where they differ from their
//! defaults; so equal specs have equal texts.

mod bots;
mod champion_keys;
mod effect;
mod key;
mod levels;
mod options;
mod settings;
mod techniques;
mod tuning;

use std::fmt;
use std::str::FromStr;

use checkers_lib::nearest;

pub use self::key::Values;
pub use self::options::{Accept, Algorithm, Evaluator, HIGHEST_LEVEL, MoveOrder, Options, Playout};
pub use self::settings::Setting;
pub use self::techniques::Techniques;
pub use self::tuning::Tuning;

use self::bots::{BOTS, BotRow};
use self::key::{Key, any_of};

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

    /// The names of all bots, the simplest first.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        BOTS.iter().map(|bot| bot.name)
    }

    /// What can be written in a spec, for people: several lines, without a last line break.
    pub fn help() -> String {
        let mut lines = vec!["NAME or NAME:KEY=VALUE,KEY=VALUE".to_owned()];
        for bot in &BOTS {
            lines.push(format!("  {:<17} {}", bot.name, bot.about));
            let alias = bot.alias.map(|alias| format!("; also {alias}"));
            let keys: Vec<&str> = bot.keys.iter().map(|key| key.name).collect();
            let alias = alias.unwrap_or_default();
            lines.push(format!("  {:<17} keys: {}{alias}", "", keys.join(", ")));
        }
        lines.push("Keys".to_owned());
        for key in known_keys() {
            lines.push(format!("  {:<17} {}", key.name, key.about));
            let default = key.values.print((key.get)(&Options::default()));
            lines.push(format!("  {:<17} {}; default {default}", "", key.values));
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
