//! Accounts: keeping a name, signing in, leaving, and what attackers try.

mod bot_api;
mod class;
mod correspondence;
mod deletion;
mod ladder;
mod moderation;
mod notifications;
mod profiles;
mod ratings;
mod rounds;
mod tournaments;

use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, ErrorCode, Join, Joined, KeepName, NameKept, Ping, Registration, Role,
    ServerMessage, WireColor,
};
use checkers_server::Config;
use event_store::StoreAddress;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::{PostgresServer, stdout};
use tokio::time::sleep;

use crate::network::support::{TestClient, TestServer, request, within};

/// A server that keeps accounts in SQLite.
async fn keeping(directory: &TempDir, registration: Registration) -> TestServer {
    TestServer::start_with(Config {
        data: directory.path().to_owned(),
        registration,
        ..Config::default()
    })
    .await
}

/// The same with open registration and its store, which is returned too, in a new database of PostgreSQL; `None` if
/// there is no PostgreSQL.
async fn keeping_in_postgresql(directory: &TempDir) -> Option<(TestServer, String)> {
    let store = PostgresServer::shared()?.database();
    let config = Config {
        data: directory.path().to_owned(),
        store: Some(store.parse().unwrap()),
        registration: Registration::Open,
        ..Config::default()
    };
    Some((TestServer::start_with(config).await, store))
}

/// A server with open registration, and Anna, who has an account there, with her token.
async fn registered(directory: &TempDir) -> (TestServer, TestClient, String) {
    let server = keeping(directory, Registration::Open).await;
    let (mut anna, _) = enter(&server, "anna", None).await;
    let token = keep(&mut anna, None).await.unwrap().token;
    (server, anna, token)
}

/// Joins with a secret, and returns the answer.
async fn enter(server: &TestServer, name: &str, token: Option<&str>) -> (TestClient, Joined) {
    let mut client = server.connect().await;
    let token = token.map(str::to_owned);
    let join = Join {
        token,
        ..Join::new(name)
    };
    let joined = client.enter(join).await;
    (client, joined)
}

/// Why a join is refused.
async fn refused(server: &TestServer, name: &str, token: Option<&str>) -> ErrorCode {
    let mut client = server.connect().await;
    let join = Join {
        token: token.map(str::to_owned),
        ..Join::new(name)
    };
    client.send_message(&ClientMessage::Join(join)).await;
    client.error().await
}

async fn keep(client: &mut TestClient, invitation: Option<&str>) -> Result<NameKept, ErrorCode> {
    let invitation = invitation.map(str::to_owned);
    client
        .send_message(&ClientMessage::KeepName(KeepName { invitation }))
        .await;
    let is_answer = |message: &ServerMessage| {
        matches!(
            message,
            ServerMessage::NameKept(_) | ServerMessage::Error { .. }
        )
    };
    match client.wait_for(is_answer).await {
        ServerMessage::NameKept(kept) => Ok(kept),
        ServerMessage::Error { code, .. } => Err(code),
        _ => unreachable!("just waited for it"),
    }
}

