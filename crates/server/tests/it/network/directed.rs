//! A director and players who stay from game to game.

use checkers_lib::protocol::{ClientMessage, EndReason, ErrorCode, GameResult, ServerMessage};
use checkers_server::{Config, DirectorToken};

use crate::network::support::{TestClient, TestServer};

const TOKEN: &str = "secret";

fn directed() -> Config {
    Config {
        director_token: Some(DirectorToken::new(TOKEN)),
        ..Config::default()
    }
}

/// A game from an opening, with a clock for White.
fn arrange(game: u64, white: &str, black: &str, white_clock: &str) -> ClientMessage {
    ClientMessage::ArrangeGame {
        token: TOKEN.to_owned(),
        game,
        white: white.to_owned(),
        black: black.to_owned(),
        start_fen: None,
        moves: vec!["c3-d4".to_owned(), "b6-a5".to_owned()],
        white_clock: Some(white_clock.to_owned()),
        black_clock: None,
    }
}

async fn over(client: &mut TestClient) -> ServerMessage {
    let is_over = |message: &ServerMessage| matches!(message, ServerMessage::GameOver { .. });
    client.wait_for(is_over).await
}

#[tokio::test]
async fn players_play_one_arranged_game_after_the_other() {
    let server = TestServer::start_with(directed()).await;
    let mut director = server.join("director").await;
    let mut anna = server.join("anna").await;
    let mut boris = server.join("boris").await;
    for (game, white, black) in [(1, "anna", "boris"), (2, "boris", "anna")] {
        director
            .send_message(&arrange(game, white, black, "1h"))
            .await;
        let (received, other) = tokio::join!(anna.play_first_moves(), boris.play_first_moves());
        assert_eq!((&received, &other), (&over(&mut director).await, &received));
        let ServerMessage::GameOver {
            game: played,
            reason,
            ..
        } = received
        else {
            panic!("{received:?}");
        };
        assert_eq!(played, game);
        assert!(reason.is_on_board(), "{reason:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_flag_of_a_silent_player_falls() {
    let server = TestServer::start_with(directed()).await;
    let mut director = server.join("director").await;
    let _anna = server.join("anna").await;
    let _boris = server.join("boris").await;
    director
        .send_message(&arrange(1, "anna", "boris", "50ms"))
        .await;
    let received = over(&mut director).await;
    let ServerMessage::GameOver {
        result,
        reason,
        ply,
        ..
    } = received
    else {
        panic!("{received:?}");
    };
    let lost = (GameResult::BlackWon, EndReason::Time, 2);
    assert_eq!((result, reason, ply), lost);
    server.stop().await;
}

#[tokio::test]
async fn director_messages_are_not_rate_limited() {
    let config = Config {
        message_burst: 3,
        message_rate: 1,
        ..directed()
    };
    let server = TestServer::start_with(config).await;
    let mut director = server.join("director").await;
    let _anna = server.join("anna").await;
    let _boris = server.join("boris").await;
    for game in 1..=20 {
        director
            .send_message(&arrange(game, "anna", "boris", "1h"))
            .await;
        let has_started = |message: &ServerMessage| {
            assert!(
                !matches!(message, ServerMessage::Error { .. }),
                "{message:?}"
            );
            matches!(message, ServerMessage::GameStarted(_))
        };
        director.wait_for(has_started).await;
        let end = ClientMessage::EndGame {
            token: TOKEN.to_owned(),
            game,
            result: GameResult::Draw,
            reason: EndReason::Adjudication,
        };
        director.send_message(&end).await;
        over(&mut director).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn directing_requires_the_token() {
    let server = TestServer::start().await;
    let mut anna = server.join("anna").await;
    anna.send_message(&arrange(1, "anna", "anna", "1h")).await;
    assert_eq!(anna.error().await, ErrorCode::Forbidden);
    server.stop().await;
}
