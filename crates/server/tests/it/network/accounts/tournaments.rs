//! Arenas: entering, playing, organising, and what the standings say.

use checkers_lib::protocol::{
    ClientMessage, ErrorCode, Meant, Quick, Registration, ServerMessage, TableState, Watch,
    WireColor,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::ladder::read;
use super::ratings::{bot, owner};
use super::{call, enter, keeping, keeping_in_postgresql, post};
use crate::network::support::{TestClient, TestServer, get, within};

pub(super) fn quick(id: &str, invitation: Option<&str>) -> ClientMessage {
    ClientMessage::Quick(Quick {
        tournament: Some(id.to_owned()),
        invitation: invitation.map(str::to_owned),
        ..Quick::default()
    })
}

/// Waits for a game at the arena, enters it, and waits for its start.
pub(super) async fn play(player: &mut TestClient, id: &str) -> (WireColor, TableState) {
    player.send_message(&quick(id, None)).await;
    let is_queued = |message: &ServerMessage| matches!(message, ServerMessage::Queued { .. });
    match player.wait_for(is_queued).await {
        ServerMessage::Queued {
            tournament, clock, ..
        } => {
            assert_eq!(tournament.as_deref(), Some(id));
            assert_eq!(clock.as_deref(), Some("3m+2s"));
        }
        other => panic!("{other:?}"),
    }
    let is_paired = |message: &ServerMessage| matches!(message, ServerMessage::Paired { .. });
    let ServerMessage::Paired { color, .. } = player.wait_for(is_paired).await else {
        unreachable!("just waited for it")
    };
    let is_entered = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    let ServerMessage::TableState(state) = player.wait_for(is_entered).await else {
        unreachable!("just waited for it")
    };
    player
        .wait_for(|message| matches!(message, ServerMessage::GameStarted(_)))
        .await;
    (color, *state)
}

/// A game that the first player loses before a move is played; the table.
pub(super) async fn lose(first: &mut TestClient, second: &mut TestClient, id: &str) -> String {
    let ((_, state), _) = tokio::join!(play(first, id), play(second, id));
    let table = state.table;
    first
        .say_at(&table, ClientMessage::Abort(Meant::default()))
        .await;
    assert_eq!(first.error().await, ErrorCode::Forbidden);
    first
        .say_at(&table, ClientMessage::Resign(Meant::default()))
        .await;
    let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
    tokio::join!(first.wait_for(is_over), second.wait_for(is_over));
    table
}

/// The tournament, once this many games count.
async fn after_games(server: &TestServer, id: &str, games: u64) -> Value {
    let path = format!("/api/tournaments/{id}?player=anna");
    page_with(server, &path, |page| page["games"] == games).await
}

/// What the server answers, once it is as wanted.
pub(super) async fn page_with(
    server: &TestServer,
    path: &str,
    is_wanted: impl Fn(&Value) -> bool,
) -> Value {
    within(async {
        loop {
            let page = read(server, path).await;
            if is_wanted(&page) {
                return page;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    })
    .await
}

pub(super) fn arena(name: &str) -> Value {
    json!({"name": name, "format": "arena", "entrants": "people", "clock": "3m+2s", "rated": true, "minutes": 60})
}

async fn an_arena_is_played(server: &TestServer) {
    let (mut anna, token) = owner(server, "anna").await;
    let (mut boris, of_boris) = owner(server, "boris").await;
    let (status, made) = post(server, "/tournaments", &token, arena(" Friday ")).await;
    assert_eq!(status, 200, "{made}");
    let id = made["id"].as_str().unwrap();
    assert_eq!(made["name"], "Friday");
    assert_eq!(made["stage"], "running");
    assert_eq!(made["organiser"], "anna");
    assert!(made["invitation"].is_null());

    // Guests and bots do not play.
    let mut guest = server.join_lobby("guest").await;
    guest.send_message(&quick(id, None)).await;
    assert_eq!(guest.error().await, ErrorCode::Forbidden);
    let mut kestrel = bot(server, &token, "kestrel").await;
    kestrel.send_message(&quick(id, None)).await;
    assert_eq!(kestrel.error().await, ErrorCode::Forbidden);
    boris.send_message(&quick("unknown1", None)).await;
    assert_eq!(boris.error().await, ErrorCode::BadTable);

    // A game counts whatever its length.
    let table = lose(&mut boris, &mut anna, id).await;
    let page = after_games(server, id, 1).await;
    assert_eq!(page["standings"][0]["name"], "anna");
    assert_eq!(page["standings"][0]["points"], 2);
    assert_eq!(page["standings"][1]["scores"], json!([0]));
    assert_eq!(page["player"]["place"], 1);
    assert_eq!(page["players"], 2);

    // A running game is shown, and nobody else gets a seat.
    let ((_, state), _) = tokio::join!(play(&mut anna, id), play(&mut boris, id));
    assert_eq!(
        state.info.event.as_deref(),
        Some(&*format!("tournament-{id}"))
    );
    assert!(state.info.rated && !state.info.casual);
    let path = format!("/api/tournaments/{id}?limit=1");
    let page = page_with(server, &path, |page| page["running"][0].is_object()).await;
    assert_eq!(page["running"][0]["table"], *state.table);
    assert_eq!(page["standings"].as_array().unwrap().len(), 1);
    guest
        .say_at(&state.table, ClientMessage::Watch(Watch::default()))
        .await;
    let color = WireColor::White.into();
    guest
        .say_at(&state.table, ClientMessage::TakeSeat { color })
        .await;
    let error = guest.error().await;
    assert_eq!(error, ErrorCode::NotRated);
    anna.say_at(&state.table, ClientMessage::Resign(Meant::default()))
        .await;
    let page = after_games(server, id, 2).await;
    assert_eq!(page["standings"][1]["place"], 1, "both have two points");

    // The organiser corrects a result, and nobody else does.
    let game = json!({"game": format!("{table}-1"), "result": "draw"});
    let path = format!("/tournaments/{id}/correct");
    assert_eq!(post(server, &path, &of_boris, game.clone()).await.0, 403);
    assert_eq!(post(server, &path, &token, game).await.0, 200);
    let unknown = json!({"game": "k3x9w2ab-1", "result": "draw"});
    assert_eq!(post(server, &path, &token, unknown).await.0, 404);
    let page = after_games(server, id, 2).await;
    assert_eq!(page["standings"][0]["name"], "boris");
    assert_eq!(page["standings"][0]["scores"], json!([1, 2]));
    let exported = get(
        server.address,
        &format!("/api/games.pdn?event=tournament-{id}"),
    )
    .await;
    let file = format!("filename=\"tournament-{id}.pdn\"");
    assert!(exported.to_lowercase().contains(&file), "{exported}");
    assert_eq!(exported.matches("[Event \"Friday\"]").count(), 2);
    let result = |result: &str| exported.matches(&format!("[Result \"{result}\"]")).count();
    assert_eq!((result("1/2-1/2"), result("1-0") + result("0-1")), (1, 1));

    // Players wait during a pause. One who is removed then does not come back.
    let is_queued = |message: &ServerMessage| matches!(message, ServerMessage::Queued { .. });
    let act = async |action: &str, body: Value| {
        post(server, &format!("/tournaments/{id}/{action}"), &token, body).await
    };
    let (status, paused) = act("pause", json!({})).await;
    assert_eq!((status, &paused["stage"]), (200, &json!("paused")));
    for player in [&mut anna, &mut boris] {
        player.send_message(&quick(id, None)).await;
        player.wait_for(is_queued).await;
    }
    assert_eq!(act("remove", json!({"player": "nobody"})).await.0, 404);
    assert_eq!(act("remove", json!({"player": "boris"})).await.0, 200);
    boris
        .wait_for(|message| *message == ServerMessage::Unqueued)
        .await;
    assert_eq!(act("resume", json!({})).await.1["stage"], "running");
    boris.send_message(&quick(id, None)).await;
    assert_eq!(boris.error().await, ErrorCode::Forbidden);
    let page = after_games(server, id, 2).await;
    assert_eq!(page["standings"].as_array().unwrap().len(), 1);
    assert_eq!(act("leave", json!({})).await.0, 200);
    anna.wait_for(|message| *message == ServerMessage::Unqueued)
        .await;
    let page = after_games(server, id, 2).await;
    assert_eq!(page["standings"][0]["left"], true);
    anna.send_message(&quick(id, None)).await;
    anna.wait_for(is_queued).await;
    assert_eq!(act("end", json!({})).await.1["stage"], "over");
    assert_eq!(anna.error().await, ErrorCode::EventOver);
    anna.wait_for(|message| *message == ServerMessage::Unqueued)
        .await;
    assert_eq!(act("resume", json!({})).await.0, 403);
    anna.send_message(&quick(id, None)).await;
    assert_eq!(anna.error().await, ErrorCode::EventOver);
    let list = read(server, "/api/tournaments").await;
    assert_eq!(list["tournaments"][0]["stage"], "over");
}

async fn an_invitation_is_needed(server: &TestServer, token: &str) {
    let mut wanted = arena("Course");
    wanted["by_invitation"] = json!(true);
    let (_, made) = post(server, "/tournaments", token, wanted).await;
    let [id, invitation] = ["id", "invitation"].map(|field| made[field].as_str().unwrap());
    let (mut clara, of_clara) = owner(server, "clara").await;
    let path = format!("/tournaments/{id}/enter");
    for wrong in [json!({}), json!({"invitation": "wrong"})] {
        assert_eq!(post(server, &path, &of_clara, wrong).await.0, 403);
    }
    clara.send_message(&quick(id, None)).await;
    assert_eq!(clara.error().await, ErrorCode::Forbidden);
    let shown = json!({"invitation": invitation});
    let (status, entered) = post(server, &path, &of_clara, shown).await;
    assert_eq!((status, &entered["by_invitation"]), (200, &json!(true)));
    assert!(entered["invitation"].is_null());
    clara.send_message(&quick(id, None)).await;
    let is_queued = |message: &ServerMessage| matches!(message, ServerMessage::Queued { .. });
    clara.wait_for(is_queued).await;
    let own = call(server.address, "GET", "/tournaments", token, &json!({})).await;
    assert_eq!(own.1["tournaments"][0]["invitation"], invitation);
    let page = read(server, &format!("/api/tournaments/{id}")).await;
    assert!(page["invitation"].is_null());
    assert_eq!(page["standings"][0]["name"], "clara");
}

async fn a_rating_can_be_too_high(server: &TestServer, token: &str) {
    let (_, of_eva) = owner(server, "eva").await;
    for (limit, status) in [(1499, 403), (1500, 200)] {
        let mut wanted = arena("Beginners");
        wanted["max_rating"] = json!(limit);
        let (_, made) = post(server, "/tournaments", token, wanted).await;
        assert_eq!(made["max_rating"], limit);
        let id = made["id"].as_str().unwrap();
        let path = format!("/tournaments/{id}/enter");
        assert_eq!(post(server, &path, &of_eva, json!({})).await.0, status);
        let (mut eva, _) = enter(server, "eva", Some(&of_eva)).await;
        eva.send_message(&quick(id, None)).await;
        let is_answer = |message: &ServerMessage| {
            matches!(
                message,
                ServerMessage::Queued { .. } | ServerMessage::Error { .. }
            )
        };
        let is_refused = matches!(
            eva.wait_for(is_answer).await,
            ServerMessage::Error {
                code: ErrorCode::Forbidden,
                ..
            }
        );
        assert_eq!(is_refused, status == 403);
        assert_eq!(
            post(server, &format!("/tournaments/{id}/end"), token, json!({}))
                .await
                .0,
            200
        );
    }
}

async fn bad_tournaments_are_refused(server: &TestServer, token: &str) {
    for (field, value) in [
        ("name", json!("  ")),
        ("name", json!("x".repeat(61))),
        ("format", json!("ladder")),
        ("entrants", json!("all")),
        ("clock", json!("soon")),
        ("minutes", json!(0)),
        ("minutes", json!(1441)),
        ("max_rating", json!(499)),
        ("max_rating", json!(3501)),
        ("max_rating", json!("1700")),
        ("starts_ms", json!(i64::MAX)),
        ("colour", json!("red")),
    ] {
        let mut wanted = arena("Friday");
        wanted[field] = value;
        let answer = post(server, "/tournaments", token, wanted).await;
        assert_eq!(answer.0, 400, "{field}");
    }
    assert_eq!(
        post(server, "/tournaments", "", arena("Friday")).await.0,
        401
    );
    let mut later = arena("Later");
    later["starts_ms"] = json!(made_in_a_day());
    let mut created = 0;
    let refused = loop {
        match post(server, "/tournaments", token, later.clone()).await {
            (200, made) => {
                assert_eq!(made["stage"], "coming");
                created += 1;
            }
            (status, _) => break status,
        }
    };
    assert_eq!((refused, created), (409, 9));
}

pub(super) fn made_in_a_day() -> u64 {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH).unwrap();
    since.as_millis() as u64 + 24 * 3600 * 1000
}

#[tokio::test]
async fn arenas_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    an_arena_is_played(&server).await;
    let (_, token) = owner(&server, "dora").await;
    an_invitation_is_needed(&server, &token).await;
    a_rating_can_be_too_high(&server, &token).await;
    bad_tournaments_are_refused(&server, &token).await;
    server.stop().await;
}

#[tokio::test]
async fn arenas_in_postgresql() {
    let directory = TempDir::new().unwrap();
    let Some((server, _)) = keeping_in_postgresql(&directory).await else {
        return;
    };
    an_arena_is_played(&server).await;
    let (_, token) = owner(&server, "dora").await;
    a_rating_can_be_too_high(&server, &token).await;
    server.stop().await;
}
