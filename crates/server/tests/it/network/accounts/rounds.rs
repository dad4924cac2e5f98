//! Tournaments in rounds over the network: the pairings, the games, and what the standings say.

use checkers_lib::protocol::{ErrorCode, Registration, ServerMessage};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::ladder::read;
use super::ratings::owner;
use super::tournaments::{lose, made_in_a_day, page_with, quick};
use super::{keeping, keeping_in_postgresql, post};
use crate::network::support::TestServer;

fn in_rounds(format: &str) -> Value {
    json!({"name": "Friday", "format": format, "entrants": "people", "clock": "3m+2s", "break_minutes": 0})
}

/// Creates a tournament and enters players. Returns its id.
async fn create(server: &TestServer, wanted: Value, tokens: &[&str]) -> String {
    let (status, made) = post(server, "/tournaments", tokens[0], wanted).await;
    assert_eq!(status, 200, "{made}");
    let id = made["id"].as_str().unwrap();
    for token in tokens {
        let path = format!("/tournaments/{id}/enter");
        assert_eq!(post(server, &path, token, json!({})).await.0, 200);
    }
    id.to_owned()
}

async fn a_micro_match_is_played(server: &TestServer) {
    let (mut anna, of_anna) = owner(server, "anna").await;
    let (mut boris, of_boris) = owner(server, "boris").await;
    let (mut clara, of_clara) = owner(server, "clara").await;
    let mut wanted = in_rounds("round_robin");
    wanted["games_per_pairing"] = json!(2);
    let id = create(server, wanted, &[&of_anna, &of_boris]).await;
    let path = format!("/api/tournaments/{id}?player=anna");
    let page = page_with(server, &path, |page| page["round"] == 1).await;
    assert_eq!(
        (&page["stage"], &page["rounds"]),
        (&json!("running"), &json!(1))
    );

    // Nobody else enters now.
    clara.send_message(&quick(&id, None)).await;
    assert_eq!(clara.error().await, ErrorCode::Forbidden);
    let enter = format!("/tournaments/{id}/enter");
    assert_eq!(post(server, &enter, &of_clara, json!({})).await.0, 403);

    let first = lose(&mut boris, &mut anna, &id).await;
    let second = lose(&mut boris, &mut anna, &id).await;
    assert_ne!(first, second);
    let page = page_with(server, &path, |page| page["stage"] == "over").await;
    assert_eq!(page["games"], 2);
    let board = &page["pairings"]["boards"][0];
    assert_eq!(board["games"][0]["table"], *first);
    assert_eq!(board["games"][1]["table"], *second);
    for game in board["games"].as_array().unwrap() {
        assert_eq!(game["state"], "played");
    }
    let [winner, loser] = [&page["standings"][0], &page["standings"][1]];
    assert_eq!(
        (&winner["name"], &winner["points"]),
        (&json!("anna"), &json!(2))
    );
    assert_eq!(winner["scores"], json!([2]));
    assert_eq!(
        (&loser["place"], &loser["scores"]),
        (&json!(2), &json!([0]))
    );
    // Who asks for another game hears that it is over.
    anna.send_message(&quick(&id, None)).await;
    assert_eq!(anna.error().await, ErrorCode::EventOver);

    // The organiser can correct a result afterwards.
    let correct = format!("/tournaments/{id}/correct");
    let game = json!({"game": board["games"][0]["game"], "result": "draw"});
    assert_eq!(post(server, &correct, &of_boris, game.clone()).await.0, 403);
    assert_eq!(post(server, &correct, &of_anna, game).await.0, 200);
    let page = read(server, &path).await;
    assert_eq!(page["pairings"]["boards"][0]["games"][0]["result"], "draw");
}

