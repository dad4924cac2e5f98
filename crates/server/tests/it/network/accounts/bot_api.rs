//! Bots that play over HTTP, as clients of Lichess do.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Child;
use std::time::UNIX_EPOCH;

use checkers_lib::protocol::{ClientMessage, CreateTable, Meant, Registration, SeatWish};
use checkers_server::Config;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::ratings::owner;
use super::{enter, keeping, keeping_in_postgresql, post};
use crate::network::http_bot::{Bot, challenge, white};
use crate::network::support::{TestServer, move_of, request};
use crate::process::start;

/// A bot of an account.
async fn create(server: &TestServer, owner: &str, name: &str) -> Bot {
    let (status, made) = post(server, "/bots", owner, json!({"name": name})).await;
    assert_eq!(status, 200);
    let token = made["token"].as_str().unwrap().to_owned();
    Bot {
        server: server.address,
        token,
    }
}

/// Two bots of Anna's.
async fn two_bots(server: &TestServer) -> (Bot, Bot) {
    let (_, token) = owner(server, "anna").await;
    let hawk = create(server, &token, "hawk").await;
    let owl = create(server, &token, "owl").await;
    (hawk, owl)
}

/// The whole way of two bots: account, challenges, a game with its offers, the end.
async fn bots_play_over_http(server: TestServer) {
    let (hawk, owl) = two_bots(&server).await;
    let account = hawk.get("/account").await;
    let expected = (&json!("hawk[bot]"), &json!("hawk[bot]"), &json!("BOT"));
    assert_eq!(
        (&account["id"], &account["username"], &account["title"]),
        expected
    );

    let (mut of_hawk, mut of_owl) = (hawk.events().await, owl.events().await);
    let (_, first) = hawk.post("/challenge/owl%5Bbot%5D", white()).await;
    assert_eq!(
        (&first["direction"], &first["color"]),
        (&json!("out"), &json!("white"))
    );
    assert_eq!(hawk.get("/challenge").await["out"][0]["id"], first["id"]);
    let challenged = of_owl.expect("challenge").await;
    assert_eq!(
        owl.get("/challenge").await["in"][0],
        challenged["challenge"]
    );
    let first = first["id"].as_str().unwrap();
    owl.act(&format!("/challenge/{first}/decline")).await;
    let declined = of_hawk.expect("challengeDeclined").await;
    assert_eq!(declined["challenge"]["declineReasonKey"], "generic");

    let (_, second) = hawk.post("/challenge/owl%5Bbot%5D", white()).await;
    of_owl.expect("challenge").await;
    let second = second["id"].as_str().unwrap();
    hawk.act(&format!("/challenge/{second}/cancel")).await;
    of_owl.expect("challengeCanceled").await;
    assert_eq!(
        owl.refused(&format!("/challenge/{second}/accept"), json!({}))
            .await,
        404
    );
    drop(of_owl);

    let id = challenge(&hawk, &owl, white()).await;
    let started = of_hawk.expect("gameStart").await;
    let game = &started["game"];
    assert_eq!((&game["id"], &game["color"]), (&json!(id), &json!("white")));
    assert_eq!(
        hawk.get("/account/playing").await["nowPlaying"][0]["gameId"],
        id.as_str()
    );
    let (mut left, mut right) = (hawk.game(&id).await, owl.game(&id).await);
    let full = left.expect("gameFull").await;
    assert_eq!(
        full["clock"],
        json!({"initial": 300_000, "increment": 3000})
    );
    assert_eq!(full["state"]["status"], "started");
    let created_at = full["createdAt"].as_i64().unwrap();
    let now = UNIX_EPOCH.elapsed().unwrap().as_millis();
    assert!(
        i64::try_from(now).unwrap().abs_diff(created_at) < 60_000,
        "{created_at}"
    );
    right.expect("gameFull").await;

    let path = |action: &str| format!("/bot/game/{id}/{action}");
    assert_eq!(
        owl.refused(&path("move/f6e5"), json!({})).await,
        400,
        "not its turn"
    );
    for bad in ["c3e5", "c3c4", "nonsense", "%00", "c3d4d4"] {
        let status = hawk.refused(&path(&format!("move/{bad}")), json!({})).await;
        assert_eq!(status, 400, "{bad}");
    }
    hawk.act(&path("move/c3d4")).await;
    // The client did not see the answer, and sends the move again.
    hawk.act(&path("move/c3-d4")).await;
    assert_eq!(right.expect("gameState").await["moves"], "c3d4");
    owl.act(&path("move/f6e5?offeringDraw=true")).await;
    left.wait_for_move(2).await;
    // It has seen no answer yet, only the reply.
    hawk.act(&path("move/c3d4")).await;
    assert_eq!(left.expect("gameState").await["bdraw"], true);
    hawk.act(&path("draw/no")).await;
    assert_eq!(left.expect("gameState").await["bdraw"], false);
    // A capture with all squares on the way, and what the other side sees of it.
    hawk.act(&path("move/d4f6")).await;
    right.wait_for_move(3).await;
    owl.act(&path("chat")).await;
    let (_, said) = owl
        .post(
            &path("chat"),
            json!({"room": "player", "text": "Hi! Good luck!"}),
        )
        .await;
    assert_eq!(said["said"], "good_luck");
    let line = loop {
        let line = left.next().await.expect("a line");
        if line["type"] == "chatLine" {
            break line;
        }
    };
    assert_eq!(
        (&line["username"], &line["text"]),
        (&json!("owl[bot]"), &json!("good_luck"))
    );
    assert_eq!(
        hawk.refused(&path("claim-victory"), json!({})).await,
        400,
        "owl is here"
    );
    owl.act(&path("resign")).await;
    let last = left.expect("gameState").await;
    assert_eq!(
        (&last["status"], &last["winner"]),
        (&json!("resign"), &json!("white"))
    );
    assert_eq!(left.next().await, None);
    let finished = of_hawk.expect("gameFinish").await;
    assert_eq!(finished["game"]["winner"], "white");
    assert_eq!(
        hawk.refused(&path("move/a3b4"), json!({})).await,
        400,
        "it is over"
    );
    // A game that is over has one line.
    let mut over = hawk.game(&id).await;
    assert_eq!(over.expect("gameFull").await["state"]["status"], "resign");
    assert_eq!(over.next().await, None);
    server.stop().await;
}

