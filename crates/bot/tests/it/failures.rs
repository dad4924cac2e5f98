//! Every way a run fails has its exit code and its message.

use checkers_bot::report::Report;
use checkers_lib::protocol::{ClientMessage, ErrorCode};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use crate::process::{self, EndedBot};
use crate::referee::{joined, refusal};
use crate::script::{Peer, Script};

const OPTIONS: &str = "--name b1 --bot random --json";

/// The run ended with `code` and `message`, both on stderr and as its last report.
fn assert_failed(ended: &EndedBot, expected: i32, text: &str) {
    assert_eq!(ended.code(), expected, "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    assert!(ended.stderr.starts_with("error: "), "{ended:?}");
    assert!(ended.stderr.contains(text), "{ended:?}");
    let reports = ended.reports();
    let Some(Report::Failed { code, message }) = reports.last() else {
        panic!("{reports:?}");
    };
    assert_eq!(*code, expected);
    assert!(message.contains(text), "{message}");
}

/// Starts a bot and a game in which it is asked for a move; `then` is what the server does next.
async fn in_a_game(then: impl AsyncFnOnce(Peer)) -> EndedBot {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (mut peer, referee) = script.start_game().await;
    peer.say(&referee.your_turn()).await;
    then(peer).await;
    EndedBot::of(bot).await
}

#[tokio::test]
async fn no_server_listens() {
    let script = Script::listen().await;
    let url = script.url();
    drop(script);
    for (patience, attempts) in [("0s", 1), ("600ms", 2)] {
        let options = format!("{OPTIONS} --give-up-after {patience}");
        let ended = EndedBot::of(process::start(&url, &options)).await;
        assert_failed(&ended, 3, &format!("cannot connect to {url}/: "));
        assert!(ended.reports().len() >= attempts, "{ended:?}");
    }
}

#[tokio::test]
async fn a_missing_directory_of_tables_is_reported() {
    let script = Script::listen().await;
    let url = script.url();
    drop(script);
    let bot = process::command()
        .env("CHECKERS_TABLEBASE", "/nowhere")
        .args(["--server", &url, "--give-up-after", "0s"])
        .args(OPTIONS.split_whitespace())
        .spawn();
    let ended = EndedBot::of(bot.unwrap()).await;
    // And it goes on, as far as it goes.
    assert_eq!(ended.code(), 3, "{ended:?}");
    let warning = "warning: cannot open the tables in /nowhere: ";
    assert!(ended.stderr.starts_with(warning), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 2, "{ended:?}");
}

#[tokio::test]
async fn the_host_is_no_game_server() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let mut stream = script.accept_tcp().await;
    let answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    stream.write_all(answer.as_bytes()).await.unwrap();
    assert_failed(&EndedBot::of(bot).await, 3, "404");
}

#[tokio::test]
async fn the_name_is_refused() {
    for (error, code, text) in [
        (
            ErrorCode::BadName,
            4,
            "the server does not take the name \"b1\"",
        ),
        (ErrorCode::NameTaken, 5, "the name \"b1\" is taken: no"),
    ] {
        let script = Script::listen().await;
        let bot = process::start(&script.url(), OPTIONS);
        let mut peer = script.accept().await;
        assert!(matches!(peer.hear().await, ClientMessage::Join { .. }));
        peer.say(&refusal(error, "no")).await;
        peer.see_off().await;
        assert_failed(&EndedBot::of(bot).await, code, text);
    }
}

#[tokio::test]
async fn the_seat_is_taken() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let mut peer = script.accept().await;
    peer.let_in().await;
    assert!(matches!(peer.hear().await, ClientMessage::TakeSeat { .. }));
    peer.say(&refusal(ErrorCode::SeatTaken, "rival has it"))
        .await;
    peer.see_off().await;
    assert_failed(&EndedBot::of(bot).await, 6, "the white seat is taken");
}

