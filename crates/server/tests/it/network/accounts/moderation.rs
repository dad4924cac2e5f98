//! Roles, reports, sanctions and blocks.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use checkers_lib::protocol::{
    ClientMessage, CreateTable, ErrorCode, Meant, Phrase, Quick, Registration, Role, ServerMessage,
    WireColor,
};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::query;

use super::{
    call, command, enter, keep, keeping, keeping_in_postgresql, overview, post, refused, run,
};
use crate::network::support::{TestClient, TestServer, request};

/// A client with an account, and its token.
async fn member(server: &TestServer, name: &str) -> (TestClient, String) {
    let (mut client, _) = enter(server, name, None).await;
    let token = keep(&mut client, None).await.unwrap().token;
    (client, token)
}

/// A call of the API for moderators.
async fn moderate(
    server: &TestServer,
    method: &str,
    path: &str,
    token: &str,
    body: Value,
) -> (u16, Value) {
    let body = body.to_string();
    let head = format!(
        "{method} /api/moderation{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = request(server.address, &head).await;
    let status = answer["HTTP/1.1 ".len()..][..3].parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    (status, serde_json::from_str(body).unwrap_or_default())
}

fn sanction(hours: i64) -> Value {
    json!({"hours": hours, "reason": "stalling"})
}

fn report(name: &str) -> Value {
    json!({"name": name, "reason": "stalling", "text": "left again"})
}

fn challenge(name: &str) -> ClientMessage {
    ClientMessage::CreateTable(CreateTable {
        opponent: Some(name.to_owned()),
        ..CreateTable::default()
    })
}

fn is_phrase(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Said { .. })
}

fn is_paired(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::Paired { .. })
}

async fn takes_seat(client: &mut TestClient, color: WireColor) {
    let color = color.into();
    client
        .send_message(&ClientMessage::TakeSeat { color })
        .await;
}

fn fields<'a>(entries: &'a Value, field: &str) -> Vec<&'a str> {
    let entries = entries.as_array().unwrap().iter();
    entries
        .map(|entry| entry[field].as_str().unwrap())
        .collect()
}

