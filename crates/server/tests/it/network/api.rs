//! The HTTP API.

use checkers_lib::Position;
use checkers_lib::pdn::{self, PdnResult};
use checkers_lib::protocol::{ClientMessage, Meant, SeatWish, ServerMessage};
use checkers_server::Config;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::network::support::{TestClient, TestServer, get, request};

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

/// White moves and resigns.
async fn play(white: &mut TestClient, black: &mut TestClient) {
    for (client, color) in [
        (&mut *white, SeatWish::White),
        (&mut *black, SeatWish::Black),
    ] {
        client
            .send_message(&ClientMessage::TakeSeat { color })
            .await;
    }
    let turn = white.wait_for(|message| matches!(message, ServerMessage::YourTurn { .. }));
    turn.await;
    white
        .send(r#"{"type":"move","ply":0,"move":"c3-d4"}"#)
        .await;
    white
        .wait_for(|message| matches!(message, ServerMessage::Moved { .. }))
        .await;
    white
        .send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    for client in [white, black] {
        let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
        client.wait_for(is_over).await;
    }
}

/// Two new clients play.
async fn meet(server: &TestServer, white: &str, black: &str) {
    let (mut white, mut black) = (server.join(white).await, server.join(black).await);
    play(&mut white, &mut black).await;
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

fn ids(page: &Value) -> Vec<&str> {
    let games = page["games"].as_array().expect("games");
    games
        .iter()
        .map(|game| game["id"].as_str().expect("an id"))
        .collect()
}

#[tokio::test]
async fn finished_games_are_found_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = keeping(&directory).await;
    meet(&server, "anna", "boris").await;
    meet(&server, "clara", "dora").await;

    let all = read(&server, "/api/games").await;
    assert_eq!(ids(&all), ["main-2", "main-1"]);
    assert_eq!(all["games"][1]["white"]["name"], "anna");
    assert_eq!(all["games"][1]["result"], "black_won");
    assert_eq!(all["games"][1]["reason"], "resignation");
    assert_eq!(all["games"][1]["plies"], 1);
    assert_eq!(all.get("next"), None);
    assert_eq!(all["count"], 2);

    let first = read(&server, "/api/games?limit=1").await;
    assert_eq!(ids(&first), ["main-2"]);
    assert_eq!(first["count"], 2);
    let next = first["next"].as_str().expect("a next page");
    let second = read(&server, &format!("/api/games?limit=1&cursor={next}")).await;
    assert_eq!(ids(&second), ["main-1"]);
    assert_eq!(second.get("next"), None);
    assert_eq!(second.get("count"), None, "it is told on the first page");

    for (query, expected) in [
        ("player=anna", &["main-1"][..]),
        ("player=nobody", &[]),
        ("result=black_won", &["main-2", "main-1"]),
        ("result=draw", &[]),
        ("bot=random", &[]),
        ("reason=resignation", &["main-2", "main-1"]),
        ("reason=time", &[]),
        ("clock=1m%2B1s", &["main-2", "main-1"]),
        ("clock=60s%2B1s,1m%2B1s", &["main-2", "main-1"]),
        ("clock=none", &[]),
        ("player=dora&opponent=clara&color=black", &["main-2"]),
        ("player=dora&opponent=anna", &[]),
        ("player=dora&color=white", &[]),
        ("opponent=dora", &["main-2"]),
        ("color=white", &["main-2", "main-1"]),
        ("min_plies=1&max_plies=1", &["main-2", "main-1"]),
        ("min_plies=2", &[]),
        ("max_plies=0", &[]),
        ("from=2020-01-01", &["main-2", "main-1"]),
        ("to=2020-01-01", &[]),
        (
            "player=dora&result=black_won&from=2020-01-01T00:00:00Z",
            &["main-2"],
        ),
    ] {
        let page = read(&server, &format!("/api/games?{query}")).await;
        assert_eq!(ids(&page), expected, "{query}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_game_is_served_as_json_and_as_pdn() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = keeping(&directory).await;
    meet(&server, "anna", "boris").await;

    let game = read(&server, "/api/games/main-1").await;
    assert_eq!(game["moves"][0]["move"], "c3-d4");
    assert_eq!(game["white_clock"], "1m+1s");

    let by_name = get(server.address, "/api/games/main-1.pdn").await;
    let asked = "GET /api/games/main-1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                 Accept: application/x-draughts-pdn, */*\r\n\r\n";
    let by_accept = request(server.address, asked).await;
    let all = get(server.address, "/api/games.pdn?player=boris").await;
    for answer in [&by_name, &by_accept] {
        assert!(answer.contains("application/x-draughts-pdn"), "{answer}");
        let games = pdn::parse(parts(answer).1).expect("PDN");
        assert_eq!(games.len(), 1);
        let game = &games[0];
        assert_eq!(game.tags.get("White"), Some("anna"));
        assert_eq!(game.tags.get("GameId"), Some("main-1"));
        let site = game.tags.get("Site").expect("a site");
        assert!(site.ends_with("/g/main-1"), "{site}");
        assert_eq!(game.tags.get("TimeControl"), Some("60+1"));
        assert_eq!(game.result, PdnResult::BlackWins);
        let clock = game.moves()[0].annotation.comment.clock();
        assert!(clock.is_some_and(|left| left.as_secs() >= 41), "{clock:?}");
    }
    assert!(all.contains("[GameId \"main-1\"]"), "{all}");
    let none = get(server.address, "/api/games.pdn?player=nobody").await;
    assert!(none.starts_with("HTTP/1.1 200"), "{none}");
    assert!(!none.contains("GameId"), "{none}");
    server.stop().await;
}

#[tokio::test]
async fn games_of_a_player_are_counted() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = keeping(&directory).await;
    let (mut anna, mut boris) = (server.join("anna").await, server.join("борис").await);
    play(&mut anna, &mut boris).await;
    play(&mut boris, &mut anna).await;
    let anna = read(&server, "/api/players/anna").await;
    assert_eq!(anna["white"]["lost"], 1);
    assert_eq!(anna["white"]["won"], 0);
    assert_eq!(anna["black"]["won"], 1);
    assert!(anna["first_ms"].as_i64() <= anna["last_ms"].as_i64());
    let both = json!({"won": 1, "drawn": 0, "lost": 1, "interrupted": 0});
    assert_eq!(anna["opponents"], json!([{"name": "борис", "games": both}]));
    assert_eq!(anna["clocks"], json!([{"name": "1m+1s", "games": both}]));
    assert_eq!(anna["bots"], json!([]));
    let days = anna["periods"].as_array().expect("days");
    let of_day = |day: &Value| day["games"]["won"].as_u64().unwrap_or_default();
    assert_eq!(days.iter().map(of_day).sum::<u64>(), 1);
    assert_eq!(days[0]["name"].as_str().map(str::len), Some(10));
    let name = "%D0%B1%D0%BE%D1%80%D0%B8%D1%81";
    let boris = read(&server, &format!("/api/players/{name}")).await;
    assert_eq!(boris["name"], "борис");
    assert_eq!(boris["black"]["won"], 1);
    server.stop().await;
}

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

#[tokio::test]
async fn connected_players_are_listed_by_name() {
    let server = TestServer::start().await;
    let (_boris, anna) = (server.join("boris").await, server.join("anna").await);
    let here = read(&server, "/api/players").await;
    assert_eq!(here, json!({"players": ["anna", "boris"], "count": 2}));
    drop(anna);
    server.stop().await;
}

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
async fn other_origins_may_read_the_public_api_only() {
    let server = TestServer::start().await;
    for (path, is_for_all) in [
        ("/api/players", true),
        ("/api/games", true),
        ("/api/nothing", true),
        ("/api/admin/drain", false),
        ("/", false),
        ("/metrics", false),
    ] {
        let answer = get(server.address, path).await.to_lowercase();
        let (head, _) = answer.split_once("\r\n\r\n").expect("a head");
        let is_included = head.contains("\r\naccess-control-allow-origin: *");
        assert_eq!(is_included, is_for_all, "{path}: {head}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_page_of_a_game_names_the_players() {
    let directory = tempfile::tempdir().expect("a directory");
    let server = keeping(&directory).await;
    meet(&server, "anna", "<b>oris").await;
    let page = get(server.address, "/g/main-1").await;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    let title = "anna 0–1 &lt;b&gt;oris – Russian draughts";
    assert!(page.contains(&format!("<title>{title}</title>")), "{page}");
    let shown = format!("<meta property=\"og:title\" content=\"{title}\">");
    assert!(page.contains(&shown), "{page}");
    assert!(page.contains("Black won after 1 move."), "{page}");
    for path in ["/g/none", "/embed/none", "/g/main-2", "/g/%20"] {
        let page = get(server.address, path).await;
        assert!(page.starts_with("HTTP/1.1 404"), "{path}: {page}");
        assert!(page.contains("<div id=\"app\">"), "{path}: {page}");
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

#[tokio::test]
async fn the_api_serves_its_description() {
    let server = TestServer::start().await;
    let description = read(&server, "/api/openapi.json").await;
    assert_eq!(read(&server, "/openapi.json").await, description);
    assert_eq!(description["openapi"], "3.1.0");
    for path in [
        "/api/games",
        "/api/legal",
        "/api/tablebase",
        "/api/players/{name}",
    ] {
        assert!(
            description["paths"][path]["get"]["responses"]["200"].is_object(),
            "{path}"
        );
    }
    server.stop().await;
}
