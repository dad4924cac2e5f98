//! Journal and tables do not depend on how many processes play.

use test_support::PostgresServer;

use super::support::{LedgerCase, TestProcess, assert_same, check, errors, release};

/// Plays with workers alone, and with the coordinator, too.
fn compare(line: &str) {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::new(line);
    let alone = lines.alone();
    for workers in [1, 3] {
        let url = server.database();
        let journal = format!("ledger-{workers}");
        let coordinator = lines.coordinate_held(&url, &journal);
        let workers = TestProcess::workers(&url, workers);
        release(&url);
        let ended = coordinator.end();
        assert!(
            matches!(ended.status.code(), Some(0 | 7)),
            "{}",
            errors(&ended)
        );
        assert_same(&lines.left(&journal, &ended), &alone);
        assert!(lines.exported(&url) == alone.journal);
        for worker in workers {
            let ended = worker.end();
            check(&ended);
            assert!(
                errors(&ended).contains(" is complete; "),
                "{}",
                errors(&ended)
            );
        }
    }
}

#[test]
fn a_round_robin_is_the_same_on_a_ledger() {
    compare("round-robin random minimax:depth=1 alpha-beta:depth=2 --pairs 6 --openings suite");
}

#[test]
fn a_swiss_tournament_is_the_same_on_a_ledger() {
    compare(
        "swiss random minimax:depth=1 alpha-beta:depth=2 negascout:depth=1 random:seed=1 --rounds 3 --pairs 2 \
         --opening-plies 2",
    );
}

#[test]
fn a_knockout_is_the_same_on_a_ledger() {
    compare("knockout random minimax:depth=1 alpha-beta:depth=2 random:seed=1 --pairs 1");
}

#[test]
fn a_sequential_test_is_the_same_on_a_ledger() {
    compare("sprt alpha-beta:depth=2 random --elo 0,30 --openings suite");
}

#[test]
fn limits_of_nodes_are_the_same_on_a_ledger() {
    compare("match negascout-id mcts --limits nodes=50 --games 5 --openings suite --pv");
}

#[test]
fn games_over_websocket_are_the_same_on_a_ledger() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let lines = LedgerCase::over_websocket("gauntlet random minimax:depth=1 alpha-beta:depth=1");
    let alone = lines.alone();
    let url = server.database();
    let ended = lines.coordinate(&url, "ledger", &[]).end();
    check(&ended);
    assert_same(&lines.left("ledger", &ended), &alone);
}

#[test]
fn openings_of_a_file_need_not_be_on_each_machine() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("openings");
    std::fs::write(&file, "c3-d4 d6-c5\ng3-f4 b6-c5\n").unwrap();
    let lines = LedgerCase::new(&format!(
        "match random random:seed=1 --pairs 20 --openings {}",
        file.display()
    ));
    let alone = lines.alone();
    let url = server.database();
    // Before there are games, it can only be killed while it waits for them.
    lines
        .coordinate(&url, "ledger", &["--no-play"])
        .wait_for_run(&url)
        .kill();
    std::fs::rename(&file, file.with_extension("away")).unwrap();
    let worker = TestProcess::worker(&url);
    super::support::wait_for_row(&url, "SELECT 1 FROM tournament_worker");
    std::fs::rename(file.with_extension("away"), &file).unwrap();
    let ended = lines.coordinate(&url, "ledger", &["--no-play"]).end();
    check(&ended);
    check(&worker.end());
    assert_same(&lines.left("ledger", &ended), &alone);
}
