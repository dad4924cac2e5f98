//! `checkers-lab bench` as its user sees it.

use test_support::run;

use crate::support::{lab, utf8};

/// What the search takes at present. A change that alters it writes the new number here and says so.
const NODES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/bench.txt");

#[test]
fn the_nodes_are_those_of_the_file() {
    run(lab("bench").args(["--check", NODES]));
}

#[test]
fn other_nodes_are_a_failure() {
    let output = lab("bench --depth 3")
        .args(["--check", NODES])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let talk = utf8(output.stderr);
    assert!(talk.contains("nodes, and"), "{talk}");
    let found = utf8(output.stdout);
    assert!(found.trim().parse::<u64>().unwrap() > 20);
}

#[test]
fn a_file_without_a_number_is_refused_before_any_work() {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let output = lab("bench").args(["--check", manifest]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let talk = utf8(output.stderr);
    assert!(talk.contains("expected a number of nodes"), "{talk}");
}
