//! What there is in the lobby.

use serde_json::json;

use super::{problem, read};
use crate::network::support::TestServer;

#[tokio::test]
async fn public_tables_are_listed() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    for visibility in ["public", "link"] {
        anna.send(format!(
            r#"{{"type":"create_table","color":"white","visibility":"{visibility}"}}"#
        ))
        .await;
        anna.created().await;
    }
    let tables = read(&server, "/api/tables?state=open").await;
    let mut kinds: Vec<&str> = tables["tables"]
        .as_array()
        .expect("tables")
        .iter()
        .map(|table| table["kind"].as_str().expect("a kind"))
        .collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["custom", "main"]);
    assert_eq!(tables["open"], 2);
    let live = read(&server, "/api/tables?state=live").await;
    assert_eq!(live["tables"].as_array().map(Vec::len), Some(0));
    let problem = problem(&server, "/api/tables?state=busy").await;
    assert_eq!(problem, (400, "bad_query".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn connected_players_are_listed_by_name() {
    let server = TestServer::start().await;
    let (_boris, anna) = (server.join("boris").await, server.join("anna").await);
    let here = read(&server, "/api/players").await;
    assert_eq!(here, json!({"players": ["anna", "boris"], "count": 2}));
    drop(anna);
    server.stop().await;
}