/// The status and the body of a call of the API.
async fn call(
    server: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: &Value,
) -> (u16, Value) {
    let body = body.to_string();
    let head = format!(
        "{method} /api/account{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let answer = request(server, &head).await;
    let status = answer["HTTP/1.1 ".len()..][..3].parse().unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(!head.to_lowercase().contains("set-cookie"), "{head}");
    assert!(
        !head.to_lowercase().contains("access-control-allow-origin"),
        "{head}"
    );
    (status, serde_json::from_str(body).unwrap_or_default())
}

async fn post(server: &TestServer, path: &str, token: &str, body: Value) -> (u16, Value) {
    call(server.address, "POST", path, token, &body).await
}

async fn overview(server: &TestServer, token: &str) -> (u16, Value) {
    call(server.address, "GET", "", token, &json!({})).await
}

async fn sign_in(server: &TestServer, shown: Value) -> (u16, Value) {
    post(server, "/sign-in", "", shown).await
}

/// A guest's game goes on after the guest has kept the name, here and on another device.
async fn a_name_is_kept(server: TestServer, restart: impl AsyncFn(TestServer) -> TestServer) {
    let (mut anna, joined) = enter(&server, "anna", None).await;
    assert!(!joined.account);
    assert_eq!(joined.registration, Some(Registration::Open));
    let guest = joined.token.unwrap();
    let color = WireColor::White.into();
    anna.send_message(&ClientMessage::TakeSeat { color }).await;
    let is_seated = |message: &ServerMessage| match message {
        ServerMessage::Players { players, .. } => players[0].role == Role::White,
        _ => false,
    };
    anna.wait_for(is_seated).await;
    let kept = keep(&mut anna, None).await.unwrap();
    assert_eq!((kept.name.as_str(), kept.recovery.len()), ("anna", 10));
    assert_eq!(keep(&mut anna, None).await, Err(ErrorCode::NameTaken));

    // The seat is the account's, whose first secret is the guest's.
    assert_eq!(kept.token, guest);
    for name in ["anna", "Аnna"] {
        assert_eq!(refused(&server, name, None).await, ErrorCode::NameTaken);
    }
    let (_, back) = enter(&server, "anna", Some(&kept.token)).await;
    assert!(back.account && back.resumed);
    assert_eq!(
        (back.seats.len(), back.token.as_deref()),
        (1, Some(kept.token.as_str()))
    );

    let server = restart(server).await;
    let (_, back) = enter(&server, "whoever", Some(&kept.token)).await;
    assert_eq!((back.name.as_str(), back.account), ("anna", true));
    assert_eq!(refused(&server, "anna", None).await, ErrorCode::NameTaken);

    // A link signs in on another device, once.
    let (status, link) = post(
        &server,
        "/link",
        &kept.token,
        json!({"page": "http://x/sign-in#"}),
    )
    .await;
    assert_eq!(status, 200, "{link}");
    assert!(link["qr"].as_str().unwrap().contains("<svg"));
    let shown = json!({"code": link["code"], "label": "phone"});
    let (status, phone) = sign_in(&server, shown.clone()).await;
    assert_eq!((status, phone["name"].as_str()), (200, Some("anna")));
    assert_eq!(sign_in(&server, shown).await.0, 403);
    let phone = phone["token"].as_str().unwrap();
    let (_, joined) = enter(&server, "anna", Some(phone)).await;
    assert!(joined.account);

    // A recovery code signs in once, however it is typed.
    let code = kept.recovery[3].to_uppercase().replace('-', " ");
    assert_eq!(sign_in(&server, json!({"code": code})).await.0, 200);
    assert_eq!(sign_in(&server, json!({"code": code})).await.0, 403);

    let (status, account) = overview(&server, phone).await;
    assert_eq!(status, 200);
    assert_eq!(
        (account["name"].as_str(), account["role"].as_str()),
        (Some("anna"), Some("person"))
    );
    assert_eq!(
        (account["recovery"].as_i64(), account["password"].as_bool()),
        (Some(9), Some(false))
    );
    let sessions = account["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 3);
    let own: Vec<&Value> = sessions
        .iter()
        .filter(|session| session["own"] == true)
        .collect();
    assert_eq!((own.len(), own[0]["label"].as_str()), (1, Some("phone")));

    // New codes void the old ones.
    let (status, renewed) = post(&server, "/recovery", phone, json!({})).await;
    assert_eq!(
        (status, renewed["recovery"].as_array().unwrap().len()),
        (200, 10)
    );
    assert_eq!(
        sign_in(&server, json!({"code": kept.recovery[4]})).await.0,
        403
    );

    // A password signs in, and ends all other sessions.
    let password = |password: &str| json!({"name": "anna", "password": password});
    assert_eq!(sign_in(&server, password("")).await.0, 403);
    assert_eq!(
        post(&server, "/password", phone, json!({"password": "short"}))
            .await
            .0,
        400
    );
    assert_eq!(
        post(
            &server,
            "/password",
            phone,
            json!({"password": "longer one"})
        )
        .await
        .0,
        200
    );
    assert_eq!(overview(&server, &kept.token).await.0, 401);
    // A secret that is void opens neither the account nor, under another name, its seats.
    for name in ["anna", "boris"] {
        assert_eq!(
            refused(&server, name, Some(&kept.token)).await,
            ErrorCode::BadToken
        );
    }
    let (status, signed_in) = sign_in(&server, password("longer one")).await;
    assert_eq!(status, 200, "{signed_in}");

    // A session ends by itself and by another.
    let token = signed_in["token"].as_str().unwrap();
    let (_, account) = overview(&server, token).await;
    let other = account["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|session| session["own"] == false);
    let path = format!("/sessions/{}/end", other.unwrap()["id"]);
    assert_eq!(post(&server, &path, token, json!({})).await.0, 200);
    assert_eq!(post(&server, &path, token, json!({})).await.0, 404);
    assert_eq!(overview(&server, phone).await.0, 401);
    assert_eq!(post(&server, "/sign-out", token, json!({})).await.0, 200);
    assert_eq!(post(&server, "/sign-out", token, json!({})).await.0, 401);
    server.stop().await;
}

#[tokio::test]
async fn a_name_is_kept_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let restart = async |server: TestServer| {
        server.stop().await;
        keeping(&directory, Registration::Open).await
    };
    a_name_is_kept(server, restart).await;
}

#[tokio::test]
async fn a_name_is_kept_in_postgres() {
    let Some(postgres) = PostgresServer::shared() else {
        return;
    };
    let directory = TempDir::new().unwrap();
    let database = postgres.database();
    let start = || {
        let store: StoreAddress = database.parse().unwrap();
        TestServer::start_with(Config {
            data: directory.path().to_owned(),
            store: Some(store),
            ..Config::default()
        })
    };
    let server = start().await;
    let restart = async |server: TestServer| {
        server.stop().await;
        start().await
    };
    a_name_is_kept(server, restart).await;
}

#[tokio::test]
async fn the_owner_of_an_account_displaces_a_guest() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Closed).await;
    let (mut guest, _) = enter(&server, "Pupil", None).await;
    let printed = command(&directory, &["create", "Pupil"]);
    let (code, _) = printed.split_once("  ").unwrap();
    let (_, signed_in) = sign_in(&server, json!({"code": code})).await;
    let (_, joined) = enter(&server, "", signed_in["token"].as_str()).await;
    assert_eq!((joined.name.as_str(), joined.account), ("Pupil", true));
    assert_eq!(guest.closed().await.0, 4002);
    // Without a name, a token is that of an account.
    let unknown = "0".repeat(32);
    assert_eq!(
        refused(&server, "", Some(&unknown)).await,
        ErrorCode::BadToken
    );
    // No client shows the key of an account.
    let key = format!("account:{}", "0".repeat(64));
    assert_eq!(
        refused(&server, "boris", Some(&key)).await,
        ErrorCode::BadToken
    );
    assert_eq!(
        refused(&server, "deleted-17", None).await,
        ErrorCode::NameTaken
    );
    server.stop().await;
}

