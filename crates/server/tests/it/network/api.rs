//! The HTTP API.

mod description;
mod games;
mod lobby;
mod pdn;
mod positions;
mod problems;

use checkers_server::Config;
use serde_json::Value;
use tempfile::TempDir;

use crate::network::support::{TestServer, get};

/// A server with a store.
async fn keeping(directory: &TempDir) -> TestServer {
    TestServer::start_with(Config {
        data: directory.path().to_owned(),
        in_memory: false,
        clock: Some("1m+1s".parse().expect("a clock")),
        ..Config::default()
    })
    .await
}

/// The status and body of a response.
fn parts(answer: &str) -> (u16, &str) {
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    let status = head["HTTP/1.1 ".len()..][..3].parse().expect("a status");
    (status, body)
}

async fn read(server: &TestServer, path: &str) -> Value {
    let answer = get(server.address, path).await;
    let (status, body) = parts(&answer);
    assert_eq!(status, 200, "{path}: {answer}");
    serde_json::from_str(body).expect("JSON")
}

async fn problem(server: &TestServer, path: &str) -> (u16, String) {
    let answer = get(server.address, path).await;
    let (status, body) = parts(&answer);
    let problem: Value = serde_json::from_str(body).expect("JSON");
    assert!(
        problem["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "{body}"
    );
    (status, problem["code"].as_str().expect("a code").to_owned())
}