/// Reports reach the moderators, who act on them; nobody else does.
async fn reports_are_handled(server: TestServer, set_role: impl Fn(&str, &str)) {
    let (mut anna, of_anna) = member(&server, "anna").await;
    let (mut boris, of_boris) = member(&server, "boris").await;
    let (_clara, of_clara) = member(&server, "clara").await;
    let (_dora, of_dora) = member(&server, "dora").await;
    set_role("anna", "administrator");
    let path = "/players/dora/role";
    let role = json!({"role": "moderator"});
    assert_eq!(moderate(&server, "POST", path, &of_anna, role).await.0, 200);
    let (_, account) = overview(&server, &of_dora).await;
    assert_eq!(account["role"], "moderator");

    let filed = async |body: Value| post(&server, "/reports", &of_clara, body).await;
    for (body, status) in [
        (report("nobody"), 404),
        (report("clara"), 400),
        (json!({"name": "boris", "reason": "boredom"}), 400),
        (
            json!({"name": "boris", "reason": "other", "game": "../x"}),
            400,
        ),
        (
            json!({"name": "boris", "reason": "other", "text": "x".repeat(501)}),
            400,
        ),
        (report("boris"), 200),
        // It replaces the first one.
        (report("boris"), 200),
        (report("dora"), 200),
    ] {
        let (found, answer) = filed(body.clone()).await;
        assert_eq!(found, status, "{body} {answer}");
    }
    assert_eq!(post(&server, "/reports", "x", report("boris")).await.0, 401);

    let (status, queue) = moderate(&server, "GET", "/reports", &of_anna, json!({})).await;
    assert_eq!(status, 200, "{queue}");
    assert_eq!(fields(&queue["players"], "name"), ["boris", "dora"]);
    let reports = &queue["players"][0]["reports"];
    assert_eq!(reports.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (&reports[0]["by"], &reports[0]["text"]),
        (&json!("clara"), &json!("left again"))
    );

    // Nobody acts without a role, on those of the same role, or on himself.
    for (method, path) in [
        ("GET", "/reports"),
        ("GET", "/log"),
        ("GET", "/staff"),
        ("POST", "/invitations"),
        ("POST", "/players/boris/lift"),
        ("POST", "/players/boris/link"),
    ] {
        for (token, status) in [(of_boris.as_str(), 403), ("", 401)] {
            let (found, answer) = moderate(&server, method, path, token, json!({})).await;
            assert_eq!(found, status, "{path} {answer}");
        }
    }
    for (path, token, body, status) in [
        ("/players/anna/mute", &of_dora, sanction(1), 403),
        ("/players/dora/mute", &of_dora, sanction(1), 403),
        ("/players/anna/mute", &of_anna, sanction(1), 403),
        ("/players/nobody/mute", &of_dora, sanction(1), 404),
        ("/players/boris/mute", &of_dora, sanction(0), 400),
        ("/players/boris/mute", &of_dora, sanction(i64::MAX), 400),
        (
            "/players/boris/role",
            &of_dora,
            json!({"role": "moderator"}),
            403,
        ),
        ("/players/boris/role", &of_anna, json!({"role": "bot"}), 400),
        (
            "/players/boris/role",
            &of_anna,
            json!({"role": "leaving"}),
            400,
        ),
        ("/players/boris/link", &of_dora, json!({}), 403),
        ("/players/anna/dismiss", &of_dora, json!({}), 403),
        ("/players/anna/dismiss", &of_anna, json!({}), 403),
        ("/invitations", &of_dora, json!({}), 403),
    ] {
        let (found, answer) = moderate(&server, "POST", path, token, body).await;
        assert_eq!(found, status, "{path} {answer}");
    }

    // Boris plays, and says no more once he is muted.
    takes_seat(&mut anna, WireColor::White).await;
    takes_seat(&mut boris, WireColor::Black).await;
    anna.wait_for(|message| matches!(message, ServerMessage::GameStarted(_)))
        .await;
    let say = ClientMessage::Say {
        phrase: Phrase::Hello,
    };
    boris.send_message(&say).await;
    anna.wait_for(is_phrase).await;
    let path = "/players/boris/mute";
    assert_eq!(
        moderate(&server, "POST", path, &of_dora, sanction(1))
            .await
            .0,
        200
    );
    boris.send_message(&say).await;
    assert_eq!(boris.error().await, ErrorCode::Muted);

    // A suspended player finishes the game, and begins no other; nor does the bot.
    let (_, made) = post(&server, "/bots", &of_boris, json!({"name": "kestrel"})).await;
    let (mut bot, _) = enter(&server, "", made["token"].as_str()).await;
    let path = "/players/boris/suspend";
    assert_eq!(
        moderate(&server, "POST", path, &of_dora, sanction(24))
            .await
            .0,
        200
    );
    boris.closed().await;
    bot.closed().await;
    let (mut bot, _) = enter(&server, "", made["token"].as_str()).await;
    let (mut boris, joined) = enter(&server, "", Some(&of_boris)).await;
    assert_eq!(joined.seats.len(), 1);
    for client in [&mut boris, &mut bot] {
        for message in [
            ClientMessage::Quick(Quick::default()),
            ClientMessage::CreateTable(CreateTable::default()),
            challenge("clara"),
        ] {
            client.send_message(&message).await;
            assert_eq!(client.error().await, ErrorCode::Suspended, "{message:?}");
        }
    }
    let offer = ClientMessage::OfferRematch(Meant::default());
    anna.send_message(&ClientMessage::Resign(Meant::default()))
        .await;
    boris
        .wait_for(|message| matches!(message, ServerMessage::GameOver { .. }))
        .await;
    for message in [offer, ClientMessage::AcceptRematch(Meant::default())] {
        boris.say_at("main", message).await;
        assert_eq!(boris.error().await, ErrorCode::Suspended);
    }
    let path = "/correspondence/challenges";
    let wanted = json!({"opponent": "clara", "days": 3});
    assert_eq!(post(&server, path, &of_boris, wanted).await.0, 403);
    let tournament = json!({"name": "Friday", "format": "arena", "entrants": "people", "clock": "3m", "minutes": 60});
    let (_, made) = post(&server, "/tournaments", &of_clara, tournament).await;
    let path = format!("/tournaments/{}/enter", made["id"].as_str().unwrap());
    assert_eq!(post(&server, &path, &of_boris, json!({})).await.0, 403);
    let path = "/players/boris/lift";
    assert_eq!(
        moderate(&server, "POST", path, &of_dora, json!({})).await.0,
        200
    );
    boris
        .send_message(&ClientMessage::Quick(Quick::default()))
        .await;
    boris
        .wait_for(|message| matches!(message, ServerMessage::Queued { .. }))
        .await;

    // Acting on Boris has closed the report about him.
    let (_, queue) = moderate(&server, "GET", "/reports", &of_anna, json!({})).await;
    assert_eq!(fields(&queue["players"], "name"), ["dora"]);
    let path = "/players/dora/dismiss";
    assert_eq!(
        moderate(&server, "POST", path, &of_anna, json!({})).await.0,
        200
    );

    // Nobody reads reports about himself, and only administrators those about administrators.
    set_role("clara", "administrator");
    for name in ["anna", "boris"] {
        assert_eq!(filed(report(name)).await.0, 200);
    }
    for (token, names) in [
        (&of_dora, vec!["boris"]),
        (&of_anna, vec!["boris"]),
        (&of_clara, vec!["anna", "boris"]),
    ] {
        let (_, queue) = moderate(&server, "GET", "/reports", token, json!({})).await;
        assert_eq!(fields(&queue["players"], "name"), names);
    }
    let path = "/players/anna/dismiss";
    assert_eq!(
        moderate(&server, "POST", path, &of_clara, json!({}))
            .await
            .0,
        200
    );
    set_role("clara", "person");

    // An administrator lets people in, but not as a bot.
    let path = "/players/kestrel%5Bbot%5D/link";
    assert_eq!(
        moderate(&server, "POST", path, &of_anna, json!({})).await.0,
        403
    );
    let (status, link) =
        moderate(&server, "POST", "/players/boris/link", &of_anna, json!({})).await;
    assert_eq!(status, 200, "{link}");
    let (status, signed_in) = super::sign_in(&server, json!({"code": link["code"]})).await;
    assert_eq!((status, &signed_in["name"]), (200, &json!("boris")));
    let (status, made) = moderate(&server, "POST", "/invitations", &of_anna, json!({})).await;
    assert_eq!(
        (status, made["invitation"].as_str().map(str::len)),
        (200, Some(26))
    );
    let (_, staff) = moderate(&server, "GET", "/staff", &of_dora, json!({})).await;
    assert_eq!(fields(&staff["staff"], "name"), ["anna", "dora"]);

    let (status, log) = moderate(&server, "GET", "/log", &of_dora, json!({})).await;
    assert_eq!(status, 200, "{log}");
    let entries = &log["entries"];
    assert_eq!(
        fields(entries, "action"),
        [
            "invitation",
            "link",
            "person",
            "dismiss",
            "administrator",
            "dismiss",
            "lift",
            "suspend",
            "mute",
            "moderator",
            "administrator"
        ]
    );
    assert_eq!(
        fields(entries, "moderator"),
        [
            "anna", "anna", "", "clara", "", "anna", "dora", "dora", "dora", "anna", ""
        ]
    );
    assert_eq!(entries[7]["reason"], "stalling");
    let path = format!("/log?before={}", entries[9]["id"]);
    let (_, rest) = moderate(&server, "GET", &path, &of_dora, json!({})).await;
    assert_eq!(fields(&rest["entries"], "action"), ["administrator"]);

    // A role that is taken is gone at once.
    let path = "/players/dora/role";
    let role = json!({"role": "person"});
    assert_eq!(moderate(&server, "POST", path, &of_anna, role).await.0, 200);
    assert_eq!(
        moderate(&server, "GET", "/log", &of_dora, json!({}))
            .await
            .0,
        403
    );
    server.stop().await;
}

