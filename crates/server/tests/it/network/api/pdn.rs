//! Games from PDN.

use checkers_lib::Position;
use serde_json::{Value, json};

use super::parts;
use crate::network::support::{TestServer, request};

/// The status and response for a posted text.
async fn post(server: &TestServer, path: &str, headers: &str, body: &str) -> (u16, Value) {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    let answer = request(server.address, &head).await;
    let (status, body) = parts(&answer);
    (status, serde_json::from_str(body).expect("JSON"))
}

#[tokio::test]
async fn a_game_is_parsed_from_pdn_or_its_error_reported() {
    let server = TestServer::start().await;
    let text = "[White \"Anna\"]\n[Black \"Boris\"]\n\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 1-0\n";
    let (status, game) = post(&server, "/api/pdn", "", text).await;
    assert_eq!(status, 200, "{game}");
    assert_eq!(
        (&game["white"], &game["result"]),
        (&"Anna".into(), &"1-0".into())
    );
    assert_eq!(game["moves"].as_array().map(Vec::len), Some(4));
    assert_eq!(game["moves"][3]["squares"][1], "g5");

    let wrong = "1. c3-d4 d6-c5\n2. b2-b3 *\n";
    for (headers, expected) in [("", 400), ("X-Problem-Status: 200\r\n", 200)] {
        let (status, problem) = post(&server, "/api/pdn", headers, wrong).await;
        assert_eq!((status, &problem["code"]), (expected, &"bad_pdn".into()));
        assert_eq!(
            (&problem["line"], &problem["column"]),
            (&2.into(), &7.into()),
            "{problem}"
        );
        assert_eq!(problem["detail"], json!({"kind": "syntax"}));
    }
    let wrong = "1. c3-d4 d6-c5\n2. b2-b4 *\n";
    let (_, problem) = post(&server, "/api/pdn", "", wrong).await;
    let illegal = json!({"kind": "illegal", "text": "b2-b4"});
    assert_eq!(problem["detail"], illegal);
    server.stop().await;
}

#[tokio::test]
async fn a_pdn_collection_is_listed_with_its_errors() {
    let server = TestServer::start().await;
    let first = "[White \"Anna\"]\n[Event \"Cup\"]\n\n1. cd4 {c} (1. c3-b4 $2 {why}) *\n\n";
    let bad = "[White \"Boris\"]\n\n1. a1-a8 *\n\n";
    let last = "[White \"Eva\"]\n\n1. 22-18 9-13 1-0\n";
    let text = format!("{bad}{first}{last}");
    let (status, game) = post(&server, "/api/pdn", "", &text).await;
    assert_eq!(
        (status, &game["game"], &game["games"]),
        (200, &2.into(), &3.into())
    );
    assert_eq!(game["tags"], json!({"White": "Anna", "Event": "Cup"}));
    assert_eq!(game["list"][0]["problem"]["line"], 3);
    assert_eq!(game["list"][1]["event"], "Cup");
    assert_eq!(game["list"][2]["plies"], 2);
    let tree = game["tree"].as_array().expect("moves");
    let move_at = |i: usize| {
        json!([
            tree[i]["parent"],
            tree[i]["move"]["move"],
            tree[i]["comment"],
            tree[i]["nags"]
        ])
    };
    assert_eq!(move_at(0), json!([0, "c3-d4", "c", null]));
    assert_eq!(move_at(1), json!([0, "c3-b4", "why", [2]]));

    let (_, game) = post(&server, "/api/pdn?game=3", "", &text).await;
    assert_eq!(game["moves"][1]["move"], "b6-a5");
    let part = |end: &str| game["list"][2][end].as_u64().expect("bytes") as usize;
    let (_, alone) = post(&server, "/api/pdn", "", &text[part("from")..part("to")]).await;
    assert_eq!(
        (&alone["tree"], &alone["games"]),
        (&game["tree"], &1.into())
    );
    for (path, expected, code) in [
        ("/api/pdn?game=1", 400, "bad_pdn"),
        ("/api/pdn?game=4", 404, "not_found"),
        ("/api/pdn?game=0", 400, "bad_query"),
        ("/api/pdn?numbers=c3", 400, "bad_query"),
    ] {
        let (status, problem) = post(&server, path, "", &text).await;
        let answer = (status, &problem["code"]);
        assert_eq!(answer, (expected, &code.into()), "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn large_texts_and_positions_as_numbers_are_read() {
    let server = TestServer::start().await;
    let game = "[Event \"x\"]\n\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 *\n\n";
    let text = game.repeat(5_000);
    let (status, games) = post(&server, "/api/pdn", "", &text).await;
    assert_eq!((status, &games["games"]), (200, &5_000.into()));
    let (status, problem) = post(&server, "/api/pdn", "", &" ".repeat(10_000_001)).await;
    assert_eq!((status, &problem["code"]), (413, &"too_large".into()));

    let (_, game) = post(&server, "/api/pdn", "", "W:W21-32:B1-12").await;
    assert_eq!(game["start_fen"], Position::start().to_string());
    let (status, problem) = post(&server, "/api/pdn", "", "W:WK14:BK1").await;
    assert_eq!(
        (status, &problem["detail"]["kind"]),
        (400, &"numbers".into())
    );
    let (_, game) = post(&server, "/api/pdn?numbers=b8", "", "W:WK14:BK1").await;
    assert_eq!(game["start_fen"], "W:WKc5:BKb8");
    server.stop().await;
}