#[tokio::test]
async fn bots_play_over_http_on_sqlite() {
    let directory = tempfile::tempdir().unwrap();
    bots_play_over_http(keeping(&directory, Registration::Open).await).await;
}

#[tokio::test]
async fn bots_play_over_http_on_postgresql() {
    let directory = tempfile::tempdir().unwrap();
    if let Some((server, _)) = keeping_in_postgresql(&directory).await {
        bots_play_over_http(server).await;
    }
}

#[tokio::test]
async fn calls_without_the_right_to_them_fail() {
    let directory = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (mut anna, of_anna) = owner(&server, "anna").await;
    let hawk = create(&server, &of_anna, "hawk").await;
    let owl = create(&server, &of_anna, "owl").await;
    let kite = create(&server, &of_anna, "kite").await;
    let id = challenge(&hawk, &owl, white()).await;

    let of = |token: &str| Bot {
        server: server.address,
        token: token.to_owned(),
    };
    for path in ["/stream/event", &format!("/bot/game/stream/{id}")] {
        for (token, status) in [("", 401), (&*"0".repeat(64), 401), (&*of_anna, 400)] {
            assert_eq!(of(token).stream(path).await.0, status, "{path}");
        }
    }
    for action in [
        "move/c3d4",
        "resign",
        "abort",
        "draw/yes",
        "takeback/yes",
        "claim-victory",
    ] {
        let path = format!("/bot/game/{id}/{action}");
        assert_eq!(kite.refused(&path, json!({})).await, 404, "{action}");
        assert_eq!(of("").refused(&path, json!({})).await, 401, "{action}");
        assert_eq!(
            of(&of_anna).refused(&path, json!({})).await,
            400,
            "{action}"
        );
    }
    assert_eq!(kite.stream(&format!("/bot/game/stream/{id}")).await.0, 404);
    let table = id.split('-').next().unwrap();
    for unknown in [
        "",
        "-1",
        "x-1",
        table,
        &format!("{table}-2"),
        &format!("{table}-x"),
    ] {
        let status = hawk.stream(&format!("/bot/game/stream/{unknown}")).await.0;
        assert_eq!(status, 404, "{unknown}");
    }
    assert_eq!(
        hawk.refused(&format!("/challenge/{id}/accept"), json!({}))
            .await,
        404
    );
    for (name, body, status) in [
        ("nobody", json!({}), 404),
        ("hawk%5Bbot%5D", json!({}), 404),
        ("owl%5Bbot%5D", json!({"variant": "frisian"}), 400),
        ("owl%5Bbot%5D", json!({"days": 2}), 400),
        ("owl%5Bbot%5D", json!({"clock.limit": "soon"}), 400),
        ("owl%5Bbot%5D", json!({"clock.limit": u64::MAX}), 400),
        ("owl%5Bbot%5D", json!({"color": "red"}), 400),
        ("owl%5Bbot%5D", json!({"fen": "W:W:B"}), 400),
        ("owl%5Bbot%5D", json!({"rated": true}), 400),
        ("owl%5Bbot%5D", json!(["rated"]), 400),
        ("ai", json!({"level": 11}), 400),
        ("ai", json!({"level": 300}), 400),
        ("owl%5Bbot%5D", json!({"fen": "x".repeat(5000)}), 413),
    ] {
        let refused = hawk
            .refused(&format!("/challenge/{name}"), body.clone())
            .await;
        assert_eq!(refused, status, "{name} {body}");
    }
    assert_eq!(
        hawk.call("GET", &format!("/bot/game/{id}/resign"), &json!({}))
            .await
            .0,
        405
    );
    // Errors that no handler makes have the same form.
    for (method, path, status) in [
        ("DELETE", "/challenge", 405),
        ("GET", "/challenge/ai", 405),
        ("POST", "/challenge", 405),
        ("GET", "/bot/nothing", 404),
        ("POST", "/bot/game/x/dance", 404),
        ("POST", "/bot/game/%ff/resign", 400),
        ("POST", "/bot/game/%ff/move/%ff", 400),
    ] {
        let (found, answer) = hawk.call(method, path, &json!({})).await;
        assert_eq!(found, status, "{method} {path}");
        assert!(answer["error"].is_string(), "{method} {path}: {answer}");
    }
    // The scopes of the token count.
    for (scope, path, status) in [
        ("read", "/challenge/owl%5Bbot%5D", 403),
        ("play", "/challenge/owl%5Bbot%5D", 403),
        ("play", "/challenge/ai", 200),
    ] {
        let body = json!({"scopes": [scope]});
        let (_, made) = post(&server, "/bots/kite%5Bbot%5D/token", &of_anna, body).await;
        let kite = of(made["token"].as_str().unwrap());
        assert_eq!(kite.post(path, white()).await.0, status, "{scope} {path}");
    }
    // The token of a bot ends with its session.
    let mut events = owl.events().await;
    events.expect("gameStart").await;
    let (status, _) = post(&server, "/bots/owl%5Bbot%5D/token", &of_anna, json!({})).await;
    assert_eq!(status, 200);
    assert_eq!(events.next().await, None);
    assert_eq!(
        owl.refused(&format!("/bot/game/{id}/resign"), json!({}))
            .await,
        401
    );
    anna.send_message(&ClientMessage::Ping(Default::default()))
        .await;
    server.stop().await;
}

