//! `checkers-lab tablebase` as its user sees it.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// A directory of its own for each test, away when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("lab-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(args: &str, dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-lab"));
    command
        .arg("tablebase")
        .args(args.split(' '))
        .env("CHECKERS_TABLEBASE", dir);
    command
}

fn run(args: &str, dir: &Path) -> Output {
    command(args, dir).output().unwrap()
}

fn stdout(args: &str, dir: &Path) -> String {
    let output = run(args, dir);
    assert!(output.status.success(), "{args}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
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
    let dir = Scratch::new("made");
    let output = run("generate --pieces 3 --threads 2", &dir.0);
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{talk}");
    assert!(
        talk.starts_with("0 million positions in 9 pairs of slices, "),
        "{talk}"
    );
    assert!(talk.contains("KK-K: "), "{talk}");

    assert_eq!(stdout("list", &dir.0).lines().count(), 32);
    let stats = stdout("stats --pieces 3", &dir.0);
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
    for line in stdout("stats --json", &dir.0).lines() {
        let census: serde_json::Value = serde_json::from_str(line).unwrap();
        let count = |key: &str| census[key].as_u64().unwrap();
        assert_eq!(
            count("positions"),
            count("wins") + count("losses") + count("draws")
        );
        sum += count("positions");
    }
    assert_eq!(sum, 3_488 + 196_032);

    let verified = stdout("verify", &dir.0);
    let lines: Vec<&str> = verified.lines().collect();
    assert!(
        lines[0].starts_with("2 pieces: 3488 positions right, 2992 of them"),
        "{verified}"
    );
    assert!(
        lines[1].starts_with("3 pieces: 196032 positions right, 146920 of them"),
        "{verified}"
    );
    let sampled = stdout("verify --sample 1000 --seed 7 --pieces 3", &dir.0);
    assert!(sampled.starts_with("3 pieces: "), "{sampled}");
    let played = stdout("verify --play 100 --seed 7 --pieces 3", &dir.0);
    assert!(
        played.starts_with("3 pieces: best play from 100 won positions "),
        "{played}"
    );

    let report = stdout("report", &dir.0);
    for text in [
        "| 3 | 12 | 196,032 | ",
        "| `tablebase generate --pieces 3` | 199,520 | 2 | ",
        "| `tablebase verify --pieces 3 --sample 1000 --seed 7` | 1,004 | ",
        "\n### 10. ",
        "\n   a b c d e f g h\n",
        "| KK-K | 14,880 | 5,628 | 0 | 9,252 | ",
    ] {
        assert!(report.contains(text), "{text}: {report}");
    }

    let again = run("generate --pieces 3", &dir.0);
    assert_eq!(
        again.stderr,
        b"nothing to do: all tables are there\n0 positions in 0.0 s: 0.0 million a second\n"
    );
}

#[test]
fn a_killed_run_goes_on_and_makes_the_same() {
    let (whole, broken) = (Scratch::new("whole"), Scratch::new("broken"));
    stdout("generate --pieces 4 --threads 1", &whole.0);
    for wait in [50, 200, 400] {
        let mut child = command("generate --pieces 4 --threads 2", &broken.0)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // As if it had been killed while writing.
    fs::write(broken.0.join("K-K.wdl.1.tmp"), b"half").unwrap();
    stdout("generate --pieces 4 --threads 3", &broken.0);
    assert!(!broken.0.join("K-K.wdl.1.tmp").exists());
    assert!(files(&whole.0) == files(&broken.0));
}

#[test]
fn a_table_that_is_altered_or_cut_off_is_told() {
    let dir = Scratch::new("altered");
    stdout("generate --pieces 2", &dir.0);
    let path = dir.0.join("K-K.dist");
    let whole = fs::read(&path).unwrap();
    let mut altered = whole.clone();
    *altered.last_mut().unwrap() ^= 1;
    fs::write(&path, &altered).unwrap();
    let output = run("verify", &dir.0);
    let talk = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{talk}");
    assert!(talk.contains("K-K.dist is damaged at byte "), "{talk}");

    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    assert!(stdout("list", &dir.0).contains("missing or cut off"));
    // The rest is still asked, and what is missing is made again.
    let output = run("probe --fen W:Wb6:Bb8", &dir.0);
    assert!(output.status.success());
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .starts_with("warning: table ")
    );
    stdout("generate --pieces 2", &dir.0);
    assert!(fs::read(&path).unwrap() == whole);
}

#[test]
fn too_little_memory_is_told_beforehand() {
    let dir = Scratch::new("memory");
    let output = run("generate --pieces 7 --memory 1G", &dir.0);
    assert_eq!(output.status.code(), Some(1));
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(
        talk.starts_with("error: too little memory: raise --memory: 7 pieces take "),
        "{talk}"
    );
    assert!(files(&dir.0).is_empty());
}

#[test]
fn probing_tells_values_moves_and_the_line() {
    let dir = Scratch::new("probe");
    let json = stdout("probe --fen W:Wb6:Bb8 --json", &dir.0);
    assert_eq!(
        json,
        "{\"value\":\"win\",\"plies\":9,\"moves\":[{\"move\":\"b6-a7\",\"value\":\"win\",\"plies\":9},\
         {\"move\":\"b6-c7\",\"value\":\"loss\",\"plies\":2}]}\n"
    );
    let text = stdout("probe --fen W:Wb6:Bb8 --articles", &dir.0);
    assert!(
        text.starts_with("win in 9\n  b6-a7    win in 9\n"),
        "{text}"
    );
    assert!(text.contains("best play: b6-a7 b8-c7 "), "{text}");
    assert!(
        text.ends_with("it ends before an article declares a draw\n"),
        "{text}"
    );

    let json = stdout("probe --fen W:Wb6:Bb8 --json --articles", &dir.0);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["fits_articles"], true);
    assert_eq!(report["line"].as_array().map(Vec::len), Some(9));
    let output = run("probe --fen W:Wb6:Bb8", &dir.0.join("nowhere"));
    assert!(output.status.success());
    let talk = String::from_utf8(output.stderr).unwrap();
    assert!(
        talk.starts_with("warning: cannot open the tables in "),
        "{talk}"
    );

    let mut child = command("probe --json", &dir.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = b"W:WKa1:BKh2\n\nnonsense\nW:WKa1,Kc1,Ke1,Kg1:BKh4\n";
    child.stdin.take().unwrap().write_all(lines).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let answers: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
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
        let output = run(&format!("probe --fen {fen}"), &dir.0);
        assert_eq!(output.status.code(), Some(code), "{fen}");
    }
}

#[test]
fn verifying_nothing_is_a_failure() {
    let dir = Scratch::new("empty");
    fs::create_dir_all(&dir.0).unwrap();
    for options in ["", " --pieces 4"] {
        let output = run(&format!("verify{options}"), &dir.0);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let talk = String::from_utf8(output.stderr).unwrap();
        assert!(talk.starts_with("error: no tables"), "{talk}");
    }
}