async fn a_swiss_has_rounds(server: &TestServer) {
    let (mut vera, of_vera) = owner(server, "vera").await;
    let (mut grisha, of_grisha) = owner(server, "grisha").await;
    let (_, of_dora) = owner(server, "dora").await;
    let mut wanted = in_rounds("swiss");
    wanted["rounds"] = json!(2);
    let tokens = [&*of_vera, &of_grisha];
    let id = create(server, wanted, &tokens).await;
    lose(&mut vera, &mut grisha, &id).await;
    let path = format!("/api/tournaments/{id}");
    // A rematch: there are only two players.
    page_with(server, &path, |page| page["round"] == 2).await;
    let enter = format!("/tournaments/{id}/enter");
    assert_eq!(post(server, &enter, &of_dora, json!({})).await.0, 200);

    // The organiser decides a game that is not played; who waits for it waits on, until the end.
    grisha.send_message(&quick(&id, None)).await;
    let is_queued = |message: &ServerMessage| matches!(message, ServerMessage::Queued { .. });
    grisha.wait_for(is_queued).await;
    let page = read(server, &path).await;
    let game = json!({"game": page["pairings"]["boards"][0]["games"][0]["game"], "result": "draw"});
    let correct = format!("/tournaments/{id}/correct");
    assert_eq!(post(server, &correct, &of_vera, game).await.0, 200);
    grisha
        .wait_for(|message| *message == ServerMessage::Unqueued)
        .await;
    let page = page_with(server, &path, |page| page["stage"] == "over").await;
    assert_eq!(page["standings"][0]["name"], "grisha");
    assert_eq!(page["standings"][0]["scores"], json!([2, 1]));
    assert_eq!(page["pairings"]["round"], 2);
    assert_eq!(
        page["pairings"]["boards"][0]["games"][0]["state"],
        "by_default"
    );
    let first = read(server, &format!("{path}?round=1")).await;
    assert_eq!(
        first["pairings"]["boards"][0]["games"][0]["state"],
        "played"
    );
}

async fn a_start_can_be_early(server: &TestServer, token: &str) {
    let mut wanted = in_rounds("knockout");
    wanted["starts_ms"] = json!(made_in_a_day());
    let (_, made) = post(server, "/tournaments", token, wanted).await;
    assert_eq!(made["stage"], "coming");
    let path = format!("/tournaments/{}/start", made["id"].as_str().unwrap());
    let (status, started) = post(server, &path, token, json!({})).await;
    assert_eq!((status, &started["stage"]), (200, &json!("running")));
    let (_, again) = post(server, &path, token, json!({})).await;
    assert_eq!(again["starts_ms"], started["starts_ms"]);
}

async fn bad_rounds_are_refused(server: &TestServer, token: &str) {
    for (format, field, value) in [
        ("swiss", "rounds", json!(null)),
        ("swiss", "rounds", json!(0)),
        ("swiss", "rounds", json!(31)),
        ("round_robin", "rounds", json!(5)),
        ("knockout", "rounds", json!(3)),
        ("knockout", "games_per_pairing", json!(0)),
        ("knockout", "games_per_pairing", json!(5)),
        ("knockout", "minutes", json!(60)),
        ("knockout", "wait_minutes", json!(0)),
        ("knockout", "break_minutes", json!(10081)),
        ("arena", "break_minutes", json!(0)),
    ] {
        let mut wanted = in_rounds(format);
        wanted[field] = value;
        let answer = post(server, "/tournaments", token, wanted).await;
        assert_eq!(answer.0, 400, "{format} {field}");
    }
}

#[tokio::test]
async fn tournaments_in_rounds_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    a_micro_match_is_played(&server).await;
    a_swiss_has_rounds(&server).await;
    let (_, token) = owner(&server, "emma").await;
    a_start_can_be_early(&server, &token).await;
    bad_rounds_are_refused(&server, &token).await;
    server.stop().await;
}

#[tokio::test]
async fn tournaments_in_rounds_in_postgresql() {
    let directory = TempDir::new().unwrap();
    let Some((server, _)) = keeping_in_postgresql(&directory).await else {
        return;
    };
    a_micro_match_is_played(&server).await;
    a_swiss_has_rounds(&server).await;
    server.stop().await;
}