#[tokio::test]
async fn reports_are_handled_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let set_role = |name: &str, role: &str| {
        command(&directory, &["role", name, role]);
    };
    reports_are_handled(server, set_role).await;

    // The database keeps the log as it is.
    let file = directory.path().join("checkers.db");
    let database = rusqlite::Connection::open(file).unwrap();
    for change in [
        "UPDATE moderation_log SET at = 0",
        "DELETE FROM moderation_log",
    ] {
        let error = database.execute(change, []).unwrap_err().to_string();
        assert!(error.contains("only added to"), "{error}");
    }
    let to = TempDir::new().unwrap();
    let [from, to] = [&directory, &to].map(|store| format!("sqlite:{}", store.path().display()));
    for _ in 0..2 {
        run(&from, &["migrate", "--from", &from, "--to", &to]);
    }
    let copied =
        rusqlite::Connection::open(to.strip_prefix("sqlite:").unwrap().to_owned() + "/checkers.db");
    let count = |database: &rusqlite::Connection| {
        database.query_row("SELECT count(*) FROM moderation_log", [], |row| {
            row.get::<_, i64>(0)
        })
    };
    assert_eq!(count(&copied.unwrap()), count(&database));
    assert_eq!(count(&database), Ok(12));
}

#[tokio::test]
async fn reports_are_handled_in_postgresql() {
    let directory = TempDir::new().unwrap();
    let Some((server, store)) = keeping_in_postgresql(&directory).await else {
        return;
    };
    let set_role = |name: &str, role: &str| {
        run(&store, &["account", "role", name, role]);
    };
    reports_are_handled(server, set_role).await;
    for change in [
        "UPDATE moderation_log SET at = 0",
        "DELETE FROM moderation_log",
        "TRUNCATE moderation_log",
    ] {
        let refused = query(&store, change).unwrap_err();
        let message = refused.as_db_error().unwrap().message();
        assert!(message.contains("only added to"), "{message}");
    }
}

