//! `checkers-lab analyse` as its user sees it.

use std::fs;
use std::process::Output;

use checkers_lib::Position;
use serde_json::Value;
use test_support::stderr;

use crate::support::{Dir, json_lines, lab, utf8};

fn analyse(args: &[&str]) -> Output {
    lab("analyse --bot champion:tt=1")
        .args(args)
        .output()
        .unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{output:?}");
    json_lines(&utf8(output.stdout.clone()))
}

const POSITIONS: &str = "# two\nW:Wc3,e3,g1:Bd6,f6,h8\n\nB:Wc3,e3,g1:Bd6,f6,h8\n";

#[test]
fn each_position_gives_a_line_with_a_legal_variation() {
    let dir = Dir::new();
    let file = dir.write("fens.txt", POSITIONS);
    let found = objects(&analyse(&["--fens", &file, "--nodes", "3000", "--json"]));
    assert_eq!(found.len(), 2);
    for object in found {
        let mut position: Position = object["fen"].as_str().unwrap().parse().unwrap();
        let pv = object["pv"].as_array().unwrap();
        assert_eq!(object["move"], pv[0]);
        for m in pv {
            let m = position.parse_move(m.as_str().unwrap()).unwrap();
            position = position.play(m).unwrap();
        }
        let score = object["score"].as_i64().unwrap() as f64;
        let chance = object["win_chance"].as_f64().unwrap();
        assert!((1.0 / (1.0 + (-score / 100.0).exp()) - chance).abs() < 0.001);
        assert_eq!(object["nodes"].as_u64(), Some(3000));
        assert!(object["depth"].as_u64().unwrap() > 3);
    }
}

#[test]
fn proven_ends_are_reported_in_plies() {
    let args = ["--fen", "W:Wb2:Bc5", "--depth", "5", "--json"];
    let found = &objects(&analyse(&args))[0];
    assert_eq!(
        (found["win_in"].as_u64(), found["move"].as_str()),
        (Some(3), Some("b2-c3"))
    );
    assert_eq!(
        (&found["score"], found["win_chance"].as_f64()),
        (&Value::Null, Some(1.0))
    );
    let over = &objects(&analyse(&["--fen", "W:W:Bb2", "--json"]))[0];
    assert_eq!(
        (&over["move"], over["loss_in"].as_u64()),
        (&Value::Null, Some(0))
    );
}

#[test]
fn several_lines_come_best_first() {
    let args = [
        "--fen",
        "W:Wc3,e3,g1:Bd6,f6,h8",
        "--depth",
        "6",
        "--multi-pv",
        "3",
        "--json",
    ];
    let found = &objects(&analyse(&args))[0];
    let lines = found["lines"].as_array().unwrap();
    let chances: Vec<f64> = lines
        .iter()
        .map(|line| line["win_chance"].as_f64().unwrap())
        .collect();
    assert_eq!(chances.len(), 3);
    assert!(
        chances.is_sorted_by(|better, worse| better >= worse),
        "{chances:?}"
    );
}

#[test]
fn the_table_has_a_line_for_each_iteration() {
    let output = analyse(&["--fen", "W:Wc3,e3,g1:Bd6,f6,h8", "--depth", "4"]);
    let text = utf8(output.stdout);
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines[0], "W:Wg1,c3,e3:Bd6,f6,h8");
    let depths: Vec<&str> = lines[2..]
        .iter()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(depths, ["1", "2", "3", "4"]);
}

