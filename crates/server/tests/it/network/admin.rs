//! The admin API.

use checkers_lib::protocol::{ClosedReason, ServerMessage};
use checkers_server::{Config, Secret};

use crate::network::support::{TestServer, get, request, within};

async fn with_admin() -> TestServer {
    TestServer::start_with(Config {
        admin_token: Some(Secret::new("word")),
        ..Config::default()
    })
    .await
}

/// The response to an admin request with this extra header.
async fn call(server: &TestServer, path: &str, line: &str) -> String {
    let head =
        format!("POST /api/admin/{path} HTTP/1.1\r\nHost: x\r\n{line}Content-Length: 0\r\n\r\n");
    request(server.address, &head).await
}

/// Checks the readiness status.
async fn answers_probes(server: &TestServer, status: u16) {
    let ready = get(server.address, "/readyz").await;
    assert!(ready.starts_with(&format!("HTTP/1.1 {status}")), "{ready}");
}

const TOKEN: &str = "Authorization: Bearer word\r\n";

#[tokio::test]
async fn a_server_without_the_token_has_no_admin() {
    let server = TestServer::start().await;
    let answer = call(&server, "drain", TOKEN).await;
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    answers_probes(&server, 200).await;
    server.stop().await;
}

#[tokio::test]
async fn requests_without_the_token_are_refused() {
    let server = with_admin().await;
    for line in [
        "",
        "Authorization: word\r\n",
        "Authorization: Bearer \r\n",
        "Authorization: Bearer wor\r\n",
        "Authorization: Bearer words\r\n",
        "Authorization: Basic word\r\n",
    ] {
        let answer = call(&server, "drain", line).await;
        assert!(answer.starts_with("HTTP/1.1 401"), "{line}: {answer}");
        assert!(
            answer
                .to_lowercase()
                .contains("\r\nwww-authenticate: bearer\r\n")
        );
        assert!(answer.contains("\"code\":\"unauthorized\""), "{answer}");
        assert!(!answer.contains("word\""), "{answer}");
    }
    answers_probes(&server, 200).await;
    server.stop().await;
}

#[tokio::test]
async fn a_draining_server_refuses_new_clients() {
    let server = with_admin().await;
    let _anna = server.join("anna").await;
    let answer = call(&server, "drain", TOKEN).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.ends_with("{\"done\":true}\n"), "{answer}");
    answers_probes(&server, 503).await;
    let refused = tokio_tungstenite::connect_async(format!("ws://{}/ws", server.address)).await;
    assert!(refused.is_err());
    server.stop().await;
}

#[tokio::test]
async fn a_table_is_closed_except_main() {
    let server = with_admin().await;
    let mut anna = server.join("anna").await;
    anna.send(r#"{"type":"create_table","color":"white"}"#)
        .await;
    let table = anna.created().await;
    let answer = call(&server, &format!("tables/{table}/end"), TOKEN).await;
    assert!(answer.ends_with("{\"done\":true}\n"), "{answer}");
    let closed = |message: &ServerMessage| matches!(message, ServerMessage::TableClosed { .. });
    let expected = ServerMessage::TableClosed {
        table: table.clone(),
        reason: ClosedReason::Admin,
    };
    assert_eq!(anna.wait_for(closed).await, expected);
    let again = async {
        let path = format!("tables/{table}/end");
        while !call(&server, &path, TOKEN)
            .await
            .starts_with("HTTP/1.1 404")
        {}
    };
    within(again).await;
    let main = call(&server, "tables/main/end", TOKEN).await;
    assert!(main.starts_with("HTTP/1.1 409"), "{main}");
    assert!(main.contains("\"code\":\"main_table\""), "{main}");
    server.stop().await;
}

#[tokio::test]
async fn a_client_is_kicked_by_name() {
    let server = with_admin().await;
    let mut anna = server.join("anna").await;
    let nobody = call(&server, "clients/boris/drop", TOKEN).await;
    assert!(nobody.starts_with("HTTP/1.1 404"), "{nobody}");
    let answer = call(&server, "clients/anna/drop", TOKEN).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(anna.closed().await.0, 1008);
    server.stop().await;
}