#[tokio::test]
async fn the_server_prints_a_link_for_the_first_administrator() {
    let directory = TempDir::new().unwrap();
    let data = directory.path().to_str().unwrap();
    let start = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_checkers-server"))
            .args(["--bind", "127.0.0.1", "--port", "0", "--data", data])
            .args(["--registration", "closed"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.next().unwrap().unwrap();
        let address = address
            .strip_prefix("listening on ws://")
            .unwrap()
            .to_owned();
        (child, address, lines)
    };
    let (mut child, address, mut lines) = start();
    let line = lines.next().unwrap().unwrap();
    let link = line.strip_prefix("administrator: open ").unwrap();
    let (page, rest) = link.split_once('#').unwrap();
    assert_eq!(page, format!("http://{address}/invitation?administrator"));
    let code = rest.strip_suffix(" within a day").unwrap();

    // Nobody signs in by it; a guest becomes the administrator, although registration is closed.
    let post = async |path: &str, token: &str, body: Value| {
        call(address.parse().unwrap(), "POST", path, token, &body).await
    };
    assert_eq!(post("/sign-in", "", json!({"code": code})).await.0, 403);
    let mut anna = TestClient::connect(&address).await;
    anna.enter(checkers_lib::protocol::Join::new("anna")).await;
    assert_eq!(
        keep(&mut anna, Some("nonsense")).await,
        Err(ErrorCode::RegistrationClosed)
    );
    let token = keep(&mut anna, Some(code)).await.unwrap().token;
    let (_, account) = call(address.parse().unwrap(), "GET", "", &token, &json!({})).await;
    assert_eq!(account["role"], "administrator");
    let made = command(&directory, &["create", "boris"]);
    let (boris, _) = made.split_once("  ").unwrap();
    let (_, signed_in) = post("/sign-in", "", json!({"code": boris})).await;
    let token = signed_in["token"].as_str().unwrap();
    assert_eq!(
        post("/administrator", token, json!({"code": code})).await.0,
        403,
        "the link has been used"
    );
    child.kill().unwrap();
    child.wait().unwrap();

    // There is no other link while there is an administrator.
    let (mut child, _, mut lines) = start();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lines.next().is_none());
    command(&directory, &["role", "anna", "person"]);
    let (mut child, address, mut lines) = start();
    let line = lines.next().unwrap().unwrap();
    let (_, rest) = line.split_once('#').unwrap();
    let code = json!({"code": rest.strip_suffix(" within a day").unwrap()});
    let address = address.parse().unwrap();
    let (status, _) = call(address, "POST", "/administrator", token, &code).await;
    assert_eq!(status, 200);
    let (_, account) = call(address, "GET", "", token, &json!({})).await;
    assert_eq!(account["role"], "administrator");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[tokio::test]
async fn blocked_players_do_not_meet() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (mut anna, of_anna) = member(&server, "anna").await;
    let (mut boris, of_boris) = member(&server, "boris").await;
    let (mut clara, _) = member(&server, "clara").await;
    for (name, status) in [
        ("boris", 200),
        ("boris", 200),
        ("anna", 400),
        ("nobody", 404),
    ] {
        let (found, answer) = post(&server, "/blocks", &of_anna, json!({"name": name})).await;
        assert_eq!(found, status, "{name} {answer}");
    }
    let (_, account) = overview(&server, &of_anna).await;
    assert_eq!(account["blocks"], json!(["boris"]));
    for (name, status, blocked) in [
        ("boris", 200, json!(true)),
        ("clara", 200, json!(false)),
        ("nobody", 404, json!(null)),
    ] {
        let path = format!("/blocks/{name}");
        let (found, answer) = call(server.address, "GET", &path, &of_anna, &json!({})).await;
        assert_eq!((found, &answer["blocked"]), (status, &blocked), "{name}");
    }
    let (_, account) = overview(&server, &of_boris).await;
    assert_eq!(account["blocks"], json!([]));

    boris.send_message(&challenge("anna")).await;
    assert_eq!(boris.error().await, ErrorCode::Blocked);
    anna.send_message(&challenge("boris")).await;
    assert_eq!(anna.error().await, ErrorCode::Blocked);
    takes_seat(&mut anna, WireColor::White).await;
    let has_white = |message: &ServerMessage| match message {
        ServerMessage::Players { players, .. } => players[0].role == Role::White,
        _ => false,
    };
    anna.wait_for(has_white).await;
    takes_seat(&mut boris, WireColor::Black).await;
    assert_eq!(boris.error().await, ErrorCode::Blocked);
    anna.send_message(&ClientMessage::LeaveSeat).await;

    // Clara is paired with the one who came first; the other waits on.
    for client in [&mut anna, &mut boris, &mut clara] {
        client
            .send_message(&ClientMessage::Quick(Quick::default()))
            .await;
        client
            .wait_for(|message| matches!(message, ServerMessage::Queued { .. }))
            .await;
    }
    anna.wait_for(is_paired).await;
    clara.wait_for(is_paired).await;

    assert_eq!(
        post(&server, "/blocks/boris/end", &of_anna, json!({}))
            .await
            .0,
        200
    );
    boris.send_message(&challenge("anna")).await;
    boris.created().await;

    // A deletion ends blocks and reports.
    assert_eq!(
        post(&server, "/blocks", &of_anna, json!({"name": "boris"}))
            .await
            .0,
        200
    );
    assert_eq!(
        post(&server, "/reports", &of_anna, report("boris")).await.0,
        200
    );
    let (status, _) = post(&server, "/delete", &of_boris, json!({"name": "boris"})).await;
    assert_eq!(status, 200);
    let file = directory.path().join("checkers.db");
    let database = rusqlite::Connection::open(file).unwrap();
    let rows = "SELECT (SELECT count(*) FROM block) + (SELECT count(*) FROM report)";
    let gone = async {
        while database
            .query_row(rows, [], |row| row.get::<_, i64>(0))
            .unwrap()
            > 0
        {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    crate::network::support::within(gone).await;
    server.stop().await;
}

#[tokio::test]
async fn tokens_have_scopes() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (_anna, owner) = member(&server, "anna").await;
    let bot = async |name: &str, scopes: Value| {
        let body = json!({"name": name, "scopes": scopes});
        let (status, made) = post(&server, "/bots", &owner, body).await;
        assert_eq!(status, 200, "{made}");
        made["token"].as_str().unwrap().to_owned()
    };
    let reader = bot("reader", json!(["read"])).await;
    assert_eq!(overview(&server, &reader).await.0, 200);
    assert_eq!(
        refused(&server, "", Some(&reader)).await,
        ErrorCode::Forbidden
    );
    let player = bot("player", json!(["play"])).await;
    let (status, answer) = overview(&server, &player).await;
    assert_eq!((status, &answer["code"]), (403, &json!("missing_scope")));
    let (mut client, _) = enter(&server, "", Some(&player)).await;
    client.send_message(&challenge("reader[bot]")).await;
    assert_eq!(client.error().await, ErrorCode::Forbidden);
    let tournament = Quick {
        tournament: Some("k3x9w2ab".to_owned()),
        ..Quick::default()
    };
    client.send_message(&ClientMessage::Quick(tournament)).await;
    assert_eq!(client.error().await, ErrorCode::Forbidden);
    // A new token has the scopes of the old one, or others.
    let path = "/bots/player%5Bbot%5D/token";
    let (_, made) = post(&server, path, &owner, json!({})).await;
    let token = made["token"].as_str().unwrap();
    assert_eq!(overview(&server, token).await.0, 403);
    let (_, made) = post(&server, path, &owner, json!({"scopes": ["play", "read"]})).await;
    let (_, account) = overview(&server, made["token"].as_str().unwrap()).await;
    assert_eq!(account["role"], "bot");
    let (_, account) = overview(&server, &owner).await;
    assert_eq!(account["bots"][0]["scopes"], json!(["read", "play"]));

    // The token of a person organises, and does not play.
    for scopes in [json!([]), json!(["play"]), json!(["read", "challenge"])] {
        let body = json!({"label": "script", "scopes": scopes});
        assert_eq!(post(&server, "/tokens", &owner, body).await.0, 400);
    }
    let person = async |scopes: Value| {
        let body = json!({"label": "script", "scopes": scopes});
        let (status, made) = post(&server, "/tokens", &owner, body).await;
        assert_eq!(status, 200, "{made}");
        made["token"].as_str().unwrap().to_owned()
    };
    let (reader, organiser) = (
        person(json!(["read"])).await,
        person(json!(["tournament"])).await,
    );
    assert_eq!(overview(&server, &reader).await.0, 200);
    assert_eq!(overview(&server, &organiser).await.0, 403);
    let tournament = json!({"name": "Friday", "format": "arena", "entrants": "people", "clock": "3m", "minutes": 60});
    for (token, status) in [(&reader, 403), (&organiser, 200)] {
        let (found, answer) = post(&server, "/tournaments", token, tournament.clone()).await;
        assert_eq!(found, status, "{answer}");
    }
    for token in [&reader, &organiser] {
        assert_eq!(
            refused(&server, "", Some(token)).await,
            ErrorCode::Forbidden
        );
        for (path, body) in [
            ("/password", json!({"password": "correct horse"})),
            ("/link", json!({})),
            ("/tokens", json!({"label": "more", "scopes": ["read"]})),
            ("/blocks", json!({"name": "anna"})),
            ("/reports", report("anna")),
            ("/administrator", json!({"code": "x"})),
            ("/delete", json!({"name": "anna"})),
        ] {
            let (status, answer) = post(&server, path, token, body).await;
            let code = answer["code"].as_str();
            assert_eq!((status, code), (403, Some("only_plays")), "{path}");
        }
    }
    let (_, account) = overview(&server, &owner).await;
    let tokens = account["tokens"].as_array().unwrap();
    assert_eq!(tokens.len(), 2);
    let path = format!("/tokens/{}/revoke", tokens[0]["id"]);
    assert_eq!(post(&server, &path, &owner, json!({})).await.0, 200);
    assert_eq!(post(&server, &path, &owner, json!({})).await.0, 404);
    // A session is no token.
    let path = format!("/tokens/{}/revoke", account["sessions"][0]["id"]);
    assert_eq!(post(&server, &path, &owner, json!({})).await.0, 404);
    let statuses = [
        overview(&server, &reader).await.0,
        overview(&server, &organiser).await.0,
    ];
    assert!(statuses.contains(&401), "{statuses:?}");
    for number in 1..20 {
        let body = json!({"label": number.to_string(), "scopes": ["read"]});
        assert_eq!(post(&server, "/tokens", &owner, body).await.0, 200);
    }
    let body = json!({"label": "21", "scopes": ["read"]});
    assert_eq!(post(&server, "/tokens", &owner, body).await.0, 409);
    server.stop().await;
}
