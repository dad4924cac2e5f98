//! Running `checkers-lab` and reading what it writes.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

/// `checkers-lab` with these arguments, separated by spaces.
pub(crate) fn lab(args: &str) -> Command {
    let mut lab = Command::new(env!("CARGO_BIN_EXE_checkers-lab"));
    lab.args(args.split(' '));
    lab
}

pub(crate) fn utf8(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// The JSON values of a text with one on each line.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A directory that is removed when the test ends.
pub(crate) struct Dir(TempDir);

impl Dir {
    pub(crate) fn new() -> Dir {
        Dir(tempfile::tempdir().unwrap())
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// The path of this file in the directory, whether it exists or not.
    pub(crate) fn path(&self, name: &str) -> String {
        self.root().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Writes a file into the directory and returns its path.
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// `checkers-lab` with these arguments, separated by spaces, run in this directory.
    pub(crate) fn lab(&self, args: &str) -> Command {
        let mut lab = lab(args);
        lab.current_dir(self.root());
        lab
    }
}
