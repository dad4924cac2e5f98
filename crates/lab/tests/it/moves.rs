//! `checkers-lab moves` as its user, or a program that asks it, sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Output, Stdio};

use serde_json::Value;

use crate::support::{json_lines, lab, utf8};

/// A man takes another: the one answer that is compared to the letter.
const SIMPLE: &str = concat!(
    r#"{"fen":"W:Wc3:Bd4","moves":[{"from":"c3","to":"e5","captures":["d4"],"promotes":false,"#,
    r#""result":"B:We5:B","routes":[{"squares":["c3","e5"],"captures":["d4"]}]}]}"#,
    "\n"
);

fn spawn(args: &[&str]) -> Child {
    lab("moves")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn run(input: &[u8]) -> Output {
    let mut child = spawn(&[]);
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

/// The answers to `input`, which the command must read to its end without complaint.
fn answers(input: &[u8]) -> Vec<Value> {
    let output = run(input);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stderr, b"");
    json_lines(&utf8(output.stdout))
}

#[test]
fn answers_have_exactly_this_form() {
    let output = run(b"W:Wc3:Bd4\n");
    assert_eq!(utf8(output.stdout), SIMPLE);
}

#[test]
fn a_single_position_needs_no_input() {
    let output = spawn(&["--fen", " W:Wc3:Bd4 "]).wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(utf8(output.stdout), SIMPLE);
}

#[test]
fn a_bad_single_position_is_a_usage_error() {
    let output = spawn(&["--fen", "W:Wc4:Bd4"]).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["error"], "column 4: c4 is a light square");
    assert_eq!(
        utf8(output.stderr),
        "error: --fen is not a position: column 4: c4 is a light square\n"
    );
}

#[test]
fn quiet_moves_have_one_route_and_captures_all_of_theirs() {
    let ring = "W:Wc3:Bb4,b6,d4,d6";
    let answers = answers(format!("W:Wa1:Bh8\n{ring}\n").as_bytes());
    let quiet = &answers[0]["moves"][0];
    assert_eq!(quiet["captures"], serde_json::json!([]));
    assert_eq!(
        quiet["routes"],
        serde_json::json!([{"squares": ["a1", "b2"], "captures": []}])
    );
    assert_eq!(answers[1]["moves"].as_array().unwrap().len(), 1);
    let round = &answers[1]["moves"][0];
    assert_eq!((&round["from"], &round["to"]), (&"c3".into(), &"c3".into()));
    assert_eq!(
        round["captures"],
        serde_json::json!(["b4", "d4", "b6", "d6"])
    );
    let routes = round["routes"].as_array().unwrap();
    assert_eq!(routes.len(), 2);
    assert_ne!(routes[0]["captures"], routes[1]["captures"]);
    assert_eq!(round["result"], "B:Wc3:B");
}

#[test]
fn promotion_and_the_lost_side_show() {
    let answers = answers(b"W:Wc7:Bh8\nB:Wc7:B\n");
    for m in answers[0]["moves"].as_array().unwrap() {
        assert_eq!(m["promotes"], true);
    }
    assert_eq!(answers[0]["moves"][0]["result"], "B:WKb8:Bh8");
    assert_eq!(
        answers[1],
        serde_json::json!({"fen": "B:Wc7:B", "moves": []})
    );
}

#[test]
fn a_bad_line_is_answered_and_the_rest_goes_on() {
    let answers =
        answers(b"W:Wc3:Bd4\nnonsense\n\n \t\r\nW:Wa1\xff:B\n  B: Wa1: Bh8.\r\nW:Wc3:Bd4");
    assert_eq!(answers.len(), 5);
    assert_eq!(answers[0], answers[4]);
    assert_eq!(
        answers[1],
        serde_json::json!({
            "fen": "nonsense",
            "error": "column 1: expected W or B, the side to move",
        })
    );
    assert_eq!(
        answers[2],
        serde_json::json!({"fen": "W:Wa1\u{fffd}:B", "error": "byte 6: not UTF-8"})
    );
    assert_eq!(answers[3]["fen"], "B: Wa1: Bh8.");
    assert_eq!(answers[3]["moves"][0]["result"], "W:Wa1:Bg7");
}

#[test]
fn no_input_no_output() {
    assert_eq!(answers(b""), Vec::<Value>::new());
    assert_eq!(answers(b"\n\n"), Vec::<Value>::new());
}

#[test]
fn answers_before_the_next_question() {
    let mut child = spawn(&[]);
    let mut questions = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        questions.write_all(b"W:Wc3:Bd4\n").unwrap();
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, SIMPLE);
    }
    drop(questions);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let mut child = spawn(&[]);
    drop(child.stdout.take());
    // It may be gone before it has been asked everything.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(&b"W:Wc3:Bd4\n".repeat(10_000));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stderr, b"");
}

#[test]
fn numbers_are_read_as_they_fit_or_as_asked() {
    let first_square = |args: &[&str]| {
        let output = spawn(args).wait_with_output().unwrap();
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let moves = answer["moves"].as_array().unwrap().iter();
        moves
            .map(|m| m["from"].to_string())
            .min()
            .unwrap()
            .replace('"', "")
    };
    // A man on b8 would be a king: these are counted from a1.
    assert_eq!(first_square(&["--fen", "W:W1,2,3:B30"]), "a1");
    assert_eq!(first_square(&["--fen", "W:W21-32:B1-12"]), "a3");
    let fen = ["--fen", "W:W22:B9"];
    for (first, from) in [("b8", "c3"), ("a1", "d6"), ("g1", "f6"), ("h8", "e3")] {
        let args = [&fen[..], &["--numbers-from", first]].concat();
        assert_eq!(first_square(&args), from, "{first}");
    }
    let output = spawn(&fen).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = utf8(output.stderr);
    assert_eq!(
        errors,
        "error: --fen is not a position: column 4: expected a square such as c3: the numbers can be \
         counted from b8 or from a1: --numbers-from says which\n"
    );
}
