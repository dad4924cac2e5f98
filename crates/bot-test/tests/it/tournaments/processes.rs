//! Nobody is left behind, however a tournament ends.

use checkers_bot_test::Failure;

use super::support::TestRun;

/// A match that does not end by itself: a server, a bot of ours, and a foreign one that never
/// connects, with its guard, its shell and the shell's child.
fn endless() -> TestRun {
    let bots = ["random", "exec:sleep 1000; true"];
    let options = ["--connect-timeout", "10m", "--concurrency", "1"];
    TestRun::of_match(&[bots, [options[0], options[1]], [options[2], options[3]]].concat())
}

const PROCESSES: usize = 5;

#[test]
fn ctrl_c_ends_every_process_and_prints_the_results() {
    let running = endless().start();
    running.wait_for_processes(PROCESSES);
    running.signal("-INT");
    let ended = running.wait();
    assert_eq!(ended.code, Some(130));
    assert_eq!(ended.record().failure, Some(Failure::Interrupted));
    assert!(ended.stdout.contains("interrupted"), "{}", ended.stdout);
}

#[test]
fn sigterm_ends_every_process() {
    let running = endless().start();
    running.wait_for_processes(PROCESSES);
    running.signal("-TERM");
    let ended = running.wait();
    assert_eq!(ended.code, Some(143));
    assert_eq!(ended.record().failure, Some(Failure::Terminated));
    assert!(ended.stdout.contains("terminated"), "{}", ended.stdout);
}

#[test]
fn the_total_time_limit_ends_every_process() {
    let words = ["random", "exec:sleep 1000", "--connect-timeout", "10m"];
    let ended = TestRun::of_match(&[&words[..], &["--run-timeout", "2s"]].concat()).play();
    assert_eq!(ended.code, Some(6));
    let too_long = Failure::RunTooLong { limit_ms: 2000 };
    assert_eq!(ended.record().failure, Some(too_long));
}

#[test]
fn no_process_outlives_a_killed_program() {
    let running = endless().start();
    running.wait_for_processes(PROCESSES);
    running.signal("-KILL");
    let ended = running.wait();
    assert_eq!((ended.code, ended.record), (None, None));
}

#[test]
fn what_leaves_its_group_ends_all_the_same() {
    // A session of its own, a parent that is gone, a program that ends before its child.
    for bot in [
        "exec:setsid sleep 1000",
        "exec:setsid sh -c 'sleep 1000 & sleep 1000' & sleep 1000",
        "exec:setsid sleep 1000 & exit 3",
    ] {
        let options = ["random", "--games", "1", "--connect-timeout", "1s"];
        let ended = TestRun::of_match(&[&[bot], &options[..]].concat()).play();
        assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    }
}

#[test]
fn ctrl_c_ends_a_search_in_process() {
    let running = TestRun::of_match(&["minimax:depth=30", "random", "--in-process"]).start();
    running.wait_for_thread("worker");
    running.signal("-INT");
    let ended = running.wait();
    assert_eq!(ended.code, Some(130));
    assert_eq!(ended.record().failure, Some(Failure::Interrupted));
}
