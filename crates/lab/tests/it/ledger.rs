//! Work on several machines, which are processes here: what they leave behind is what one process leaves.

use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use test_support::{PATIENCE, PostgresServer, query, send_signal, stderr};

use crate::support::{Dir, lab, utf8};

const PLAY: &str = "selfplay --bot champion:eval=hand,tt=1 --nodes 60 --seed 7 --threads 1";

/// Lets a run have so many results and no more, so that processes are killed in the middle.
const GATE: &str = "CREATE TABLE gate AS SELECT 2::bigint AS results";
const WAIT: &str = "
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        WHILE (SELECT count(result) FROM tournament_task WHERE run = NEW.run) >= (SELECT results FROM gate) LOOP
            PERFORM pg_sleep(0.02);
        END LOOP;
        RETURN NEW;
    END $$";
const WAIT_AT_GATE: &str = "
    CREATE TRIGGER wait BEFORE UPDATE OF result ON tournament_task FOR EACH ROW EXECUTE FUNCTION wait()";

/// A process, which is killed with this value.
struct LabProcess(Child);

impl LabProcess {
    fn start(command: &mut Command) -> LabProcess {
        LabProcess::start_with_talk(command, Stdio::null())
    }

    /// Starts it with a place for what it writes to stderr.
    fn start_with_talk(command: &mut Command, talk: impl Into<Stdio>) -> LabProcess {
        command.stdout(Stdio::null()).stderr(talk);
        LabProcess(command.spawn().unwrap())
    }

    fn interrupt(&self) {
        send_signal(self.0.id(), "-INT");
    }
}

impl Drop for LabProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A command on a ledger.
fn on_ledger(dir: &Dir, url: &str, args: &str) -> Command {
    let mut command = dir.lab(&format!("{args} --lease 1s"));
    command.env("CHECKERS_LEDGER", url);
    command
}

/// A ledger with a gate.
fn gated_ledger(server: &PostgresServer, dir: &Dir) -> String {
    let url = server.database();
    let other = "selfplay --bot champion:tt=1 --nodes 16 --games 1 --run other";
    test_support::run(&mut on_ledger(dir, &url, other));
    for statement in [GATE, WAIT, WAIT_AT_GATE] {
        query(&url, statement).unwrap();
    }
    url
}

fn open_gate(url: &str, results: u32) {
    query(url, &format!("UPDATE gate SET results = {results}")).unwrap();
}

/// Waits until a query has a row.
fn wait_for_row(url: &str, text: &str) {
    let began = Instant::now();
    while query(url, text).unwrap_or_default().is_empty() {
        assert!(began.elapsed() < PATIENCE, "waited in vain for {text}");
        sleep(Duration::from_millis(5));
    }
}

/// Waits until a run has so many results, and somebody has claimed what comes next.
fn wait_at_gate(url: &str, results: u32) {
    let tasks = "FROM tournament_task";
    wait_for_row(
        url,
        &format!(
            "SELECT 1 {tasks} GROUP BY run HAVING count(result) >= {results} AND count(result) < count(attempt)"
        ),
    );
    wait_for_row(
        url,
        &format!("SELECT 1 {tasks} WHERE attempt > 0 AND result IS NULL"),
    );
}

#[test]
fn killed_processes_leave_the_games_of_one() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let dir = Dir::new();
    test_support::run(&mut dir.lab(&format!("{PLAY} --games 512 --out alone.games")));
    let alone = dir.read("alone.games");
    let url = gated_ledger(server, &dir);
    let play = |options: &str| on_ledger(&dir, &url, &format!("{PLAY} --games 448{options}"));
    let first = LabProcess::start(&mut play(" --out shared.games"));
    let second = LabProcess::start(&mut play(""));
    wait_at_gate(&url, 2);
    drop(second);
    let third = LabProcess::start(&mut play(""));
    open_gate(&url, 6);
    wait_at_gate(&url, 6);
    drop(first);
    open_gate(&url, u32::MAX);
    let again = test_support::run(&mut play(" --out shared.games"));
    let talk = utf8(again.stderr);
    assert!(talk.contains("run selfplay-"), "{talk}");
    drop(third);
    let shared = dir.read("shared.games");
    assert!(shared.len() > 10_000 && alone.starts_with(&shared));
    // The games are there for whoever wants them.
    let complete = test_support::run(&mut play(" --out other.games"));
    let talk = utf8(complete.stderr);
    assert!(
        talk.contains("it was complete before") && talk.contains("0 tasks were done here"),
        "{talk}"
    );
    assert!(dir.read("other.games") == shared);
    // More games are played by all that share the run.
    let more = format!("{PLAY} --games 512 --out shared.games");
    test_support::run(&mut on_ledger(&dir, &url, &more));
    assert!(dir.read("shared.games") == alone);
    let complete = "SELECT 1 FROM tournament_run WHERE state = 'complete' AND ended_at IS NOT NULL";
    assert_eq!(query(&url, complete).unwrap().len(), 2);
}

