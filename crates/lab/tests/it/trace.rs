//! `checkers-lab trace` as its user sees it.

use serde_json::Value;
use test_support::{run, stderr, stdout};

use crate::support::Dir;

fn record(dir: &Dir, bot: &str, name: &str, more: &str) -> String {
    let command = format!("trace {bot} --out {name}{more}");
    stdout(&mut dir.lab(&command))
}

fn json(dir: &Dir, command: &str) -> Value {
    serde_json::from_str(&stdout(&mut dir.lab(command))).unwrap()
}

#[test]
fn a_trace_is_recorded_counted_and_compared() {
    let dir = Dir::new();
    let answer = record(&dir, "alpha-beta", "a.trace", " --depth 6");
    assert!(answer.contains("depth 6, "), "{answer}");
    assert_eq!(
        record(&dir, "minimax", "m.trace", " --depth 6")
            .split(',')
            .next(),
        answer.split(',').next()
    );

    let text = stdout(&mut dir.lab("trace stat a.trace"));
    assert!(text.starts_with("alpha-beta:depth=6 in W:W"), "{text}");
    assert!(text.contains("cut-offs by the first move"), "{text}");
    let stat = json(&dir, "trace stat a.trace --json");
    assert_eq!(stat["version"], 1);
    assert_eq!(stat["recorded"], stat["nodes"]);
    assert_eq!(stat["plies"].as_array().unwrap().len(), 7);
    let plies = stat["plies"].as_array().unwrap().iter();
    assert_eq!(
        plies.map(|ply| ply["nodes"].as_u64().unwrap()).sum::<u64>(),
        stat["nodes"]
    );
    let minimax = json(&dir, "trace stat m.trace --json");
    assert_eq!(minimax["leaves"], 37986);
    assert_eq!(minimax["first_move_cut_offs"], 0);

    let diff = json(&dir, "trace diff m.trace a.trace --json");
    assert_eq!(diff["both"], stat["nodes"]);
    assert_eq!(diff["only_second"]["lines"], 0);
    let saved = diff["only_first"]["lines"].as_u64().unwrap();
    assert_eq!(
        diff["only_first"]["reasons"]["cut-off"].as_u64(),
        Some(saved)
    );
    let text = stdout(&mut dir.lab("trace diff m.trace a.trace"));
    let reason = format!("{saved:>15}: another move cut off in the second");
    assert!(text.contains(&reason), "{text}");
}

#[test]
fn a_long_trace_is_kept_near_the_root() {
    let dir = Dir::new();
    let more = " --depth 6 --most-nodes 1000";
    let output = run(&mut dir.lab(&format!("trace minimax --out m.trace{more}")));
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(
        talk.contains("are only counted: --most-nodes keeps more"),
        "{talk}"
    );
    let stat = json(&dir, "trace stat m.trace --json");
    assert_eq!(stat["recorded"], 1 + 7 + 49 + 302);
    let total = stat["recorded"].as_u64().unwrap() + stat["dropped"].as_u64().unwrap();
    assert_eq!(stat["nodes"], total);
    assert_eq!(stat["leaves"], Value::Null);
    record(&dir, "alpha-beta", "a.trace", " --depth 6");
    let text = stdout(&mut dir.lab("trace diff a.trace m.trace"));
    assert!(text.contains("only lines of at most 3 plies"), "{text}");
}

#[test]
fn the_champion_and_mcts_leave_traces_too() {
    let dir = Dir::new();
    record(
        &dir,
        "champion:tt=1",
        "c.trace",
        " --depth 8 --fen W:Wc3,e3,g3:Bb6,d6,h6",
    );
    let stat = json(&dir, "trace stat c.trace --json");
    assert_eq!(stat["bot"], "champion:depth=8,tt=1,book=off");
    assert!(stat["reduced"].as_u64().unwrap() > 0);
    record(&dir, "mcts", "s.trace", " --nodes 100");
    let stat = json(&dir, "trace stat s.trace --json");
    assert_eq!(
        (&stat["nodes"], stat["outcomes"].as_object().unwrap().len()),
        (&100.into(), 1)
    );
    assert!(stdout(&mut dir.lab("trace stat s.trace")).contains("simulated"));
}

#[test]
fn wrong_arguments_are_explained() {
    let dir = Dir::new();
    for (args, explanation) in [
        (
            "trace random --out r.trace",
            "random has no search to record",
        ),
        ("trace champion:threads=2 --out r.trace", "threads=1 can"),
        ("trace minimax", "--out <FILE>"),
        ("trace minmax --out r.trace", "did you mean minimax?"),
    ] {
        let talk = stderr(&mut dir.lab(args), 2);
        assert!(talk.contains(explanation), "{talk}");
    }
    assert!(!dir.root().join("r.trace").exists());
}

#[test]
fn files_that_are_no_traces_are_refused() {
    let dir = Dir::new();
    dir.write("text", "no trace");
    let talk = stderr(&mut dir.lab("trace stat text"), 1);
    assert_eq!(
        talk,
        "error: text: no recorded search: it begins with other bytes at byte 0\n"
    );
    record(&dir, "negascout", "a.trace", " --depth 3");
    record(&dir, "negascout", "b.trace", " --depth 2 --fen W:Wc3:Bd6");
    let talk = stderr(&mut dir.lab("trace diff a.trace b.trace"), 1);
    assert!(
        talk.contains("b.trace: a trace of W:Wc3:Bd6, and that of a.trace"),
        "{talk}"
    );
    let bytes = dir.read("a.trace");
    dir.write("cut", &bytes[..bytes.len() - 1]);
    let talk = stderr(&mut dir.lab("trace stat cut"), 1);
    assert!(talk.contains("cut off at byte"), "{talk}");
}
