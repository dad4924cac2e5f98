//! How long a bot may think, as it is written on the command line.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use checkers_engine::{BotSpec, Clock, Limits};
use checkers_lib::{TimeControl, did_you_mean};
use serde::{Deserialize, Serialize};

/// What bounds a bot's choice of each move. All bounds hold together; none bounds nothing beyond
/// the bot's own spec.
///
/// Written `depth=5,nodes=10000,movetime=100ms,clock=10s+100ms`, any of these in any order. A
/// clock may stand without its name.
///
/// ```
/// use checkers_bot_test::BotLimits;
///
/// let limits: BotLimits = "nodes=5000,10s+100ms".parse()?;
/// assert_eq!(limits.to_string(), "nodes=5000,clock=10s+100ms");
/// # Ok::<(), checkers_bot_test::LimitsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct BotLimits {
    /// Searches this many plies deep, 1 to 64.
    pub depth: Option<u32>,
    /// Visits at most this many nodes, 1 or more.
    pub nodes: Option<u64>,
    /// Takes at most this long for a move.
    pub movetime: Option<Duration>,
    /// Plays on a clock.
    pub clock: Option<TimeControl>,
}

impl BotLimits {
    /// How limits are written, for people.
    pub const HELP: &str = "depth=PLIES, nodes=N, movetime=TIME and clock=TIME+INCREMENT, \
                            TIME~DELAY or TIME/move, with commas between them: \
                            depth=5,movetime=100ms or clock=10s+100ms";

    /// Those of these limits that have an effect on a bot of ours.
    #[must_use]
    pub fn heeded_by(self, spec: &BotSpec) -> BotLimits {
        BotLimits {
            depth: self.depth.filter(|_| spec.heeds_depth()),
            nodes: self.nodes.filter(|_| spec.heeds_effort()),
            movetime: self.movetime.filter(|_| spec.heeds_effort()),
            clock: self.clock,
        }
    }

    /// What bounds the first move of a game.
    pub(crate) fn of_first_move(self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime,
            clock: self.clock.map(|clock| Clock {
                remaining: clock.base(),
                increment: Duration::ZERO,
            }),
            ..Limits::default()
        }
    }

    /// These limits, and where they say nothing, those of `common`.
    #[must_use]
    pub fn or(self, common: BotLimits) -> BotLimits {
        BotLimits {
            depth: self.depth.or(common.depth),
            nodes: self.nodes.or(common.nodes),
            movetime: self.movetime.or(common.movetime),
            clock: self.clock.or(common.clock),
        }
    }
}

/// Why a text is no limits.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LimitsError {
    /// There is no such limit.
    #[error("unknown limit {0:?}{meant}; expected {HELP}", meant = meant(.0), HELP = BotLimits::HELP)]
    Unknown(String),
    /// The limit is there twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// A time cannot be.
    #[error("{limit}: {reason}")]
    Time {
        /// Which limit.
        limit: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// The value cannot be.
    #[error("expected {expected}, found {found:?}")]
    Value {
        /// What it should be.
        expected: &'static str,
        /// What is there.
        found: String,
    },
}

impl FromStr for BotLimits {
    type Err = LimitsError;

    fn from_str(text: &str) -> Result<BotLimits, LimitsError> {
        let mut limits = BotLimits::default();
        for part in text.split(',').map(str::trim) {
            let (key, value) = part.split_once('=').unwrap_or(("clock", part));
            match key {
                "depth" => set(&mut limits.depth, "depth", depth(value)?)?,
                "nodes" => set(&mut limits.nodes, "nodes", nodes(value)?)?,
                "movetime" => set(&mut limits.movetime, "movetime", movetime(value)?)?,
                "clock" if part.starts_with(|c: char| c.is_ascii_digit() || c == 'c') => {
                    set(&mut limits.clock, "clock", clock(value)?)?;
                }
                _ => return Err(LimitsError::Unknown(part.to_owned())),
            }
        }
        Ok(limits)
    }
}

/// Which limit a misspelt one stands for.
fn meant(part: &str) -> String {
    let name = part.split('=').next().unwrap_or_default();
    did_you_mean(name, ["depth", "nodes", "movetime", "clock"])
}