#[test]
fn an_interrupted_process_gives_its_games_back() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (dir, url) = (Dir::new(), server.database());
    let play = "selfplay --bot champion:tt=1 --nodes 1000000 --threads 2 --games 64 --lease 1h";
    let mut command = dir.lab(play);
    let mut process = LabProcess::start(command.env("CHECKERS_LEDGER", &url));
    let claimed = "SELECT 1 FROM tournament_task WHERE worker IS NOT NULL";
    wait_for_row(&url, claimed);
    process.interrupt();
    assert_eq!(process.0.wait().unwrap().code(), Some(130));
    assert!(query(&url, claimed).unwrap().is_empty());
}

#[test]
fn the_work_of_a_process_is_its_own_after_its_complete_run_is_extended() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (dir, url) = (Dir::new(), server.database());
    let play = "selfplay --bot champion:tt=1 --nodes 1000000 --threads 2 --games 64";
    let process = LabProcess::start(&mut on_ledger(&dir, &url, play));
    wait_for_row(
        &url,
        "SELECT 1 FROM tournament_task WHERE worker IS NOT NULL",
    );
    query(&url, "CREATE TABLE start AS SELECT now() AS at").unwrap();
    query(&url, "UPDATE tournament_run SET state = 'complete'").unwrap();
    let is_renewed =
        "SELECT 1 FROM tournament_worker, start WHERE lease > start.at + interval '3 s'";
    wait_for_row(&url, is_renewed);
    drop(process);
}

#[test]
fn a_database_that_stops_costs_only_time() {
    let Some(mut server) = PostgresServer::start(&["fsync=off"]) else {
        return;
    };
    let dir = Dir::new();
    let play = format!("{PLAY} --games 256");
    test_support::run(&mut dir.lab(&format!("{play} --out alone.games")));
    let url = gated_ledger(&server, &dir);
    let talk = File::create(dir.path("talk")).unwrap();
    let shared = format!("{play} --out shared.games");
    let mut first = LabProcess::start_with_talk(&mut on_ledger(&dir, &url, &shared), talk);
    let mut second = LabProcess::start(&mut on_ledger(&dir, &url, &play));
    for results in [2, 5] {
        open_gate(&url, results);
        wait_at_gate(&url, results);
        server.stop();
        // Longer than a lease.
        sleep(Duration::from_millis(1500));
        server.start_again();
    }
    open_gate(&url, u32::MAX);
    for process in [&mut first, &mut second] {
        assert!(process.0.wait().unwrap().success());
    }
    assert!(dir.read("shared.games") == dir.read("alone.games"));
    let talk = utf8(dir.read("talk"));
    for line in [
        "warning: the ledger is not available, trying again: ",
        "the ledger is available again",
    ] {
        assert!(talk.contains(line), "{talk}");
    }
}

#[test]
fn processes_with_other_weights_are_refused() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (one, other) = (Dir::new(), Dir::new());
    test_support::run(&mut one.lab(&format!("{PLAY} --games 32 --out some.games")));
    other.write("some.games", one.read("some.games"));
    let train = |dir: &Dir, epochs| {
        let train = format!("train some.games --epochs {epochs} --out some.weights");
        test_support::run(&mut dir.lab(&train));
    };
    train(&one, 0);
    train(&other, 1);
    let url = server.database();
    let play = "selfplay --bot champion:tt=1 --weights some.weights --nodes 16 --games 1";
    test_support::run(&mut on_ledger(&one, &url, play));
    let text = stderr(&mut on_ledger(&other, &url, play), 1);
    let settings: Vec<&str> = text.split(", but here is ").collect();
    let has_weights = |settings: &&str| settings.contains(" weights=");
    assert_eq!(settings.len(), 2, "{text}");
    assert!(settings.iter().all(has_weights), "{text}");
    let own = "selfplay --bot champion:tt=1 --nodes 16 --games 1 --run other";
    test_support::run(&mut on_ledger(&one, &url, own));
    let text = stderr(
        &mut on_ledger(&one, &url, &format!("{play} --run other")),
        1,
    );
    let recorded =
        "run other was begun with selfplay bot=champion:depth=6,tt=1 nodes=16 seed=1, but here is ";
    assert!(text.contains(recorded), "{text}");
    let tasks = "SELECT 1 FROM tournament_task";
    assert_eq!(query(&url, tasks).unwrap().len(), 2);
}

