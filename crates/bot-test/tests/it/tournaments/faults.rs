//! Bots that fail, each in its own way: every one forfeits, with the right name.

use std::time::Duration;

use checkers_bot_test::{BotId, Exit, Failure, Fault, FaultKind, Ruling, ServerFault, Timekeeper};
use checkers_lib::Position;
use checkers_lib::protocol::{EndReason, GameResult};

use super::faulty;
use super::support::{EndedRun, TestRun};

const BOT_FAILED: Option<i32> = Some(4);
const DONE: Option<i32> = Some(0);
const FIRST: BotId = BotId::FIRST;

#[test]
fn faulty_bot() {
    faulty::act();
}

/// A game of a faulty first bot against a random second one.
fn play(first: &str, options: &[&str]) -> EndedRun {
    let words: Vec<&str> = [&[first, "random", "--games", "1"], options].concat();
    TestRun::of_match(&words).play()
}

#[test]
fn a_crash_has_its_exit_code_and_last_words() {
    let ended = play("exec:echo oh no >&2; exit 3", &[]);
    assert_eq!(ended.code, BOT_FAILED);
    let forfeit = ended.forfeit_of(FIRST);
    let exit = Exit::Code(3);
    assert!(
        matches!(&forfeit.fault, Fault::Crashed { exit: found, .. } if *found == exit),
        "{forfeit:?}"
    );
    assert_eq!(forfeit.stderr, ["oh no"]);
    assert_eq!(ended.record().games[0].result, GameResult::BlackWon);
    for told in ["exit code 3", "oh no"] {
        assert!(ended.stdout.contains(told), "{}", ended.stdout);
    }
}

#[test]
fn a_crash_has_its_signal() {
    let ended = play("exec:kill -SEGV $$", &[]);
    let exit = Exit::Signal(11);
    let message = None;
    assert_eq!(ended.fault_of(FIRST), &Fault::Crashed { exit, message });
}

#[test]
fn a_fault_of_the_second_bot_is_its_own() {
    let ended = TestRun::of_match(&["random", "exec:exit 4"]).play();
    let fault = ended.fault_of(BotId::SECOND);
    assert_eq!(fault.kind(), FaultKind::Crashed);
}

#[test]
fn a_forfeited_game_may_count_for_nothing() {
    let ended = play("exec:exit 3", &["--forfeit", "void"]);
    assert_eq!(ended.code, BOT_FAILED);
    let game = &ended.record().games[0];
    assert!(game.is_void() && game.forfeit().is_some());
    assert_eq!(ended.record().tally.unwrap().interrupted, 1);
}

#[test]
fn a_bot_that_never_connects() {
    let ended = play("exec:sleep 1000", &["--connect-timeout", "5s"]);
    assert_eq!(ended.code, BOT_FAILED);
    let never = Fault::NeverConnected { waited_ms: 5000 };
    assert_eq!(ended.fault_of(FIRST), &never);
}

#[test]
fn a_bot_that_goes_away() {
    let ended = play(&faulty::spec("leaves"), &[]);
    assert_eq!(ended.fault_of(FIRST), &Fault::Disconnected);
}

#[test]
fn a_bot_that_floods_the_server() {
    let ended = play(&faulty::spec("floods"), &[]);
    assert_eq!(ended.code, BOT_FAILED);
    assert_eq!(ended.fault_of(FIRST).kind(), FaultKind::Protocol);
}

#[test]
fn a_bot_that_talks_nonsense_has_broken_the_protocol() {
    for fault in ["babbles", "sends_bytes", "sends_too_much"] {
        let ended = play(&faulty::spec(fault), &[]);
        assert_eq!(ended.code, BOT_FAILED);
        let kind = ended.fault_of(FIRST).kind();
        assert_eq!(kind, FaultKind::Protocol, "{fault}");
    }
}

#[test]
fn a_bot_that_gives_its_seat_up() {
    let ended = play(&faulty::spec("resigns"), &[]);
    assert_eq!(ended.code, BOT_FAILED);
    assert_eq!(ended.fault_of(FIRST), &Fault::GaveUp);
}

#[test]
fn a_bot_that_never_moves() {
    let ended = play(&faulty::spec("stands"), &["--move-timeout", "1s"]);
    assert_eq!(ended.code, BOT_FAILED);
    let late = Fault::TimeOut {
        waited_ms: 1000,
        fen: Position::start().to_string(),
    };
    assert_eq!(ended.fault_of(FIRST), &late);
}

#[test]
fn an_engine_in_process_has_its_time_too() {
    let options = ["--in-process", "--move-timeout", "100ms"];
    let ended = play("minimax:depth=30", &options);
    assert_eq!(ended.code, BOT_FAILED);
    let fault = ended.fault_of(FIRST);
    assert!(
        matches!(fault, Fault::TimeOut { waited_ms: 100, .. }),
        "{fault:?}"
    );
}