#[tokio::test]
async fn registration_may_be_closed() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Closed).await;
    let (mut anna, joined) = enter(&server, "anna", None).await;
    assert_eq!(joined.registration, Some(Registration::Closed));
    assert_eq!(
        keep(&mut anna, None).await,
        Err(ErrorCode::RegistrationClosed)
    );
    server.stop().await;

    let server = TestServer::start().await;
    let (mut anna, joined) = enter(&server, "anna", None).await;
    assert_eq!(joined.registration, None);
    assert_eq!(
        keep(&mut anna, None).await,
        Err(ErrorCode::RegistrationClosed)
    );
    assert_eq!(overview(&server, "x").await.0, 404);
    server.stop().await;
}

#[tokio::test]
async fn no_client_claims_the_key_of_an_account() {
    let directory = TempDir::new().unwrap();
    let with_accounts = keeping(&directory, Registration::Open).await;
    for server in [with_accounts, TestServer::start().await] {
        let (mut anna, _) = enter(&server, "anna", None).await;
        let key = format!("account:{}", "0".repeat(64));
        for name in ["anna", "boris"] {
            let code = refused(&server, name, Some(&key)).await;
            assert_eq!(code, ErrorCode::BadToken);
        }
        anna.send_message(&ClientMessage::Ping(Ping::default()))
            .await;
        anna.wait_for(|message| matches!(message, ServerMessage::Pong(_)))
            .await;
        server.stop().await;
    }
}

