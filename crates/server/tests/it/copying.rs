//! `checkers-server migrate` copies all games from one store to another, and goes on after a kill.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use event_store::{
    Archive, ArchiveFilter, Durability, Row, Seq, Statement, Store, StoreAddress, StreamEnd,
    StreamId, Summary, Value, all_games,
};
use futures::TryStreamExt;
use rusqlite::Connection;
use tempfile::TempDir;
use test_support::PostgresServer;
use test_support::store::{append, compare, finish, id, random_batches, read, summary, write};

/// Two stores, and the directory of those that are files.
struct CopyScene {
    directory: TempDir,
    database: String,
}

impl CopyScene {
    fn new() -> Option<CopyScene> {
        let database = PostgresServer::shared()?.database();
        let directory = tempfile::tempdir().unwrap();
        Some(CopyScene {
            directory,
            database,
        })
    }

    fn sqlite(&self, name: &str) -> String {
        format!("sqlite:{}", self.directory.path().join(name).display())
    }
}

fn open(address: &str) -> Arc<dyn Store> {
    let address: StoreAddress = address.parse().unwrap();
    address.open(Durability::Crash).unwrap()
}

fn command(from: &str, to: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    command.args(["migrate", "--from", from, "--to", to]);
    command.env_remove("CHECKERS_LOG");
    command
}

/// The exit code of a migration, and what it prints on standard output and standard error.
fn migrate(from: &str, to: &str) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command(from, to).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn expect_migrated(from: &str, to: &str, sum: &str) {
    let (code, stdout, stderr) = migrate(from, to);
    assert_eq!((code, stdout.trim()), (Some(0), sum), "{stderr}");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_copied_to_a_database_and_back() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    let (first, back) = (scene.sqlite("first"), scene.sqlite("back"));
    let source = open(&first);
    random_batches(&*source).await;
    let streams = source.count_streams().await.unwrap();
    source.close().await;
    for (from, to) in [(&first, &scene.database), (&scene.database, &back)] {
        let (code, stdout, stderr) = migrate(from, to);
        assert_eq!(code, Some(0), "{stderr}");
        assert!(
            stdout.starts_with(&format!("{streams} games with ")),
            "{stdout}"
        );
        assert!(
            stderr.contains(&format!("{streams} of {streams} games\n")),
            "{stderr}"
        );
        let (original, copy) = (open(from), open(to));
        compare(&*original, &*copy).await;
        original.close().await;
        copy.close().await;
        let again =
            format!("0 games with 0 events copied; {streams} were there already; 0 accounts");
        expect_migrated(from, to, &again);
    }
}

const GAMES: u32 = 1_000;

async fn many_games(address: &str) {
    let store = open(address);
    for first in (0..GAMES).step_by(500) {
        let game = |i| {
            let (name, texts) = (format!("main-{i}"), ["x"; 30]);
            let append = append(&name, 0, &texts);
            match i % 10 {
                0 => append,
                _ => append.closing(summary(i64::from(i), "1-0", "Ann", "Bob")),
            }
        };
        let batch = (first..first + 500).map(game).collect();
        store.append(batch).await.unwrap();
    }
    store.close().await;
}

/// The ends of all streams, with the checksums of their last events.
async fn ends(store: &dyn Store) -> Vec<StreamEnd> {
    let ends = store.streams(0, 2 * GAMES).await.unwrap();
    assert_eq!(ends.len(), GAMES as usize);
    ends.into_iter().map(|(_, end)| end).collect()
}

/// All finished games, the newest first.
async fn games(store: &Arc<dyn Store>) -> Vec<(StreamId, Summary)> {
    let archive = Arc::clone(store) as Arc<dyn Archive>;
    let games = all_games(archive, ArchiveFilter::default());
    let games = games.map_ok(|game| (game.stream, game.summary));
    games.try_collect().await.unwrap()
}

