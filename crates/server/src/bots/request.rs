//! Requests for bots and their limits.

use std::collections::HashSet;
use std::fmt::Display;
use std::sync::LazyLock;
use std::time::Duration;

use checkers_engine::{Algorithm, BotSpec, HIGHEST_LEVEL, Limits, SpecError};
use checkers_lib::protocol::{BotRequest, ErrorCode, Refusal};

use crate::names::skeleton;

/// The most further bots of the same kind at one table.
pub(super) const MAX_NAMESAKES: u32 = 8;

/// The skeletons of all names of bots.
static BOT_SKELETONS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let levels = (1..=HIGHEST_LEVEL).map(level_name);
    let others = BotSpec::names().map(bot_name);
    let kinds = levels.chain(others);
    let names =
        kinds.flat_map(|kind| (0..=MAX_NAMESAKES).map(move |others| numbered(&kind, others)));
    names.map(|name| skeleton(&name)).collect()
});

/// The maximum depth of a search, in plies.
const MAX_DEPTH: u32 = 64;

/// The resources that bots may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BotLimits {
    /// The number of search threads, 1 or more.
    pub(crate) threads: usize,
    /// The most bots at tables.
    pub(crate) seats: usize,
    /// The depth limit of a search, in plies.
    pub(crate) depth: u32,
    /// The time limit of a search without competition.
    pub(crate) time: Duration,
    /// The memory for one transposition table, in MiB.
    pub(crate) memory: u32,
}

/// A request for a bot that the server does not play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum BadBot {
    /// There is no such level.
    #[error("no level {level}: expected 1 to {HIGHEST_LEVEL}")]
    Level {
        /// The requested level.
        level: u8,
    },
    /// The specification is malformed.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It wants more memory than allowed.
    #[error("a bot here has at most {most} MiB of memory: say tt={most} or less")]
    Memory {
        /// The limit in MiB.
        most: u32,
    },
    /// It wants to search on several threads.
    #[error("a bot here searches on one thread: say threads=1")]
    Threads,
}

/// The maximum number of bots are playing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("all {seats} computer opponents are playing")]
pub(super) struct BotsBusy {
    /// The maximum.
    pub(crate) seats: usize,
}

/// A bot to be seated: its engine and its label.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RequestedBot {
    pub(super) spec: BotSpec,
    /// `level N` or the specification; message to clients, stored, and parsed after a restart.
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

    /// Parses a label.
    ///
    /// # Errors
    /// [`BadBot`] if a different version of the server has written it.
    pub(super) fn from_label(label: &str) -> Result<RequestedBot, BadBot> {
        match label.strip_prefix("level ").map(str::parse) {
            Some(Ok(level)) => RequestedBot::level(level),
            Some(Err(_)) | None => RequestedBot::try_from(&BotRequest::Spec(label.to_owned())),
        }
    }

    /// Its name at a table with `others` bots of the same name.
    pub(super) fn name(&self, others: u32) -> String {
        let name = match self.label.strip_prefix("level ") {
            Some(level) => level_name(level),
            None => bot_name(self.spec.name()),
        };
        numbered(&name, others)
    }
}

/// Whether a name is confusable with that of a bot.
pub(crate) fn is_bot_name(name: &str) -> bool {
    BOT_SKELETONS.contains(&skeleton(name))
}

fn level_name(level: impl Display) -> String {
    format!("Level {level}")
}

fn bot_name(bot: &str) -> String {
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
    /// Checks that the limits allow the bot.
    ///
    /// # Errors
    /// [`BadBot`].
    pub(super) fn check(&self, spec: &BotSpec) -> Result<(), BadBot> {
        if spec.options().threads > 1 {
            return Err(BadBot::Threads);
        }
        // Levels choose their own memory; bots without a transposition table ignore the setting.
        let fixed = spec.algorithm() == Algorithm::Level || !spec.has_table();
        if fixed || spec.options().tt <= self.memory {
            return Ok(());
        }
        Err(BadBot::Memory { most: self.memory })
    }

    /// The limits of one search of `spec` with the time limit `time`.
    pub(super) fn of(&self, spec: &BotSpec, time: Duration) -> Limits {
        let own_depth = match spec.algorithm() {
            Algorithm::Level => MAX_DEPTH,
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
    fn depth_is_limited_by_bot_and_server() {
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
    fn labels_round_trip() {
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
            assert_eq!(RequestedBot::from_label(label), Ok(wanted.clone()));
            assert_eq!(wanted.name(0), name);
            assert_eq!(wanted.name(1), format!("{name} (2)"));
            assert!((0..=MAX_NAMESAKES).all(|others| is_bot_name(&wanted.name(others))));
        }
    }

    #[test]
    fn names_of_bots_are_recognised() {
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
            assert_eq!(is_bot_name(name), is_a_bots, "{name}");
        }
    }

    #[test]
    fn bad_bots_are_refused_with_a_reason() {
        for (request, message) in [
            (BotRequest::Level(0), "no level 0: expected 1 to 10"),
            (
                BotRequest::Spec("random:depth=1".to_owned()),
                "random has no key \"depth\": expected seed",
            ),
        ] {
            let refusal = Refusal::from(RequestedBot::try_from(&request).unwrap_err());
            assert_eq!(
                (refusal.code, &*refusal.message),
                (ErrorCode::BadBot, message)
            );
        }
        assert!(RequestedBot::from_label("level x").is_err());
    }

    #[test]
    fn clients_cannot_start_commands() {
        for text in ["hub:cmd=true", "exec:true"] {
            let wanted = RequestedBot::try_from(&BotRequest::Spec(text.to_owned()));
            let BadBot::Spec(error) = wanted.unwrap_err() else {
                panic!("{text}")
            };
            assert!(error.to_string().starts_with("unknown bot"), "{error}");
        }
    }

    #[test]
    fn memory_is_limited_for_bots_that_use_it() {
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
    fn bots_cannot_choose_their_threads() {
        assert_eq!(LIMITS.check(&spec("champion")), Ok(()));
        let refused = Err(BadBot::Threads);
        assert_eq!(LIMITS.check(&spec("champion:threads=2")), refused);
    }
}
