//! `checkers-lab tablebase` as its user sees it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::support::{Dir, json_lines, lab, utf8};

fn command(args: &str, dir: &Path) -> Command {
    let mut command = lab("tablebase");
    command.args(args.split(' ')).env("CHECKERS_TABLEBASE", dir);
    command
}

fn run(args: &str, dir: &Path) -> Output {
    command(args, dir).output().unwrap()
}

fn stdout(args: &str, dir: &Path) -> String {
    test_support::stdout(&mut command(args, dir))
}

/// The contents of the tables by name.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    // What took how long is not the same twice.
    let tables = entries.filter(|path| {
        path.extension()
            .is_some_and(|end| end != "tmp" && end != "jsonl")
    });
    tables
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn what_is_made_can_be_listed_counted_and_verified() {
    let dir = Dir::new();
    let output = run("generate --pieces 3 --threads 2", dir.root());
    let talk = utf8(output.stderr);
    assert!(output.status.success(), "{talk}");
    assert!(
        talk.starts_with("0 million positions in 9 pairs of slices, "),
        "{talk}"
    );
    assert!(talk.contains("KK-K: "), "{talk}");

    assert_eq!(stdout("list", dir.root()).lines().count(), 32);
    let stats = stdout("stats --pieces 3", dir.root());
    assert_eq!(stats.lines().count(), 13);
    let kings = stats
        .lines()
        .find(|line| line.starts_with("KK-K "))
        .unwrap();
    assert!(
        kings.starts_with("KK-K           14880        5628           0        9252"),
        "{kings}"
    );
    let mut sum = 0;
    let mut zugzwangs = BTreeMap::new();
    for census in json_lines(&stdout("stats --json", dir.root())) {
        let count = |key: &str| census[key].as_u64().unwrap();
        let material = census["material"].as_str().unwrap().to_owned();
        zugzwangs.insert(material, count("mutual_zugzwangs"));
        assert_eq!(
            count("positions"),
            count("wins") + count("losses") + count("draws")
        );
        sum += count("positions");
    }
    assert_eq!(sum, 3_488 + 196_032);
    // Whoever has to move, the pieces are the same.
    assert_eq!((zugzwangs["K-mm"], zugzwangs["mm-K"]), (19, 19));

    let verified = stdout("verify", dir.root());
    let lines: Vec<&str> = verified.lines().collect();
    assert!(
        lines[0].starts_with("2 pieces: 3488 positions right, 2992 of them"),
        "{verified}"
    );
    assert!(
        lines[1].starts_with("3 pieces: 196032 positions right, 146920 of them"),
        "{verified}"
    );
    let sampled = stdout("verify --sample 1000 --seed 7 --pieces 3", dir.root());
    assert!(sampled.starts_with("3 pieces: "), "{sampled}");
    let played = stdout("verify --play 100 --seed 7 --pieces 3", dir.root());
    assert!(
        played.starts_with("3 pieces: best play from 100 won positions "),
        "{played}"
    );

    let articles = stdout("articles --pieces 3", dir.root());
    assert_eq!(articles.lines().count(), 17);
    let kings = "KK-K            5628           0         0       7    10";
    assert!(articles.lines().any(|line| line == kings), "{articles}");
    let lines = json_lines(&stdout("articles --pieces 3 --json", dir.root()));
    let drawn: Option<u64> = lines.iter().map(|line| line["drawn"].as_u64()).sum();
    assert_eq!((lines.len(), drawn), (16, Some(0)));
    let refused = run("articles --pieces 4", dir.root());
    assert_eq!(refused.status.code(), Some(1));
    let error = utf8(refused.stderr);
    assert!(error.contains("no table of KK-KK in "), "{error}");

    let report = stdout("report", dir.root());
    for text in [
        "| 3 | 12 | 196,032 | ",
        "| `tablebase generate --pieces 3` | 199,520 | 2 | ",
        "| `tablebase verify --pieces 3 --sample 1000 --seed 7` | 1,004 | ",
        "\n| 10 | ",
        "\n   a b c d e f g h\n",
        "| 3 | 67,475 | 33,413 | 0 | 9 | 10 | `Km-K` |",
        "| KK-K | 14,880 | 5,628 | 0 | 9,252 | ",
    ] {
        assert!(report.contains(text), "{text}: {report}");
    }

    let again = run("generate --pieces 3", dir.root());
    assert_eq!(
        again.stderr,
        b"nothing to do: all tables are there\n0 positions in 0.0 s: 0.0 million a second\n"
    );
}

