//! What cannot be played is explained.

use test_support::{PostgresServer, query};

use super::support::{LedgerCase, TestProcess, check, errors, wait_for_row};

const SHORT: &str = "match random random:seed=1 --pairs 3 --openings suite";

/// Makes sure that a process has failed and says this.
fn assert_fails(process: TestProcess, code: i32, complaint: &str) {
    let ended = process.end();
    let errors = errors(&ended);
    assert_eq!(ended.status.code(), Some(code), "{errors}");
    assert!(errors.contains(complaint), "{errors}");
    assert!(
        !errors.contains("secret") && !errors.contains("panicked"),
        "{errors}"
    );
}

#[test]
fn a_ledger_that_cannot_be_used_is_explained() {
    let lines = LedgerCase::new(SHORT);
    let fails = |url: &str, code, complaint: &str| {
        assert_fails(lines.coordinate(url, "journal", &[]), code, complaint);
        assert_fails(TestProcess::worker(url), code, complaint);
    };
    fails(
        "postgres://anna:secret@127.0.0.1:1/games",
        1,
        "cannot reach PostgreSQL at 127.0.0.1:1: ",
    );
    fails(
        "postgres://anna:secret@db/games?sslmode=maybe",
        2,
        "sslmode is one of",
    );
    fails("mysql://anna:secret@db/games", 2, "invalid value '***'");
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    fails(
        &server.url("postgres", "nothing"),
        1,
        "has no database nothing: make it with",
    );
    let url = server.database();
    query(&url, "CREATE USER ledger_guest").unwrap();
    let guest = url.replace("//postgres@", "//ledger_guest@");
    let coordinator = lines.coordinate(&guest, "journal", &[]);
    assert_fails(coordinator, 1, "user ledger_guest lacks rights in ");
    check(&lines.coordinate(&url, "journal", &[]).end());
    query(&url, "INSERT INTO tournament_schema VALUES (99)").unwrap();
    fails(
        &url,
        1,
        "has version 99; this program knows versions up to 2",
    );
}

#[test]
fn a_table_of_versions_that_another_program_made_is_explained() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::new(SHORT);
    for (table, complaint) in [
        (
            "(version) AS VALUES ('v2')",
            "has the version \"v2\" in the table tournament_schema",
        ),
        (
            "(version) AS VALUES (-1::bigint)",
            "has the version \"-1\" in the table",
        ),
        (
            "(version) AS VALUES (true)",
            "has a table tournament_schema of another program",
        ),
        (
            "(number) AS VALUES (1)",
            "has a table tournament_schema of another program",
        ),
    ] {
        let url = server.database();
        query(&url, &format!("CREATE TABLE tournament_schema {table}")).unwrap();
        assert_fails(lines.coordinate(&url, "journal", &[]), 1, complaint);
        assert_fails(TestProcess::worker(&url), 1, complaint);
    }
}

#[test]
fn a_run_ends_when_it_was_complete_first() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (lines, url) = (LedgerCase::new(SHORT), server.database());
    let coordinator = lines.coordinate(&url, "journal", &["--no-play"]);
    coordinator.wait_for_run(&url).kill();
    let stop = "UPDATE tournament_run SET state = 'stopped', reason = 'a bot', ended_at = now()";
    query(&url, stop).unwrap();
    let coordinator = lines.coordinate(&url, "journal", &["--no-play"]);
    let open =
        "SELECT 1 FROM tournament_run WHERE state = 'open' AND reason IS NULL AND ended_at IS NULL";
    wait_for_row(&url, open);
    coordinator.kill();
    check(&lines.coordinate(&url, "journal", &[]).end());
    // Not now, so that it differs from the end of the next process.
    let complete = "
        UPDATE tournament_run SET ended_at = '2026-01-01' WHERE state = 'complete' AND ended_at IS NOT NULL
        RETURNING id";
    assert_eq!(query(&url, complete).unwrap().len(), 1);
    check(&lines.coordinate(&url, "journal", &[]).end());
    wait_for_row(
        &url,
        "SELECT 1 FROM tournament_run WHERE ended_at = '2026-01-01'",
    );
}