fn set<T>(limit: &mut Option<T>, name: &'static str, value: T) -> Result<(), LimitsError> {
    match limit.replace(value) {
        None => Ok(()),
        Some(_) => Err(LimitsError::Twice(name)),
    }
}

fn depth(text: &str) -> Result<u32, LimitsError> {
    let depth = text.parse().ok().filter(|depth| (1..=64).contains(depth));
    depth.ok_or_else(|| wrong("a depth from 1 to 64", text))
}

fn nodes(text: &str) -> Result<u64, LimitsError> {
    let nodes = text.parse().ok().filter(|&nodes| nodes > 0);
    nodes.ok_or_else(|| wrong("a number of nodes, 1 or more", text))
}

fn movetime(text: &str) -> Result<Duration, LimitsError> {
    cli_kit::movetime(text).map_err(|reason| bad("movetime", reason))
}

fn clock(text: &str) -> Result<TimeControl, LimitsError> {
    cli_kit::clock(text).map_err(|reason| bad("clock", reason))
}

fn bad(limit: &'static str, reason: String) -> LimitsError {
    LimitsError::Time { limit, reason }
}

fn wrong(expected: &'static str, found: &str) -> LimitsError {
    LimitsError::Value {
        expected,
        found: found.to_owned(),
    }
}

impl fmt::Display for BotLimits {
    /// Writes the limits in one order; nothing if there are none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.movetime
                .map(|time| format!("movetime={}ms", time.as_micros() as f64 / 1000.0)),
            self.clock.map(|clock| format!("clock={clock}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(","))
    }
}

impl From<BotLimits> for String {
    fn from(limits: BotLimits) -> String {
        limits.to_string()
    }
}

impl TryFrom<String> for BotLimits {
    type Error = LimitsError;

    /// Reads what [`BotLimits`] write, the empty text included.
    fn try_from(text: String) -> Result<BotLimits, LimitsError> {
        if text.is_empty() {
            return Ok(BotLimits::default());
        }
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        for (text, canonical) in [
            ("depth=5", "depth=5"),
            ("movetime=0.1s, depth=9", "depth=9,movetime=100ms"),
            ("10s+0.1s,nodes=7", "nodes=7,clock=10s+100ms"),
            ("clock=1m", "clock=1m+0s"),
            ("clock=1m~2s", "clock=1m~2s"),
            ("5s/move", "clock=5s/move"),
        ] {
            let limits: BotLimits = text.parse().unwrap();
            assert_eq!(limits.to_string(), canonical);
            assert_eq!(BotLimits::try_from(canonical.to_owned()), Ok(limits));
        }
        assert_eq!(BotLimits::try_from(String::new()), Ok(BotLimits::default()));
    }

    #[test]
    fn wrong_limits_say_what_is_wrong() {
        let error = |text: &str| text.parse::<BotLimits>().unwrap_err().to_string();
        let meant = "unknown limit \"deepth=5\": did you mean depth?; expected depth=PLIES";
        assert!(error("deepth=5").starts_with(meant));
        let no_unit = "expected a time with a unit, such as 5ms, 5s or 5m";
        assert_eq!(error("movetime=5"), format!("movetime: {no_unit}"));
        assert_eq!(error("5"), format!("clock: {no_unit}"));
        assert!(error("").starts_with("unknown limit"));
        assert_eq!(error("depth=5,depth=6"), "depth is given twice");
        assert_eq!(
            error("depth=0"),
            "expected a depth from 1 to 64, found \"0\""
        );
        for text in ["nodes=0", "nodes=-1"] {
            assert!(error(text).starts_with("expected a"), "{text}");
        }
        for text in [
            "movetime=0s",
            "movetime=1+1",
            "movetime=1~1",
            "movetime=1/move",
            "clock=x",
        ] {
            assert!(error(text).contains(": expected "), "{text}");
        }
    }

    #[test]
    fn a_bots_own_limits_come_first() {
        let own: BotLimits = "depth=3".parse().unwrap();
        let common: BotLimits = "depth=5,nodes=100".parse().unwrap();
        assert_eq!(own.or(common).to_string(), "depth=3,nodes=100");
    }
}
