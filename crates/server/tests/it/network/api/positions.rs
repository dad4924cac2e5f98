//! Moves, tablebases and analysis of positions.

use checkers_lib::protocol::{ClientMessage, Meant, SeatWish, ServerMessage};
use checkers_server::Config;
use serde_json::{Value, json};

use super::{parts, problem, read};
use crate::network::support::{TestServer, get};

#[tokio::test]
async fn legal_moves_are_listed_for_any_position() {
    let server = TestServer::start().await;
    let start = read(&server, "/api/legal").await;
    assert_eq!(start["turn"], "white");
    assert_eq!(start["legal_moves"].as_array().map(Vec::len), Some(7));
    assert_eq!(start["played"].as_array().map(Vec::len), Some(0));
    assert_eq!(start.get("result"), None);
    assert_eq!(start["startable"], true);
    let alone = read(&server, "/api/legal?fen=W:Wa1").await;
    assert_eq!(alone["startable"], false);

    let later = read(&server, "/api/legal?moves=c3-b4%20d6-c5").await;
    let captures = later["legal_moves"].as_array().expect("moves");
    assert_eq!(captures.len(), 1);
    assert_eq!(captures[0]["move"], "b4:d6");
    assert_eq!(captures[0]["routes"][0]["squares"][1], "d6");
    assert_eq!(later["played"][1]["squares"][0], "d6");
    let fen = "W:WKa1:Bd4,g5";
    let way = read(&server, &format!("/api/legal?fen={fen}&moves=a1:f6:h4")).await;
    assert_eq!(way["played"][0]["squares"][1], "f6");
    assert_eq!(way["played"][0]["captures"][0], "d4");

    let again = "c1-d2%20f8-e7%20d2-c1%20e7-f8%20".repeat(3);
    let drawn = "/api/legal?fen=W:WKc1:BKf8&moves=";
    let drawn = read(&server, &format!("{drawn}{again}c1-d2")).await;
    assert_eq!(drawn["played"].as_array().map(Vec::len), Some(13));
    assert_eq!(drawn["played"][12]["ply"], 12);

    let over = read(&server, "/api/legal?fen=W:Wa1:Bb2,c3").await;
    assert_eq!(over["result"], "black_won");
    assert_eq!(over["reason"], "no_moves");
    assert_eq!(over["startable"], false);
    assert_eq!(over["legal_moves"].as_array().map(Vec::len), Some(0));
    server.stop().await;
}

