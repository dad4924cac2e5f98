//! Which bots there may be, and how much they may take.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::LazyLock;
use std::time::Duration;

use checkers_engine::{Algorithm, BotSpec, HIGHEST_LEVEL, Limits, SpecError};
use checkers_lib::protocol::{BotRequest, ErrorCode, Refusal};

use crate::names::skeleton;

/// How many bots of one kind may be at one table, beside the first.
pub(super) const NAMESAKES: u32 = 8;

/// What the names look like that bots have at tables.
static LOOKS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let levels = (1..=HIGHEST_LEVEL).map(name_of_level);
    let others = BotSpec::names().map(name_of_bot);
    let kinds = levels.chain(others);
    let names = kinds.flat_map(|kind| (0..=NAMESAKES).map(move |others| numbered(&kind, others)));
    names.map(|name| skeleton(&name)).collect()
});

/// The deepest search there is, in plies.
const DEEPEST: u32 = 64;

/// What bots may take of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BotLimits {
    /// How many search at one time, 1 or more.
    pub(crate) threads: usize,
    /// How many sit at tables at one time.
    pub(crate) seats: usize,
    /// How many plies deep a search may go.
    pub(crate) depth: u32,
    /// How long a search may take, if nobody waits behind it.
    pub(crate) time: Duration,
    /// Memory of one search's table in MiB.
    pub(crate) memory: u32,
}

/// A bot that the server does not play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum BadBot {
    /// There is no such level.
    #[error("no level {level}: expected 1 to {HIGHEST_LEVEL}")]
    Level {
        /// The level that was asked for.
        level: u8,
    },
    /// It is not the specification of a bot.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It wants more memory than there is for a search.
    #[error("a bot here has at most {most} MiB of memory: say tt={most} or less")]
    Memory {
        /// What there is, in MiB.
        most: u32,
    },
    /// It wants to search on several threads.
    #[error("a bot here searches on one thread: say threads=1")]
    Threads,
}

/// As many bots sit at tables as there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("all {seats} computer opponents are playing")]
pub(super) struct BotsBusy {
    /// How many there may be.
    pub(crate) seats: usize,
}

/// A bot to be seated: what plays, and what people read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RequestedBot {
    pub(super) spec: BotSpec,
    /// `level N` or the specification: what is told and stored of it, and understood again.
    pub(super) label: String,
}

impl TryFrom<&BotRequest> for RequestedBot {
    type Error = BadBot;

    fn try_from(request: &BotRequest) -> Result<RequestedBot, BadBot> {
        match request {
            BotRequest::Level(level) => RequestedBot::level(*level),
            BotRequest::Spec(text) => {
                let spec: BotSpec = text.parse()?;
                Ok(RequestedBot {
                    label: spec.to_string(),
                    spec,
                })
            }
        }
    }
}

impl RequestedBot {
    fn level(level: u8) -> Result<RequestedBot, BadBot> {
        let spec = BotSpec::of_level(level.into()).ok_or(BadBot::Level { level })?;
        let label = format!("level {level}");
        Ok(RequestedBot { spec, label })
    }

    /// Reads a label.
    ///
    /// # Errors
    /// [`BadBot`], if another version of the server has written it.
    pub(super) fn labelled(label: &str) -> Result<RequestedBot, BadBot> {
        match label.strip_prefix("level ").map(str::parse) {
            Some(Ok(level)) => RequestedBot::level(level),
            Some(Err(_)) | None => RequestedBot::try_from(&BotRequest::Spec(label.to_owned())),
        }
    }

    /// What it is called at a table where so many others are called the same.
    pub(super) fn name(&self, others: u32) -> String {
        let name = match self.label.strip_prefix("level ") {
            Some(level) => name_of_level(level),
            None => name_of_bot(self.spec.name()),
        };
        numbered(&name, others)
    }
}

/// Whether a name is one that bots have at tables, or looks like one.
pub(crate) fn is_name_of_a_bot(name: &str) -> bool {
    LOOKS.contains(&skeleton(name))
}

fn name_of_level(level: impl Display) -> String {
    format!("Level {level}")
}

fn name_of_bot(bot: &str) -> String {
    format!("{bot} bot")
}

fn numbered(name: &str, others: u32) -> String {
    match others {
        0 => name.to_owned(),
        _ => format!("{name} ({})", others + 1),
    }
}

impl From<BadBot> for Refusal {
    fn from(error: BadBot) -> Refusal {
        Refusal::new(ErrorCode::BadBot, error.to_string())
    }
}

impl From<BotsBusy> for Refusal {
    fn from(error: BotsBusy) -> Refusal {
        Refusal::new(ErrorCode::BotsBusy, error.to_string())
    }
}