/// However many streams a client opens, one of a kind is open.
#[tokio::test]
async fn a_new_stream_ends_the_one_before() {
    let directory = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (hawk, owl) = two_bots(&server).await;
    let id = challenge(&hawk, &owl, white()).await;
    let (mut events, mut games) = (Vec::new(), Vec::new());
    for _ in 0..40 {
        events.push(hawk.events().await);
        games.push(hawk.game(&id).await);
    }
    let (mut last_events, mut last_game) = (events.pop().unwrap(), games.pop().unwrap());
    for mut earlier in events.into_iter().chain(games) {
        assert!(earlier.next().await.is_some());
        assert_eq!(earlier.next().await, None);
    }
    last_events.expect("gameStart").await;
    last_game.expect("gameFull").await;
    // These open none.
    for path in ["/stream/event", &format!("/bot/game/stream/{id}")] {
        assert_eq!(hawk.call("HEAD", path, &json!({})).await.0, 200, "{path}");
    }
    hawk.act(&format!("/bot/game/{id}/move/c3d4")).await;
    assert_eq!(last_game.expect("gameState").await["moves"], "c3d4");
    server.stop().await;
}

#[tokio::test]
async fn tokens_are_tested() {
    let directory = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (_, of_anna) = owner(&server, "anna").await;
    let hawk = create(&server, &of_anna, "hawk").await;
    let body = json!({"scopes": ["read", "play"]});
    let (_, made) = post(&server, "/bots/hawk%5Bbot%5D/token", &of_anna, body).await;
    let (old, new) = (&hawk.token, made["token"].as_str().unwrap());
    let test = async |body: &str| {
        let length = body.len();
        let text = format!(
            "POST /api/token/test HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        let answer = request(server.address, &text).await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str::<Value>(body).unwrap()
    };
    let expected = json!({
        old: null,
        "nonsense": null,
        new: {"userId": "hawk[bot]", "scopes": "bot:play", "expires": null},
    });
    assert_eq!(test(&format!("{old},{new},nonsense")).await, expected);
    assert!(test(&"x,".repeat(11)).await["error"].is_string());
    server.stop().await;
}

/// Over HTTP and over a WebSocket a bot is one client: the later one is it.
#[tokio::test]
async fn a_websocket_takes_over_and_gives_back() {
    let directory = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (hawk, owl) = two_bots(&server).await;
    let id = challenge(&hawk, &owl, white()).await;
    let mut events = hawk.events().await;
    events.expect("gameStart").await;
    let (mut socket, joined) = enter(&server, "", Some(&hawk.token)).await;
    assert!(joined.resumed);
    assert_eq!(joined.seats.len(), 1);
    assert_eq!(events.next().await, None);
    let mut events = hawk.events().await;
    events.expect("gameStart").await;
    assert_eq!(socket.closed().await.0, 4002);
    hawk.act(&format!("/bot/game/{id}/move/c3d4")).await;

    // A challenge stays open, and can be withdrawn.
    let (_, challenge) = hawk.post("/challenge/owl%5Bbot%5D", white()).await;
    let challenge = challenge["id"].as_str().unwrap();
    let (mut socket, _) = enter(&server, "", Some(&hawk.token)).await;
    assert_eq!(events.next().await, None);
    assert_eq!(hawk.get("/challenge").await["out"][0]["id"], challenge);
    assert_eq!(socket.closed().await.0, 4002);
    hawk.act(&format!("/challenge/{challenge}/cancel")).await;
    assert_eq!(hawk.get("/challenge").await["out"], json!([]));
    server.stop().await;
}

/// A person challenges a bot on the page, and wants to play again.
#[tokio::test]
async fn a_bot_plays_a_person_and_again() {
    let directory = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (mut anna, token) = owner(&server, "anna").await;
    let hawk = create(&server, &token, "hawk").await;
    let mut events = hawk.events().await;
    let wanted = CreateTable {
        color: Some(SeatWish::White),
        opponent: Some("hawk[bot]".into()),
        ..CreateTable::default()
    };
    anna.send_message(&ClientMessage::CreateTable(wanted)).await;
    let table = anna.created().await;
    let challenge = events.expect("challenge").await;
    assert_eq!(
        challenge["challenge"]["timeControl"],
        json!({"type": "unlimited"})
    );
    hawk.act(&format!("/challenge/{table}-1/accept")).await;
    events.expect("gameStart").await;
    let mut game = hawk.game(&format!("{table}-1")).await;
    let full = game.expect("gameFull").await;
    assert_eq!(
        (&full["clock"], &full["white"]["name"]),
        (&Value::Null, &json!("anna"))
    );
    anna.say_at(&table, move_of(0, "c3-d4")).await;
    game.wait_for_move(1).await;
    hawk.act(&format!("/bot/game/{table}-1/move/f6g5")).await;
    anna.say_at(&table, ClientMessage::OfferTakeback(Meant::default()))
        .await;
    game.wait_for_move(2).await;
    assert_eq!(game.expect("gameState").await["wtakeback"], true);
    hawk.act(&format!("/bot/game/{table}-1/takeback/yes")).await;
    assert_eq!(game.expect("gameState").await["moves"], "");
    anna.say_at(&table, ClientMessage::OfferDraw(Meant::default()))
        .await;
    assert_eq!(game.expect("gameState").await["wdraw"], true);
    hawk.act(&format!("/bot/game/{table}-1/draw/yes")).await;
    assert_eq!(game.expect("gameState").await["status"], "draw");
    events.expect("gameFinish").await;
    anna.say_at(&table, ClientMessage::OfferRematch(Meant::default()))
        .await;
    let again = events.expect("challenge").await;
    let again = again["challenge"]["id"].as_str().unwrap();
    assert_eq!(again, format!("{table}-2"));
    let started = hawk.act(&format!("/challenge/{again}/accept")).await;
    assert_eq!(started["color"], "white");
    events.expect("gameStart").await;
    server.stop().await;
}

#[tokio::test]
async fn a_bot_plays_a_level() {
    let directory = tempfile::tempdir().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (hawk, _) = two_bots(&server).await;
    let body = json!({"level": 1, "color": "black", "clock.limit": 300});
    let (status, game) = hawk.post("/challenge/ai", body).await;
    assert_eq!((status, &game["player"]), (200, &json!("black")), "{game}");
    assert_eq!(game["opponent"]["aiLevel"], 1);
    let id = game["id"].as_str().unwrap();
    let mut stream = hawk.game(id).await;
    stream.wait_for_move(1).await;
    hawk.act(&format!("/bot/game/{id}/abort")).await;
    let last = stream.expect("gameState").await;
    assert_eq!(
        (&last["status"], last.get("winner")),
        (&json!("aborted"), None)
    );
    server.stop().await;
}

fn server(data: &Path) -> (Child, SocketAddr) {
    let (child, address) = start(&["--port", "0", "--data", data.to_str().unwrap()]);
    (child, address.parse().unwrap())
}

/// The server is killed in the middle of a game: the bots open their streams again and play on.
#[tokio::test]
async fn a_game_goes_on_after_a_kill() {
    let directory: TempDir = tempfile::tempdir().unwrap();
    let (hawk, owl) = {
        let server = TestServer::start_with(Config {
            data: directory.path().to_owned(),
            registration: Registration::Open,
            ..Config::default()
        })
        .await;
        let bots = two_bots(&server).await;
        server.stop().await;
        bots
    };
    let (mut process, address) = server(directory.path());
    let at = |server: SocketAddr, bot: &Bot| Bot {
        server,
        token: bot.token.clone(),
    };
    let (first, second) = (at(address, &hawk), at(address, &owl));
    let id = challenge(&first, &second, white()).await;
    let mut game = second.game(&id).await;
    first.act(&format!("/bot/game/{id}/move/c3d4")).await;
    game.wait_for_move(1).await;
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(game.is_broken().await);

    let (mut process, address) = server(directory.path());
    let (first, second) = (at(address, &hawk), at(address, &owl));
    let mut events = second.events().await;
    assert_eq!(
        events.expect("gameStart").await["game"]["gameId"],
        id.as_str()
    );
    let mut game = second.game(&id).await;
    assert_eq!(game.expect("gameFull").await["state"]["moves"], "c3d4");
    // The first bot does not know whether its move has arrived.
    first.act(&format!("/bot/game/{id}/move/c3d4")).await;
    second.act(&format!("/bot/game/{id}/move/f6g5")).await;
    let state = game.wait_for_move(2).await;
    assert_eq!(state["moves"], "c3d4 f6g5");
    first.act(&format!("/bot/game/{id}/resign")).await;
    loop {
        let line = game.next().await.expect("a line");
        if line["status"] == "resign" {
            assert_eq!(line["winner"], "black");
            break;
        }
    }
    process.kill().unwrap();
    process.wait().unwrap();
}
