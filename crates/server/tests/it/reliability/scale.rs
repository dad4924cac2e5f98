//! The size of a run.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The size of a run: small by default.
pub(crate) struct Scale {
    /// The fault.
    pub(crate) trouble: &'static str,
    /// The number of concurrent games.
    pub(crate) games: usize,
    /// The number of faults.
    pub(crate) times: usize,
    /// The average time for a move.
    pub(crate) pace: Duration,
    /// The seed.
    pub(crate) seed: u64,
}

impl Scale {
    /// RELIABILITY_GAMES is the number of games, RELIABILITY_TIMES the number of faults,
    /// RELIABILITY_PACE_MS the average time for a move, RELIABILITY_SEED the seed.
    pub(crate) fn of(trouble: &'static str, games: usize, times: usize) -> Scale {
        Scale {
            trouble,
            games: from_environment("RELIABILITY_GAMES").unwrap_or(games),
            times: from_environment("RELIABILITY_TIMES").unwrap_or(times),
            pace: Duration::from_millis(from_environment("RELIABILITY_PACE_MS").unwrap_or(10)),
            seed: from_environment("RELIABILITY_SEED").unwrap_or(1),
        }
    }

    /// The timeout of a run.
    pub(crate) fn patience(&self) -> Duration {
        Duration::from_secs(300) + self.pace * 400
    }

    /// Adds a line to the report, if RELIABILITY_REPORT names a file for one.
    pub(crate) fn report(&self, line: &str) {
        let Some(path) = std::env::var_os("RELIABILITY_REPORT").map(PathBuf::from) else {
            return;
        };
        let file = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path);
        let mut file = file.expect("a report can be written");
        writeln!(file, "{line}").expect("a report can be written");
    }

    pub(crate) fn skip(&self, why: &str) {
        self.report(&format!("| {} | not run: {why} ||||||||", self.trouble));
    }
}

fn from_environment<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    let value = text.parse().ok();
    Some(value.unwrap_or_else(|| panic!("{name}={text}: expected a number")))
}
