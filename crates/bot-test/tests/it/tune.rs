//! `checkers-bot-test tune` as its user sees it.

use std::fs;
use std::process::Output;

use checkers_engine::BotSpec;

use crate::support::program;

const TUNE: &str = "tune alpha-beta:depth=2 --key depth=1..5 --key seed=0..9 --iterations 40 --pairs 2 \
                    --opening-plies 2";

/// What a run that does not fail writes. Two dozen games decide nothing.
fn tune(args: &str) -> Output {
    let words = TUNE.split(' ').chain(args.split_whitespace());
    let output = program(words).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 7)), "{output:?}");
    output
}

/// What a command that ends with this exit code writes to standard error.
fn refused(args: &str, exit_code: i32) -> String {
    let output = program(args.split_whitespace()).output().unwrap();
    assert_eq!(output.status.code(), Some(exit_code), "{output:?}");
    text(output.stderr)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_tuned_bot_is_tested() {
    let found = text(tune("").stdout);
    let lines: Vec<&str> = found.lines().collect();
    let [bot, depth, seed, verdict] = lines[..] else {
        panic!("{found}");
    };
    // A deeper search wins.
    let tuned: BotSpec = bot.parse().unwrap();
    assert!(tuned.options().depth > 2, "{bot}");
    assert!(depth.starts_with("depth: 2 to "), "{depth}");
    assert!(seed.starts_with("seed: 0 to "), "{seed}");
    assert!(
        verdict.contains("(SPRT of 0 against 5 normalized Elo, "),
        "{verdict}"
    );
    assert_eq!(text(tune("--concurrency 1").stdout), found);
    assert_ne!(text(tune("--seed 2").stdout), found);
}

#[test]
fn an_interrupted_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tune.jsonl");
    let args = format!("--journal {}", path.display());
    let found = text(tune(&args).stdout);
    let journal = fs::read_to_string(&path).unwrap();
    assert_eq!(journal.lines().count(), 41);
    // As after a power cut: the last line is not whole.
    let cut = journal.match_indices('\n').nth(3).unwrap().0 + 10;
    fs::write(&path, &journal[..cut]).unwrap();
    let again = tune(&args);
    assert!(text(again.stderr).starts_with("going on after 3 iterations\n"));
    assert_eq!(text(again.stdout), found);
    assert_eq!(fs::read_to_string(&path).unwrap(), journal);

    let other = refused(&format!("{TUNE} {args} --seed 2"), 1);
    assert!(
        other.contains("belongs to a run with other settings"),
        "{other}"
    );
    for foreign_text in ["1,2,3\n", "1,2,3"] {
        fs::write(&path, foreign_text).unwrap();
        let foreign = refused(&format!("{TUNE} {args}"), 1);
        assert!(foreign.contains("is no journal of tune"), "{foreign}");
        assert_eq!(fs::read_to_string(&path).unwrap(), foreign_text);
    }
    // A header that was not written to its end begins the run.
    fs::write(&path, &journal[..20]).unwrap();
    assert_eq!(text(tune(&args).stdout), found);

    let file = fs::File::open(&path).unwrap();
    file.lock().unwrap();
    let locked = refused(&format!("{TUNE} {args}"), 1);
    assert!(locked.contains("another run is writing it"), "{locked}");
}

#[test]
fn wrong_keys_are_explained() {
    for (bot, key, reason) in [
        (
            "champion",
            "futility=0..1",
            "champion has no number futility",
        ),
        (
            "minimax",
            "lmr-first=1..5",
            "minimax has no number lmr-first",
        ),
        ("champion", "lmr-first=5..9", "does not contain the bot's 3"),
        (
            "champion",
            "lmr-first=1..99",
            "expected a number from 1 to 64",
        ),
        ("champion", "lmr-first=3", "expected a key and a range"),
        ("champion", "lmr-first=5..1", "expected a key and a range"),
        (
            "champion",
            "lmr-first=1..5 --key lmr-first=2..4",
            "lmr-first is given twice",
        ),
    ] {
        let args = format!("tune {bot} --key {key} --limits nodes=10");
        let stderr = refused(&args, 2);
        assert!(stderr.contains(reason), "{stderr}");
    }
    refused("tune champion --limits nodes=10", 2);
    let gate = "tune champion --key contempt=0..50 --limits nodes=9 --gate 5,0";
    assert!(refused(gate, 2).contains("expected H0 below H1"));
}
