//! Nobody is left behind, however a match ends.

use crate::support::Match;
use checkers_bot_test::Failure;

/// A match that does not end by itself: a server, a bot of ours, and a foreign one that never
/// connects, with its guard, its shell and the shell's child.
fn endless() -> Match {
    Match::new(&[
        "random",
        "exec:sleep 1000; true",
        "--connect-timeout",
        "10m",
    ])
}

const PROCESSES: usize = 5;

#[test]
fn ctrl_c_ends_everybody_and_tells_what_was_played() {
    let running = endless().start();
    running.wait_for_processes(PROCESSES);
    running.signal("-INT");
    let ended = running.wait();
    assert_eq!(ended.code, Some(130));
    assert_eq!(ended.record().failure, Some(Failure::Interrupted));
    assert!(
        ended
            .stdout
            .contains("ended after 0 of 1 game: interrupted"),
        "{}",
        ended.stdout
    );
}

#[test]
fn sigterm_ends_everybody() {
    let running = endless().start();
    running.wait_for_processes(PROCESSES);
    running.signal("-TERM");
    assert_eq!(running.wait().code, Some(130));
}

#[test]
fn nobody_outlives_a_killed_program() {
    let running = endless().start();
    running.wait_for_processes(PROCESSES);
    running.signal("-KILL");
    let ended = running.wait();
    assert_eq!((ended.code, ended.record), (None, None));
}

#[test]
fn ctrl_c_ends_a_search_in_process() {
    let running = Match::new(&["minimax:depth=30", "random", "--in-process"]).start();
    running.wait_for_thread("match");
    running.signal("-INT");
    let ended = running.wait();
    assert_eq!(ended.code, Some(130));
    assert_eq!(ended.record().failure, Some(Failure::Interrupted));
}
