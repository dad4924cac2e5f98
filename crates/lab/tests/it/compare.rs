//! `checkers-lab compare` as its user sees it.

use std::fs;
use std::process::Output;
use test_support::stderr;

use crate::support::{Dir, lab, utf8};

fn compare(args: &[&str]) -> Output {
    lab("compare --rounds 1").args(args).output().unwrap()
}

/// The table of this title, without its head.
fn rows(output: &Output, title: &str) -> Vec<Vec<String>> {
    assert!(output.status.success(), "{output:?}");
    let text = utf8(output.stdout.clone());
    let (_, table) = text.split_once(&format!("### {title}\n\n")).unwrap();
    let rows = table.lines().skip(2).take_while(|line| !line.is_empty());
    rows.map(|line| {
        let cells = line.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().to_owned()).collect()
    })
    .collect()
}

#[test]
fn nodes_are_the_same_in_every_run() {
    let args = ["--depth", "4", "alpha-beta", "mtdf", "negascout-id"];
    let nodes = rows(&compare(&args), "Nodes by depth");
    assert_eq!(nodes.len(), 4);
    assert!(nodes.iter().all(|row| row.len() == 4));
    assert_eq!(rows(&compare(&args), "Nodes by depth"), nodes);
}

#[test]
fn every_bot_is_compared_by_default() {
    let output = compare(&["--depth", "1", "--patience", "0s"]);
    assert_eq!(rows(&output, "Nodes by depth")[0].len(), 10);
    assert_eq!(rows(&output, "Milliseconds by depth")[0].len(), 10);
    assert_eq!(rows(&output, "Milliseconds by simulations")[0].len(), 3);
    let talk = utf8(output.stderr);
    assert!(talk.starts_with("minimax-weak 1: "), "{talk}");
}

#[test]
fn the_plot_goes_into_its_file() {
    let dir = Dir::new();
    let path = dir.path("plot.svg");
    let output = compare(&["--depth", "2", "minimax", "--svg", &path]);
    assert!(output.status.success(), "{output:?}");
    let svg = fs::read_to_string(path).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("minimax"));
}

#[test]
fn a_plot_that_cannot_be_written_is_refused_before_any_work() {
    let output = compare(&["minimax", "--svg", "/no/such/folder/plot.svg"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let talk = utf8(output.stderr);
    let error = "error: cannot write /no/such/folder/plot.svg: ";
    assert!(
        talk.starts_with(error) && talk.lines().count() == 1,
        "{talk}"
    );
}

#[test]
fn wrong_arguments_are_explained() {
    for (args, explanation) in [
        (["minmax", "--depth=3"], "unknown bot \"minmax\""),
        (["minimax:tt=3", "--depth=3"], "minimax has no key \"tt\""),
        (
            ["minimax", "--depth=65"],
            "expected a whole number from 1 to 64",
        ),
        (
            ["minimax", "--rounds=0"],
            "expected a whole number, 1 or more",
        ),
    ] {
        let talk = stderr(lab("compare").args(args), 2);
        assert!(talk.contains(explanation), "{talk}");
    }
}