#[tokio::test]
async fn a_move_is_refused() {
    let ended = in_a_game(async |mut peer| {
        assert!(matches!(peer.hear().await, ClientMessage::Move { .. }));
        peer.say(&refusal(ErrorCode::IllegalMove, "not a legal move"))
            .await;
    });
    let ended = ended.await;
    assert_failed(&ended, 7, "not a legal move");
    assert!(!ended.stderr.contains("IllegalMove"), "{ended:?}");
}

#[tokio::test]
async fn the_server_contradicts_itself() {
    let ended = in_a_game(async |mut peer| {
        peer.say(&joined()).await;
        peer.see_off().await;
    });
    assert_failed(&ended.await, 8, "`joined` came out of turn");
}

#[tokio::test]
async fn the_server_closes() {
    let ended = in_a_game(async |mut peer| {
        let (code, reason) = (1001.into(), "the server is shutting down".into());
        peer.close(CloseFrame { code, reason }).await;
        peer.see_off().await;
    });
    let text = "the server closed the connection with code 1001: the server is shutting down";
    assert_failed(&ended.await, 9, text);
}

#[tokio::test]
async fn the_connection_breaks() {
    let ended = in_a_game(async |peer| drop(peer));
    assert_failed(&ended.await, 9, "the connection to the server broke");
}

#[tokio::test]
async fn usage_is_explained_before_anything_happens() {
    let bot = process::command()
        .args(["--name", "b1", "--bot", "no-such-bot"])
        .spawn();
    let ended = EndedBot::of(bot.unwrap()).await;
    assert_eq!(ended.code(), 2);
    assert!(ended.stderr.contains("no-such-bot"), "{ended:?}");
    assert_eq!(ended.stdout, "");
}

/// A program that ignores a setting does something else than was asked for.
#[tokio::test]
async fn settings_without_effect_are_usage_errors() {
    for (options, variable, text) in [
        ("--clock 5m", None, "--create|--quick"),
        (
            "",
            Some(("CHECKERS_GAME", "3")),
            "did you mean CHECKERS_GAMES?",
        ),
        (
            "",
            Some(("CHECKERS_GAMES", "x")),
            "invalid value 'x' for the environment variable CHECKERS_GAMES: expected a whole number",
        ),
        ("--nodes 0", None, "expected a whole number, 1 or more"),
        (
            "--movetime 100",
            None,
            "expected a time with a unit, such as 100ms, 100s or 100m",
        ),
        ("--quick --clock 5x", None, "expected a time with a unit"),
        (
            "--quick --clock 5+3",
            None,
            "expected a time with a unit, such as 5ms, 5s or 5m",
        ),
    ] {
        let bot = process::command()
            .args(["--name", "b1", "--bot", "random"])
            .args(options.split_whitespace())
            .envs(variable)
            .spawn();
        let ended = EndedBot::of(bot.unwrap()).await;
        assert_eq!(ended.code(), 2, "{ended:?}");
        assert!(ended.stderr.contains(text), "{text}: {ended:?}");
    }
}

/// Both programs may be set up in one environment.
#[test]
fn variables_of_the_server_are_not_misspelt_ones() {
    use clap::CommandFactory;
    let server = checkers_server::Args::command();
    let names = server.get_arguments().filter_map(|arg| arg.get_env());
    let names: Vec<String> = names
        .map(|name| name.to_str().unwrap().to_owned())
        .collect();
    assert!(names.len() > 40);
    let bot = checkers_bot::Args::command();
    assert_eq!(cli_kit::check_environment(&bot, names.into_iter()), Ok(()));
}

/// Messages that a later server may have are no reason to leave.
#[tokio::test]
async fn unknown_messages_are_passed_over() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (mut peer, referee) = script.start_game().await;
    let clock = r#"{"type":"clock","white_ms":60000}"#;
    peer.send(clock.into()).await;
    peer.say(&referee.over()).await;
    peer.see_off().await;
    assert_eq!(EndedBot::of(bot).await.code(), 0);
}
