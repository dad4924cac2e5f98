//! What the limits of a choice leave of a spec.

use super::BotSpec;
use super::key::Key;
use super::options::{Algorithm, Options};
use crate::Limits;

impl BotSpec {
    /// The spec as it plays within `limits`: without the key that they replace. Within the same
    /// limits it is read back as a bot that plays the same.
    ///
    /// # Examples
    /// ```
    /// use checkers_engine::{BotSpec, Limits};
    ///
    /// let spec: BotSpec = "champion:depth=6,tt=1".parse()?;
    /// let limits = Limits { nodes: Some(1000), ..Limits::default() };
    /// assert_eq!(spec.within(&limits), "champion:tt=1");
    /// # Ok::<(), checkers_engine::SpecError>(())
    /// ```
    pub fn within(&self, limits: &Limits) -> String {
        self.text_without(self.replaced_key(limits))
    }

    /// The key of the spec that `limits` replace, if they replace one.
    pub fn replaced_key(&self, limits: &Limits) -> Option<&'static str> {
        let is_replaced = match self.algorithm() {
            Algorithm::Random | Algorithm::Level => false,
            Algorithm::Mcts => limits.bounds_effort(),
            _ => limits.depth.is_some() || (self.deepens() && limits.bounds_effort()),
        };
        is_replaced.then_some(match self.algorithm() {
            Algorithm::Mcts => "playouts",
            _ => "depth",
        })
    }

    /// Whether a key has the value it has where a spec does not name it.
    pub fn has_default(&self, key: &str) -> bool {
        let default = Options::default();
        let is_default = |key: &Key| (key.get)(&self.options) == (key.get)(&default);
        self.bot.key(key).is_some_and(is_default)
    }

    /// Whether the depth of [`Limits`] bounds its search.
    pub fn heeds_depth(&self) -> bool {
        !matches!(self.algorithm(), Algorithm::Random | Algorithm::Mcts)
    }

    /// Whether the nodes and the time of [`Limits`] bound its search.
    pub fn heeds_effort(&self) -> bool {
        self.algorithm() != Algorithm::Random
    }

    /// Whether it looks up endgame tables.
    pub fn asks_tables(&self) -> bool {
        match self.algorithm() {
            Algorithm::Level => self.scorer().asks_tables(),
            _ => self.bot.key("tablebase").is_some() && self.options.tablebase,
        }
    }

    /// Whether it searches deeper and deeper, as far as time and nodes allow.
    pub fn deepens(&self) -> bool {
        match self.algorithm() {
            Algorithm::NegaScoutId | Algorithm::Champion => true,
            _ => self.options.id,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_the_limits_replace_is_left_out() {
        let time = Limits {
            movetime: Some(Duration::from_millis(20)),
            ..Limits::default()
        };
        let depth = Limits {
            depth: Some(3),
            ..Limits::default()
        };
        for (spec, limits, text) in [
            ("champion", &time, "champion"),
            ("champion:seed=3", &depth, "champion:seed=3"),
            ("negascout-id:depth=9", &time, "negascout-id"),
            ("alpha-beta:depth=9", &time, "alpha-beta:depth=9"),
            ("alpha-beta:depth=9,id=on", &time, "alpha-beta:id=on"),
            ("alpha-beta:depth=9", &depth, "alpha-beta"),
            ("mcts:c=50", &time, "mcts:c=50"),
            ("mcts", &depth, "mcts:playouts=10000"),
            ("level:3", &time, "level:3"),
            ("random", &time, "random"),
        ] {
            let spec: BotSpec = spec.parse().unwrap();
            assert_eq!(spec.within(limits), text);
        }
    }
}
