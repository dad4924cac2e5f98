//! Finished games.

use checkers_lib::pdn::{self, PdnResult};
use checkers_lib::protocol::{ClientMessage, Meant, SeatWish, ServerMessage};
use serde_json::{Value, json};

use super::{keeping, parts, read};
use crate::network::support::{TestClient, TestServer, get, request};

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