#[tokio::test]
async fn an_invitation_serves_one_account() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Invitation).await;
    let (mut anna, _) = enter(&server, "anna", None).await;
    assert_eq!(
        keep(&mut anna, None).await,
        Err(ErrorCode::RegistrationClosed)
    );
    assert_eq!(
        keep(&mut anna, Some("nonsense")).await,
        Err(ErrorCode::BadToken)
    );
    let invitation = command(&directory, &["invite"]);
    let (invitation, path) = invitation.trim().split_once("  ").unwrap();
    assert_eq!(path, format!("/invitation#{invitation}"));
    let invitation = Some(invitation);
    // Nobody signs in by it.
    assert_eq!(sign_in(&server, json!({"code": invitation})).await.0, 403);
    assert!(keep(&mut anna, invitation).await.is_ok());
    let (mut boris, _) = enter(&server, "boris", None).await;
    assert_eq!(keep(&mut boris, invitation).await, Err(ErrorCode::BadToken));
    server.stop().await;
}

#[tokio::test]
async fn the_command_line_lets_an_owner_in_again() {
    let directory = TempDir::new().unwrap();
    let (server, _anna, _) = registered(&directory).await;
    assert_eq!(command(&directory, &["list"]), "person        anna\n");
    let code = command(&directory, &["link", "anna"]);
    let (code, path) = code.trim().split_once("  ").unwrap();
    assert_eq!(path, format!("/sign-in#{code}"));
    assert_eq!(sign_in(&server, json!({"code": code})).await.0, 200);
    server.stop().await;
}

fn account_command(directory: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    command.arg("--data").arg(directory.path()).arg("account");
    command
}

/// What `checkers-server account` prints, while a server uses the directory.
fn command(directory: &TempDir, arguments: &[&str]) -> String {
    stdout(account_command(directory).args(arguments))
}

/// What a command for a store prints.
fn run(store: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
    stdout(command.args(["--store", store]).args(arguments))
}

