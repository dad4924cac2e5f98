//! Processes that are killed, frozen or late, and a database that goes away.

use std::thread;
use std::time::Duration;

use test_support::{PostgresServer, query, send_signal};

use super::support::{
    LedgerCase, TestProcess, assert_same, check, errors, release, wait_for_row, wait_for_workers,
};
use crate::is_exhaustive;

/// Takes a while, so that there is something to disturb.
const LONG: &str =
    "round-robin alpha-beta:depth=4 negascout:depth=4 minimax:depth=3 --pairs 8 --openings suite";

/// Takes much longer than a test: nothing of it is ever played to its end.
const ENDLESS: &str = "round-robin minimax:depth=9 minimax:depth=10 --pairs 1";

#[test]
fn kills_of_workers_and_coordinator_leave_the_same_journal() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (kills, line) = match is_exhaustive() {
        false => (20, LONG.to_owned()),
        true => (200, LONG.replace("--pairs 8", "--pairs 100")),
    };
    let lines = LedgerCase::new(&line);
    let alone = lines.alone();
    let url = server.database();
    let coordinate = || lines.coordinate(&url, "ledger", &["--no-play"]);
    let mut coordinator = lines.coordinate_held(&url, "ledger");
    let mut workers = [TestProcess::worker(&url), TestProcess::worker(&url)];
    for kill in 0_u64..kills {
        // Times that look random and are the same in every run.
        let moment = kill.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        thread::sleep(Duration::from_millis(20 + moment % 150));
        match kill % 3 {
            0 => std::mem::replace(&mut coordinator, coordinate()).kill(),
            _ => workers[(kill % 2) as usize].replace_by(TestProcess::worker(&url)),
        }
    }
    release(&url);
    let ended = coordinator.end();
    check(&ended);
    assert_same(&lines.left("ledger", &ended), &alone);
    assert!(lines.exported(&url) == alone.journal);
}

#[test]
fn a_result_of_an_earlier_attempt_is_dropped() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::new(LONG);
    let alone = lines.alone();
    let url = server.database();
    let coordinator = lines.coordinate_held(&url, "ledger");
    // Once a worker has claimed pairing 3, that belongs to another one.
    let take_over = "
        CREATE FUNCTION take_over() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE tournament_task SET attempt = attempt + 1,
                worker = (SELECT id FROM tournament_worker WHERE name = 'holder')
            WHERE run = NEW.run AND id = NEW.id;
            RETURN NULL;
        END $$";
    query(&url, take_over).unwrap();
    let at_claim = "
        CREATE TRIGGER take_over AFTER UPDATE OF worker ON tournament_task FOR EACH ROW
        WHEN (NEW.id = 3 AND OLD.worker IS NULL) EXECUTE FUNCTION take_over()";
    query(&url, at_claim).unwrap();
    let worker = TestProcess::worker(&url);
    // It plays one pairing after the other.
    wait_for_row(
        &url,
        "SELECT 1 FROM tournament_task WHERE id > 3 AND result IS NOT NULL",
    );
    release(&url);
    let ended = coordinator.end();
    check(&ended);
    assert_same(&lines.left("ledger", &ended), &alone);
    let ended = worker.end();
    check(&ended);
    assert!(
        errors(&ended).contains("came too late"),
        "{}",
        errors(&ended)
    );
}

#[test]
fn the_games_of_a_frozen_worker_are_played_by_others() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::new(LONG);
    let alone = lines.alone();
    let url = server.database();
    let coordinator = lines.coordinate_held(&url, "ledger");
    let frozen = TestProcess::worker(&url);
    wait_for_row(
        &url,
        "SELECT 1 FROM tournament_task WHERE worker IS NOT NULL AND id > 0",
    );
    frozen.signal("-STOP");
    let worker = TestProcess::worker(&url);
    wait_for_workers(&url, 2);
    release(&url);
    let ended = coordinator.end();
    check(&ended);
    assert_same(&lines.left("ledger", &ended), &alone);
    check(&worker.end());
    frozen.signal("-CONT");
    check(&frozen.end());
    assert!(lines.exported(&url) == alone.journal);
}

#[test]
fn an_interrupted_worker_gives_its_games_back() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::new(ENDLESS);
    let url = server.database();
    let coordinator = lines.coordinate(&url, "ledger", &["--no-play"]);
    let worker = TestProcess::worker(&url);
    let in_play = "SELECT id FROM tournament_task WHERE worker IS NOT NULL";
    wait_for_row(&url, in_play);
    worker.signal("-INT");
    let ended = worker.end();
    assert_eq!(ended.status.code(), Some(130), "{}", errors(&ended));
    assert!(errors(&ended).contains("given back"), "{}", errors(&ended));
    assert!(query(&url, in_play).unwrap().is_empty());
    coordinator.kill();
}

#[test]
fn another_signal_ends_a_worker_whose_programs_do_not_end() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::over_websocket(ENDLESS);
    let url = server.database();
    let coordinator = lines.coordinate(&url, "ledger", &["--no-play"]);
    let worker = TestProcess::worker(&url);
    // A server and two bots.
    let programs = worker.wait_for_children(3);
    programs.iter().for_each(|&id| send_signal(id, "-STOP"));
    // The worker gives each of them a second to end.
    for _ in 0..20 {
        worker.signal("-INT");
        thread::sleep(Duration::from_millis(50));
    }
    let ended = worker.end();
    assert_eq!(ended.status.code(), Some(130), "{}", errors(&ended));
    let left_to_others = "others play the rest after the lease";
    assert!(
        errors(&ended).contains(left_to_others),
        "{}",
        errors(&ended)
    );
    let in_play = "SELECT id FROM tournament_task WHERE worker IS NOT NULL";
    assert!(!query(&url, in_play).unwrap().is_empty());
    coordinator.kill();
}

#[test]
fn a_worker_without_a_run_waits_for_a_database_that_stops() {
    let Some(mut server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let lines = LedgerCase::new("match random random:seed=1 --pairs 3 --openings suite");
    let url = server.database();
    let mut worker = TestProcess::worker(&url);
    // A database that stops while the worker still connects is an error.
    worker.wait_for_report("waiting for a run");
    server.stop();
    worker.wait_for_report("the ledger is not available");
    server.start_again();
    check(&lines.coordinate(&url, "ledger", &["--no-play"]).end());
    let ended = worker.end();
    check(&ended);
    assert!(
        errors(&ended).contains("the ledger is available again"),
        "{}",
        errors(&ended)
    );
}

#[test]
fn a_database_that_stops_in_the_middle_costs_only_time() {
    let Some(mut server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let lines = LedgerCase::new(LONG);
    let alone = lines.alone();
    let url = server.database();
    lines.coordinate_held(&url, "ledger").kill();
    let coordinator = lines.coordinate(&url, "ledger", &[]);
    let worker = TestProcess::worker(&url);
    wait_for_workers(&url, 2);
    for _ in 0..if is_exhaustive() { 10 } else { 2 } {
        server.stop();
        server.start_again();
    }
    release(&url);
    let ended = coordinator.end();
    check(&ended);
    assert!(
        errors(&ended).contains("the ledger is available again"),
        "{}",
        errors(&ended)
    );
    assert_same(&lines.left("ledger", &ended), &alone);
    check(&worker.end());
}