#[test]
fn a_run_that_is_not_there_or_another_one_is_explained() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (lines, url) = (LedgerCase::new(SHORT), server.database());
    let of_run = |run| TestProcess::start(&["worker", "--ledger", &url, "--run", run]);
    assert_fails(of_run("evening"), 1, "has no run evening");
    check(
        &lines
            .coordinate(&url, "journal", &["--run", "evening"])
            .end(),
    );
    assert_fails(of_run("morning"), 1, "has no run morning");
    let games = "INSERT INTO tournament_run (kind, name, header, terms, unequal_machines)
                 VALUES ('selfplay', 'games', '', '', false)";
    query(&url, games).unwrap();
    let complaint = "run games is a run of selfplay and not of tournament";
    assert_fails(of_run("games"), 1, complaint);
    check(&of_run("evening").end());
    check(&of_run("1").end());
    let other = LedgerCase::new("match random random:seed=2 --pairs 3 --openings suite");
    let again = other.coordinate(&url, "journal", &["--run", "evening"]);
    let complaint = "run evening is another tournament: it has the bots random, random:seed=1, but";
    assert_fails(again, 1, complaint);
    check(&other.coordinate(&url, "journal", &[]).end());
    let export = TestProcess::start(&["export-journal", "--ledger", &url, "/nowhere"]);
    assert_fails(
        export,
        1,
        "has several runs, choose one with --run: evening, match-",
    );
    // The same command again: the journal and the ledger have everything.
    check(
        &lines
            .coordinate(&url, "journal", &["--run", "evening"])
            .end(),
    );
}

#[test]
fn a_ledger_of_an_earlier_version_is_migrated() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (lines, url) = (LedgerCase::new(SHORT), server.database());
    check(&lines.coordinate(&url, "journal", &[]).end());
    let journal = lines.exported(&url);
    query(&url, "ALTER TABLE tournament_run DROP COLUMN kind").unwrap();
    query(&url, "DELETE FROM tournament_schema WHERE version = 2").unwrap();
    assert_eq!(lines.exported(&url), journal);
    wait_for_row(&url, "SELECT 1 FROM tournament_schema WHERE version = 2");
}

#[test]
fn another_version_may_not_play() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (lines, url) = (LedgerCase::new(SHORT), server.database());
    let coordinator = lines.coordinate(&url, "journal", &["--no-play"]);
    coordinator.wait_for_run(&url).kill();
    let change = "UPDATE tournament_run SET terms = replace(terms, 'checkers-bot-test ', 'checkers-bot-test 9.9.')";
    query(&url, change).unwrap();
    let complaint = "was begun with checkers-bot-test 9.9.";
    assert_fails(TestProcess::worker(&url), 1, complaint);
    assert_fails(lines.coordinate(&url, "journal", &[]), 1, complaint);
}

#[test]
fn unequal_machines_play_with_limits_of_time_only_if_that_is_allowed() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::new("match random random:seed=1 --limits movetime=1ms --pairs 1");
    let url = server.database();
    let coordinator = lines
        .coordinate(&url, "journal", &["--no-play"])
        .wait_for_run(&url);
    let first = "INSERT INTO tournament_worker (run, name, machine, speed, lease)
                 VALUES (1, 'slow', '', 1, '-infinity')";
    query(&url, first).unwrap();
    assert_fails(
        TestProcess::worker(&url),
        1,
        "and the first machine of run match-",
    );
    coordinator.kill();
    let options = ["--no-play", "--allow-unequal-machines"];
    let coordinator = lines.coordinate(&url, "journal", &options);
    wait_for_row(&url, "SELECT 1 FROM tournament_run WHERE unequal_machines");
    check(&TestProcess::worker(&url).end());
    check(&coordinator.end());
    let speeds = "SELECT 1 FROM tournament_worker WHERE speed > 1 AND machine <> ''";
    assert_eq!(query(&url, speeds).unwrap().len(), 1);
}
