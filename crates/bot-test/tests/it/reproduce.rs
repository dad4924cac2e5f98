//! `checkers-bot-test reproduce`, run the way a user does.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use checkers_bot_test::ExitCode;
use checkers_bot_test::reproduce::Reproduction;
use rustix::process::{Pid, Signal, kill_process};

use crate::support::program;

fn command(options: &str) -> Command {
    program(["reproduce"].into_iter().chain(options.split_whitespace()))
}

fn run(options: &str, directory: &Path) -> Output {
    command(options).current_dir(directory).output().unwrap()
}

fn stdout(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        output.status.code(),
        Some(ExitCode::Done as i32),
        "{stderr}"
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn record(path: &Path) -> Reproduction {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn one_table_is_played_with_its_pairs() {
    let directory = tempfile::tempdir().unwrap();
    let few = "--table 1 --max-depth 2 --pairs 3 --other-seeds 2 --timings 1 --json r.json";
    let text = stdout(&run(few, directory.path()));
    assert!(text.contains("## Table 1: minimax, depth 1–2, against minimax-weak:depth=4"));
    assert!(
        !text.contains("## Table 2") && !text.contains("NaN"),
        "{text}"
    );
    let record = record(&directory.path().join("r.json"));
    let [table] = &record.tables[..] else {
        panic!("one table");
    };
    assert_eq!(table.rows.len(), 2);
    for row in &table.rows {
        let (single, paired) = (row.single.as_ref().unwrap(), row.paired.as_ref().unwrap());
        assert_eq!(single.white.moves + single.black.moves, single.plies);
        assert_eq!((paired.games.games(), paired.pairs.pairs()), (6, 3));
        assert_eq!(paired.other_seeds.games(), 2);
    }
    // Nothing but the document: no figure was asked for.
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_record_is_printed_again() {
    let directory = tempfile::tempdir().unwrap();
    let few = "--figure 3 --conclusions --max-depth 1 --timings 1 --json r.json --out figures";
    let text = stdout(&run(few, directory.path()));
    let again = stdout(&run("--from r.json --out again", directory.path()));
    assert_eq!(text, again);
    let figure = |name| std::fs::read(directory.path().join(name).join("study-figure-3.svg"));
    assert_eq!(figure("figures").unwrap(), figure("again").unwrap());
    assert!(
        text.contains("study-figure-3.svg") && !text.contains("figure-4"),
        "{text}"
    );
}

#[test]
fn exact_searches_play_the_same_games() {
    let directory = tempfile::tempdir().unwrap();
    let few = "--table 3 --table 5 --max-depth 1 --honest-pairs 0 --other-seeds 0 --timings 1";
    stdout(&run(&format!("{few} --json r.json"), directory.path()));
    let record = record(&directory.path().join("r.json"));
    let game = |table: usize| {
        let single = record.tables[table].rows[0].single.as_ref().unwrap();
        (single.result, &single.moves)
    };
    assert_eq!(game(0), game(1));
}

#[test]
fn wrong_usage_and_files_have_their_codes() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("other.json"), "{}").unwrap();
    for (options, code) in [
        ("--table 8", ExitCode::Usage),
        ("--figure 2", ExitCode::Usage),
        ("--timings 0", ExitCode::Usage),
        ("--honest-pairs 100000", ExitCode::Usage),
        ("--from r.json --table 1", ExitCode::Usage),
        ("--from nowhere.json", ExitCode::Failed),
        ("--from other.json", ExitCode::Failed),
        ("--table 1 --json no/such/directory.json", ExitCode::Failed),
        ("--figure 3 --out other.json", ExitCode::Failed),
    ] {
        let output = run(options, directory.path());
        assert_eq!(output.status.code(), Some(code as i32), "{options}");
        assert!(
            !output.stderr.is_empty() && output.stdout.is_empty(),
            "{options}"
        );
    }
}

#[test]
fn a_signal_ends_with_the_results_so_far() {
    printed_after(Signal::INT, ExitCode::Interrupted);
    printed_after(Signal::TERM, ExitCode::Terminated);
}

fn printed_after(signal: Signal, code: ExitCode) {
    let mut child = command("--table 2 --timings 3")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut progress = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    progress.read_line(&mut line).unwrap();
    assert!(line.starts_with("single games: table 2 depth 1"), "{line}");
    kill_process(Pid::from_child(&child), signal).unwrap();
    std::io::copy(&mut progress, &mut std::io::sink()).unwrap();
    let mut text = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(code as i32));
    assert!(
        text.contains("ended early") && text.contains("\n| 1 | −1 | "),
        "{text}"
    );
}
