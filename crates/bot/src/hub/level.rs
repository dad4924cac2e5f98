//! What bounds a search: the protocol's `level`.

use std::time::Duration;

use checkers_engine::{Algorithm, BotSpec, Clock, Limits};

use super::line::HubLine;

/// What of a clock is not there to think: the way of the move to it.
const WAY: Duration = Duration::from_millis(10);

/// The longest time that is understood: a thousand years are as good as more.
const LONGEST: f64 = 3.2e10;

/// The deepest search there is.
const DEEPEST: u32 = 64;

/// What a `level` line asks for.
#[derive(Clone, Debug, Default)]
pub(crate) enum Level {
    /// No line has come: what the bot's spec says.
    #[default]
    Own,
    /// No bounds.
    Infinite,
    /// These; there is at least one.
    Bounded(Limits),
}

/// An argument that cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("bad {name} {value:?}: expected {expected}")]
pub(crate) struct LevelError {
    name: &'static str,
    value: String,
    expected: &'static str,
}

impl Level {
    /// Reads a `level` line. What it says besides is passed over.
    ///
    /// # Errors
    /// A value that is no number, or out of range.
    pub(crate) fn parse(line: &HubLine) -> Result<Level, LevelError> {
        let positive = |number: &u32| *number > 0;
        let depth = number(line, "depth")?.filter(positive);
        let nodes = number(line, "nodes")?.filter(|&nodes: &u64| nodes > 0);
        let own = seconds(line, "move-time")?;
        let time = seconds(line, "time")?;
        let increment = seconds(line, "inc")?.unwrap_or_default();
        let moves = number(line, "moves")?.filter(positive);
        let mut limits = Limits {
            depth: depth.map(|depth| depth.min(DEEPEST)),
            nodes,
            movetime: own,
            ..Limits::default()
        };
        match (time.map(|time| time.saturating_sub(WAY)), moves) {
            (None, _) => {}
            (Some(remaining), None) => {
                limits.clock = Some(Clock {
                    remaining,
                    increment,
                });
            }
            // A share for each move, and one kept back.
            (Some(remaining), Some(moves)) => {
                let share = remaining / moves.saturating_add(1);
                limits.movetime = Some(own.map_or(share, |own| own.min(share)));
            }
        }
        let is_bounded = depth.is_some() || nodes.is_some() || own.is_some() || time.is_some();
        Ok(match is_bounded {
            true => Level::Bounded(limits),
            false => Level::Infinite,
        })
    }

    /// What bounds a search of the bot.
    pub(crate) fn limits(&self, spec: &BotSpec) -> Limits {
        let deepest = |depth| Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        match self {
            // Asked without bounds, an adviser would search for ever.
            Level::Own if spec.algorithm() == Algorithm::Champion => deepest(spec.options().depth),
            Level::Infinite if deepens(spec) => deepest(DEEPEST),
            Level::Own | Level::Infinite => Limits::default(),
            Level::Bounded(limits) => limits.clone(),
        }
    }
}

/// Whether the bot has an answer after each depth, so that it may search as deep as it can.
fn deepens(spec: &BotSpec) -> bool {
    matches!(
        spec.algorithm(),
        Algorithm::Champion | Algorithm::NegaScoutId
    )
}

fn number<T: std::str::FromStr>(
    line: &HubLine,
    name: &'static str,
) -> Result<Option<T>, LevelError> {
    let parse = |value: &str| {
        value.parse().map_err(|_| LevelError {
            name,
            value: value.to_owned(),
            expected: "a number",
        })
    };
    line.get(name).map(parse).transpose()
}

fn seconds(line: &HubLine, name: &'static str) -> Result<Option<Duration>, LevelError> {
    let parse = |value: &str| {
        let seconds = value.parse().ok().filter(|seconds: &f64| *seconds >= 0.0);
        let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds.min(LONGEST)));
        time.and_then(Result::ok).ok_or_else(|| LevelError {
            name,
            value: value.to_owned(),
            expected: "seconds",
        })
    };
    line.get(name).map(parse).transpose()
}