/// Kills migrations until one ends, with more time for each. Returns how many were killed.
fn migrate_with_kills(from: &str, to: &str) -> u32 {
    let mut time = Duration::from_millis(100);
    for kills in 0.. {
        let mut child = command(from, to)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(time);
        time = time * 3 / 2;
        let is_over = child.try_wait().unwrap();
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        if let Some(status) = is_over {
            assert!(status.success());
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            assert!(lines.next().unwrap().unwrap().contains("copied"));
            return kills;
        }
    }
    unreachable!("a migration ends");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_was_killed_continues() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    let (first, back) = (scene.sqlite("first"), scene.sqlite("back"));
    many_games(&first).await;
    for (from, to) in [(&first, &scene.database), (&scene.database, &back)] {
        let kills = migrate_with_kills(from, to);
        assert!(kills > 0, "no migration was killed");
        let (source, target) = (open(from), open(to));
        assert_eq!(ends(&*target).await, ends(&*source).await);
        let (copied, expected) = (games(&target).await, games(&source).await);
        assert_eq!(copied, expected);
        source.close().await;
        target.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_played_after_an_interruption_is_copied_too() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    let source = scene.sqlite("data");
    let store = open(&source);
    for (stream, texts) in [("a-1", ["one"]), ("b-1", ["one"])] {
        write(&*store, append(stream, 0, &texts)).await.unwrap();
    }
    store.close().await;
    expect_migrated(
        &source,
        &scene.database,
        "2 games with 2 events copied; 0 were there already; 0 accounts",
    );

    let store = open(&source);
    write(&*store, append("a-1", 1, &["two", "three"]))
        .await
        .unwrap();
    let end = append("b-1", 1, &[]).closing(summary(1, "1-0", "Ann", "Bob"));
    write(&*store, end).await.unwrap();
    finish(&*store, "b-2", summary(2, "0-1", "Ann", "Bob")).await;
    expect_migrated_while_closed(&*store, &source, &scene.database).await;
    let store = open(&scene.database);
    assert_eq!(read(&*store, "a-1").await.last(), Seq(3));
    assert_eq!(store.unfinished().await.unwrap(), [id("a-1")]);
    store.close().await;
}

async fn expect_migrated_while_closed(store: &dyn Store, from: &str, to: &str) {
    let (code, _, stderr) = migrate(from, to);
    assert_eq!(code, Some(1));
    assert!(
        stderr.contains("another server uses the directory"),
        "{stderr}"
    );
    store.close().await;
    expect_migrated(
        from,
        to,
        "3 games with 3 events copied; 0 were there already; 0 accounts",
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_with_other_games_is_left_alone() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    let addresses = [
        scene.sqlite("one"),
        scene.sqlite("two"),
        scene.sqlite("three"),
    ];
    for (address, stream, text) in [
        (&addresses[0], "main-1", "one"),
        (&addresses[1], "main-1", "other"),
        (&addresses[2], "club-1", "one"),
    ] {
        let store = open(address);
        write(&*store, append(stream, 0, &[text])).await.unwrap();
        store.close().await;
    }
    for (target, stream) in [(&addresses[1], "main-1"), (&addresses[2], "club-1")] {
        let (code, _, stderr) = migrate(&addresses[0], target);
        assert_eq!(code, Some(1));
        let expected = format!(
            "has other games than {}: game {stream} differs",
            addresses[0]
        );
        assert!(stderr.contains(&expected), "{stderr}");
        let store = open(target);
        assert_eq!(store.count_streams().await.unwrap(), 1);
        store.close().await;
    }
    for (from, to) in [
        (scene.sqlite("nothing"), &scene.database),
        (scene.database.clone(), &addresses[0]),
    ] {
        let (code, _, stderr) = migrate(&from, to);
        assert_eq!(code, Some(1));
        let kind = from.split(':').next().unwrap();
        assert!(
            stderr.contains(&format!("error: there are no games in {kind}:")),
            "{stderr}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_game_is_left_out_and_reported() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    let source = scene.sqlite("data");
    let store = open(&source);
    for stream in ["good-1", "bad-1"] {
        finish(&*store, stream, summary(1, "1-0", "Ann", "Bob")).await;
    }
    store.close().await;
    let file = scene.directory.path().join("data/checkers.db");
    let damage = "UPDATE event SET checksum = checksum + 1 WHERE stream = 2";
    let database = Connection::open(file);
    let changed = database.unwrap().execute(damage, []);
    assert_eq!(changed.unwrap(), 1);
    let (code, stdout, stderr) = migrate(&source, &scene.database);
    assert_eq!(code, Some(1));
    assert!(
        stdout.starts_with("1 games with 1 events copied"),
        "{stdout}"
    );
    let expected =
        "error: event 1 of stream bad-1 does not match its checksum: the game is left out";
    assert!(stderr.contains(expected), "{stderr}");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_are_read_from_variables() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    let (from, to) = (scene.sqlite("from"), scene.sqlite("to"));
    let store = open(&from);
    write(&*store, append("main-1", 0, &["one"])).await.unwrap();
    store.close().await;
    let output = Command::new(env!("CARGO_BIN_EXE_checkers-server"))
        .arg("migrate")
        .envs([("CHECKERS_MIGRATE_FROM", from), ("CHECKERS_MIGRATE_TO", to)])
        .output();
    assert!(output.unwrap().stdout.starts_with(b"1 games with 1 events"));
}

#[test]
fn passwords_are_not_shown() {
    for (from, complaint) in [
        (
            "postgres://anna:secret@127.0.0.1:1/games",
            "cannot reach PostgreSQL at 127.0.0.1:1",
        ),
        (
            "postgres://anna:secret@db/games?sslmode=no",
            "sslmode is one of",
        ),
        (
            "mysql://anna:secret@db/games",
            "invalid value '***' for '--from <STORE>'",
        ),
    ] {
        let (code, _, stderr) = migrate(from, "sqlite:nowhere");
        assert_ne!(code, Some(0));
        assert!(stderr.contains(complaint), "{stderr}");
        assert!(!stderr.contains("secret"), "{stderr}");
    }
}

/// An account with a session, and an invitation.
fn accounts() -> Vec<Statement> {
    let account = Statement::new(
        "INSERT INTO account (name, skeleton, role, identity, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (skeleton) DO NOTHING RETURNING id",
        vec!["Anna".into(), "anna".into(), "person".into(), "abc".into(), 1.into()],
    );
    let credential = |hash: u8, kind: &str, skeleton: &str| {
        Statement::new(
            "INSERT INTO credential (hash, account, kind, label, created_at, used_at, expires_at)
             VALUES ($1, coalesce((SELECT id FROM account WHERE skeleton = $2), 0), $3, $4, $5, $5, $5)",
            vec![
                Value::from(&[hash; 32][..]),
                skeleton.into(),
                kind.into(),
                "phone".into(),
                2.into(),
            ],
        )
    };
    vec![
        account.required(),
        credential(1, "session", "anna"),
        credential(2, "invitation", ""),
        Statement::new(
            "INSERT INTO private_ladder (id, code, owner, name, clock, until, created_at)
             SELECT 'k3x9w2ab', 'abc', id, 'Course', '1m', 4, 3 FROM account WHERE skeleton = 'anna'
             ON CONFLICT (id) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO tournament (id, owner, name, format, entrants, invitation, clock, rated, openings,
                starts_at, ends_at, paused, created_at, rounds, games, wait_ms, break_ms, max_rating)
             SELECT 'q5x9w2ab', id, 'Friday', 'swiss', 'people', 'abc', '3m', 1, 0, 5, 6, 0, 4, 7, 2, 11, 12, 1700
             FROM account WHERE skeleton = 'anna' ON CONFLICT (id) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO tournament_player (tournament, name, state, entered_at, rating) VALUES ('q5x9w2ab', 'Anna', 'in', 7, 9)
             ON CONFLICT (tournament, name) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO tournament_correction (tournament, game, result, corrected_at)
             VALUES ('q5x9w2ab', 'k3x9w2ab-1', 'draw', 8) ON CONFLICT (tournament, game) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO tournament_round (tournament, round, drawn_at, opening) VALUES ('q5x9w2ab', 1, 9, 10)
             ON CONFLICT (tournament, round) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO tournament_game (tournament, round, board, part, white, black, game)
             VALUES ('q5x9w2ab', 1, 1, 1, 'Anna', '', 'k3x9w2ab-1') ON CONFLICT (tournament, round, board, part) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
             SELECT 'k3x9w2ab-1', id, id, 3, 1, 5, 6, 1, 7, 8 FROM account WHERE skeleton = 'anna' ON CONFLICT (game) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO correspondence_challenge (id, challenger, opponent, color, days, rated, created_at)
             SELECT 'q5x9w2ab', id, id, 'white', 3, 1, 4 FROM account WHERE skeleton = 'anna' ON CONFLICT (id) DO NOTHING",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO vacation (account, starts_at, ends_at)
             SELECT id, 5, 6 FROM account WHERE skeleton = 'anna' AND NOT EXISTS (SELECT 1 FROM vacation)",
            Vec::new(),
        ),
        Statement::new(
            "INSERT INTO conditional_moves (game, account, ply, lines)
             SELECT 'k3x9w2ab-1', id, 6, '[]' FROM account WHERE skeleton = 'anna' ON CONFLICT (game, account) DO NOTHING",
            Vec::new(),
        ),
    ]
}

/// The tournaments and the games by correspondence of a store, with all that belongs to them.
async fn events(store: &dyn Store) -> Vec<Row> {
    let selects = [
        "SELECT tournament.id, tournament.name, format, entrants, invitation, clock, rated, openings, starts_at, ends_at, paused, tournament.created_at, account.name, rounds, games, wait_ms, break_ms, max_rating
         FROM tournament JOIN account ON account.id = tournament.owner",
        "SELECT tournament, name, state, entered_at, rating FROM tournament_player",
        "SELECT tournament, game, result, corrected_at FROM tournament_correction",
        "SELECT tournament, round, drawn_at, opening FROM tournament_round",
        "SELECT tournament, round, board, part, white, black, game FROM tournament_game",
        "SELECT game, account.name, days, rated, seq, ply, turn, since, deadline
         FROM correspondence JOIN account ON account.id = white AND account.id = black",
        "SELECT correspondence_challenge.id, account.name, color, days, rated, correspondence_challenge.created_at, accepted_at
         FROM correspondence_challenge JOIN account ON account.id = challenger AND account.id = opponent",
        "SELECT account.name, starts_at, ends_at FROM vacation JOIN account ON account.id = account",
        "SELECT game, account.name, ply, lines FROM conditional_moves JOIN account ON account.id = account",
    ];
    let mut rows = Vec::new();
    for select in selects {
        let select = Statement::new(select, Vec::new());
        rows.extend(store.tables().select(select).await.unwrap());
    }
    rows
}

/// What signs in to whose account, and whose ladders there are.
async fn signed_in(store: &dyn Store) -> Vec<Row> {
    let select = Statement::new(
        "SELECT hash, kind, label, credential.created_at, coalesce(name, ''), coalesce(password, '')
         FROM credential LEFT JOIN account ON account.id = account ORDER BY hash",
        Vec::new(),
    );
    let ladders = Statement::new(
        "SELECT private_ladder.id, code, private_ladder.name, clock, until, private_ladder.created_at, account.name
         FROM private_ladder JOIN account ON account.id = private_ladder.owner",
        Vec::new(),
    );
    let mut rows = store.tables().select(select).await.unwrap();
    rows.extend(store.tables().select(ladders).await.unwrap());
    rows.extend(events(store).await);
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_copied_with_what_signs_in() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    let (first, back) = (scene.sqlite("first"), scene.sqlite("back"));
    let mut store = open(&first);
    assert!(store.tables().transact(accounts()).await.unwrap().is_some());
    let running = append("k3x9w2ab-1", 0, &["one"]);
    write(&*store, running).await.unwrap();
    for password in ["", "$argon2id$"] {
        let set = "UPDATE account SET password = $1";
        let set = Statement::new(set, vec![password.into()]);
        let found = "DELETE FROM correspondence WHERE game = 'lost'";
        let found = Statement::new(found, Vec::new());
        store.tables().transact(vec![set, found]).await.unwrap();
        let expected = signed_in(&*store).await;
        assert_eq!(expected.len(), 12);
        // A game by correspondence whose events are not copied is left out.
        let lost = Statement::new(
            "INSERT INTO correspondence (game, white, black, days, rated, seq, ply, turn, since, deadline)
             SELECT 'lost', id, id, 3, 1, 5, 6, 1, 7, 8 FROM account",
            Vec::new(),
        );
        store.tables().transact(vec![lost]).await.unwrap();
        assert_eq!(
            (expected[0].text(4), expected[0].text(5)),
            ("Anna", password)
        );
        store.close().await;
        for (from, to) in [(&first, &scene.database), (&scene.database, &back)] {
            let (code, stdout, stderr) = migrate(from, to);
            assert_eq!(code, Some(0), "{stderr}");
            assert!(stdout.ends_with("; 1 accounts\n"), "{stdout}");
            let copied = open(to);
            assert_eq!(signed_in(&*copied).await, expected);
            copied.close().await;
        }
        store = open(&first);
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_lacks_a_row_changes_nothing() {
    let Some(scene) = CopyScene::new() else {
        return;
    };
    for address in [scene.sqlite("data"), scene.database.clone()] {
        let store = open(&address);
        assert!(store.tables().transact(accounts()).await.unwrap().is_some());
        let before = signed_in(&*store).await;
        let forget = Statement::new("DELETE FROM credential", Vec::new());
        let mut again = accounts();
        again.insert(0, forget);
        assert!(store.tables().transact(again).await.unwrap().is_none());
        assert_eq!(signed_in(&*store).await, before);
        // A statement that fails undoes the others too, and the next transaction succeeds.
        let forget = Statement::new("DELETE FROM credential", Vec::new());
        let wrong = Statement::new("DELETE FROM nothing", Vec::new());
        assert!(store.tables().transact(vec![forget, wrong]).await.is_err());
        assert_eq!(signed_in(&*store).await, before);
        let forget = Statement::new("DELETE FROM credential RETURNING id", Vec::new());
        let forgotten = store
            .tables()
            .transact(vec![forget])
            .await
            .unwrap()
            .unwrap();
        assert_eq!(forgotten[0].len(), 2);
        store.close().await;
    }
}
