//! Puts commit and date into `VERSION`. Only in release builds: others would be built again after
//! each commit.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = release.then(commit).flatten();
    let commit = commit.map_or_else(String::new, |commit| format!(" ({commit})"));
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo::rustc-env=CLI_KIT_VERSION={version}{commit}");
}

/// The commit and its date, such as `1b565c5, 2026-11-24`; `None` outside a repository.
fn commit() -> Option<String> {
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["log", "-1", "--format=%h, %cs"])
}

fn git(words: &[&str]) -> Option<String> {
    let output = Command::new("git").args(words).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
