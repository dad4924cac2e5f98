//! The server is killed while a game runs, and started again.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use checkers_bot::report::Report;
use checkers_lib::protocol::GameResult;
use checkers_server::{Config, Server};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use test_support::{PATIENCE, free_address};

use crate::process::{self, EndedBot};

/// Where the child keeps its games, and the port that it listens on.
const DIRECTORY: &str = "CHECKERS_TEST_DIRECTORY";
const PORT: &str = "CHECKERS_TEST_PORT";

/// A server until it is killed. Only is one as a child.
#[tokio::test]
async fn server_child() {
    let (Some(data), Some(port)) = (std::env::var_os(DIRECTORY), std::env::var(PORT).ok()) else {
        return;
    };
    let config = Config {
        bind: [127, 0, 0, 1].into(),
        port: port.parse().unwrap(),
        data: data.into(),
        ..Config::default()
    };
    let server = Server::bind(config).await.unwrap();
    server.run(std::future::pending::<()>()).await.unwrap();
}

async fn serve(data: &Path, port: u16) -> Child {
    let server = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::server_child", "--nocapture"])
        .env(DIRECTORY, data)
        .env(PORT, port.to_string())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let is_there = async {
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, is_there)
        .await
        .expect("the server listens");
    server
}

/// Waits until a bot has reported so many moves.
async fn moves(
    lines: &mut tokio::io::Lines<BufReader<impl tokio::io::AsyncRead + Unpin>>,
    count: u32,
) {
    let mut seen = 0;
    while seen < count {
        let line = timeout(PATIENCE, lines.next_line())
            .await
            .expect("a report");
        let line = line.unwrap().expect("the bot goes on");
        let report = serde_json::from_str(&line).unwrap();
        seen += u32::from(matches!(report, Report::Move { .. }));
    }
}

/// Every move of one bot is reported once and in order, by the plies that are its own.
fn check_moves(reports: &[Report], first: u32, plies: u32) {
    let own: Vec<u32> = (reports.iter())
        .filter_map(|report| match report {
            Report::Move { ply, .. } => Some(*ply),
            _ => None,
        })
        .collect();
    let expected: Vec<u32> = (first..plies).step_by(2).collect();
    assert_eq!(own, expected);
}

fn end(reports: &[Report]) -> (GameResult, u32) {
    let game = |report: &Report| match report {
        Report::Game { result, plies, .. } => Some((*result, *plies)),
        _ => None,
    };
    reports.iter().find_map(game).expect("a game that is over")
}

#[tokio::test]
async fn a_game_survives_a_server_that_is_killed_twice() {
    let data = tempfile::tempdir().unwrap();
    let port = free_address().port();
    let mut server = serve(data.path(), port).await;
    let url = format!("ws://127.0.0.1:{port}");
    let common = "--json --delay 20ms";
    let one = format!("--name one --color white --bot alpha-beta:depth=3,seed=1 {common}");
    let two = format!("--name two --color black --bot alpha-beta:depth=3,seed=2 {common}");
    let (one, mut two) = (process::start(&url, &one), process::start(&url, &two));
    let mut lines = BufReader::new(two.stdout.take().unwrap()).lines();
    for count in [3, 5] {
        moves(&mut lines, count).await;
        server.kill().await.unwrap(); // SIGKILL
        server = serve(data.path(), port).await;
    }
    let rest = async { while let Ok(Some(_)) = lines.next_line().await {} };
    let (one, ()) = tokio::join!(EndedBot::of(one), rest);
    assert_eq!(one.code(), 0, "{one:?}");
    assert_eq!(EndedBot::of(two).await.code(), 0);
    let reports = one.reports();
    let (result, plies) = end(&reports);
    assert_ne!(result, GameResult::Interrupted);
    check_moves(&reports, 0, plies);
    let resumed = |report: &&Report| matches!(report, Report::Reconnected { resumed: true });
    assert!(reports.iter().filter(resumed).count() >= 2, "{one:?}");
    drop(server);
}
