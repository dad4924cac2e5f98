//! Whole matches between bots of ours.

use std::path::Path;

use checkers_bot_test::{BotId, GameRecord, MoveRecord, Ruling, Timekeeper};
use checkers_lib::Position;
use checkers_lib::protocol::EndReason;

use super::support::{EndedRun, TestRun};
use crate::is_exhaustive;
use crate::support::program;

/// The moves, sides, results and searches of games, without their times.
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
    let ended = TestRun::of_match(words).play();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    timeless(&ended.record().games)
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn both_ways_of_playing_give_the_same_games() {
    let options = [
        "--games 3 --no-swap",
        "--pairs 2",
        "--games 4 --swap --openings suite",
        "--games 3 --opening-plies 3 --seed 7",
        "--pairs 1 --openings suite --limits depth=2",
        "--pairs 1 --openings suite --resign movecount=2,score=500 --max-plies 40",
        "--pairs 1 --openings suite --limits nodes=300",
    ];
    let both = [
        "negascout-tt:depth=4 alpha-beta:depth=3",
        "random:seed=5 minimax-weak:depth=2",
    ];
    for (turn, options) in options.into_iter().enumerate() {
        for (at, bots) in both.into_iter().enumerate() {
            if turn % 2 != at && !is_exhaustive() {
                continue;
            }
            let line = format!("{bots} {options}");
            let over_websocket = play(&words(&line));
            let line = format!("{line} --in-process");
            let in_process = play(&words(&line));
            assert!(over_websocket == in_process, "{line}");
        }
    }
}

#[test]
fn bots_with_a_time_for_each_move_play_to_the_end() {
    for limit in ["movetime=2ms", "movetime=0.5ms"] {
        let line = format!("negascout-tt alpha-beta --pairs 1 --max-plies 20 --limits {limit}");
        for game in play(&words(&line)) {
            let is_fault = matches!(game.ruling, Some(Ruling::Forfeit(_)));
            assert!(!is_fault, "{limit}: {:?}", game.ruling);
            assert!(game.moves.len() >= 20, "{limit}: {:?}", game.ruling);
        }
    }
}

#[test]
fn games_do_not_depend_on_what_was_played_before() {
    let line = "random negascout-tt:depth=3 --pairs 6 --openings suite";
    let one = play(&words(&format!("{line} --concurrency 1")));
    let three = play(&words(&format!("{line} --concurrency 3")));
    assert!(one == three);
}

/// The moves of a game's opening.
fn opening(game: &GameRecord) -> Vec<String> {
    let chosen_by_nobody = |played: &&MoveRecord| played.clock == Timekeeper::Opening;
    let mut position = game.start.clone();
    let moves = game.moves.iter().take_while(chosen_by_nobody);
    moves
        .map(|played| {
            let text = position.notation(played.m);
            position.play_unchecked(played.m);
            text
        })
        .collect()
}

#[test]
fn a_pair_has_one_opening_and_the_next_pair_another() {
    let games = play(&words(
        "random random --pairs 2 --openings suite --in-process",
    ));
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
    let words = [
        "random",
        "random",
        "--games",
        "4",
        "--no-swap",
        "--openings",
        file,
    ];
    let games = play(&words);
    let openings: Vec<_> = games.iter().map(opening).collect();
    let none: [&str; 0] = [];
    assert_eq!(openings[0], ["c3-d4"]);
    assert_eq!(openings[1], none);
    assert_eq!(openings[2], ["g3-f4", "f6-g5"]);
    assert_eq!(openings[3], ["c3-d4"]);
    let kings: Position = "W:WKa1:Bh2,Kh8".parse().unwrap();
    assert_eq!(games[1].start, kings);
    let shuffled = play(&[&words[..], &["--seed", "2"]].concat());
    let shuffled: Vec<_> = shuffled.iter().map(opening).collect();
    assert_ne!(openings, shuffled);
    assert_eq!(shuffled[0], shuffled[3]);
}

fn run(line: &str) -> EndedRun {
    TestRun::new(&words(line)).play()
}

#[test]
fn estimates_of_strength_are_printed() {
    let ended = run("match minimax:depth=4 random --pairs 10 --openings suite --in-process");
    let strength = ended.record().strength.as_ref().unwrap();
    assert_eq!(strength.games, 20);
    assert!(strength.score.unwrap() > 0.9);
    for told in ["709 openings", "pairs 10"] {
        assert!(ended.stdout.contains(told), "{}", ended.stdout);
    }
}

#[test]
fn openings_that_cannot_be_played_are_a_failure() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("openings.txt");
    for (text, complaint) in [
        ("c3-d4\nc3-e5\n", "2"),
        ("# nothing\n", "has no openings"),
        ("B:Wa1:B", "no move"),
    ] {
        std::fs::write(&file, text).unwrap();
        let words = ["random", "random", "--openings", file.to_str().unwrap()];
        let ended = TestRun::of_match(&words).play();
        assert_eq!(ended.code, Some(1), "{text}");
        assert!(ended.stderr.contains(complaint), "{}", ended.stderr);
        assert!(!ended.stderr.contains("Usage"), "{}", ended.stderr);
    }
    let ended = run("match random random --openings /nowhere/at/all");
    assert_eq!(ended.code, Some(1));
    let complaint = "error: cannot read /nowhere/at/all: No such file or directory\n";
    assert_eq!(ended.stderr, complaint);
}

