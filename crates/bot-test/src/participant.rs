//! A participant: a bot and its limits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{BotLimits, MatchPlayer, PlayerError};

/// A bot of the tournament: its index in the list of participants, from 0. People see it counted
/// from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BotId(pub usize);

impl BotId {
    /// The bot named first on the command line: results of a match are from its side.
    pub const FIRST: BotId = BotId(0);
    /// The bot named second.
    pub const SECOND: BotId = BotId(1);

    /// The name the bot plays under.
    pub fn name(self) -> String {
        format!("bot-{}", self.0 + 1)
    }
}

impl fmt::Display for BotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bot {}", self.0 + 1)
    }
}

/// What plays, and what bounds it.
///
/// Written `SPEC@LIMITS`, or `SPEC` alone. A command of `exec:` or `hub:` may have an `@` of its own:
/// only what can be read as limits to its end is taken for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Participant {
    /// The bot.
    pub player: MatchPlayer,
    /// Its own limits.
    pub limits: BotLimits,
}

impl FromStr for Participant {
    type Err = ParticipantError;

    fn from_str(text: &str) -> Result<Participant, ParticipantError> {
        let whole = (text, BotLimits::default());
        let (spec, limits) = match text.rsplit_once('@') {
            None => whole,
            Some((spec, limits)) => match limits.parse() {
                Ok(limits) => (spec, limits),
                Err(_) if MatchPlayer::is_command_text(text) => whole,
                Err(error) => return Err(ParticipantError::Limits(error)),
            },
        };
        Ok(Participant {
            player: spec.parse()?,
            limits,
        })
    }
}

impl Participant {
    /// Its spec with the limits that apply, and without what has no effect beside them. Read back
    /// as a participant, it plays the same.
    pub fn label(&self) -> String {
        let Some(spec) = self.player.spec() else {
            return self.to_string();
        };
        let limits = self.limits.heeded_by(spec);
        let spec = spec.within(&limits.of_first_move());
        let spec = self.player.with_weights(&spec);
        match limits == BotLimits::default() {
            true => spec,
            false => format!("{spec}@{limits}"),
        }
    }
}

/// Why a text does not describe a participant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParticipantError {
    /// What stands before the limits.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// What stands after `@`.
    #[error(transparent)]
    Limits(crate::LimitsError),
}

impl fmt::Display for Participant {
    /// Writes the canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.player.fmt(f)?;
        if self.limits != BotLimits::default() {
            write!(f, "@{}", self.limits)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_are_written_canonically() {
        for (text, canonical) in [
            ("alphaBeta:depth=7", "alpha-beta:depth=7"),
            (
                "negascout-id@0.1s+0.01s",
                "negascout-id:depth=6@clock=100ms+10ms",
            ),
            ("exec:./bot me@home", "exec:./bot me@home"),
            ("exec:./bot me@home@depth=3", "exec:./bot me@home@depth=3"),
            ("exec: ./bot @nodes=9", "exec:./bot@nodes=9"),
            (
                "hub:cmd=./bot me@home@movetime=0.1s",
                "hub:cmd=./bot me@home@movetime=100ms",
            ),
        ] {
            let participant: Participant = text.parse().unwrap();
            assert_eq!(participant.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(participant));
        }
    }

    #[test]
    fn labels_have_the_limits_that_apply() {
        for (text, label) in [
            ("champion@movetime=20ms", "champion@movetime=20ms"),
            ("champion:seed=2@depth=4", "champion:seed=2@depth=4"),
            ("alpha-beta@depth=4", "alpha-beta@depth=4"),
            ("alpha-beta@1m", "alpha-beta:depth=6@clock=1m+0s"),
            ("mcts@depth=3", "mcts:playouts=10000"),
            ("mcts@depth=3,nodes=50", "mcts@nodes=50"),
            ("champion:weights=a@nodes=9", "champion:weights=a@nodes=9"),
            ("random@depth=3,movetime=1s", "random"),
            ("exec:./bot@depth=3", "exec:./bot@depth=3"),
        ] {
            let participant: Participant = text.parse().unwrap();
            assert_eq!(participant.label(), label);
            let again: Participant = label.parse().unwrap();
            assert_eq!(again.label(), label);
        }
    }

    #[test]
    fn wrong_entrants_say_what_is_wrong() {
        let error = |text: &str| text.parse::<Participant>().unwrap_err().to_string();
        assert!(error("nobody@depth=1").starts_with("unknown bot"));
        assert!(error("random@deepth=1").starts_with("unknown limit"));
    }
}