#[test]
fn the_second_look_comes_from_the_cache() {
    let dir = Dir::new();
    let cache = dir.write("cache.jsonl", r#"{"key":"cut o"#);
    let args = |nodes| {
        let fen = "W:Wc3,e3,g1:Bd6,f6,h8";
        analyse(&["--fen", fen, "--nodes", nodes, "--json", "--cache", &cache])
    };
    let first = args("2000");
    let entries = || fs::read_to_string(&cache).unwrap().lines().count();
    assert_eq!(entries(), 2);
    // The time it took the first time is part of the answer.
    assert_eq!(args("2000").stdout, first.stdout);
    assert_eq!(entries(), 2);
    args("2001");
    assert_eq!(entries(), 3);

    // An answer that has changed in the file is no answer.
    let text = fs::read_to_string(&cache).unwrap();
    let nodes = text.find("\"nodes\":").unwrap() + 8;
    let digit = if text[nodes..].starts_with('1') {
        "2"
    } else {
        "1"
    };
    let damaged = [&text[..nodes], digit, &text[nodes + 1..]].concat();
    fs::write(&cache, damaged).unwrap();
    let again = objects(&args("2000")).remove(0);
    assert_eq!(again["nodes"], objects(&first).remove(0)["nodes"]);
    assert_eq!(entries(), 4);
}

#[test]
fn a_file_that_is_no_cache_is_left_alone() {
    let text = "[Event \"a game\"]\n\n1. c3-d4 *\n";
    let dir = Dir::new();
    let game = dir.write("game.pdn", text);
    let fen = "W:Wc3,e3,g1:Bd6,f6,h8";
    let output = analyse(&["--fen", fen, "--nodes", "100", "--cache", &game]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("it is no cache of answers"), "{told}");
    assert_eq!(fs::read_to_string(&game).unwrap(), text);
}

#[test]
fn a_graph_is_that_of_a_game() {
    let dir = Dir::new();
    let plot = dir.path("nothing.svg");
    for input in [["--fen", "W:Wc3:Bd6"], ["--fens", "positions.txt"]] {
        let output = analyse(&[&input[..], &["--svg", &plot]].concat());
        assert_eq!(output.status.code(), Some(2));
    }
    let none = dir.write("empty.pdn", "");
    let output = analyse(&["--pdn", &none, "--svg", &plot]);
    assert_eq!(output.status.code(), Some(1));
    let said = utf8(output.stderr);
    assert!(said.contains("no game in it"), "{said}");
    assert!(!fs::exists(plot).unwrap());
}

#[test]
fn a_game_that_cannot_be_read_costs_no_other() {
    let (first, bad, last) = (
        GAME,
        "[White \"Bob\"]\n\n1. a1-a8 *\n",
        "[White \"Eve\"]\n\n1. c3-d4 *\n",
    );
    let dir = Dir::new();
    let games = dir.write("games.pdn", format!("{first}\n{bad}\n{last}"));
    let output = analyse(&["--pdn", &games, "--depth", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let told = utf8(output.stdout);
    assert!(
        told.starts_with("Anna - Bob") && told.contains("\nEve - ?"),
        "{told}"
    );
    let errors = utf8(output.stderr);
    assert!(errors.contains("game 2: line 9, column 7: "), "{errors}");
    assert!(
        errors.ends_with("1 of 3 games could not be read\n"),
        "{errors}"
    );
    // The numbers of games are those of the file.
    let output = analyse(&["--pdn", &games, "--depth", "2", "--json"]);
    let told = utf8(output.stdout);
    assert!(
        told.lines().last().unwrap().starts_with("{\"game\":3,"),
        "{told}"
    );
}

#[test]
fn squares_as_numbers_are_read_if_their_numbering_is_given() {
    let dir = Dir::new();
    let game = dir.write("numbers.pdn", "[White \"Anna\"]\n\n1. 22-18 9-13 *\n");
    let counted_from = |first| {
        let numbers = ["--pdn", &game, "--numbers-from", first];
        analyse(&[&numbers[..], &["--depth", "2", "--json"]].concat())
    };
    let played = |output| -> Vec<Value> {
        let moves = objects(&output).into_iter();
        moves.map(|told| told["played"].clone()).collect()
    };
    assert_eq!(played(counted_from("b8")), ["c3-d4", "b6-a5"]);
    // Counted from a1 White has no piece on 22.
    let output = counted_from("a1");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let errors = utf8(output.stderr);
    assert!(errors.contains("d6-c5 is not a legal move"), "{errors}");
    // So there is one way to read them, which needs no option.
    let output = analyse(&["--pdn", &game, "--depth", "2", "--json"]);
    assert_eq!(played(output), ["c3-d4", "b6-a5"]);
}

#[test]
fn numbers_that_can_be_counted_two_ways_need_the_option() {
    let fen = ["--fen", "W:WK14:BK1", "--depth", "2", "--json"];
    let dir = Dir::new();
    let file = dir.write("kings.txt", "W:WK14:BK1\n");
    let fens = ["--fens", &file, "--depth", "2", "--json"];
    let text = "[FEN \"W:WK14:BK1\"]\n\n1. 14-18 *\n";
    let game = dir.write("kings.pdn", text);
    let pdn = ["--pdn", &game, "--depth", "2", "--json"];
    for (input, code) in [(fen, 2), (fens, 1), (pdn, 1)] {
        let output = analyse(&input);
        assert_eq!(output.status.code(), Some(code));
        let errors = utf8(output.stderr);
        assert!(errors.contains("--numbers-from says which"), "{errors}");
        for (first, start) in [("b8", "W:WKc5:BKb8"), ("h8", "W:WKe5:BKh8")] {
            let output = analyse(&[&input[..], &["--numbers-from", first]].concat());
            let errors = String::from_utf8_lossy(&output.stderr);
            let told = String::from_utf8_lossy(&output.stdout);
            assert!(told.contains(start), "{first}: {told} {errors}");
        }
    }
}

#[test]
fn a_mark_of_utf_8_is_none_of_a_position() {
    let dir = Dir::new();
    let fens = dir.write("marked.txt", "\u{feff}W:Wc3:Bd6\n");
    let found = objects(&analyse(&["--fens", &fens, "--depth", "2", "--json"]));
    assert_eq!(found.len(), 1);
}

/// Black gives a man away at once.
const GAME: &str = "[White \"Anna\"]\n[Black \"Bob\"]\n[FEN \"B:Wc1,e1,d4:Bd6,a7,b8\"]\n\n\
                    1... d6-e5 2. d4:f6 a7-b6 *\n";

#[test]
fn the_choice_is_among_the_moves_asked_about() {
    let fen = "W:Wc3,e3,g1:Bd6,f6,h8";
    let best = |more: &[&str]| {
        let args = ["--fen", fen, "--depth", "6", "--json"];
        objects(&analyse(&[&args[..], more].concat()))[0]["move"].clone()
    };
    assert_eq!(best(&["--searchmoves", "g1-h2"]), "g1-h2");
    let two = best(&["--searchmoves", "g1-h2", "g1-f2"]);
    assert!(two == "g1-h2" || two == "g1-f2", "{two}");
    // The cache tells the questions apart.
    let dir = Dir::new();
    let cache = dir.path("among.jsonl");
    let with_cache = |more: &[&str]| best(&[&["--cache", &cache], more].concat());
    let all = with_cache(&[]);
    for m in ["g1-h2", "g1-f2"] {
        assert_eq!(with_cache(&["--searchmoves", m]), m);
    }
    assert_eq!(with_cache(&[]), all);
}

#[test]
fn mistakes_of_a_game_are_marked_and_its_course_is_drawn() {
    let dir = Dir::new();
    let game = dir.write("game.pdn", GAME);
    let plot = dir.path("game.svg");
    let args = ["--pdn", &game, "--depth", "6", "--svg", &plot];
    let output = analyse(&args);
    let text = utf8(output.stdout);
    assert!(text.starts_with("Anna - Bob  *\n"), "{text}");
    let blunder = text.lines().find(|line| line.contains("d6-e5")).unwrap();
    assert!(
        blunder.contains('?') && blunder.contains("better: "),
        "{text}"
    );
    assert!(text.contains("white: "), "{text}");
    // Every move is told in White's eyes: the chances go up when Black gives a man away, and stay.
    let chance = |line: &str| -> f64 {
        let mut words = line.split_whitespace();
        let chance = words.find_map(|word| word.strip_suffix('%'));
        chance.unwrap().parse().unwrap()
    };
    let chances: Vec<f64> = text.lines().skip(1).take(3).map(chance).collect();
    assert!(chances[1] > chances[0] && chances[2] > 80.0, "{text}");
    let svg = fs::read_to_string(&plot).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("polyline"));
    let found = objects(&analyse(&["--pdn", &game, "--depth", "6", "--json"]));
    assert_eq!(found.len(), 3);
    assert!(found[0]["cost"].as_f64().unwrap() > 0.05);
    assert_eq!(
        (found[0]["ply"].as_u64(), &found[0]["played"]),
        (Some(1), &Value::from("d6-e5"))
    );
}

#[test]
fn wrong_arguments_and_files_are_explained() {
    for (args, code, explanation) in [
        (&["--depth", "3"][..], 2, "--fen"),
        (
            &["--fen", "W:Wc3:Bd6", "--pdn", "x"],
            2,
            "cannot be used with",
        ),
        (&["--fen", "W:Wc2:Bd6"], 2, "--fen is not a position"),
        (
            &["--fen", "W:Wc3:Bd6", "--movetime", "100"],
            2,
            "expected a time with a unit, such as 100ms, 100s or 100m",
        ),
        (
            &["--fen", "W:Wc3:Bd6", "--searchmoves", "c3-c4"],
            2,
            "--searchmoves \"c3-c4\": ",
        ),
        (
            &["--fens", "/dev/null", "--searchmoves", "c3-d4"],
            2,
            "--searchmoves",
        ),
        (
            &["--fen", "W:Wc3:Bd6", "--cache", "/dev/null"],
            1,
            "it is no regular file",
        ),
        (&["--fens", "/no/such/file"], 1, "cannot read /no/such/file"),
        (
            &["--fen", "W:Wc3:Bd6", "--bot", "mtdf"],
            2,
            "mtdf is no analyst",
        ),
    ] {
        let talk = stderr(lab("analyse").args(args), code);
        assert!(talk.contains(explanation), "{talk}");
    }
}

#[test]
fn a_missing_directory_of_tables_is_reported() {
    for command in [
        "analyse --depth 2 --fen W:Wb2:Bc5",
        "bench --depth 2",
        "compare champion --depth 2 --rounds 1",
    ] {
        let text = stderr(lab(command).env("CHECKERS_TABLEBASE", "/nowhere"), 0);
        let warning = "warning: cannot open the tables in /nowhere: ";
        assert!(text.starts_with(warning), "{text}");
    }
}