#[test]
fn sides_are_swapped_unless_that_is_refused() {
    let whites = |options: &str| -> Vec<BotId> {
        let line = format!("random random --in-process --games 3 {options}");
        let games = play(&words(&line));
        games.iter().map(|game| game.seats.white).collect()
    };
    let (first, second) = (BotId::FIRST, BotId::SECOND);
    assert_eq!(whites("--no-swap"), [first; 3]);
    assert_eq!(whites(""), [first, second, first]);
}

#[test]
fn the_draw_rules_reach_the_server() {
    assert_eq!(play(&words("random random --draw-rules study")).len(), 2);
}

#[test]
fn lines_are_kept_where_they_are_asked_for() {
    let line = "negascout-id:depth=3 random --games 1 --no-swap --opening-plies 2";
    for way in ["", "--in-process"] {
        let kept = play(&words(&format!("{line} --pv {way}")));
        let game = &kept[0];
        let mut position = game.start.clone();
        let mut lengths = Vec::new();
        for played in &game.moves {
            if let Some(search) = &played.search {
                let moves: Vec<_> = search.pv.moves().collect();
                assert_eq!(position.parse_move(moves[0]), Ok(played.m));
                let mut expected = position.clone();
                for text in &moves {
                    expected.play_unchecked(expected.parse_move(text).unwrap());
                }
                lengths.push(moves.len());
            }
            position.play_unchecked(played.m);
        }
        assert!(lengths.contains(&3), "{lengths:?}");

        let without = play(&words(&format!("{line} {way}")));
        let lines = |game: &GameRecord| {
            let searches = game
                .moves
                .iter()
                .filter_map(|played| played.search.as_ref());
            searches.filter(|search| !search.pv.is_empty()).count()
        };
        assert_eq!((lines(game), lines(&without[0])), (lengths.len(), 0));
    }
}

#[test]
fn limits_reach_the_bots_on_both_ways() {
    for way in ["", "--in-process"] {
        let line =
            format!("match alpha-beta:depth=6@depth=2 alpha-beta:depth=6 --limits depth=3 {way}");
        let record = run(&line);
        let depths = |bot: BotId| -> Vec<u32> {
            let moves = record.record().games[0].moves_of(bot);
            moves
                .map(|played| played.search.as_ref().unwrap().depth)
                .collect()
        };
        assert!(depths(BotId::FIRST).iter().all(|&depth| depth == 2));
        assert!(depths(BotId::SECOND).iter().all(|&depth| depth == 3));
    }
}

#[test]
fn bots_that_keep_to_their_clocks_do_not_lose_on_time() {
    for way in ["", "--in-process"] {
        let line = format!(
            "match negascout-id mcts --limits nodes=500,30s+1s --pairs 1 --openings suite {way}"
        );
        let ended = run(&line);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let on_time = |game: &GameRecord| game.reason == EndReason::Time;
        assert!(!ended.record().games.iter().any(on_time));
    }
}

#[test]
fn the_result_is_on_stdout_and_the_rest_on_stderr() {
    let ended = run("match random random:seed=1");
    assert!(ended.stdout.contains("random:seed=1"), "{}", ended.stdout);
    assert_eq!(ended.stderr.lines().count(), 2, "{}", ended.stderr);
}

#[test]
fn the_games_are_written_as_pdn() {
    let words = words("minimax-weak:depth=2 random");
    let ended = TestRun::of_match(&words)
        .with_file("--pdn", "match.pdn")
        .play();
    let games = checkers_lib::pdn::parse(&ended.file("match.pdn")).unwrap();
    let record = ended.record();
    assert_eq!(games.len(), 2);
    for (pdn, game) in games.iter().zip(&record.games) {
        assert_eq!(pdn.moves().len(), game.moves.len());
        let white = &*record.bots[game.seats.white.0].spec;
        assert!(pdn.tags.get("White").unwrap().contains(white));
    }
}

fn exit_code(line: &str) -> Option<i32> {
    program(words(line)).output().unwrap().status.code()
}

#[test]
fn wrong_usage_and_bad_files_are_refused_at_once() {
    for line in [
        "match random",
        "match random random random",
        "match random nobody",
        "match random exec:",
        "match random random@deepth=1",
        "match random exec:true --in-process",
        "match champion:weights=a.net random",
        "match random random --games 0",
        "match random random --games 2 --pairs 1",
        "match random random --swap --no-swap",
        "match random random --draw-rules chess",
        "match random random --move-timeout 0s",
        "match random random --move-timeout 1year",
        "match random random --limits depth=0",
        "match random random --json same --pdn same",
        "match random random --json same --csv ./same",
        "match random random --json same --journal same",
        "match random random --openings Cargo.toml --csv ./Cargo.toml",
        "match random random --report /tmp --json /tmp/index.html",
        "round-robin random",
        "gauntlet random random --challengers 2",
        "sprt random random random",
        "sprt random random --elo 5,0",
        "sprt random random --alpha 0.7 --beta 0.7",
    ] {
        assert_eq!(exit_code(line), Some(2), "{line}");
    }
    let absent = Path::new("/no/such/directory/match.json").display();
    for option in ["--json", "--pdn", "--csv", "--journal"] {
        let line = format!("match random random {option} {absent}");
        assert_eq!(exit_code(&line), Some(1), "{line}");
    }
    let line = "match random random --report /dev/null/report";
    assert_eq!(exit_code(line), Some(1), "{line}");
}
