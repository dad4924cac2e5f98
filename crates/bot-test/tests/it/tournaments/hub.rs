//! Engines that speak the Hub protocol: what they do wrong has a name.

use checkers_bot_test::{BotId, Exit, Fault, FaultKind};
use checkers_lib::Position;

use super::support::{EndedRun, TestRun};

/// The spec of an engine that behaves so, and would play these moves.
fn engine(behaviour: &str, moves: &str) -> String {
    let python = std::env::var("CHECKERS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../bot/tests/it/hub/fake.py");
    format!("hub:cmd='{python}' -u '{script}' {behaviour} {moves}")
}

/// A game of such an engine against a random bot.
fn play(behaviour: &str, moves: &str, options: &[&str]) -> EndedRun {
    let engine = engine(behaviour, moves);
    let words: Vec<&str> = [&[&*engine, "random", "--games", "1"], options].concat();
    TestRun::of_match(&words).play()
}

#[test]
fn a_crash_has_the_engine_s_last_words() {
    let ended = play("crash", "", &[]);
    let forfeit = ended.forfeit_of(BotId::FIRST);
    let Fault::Crashed { exit, message } = &forfeit.fault else {
        panic!("{forfeit:?}")
    };
    assert_eq!(*exit, Exit::Code(3));
    assert_eq!(message.as_deref(), Some("out of luck"));
    assert_eq!(forfeit.stderr.last().unwrap(), "out of luck");
    let told = "the last time it ended with exit code 3: out of luck; correct it";
    assert!(ended.stdout.contains(told), "{}", ended.stdout);
    assert!(
        ended.stdout.contains("    out of luck\n"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_signal_has_its_name_also_through_a_shell() {
    let ended = play("segfault", "22-18; exit $?", &[]);
    let fault = ended.fault_of(BotId::FIRST);
    assert!(
        matches!(
            fault,
            Fault::Crashed {
                exit: Exit::Signal(11),
                ..
            }
        ),
        "{fault:?}"
    );
    assert!(
        ended.stdout.contains("signal 11 (SIGSEGV)"),
        "{}",
        ended.stdout
    );
}

#[test]
fn invalid_moves_and_lines_are_distinguished() {
    for (behaviour, moves, kind) in [
        ("plays", "22-13", FaultKind::IllegalMove),
        ("plays", "c3-d4", FaultKind::Protocol),
        ("speechless", "", FaultKind::Protocol),
        ("flood", "22-18", FaultKind::Protocol),
        ("chatter", "22-18", FaultKind::Protocol),
        ("other-variant", "", FaultKind::Crashed),
    ] {
        let ended = play(behaviour, moves, &[]);
        assert_eq!(ended.fault_of(BotId::FIRST).kind(), kind, "{behaviour}");
    }
}

#[test]
fn the_search_of_an_engine_is_recorded() {
    let ended = play("plays", "22-18", &["--pv"]);
    let search = ended.record().games[0].moves[0].search.clone().unwrap();
    assert_eq!((search.score, search.depth, search.nodes), (320, 9, 1000));
    assert_eq!(search.pv.to_string(), "c3-d4 b6-a5");
}

#[test]
fn an_engine_that_hangs_has_timed_out_and_is_gone() {
    let ended = play("hang", "", &["--move-timeout", "1s"]);
    let late = Fault::TimeOut {
        waited_ms: 1000,
        fen: Position::start().to_string(),
    };
    assert_eq!(ended.fault_of(BotId::FIRST), &late);
}

#[test]
fn engines_are_programs_and_do_not_play_in_process() {
    let ended = play("plays", "", &["--in-process"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("exec: or hub:"), "{}", ended.stderr);
}

#[test]
fn every_process_of_an_engine_has_a_transcript() {
    let crashing = engine("crash", "");
    let words = ["round-robin", &crashing, "random", "--pairs", "1"];
    let ended = TestRun::new(&words)
        .with_file("--transcripts", "a/b")
        .play();
    // The random bot has none.
    let files = ["game-1-bot-1.txt", "game-2-bot-1.txt"];
    assert_eq!(ended.files("a/b"), files, "{}", ended.stderr);
    let transcript = ended.file("a/b/game-1-bot-1.txt");
    let said = |mark: char| {
        let lines = transcript.lines();
        let lines = lines.filter_map(|line| line.strip_prefix(mark)?.strip_prefix(' '));
        lines.collect::<Vec<_>>()
    };
    let sent = said('>');
    assert_eq!(sent[0], "hub");
    assert_eq!(
        sent[1..4],
        ["set-param name=variant value=russian", "init", "new-game"]
    );
    assert_eq!(sent[5], "go think", "{transcript}");
    let answers = said('<');
    assert!(answers[0].starts_with("id name=Fake"), "{transcript}");
    assert_eq!(answers[3..], ["wait", "ready"]);
    assert_eq!(said('!').first(), Some(&"engine speaking"));
    assert_eq!(said('!').last(), Some(&"out of luck"));
    // The harness has its last words all the same.
    let Fault::Crashed { exit, message } = ended.fault_of(BotId::FIRST) else {
        panic!("{}", ended.stdout)
    };
    assert_eq!(*exit, Exit::Code(3));
    assert_eq!(message.as_deref(), Some("out of luck"));
}

#[test]
fn an_unwritable_directory_is_reported_before_the_first_game() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let ended = play("plays", "22-18", &["--transcripts", file]);
    assert_eq!(ended.code, Some(1));
    let told = format!("error: cannot write {file}: ");
    assert!(ended.stderr.starts_with(&told), "{}", ended.stderr);
    assert!(ended.record.is_none());
}
