//! Bots that fail, each in its own way: every one ends the match, with the right name.

use crate::faulty;
use crate::support::{Ended, Match};
use checkers_bot_test::{Clock, Exit, Failure, Fault, ServerFault};
use checkers_lib::Position;

const BOT_FAILED: Option<i32> = Some(1);

#[test]
fn faulty_bot() {
    faulty::act();
}

/// A faulty first bot against a random second one.
fn play(first: &str, options: &[&str]) -> Ended {
    let words: Vec<&str> = [&[first, "random"], options].concat();
    Match::new(&words).play()
}

#[test]
fn a_crash_has_its_exit_code_and_last_words() {
    let ended = play("exec:echo oh no >&2; exit 3", &[]);
    assert_eq!(ended.code, BOT_FAILED);
    let crash = Fault::Crashed {
        exit: Exit::Code(3),
        message: None,
    };
    assert_eq!(ended.fault_of("bot-1"), &crash);
    assert_eq!(ended.record().failure.as_ref().unwrap().stderr(), ["oh no"]);
    assert!(
        ended
            .stderr
            .contains("bot 1 ended too early with exit code 3"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("\n  oh no\n"), "{}", ended.stderr);
    assert!(
        ended.stdout.contains("ended after 0 of 1 game"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_crash_has_its_signal() {
    let ended = play("exec:kill -SEGV $$", &[]);
    let exit = Exit::Signal(11);
    assert_eq!(
        ended.fault_of("bot-1"),
        &Fault::Crashed {
            exit,
            message: None
        }
    );
}

#[test]
fn the_second_bot_is_told_apart() {
    let ended = Match::new(&["random", "exec:exit 4"]).play();
    let exit = Exit::Code(4);
    assert_eq!(
        ended.fault_of("bot-2"),
        &Fault::Crashed {
            exit,
            message: None
        }
    );
}

#[test]
fn a_bot_that_never_connects() {
    let ended = play("exec:sleep 1000", &["--connect-timeout", "5s"]);
    assert_eq!(ended.code, BOT_FAILED);
    assert_eq!(
        ended.fault_of("bot-1"),
        &Fault::NeverConnected { waited_ms: 5000 }
    );
}

#[test]
fn a_bot_that_never_sits_down() {
    let ended = play(&faulty::spec("stands"), &["--connect-timeout", "5s"]);
    assert_eq!(
        ended.fault_of("bot-1"),
        &Fault::NeverSeated { waited_ms: 5000 }
    );
}

#[test]
fn a_bot_that_goes_away() {
    let ended = play(&faulty::spec("leaves"), &["--connect-timeout", "5s"]);
    assert_eq!(
        ended.fault_of("bot-1"),
        &Fault::Disconnected { waited_ms: 5000 }
    );
}

#[test]
fn a_bot_that_floods_the_server() {
    let ended = play(&faulty::spec("floods"), &[]);
    assert_eq!(ended.code, BOT_FAILED);
    let fault = ended.fault_of("bot-1");
    assert!(matches!(fault, Fault::Disconnected { .. }), "{fault:?}");
}

#[test]
fn a_bot_that_gives_its_seat_up() {
    let ended = play(&faulty::spec("resigns"), &[]);
    assert_eq!(ended.code, BOT_FAILED);
    let failure = ended.record().failure.as_ref();
    assert_eq!(failure, Some(&Failure::Abandoned { game: 1 }));
}

#[test]
fn a_bot_that_never_moves() {
    let ended = play(&faulty::spec("sits"), &["--move-timeout", "1s"]);
    assert_eq!(ended.code, BOT_FAILED);
    let hung = Fault::Hung {
        waited_ms: 1000,
        fen: Position::start().to_string(),
    };
    assert_eq!(ended.fault_of("bot-1"), &hung);
    assert_eq!(ended.record().tally.interrupted, 1);
}

#[test]
fn an_engine_in_process_has_its_time_too() {
    let ended = play(
        "minimax:depth=30",
        &["--in-process", "--move-timeout", "100ms"],
    );
    assert_eq!(ended.code, BOT_FAILED);
    assert!(matches!(
        ended.fault_of("bot-1"),
        Fault::Hung { waited_ms: 100, .. }
    ));
}

#[test]
fn a_bot_that_insists_on_an_illegal_move_never_moves() {
    let ended = play(&faulty::spec("insists"), &["--move-timeout", "1s"]);
    assert!(matches!(ended.fault_of("bot-1"), Fault::Hung { .. }));
}

#[test]
fn an_illegal_move_has_its_position() {
    let ended = play(&faulty::spec("despairs"), &[]);
    assert_eq!(ended.code, BOT_FAILED);
    let illegal = Fault::IllegalMove {
        fen: Position::start().to_string(),
        message: "a1-h8 was refused".to_owned(),
    };
    assert_eq!(ended.fault_of("bot-1"), &illegal);
    assert!(
        ended.stderr.contains("I thought it was legal"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_game_that_never_ends() {
    let endless = ["--draw-rules", "study", "--game-timeout", "1ms"];
    let ended = play("random", &endless);
    assert_eq!(ended.code, BOT_FAILED);
    let failure = ended.record().failure.as_ref();
    assert_eq!(
        failure,
        Some(&Failure::GameTooLong {
            game: 1,
            limit_ms: 1
        })
    );
}

#[test]
fn a_foreign_bot_plays_timed_by_the_server() {
    let ended = play(&faulty::spec("plays"), &["--games", "2", "--swap"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let record = ended.record();
    assert_eq!((record.tally.finished(), record.tally.interrupted), (2, 0));
    let clocks = |bot: usize| {
        let bot = record.tally.bots[bot].bot;
        record
            .games
            .iter()
            .flat_map(move |game| game.moves_of(bot))
            .map(|played| played.clock)
    };
    assert!(clocks(0).all(|clock| clock == Clock::Server));
    assert!(clocks(1).all(|clock| clock == Clock::Bot));
    assert!(
        ended.stdout.contains("timed by the server"),
        "{}",
        ended.stdout
    );
}

#[test]
fn a_bot_that_talks_without_end_can_play() {
    let ended = play(&faulty::spec("chatters"), &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.record().tally.finished(), 1);
}

#[test]
fn a_server_that_stands_still_is_no_fault_of_a_bot() {
    let words = ["minimax:depth=30", "random", "--move-timeout", "2s"];
    let running = Match::new(&words).start();
    // The server, both bots.
    running.wait_for_processes(3);
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
    let running = Match::new(&["exec:sleep 1000", "random", "--connect-timeout", "10m"]).start();
    running.kill_process_with("server");
    let ended = running.wait();
    assert_eq!(ended.code, Some(3));
    let died = ServerFault::Died {
        exit: Exit::Signal(9),
    };
    assert!(
        matches!(&ended.record().failure, Some(Failure::Server { fault, .. }) if *fault == died),
        "{:?}",
        ended.record().failure
    );
}