#[test]
fn killed_processes_verify_as_one_does() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let dir = Dir::new();
    test_support::stdout(&mut dir.lab("tablebase generate --pieces 3"));
    let alone = test_support::stdout(&mut dir.lab("tablebase verify"));
    let url = gated_ledger(server, &dir);
    let verify = |run: &str| on_ledger(&dir, &url, &format!("tablebase verify --run {run}"));
    let first = LabProcess::start(&mut verify("one"));
    wait_at_gate(&url, 2);
    drop(first);
    // Nor does its last statement arrive.
    let terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid()";
    query(&url, terminate).unwrap();
    open_gate(&url, u32::MAX);
    let second = LabProcess::start(&mut verify("one"));
    assert_eq!(test_support::stdout(&mut verify("one")), alone);
    drop(second);
    let attempts = "SELECT 1 FROM tournament_task WHERE attempt > 1";
    assert!(!query(&url, attempts).unwrap().is_empty());

    // What one process finds wrong is wrong for all.
    let wrong = "UPDATE tournament_task SET result = '[{\"Wrong\":\"K-K is wrong: W:WKa1:BKh8\"}]'
                 WHERE id = 3 AND run = (SELECT id FROM tournament_run WHERE name = 'one')";
    query(&url, wrong).unwrap();
    let text = stderr(&mut verify("one"), 1);
    assert!(text.contains("error: K-K is wrong: W:WKa1:BKh8"), "{text}");
    let sampled = "tablebase verify --sample 1000 --run two";
    let alone = test_support::stdout(&mut dir.lab("tablebase verify --sample 1000"));
    assert_eq!(
        test_support::stdout(&mut on_ledger(&dir, &url, sampled)),
        alone
    );

    // Other tables are not verified together with these.
    let other = Dir::new();
    test_support::stdout(&mut other.lab("tablebase generate --pieces 2"));
    let text = stderr(
        &mut on_ledger(&other, &url, "tablebase verify --run two --sample 1000"),
        1,
    );
    assert!(text.contains("run two was begun with "), "{text}");
}

#[test]
fn a_ledger_that_cannot_be_used_is_explained() {
    let dir = Dir::new();
    let play = "selfplay --bot champion:tt=1 --nodes 16 --games 1";
    let fails = |url: &str, args: &str, code: i32, complaint: &str| {
        let text = stderr(&mut on_ledger(&dir, url, args), code);
        assert!(text.contains(complaint), "{text}");
        assert!(
            !text.contains("secret") && !text.contains("panicked"),
            "{text}"
        );
    };
    let nowhere = "postgres://anna:secret@127.0.0.1:1/games";
    fails(nowhere, play, 1, "cannot reach PostgreSQL at 127.0.0.1:1: ");
    fails(
        "mysql://anna:secret@db/games",
        play,
        2,
        "invalid value '***'",
    );
    let text = stderr(&mut lab("selfplay --games 1"), 2);
    assert!(text.contains("--out <FILE>"), "{text}");
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let nothing = server.url("postgres", "nothing");
    fails(&nothing, play, 1, "has no database nothing: make it with");
    let url = server.database();
    query(&url, "CREATE USER lab_guest").unwrap();
    let guest = url.replace("//postgres@", "//lab_guest@");
    fails(&guest, play, 1, "user lab_guest lacks rights in ");
    let named = format!("{play} --run evening");
    test_support::run(&mut on_ledger(&dir, &url, &named));
    let other = format!("{named} --seed 2");
    fails(
        &url,
        &other,
        1,
        "run evening was begun with selfplay bot=champion:depth=6,tt=1 nodes=16 seed=1, but here is ",
    );
    query(&url, "UPDATE tournament_run SET terms = 'checkers-lab 9.9'").unwrap();
    fails(
        &url,
        &named,
        1,
        "run evening was begun with checkers-lab 9.9, but here is checkers-lab ",
    );
    query(&url, "UPDATE tournament_run SET kind = 'tournament'").unwrap();
    fails(
        &url,
        &named,
        1,
        "run evening is a run of tournament and not of selfplay",
    );
    query(&url, "INSERT INTO tournament_schema VALUES (99)").unwrap();
    fails(
        &url,
        play,
        1,
        "has version 99; this program knows versions up to 2",
    );
}