impl BotLimits {
    /// Checks that the server plays such a bot.
    ///
    /// # Errors
    /// [`BadBot`].
    pub(super) fn check(&self, spec: &BotSpec) -> Result<(), BadBot> {
        if spec.options().threads > 1 {
            return Err(BadBot::Threads);
        }
        // Levels choose their own memory; bots without a table have the default.
        let fixed = spec.algorithm() == Algorithm::Level || !spec.has_table();
        if fixed || spec.options().tt <= self.memory {
            return Ok(());
        }
        Err(BadBot::Memory { most: self.memory })
    }

    /// What bounds one search of `spec` that may take `time`.
    pub(super) fn of(&self, spec: &BotSpec, time: Duration) -> Limits {
        let own_depth = match spec.algorithm() {
            Algorithm::Level => DEEPEST,
            _ => spec.options().depth,
        };
        Limits {
            depth: Some(own_depth.min(self.depth)),
            movetime: Some(time),
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: BotLimits = BotLimits {
        threads: 1,
        seats: 1,
        depth: 8,
        time: Duration::from_secs(1),
        memory: 64,
    };

    fn spec(text: &str) -> BotSpec {
        text.parse().unwrap()
    }

    #[test]
    fn a_bot_searches_no_deeper_than_it_is_and_may() {
        for (text, depth) in [
            ("alpha-beta:depth=3", 3),
            ("alpha-beta:depth=20", 8),
            ("level:10", 8),
        ] {
            let limits = LIMITS.of(&spec(text), LIMITS.time);
            assert_eq!(limits.depth, Some(depth), "{text}");
            assert_eq!(limits.movetime, Some(LIMITS.time));
        }
    }

    #[test]
    fn labels_are_understood_again() {
        for (request, label, name) in [
            (BotRequest::Level(3), "level 3", "Level 3"),
            (
                BotRequest::Spec("alphaBeta:seed=1,depth=7".to_owned()),
                "alpha-beta:depth=7,seed=1",
                "alpha-beta bot",
            ),
        ] {
            let wanted = RequestedBot::try_from(&request).unwrap();
            assert_eq!(wanted.label, label);
            assert_eq!(RequestedBot::labelled(label), Ok(wanted.clone()));
            assert_eq!(wanted.name(0), name);
            assert_eq!(wanted.name(1), format!("{name} (2)"));
            assert!((0..=NAMESAKES).all(|others| is_name_of_a_bot(&wanted.name(others))));
        }
    }

    #[test]
    fn people_are_called_otherwise() {
        for (name, is_a_bots) in [
            ("level 3", true),
            ("LEVEL 10 (2)", true),
            ("Mtdf bot", true),
            ("Level", false),
            ("Level 12", false),
            ("Level 3 (99)", false),
            ("mtdf", false),
            ("anna bot", false),
        ] {
            assert_eq!(is_name_of_a_bot(name), is_a_bots, "{name}");
        }
    }

    #[test]
    fn bots_that_are_none_are_told() {
        for (request, told) in [
            (BotRequest::Level(0), "no level 0: expected 1 to 10"),
            (
                BotRequest::Spec("random:depth=1".to_owned()),
                "random has no key \"depth\": expected seed",
            ),
        ] {
            let refusal = Refusal::from(RequestedBot::try_from(&request).unwrap_err());
            assert_eq!((refusal.code, &*refusal.message), (ErrorCode::BadBot, told));
        }
        assert!(RequestedBot::labelled("level x").is_err());
    }

    #[test]
    fn nobody_has_a_command_started() {
        for text in ["hub:cmd=true", "exec:true"] {
            let wanted = RequestedBot::try_from(&BotRequest::Spec(text.to_owned()));
            let BadBot::Spec(error) = wanted.unwrap_err() else {
                panic!("{text}")
            };
            assert!(error.to_string().starts_with("unknown bot"), "{error}");
        }
    }

    #[test]
    fn memory_is_bounded_where_a_bot_takes_any() {
        let little = BotLimits {
            memory: 32,
            ..LIMITS
        };
        for text in ["random", "level:10", "mcts", "alpha-beta", "mtdf:tt=32"] {
            assert_eq!(little.check(&spec(text)), Ok(()), "{text}");
        }
        for text in ["mtdf", "negascout-id:tt=33"] {
            let refused = Err(BadBot::Memory { most: 32 });
            assert_eq!(little.check(&spec(text)), refused, "{text}");
        }
    }

    #[test]
    fn the_threads_are_the_servers_to_give() {
        assert_eq!(LIMITS.check(&spec("champion")), Ok(()));
        let refused = Err(BadBot::Threads);
        assert_eq!(LIMITS.check(&spec("champion:threads=2")), refused);
    }
}
