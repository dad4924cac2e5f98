//! Processes that are killed, frozen or late, and a database that goes away.

use std::time::Duration;

use postgres_kit::test_server::{PostgresServer, query};

use super::support::{Lines, Process, assert_same, check, errors, wait_for_row};
use crate::is_exhaustive;

/// Takes a while, so that there is something to disturb.
const LONG: &str =
    "round-robin alpha-beta:depth=4 negascout:depth=4 minimax:depth=3 --pairs 8 --openings suite";

/// A pairing that a worker has.
const IN_PLAY: &str = "SELECT id FROM tournament_task WHERE worker IS NOT NULL AND result IS NULL";

#[test]
fn kills_of_workers_and_coordinator_leave_the_same_journal() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (kills, line) = match is_exhaustive() {
        false => (20, LONG.to_owned()),
        true => (200, LONG.replace("--pairs 8", "--pairs 100")),
    };
    let lines = Lines::new(&line);
    let alone = lines.alone();
    let url = server.database();
    let coordinate = || lines.coordinate(&url, "ledger", &["--no-play"]);
    let mut coordinator = coordinate();
    let mut workers = [Process::worker(&url), Process::worker(&url)];
    for kill in 0_u64..kills {
        // Times that look random and are the same in every run.
        let moment = kill.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 33;
        std::thread::sleep(Duration::from_millis(20 + moment % 150));
        match kill % 3 {
            0 => std::mem::replace(&mut coordinator, coordinate()).kill(),
            _ => workers[(kill % 2) as usize].replace_by(Process::worker(&url)),
        }
    }
    let ended = coordinator.end();
    check(&ended);
    assert_same(&lines.left("ledger", &ended), &alone);
    assert!(lines.exported(&url) == alone.journal);
}

#[test]
fn a_result_of_an_earlier_attempt_is_dropped() {
    if !is_exhaustive() {
        return;
    }
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = Lines::new(&LONG.replace("--pairs 8", "--pairs 20"));
    let alone = lines.alone();
    let url = server.database();
    let coordinator = lines.coordinate(&url, "ledger", &["--no-play"]);
    let worker = Process::worker(&url);
    wait_for_row(&url, IN_PLAY);
    let other = "INSERT INTO tournament_worker (run, name, machine, lease) VALUES (1, 'other', '', 'infinity')";
    query(&url, other).unwrap();
    // The worker plays one pairing after the other.
    let take_over = "UPDATE tournament_task SET attempt = attempt + 1,
                         worker = (SELECT id FROM tournament_worker WHERE name = 'other')
                     WHERE id = (SELECT min(id) FROM tournament_task WHERE worker IS NOT NULL AND result IS NULL)
                         AND result IS NULL RETURNING id";
    let taken: i64 = loop {
        wait_for_row(&url, IN_PLAY);
        worker.signal("-STOP");
        let taken = query(&url, take_over).unwrap().pop();
        worker.signal("-CONT");
        // Otherwise it was between two pairings.
        if let Some(row) = taken {
            break row.get(0);
        }
    };
    let later = format!("SELECT 1 FROM tournament_task WHERE id > {taken} AND result IS NOT NULL");
    wait_for_row(&url, &later);
    let died = "UPDATE tournament_worker SET lease = '-infinity' WHERE name = 'other'";
    query(&url, died).unwrap();
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
    let lines = Lines::new(LONG);
    let alone = lines.alone();
    let url = server.database();
    let coordinator = lines.coordinate(&url, "ledger", &["--no-play"]);
    let frozen = Process::worker(&url);
    wait_for_row(&url, IN_PLAY);
    frozen.signal("-STOP");
    let worker = Process::worker(&url);
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
    let lines = Lines::new(LONG);
    let url = server.database();
    let coordinator = lines.coordinate(&url, "ledger", &["--no-play"]);
    let worker = Process::worker(&url);
    wait_for_row(&url, IN_PLAY);
    worker.signal("-INT");
    let ended = worker.end();
    assert_eq!(ended.status.code(), Some(130), "{}", errors(&ended));
    assert!(errors(&ended).contains("given back"), "{}", errors(&ended));
    assert!(query(&url, IN_PLAY).unwrap().is_empty());
    coordinator.kill();
}

#[test]
fn a_database_that_stops_in_the_middle_costs_only_time() {
    if !is_exhaustive() {
        return;
    }
    let Some(mut server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let lines = Lines::new(LONG);
    let alone = lines.alone();
    let url = server.database();
    let coordinator = lines.coordinate(&url, "ledger", &[]);
    let worker = Process::worker(&url);
    for _ in 0..if is_exhaustive() { 10 } else { 2 } {
        wait_for_row(&url, "SELECT 1 FROM tournament_worker HAVING count(*) > 1");
        server.stop();
        server.start_again();
    }
    let ended = coordinator.end();
    check(&ended);
    assert!(
        errors(&ended).contains("the ledger is back"),
        "{}",
        errors(&ended)
    );
    assert_same(&lines.left("ledger", &ended), &alone);
    check(&worker.end());
}
