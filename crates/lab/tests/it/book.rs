//! `checkers-lab book` as its user sees it.

use std::fs;
use std::process::{Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use checkers_engine::book::Book;
use checkers_lib::{Position, openings};
use serde_json::Value;

use crate::support::{Dir, utf8};

/// Builds a small book.
fn build(dir: &Dir, out: &str, threads: &str) -> Vec<u8> {
    run(
        dir,
        &[&BUILD[..], &["--threads", threads, "--out", out]].concat(),
    );
    dir.read(out)
}

fn run(dir: &Dir, args: &[&str]) -> Output {
    test_support::run(dir.lab("book").args(args))
}

fn stdout(dir: &Dir, args: &[&str]) -> String {
    utf8(run(dir, args).stdout)
}

/// What a command is refused with.
fn refused(dir: &Dir, args: &[&str], exit_code: i32) -> String {
    test_support::stderr(dir.lab("book").args(args), exit_code)
}

const BUILD: [&str; 9] = [
    "build",
    "--bot",
    "champion:tt=1,eval=hand",
    "--nodes",
    "60",
    "--positions",
    "400",
    "--openings",
    "8",
];

#[test]
fn a_book_depends_neither_on_threads_nor_on_interruptions() {
    let dir = Dir::new();
    let whole = build(&dir, "whole.book", "1");
    assert!(build(&dir, "threads.book", "3") == whole);

    let mut killed = dir
        .lab("book")
        .args(BUILD)
        .args(["--threads", "1", "--out", "killed.book"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let searches = dir.path("killed.book.searches");
    let written = || fs::metadata(&searches).map_or(0, |file| file.len());
    while written() < 1_000 && killed.try_wait().unwrap().is_none() {
        sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    // As a kill in the middle of a block leaves it.
    let torn = [&fs::read(&searches).unwrap()[..], &[1, 2, 3]].concat();
    fs::write(&searches, torn).unwrap();
    assert!(build(&dir, "killed.book", "2") == whole);

    // What was searched is not searched again, also for a bigger book.
    let more = [
        &BUILD[..5],
        &[
            "--positions",
            "500",
            "--openings",
            "8",
            "--out",
            "killed.book",
        ],
    ]
    .concat();
    let talk = utf8(run(&dir, &more).stderr);
    let whole = Book::read(&whole).unwrap().len();
    let going_on = format!("going on after {whole} positions\n");
    assert!(talk.starts_with(&going_on), "{talk}");
    assert!(Book::read(&dir.read("killed.book")).unwrap().len() > whole);
}

#[test]
fn a_book_has_the_best_play_of_what_was_searched() {
    let dir = Dir::new();
    let book = Book::read(&build(&dir, "small.book", "2")).unwrap();
    assert!((380..=400).contains(&book.len()), "{}", book.len());
    assert_eq!(book.contradiction(), None);
    let note = "book bot=champion:depth=6,tt=1,eval=hand nodes=60 openings=8 seed=1 positions=400";
    assert!(book.note().ends_with(note), "{}", book.note());
    // The start and all its moves, and openings of the suite.
    assert_eq!(book.moves(&Position::start()).len(), 7);
    let known = openings::suite();
    let known = known.iter().filter(|o| book.score(o.position()).is_some());
    assert!(known.count() >= 8);

    assert!(stdout(&dir, &["verify", "small.book"]).ends_with(" positions, all right\n"));
    let stats = stdout(&dir, &["stats", "small.book"]);
    assert!(
        stats.contains("\nbest line from the start: ") && stats.contains(note),
        "{stats}"
    );
    let list = stdout(
        &dir,
        &["list", "small.book", "--plies", "2", "--margin", "40"],
    );
    let listed = openings::parse(&list).unwrap();
    assert!(!listed.is_empty() && listed.iter().all(|o| o.moves().len() == 2));
}

#[test]
fn a_position_is_looked_up() {
    let dir = Dir::new();
    build(&dir, "small.book", "1");
    let start: Value =
        serde_json::from_str(&stdout(&dir, &["probe", "small.book", "--json"])).unwrap();
    let moves = start["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 7);
    assert_eq!(moves[0]["score"], start["score"]);
    assert_eq!(moves[0]["is_played"], true);
    let best = moves[0]["move"].as_str().unwrap();
    assert_eq!(moves[0]["pv"][0], best);
    let after = stdout(&dir, &["probe", "small.book", "--moves", best]);
    let expected = format!("  {:+}\n", -moves[0]["score"].as_i64().unwrap());
    assert!(
        after.lines().next().unwrap().len() > 20 && after.contains(&expected),
        "{after}"
    );

    let nothing = stdout(&dir, &["probe", "small.book", "--fen", "W:WKa1:BKh8"]);
    assert_eq!(nothing, "W:WKa1:BKh8  not in the book\n");
    let wrong = refused(&dir, &["probe", "small.book", "--moves", "c3-e5"], 2);
    assert!(
        wrong.starts_with("error: --moves are no moves from the start: "),
        "{wrong}"
    );
    let wrong = refused(&dir, &["probe", "small.book", "--fen", "?"], 2);
    assert!(
        wrong.starts_with("error: --fen is not a position: "),
        "{wrong}"
    );
}

#[test]
fn an_error_in_a_file_is_reported_with_its_place() {
    let dir = Dir::new();
    let bytes = build(&dir, "small.book", "2");
    let cut = bytes.len() - 100;
    dir.write("cut.book", &bytes[..cut]);
    let mut altered = bytes.clone();
    altered[cut] ^= 1;
    dir.write("altered.book", altered);
    dir.write("foreign.book", "not a book");
    for command in ["verify", "stats", "probe", "list"] {
        let talk = refused(&dir, &[command, "cut.book"], 1);
        assert_eq!(talk, format!("error: cut.book: cut off at byte {cut}\n"));
        let talk = refused(&dir, &[command, "altered.book"], 1);
        assert!(
            talk.starts_with("error: altered.book: damaged at byte "),
            "{talk}"
        );
        let talk = refused(&dir, &[command, "foreign.book"], 1);
        let expected =
            "error: foreign.book: no opening book: it begins with other bytes at byte 0\n";
        assert_eq!(talk, expected);
        let talk = refused(&dir, &[command, "missing.book"], 1);
        assert!(
            talk.starts_with("error: cannot read missing.book: "),
            "{talk}"
        );
    }
    let others = [&BUILD[..3], &["--nodes", "61", "--out", "small.book"]].concat();
    let talk = refused(&dir, &others, 1);
    assert!(
        talk.contains("small.book.searches was begun with other settings"),
        "{talk}"
    );
    // The book that was there is as it was.
    assert!(dir.read("small.book") == bytes);
    let talk = refused(
        &dir,
        &["build", "--bot", "minimax", "--out", "some.book"],
        2,
    );
    assert!(
        talk.contains("minimax makes no books: expected champion"),
        "{talk}"
    );
}
