//! Rated games and what becomes of them.

use std::time::Duration;

use checkers_lib::protocol::{
    BotRequest, BotRequests, ClientMessage, CreateTable, ErrorCode, Meant, Quick, Registration,
    SeatWish, ServerMessage, Watch, WireColor,
};
use checkers_server::Config;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::PostgresServer;
use tokio::time::sleep;

use super::correspondence::{answer, challenge};
use super::{enter, keep, keeping, keeping_in_postgresql, post, run};
use crate::network::support::{TestClient, TestServer, get, within};

fn rated() -> CreateTable {
    CreateTable {
        color: Some(SeatWish::White),
        clock: Some("5m+3s".to_owned()),
        rated: true,
        ..CreateTable::default()
    }
}

/// A client with an account, and its token.
pub(super) async fn owner(server: &TestServer, name: &str) -> (TestClient, String) {
    let (mut client, _) = enter(server, name, None).await;
    let token = keep(&mut client, None).await.unwrap().token;
    (client, token)
}

/// A bot of an account.
pub(super) async fn bot(server: &TestServer, owner: &str, name: &str) -> TestClient {
    let (_, made) = post(server, "/bots", owner, json!({"name": name})).await;
    enter(server, "", made["token"].as_str()).await.0
}

pub(super) async fn create(client: &mut TestClient, wanted: CreateTable) -> String {
    client
        .send_message(&ClientMessage::CreateTable(wanted))
        .await;
    client.created().await
}

pub(super) async fn take_black(client: &mut TestClient, table: &str) {
    client
        .say_at(table, ClientMessage::Watch(Watch::default()))
        .await;
    let color = WireColor::Black.into();
    client
        .say_at(table, ClientMessage::TakeSeat { color })
        .await;
}

pub(super) fn is_over(message: &ServerMessage) -> bool {
    matches!(message, ServerMessage::GameOver { .. })
}

/// Black resigns after six moves of both sides.
async fn win(white: &mut TestClient, black: &mut TestClient, table: &str) {
    for _ in 0..3 {
        white.play_first_move().await;
        black.play_first_move().await;
    }
    black
        .say_at(table, ClientMessage::Resign(Meant::default()))
        .await;
    white.wait_for(is_over).await;
}

