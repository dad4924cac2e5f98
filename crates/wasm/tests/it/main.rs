//! The engine for browsers answers what the same code answers natively.
//!
//! Node runs it; without Node the tests are skipped, or fail where `CHECKERS_BROWSER` is set.

#![expect(clippy::print_stderr, reason = "a skipped test says so")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use checkers_engine::Rng;
use checkers_lib::{DrawRules, Game};
use checkers_wasm::{EngineReply, Session};
use serde_json::{Value, json};

/// The answers of the engine for browsers, with the native program's tables: for each question its reports,
/// then the answer, then the attached file as hexadecimal digits.
fn in_browser(questions: &[Value]) -> Option<Vec<Vec<String>>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let data = |name: &str| crates.join("engine/data").join(name);
    let mut node = Command::new("node");
    let script: PathBuf = crates.join("wasm/tests/it/ask.mjs");
    node.arg(script)
        .arg(crates.join("server/web/engine.wasm.gz"));
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
        let answer = native.answer(&question.to_string(), Vec::new(), &mut |text| {
            answers.push(text.to_owned());
        });
        let answer = answer.unwrap_or_else(|mistake| EngineReply {
            text: mistake,
            file: Vec::new(),
        });
        answers.push(answer.text);
        answers.push(
            answer
                .file
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        );
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

#[test]
fn trees_are_the_same() {
    let mut questions = Vec::new();
    for (moves, first, second) in [
        ("", "alpha-beta:depth=5", "minimax:depth=4"),
        ("c3-d4 d6-c5", "negascout-tt:depth=5", "sss-star:depth=5"),
        ("c3-d4 b6-a5", "champion", "mcts:playouts=400"),
    ] {
        for (tree, bot) in [first, second].into_iter().enumerate() {
            questions.push(
                json!({"about": "trace", "tree": tree, "bot": bot, "moves": moves, "nodes": 4000}),
            );
        }
        questions.push(json!({"about": "compare"}));
        for (tree, node) in [
            (0, 0),
            (0, 1),
            (0, 40),
            (0, 777),
            (1, 3),
            (1, 100),
            (1, 99_999),
        ] {
            questions.push(json!({"about": "node", "tree": tree, "node": node}));
        }
        questions.push(json!({"about": "trace_table", "tree": 1}));
    }
    questions.push(json!({"about": "trace", "bot": "random"}));
    questions.push(json!({"about": "trace", "tree": 2}));
    assert_equal(&questions);
}

/// Asks without files, and expects an answer.
fn answered(session: &mut Session, question: &Value) -> (Value, Vec<u8>) {
    let answer = session.answer(&question.to_string(), Vec::new(), &mut |_| {});
    let EngineReply { text, file } = answer.expect("an answer");
    (serde_json::from_str(&text).expect("JSON"), file)
}

#[test]
fn a_node_says_why_moves_were_not_searched() {
    let mut session = Session::default();
    let question = json!({"about": "trace", "bot": "alpha-beta:depth=4"});
    let (report, columns) = answered(&mut session, &question);
    let count = report["recorded"].as_u64().expect("a number");
    assert_eq!(report["nodes"], count);
    assert_eq!(columns.len() as u64, 16 * count);
    let mut cut = 0;
    for node in 0..count {
        let (node, _) = answered(&mut session, &json!({"about": "node", "node": node}));
        let number = |value: &Value| value.as_i64().expect("a number");
        if node["end"] != "cut-off" {
            assert!(
                node["end"] == "leaf" || node["unsearched"] == json!([]),
                "{node}"
            );
            continue;
        }
        cut += 1;
        // The other side has a move above that is as good for it as what it gets here.
        let because = &node["because"];
        assert_eq!(because["kind"], "move", "{node}");
        let (above, _) = answered(
            &mut session,
            &json!({"about": "node", "node": because["node"]}),
        );
        assert_ne!(above["turn"], node["turn"]);
        let tried = above["children"].as_array().expect("a list");
        let better = tried.iter().find(|child| child["move"] == because["move"]);
        let better = number(&better.expect("tried above")["value"]);
        let (reached, bound) = match node["turn"].as_str() {
            Some("white") => (number(&node["value"]), number(&node["high"])),
            _ => (-number(&node["value"]), -number(&node["low"])),
        };
        assert!(reached >= bound, "{node}");
        assert_eq!(better.abs(), bound.abs());
        let moves = node["children"].as_array().expect("a list").len();
        assert_eq!(node["by"], moves as u64 - 1);
    }
    assert!(cut > 50);
}

#[test]
fn a_saved_tree_opens_again() {
    let mut session = Session::default();
    let question = json!({"about": "trace", "bot": "sss-star:depth=5"});
    let (recorded, columns) = answered(&mut session, &question);
    let (_, file) = answered(&mut session, &json!({"about": "save_trace"}));
    let open = json!({"about": "open_trace", "tree": 1}).to_string();
    let opened = session.answer(&open, vec![file], &mut |_| {});
    let opened = opened.expect("a trace");
    assert_eq!(
        serde_json::from_str::<Value>(&opened.text).expect("JSON"),
        recorded
    );
    assert_eq!(opened.file, columns);
    let (_, marks) = answered(&mut session, &json!({"about": "compare"}));
    assert_eq!(marks, vec![0; columns.len() / 8]);
    let (table, rows) = answered(&mut session, &json!({"about": "trace_table"}));
    assert_eq!(table, json!({}));
    let rows = String::from_utf8(rows).expect("UTF-8");
    assert_eq!(rows.lines().count(), columns.len() / 16 + 1);
    let broken = session.answer(&open, vec![b"no trace".to_vec()], &mut |_| {});
    assert!(broken.expect_err("a mistake").contains("bad_query"));
}
