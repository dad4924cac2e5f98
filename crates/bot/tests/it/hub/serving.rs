//! The program as an engine.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The program, spoken to line by line.
struct ServedEngine {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl ServedEngine {
    fn start(bot: &str) -> ServedEngine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_checkers-bot"))
            .args(["hub", "--bot", bot])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        ServedEngine { child, lines }
    }

    fn say(&mut self, lines: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{lines}").unwrap();
    }

    /// The next line that begins so; those before it are passed over.
    fn hear(&mut self, beginning: &str) -> String {
        let mut lines = self.lines.by_ref().map(Result::unwrap);
        let line = lines.find(|line| line.starts_with(beginning));
        line.unwrap_or_else(|| panic!("no {beginning}"))
    }

    /// All that is still said, and the exit code.
    fn end(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.child.stdin.take());
        let rest = self.lines.by_ref().map(Result::unwrap).collect();
        (rest, self.child.wait().unwrap().code())
    }
}

#[test]
fn a_conversation_goes_as_the_protocol_says() {
    let mut engine = ServedEngine::start("champion:depth=4,tt=1,book=off");
    engine.say("hub");
    engine.hear("id name=checkers ");
    engine.hear("param name=variant value=russian type=enum values=russian");
    engine.hear("param name=tt value=1 type=int min=1 max=16384");
    engine.hear("wait");
    engine.say("set-param name=tt value=2\ninit");
    assert_eq!(engine.hear(""), "ready");
    engine.say("new-game\nlevel depth=3\ngo think");
    for depth in 1..=3 {
        let info = engine.hear("info ");
        assert!(
            info.starts_with(&format!("info depth={depth} score=")),
            "{info}"
        );
    }
    let done = engine.hear("done ");
    assert!(done.contains(" ponder="), "{done}");
    engine.say("quit");
    let (rest, code) = engine.end();
    assert_eq!((rest.len(), code), (0, Some(0)));
}

#[test]
fn a_move_comes_from_the_book_and_an_analysis_does_not() {
    let mut engine = ServedEngine::start("champion:tt=1");
    engine.say("init\nlevel depth=5\ngo think");
    engine.hear("ready");
    let info = engine.hear("info ");
    assert!(info.starts_with("info depth=0 score="), "{info}");
    engine.hear("done move=");
    engine.say("go analyze");
    let info = engine.hear("info ");
    assert!(info.starts_with("info depth=1 score="), "{info}");
    engine.hear("done move=");
}

#[test]
fn a_search_answers_pings_and_stops() {
    let mut engine = ServedEngine::start("champion:tt=1");
    engine.say("init\nlevel infinite\ngo analyze");
    engine.hear("info depth=3 ");
    engine.say("ping");
    engine.hear("pong");
    engine.say("new-game");
    assert!(
        engine
            .hear("error ")
            .contains("wait for the end of the search")
    );
    engine.say("stop");
    engine.hear("done move=");
    engine.say("go ponder\nponder-hit\nstop");
    engine.hear("done move=");
}

#[test]
fn pondering_lasts_until_the_hit() {
    let mut engine = ServedEngine::start("champion:tt=1");
    engine.say("init\nlevel move-time=0.05\ngo ponder");
    engine.hear("info depth=6 ");
    engine.say("ponder-hit");
    engine.hear("done move=");
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    let mut engine = ServedEngine::start("champion:tt=1");
    engine.say("level infinite\ngo analyze");
    engine.hear("info ");
    assert_eq!(engine.end().1, Some(0));
}

#[test]
fn nothing_that_is_said_ends_it() {
    let mut engine = ServedEngine::start("random");
    let start = format!("W{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
    let lost = format!("W{}", "e".repeat(32));
    let odd = [
        "xyzzy",
        "=",
        "go",
        "pos pos=\"",
        "level depth=99999999999999",
        "\u{0}\u{1}",
        "set-param name=seed value=\"\"",
        &format!("pos pos={start} moves=\"1-2\""),
        &"x".repeat(100_000),
        &format!("pos pos={lost}\ngo think"),
    ];
    for line in odd {
        engine.say(line);
        engine.hear("error message=");
    }
    engine.say(&"init\n".repeat(100));
    for _ in 0..100 {
        engine.hear("ready");
    }
    engine.say(&format!("pos pos={start} moves=\"22-18 9-13\"\ngo think"));
    engine.hear("done move=");
    engine.say("quit");
    assert_eq!(engine.end().1, Some(0));
}

/// What `docs/hub.md` shows is what is said, but for the times.
#[test]
fn the_documentation_shows_what_is_said() {
    let page = include_str!("../../../../../docs/hub.md");
    let transcript = page.split("```text transcript\n").nth(1).unwrap();
    let transcript = transcript.split("```").next().unwrap();
    let mut engine = ServedEngine::start("negascout-tt:depth=5,tt=1");
    for line in transcript.lines() {
        match line.strip_prefix("> ") {
            Some(said) => engine.say(said),
            None => assert_eq!(timeless(&engine.hear("")), timeless(line)),
        }
    }
    assert_eq!(engine.end().1, Some(0));
}

fn timeless(line: &str) -> String {
    let words = line.split(' ');
    let lasting = words.filter(|word| !word.starts_with("time=") && !word.starts_with("nps="));
    lasting.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_missing_directory_of_tables_is_reported() {
    let hub = Command::new(env!("CARGO_BIN_EXE_checkers-bot"))
        .args(["hub", "--bot", "random"])
        .env("CHECKERS_TABLEBASE", "/nowhere")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(hub.status.success(), "{hub:?}");
    let warning = "warning: cannot open the tables in /nowhere: ";
    assert!(hub.stderr.starts_with(warning.as_bytes()), "{hub:?}");
}
