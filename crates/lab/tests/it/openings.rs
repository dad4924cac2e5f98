//! `checkers-lab openings` as its user sees it.

use std::fs;
use std::process::Stdio;

use checkers_lib::openings;

use crate::support::{self, Dir, lab};

fn stdout(args: &[&str]) -> String {
    test_support::stdout(lab("openings").args(args))
}

fn stderr(args: &[&str], exit_code: i32) -> String {
    test_support::stderr(lab("openings").args(args), exit_code)
}

/// The lines without the comments at the top.
fn lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

/// The openings without their scores.
fn moves(text: &str) -> Vec<&str> {
    let openings = lines(text).into_iter();
    openings
        .map(|line| line.split(" #").next().unwrap())
        .collect()
}

/// The arguments of the command that the comments at the top name.
fn recorded_args(text: &str) -> Vec<&str> {
    let mut commands =
        (text.lines()).filter_map(|line| line.strip_prefix("#   checkers-lab openings "));
    commands.next().unwrap().split(' ').collect()
}

#[test]
fn the_built_in_suite_begins_as_its_commands_make_it() {
    let directory = Dir::new();
    let found = stdout(&[
        "--plies", "6", "--depth", "14", "--seed", "1", "--count", "4",
    ]);
    directory.write("balanced.txt", found);
    // Less deep: what the champion's search finds changes with it, and these openings are far from the margin.
    let shallow = |arg| {
        if arg == "champion:depth=28,book=off" {
            "champion:depth=12,tt=1"
        } else {
            arg
        }
    };
    let mut command = directory.lab("openings");
    command.args(recorded_args(openings::SUITE).into_iter().map(shallow));
    assert_eq!(
        moves(&test_support::stdout(&mut command)),
        moves(openings::SUITE)[..4]
    );
}

#[test]
fn what_is_kept_is_within_the_margin() {
    let all = stdout(&["--plies", "3", "--depth", "5", "--margin", "100000"]);
    assert_eq!(lines(&all).len(), openings::enumerate(3).len());
    let score = |line: &&&str| -> i32 { line.rsplit(' ').next().unwrap().parse().unwrap() };
    let all = lines(&all);
    let balanced: Vec<&str> = (all.iter())
        .filter(|line| score(line).abs() <= 256)
        .copied()
        .collect();
    let kept = stdout(&["--plies", "3", "--depth", "5"]);
    assert_eq!(lines(&kept), balanced);
    assert!((1..all.len()).contains(&balanced.len()));
}

#[test]
fn the_text_is_read_back_and_its_command_makes_it_again() {
    let args = [
        "--plies",
        "4",
        "--bot",
        "alphaBeta:depth=4",
        "--seed",
        "9",
        "--count",
        "20",
    ];
    let text = stdout(&args);
    let openings = openings::parse(&text).unwrap();
    assert_eq!(openings.len(), 20);
    assert!(openings.iter().all(|opening| opening.moves().len() == 4));
    let version = format!(
        "# Made by checkers-lab {} with\n",
        env!("CARGO_PKG_VERSION")
    );
    assert!(text.contains(&version), "{text}");
    assert_eq!(
        recorded_args(&text).join(" "),
        "--plies 4 --margin 256 --bot alpha-beta:depth=4 --count 20 --seed 9"
    );
    assert_eq!(stdout(&recorded_args(&text)), text);
}

#[test]
fn threads_change_nothing() {
    let with = |threads| {
        stdout(&[
            "--plies",
            "4",
            "--depth",
            "4",
            "--seed",
            "2",
            "--count",
            "30",
            "--threads",
            threads,
        ])
    };
    let alone = with("1");
    assert_eq!(with("2"), alone);
    assert_eq!(with("7"), alone);
}

