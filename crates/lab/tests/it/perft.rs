//! `checkers-lab perft` as its user sees it.

use crate::support::{lab, utf8};

/// A man that can go round a ring of men either way, and kings with much room.
const MANY_ROUTES: &str = "W:WKg1,c3:Bb4,b6,d4,d6,Kh8";

fn stdout(args: &[&str]) -> String {
    test_support::stdout(lab("perft").args(args))
}

fn stderr_of_usage_error(args: &[&str]) -> String {
    let output = lab("perft").args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    assert_eq!(output.stdout, b"", "{args:?}");
    utf8(output.stderr)
}

#[test]
fn counts_the_known_leaves() {
    for (depth, leaves) in [
        ("0", "1\n"),
        ("1", "7\n"),
        ("5", "7482\n"),
        ("8", "929899\n"),
        ("10", "22444032\n"),
    ] {
        assert_eq!(stdout(&[depth]), leaves);
    }
}

#[test]
fn orders_and_routes_count_apart() {
    assert_eq!(stdout(&["8", "--count", "order"]), "929905\n");
    assert_eq!(stdout(&["8", "--count", "route"]), "929905\n");
    // Clockwise and anticlockwise, ...
    let ring = "W:Wc3:Bb4,b6,d4,d6";
    assert_eq!(stdout(&["1", "--fen", ring]), "1\n");
    assert_eq!(stdout(&["1", "--fen", ring, "--count", "order"]), "2\n");
    assert_eq!(stdout(&["1", "--fen", ring, "--count", "route"]), "2\n");
    // ... and a king with three squares to land on between two men of one diagonal.
    let line = "W:WKa1:Bb2,f6";
    assert_eq!(stdout(&["1", "--fen", line]), "2\n");
    assert_eq!(stdout(&["1", "--fen", line, "--count", "order"]), "2\n");
    assert_eq!(stdout(&["1", "--fen", line, "--count", "route"]), "6\n");
}

#[test]
fn a_side_without_moves_has_no_leaves() {
    for fen in ["W:W:Bb8", "W:Wa3:Bb4,c5"] {
        assert_eq!(stdout(&["0", "--fen", fen]), "1\n");
        assert_eq!(stdout(&["1", "--fen", fen]), "0\n");
        assert_eq!(stdout(&["9", "--fen", fen, "--divide"]), "total: 0\n");
    }
}

#[test]
fn threads_change_nothing() {
    for counting in ["effect", "order", "route"] {
        let with = |threads| {
            let args = ["7", "--fen", MANY_ROUTES, "--divide", "--count", counting];
            stdout(&[&args[..], &["--threads", threads]].concat())
        };
        let alone = with("1");
        assert_eq!(with("2"), alone, "{counting}");
        assert_eq!(with("5"), alone, "{counting}");
    }
}

#[test]
fn divide_is_sorted_and_adds_up() {
    for counting in ["effect", "order", "route"] {
        let args = ["5", "--fen", MANY_ROUTES, "--count", counting];
        let total = stdout(&args);
        let divided = stdout(&[&args[..], &["--divide"]].concat());
        let mut lines: Vec<&str> = divided.lines().collect();
        assert_eq!(
            lines.pop(),
            Some(format!("total: {}", total.trim()).as_str())
        );
        assert!(lines.is_sorted(), "{divided}");
        let leaves = lines.iter().map(|line| line.split_once(": ").unwrap().1);
        let sum: u64 = leaves.map(|leaves| leaves.parse::<u64>().unwrap()).sum();
        assert_eq!(sum.to_string(), total.trim());
    }
}

#[test]
fn divide_names_the_first_moves() {
    assert_eq!(
        stdout(&["4", "--divide"]),
        "a3-b4: 237\nc3-b4: 244\nc3-d4: 184\ne3-d4: 185\ne3-f4: 175\ng3-f4: 180\ng3-h4: 264\n\
         total: 1469\n"
    );
}

#[test]
fn json_carries_everything() {
    let args = [
        "3",
        "--fen",
        "W: WKa1 : BKh8",
        "--threads",
        "2",
        "--divide",
        "--json",
    ];
    let output = lab("perft").args(args).output().unwrap();
    assert_eq!(output.stderr, b"");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(report["fen"], "W:WKa1:BKh8");
    assert_eq!(report["depth"], 3);
    assert_eq!(report["count"], "effect");
    assert_eq!(report["threads"], 2);
    assert!(report["seconds"].as_f64().is_some());
    assert!(report["leaves_per_second"].as_u64().is_some());
    let roots = report["divide"].as_array().unwrap();
    assert_eq!(roots[0]["move"], "a1-b2");
    let sum: u64 = roots
        .iter()
        .map(|root| root["leaves"].as_u64().unwrap())
        .sum();
    assert_eq!(report["leaves"].as_u64(), Some(sum));

    let report: serde_json::Value = serde_json::from_str(&stdout(&["2", "--json"])).unwrap();
    assert_eq!(report["leaves"], 49);
    assert_eq!(report.get("divide"), None);
}

#[test]
fn the_time_goes_to_standard_error() {
    let output = lab("perft 6").output().unwrap();
    assert_eq!(output.stdout, b"37986\n");
    let talk = utf8(output.stderr);
    assert!(talk.starts_with("depth 6: 37986 leaves in "), "{talk}");
    assert!(talk.contains("million leaves/s"), "{talk}");
    assert_eq!(talk.lines().count(), 1, "{talk}");
}

#[test]
fn wrong_arguments_are_explained() {
    let light = stderr_of_usage_error(&["3", "--fen", "W:Wb1:B"]);
    assert!(light.contains("column 4: b1 is a light square"), "{light}");
    let deep = stderr_of_usage_error(&["65"]);
    assert!(
        deep.contains("expected a whole number from 0 to 64"),
        "{deep}"
    );
    let idle = stderr_of_usage_error(&["3", "--threads", "0"]);
    assert!(
        idle.contains("expected a whole number from 1 to 1024"),
        "{idle}"
    );
    let unknown = stderr_of_usage_error(&["3", "--count", "leaf"]);
    assert!(
        unknown.contains("expected effect or order or route"),
        "{unknown}"
    );
    let many = stderr_of_usage_error(&["many"]);
    assert!(many.contains("expected a whole number"), "{many}");
    stderr_of_usage_error(&[]);
}