#[test]
fn a_killed_run_goes_on_and_makes_the_same() {
    let (whole, broken) = (Dir::new(), Dir::new());
    stdout("generate --pieces 4 --threads 1", whole.root());
    for wait in [50, 200, 400] {
        let mut child = command("generate --pieces 4 --threads 2", broken.root())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // As if it had been killed while writing.
    broken.write("K-K.wdl.1.tmp", b"half");
    stdout("generate --pieces 4 --threads 3", broken.root());
    assert!(!fs::exists(broken.path("K-K.wdl.1.tmp")).unwrap());
    assert!(files(whole.root()) == files(broken.root()));
}

#[test]
fn an_altered_or_truncated_table_is_reported() {
    let dir = Dir::new();
    stdout("generate --pieces 2", dir.root());
    let path = dir.path("K-K.dist");
    let whole = fs::read(&path).unwrap();
    let mut altered = whole.clone();
    *altered.last_mut().unwrap() ^= 1;
    fs::write(&path, &altered).unwrap();
    let output = run("verify", dir.root());
    let talk = utf8(output.stderr);
    assert_eq!(output.status.code(), Some(1), "{talk}");
    assert!(talk.contains("K-K.dist is damaged at byte "), "{talk}");

    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    assert!(stdout("list", dir.root()).contains("missing or cut off"));
    // The rest is still asked, and what is missing is made again.
    let output = run("probe --fen W:Wb6:Bb8", dir.root());
    assert!(output.status.success());
    assert!(utf8(output.stderr).starts_with("warning: table "));
    stdout("generate --pieces 2", dir.root());
    assert!(fs::read(&path).unwrap() == whole);
}

#[test]
fn too_little_memory_is_reported_beforehand() {
    let dir = Dir::new();
    let output = run("generate --pieces 7 --memory 1G", dir.root());
    assert_eq!(output.status.code(), Some(1));
    let talk = utf8(output.stderr);
    assert!(
        talk.starts_with("error: too little memory: raise --memory: 7 pieces take "),
        "{talk}"
    );
    assert!(files(dir.root()).is_empty());
}

#[test]
fn probing_shows_values_moves_and_the_line() {
    let dir = Dir::new();
    let json = stdout("probe --fen W:Wb6:Bb8 --json", dir.root());
    assert_eq!(
        json,
        "{\"value\":\"win\",\"plies\":9,\"moves\":[{\"move\":\"b6-a7\",\"value\":\"win\",\"plies\":9},\
         {\"move\":\"b6-c7\",\"value\":\"loss\",\"plies\":2}]}\n"
    );
    let text = stdout("probe --fen W:Wb6:Bb8 --articles", dir.root());
    assert!(
        text.starts_with("win in 9\n  b6-a7    win in 9\n"),
        "{text}"
    );
    assert!(text.contains("best play: b6-a7 b8-c7 "), "{text}");
    assert!(
        text.ends_with("it ends before an article declares a draw\n"),
        "{text}"
    );

    let json = stdout("probe --fen W:Wb6:Bb8 --json --articles", dir.root());
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["fits_articles"], true);
    assert_eq!(report["line"].as_array().map(Vec::len), Some(9));
    let output = run("probe --fen W:Wb6:Bb8", &dir.root().join("nowhere"));
    assert!(output.status.success());
    let talk = utf8(output.stderr);
    assert!(
        talk.starts_with("warning: cannot open the tables in "),
        "{talk}"
    );

    let mut child = command("probe --json", dir.root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = b"W:WKa1:BKh2\n\nnonsense\nW:WKa1,Kc1,Ke1,Kg1:BKh4\n";
    child.stdin.take().unwrap().write_all(lines).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let answers = json_lines(&utf8(output.stdout));
    assert_eq!(answers.len(), 3);
    assert_eq!(
        (answers[0]["value"].as_str(), answers[0]["plies"].as_u64()),
        (Some("draw"), None)
    );
    assert_eq!(answers[1]["fen"], "nonsense");
    // Values of 5 pieces are built in, distances are not.
    assert_eq!(
        (answers[2]["value"].as_str(), answers[2]["plies"].as_u64()),
        (Some("win"), None)
    );

    for (fen, code) in [("W:Wa1,c1,e1,g1:Bb8,d8,f8", 1), ("nonsense", 2)] {
        let output = run(&format!("probe --fen {fen}"), dir.root());
        assert_eq!(output.status.code(), Some(code), "{fen}");
    }
}

#[test]
fn verifying_nothing_is_a_failure() {
    let dir = Dir::new();
    for options in ["", " --pieces 4"] {
        let output = run(&format!("verify{options}"), dir.root());
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let talk = utf8(output.stderr);
        assert!(talk.starts_with("error: no tables"), "{talk}");
    }
}