#[test]
fn a_bot_whose_clock_runs_out_has_lost() {
    let ended = play(&format!("{}@clock=500ms", faulty::spec("stands")), &[]);
    let game = &ended.record().games[0];
    assert_eq!(game.reason, EndReason::Time);
    assert_eq!((game.result, &game.ruling), (GameResult::BlackWon, &None));
    assert_eq!(ended.code, DONE, "{}", ended.stderr);
}

#[test]
fn an_illegal_move_has_its_position() {
    for fault in ["insists", "despairs"] {
        let ended = play(&faulty::spec(fault), &[]);
        assert_eq!(ended.code, BOT_FAILED);
        let Fault::IllegalMove { fen, message } = ended.fault_of(FIRST) else {
            panic!("{:?}", ended.fault_of(FIRST));
        };
        assert_eq!(*fen, Position::start().to_string());
        assert!(message.contains("a1-h8"), "{message}");
    }
}

#[test]
fn a_game_that_never_ends_counts_for_nothing() {
    let ended = play(
        "random",
        &["--draw-rules", "study", "--game-timeout", "1ms"],
    );
    assert_eq!(ended.code, BOT_FAILED);
    let game = &ended.record().games[0];
    assert_eq!(game.ruling, Some(Ruling::TooLong { limit_ms: 1 }));
    assert!(game.is_void());
}

#[test]
fn a_bot_that_crashes_is_started_again() {
    let directory = tempfile::tempdir().unwrap();
    let flag = directory.path().join("crashed");
    let plays = faulty::spec("plays");
    let plays = plays.strip_prefix("exec:").unwrap();
    let flag = flag.display();
    let once = format!("exec:test -e {flag} || {{ touch {flag}; exit 3; }}; {plays}");
    let options = ["random", "--games", "4", "--concurrency", "1"];
    let ended = TestRun::of_match(&[&[&*once], &options[..]].concat()).play();
    assert_eq!(ended.code, BOT_FAILED, "{}", ended.stderr);
    let forfeits: Vec<bool> = (ended.record().games.iter())
        .map(|game| game.forfeit().is_some())
        .collect();
    assert_eq!(forfeits, [true, false, false, false]);
    assert_eq!(ended.record().failure, None);
}

#[test]
fn a_bot_that_only_forfeits_ends_the_tournament() {
    let words = [
        "exec:exit 3",
        "random",
        "--pairs",
        "50",
        "--concurrency",
        "1",
    ];
    let ended = TestRun::of_match(&words).play();
    assert_eq!(ended.code, BOT_FAILED);
    let failure = &ended.record().failure;
    assert!(
        matches!(
            failure,
            Some(Failure::Bot {
                bot: FIRST,
                games: 3,
                ..
            })
        ),
        "{failure:?}"
    );
    assert!(ended.stderr.contains("bot 1 forfeited 3 games in a row"));
}

#[test]
fn a_foreign_bot_plays_timed_by_the_server() {
    let ended = play(&faulty::spec("plays"), &["--no-swap"]);
    assert_eq!(ended.code, DONE, "{}", ended.stderr);
    let game = &ended.record().games[0];
    let mut clocks =
        [FIRST, BotId::SECOND].map(|bot| game.moves_of(bot).map(|played| played.clock));
    assert!(clocks[0].all(|clock| clock == Timekeeper::Server));
    assert!(clocks[1].all(|clock| clock == Timekeeper::Bot));
}

#[test]
fn a_bot_that_talks_without_end_can_play() {
    let ended = play(&faulty::spec("chatters"), &[]);
    assert_eq!(ended.code, DONE, "{}", ended.stderr);
}

#[test]
fn a_server_that_stands_still_is_no_fault_of_a_bot() {
    let words = [
        "minimax:depth=30",
        "random",
        "--move-timeout",
        "2s",
        "--concurrency",
        "1",
    ];
    let running = TestRun::of_match(&words).start();
    // The server, both bots.
    running.wait_for_processes(3);
    // The bots have come in and think.
    std::thread::sleep(Duration::from_secs(3));
    running.signal_process_with("server", "-STOP");
    let ended = running.wait();
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let failure = &ended.record().failure;
    assert!(
        matches!(
            failure,
            Some(Failure::Server {
                fault: ServerFault::Unreachable { .. },
                ..
            })
        ),
        "{failure:?}"
    );
}

#[test]
fn a_server_that_dies_is_not_the_bots_fault() {
    let words = ["exec:sleep 1000", "random", "--connect-timeout", "10m"];
    let running = TestRun::of_match(&words).start();
    running.kill_process_with("server");
    let ended = running.wait();
    assert_eq!(ended.code, Some(3));
    let died = ServerFault::Died {
        exit: Exit::Signal(9),
    };
    let failure = &ended.record().failure;
    assert!(
        matches!(failure, Some(Failure::Server { fault, .. }) if *fault == died),
        "{failure:?}"
    );
}
