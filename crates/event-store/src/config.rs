//! The settings of a store.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What an acknowledged event survives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// A power cut: it is on the disk (`fsync`) before it is acknowledged.
    #[default]
    PowerLoss,
    /// The death of the process (`kill -9`), but not of the machine: the operating system has it
    /// before it is acknowledged. A power cut takes the last seconds; what remains is consistent.
    Crash,
}

impl Durability {
    const ALL: [Durability; 2] = [Durability::PowerLoss, Durability::Crash];

    /// The name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Durability::PowerLoss => "power-loss",
            Durability::Crash => "crash",
        }
    }

    /// SQLite's word for it. With `NORMAL` a write-ahead log is synced before checkpoints only.
    pub(super) fn synchronous(self) -> &'static str {
        match self {
            Durability::PowerLoss => "FULL",
            Durability::Crash => "NORMAL",
        }
    }

    /// How long groups gather. A sync is worth waiting for; a commit without one is not.
    pub(super) fn gather(self) -> Duration {
        match self {
            Durability::PowerLoss => Duration::from_millis(3),
            Durability::Crash => Duration::ZERO,
        }
    }
}

/// A text that names no durability.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown durability {text:?}: expected power-loss or crash")]
pub struct DurabilityError {
    text: String,
}

impl FromStr for Durability {
    type Err = DurabilityError;

    fn from_str(text: &str) -> Result<Durability, DurabilityError> {
        let found = Durability::ALL
            .into_iter()
            .find(|durability| durability.name() == text);
        found.ok_or_else(|| DurabilityError { text: text.into() })
    }
}

impl fmt::Display for Durability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The settings of a store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoreConfig {
    /// Where its files are; made if it is not there.
    pub directory: PathBuf,
    /// What an acknowledged event survives.
    pub durability: Durability,
    /// The most batches that wait for the writer. Further appends wait.
    pub queue: usize,
    /// Jobs in one commit at most.
    pub group: usize,
    /// Between the beginnings of two commits at least, and up to four times as long after one of many
    /// writes: what comes so soon waits for company, and what comes after a pause does not. It costs
    /// at most as much latency, and saves a commit for each that shares one.
    pub gather: Duration,
    /// Reads at one time; more wait.
    pub readers: usize,
}

impl StoreConfig {
    /// The defaults, in this directory.
    pub fn new(directory: impl Into<PathBuf>) -> StoreConfig {
        StoreConfig {
            directory: directory.into(),
            durability: Durability::default(),
            queue: 4096,
            group: 1024,
            gather: Durability::default().gather(),
            readers: 4,
        }
    }

    /// The same with this durability, and groups that gather as long as suits it.
    #[must_use]
    pub fn durability(self, durability: Durability) -> StoreConfig {
        StoreConfig {
            durability,
            gather: durability.gather(),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_durability_reads_back() {
        for durability in Durability::ALL {
            assert_eq!(durability.to_string().parse(), Ok(durability));
        }
        let error = "full".parse::<Durability>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown durability \"full\": expected power-loss or crash"
        );
    }
}
