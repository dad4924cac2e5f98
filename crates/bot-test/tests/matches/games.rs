//! Whole matches between bots of ours.

use std::path::Path;
use std::process::Command;

use crate::support::Match;
use checkers_bot_test::{Clock, GameRecord, MoveRecord};

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
    for options in [
        &["--games", "3"][..],
        &["--games", "4", "--swap"],
        &["--games", "4", "--swap", "--openings", "suite"],
        &["--games", "3", "--opening-plies", "3", "--seed", "7"],
    ] {
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

/// The moves of a game's opening.
fn opening(game: &GameRecord) -> Vec<&str> {
    let chosen_by_nobody = |played: &&MoveRecord| played.clock == Clock::Opening;
    let moves = game.moves.iter().take_while(chosen_by_nobody);
    moves.map(|played| played.text.as_str()).collect()
}

#[test]
fn a_pair_has_one_opening_and_the_next_pair_another() {
    let words = "random random --games 4 --swap --openings suite --in-process";
    let games = play(&words.split(' ').collect::<Vec<_>>());
    let openings: Vec<_> = games.iter().map(opening).collect();
    assert_eq!(openings[0].len(), 6);
    assert_eq!(openings[0], openings[1]);
    assert_eq!(openings[2], openings[3]);
    assert_ne!(openings[1], openings[2]);
}

#[test]
fn openings_come_from_a_file_in_its_order_or_shuffled() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("openings.txt");
    std::fs::write(&file, "c3-d4\nW:WKa1:BKh8,h2\ng3-f4 f6-g5\n").unwrap();
    let file = file.to_str().unwrap();
    let words = ["random", "random", "--games", "4", "--openings", file];
    let games = play(&words);
    let openings: Vec<_> = games.iter().map(opening).collect();
    let none: [&str; 0] = [];
    assert_eq!(
        openings,
        [&["c3-d4"][..], &none, &["g3-f4", "f6-g5"], &["c3-d4"]]
    );
    assert_eq!(games[1].start_fen, "W:WKa1:Bh2,Kh8");
    let shuffled = play(&[&words[..], &["--seed", "2"]].concat());
    let shuffled: Vec<_> = shuffled.iter().map(opening).collect();
    assert_ne!(openings, shuffled);
    assert_eq!(shuffled[0], shuffled[3]);
}

#[test]
fn what_the_results_say_about_strength_is_told() {
    let words = "minimax:depth=4 random --games 20 --swap --openings suite --in-process";
    let ended = Match::new(&words.split(' ').collect::<Vec<_>>()).play();
    let record = ended.record();
    assert_eq!(record.options.openings, 726);
    assert_eq!(record.strength.games, 20);
    assert!(record.strength.score.unwrap() > 0.9);
    assert!(
        ended.stdout.contains("from 726 openings"),
        "{}",
        ended.stdout
    );
    assert!(ended.stdout.contains("pairs 10: "), "{}", ended.stdout);
}

#[test]
fn openings_that_cannot_be_played_are_wrong_usage() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("openings.txt");
    for (text, complaint) in [
        ("c3-d4\nc3-e5\n", "2"),
        ("# nothing\n", "has no openings"),
        ("B:Wa1:B", "no move"),
    ] {
        std::fs::write(&file, text).unwrap();
        let words = ["random", "random", "--openings", file.to_str().unwrap()];
        let ended = Match::new(&words).play();
        assert_eq!(ended.code, Some(2), "{text}");
        assert!(ended.stderr.contains(complaint), "{}", ended.stderr);
    }
    let ended = Match::new(&["random", "random", "--openings", "/nowhere/at/all"]).play();
    assert_eq!(ended.code, Some(2));
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