#[tokio::test]
async fn premoves_are_listed() {
    let server = TestServer::start().await;
    // White may or may not be captured on f4.
    let received = read(&server, "/api/premoves?fen=W:Wc3,e3,h2:Bg5,a7").await;
    assert_eq!(received["turn"], "white");
    let premoves = received["premoves"].as_array().expect("premoves");
    for (from, to) in [("g5", "h4"), ("g5", "e3"), ("a7", "b6")] {
        let is_included = premoves.contains(&serde_json::json!([from, to]));
        assert!(is_included, "{from}-{to}: {received}");
    }
    let own = premoves.iter().find(|pair| pair[0] == "c3");
    assert_eq!(own, None, "White does not wait");
    let over = read(&server, "/api/premoves?fen=W:Wa1:Bb2,c3").await;
    assert_eq!(over["premoves"].as_array().map(Vec::len), Some(0));
    let problem = problem(&server, "/api/premoves?fen=nonsense").await;
    assert_eq!(problem, (400, "bad_fen".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn tablebase_results_have_every_move_and_a_line() {
    let server = TestServer::start().await;
    let ending = read(&server, "/api/tablebase?fen=W:Wb6:Bb8").await;
    assert_eq!(ending["value"], "win");
    assert_eq!(ending["plies"], 9);
    assert_eq!(ending["fits_articles"], true);
    assert_eq!(ending["line"].as_array().map(Vec::len), Some(9));
    assert_eq!(ending["line"][0], "b6-a7");
    let moves = serde_json::json!([
        {"move": "b6-a7", "value": "win", "plies": 9},
        {"move": "b6-c7", "value": "loss", "plies": 2},
    ]);
    assert_eq!(ending["moves"], moves);

    let drawn = read(&server, "/api/tablebase?fen=B:WKa1:BKh2").await;
    assert_eq!(drawn["value"], "draw");
    for key in ["plies", "fits_articles"] {
        assert!(drawn[key].is_null(), "{key}");
    }
    assert_eq!(drawn["line"].as_array().map(Vec::len), Some(0));

    let over = read(&server, "/api/tablebase?fen=W:Wa1:Bb2,c3").await;
    assert_eq!(
        (&over["value"], &over["plies"]),
        (&"loss".into(), &0.into())
    );
    assert_eq!(over["moves"].as_array().map(Vec::len), Some(0));

    let start = "/api/tablebase?fen=W:Wa1,c1,e1,g1,b2,d2:Bb8";
    let answer = get(server.address, start).await;
    let text = "7 pieces, and the tables here know positions of up to 5";
    assert!(answer.contains(text), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn positions_and_games_are_analysed() {
    let server = TestServer::start().await;
    // White captures two and wins; the search takes at most 100 ms.
    let fen = "W:Wa1,c1:Bb2,d4,h8";
    let path = format!("/api/analysis?fen={fen}&depth=4&time=100&lines=3");
    let analysis = read(&server, &path).await;
    assert_eq!(analysis["turn"], "white");
    let lines = analysis["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 2, "{analysis}");
    assert_eq!(lines[0]["moves"][0], "a1:e5", "{analysis}");
    let chance = |of: &Value| of["white_chance"].as_f64().expect("a chance");
    assert!(chance(&analysis) > 0.5 && chance(&analysis) >= chance(&lines[1]));
    assert_eq!(chance(&analysis), chance(&lines[0]));

    let over = read(&server, "/api/analysis?fen=W:Wa1:Bb2,c3&depth=2").await;
    assert_eq!((chance(&over), over["decided_in"].as_u64()), (0.0, Some(0)));

    let moves = "c3-d4%20d6-c5%20b2-c3";
    let path = format!("/api/analysis/game?moves={moves}&depth=2&time=50");
    let answer = get(server.address, &path).await;
    let (status, body) = parts(&answer);
    assert_eq!(status, 200, "{answer}");
    let lines = body.lines().filter(|line| line.starts_with('{'));
    let plies = lines.map(|line| serde_json::from_str::<Value>(line).expect("JSON")["ply"].clone());
    assert_eq!(plies.collect::<Vec<_>>(), [0, 1, 2, 3]);
    server.stop().await;
}

#[tokio::test]
async fn the_server_starts_with_unusable_tablebases() {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("foreign.wdl"), "hello").expect("a file");
    for tablebase in [directory.path().join("nowhere"), directory.path().into()] {
        let server = TestServer::start_with(Config {
            tablebase: Some(tablebase),
            ..Config::default()
        })
        .await;
        let ending = read(&server, "/api/tablebase?fen=W:WKa1,Kc1,Ke1,Kg1:BKh4").await;
        assert_eq!(ending["value"], "win");
        server.stop().await;
    }
}

#[tokio::test]
async fn positions_in_play_are_not_analysed() {
    let server = TestServer::start().await;
    let (mut white, mut black) = (server.join("anna").await, server.join("boris").await);
    for (client, color) in [(&mut white, SeatWish::White), (&mut black, SeatWish::Black)] {
        client
            .send_message(&ClientMessage::TakeSeat { color })
            .await;
    }
    let moves = [
        "c3-b4", "f6-g5", "b4-a5", "g5-h4", "g3-f4", "g7-f6", "b2-c3", "f6-g5",
    ];
    for (ply, m) in moves.into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &mut white } else { &mut black };
        mover
            .wait_for(|message| matches!(message, ServerMessage::YourTurn { .. }))
            .await;
        let played = format!(r#"{{"type":"move","ply":{ply},"move":"{m}"}}"#);
        mover.send(&played).await;
        mover
            .wait_for(|message| matches!(message, ServerMessage::Moved { .. }))
            .await;
    }
    let now = format!("moves={}&depth=1", moves.join("%20"));
    let refused = (403, "game_running".to_owned());
    for path in ["/api/analysis", "/api/analysis/game"] {
        assert_eq!(problem(&server, &format!("{path}?{now}")).await, refused);
    }
    let before = moves[..7].join("%20");
    read(&server, &format!("/api/analysis?moves={before}&depth=1")).await;
    white
        .send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
    white.wait_for(is_over).await;
    read(&server, &format!("/api/analysis?{now}")).await;
    server.stop().await;
}

#[tokio::test]
async fn errors_of_positions_have_details() {
    let server = TestServer::start().await;
    for (fen, column, detail) in [
        ("nonsense", Some(1), json!({"kind": "syntax"})),
        (
            "W:Wb1:Bh8",
            Some(4),
            json!({"kind": "light_square", "square": "b1"}),
        ),
        (
            "W:Wa1:Ba1",
            Some(8),
            json!({"kind": "taken_twice", "square": "a1"}),
        ),
        (
            "W:Wb8:Bh8",
            None,
            json!({"kind": "man_on_last_row", "color": "white", "square": "b8"}),
        ),
    ] {
        let path = format!("/api/legal?fen={fen}");
        let answer = get(server.address, &path).await;
        let (status, body) = parts(&answer);
        let problem: Value = serde_json::from_str(body).expect("JSON");
        assert_eq!(
            (status, problem["column"].as_u64(), &problem["detail"]),
            (400, column, &detail),
            "{fen}"
        );
    }
    server.stop().await;
}
