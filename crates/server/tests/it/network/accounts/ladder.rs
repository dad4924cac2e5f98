//! Bots on the ladder.

use std::fs;
use std::process::Command;
use std::time::Duration;

use checkers_lib::protocol::{
    AddBot, BotRequest, ClientMessage, ErrorCode, Meant, Quick, Registration, SeatWish,
    ServerMessage, TableState, Visibility, Watch, WireColor,
};
use checkers_server::Config;
use serde_json::{Value, json};
use tempfile::TempDir;
use test_support::{PostgresServer, query};
use tokio::time::sleep;

use super::ratings::{bot, owner, ratings_of};
use super::{keeping, post};
use crate::network::support::{TestClient, TestServer, get, request, within};

/// Waits for a game on the ladder, or on a private one, and enters it. Returns the bot's colour, and the table.
async fn enter_game(bot: &mut TestClient, ladder: Option<&str>) -> (WireColor, TableState) {
    let message = ClientMessage::Quick(Quick {
        clock: ladder.is_none().then(|| "1m+1s".into()),
        rated: ladder.is_none(),
        ladder: ladder.map(Into::into),
        ..Quick::default()
    });
    bot.send_message(&message).await;
    let is_paired = |message: &ServerMessage| matches!(message, ServerMessage::Paired { .. });
    let ServerMessage::Paired { color, .. } = bot.wait_for(is_paired).await else {
        unreachable!("just waited for it")
    };
    let is_entered = |message: &ServerMessage| matches!(message, ServerMessage::TableState(_));
    match bot.wait_for(is_entered).await {
        ServerMessage::TableState(state) => (color, *state),
        other => panic!("{other:?}"),
    }
}

/// Plays a game in which the first bot resigns after a few moves; its colour.
async fn lose(first: &mut TestClient, second: &mut TestClient) -> WireColor {
    let ((color, state), _) = tokio::join!(enter_game(first, None), enter_game(second, None));
    let season = humantime::format_rfc3339(std::time::SystemTime::now()).to_string();
    let event = format!("ladder-{}", &season[..7]);
    assert_eq!(state.info.event.as_deref(), Some(&*event));
    assert!(state.info.rated && !state.info.casual);
    let table = state.table;
    let play = async |bot: &mut TestClient| {
        for _ in 0..3 {
            bot.play_first_move().await;
        }
    };
    tokio::join!(play(first), play(second));
    first
        .say_at(&table, ClientMessage::Resign(Meant::default()))
        .await;
    let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
    tokio::join!(first.wait_for(is_over), second.wait_for(is_over));
    color
}

pub(super) async fn read(server: &TestServer, path: &str) -> Value {
    let answer = get(server.address, path).await;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(body).unwrap()
}

/// Games of an event whose endings were not judged.
const LEFT: &str = "SELECT count(*) FROM game WHERE event IS NOT NULL AND white_moves IS NULL";

