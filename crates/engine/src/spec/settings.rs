//! A spec's keys one by one, for programs that show them to people, and the unit of its scores.

use super::key::Values;
use super::options::Algorithm;
use super::{BotSpec, SpecError};

/// A key of a spec with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The key's name.
    pub key: &'static str,
    /// What it is for, on one line.
    pub about: &'static str,
    /// Its value, as a spec has it.
    pub value: String,
    /// The values there are.
    pub values: Values,
}

impl BotSpec {
    /// The bot's keys with their values, in the order in which they are printed.
    pub fn settings(&self) -> impl Iterator<Item = Setting> {
        self.bot.keys.iter().map(|key| Setting {
            key: key.name,
            about: key.about,
            value: key.values.print((key.get)(&self.options)),
            values: key.values,
        })
    }

    /// The same bot with another value of a key.
    ///
    /// # Errors
    /// The bot has no such key, or the key no such value.
    ///
    /// # Examples
    /// ```
    /// use checkers_engine::BotSpec;
    ///
    /// let spec: BotSpec = "alpha-beta:depth=7".parse()?;
    /// assert_eq!(spec.with("depth", "9")?.to_string(), "alpha-beta:depth=9");
    /// # Ok::<(), checkers_engine::SpecError>(())
    /// ```
    pub fn with(mut self, key: &str, value: &str) -> Result<BotSpec, SpecError> {
        self.set(&format!("{key}={value}"))?;
        Ok(self)
    }

    /// What a man is worth in the bot's scores, before anything that depends on where it stands.
    /// For `champion`, in whose evaluation that depends on much, about so much.
    pub fn man(&self) -> i32 {
        match self.algorithm() {
            Algorithm::Random | Algorithm::MinimaxWeak => 256,
            Algorithm::Minimax
            | Algorithm::AlphaBeta
            | Algorithm::NegaScout
            | Algorithm::NegaScoutTt
            | Algorithm::SssStar
            | Algorithm::Mtdf
            | Algorithm::NegaScoutId
            | Algorithm::Mcts => 5 * 256,
            Algorithm::Champion => 140,
            Algorithm::Level => self.scorer().man(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> BotSpec {
        text.parse().unwrap()
    }

    #[test]
    fn settings_make_the_same_bot_again() {
        for name in BotSpec::names() {
            let given = spec(name).with_seed(7);
            let mut again = spec(name);
            for Setting { key, value, .. } in given.settings() {
                again = again.with(key, &value).unwrap();
            }
            assert_eq!(again.to_string(), given.to_string());
        }
    }

    #[test]
    fn what_is_no_key_or_no_value_is_told() {
        for (key, value) in [("dept", "7"), ("depth", "0"), ("depth", "7,seed=1")] {
            let error = spec("alpha-beta").with(key, value).unwrap_err();
            assert!(error.to_string().contains("expected"), "{error}");
        }
    }

    #[test]
    fn a_level_scores_as_its_bot_does() {
        assert_eq!(spec("level:1").man(), spec("champion").man());
        assert_eq!(spec("level:10").man(), spec("champion").man());
    }
}