#[tokio::test]
async fn a_bot_plays_under_its_own_name_and_does_nothing_else() {
    let directory = TempDir::new().unwrap();
    let (server, _anna, owner) = registered(&directory).await;
    for name in ["kestrel[bot]", "kestrel[B0T]"] {
        assert_eq!(refused(&server, name, None).await, ErrorCode::NameTaken);
    }
    let create = async |name: &str| post(&server, "/bots", &owner, json!({"name": name})).await;
    let (status, made) = create("kestrel").await;
    assert_eq!((status, made["name"].as_str()), (200, Some("kestrel[bot]")));
    let token = made["token"].as_str().unwrap();
    for (name, status) in [
        ("Kestre1[bot]", 409),
        ("", 400),
        ("a name of 26 characters 45", 400),
    ] {
        assert_eq!(create(name).await.0, status, "{name:?}");
    }
    // Its owner is connected too.
    let (mut bot, joined) = enter(&server, "", Some(token)).await;
    assert_eq!(
        (joined.name.as_str(), joined.account),
        ("kestrel[bot]", true)
    );
    let (status, account) = overview(&server, token).await;
    assert_eq!((status, account["role"].as_str()), (200, Some("bot")));
    for (path, body) in [
        ("/password", json!({"password": "correct horse"})),
        ("/link", json!({})),
        ("/recovery", json!({})),
        ("/bots", json!({"name": "another"})),
        ("/bots/kestrel%5Bbot%5D/token", json!({})),
        ("/bots/kestrel%5Bbot%5D/delete", json!({})),
        ("/delete", json!({"name": "kestrel[bot]"})),
        ("/sessions/1/end", json!({})),
    ] {
        let (status, answer) = post(&server, path, token, body).await;
        let code = answer["code"].as_str();
        assert_eq!((status, code), (403, Some("only_plays")), "{path}");
    }
    let export = call(server.address, "GET", "/export", token, &json!({})).await;
    assert_eq!(export.0, 403);

    // Nobody else's bot can be changed.
    let (mut boris, _) = enter(&server, "boris", None).await;
    let of_boris = keep(&mut boris, None).await.unwrap().token;
    for path in [
        "/bots/kestrel%5Bbot%5D/token",
        "/bots/kestrel%5Bbot%5D/delete",
    ] {
        assert_eq!(post(&server, path, &of_boris, json!({})).await.0, 404);
    }
    // A new token replaces the old one, and disconnects the program.
    let path = "/bots/kestrel%5Bbot%5D/token";
    let (status, renewed) = post(&server, path, &owner, json!({})).await;
    assert_eq!(status, 200);
    bot.closed().await;
    assert_eq!(overview(&server, token).await.0, 401);
    let token = renewed["token"].as_str().unwrap();
    assert_eq!(overview(&server, token).await.0, 200);

    for number in 1..50 {
        assert_eq!(create(&format!("bot {number}")).await.0, 200);
    }
    assert_eq!(create("bot 50").await.0, 409);
    let (_, account) = overview(&server, &owner).await;
    assert_eq!(account["bots"].as_array().map(Vec::len), Some(50));
    // The owner's deletion deletes the bots.
    let (status, _) = post(&server, "/delete", &owner, json!({"name": "anna"})).await;
    assert_eq!(status, 200);
    let gone = async {
        while !command(&directory, &["list"]).ends_with("boris\n")
            || command(&directory, &["list"]).lines().count() > 1
        {
            sleep(Duration::from_millis(100)).await;
        }
    };
    within(gone).await;
    assert_eq!(overview(&server, token).await.0, 401);
    let made = command(&directory, &["create-bot", "kestrel"]);
    let (token, name) = made.trim_end().split_once("  ").unwrap();
    assert_eq!(name, "kestrel[bot]");
    assert_eq!(overview(&server, token).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_class_gets_cards() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Closed).await;
    let cards = directory.path().join("cards.html");
    let file = cards.to_str().unwrap();
    let arguments = [
        "create",
        "Pupil A",
        "Pupil B",
        "--page",
        "http://x:43210/",
        "--cards",
        file,
    ];
    let printed = command(&directory, &arguments);
    let links: Vec<(&str, &str)> = printed
        .lines()
        .filter_map(|line| line.split_once("  "))
        .collect();
    let names: Vec<&str> = links.iter().map(|(_, name)| *name).collect();
    assert_eq!(names, ["Pupil A", "Pupil B"]);
    let page = fs::read_to_string(&cards).unwrap();
    for (code, name) in links {
        assert!(
            page.contains(&format!("http://x:43210/sign-in#{code}")),
            "{page}"
        );
        let (status, signed_in) = sign_in(&server, json!({"code": code})).await;
        assert_eq!((status, signed_in["name"].as_str()), (200, Some(name)));
        let (_, joined) = enter(&server, name, signed_in["token"].as_str()).await;
        assert_eq!((joined.name.as_str(), joined.account), (name, true));
    }
    // All or none.
    for (names, problem) in [
        (["Pupil C", "Pupil A"], "is registered"),
        (["Pupil C", "pupil c"], "is registered"),
        (["Pupil C", "Level 3"], "is reserved"),
        (["Pupil C", "kite[bot]"], "is reserved"),
        (["Pupil C", ""], "is no name"),
    ] {
        let output = account_command(&directory)
            .arg("create")
            .args(names)
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && errors.contains(problem),
            "{errors}"
        );
    }
    assert!(!command(&directory, &["list"]).contains("Pupil C"));
    server.stop().await;
}

