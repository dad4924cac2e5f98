//! Wrong requests.

use serde_json::Value;

use super::{keeping, parts, problem};
use crate::network::support::{TestServer, request};

#[tokio::test]
async fn errors_have_codes_and_messages() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = keeping(&directory).await;
    for (path, status, code) in [
        ("/api/nothing", 404, "not_found"),
        ("/api/games/main-1", 404, "not_found"),
        ("/api/games/%20", 404, "not_found"),
        ("/api/players/nobody", 404, "not_found"),
        ("/api/games?player=anna&color=red", 400, "bad_query"),
        ("/api/games?reason=boredom", 400, "bad_query"),
        ("/api/games?clock=soon", 400, "bad_query"),
        ("/api/games?min_plies=-1", 400, "bad_query"),
        ("/api/games?result=won", 400, "bad_query"),
        ("/api/games?from=yesterday", 400, "bad_query"),
        ("/api/games?limit=0", 400, "bad_query"),
        ("/api/games?limit=101", 400, "bad_query"),
        ("/api/games?cursor=here", 400, "bad_query"),
        ("/api/games.pdn?limit=5", 400, "bad_query"),
        ("/api/games/%ff", 400, "bad_query"),
        ("/api/players/%ff", 400, "bad_query"),
        ("/api/tables?limit=101", 400, "bad_query"),
        ("/api/tables?cursor=", 400, "bad_query"),
        ("/api/tables?bogus=1", 400, "bad_query"),
        ("/api/analysis?depth=999", 400, "bad_query"),
        ("/api/analysis?time=0", 400, "bad_query"),
        ("/ws", 426, "upgrade_required"),
        ("/assets/none.js", 404, "not_found"),
        ("/api/legal?fen=nonsense", 400, "bad_fen"),
        ("/api/legal?fen=W:Wa1:Ba1", 400, "bad_fen"),
        ("/api/legal?moves=a1-b2", 400, "bad_move"),
        ("/api/legal?rules=none", 400, "bad_query"),
        ("/api/tablebase", 400, "bad_query"),
        ("/api/tablebase?fen=nonsense", 400, "bad_fen"),
        ("/api/tablebase?fen=W:Wb6:Bb8&depth=3", 400, "bad_query"),
        ("/api/tablebase?fen=W:Wa1,c1,e1:Bb8,d8,f8", 404, "no_table"),
        ("/api/analysis?lines=6", 400, "bad_query"),
        ("/api/analysis?fen=nonsense", 400, "bad_fen"),
        ("/api/analysis/game?moves=a1-b2", 400, "bad_move"),
        ("/api/admin/drain", 405, "method_not_allowed"),
    ] {
        assert_eq!(
            problem(&server, path).await,
            (status, code.to_owned()),
            "{path}"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn problems_name_the_bad_parameter() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = keeping(&directory).await;
    for (request_line, expected) in [
        (
            "GET /api/tables?cursor=",
            "cursor: expected the `next` of a page",
        ),
        (
            "GET /api/tables?limt=1",
            "unknown parameter \"limt\": did you mean limit?; expected cursor, limit, state",
        ),
        (
            "GET /api/games?limit=abc",
            "limit: expected a whole number from 1 to 100, found \"abc\"",
        ),
        (
            "GET /api/analysis?depth=999",
            "depth: expected a whole number from 1 to 64, found \"999\"",
        ),
        ("GET /api/tablebase", "fen is missing"),
        ("GET /api/players/%ff", "the path is not in UTF-8"),
        (
            "POST /api/games",
            "this method is not allowed here: use GET, HEAD",
        ),
        ("GET /api/pdn", "this method is not allowed here: use POST"),
        (
            "POST /games",
            "this method is not allowed here: use GET, HEAD",
        ),
        (
            "POST /healthz",
            "this method is not allowed here: use GET, HEAD",
        ),
    ] {
        let head = format!("{request_line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        let answer = request(server.address, &head).await;
        let problem: Value = serde_json::from_str(parts(&answer).1).expect("JSON");
        assert_eq!(problem["message"], expected, "{request_line}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_server_without_a_store_reports_it() {
    let server = TestServer::start().await;
    for path in [
        "/api/games",
        "/api/games.pdn",
        "/api/games/main-1",
        "/api/players/anna",
    ] {
        let answer = problem(&server, path).await;
        assert_eq!(answer, (404, "no_archive".to_owned()), "{path}");
    }
    server.stop().await;
}
