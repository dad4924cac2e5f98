//! What plays: a bot of ours or any program.

use std::fmt;
use std::str::FromStr;

use checkers_bot::{HubSpec, HubSpecError};
use checkers_engine::{BotSpec, SpecError};

/// What plays for one side of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// A bot of ours: `alpha-beta:depth=7`.
    Engine(BotSpec),
    /// Any program, by the shell command that starts it: `exec:python3 my_bot.py`. It is told by
    /// environment variables where and what to play; see [`Contestant::HELP`].
    Foreign(String),
    /// An engine of another program that speaks the Hub protocol: `hub:cmd=./scan hub`. A bot of
    /// ours takes part for it.
    Hub(HubSpec),
}

impl Contestant {
    /// How a foreign program is spoken to, for people.
    pub const HELP: &str = "exec:COMMAND
  Starts COMMAND with sh -c. It is to join CHECKERS_SERVER (ws://…) as CHECKERS_NAME and to
  answer every your_turn with a move; it is seated for each game and need not ask. It may end
  with exit code 7 when a move of its own was refused and 8 when it does not understand the
  server. Its limits stand in CHECKERS_DEPTH, CHECKERS_NODES and CHECKERS_MOVETIME where it has
  any, and a clock's times are told with each move. Everything it starts ends with it.";

    /// Whether a text is meant to have the command of a program in it.
    pub(crate) fn is_command_text(text: &str) -> bool {
        text.starts_with(Contestant::FOREIGN) || HubSpec::is_meant(text)
    }

    /// Whether it is a program of its own and cannot play within this process.
    pub(crate) fn is_program(&self) -> bool {
        match self {
            Contestant::Engine(_) => false,
            Contestant::Foreign(_) | Contestant::Hub(_) => true,
        }
    }

    const FOREIGN: &str = "exec:";
}

/// Why a text does not say what plays.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContestantError {
    /// Neither a bot of ours nor a foreign program.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// `exec:` with nothing after it.
    #[error("expected a command after exec:")]
    NoCommand,
    /// It begins as an engine of another program, and goes wrong.
    #[error(transparent)]
    Hub(#[from] HubSpecError),
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        match text.strip_prefix(Contestant::FOREIGN) {
            None if HubSpec::is_meant(text) => Ok(Contestant::Hub(text.parse()?)),
            None => Ok(Contestant::Engine(text.parse()?)),
            Some(command) if command.trim().is_empty() => Err(ContestantError::NoCommand),
            Some(command) => Ok(Contestant::Foreign(command.trim().to_owned())),
        }
    }
}

impl fmt::Display for Contestant {
    /// Writes the canonical spec.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Engine(spec) => spec.fmt(f),
            Contestant::Foreign(command) => write!(f, "{}{command}", Contestant::FOREIGN),
            Contestant::Hub(spec) => spec.fmt(f),
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
            ("exec: ./bot --fast ", "exec:./bot --fast"),
            (
                "hub:threads=2,cmd=./scan hub",
                "hub:cmd=./scan hub,param.threads=2",
            ),
        ] {
            let contestant: Contestant = text.parse().unwrap();
            assert_eq!(contestant.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(contestant));
        }
    }

    #[test]
    fn wrong_specs_say_what_is_wrong() {
        let error = |text: &str| text.parse::<Contestant>().unwrap_err().to_string();
        assert!(error("beta").starts_with("unknown bot \"beta\""));
        assert_eq!(error("exec: "), "expected a command after exec:");
        assert!(error("hub:./scan").starts_with("expected KEY=VALUE"));
    }
}