/// The ratings of a player, once there are some.
pub(super) async fn ratings_of(server: &TestServer, name: &str, games: i64) -> Value {
    let rated = async {
        loop {
            let answer = get(server.address, &format!("/api/players/{name}")).await;
            let (_, body) = answer.split_once("\r\n\r\n").unwrap();
            let page: Value = serde_json::from_str(body).unwrap_or_default();
            if page["ratings"][0]["games"].as_i64() >= Some(games) {
                return page["ratings"].clone();
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    within(rated).await
}

/// Games are rated, and the ratings follow from the archive alone.
async fn games_are_rated(server: TestServer, store: &str) {
    let (_, token) = owner(&server, "anna").await;
    let (mut boris, token_of_boris) = owner(&server, "boris").await;
    let (mut guest, _) = enter(&server, "guest", None).await;
    guest
        .send_message(&ClientMessage::CreateTable(rated()))
        .await;
    assert_eq!(guest.error().await, ErrorCode::NotRated);
    // Bots play rated games with bots.
    let mut kestrel = bot(&server, &token, "kestrel").await;
    let mut merlin = bot(&server, &token, "merlin").await;
    let table = create(&mut kestrel, rated()).await;
    take_black(&mut merlin, &table).await;
    win(&mut kestrel, &mut merlin, &table).await;
    let of_kestrel = ratings_of(&server, "kestrel%5Bbot%5D", 1).await;
    assert_eq!(of_kestrel[0]["rating"], 1741);
    let challenge = CreateTable {
        opponent: Some("anna".to_owned()),
        ..rated()
    };
    kestrel
        .send_message(&ClientMessage::CreateTable(challenge))
        .await;
    assert_eq!(kestrel.error().await, ErrorCode::NotRated);
    let (mut anna, _) = enter(&server, "anna", Some(&token)).await;
    let table = create(&mut anna, rated()).await;
    take_black(&mut guest, &table).await;
    assert_eq!(guest.error().await, ErrorCode::NotRated);
    take_black(&mut kestrel, &table).await;
    assert_eq!(kestrel.error().await, ErrorCode::NotRated);
    take_black(&mut boris, &table).await;
    win(&mut anna, &mut boris, &table).await;
    let of_anna = ratings_of(&server, "anna", 1).await;
    assert_eq!(of_anna[0]["speed"], "rapid");
    assert_eq!(of_anna[0]["rating"], 1741);
    assert_eq!(of_anna[0]["provisional"], true);
    assert_eq!(of_anna[0]["history"].as_array().map(Vec::len), Some(1));
    let of_boris = ratings_of(&server, "boris", 1).await;
    assert_eq!(of_boris[0]["rating"], 1259);
    let best = get(server.address, "/api/ratings/rapid").await;
    let (_, best) = best.split_once("\r\n\r\n").unwrap();
    let best: Value = serde_json::from_str(best).unwrap();
    // Ratings after one game are provisional.
    assert_eq!(best, json!({"speed": "rapid", "players": []}));

    let rating = get(server.address, "/api/players/anna/rating?clock=5m%2B3s").await;
    assert!(
        rating.contains(r#""speed":"rapid","rating":1741,"#),
        "{rating}"
    );
    for (clock, status) in [("1m", 404), ("soon", 400)] {
        let answer = get(
            server.address,
            &format!("/api/players/anna/rating?clock={clock}"),
        )
        .await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }

    // A level has a fixed rating.
    let against_level = CreateTable {
        bots: BotRequests {
            white: None,
            black: Some(BotRequest::Level(10)),
        },
        ..rated()
    };
    let table = create(&mut anna, against_level).await;
    for _ in 0..4 {
        anna.play_first_move().await;
    }
    anna.say_at(&table, ClientMessage::Resign(Meant::default()))
        .await;
    anna.wait_for(is_over).await;
    let of_anna = ratings_of(&server, "anna", 2).await;
    let rating = of_anna[0]["rating"].as_i64().unwrap();
    assert!(
        (1650..1741).contains(&rating),
        "little is lost to level 10: {rating}"
    );
    assert_eq!(of_anna[0]["games"], 2);

    // A short game is not rated.
    let table = create(&mut anna, rated()).await;
    take_black(&mut boris, &table).await;
    anna.play_first_move().await;
    boris.play_first_move().await;
    boris
        .say_at(&table, ClientMessage::Resign(Meant::default()))
        .await;
    anna.wait_for(is_over).await;

    let answer = get(server.address, "/api/games?player=anna").await;
    assert_eq!(answer.matches(r#""rated":true"#).count(), 3);

    // Boris's games and ratings get another name.
    let (status, _) = post(
        &server,
        "/delete",
        &token_of_boris,
        json!({"name": "boris"}),
    )
    .await;
    assert_eq!(status, 200);
    let gone = async {
        while run(store, &["account", "list"]).contains("boris") {
            sleep(Duration::from_millis(50)).await;
        }
    };
    within(gone).await;
    server.stop().await;
    let all_right = "3 rated games, 4 ratings, 0 of them were wrong\n";
    assert_eq!(run(store, &["ratings", "recompute"]), all_right);

    let copy = TempDir::new().unwrap();
    let to = format!("sqlite:{}", copy.path().display());
    run(store, &["migrate", "--from", store, "--to", &to]);
    assert_eq!(run(&to, &["ratings", "recompute"]), all_right);
    assert_eq!(
        run(store, &["ratings", "best"]),
        "blitz\nblitz, bots\nrapid\nrapid, bots\nclassic\nclassic, bots\ncorrespondence\ncorrespondence, bots\n"
    );
}

#[tokio::test]
async fn quick_games_are_rated_if_both_players_want_it() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    let (mut anna, _) = owner(&server, "anna").await;
    let (mut boris, _) = owner(&server, "boris").await;
    let (mut guest, _) = enter(&server, "guest", None).await;
    let quick = |rated| {
        ClientMessage::Quick(Quick {
            clock: Some("3m+2s".into()),
            rated,
            ..Quick::default()
        })
    };
    anna.send_message(&quick(true)).await;
    guest.send_message(&quick(true)).await;
    assert_eq!(guest.error().await, ErrorCode::NotRated);
    guest.send_message(&quick(false)).await;
    let is_queued = |message: &ServerMessage| matches!(message, ServerMessage::Queued { .. });
    guest.wait_for(is_queued).await;
    boris.send_message(&quick(true)).await;
    let state = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    for player in [&mut anna, &mut boris] {
        let ServerMessage::TableState(state) = player.wait_for(state).await else {
            unreachable!("just waited for it")
        };
        assert!(state.info.rated && !state.info.casual);
    }
    server.stop().await;
}

/// Who gives up rated games early again and again plays none for some time.
async fn rated_games_are_given_up(server: &TestServer) {
    let (mut anna, of_anna) = owner(server, "anna").await;
    let (mut boris, of_boris) = owner(server, "boris").await;
    let by_correspondence =
        |opponent, rated| json!({"opponent": opponent, "days": 3, "rated": rated});
    let at = server.address;
    let (_, waiting) = challenge(at, &of_anna, by_correspondence("boris", true)).await;
    let waiting = waiting["id"].as_str().unwrap();
    // He aborts one, leaves one, and resigns one.
    let tables = [
        create(&mut anna, rated()).await,
        create(&mut anna, rated()).await,
        create(&mut anna, rated()).await,
    ];
    for table in &tables {
        take_black(&mut boris, table).await;
    }
    let mut give_up = async |table: &String, message| {
        boris.say_at(table, message).await;
        anna.wait_for(is_over).await;
    };
    give_up(&tables[0], ClientMessage::Abort(Meant::default())).await;
    give_up(&tables[1], ClientMessage::LeaveSeat).await;
    let open = create(&mut anna, rated()).await;
    boris
        .say_at(&open, ClientMessage::Watch(Watch::default()))
        .await;
    boris
        .say_at(&tables[2], ClientMessage::Resign(Meant::default()))
        .await;
    anna.wait_for(is_over).await;
    let refused = [
        (None, ClientMessage::CreateTable(rated())),
        (
            None,
            ClientMessage::Quick(Quick {
                rated: true,
                ..Quick::default()
            }),
        ),
        (
            Some(&open),
            ClientMessage::TakeSeat {
                color: WireColor::Black.into(),
            },
        ),
        (
            Some(&open),
            ClientMessage::TakeSeat {
                color: SeatWish::Random,
            },
        ),
        (
            Some(&tables[2]),
            ClientMessage::OfferRematch(Meant::default()),
        ),
        (
            Some(&tables[2]),
            ClientMessage::AcceptRematch(Meant::default()),
        ),
    ];
    for (table, message) in refused {
        match table {
            Some(table) => boris.say_at(table, message).await,
            None => boris.send_message(&message).await,
        }
        assert_eq!(boris.error().await, ErrorCode::RatedPaused);
    }
    assert_eq!(answer(at, &of_boris, waiting, "accept").await, 403);
    let (status, refused) = challenge(at, &of_boris, by_correspondence("anna", true)).await;
    assert_eq!((status, &refused["code"]), (403, &json!("not_allowed")));
    // Others play on, and he plays unrated games.
    let unrated = challenge(at, &of_boris, by_correspondence("anna", false)).await;
    assert_eq!(unrated.0, 200, "{unrated:?}");
    create(&mut anna, rated()).await;
    let unrated = CreateTable {
        rated: false,
        ..rated()
    };
    create(&mut boris, unrated).await;
}

#[tokio::test]
async fn rated_games_are_given_up_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let server = keeping(&directory, Registration::Open).await;
    rated_games_are_given_up(&server).await;
    server.stop().await;
}

#[tokio::test]
async fn rated_games_are_given_up_in_postgres() {
    let directory = TempDir::new().unwrap();
    let Some((server, _)) = keeping_in_postgresql(&directory).await else {
        return;
    };
    rated_games_are_given_up(&server).await;
    server.stop().await;
}

#[tokio::test]
async fn games_are_rated_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let store = format!("sqlite:{}", directory.path().display());
    games_are_rated(keeping(&directory, Registration::Open).await, &store).await;
}

#[tokio::test]
async fn games_are_rated_in_postgres() {
    let Some(database) = PostgresServer::shared() else {
        return;
    };
    let url = database.database();
    let directory = TempDir::new().unwrap();
    let config = Config {
        data: directory.path().to_owned(),
        store: Some(url.parse().unwrap()),
        registration: Registration::Open,
        ..Config::default()
    };
    games_are_rated(TestServer::start_with(config).await, &url).await;
}
