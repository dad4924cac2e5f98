//! What plays: a bot of ours or any program.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use checkers_bot::{HubSpec, HubSpecError};
use checkers_engine::{Algorithm, BotSpec, SpecError};

/// What plays for one side of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MatchPlayer {
    /// A bot of ours: `alpha-beta:depth=7`.
    Engine(BotSpec),
    /// The champion with the weights of a file in place of its own and without its book:
    /// `champion:weights=new.net`. It plays within this process only.
    Weighted {
        /// The champion.
        spec: BotSpec,
        /// The file.
        weights: PathBuf,
    },
    /// Any program, by the shell command that starts it: `exec:python3 my_bot.py`. Environment
    /// variables name the server and the table; see [`MatchPlayer::HELP`].
    Foreign(String),
    /// An engine of another program that speaks the Hub protocol: `hub:cmd=./scan hub`. A bot of
    /// ours takes part for it.
    Hub(HubSpec),
}

impl MatchPlayer {
    /// How the champion gets other weights, for people.
    pub const WEIGHTS_HELP: &str = "champion:weights=FILE,KEY=VALUE,…
  The champion with the weights of FILE, as checkers-lab train writes them, and without its book;
  only with --in-process. FILE has no comma in it.";

    /// How a foreign program is spoken to, for people.
    pub const HELP: &str = "exec:COMMAND
  Starts COMMAND with sh -c. It is to join CHECKERS_SERVER (ws://…) as CHECKERS_NAME and to
  answer every your_turn with a move; it is seated for each game and need not ask. It may end
  with exit code 7 when a move of its own was refused and 8 when it does not understand the
  server. Its limits stand in CHECKERS_DEPTH, CHECKERS_NODES and CHECKERS_MOVETIME where it has
  any, and a clock's times come with each move request. Everything it starts ends with it.";

    /// Whether a text is meant to have the command of a program in it.
    pub(crate) fn is_command_text(text: &str) -> bool {
        text.starts_with(MatchPlayer::FOREIGN) || HubSpec::is_meant(text)
    }

    /// Whether it is a program of its own and cannot play within this process.
    pub(crate) fn is_program(&self) -> bool {
        match self {
            MatchPlayer::Engine(_) | MatchPlayer::Weighted { .. } => false,
            MatchPlayer::Foreign(_) | MatchPlayer::Hub(_) => true,
        }
    }

    /// What of a bot of ours is not its weights.
    pub(crate) fn spec(&self) -> Option<&BotSpec> {
        match self {
            MatchPlayer::Engine(spec) | MatchPlayer::Weighted { spec, .. } => Some(spec),
            MatchPlayer::Foreign(_) | MatchPlayer::Hub(_) => None,
        }
    }

    /// A text of its spec together with its weights.
    pub(crate) fn with_weights(&self, spec: &str) -> String {
        match self {
            MatchPlayer::Weighted { weights, .. } => {
                let separator = if spec.contains(':') { ',' } else { ':' };
                format!(
                    "{spec}{separator}{}{}",
                    MatchPlayer::WEIGHTS,
                    weights.display()
                )
            }
            MatchPlayer::Engine(_) | MatchPlayer::Foreign(_) | MatchPlayer::Hub(_) => {
                spec.to_owned()
            }
        }
    }

    /// Reads a bot of ours.
    fn engine(text: &str) -> Result<MatchPlayer, PlayerError> {
        let (name, keys) = text.split_once(':').unwrap_or((text, ""));
        let keys: Vec<&str> = keys.split(',').collect();
        let found = keys
            .iter()
            .enumerate()
            .find_map(|(place, key)| Some((place, key.trim().strip_prefix(MatchPlayer::WEIGHTS)?)));
        let Some((place, file)) = found else {
            return Ok(MatchPlayer::Engine(text.parse()?));
        };
        let others = [&keys[..place], &keys[place + 1..]].concat().join(",");
        let separator = if others.is_empty() { "" } else { ":" };
        let spec: BotSpec = format!("{name}{separator}{others}").parse()?;
        match spec.algorithm() {
            _ if file.is_empty() => Err(PlayerError::NoWeights),
            Algorithm::Champion => Ok(MatchPlayer::Weighted {
                spec,
                weights: file.into(),
            }),
            _ => Err(PlayerError::OtherWeights(spec.name())),
        }
    }

    const FOREIGN: &str = "exec:";
    const WEIGHTS: &str = "weights=";
}

/// Why a text does not say what plays.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// Neither a bot of ours nor a foreign program.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// `weights=` with nothing after it.
    #[error("expected a file after weights=")]
    NoWeights,
    /// Weights for a bot that has none.
    #[error("{0} has no weights; champion has")]
    OtherWeights(&'static str),
    /// `exec:` with nothing after it.
    #[error("expected a command after exec:")]
    NoCommand,
    /// It begins as an engine of another program, and goes wrong.
    #[error(transparent)]
    Hub(#[from] HubSpecError),
}

impl FromStr for MatchPlayer {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<MatchPlayer, PlayerError> {
        match text.strip_prefix(MatchPlayer::FOREIGN) {
            None if HubSpec::is_meant(text) => Ok(MatchPlayer::Hub(text.parse()?)),
            None => MatchPlayer::engine(text),
            Some(command) if command.trim().is_empty() => Err(PlayerError::NoCommand),
            Some(command) => Ok(MatchPlayer::Foreign(command.trim().to_owned())),
        }
    }
}

impl fmt::Display for MatchPlayer {
    /// Writes the canonical spec.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchPlayer::Engine(spec) => spec.fmt(f),
            MatchPlayer::Weighted { spec, .. } => {
                f.write_str(&self.with_weights(&spec.to_string()))
            }
            MatchPlayer::Foreign(command) => write!(f, "{}{command}", MatchPlayer::FOREIGN),
            MatchPlayer::Hub(spec) => spec.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_printed_canonically() {
        for (text, canonical) in [
            ("alphaBeta:seed=1,depth=7", "alpha-beta:depth=7,seed=1"),
            (
                "champion:weights=a/b.net",
                "champion:depth=6,weights=a/b.net",
            ),
            (
                "champion:weights=b.net,tt=1",
                "champion:depth=6,tt=1,weights=b.net",
            ),
            ("exec: ./bot --fast ", "exec:./bot --fast"),
            (
                "hub:threads=2,cmd=./scan hub",
                "hub:cmd=./scan hub,param.threads=2",
            ),
        ] {
            let player: MatchPlayer = text.parse().unwrap();
            assert_eq!(player.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(player));
        }
    }

    #[test]
    fn wrong_specs_say_what_is_wrong() {
        let error = |text: &str| text.parse::<MatchPlayer>().unwrap_err().to_string();
        assert!(error("beta").starts_with("unknown bot \"beta\""));
        assert_eq!(error("exec: "), "expected a command after exec:");
        assert_eq!(error("champion:weights="), "expected a file after weights=");
        assert_eq!(error("mcts:weights=a"), "mcts has no weights; champion has");
        assert!(error("champion:weights=a,weights=b").contains("weights"));
        assert!(error("hub:./scan").starts_with("expected KEY=VALUE"));
    }
}