#[tokio::test]
async fn an_account_has_at_most_fifty_sessions() {
    let directory = TempDir::new().unwrap();
    let (server, _anna, token) = registered(&directory).await;
    let password = json!({"password": "other staple"});
    assert_eq!(post(&server, "/password", &token, password).await.0, 200);
    let file = directory.path().join("checkers.db");
    let database = rusqlite::Connection::open(file).unwrap();
    let add = "INSERT INTO credential (hash, account, kind, label, created_at, used_at, expires_at)
        SELECT randomblob(32), account, 'session', 'old', 1, 1, expires_at FROM credential WHERE kind = 'session' LIMIT 1";
    for _ in 0..60 {
        database.execute(add, []).unwrap();
    }
    let (status, _) = sign_in(&server, json!({"name": "anna", "password": "other staple"})).await;
    assert_eq!(status, 200);
    let count = "SELECT count(*) FROM credential WHERE kind = 'session'";
    let sessions: i64 = database.query_row(count, [], |row| row.get(0)).unwrap();
    assert_eq!(sessions, 50);
    assert_eq!(overview(&server, &token).await.0, 200, "it was used last");
    server.stop().await;
}

#[tokio::test]
async fn passwords_cannot_be_tried_for_long() {
    let directory = TempDir::new().unwrap();
    let (server, _anna, token) = registered(&directory).await;
    post(
        &server,
        "/password",
        &token,
        json!({"password": "correct horse"}),
    )
    .await;
    let attempt = async |name: &str, password: &str| {
        sign_in(&server, json!({"name": name, "password": password})).await
    };
    // An unknown name and a wrong password are told alike.
    let wrong = attempt("anna", "wrong horse").await;
    assert_eq!(wrong.0, 403);
    assert_eq!(attempt("boris", "wrong horse").await, wrong);
    assert_eq!(attempt("ANNA", "correct horse").await, wrong);
    for _ in 0..8 {
        assert_eq!(attempt("anna", "wrong horse").await.0, 403);
    }
    assert_eq!(attempt("anna", "correct horse").await.0, 429);
    // The owner is still in.
    assert_eq!(overview(&server, &token).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn requests_that_make_no_sense_are_refused() {
    let directory = TempDir::new().unwrap();
    let (server, _anna, token) = registered(&directory).await;
    for (shown, status) in [
        (json!({}), 400),
        (json!({"name": "anna"}), 400),
        (json!({"name": "anna", "password": "x", "code": "y"}), 400),
        (json!({"code": 5}), 400),
        (json!({"code": "x", "more": "y"}), 400),
        (json!({"code": ""}), 403),
        (json!({"code": "' OR '1'='1"}), 403),
        (json!({"code": token}), 403),
        (json!({"name": "anna", "password": "x".repeat(3000)}), 403),
        (json!({"name": "anna' --", "password": "x"}), 403),
        (json!({"code": "x".repeat(5000)}), 413),
    ] {
        let (found, answer) = sign_in(&server, shown.clone()).await;
        assert_eq!(found, status, "{shown}: {answer}");
        assert!(!answer.to_string().contains(&token), "{answer}");
    }
    let spaced = format!("{token} ");
    let long = "0".repeat(64);
    for shown in ["", "x", &long, &spaced, "' OR '1'='1"] {
        let (status, _) = overview(&server, shown).await;
        assert!(status == 401 || shown == spaced, "{shown:?}: {status}");
    }
    // A secret in the address is not looked at.
    let (status, _) = call(
        server.address,
        "GET",
        &format!("?token={token}"),
        "",
        &json!({}),
    )
    .await;
    assert_eq!(status, 401);
    server.stop().await;
}

#[tokio::test]
async fn one_address_makes_so_many_accounts() {
    let directory = TempDir::new().unwrap();
    let server = TestServer::start_with(Config {
        data: directory.path().to_owned(),
        unlimited_addresses: "".parse().unwrap(),
        address_connection_burst: 1000,
        message_burst: 20_000,
        address_message_burst: 20_000,
        ..Config::default()
    })
    .await;
    let mut made = 0;
    let (mut student, refused) = loop {
        let name = format!("student {made}");
        let (mut student, _) = enter(&server, &name, None).await;
        match keep(&mut student, None).await {
            Ok(_) => made += 1,
            Err(code) => break (student, code),
        }
    };
    assert_eq!((made, refused), (60, ErrorCode::TooManyMessages));
    for _ in made..10_000 {
        let refused = keep(&mut student, None).await.unwrap_err();
        assert_eq!(refused, ErrorCode::TooManyMessages);
    }
    assert_eq!(command(&directory, &["list"]).lines().count(), made);
    server.stop().await;
}
