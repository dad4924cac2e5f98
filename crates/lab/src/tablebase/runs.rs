//! What was done in a directory of tables, how long it took and what memory.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::failure::TableFailure;

/// What the list is called.
const NAME: &str = "runs.jsonl";

/// A command that has done its work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct CompletedRun {
    /// What it was, without the directory.
    pub(crate) command: String,
    /// How many positions were made or checked.
    pub(crate) positions: u64,
    /// How many threads it worked with.
    pub(crate) threads: usize,
    /// How long it took.
    pub(crate) seconds: f64,
    /// The most memory that the process had, in bytes, where the system reports it.
    pub(crate) peak_memory: Option<u64>,
}

impl CompletedRun {
    /// A command that began then and is done now.
    pub(crate) fn since(
        begin: Instant,
        command: String,
        positions: u64,
        threads: usize,
    ) -> CompletedRun {
        CompletedRun {
            command,
            positions,
            threads,
            seconds: begin.elapsed().as_secs_f64(),
            peak_memory: peak_memory(),
        }
    }

    /// Adds this to the list of a directory.
    pub(crate) fn add_to(&self, dir: &Path) -> Result<(), TableFailure> {
        let path = dir.join(NAME);
        let write = || {
            let mut file = OpenOptions::new().create(true).append(true).open(&path)?;
            let line = serde_json::to_string(self)?;
            writeln!(file, "{line}")
        };
        write().map_err(|source| TableFailure::Directory {
            path: path.clone(),
            source,
        })
    }
}

/// The list of a directory; what is no line of a list is left out.
pub(crate) fn read(dir: &Path) -> Result<Vec<CompletedRun>, TableFailure> {
    let path = dir.join(NAME);
    match fs::read_to_string(&path) {
        Ok(text) => Ok((text.lines())
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(TableFailure::Directory { path, source }),
    }
}

/// The most memory that this process has had; only Linux reports it.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kib << 10)
}