/// `left` counts the games of [`LEFT`].
async fn bots_play_on_the_ladder(server: TestServer, left: impl Fn() -> i64) {
    let (_, token) = owner(&server, "anna").await;
    let (_, of_boris) = owner(&server, "boris").await;
    let mut kestrel = bot(&server, &token, "kestrel").await;
    let mut merlin = bot(&server, &of_boris, "merlin").await;
    let colors = [
        lose(&mut merlin, &mut kestrel).await,
        lose(&mut merlin, &mut kestrel).await,
    ];
    assert_ne!(colors[0], colors[1]);
    ratings_of(&server, "kestrel%5Bbot%5D", 2).await;

    let standings = read(&server, "/api/ladder/blitz").await;
    let event = standings["event"].as_str().unwrap();
    let games = read(&server, &format!("/api/games?event={event}")).await;
    assert_eq!(
        (&standings["games"], &games["count"]),
        (&2.into(), &2.into())
    );
    let ids = games["games"].as_array().unwrap().iter();
    let mut openings = Vec::new();
    for id in ids.filter_map(|game| game["id"].as_str()) {
        let game = read(&server, &format!("/api/games/{id}")).await;
        let plies = game["opening_plies"].as_u64().unwrap() as usize;
        openings.push(game["moves"].as_array().unwrap()[..plies].to_vec());
    }
    assert_eq!(openings[0], openings[1]);
    // Nothing compares them with the levels yet.
    let players = standings["players"].as_array().unwrap();
    let told: Vec<_> = players
        .iter()
        .map(|player| {
            (
                player["name"].as_str(),
                player["won"].as_u64(),
                player["unrated"].as_str(),
            )
        })
        .collect();
    let expected = [
        (Some("kestrel[bot]"), Some(2), Some("all games won")),
        (Some("merlin[bot]"), Some(0), Some("all games lost")),
    ];
    assert_eq!(told, expected);
    let rapid = read(&server, "/api/ladder/rapid?season=2026-10").await;
    assert_eq!(rapid["players"], Value::Array(Vec::new()));
    for (path, status) in [
        ("/api/ladder/fast", 404),
        ("/api/ladder/blitz?season=2026-13", 400),
    ] {
        let answer = get(server.address, path).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }
    play_on_a_private_ladder(&server, &token, &mut kestrel, &mut merlin).await;
    let file = get(server.address, "/api/ladder/seasons/2026-10").await;
    assert!(
        file.contains(r#"{"games":0,"standings":{"blitz":[],"#),
        "{file}"
    );
    verify_season(&server, event.strip_prefix("ladder-").unwrap()).await;
    let judged = async {
        while left() > 0 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    within(judged).await;
    server.stop().await;
}

#[tokio::test]
async fn bots_play_on_the_ladder_in_sqlite() {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("checkers.db");
    let left = || {
        let database = rusqlite::Connection::open(&file).unwrap();
        database.query_row(LEFT, [], |row| row.get(0)).unwrap()
    };
    bots_play_on_the_ladder(keeping(&directory, Registration::Open).await, left).await;
}

#[tokio::test]
async fn bots_play_on_the_ladder_in_postgres() {
    let Some(database) = PostgresServer::shared() else {
        return;
    };
    let (directory, url) = (TempDir::new().unwrap(), database.database());
    let config = Config {
        data: directory.path().to_owned(),
        store: Some(url.parse().unwrap()),
        registration: Registration::Open,
        ..Config::default()
    };
    let left = || query(&url, LEFT).unwrap()[0].get(0);
    bots_play_on_the_ladder(TestServer::start_with(config).await, left).await;
}

/// The file of a season is verified; one that was changed or is not complete is refused.
async fn verify_season(server: &TestServer, season: &str) {
    let answer = get(server.address, &format!("/api/ladder/seasons/{season}")).await;
    let lines: Vec<&str> = answer
        .lines()
        .filter(|line| line.starts_with('{'))
        .collect();
    let whole = lines.join("\n");
    let right =
        format!("season {season}: 2 games follow the rules, and the standings follow from them\n");
    let expected = [
        (whole.clone(), Ok(right)),
        (lines[..3].join("\n"), Err("the file is not complete")),
        (
            whole.replace("\"result\":\"white_won\"", "\"result\":\"black_won\""),
            Err("the blitz standings do not follow from the games"),
        ),
        (
            whole.replacen("\"reason\":\"resignation\"", "\"reason\":\"no_moves\"", 1),
            Err("the result does not follow from the moves"),
        ),
        (
            [lines[0], lines[1], lines[1], lines[3]].join("\n"),
            Err("it is in the file twice"),
        ),
        (
            [lines[0], lines[1], lines[3]].join("\n"),
            Err("the file has 1 games and says that it has 2"),
        ),
        (
            lines[1..].join("\n"),
            Err("this is no season of the ladder"),
        ),
    ];
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("season.jsonl");
    for (text, expected) in expected {
        fs::write(&file, text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
        let output = command
            .args(["ladder", "verify"])
            .arg(&file)
            .output()
            .unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        match expected {
            Ok(told) => assert_eq!((stdout, stderr), (told, String::new())),
            Err(told) => assert!(
                !output.status.success() && stderr.contains(told),
                "{stderr}"
            ),
        }
    }
}

async fn play_on_a_private_ladder(
    server: &TestServer,
    token: &str,
    kestrel: &mut TestClient,
    merlin: &mut TestClient,
) {
    let wanted = json!({"name": "Course", "clock": "2m+2s", "days": 7});
    let (status, made) = post(server, "/ladders", token, wanted).await;
    let [id, code] = ["id", "code"].map(|field| made[field].as_str().unwrap());
    assert_eq!((status, &made["name"]), (200, &"Course".into()));
    for (field, value) in [
        ("name", json!("")),
        ("clock", json!("soon")),
        ("days", json!(0)),
        ("days", json!(367)),
    ] {
        let mut wanted = json!({"name": "Course", "clock": "2m+2s", "days": 7});
        wanted[field] = value;
        assert_eq!(
            post(server, "/ladders", token, wanted).await.0,
            400,
            "{field}"
        );
    }
    let ((_, state), _) = tokio::join!(
        enter_game(kestrel, Some(code)),
        enter_game(merlin, Some(code))
    );
    let info = &state.info;
    assert_eq!(info.event.as_deref(), Some(&*format!("ladder-{id}")));
    assert_eq!(info.white_clock.as_deref(), Some("2m+2s"));
    assert_eq!((info.rated, info.visibility), (false, Visibility::Link));
    // Nobody else gets a seat, and a level does not either.
    let table = &state.table;
    let mut anna = server.join_lobby("onlooker").await;
    anna.say_at(table, ClientMessage::Watch(Watch::default()))
        .await;
    let add_bot = ClientMessage::AddBot(AddBot {
        color: SeatWish::Random,
        bot: BotRequest::Level(1),
    });
    for message in [
        ClientMessage::TakeSeat {
            color: SeatWish::Random,
        },
        add_bot,
    ] {
        anna.say_at(table, message).await;
        let error = anna.error().await;
        assert!(
            [ErrorCode::Forbidden, ErrorCode::SeatTaken].contains(&error),
            "{error:?}"
        );
    }
    let (of_kestrel, of_merlin) =
        tokio::join!(kestrel.play_first_moves(), merlin.play_first_moves());
    assert_eq!(of_kestrel, of_merlin);
    for bot in [&mut *kestrel, &mut *merlin] {
        bot.say_at(table, ClientMessage::OfferRematch(Meant::default()))
            .await;
        assert_eq!(bot.error().await, ErrorCode::NoRematch);
        let color = SeatWish::Random;
        bot.say_at(table, ClientMessage::TakeSeat { color }).await;
        assert_eq!(bot.error().await, ErrorCode::Forbidden);
    }
    let path = format!("/api/ladder/rapid?season={id}");
    let standings = read(server, &path).await;
    assert_eq!(
        (&standings["games"], &standings["private"]["name"]),
        (&1.into(), &"Course".into())
    );
    let similarity = format!("/api/account/ladders/{id}/similarity");
    let header = format!("Authorization: Bearer {token}\r\n");
    let answer = request(
        server.address,
        &format!("GET {similarity} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}\r\n"),
    )
    .await;
    assert!(answer.trim_end().ends_with(r#"{"pairs":[]}"#), "{answer}");
    let answer = get(server.address, &similarity).await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");

    // After its end no bot joins it any more, and the standings stay.
    let (status, _) = post(server, &format!("/ladders/{id}/end"), token, json!({})).await;
    assert_eq!(status, 200);
    let quick = |code: &str| {
        ClientMessage::Quick(Quick {
            ladder: Some(code.to_owned()),
            ..Quick::default()
        })
    };
    kestrel.send_message(&quick(code)).await;
    assert_eq!(kestrel.error().await, ErrorCode::EventOver);
    let ended = read(server, &path).await;
    assert!(ended["private"]["until_ms"].as_i64() < standings["private"]["until_ms"].as_i64());
    assert_eq!(ended["games"], 1);

    // A guest, an unknown ladder and a deleted one are refused.
    let mut guest = server.join_lobby("guest").await;
    guest.send_message(&quick(code)).await;
    assert_eq!(guest.error().await, ErrorCode::BadTable);
    let (status, _) = post(server, &format!("/ladders/{id}/delete"), token, json!({})).await;
    assert_eq!(status, 200);
    for code in [code, id, "2026-11", ""] {
        kestrel.send_message(&quick(code)).await;
        assert_eq!(kestrel.error().await, ErrorCode::BadTable, "{code}");
    }
    for call in ["end", "delete"] {
        let (status, _) = post(server, &format!("/ladders/{id}/{call}"), token, json!({})).await;
        assert_eq!(status, 404);
    }
}
