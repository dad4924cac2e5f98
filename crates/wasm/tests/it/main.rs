//! The engine for browsers answers what the same code answers natively.
//!
//! Node runs it; without Node the tests are skipped, or fail where `CHECKERS_BROWSER` is set.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use checkers_engine::Rng;
use checkers_lib::{DrawRules, Game};
use checkers_wasm::Session;
use serde_json::{Value, json};

/// The answers of the engine for browsers, with the native program's tables: for each question its reports,
/// then the answer.
fn in_browser(questions: &[Value]) -> Option<Vec<Vec<String>>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let data = |name: &str| crates.join("engine/data").join(name);
    let mut node = Command::new("node");
    let script: PathBuf = crates.join("wasm/tests/it/ask.mjs");
    node.arg(script).arg(crates.join("server/web/engine.wasm"));
    node.args([data("endings-2-5.wdl"), data("endings-2-4.dist")]);
    let started = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut node) = started else {
        assert!(std::env::var_os("CHECKERS_BROWSER").is_none(), "no Node");
        eprintln!("skipped: no Node");
        return None;
    };
    let mut input = node.stdin.take().expect("piped");
    let lines: String = questions
        .iter()
        .map(|question| format!("{question}\n"))
        .collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = node.wait_with_output().expect("an exit code");
    writer.join().expect("no panic").expect("Node reads it");
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let answers = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a list"));
    Some(answers.collect())
}

fn assert_equal(questions: &[Value]) {
    let Some(expected) = in_browser(questions) else {
        return;
    };
    assert_eq!(expected.len(), questions.len());
    let mut native = Session::default();
    for (question, expected) in questions.iter().zip(expected) {
        let mut answers = Vec::new();
        let answer = native.answer(&question.to_string(), &mut |text| {
            answers.push(text.to_owned());
        });
        answers.push(answer.unwrap_or_else(|mistake| mistake));
        assert_eq!(answers, expected, "{question}");
    }
}

/// Positions out of random games, as moves from the start.
fn random_lines(count: u64) -> Vec<String> {
    let line = |seed| {
        let mut rng = Rng::new(seed);
        let mut game = Game::new(DrawRules::default());
        let mut moves = Vec::new();
        for _ in 0..rng.below(80) {
            let legal = game.legal_moves();
            if legal.is_empty() || game.outcome().is_some() {
                break;
            }
            let m = legal[rng.below(legal.len())];
            moves.push(game.position().notation(m));
            game.play(m).expect("a legal move");
        }
        moves.join(" ")
    };
    (0..count).map(line).collect()
}

#[test]
fn bots_play_the_same_moves_and_visit_the_same_positions() {
    let bots = [
        "champion:tt=4",
        "champion:eval=hand,tt=1",
        "champion:eval=patterns,tt=1",
        "level:1",
        "level:5",
        "level:9",
        "minimax",
        "alpha-beta",
        "negascout",
        "negascout-tt",
        "negascout-id",
        "sss-star",
        "mtdf",
        "mcts",
        "random",
    ];
    let lines = random_lines(6);
    let questions: Vec<Value> = bots
        .iter()
        .flat_map(|bot| lines.iter().map(move |moves| (bot, moves)))
        .map(|(bot, moves)| {
            json!({"about": "choice", "bot": bot, "moves": moves, "nodes": 20_000, "seed": 7})
        })
        .collect();
    assert_equal(&questions);
}

#[test]
fn questions_have_the_same_answers() {
    let mut questions = Vec::new();
    for moves in random_lines(12) {
        questions.push(json!({"about": "legal", "moves": moves}));
        questions.push(json!({"about": "analysis", "moves": moves, "lines": 3, "nodes": 30_000}));
    }
    for fen in [
        "W:Wc3:Bd4,e7",
        "W:WKc3:BKd8",
        "B:WKa1,Kc1,Ke1:BKh8",
        "W:Wa1:Bb2,c3",
    ] {
        for about in ["legal", "premoves", "tablebase", "analysis"] {
            questions.push(json!({"about": about, "fen": fen, "depth": 9}));
        }
    }
    questions.push(json!({"about": "legal", "fen": "W:Wz9"}));
    questions.push(json!({"about": "legal", "moves": "a1-a2"}));
    questions.push(json!({"about": "nothing"}));
    questions.push(json!({"about": "choice", "bot": "nobody"}));
    questions.push(json!({"about": "tablebase"}));
    assert_equal(&questions);
}