#[test]
fn the_openings_of_a_file_are_taken_in_their_order() {
    let directory = Dir::new();
    let all = stdout(&[
        "--plies", "3", "--depth", "2", "--margin", "100000", "--seed", "5",
    ]);
    let path = directory.write("all.txt", &all);
    let kept = stdout(&[
        "--from",
        &path,
        "--bot",
        "champion:depth=5,tt=1",
        "--margin",
        "30",
    ]);
    assert!(
        kept.contains(&format!("those of {path} in which")),
        "{kept}"
    );
    assert!(kept.contains("than 30, where a man is 140."), "{kept}");
    let (all, kept) = (moves(&all), moves(&kept));
    assert!((1..all.len()).contains(&kept.len()));
    let mut rest = all.iter();
    assert!(
        kept.iter()
            .all(|opening| rest.any(|other| other == opening))
    );

    let empty = directory.write("empty.txt", "# nothing\n");
    assert!(stderr(&["--from", &empty], 1).contains("has no openings"));
    let wrong = directory.write("wrong.txt", "a1-b3\n");
    assert!(stderr(&["--from", &wrong], 1).starts_with(&format!("error: {wrong}: line 1")));
    stderr(&["--from", &path, "--plies", "3"], 2);
}

#[test]
fn a_shortage_is_reported() {
    let talk = stderr(&["--plies", "2", "--depth", "2", "--count", "100"], 0);
    assert!(talk.contains(" of 38 positions searched in "), "{talk}");
    assert!(
        talk.contains(" found, 100 wanted: raise --margin or --plies"),
        "{talk}"
    );
    let none = stderr(&["--plies", "2", "--depth", "2", "--margin", "0"], 0);
    assert!(none.contains("warning: 0 found, 1 wanted"), "{none}");
}

#[test]
fn a_file_is_replaced_all_at_once() {
    let directory = Dir::new();
    let path = directory.write("suite.txt", "before");
    let args = ["--plies", "2", "--depth", "2"];
    let text = stdout(&args);
    let silent = stdout(&[&args[..], &["--out", &path]].concat());
    assert_eq!(silent, "");
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(fs::read_dir(directory.root()).unwrap().count(), 1);
}

#[test]
fn an_unwritable_file_is_reported_before_the_search() {
    let directory = Dir::new();
    for path in [directory.path("missing/suite.txt"), directory.path("")] {
        let talk = stderr(&["--plies", "9", "--depth", "40", "--out", &path], 1);
        assert!(
            talk.starts_with(&format!("error: cannot write {path}: ")),
            "{talk}"
        );
    }
    assert_eq!(fs::read_dir(directory.root()).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_everything_as_it_was() {
    left_as_it_was_by("-INT", 130);
    left_as_it_was_by("-TERM", 143);
}

#[cfg(unix)]
fn left_as_it_was_by(signal: &str, code: i32) {
    let directory = Dir::new();
    let path = directory.write("suite.txt", "before");
    let child = lab("openings --plies 4 --depth 40 --out")
        .arg(&path)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Signals are waited for before the file's draft is there.
    while fs::read_dir(directory.root()).unwrap().count() < 2 {
        std::thread::yield_now();
    }
    test_support::send_signal(child.id(), signal);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let talk = support::utf8(output.stderr);
    assert!(
        talk.ends_with("error: interrupted: nothing was written\n"),
        "{talk}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    assert_eq!(fs::read_dir(directory.root()).unwrap().count(), 1);
}

#[test]
fn wrong_arguments_are_explained() {
    let random = stderr(&["--plies", "3", "--bot", "random"], 2);
    assert!(random.contains("random does not score"), "{random}");
    let unknown = stderr(&["--plies", "3", "--bot", "alpha-beta:dept=3"], 2);
    assert!(unknown.contains("expected depth, seed"), "{unknown}");
    let both = stderr(&["--plies", "3", "--bot", "minimax", "--depth", "3"], 2);
    assert!(both.contains("cannot be used with"), "{both}");
    stderr(&[], 2);
    stderr(&["--plies", "11"], 2);
    stderr(&["--plies", "3", "--count", "0"], 2);
}
