//! `checkers-lab bench` as its user sees it.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

use std::process::{Command, Output};

/// What the search takes at present. A change that alters it writes the new number here and says so.
const NODES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/bench.txt");

fn bench(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_checkers-lab"))
        .arg("bench")
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn the_nodes_are_those_of_the_file() {
    let output = bench(&["--check", NODES]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn other_nodes_are_a_failure() {
    let output = bench(&["--depth", "3", "--check", NODES]);
    assert_eq!(output.status.code(), Some(1));
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("nodes, and"), "{talk}");
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(found.trim().parse::<u64>().unwrap() > 20);
}

#[test]
fn a_file_without_a_number_is_refused_before_any_work() {
    let output = bench(&[
        "--check",
        concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"),
    ]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(talk.contains("expected a number of nodes"), "{talk}");
}