/// The line that asks for these limits; `None` if they bound nothing.
pub(crate) fn level_line(limits: &Limits) -> Option<HubLine> {
    let mut line = HubLine::new("level");
    if let Some(depth) = limits.depth {
        line = line.with("depth", depth);
    }
    if let Some(nodes) = limits.nodes {
        line = line.with("nodes", nodes);
    }
    if let Some(movetime) = limits.movetime {
        line = line.with("move-time", movetime.as_secs_f64());
    }
    if let Some(Clock {
        remaining,
        increment,
    }) = limits.clock
    {
        line = line.with("time", remaining.as_secs_f64());
        line = line.with("inc", increment.as_secs_f64());
    }
    (line != HubLine::new("level")).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Result<Level, LevelError> {
        Level::parse(&text.parse().unwrap())
    }

    fn bounds(text: &str) -> (Option<u32>, Option<u64>, Option<u64>, Option<u64>) {
        let Level::Bounded(limits) = level(text).unwrap() else {
            panic!("{text} bounds nothing")
        };
        let millis = |time: Duration| time.as_millis() as u64;
        let clock = limits.clock.map(|clock| millis(clock.remaining));
        (
            limits.depth,
            limits.nodes,
            limits.movetime.map(millis),
            clock,
        )
    }

    #[test]
    fn every_bound_is_read() {
        for (text, read) in [
            ("level depth=7", (Some(7), None, None, None)),
            ("level depth=700", (Some(64), None, None, None)),
            ("level nodes=1000 x=y", (None, Some(1000), None, None)),
            ("level move-time=0.05", (None, None, Some(50), None)),
            ("level time=60", (None, None, None, Some(59_990))),
            ("level time=60 inc=0.5", (None, None, None, Some(59_990))),
            ("level moves=9 time=10.01", (None, None, Some(1000), None)),
            ("level moves=9 time=0", (None, None, Some(0), None)),
        ] {
            assert_eq!(bounds(text), read, "{text}");
        }
    }

    #[test]
    fn what_bounds_nothing_is_infinite() {
        for text in ["level infinite", "level", "level ponder", "level depth=0"] {
            assert!(matches!(level(text), Ok(Level::Infinite)), "{text}");
        }
    }

    #[test]
    fn an_invalid_number_is_reported() {
        for text in ["depth=x", "depth=-1", "time=-1", "time=nan", "move-time"] {
            let error = level(&format!("level {text}")).unwrap_err();
            assert!(error.to_string().contains("expected"), "{error}");
        }
        assert_eq!(bounds("level move-time=1e300").2, Some(32_000_000_000_000));
    }

    #[test]
    fn a_bot_without_a_level_goes_by_its_spec() {
        let depth = |level: Level, spec: &str| level.limits(&spec.parse().unwrap()).depth;
        assert_eq!(depth(Level::Own, "champion:depth=9"), Some(9));
        assert_eq!(depth(Level::Own, "level:10"), None);
        assert_eq!(depth(Level::Infinite, "champion:depth=9"), Some(64));
        assert_eq!(depth(Level::Infinite, "alpha-beta:depth=9"), None);
    }

    #[test]
    fn limits_are_written_as_they_are_read() {
        let limits = Limits {
            depth: Some(7),
            nodes: Some(1000),
            movetime: Some(Duration::from_micros(50)),
            clock: Some(Clock {
                remaining: Duration::from_secs(60),
                increment: Duration::from_millis(500),
            }),
            ..Limits::default()
        };
        let line = level_line(&limits).unwrap();
        let written = "level depth=7 nodes=1000 move-time=0.00005 time=60 inc=0.5";
        assert_eq!(line.to_string(), written);
        assert_eq!(level_line(&Limits::default()), None);
    }
}
