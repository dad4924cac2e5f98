//! Puts commit and date into `VERSION`. Only in release builds: others would be built again after
//! each commit.

use std::process::Command;

/// The digits of a commit that are shown. Git's own choice depends on the size of the clone.
const DIGITS: usize = 10;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=commit.txt");
    // Of all profiles that inherit from `release`.
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = release.then(|| archived().or_else(commit)).flatten();
    let commit = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo::rustc-env=CLI_KIT_VERSION={version}{commit}");
}

/// The commit that `git archive` made these sources from; `None` in a repository.
fn archived() -> Option<String> {
    shown(&std::fs::read_to_string("commit.txt").ok()?)
}

/// The commit of the repository; `None` outside one.
fn commit() -> Option<String> {
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    shown(&git(&["log", "-1", "--format=%H %cs"])?)
}

/// Commit and date, such as `1b565c5f04, 2026-11-24`, from the whole commit and the date.
fn shown(text: &str) -> Option<String> {
    let (commit, date) = text.trim().split_once(' ')?;
    let is_commit = commit.chars().all(|digit| digit.is_ascii_hexdigit());
    is_commit.then(|| format!("{}, {date}", &commit[..DIGITS.min(commit.len())]))
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
