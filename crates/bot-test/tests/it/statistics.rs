//! `checkers-bot-test stats` as a user runs it.

use std::process::Output;

use serde_json::Value;

use crate::support::program;

const KEYS: [&str; 13] = [
    "games",
    "score",
    "elo",
    "elo_low",
    "elo_high",
    "elo_error",
    "los",
    "nelo",
    "nelo_error",
    "llr",
    "lower",
    "upper",
    "decision",
];

fn run(command: &str) -> Output {
    program(command.split_whitespace()).output().unwrap()
}

fn stdout(command: &str) -> String {
    test_support::stdout(&mut program(command.split_whitespace()))
}

fn json(options: &str) -> Value {
    serde_json::from_str(&stdout(&format!("stats --json {options}"))).unwrap()
}

#[track_caller]
fn assert_near(value: &Value, expected: f64) {
    let number = value.as_f64().unwrap();
    assert!(
        (number - expected).abs() < 0.000_5,
        "{number} for {expected}"
    );
}

#[test]
fn the_json_has_the_documented_keys_in_their_order() {
    for options in ["--wdl 0,0,0", "--wdl 1,2,3", "--ptnml 1,2,3,4,5 --sprt 0,5"] {
        let text = stdout(&format!("stats --json {options}"));
        let keys: Vec<&str> = text.split('"').skip(1).step_by(2).take(13).collect();
        assert_eq!(keys, KEYS, "{options}");
        let object: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(object.as_object().unwrap().len(), KEYS.len());
    }
}

#[test]
fn the_json_has_the_known_answers() {
    let answer = json("--ptnml 12,80,210,110,20 --sprt 0,10 --model logistic");
    assert_eq!(answer["games"], 864);
    assert_near(&answer["elo"], 18.515);
    assert_near(&answer["elo_error"], 13.993);
    assert_near(&answer["llr"], 2.633_57);
    assert_eq!(answer["decision"], "continue");
    let answer = json("--wdl 880,1863,759 --sprt 0,5 --alpha 0.05 --beta 0.05 --model logistic");
    assert_near(&answer["llr"], 2.9472);
    assert_near(&answer["upper"], 2.944_44);
    assert_eq!(answer["decision"], "accept_h1");
    assert_eq!(
        json("--wdl 759,1863,880 --sprt=-5,5")["decision"],
        "accept_h0"
    );
    let planned = &json("--ptnml 12,80,210,110,20 --plan 10")["planned_games"];
    assert!(
        planned.as_u64().is_some_and(|games| games > 864),
        "{planned}"
    );
}

#[test]
fn what_does_not_exist_is_null() {
    let answer = json("--wdl 0,7,0");
    for key in [
        "elo",
        "elo_low",
        "elo_high",
        "elo_error",
        "nelo",
        "llr",
        "decision",
    ] {
        assert_eq!(answer[key], Value::Null, "{key}");
    }
    assert_near(&answer["score"], 0.5);
    assert_eq!(json("--wdl 0,0,0")["score"], Value::Null);
    assert!(stdout("stats --wdl 0,7,0").contains("n/a: all games drawn"));
}

#[test]
fn bad_arguments_are_refused_with_the_reason() {
    for (options, reason) in [
        ("", "--wdl"),
        ("--wdl 1,2", "expected 3 counts"),
        ("--wdl -1,2,3", "found \"-1\""),
        ("--wdl 1,2,x", "found \"x\""),
        ("--ptnml 1,2,3", "expected 5 counts"),
        ("--wdl 1,2,3 --ptnml 1,2,3,4,5", "cannot be used with"),
        ("--wdl 1,2,3 --sprt 5", "two numbers"),
        ("--wdl 1,2,3 --sprt 5,0", "H0 below H1"),
        ("--wdl 1,2,3 --sprt 0,nan", "from -500 to 500"),
        ("--wdl 1,2,3 --sprt 0,5 --alpha 0", "alpha above 0"),
        ("--wdl 1,2,3 --sprt 0,5 --beta -1", "beta above 0"),
        (
            "--wdl 1,2,3 --sprt 0,5 --alpha 0.5 --beta 0.5",
            "less than 1",
        ),
        (
            "--wdl 1,2,3 --sprt 0,5 --model bayes",
            "normalized or logistic",
        ),
        ("--wdl 1,2,3 --alpha 0.1", "--sprt"),
    ] {
        let output = run(&format!("stats {options}"));
        let talk = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{options}: {talk}");
        assert!(talk.contains(reason), "{options}: {talk}");
        assert!(output.stdout.is_empty(), "{options}");
    }
}
