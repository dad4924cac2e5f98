//! Whole matches between bots of ours.

use std::path::Path;
use std::process::Command;

use crate::support::Match;
use checkers_bot_test::{GameRecord, MoveRecord};

/// The moves, colours, results and searches of a match, without its times.
fn timeless(games: &[GameRecord]) -> Vec<GameRecord> {
    let timeless = |played: &MoveRecord| MoveRecord {
        time_us: 0,
        ..played.clone()
    };
    (games.iter())
        .map(|game| GameRecord {
            moves: game.moves.iter().map(timeless).collect(),
            ..game.clone()
        })
        .collect()
}

fn play(words: &[&str]) -> Vec<GameRecord> {
    let ended = Match::new(words).play();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    timeless(&ended.record().games)
}

#[test]
fn both_ways_of_playing_give_the_same_games() {
    for options in [&["--games", "3"][..], &["--games", "4", "--swap"]] {
        for bots in [
            ["negascout-tt:depth=4", "alpha-beta:depth=3"],
            ["random:seed=5", "minimax-weak:depth=2"],
        ] {
            let words = [&bots[..], options].concat();
            let over_websocket = play(&words);
            let in_process = play(&[&words[..], &["--in-process"]].concat());
            assert_eq!(over_websocket, in_process, "{words:?}");
        }
    }
}

#[test]
fn sides_are_swapped_when_asked() {
    let whites = |options: &[&str]| -> Vec<String> {
        let words = [
            &["random", "random", "--in-process", "--games", "3"],
            options,
        ]
        .concat();
        play(&words)
            .iter()
            .map(|game| game.seats.white.name())
            .collect()
    };
    assert_eq!(whites(&[]), ["bot-1", "bot-1", "bot-1"]);
    assert_eq!(whites(&["--swap"]), ["bot-1", "bot-2", "bot-1"]);
}

#[test]
fn the_draw_rules_reach_the_server() {
    let games = play(&["random", "random", "--draw-rules", "study", "--games", "2"]);
    assert_eq!(games.len(), 2);
}

#[test]
fn the_result_is_on_stdout_and_the_rest_on_stderr() {
    let ended = Match::new(&["random", "random:seed=1", "--games", "2"]).play();
    assert!(
        ended
            .stdout
            .starts_with("bot 1  random (seed 0)\nbot 2  random:seed=1 (seed 1)\n")
    );
    assert_eq!(ended.stderr.lines().count(), 2, "{}", ended.stderr);
    assert!(
        ended.stderr.starts_with("game 1 of 2: "),
        "{}",
        ended.stderr
    );
}

#[test]
fn the_games_are_written_as_pdn() {
    let words = ["minimax-weak:depth=2", "random", "--games", "2", "--swap"];
    let ended = Match::new(&words).with_file("--pdn", "match.pdn").play();
    let games = checkers_lib::pdn::parse(&ended.file("match.pdn")).unwrap();
    let record = ended.record();
    assert_eq!(games.len(), 2);
    for (pdn, game) in games.iter().zip(&record.games) {
        assert_eq!(pdn.moves().len(), game.moves.len());
        assert_eq!(
            pdn.tags.get("White"),
            Some(&*record.bots[game.seats.white.0].spec)
        );
    }
}

#[test]
fn what_was_played_before_a_failure_is_written() {
    let words = ["random", "exec:exit 1"];
    let ended = Match::new(&words).with_file("--pdn", "match.pdn").play();
    assert_eq!(ended.code, Some(1));
    assert_eq!(ended.file("match.pdn"), "");
    assert!(ended.record().games.is_empty());
}

fn run(words: &[&str]) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-bot-test"));
    command
        .arg("match")
        .args(words)
        .output()
        .unwrap()
        .status
        .code()
}

#[test]
fn wrong_usage_and_bad_files_are_refused_at_once() {
    assert_eq!(run(&["random"]), Some(2));
    assert_eq!(run(&["random", "nobody"]), Some(2));
    assert_eq!(run(&["random", "exec:true", "--in-process"]), Some(2));
    let absent = Path::new("/no/such/directory/match.json");
    for option in ["--json", "--pdn"] {
        assert_eq!(
            run(&["random", "random", option, absent.to_str().unwrap()]),
            Some(4)
        );
    }
}
