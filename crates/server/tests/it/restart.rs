//! Players reconnect to a server that was killed during their game.

use std::path::Path;
use std::process::Child;

use checkers_lib::protocol::{
    ClientMessage, CreateTable, Join, Joined, SeatWish, ServerMessage, Since, Watch,
};

use crate::network::support::{TestClient, move_of};
use crate::process::start;
use test_support::{PostgresServer, query};

/// A server process with a store.
fn server(data: &Path) -> (Child, String) {
    start(&["--port", "0", "--data", data.to_str().unwrap()])
}

fn kill(mut server: Child) {
    server.kill().unwrap();
    server.wait().unwrap();
}

async fn join_lobby(address: &str, name: &str, token: Option<String>) -> (TestClient, Joined) {
    let mut client = TestClient::connect(address).await;
    let join = Join {
        token,
        lobby: true,
        ..Join::new(name)
    };
    let joined = client.enter(join).await;
    (client, joined)
}

/// Plays the first legal move when asked, and returns the number of the event.
async fn play(client: &mut TestClient, table: &str, ply: u32) -> u32 {
    loop {
        match client.receive().await {
            ServerMessage::YourTurn {
                ply: asked,
                legal_moves,
                ..
            } if asked == ply => {
                let played = move_of(ply, &legal_moves[0].text);
                client.say_at(table, played).await;
            }
            ServerMessage::Moved { played, seq, .. } if played.ply == ply => return seq,
            _ => {}
        }
    }
}

async fn moved(client: &mut TestClient, ply: u32) -> u32 {
    loop {
        if let ServerMessage::Moved { played, seq, .. } = client.receive().await
            && played.ply == ply
        {
            return seq;
        }
    }
}

fn watch(since: Option<Since>) -> ClientMessage {
    ClientMessage::Watch(Watch { since })
}

#[tokio::test]
async fn a_game_continues_after_the_server_was_killed() {
    let data = tempfile::tempdir().unwrap();
    play_through_a_kill(|| server(data.path())).await;
}

#[tokio::test]
async fn a_game_in_a_database_continues_after_the_server_was_killed() {
    let Some(database) = PostgresServer::shared() else {
        return;
    };
    let url = database.database();
    let data = tempfile::tempdir().unwrap();
    let unused = data.path().join("unused");
    play_through_a_kill(|| {
        let data = unused.to_str().unwrap();
        start(&["--port", "0", "--data", data, "--store", &url])
    })
    .await;
    assert!(!unused.exists());
}

#[tokio::test]
async fn a_server_that_was_replaced_ends_and_its_clients_come_back() {
    let Some(database) = PostgresServer::shared() else {
        return;
    };
    let url = database.database();
    let arguments = ["--port", "0", "--data", "unused", "--store", &url];
    let (mut server, address) = start(&arguments);
    let (mut anna, _) = join_lobby(&address, "anna", None).await;
    query(&url, "UPDATE session SET dead = true").unwrap();
    let wanted = ClientMessage::CreateTable(CreateTable::default());
    anna.send_message(&wanted).await;
    assert_eq!(anna.closed().await.0, 1012);
    assert_eq!(server.wait().unwrap().code(), Some(1));
}

async fn play_through_a_kill(server: impl Fn() -> (Child, String)) {
    let (first, address) = server();
    let (mut anna, annas) = join_lobby(&address, "anna", None).await;
    let wanted = CreateTable {
        color: Some(SeatWish::White),
        ..CreateTable::default()
    };
    anna.send_message(&ClientMessage::CreateTable(wanted)).await;
    let table = anna.created().await;
    let (mut boris, boriss) = join_lobby(&address, "boris", None).await;
    boris.say_at(&table, watch(None)).await;
    let color = SeatWish::Black;
    boris
        .say_at(&table, ClientMessage::TakeSeat { color })
        .await;
    play(&mut anna, &table, 0).await;
    play(&mut boris, &table, 1).await;
    let seq = play(&mut anna, &table, 2).await;
    kill(first);

    let (second, address) = server();
    let (mut boris, joined) = join_lobby(&address, "boris", boriss.token).await;
    assert!(joined.resumed, "the name is kept for its player");
    boris.say_at(&table, watch(None)).await;
    let state = loop {
        if let ServerMessage::TableState(state) = boris.receive().await {
            break state;
        }
    };
    let game = state.state.unwrap();
    assert_eq!((game.ply, game.moves.len(), game.seq), (3, 3, seq));
    let (mut anna, joined) = join_lobby(&address, "anna", annas.token).await;
    assert!(joined.resumed);
    let since = Some(Since { game: 1, seq });
    anna.say_at(&table, watch(since)).await;
    play(&mut boris, &table, 3).await;
    assert_eq!(moved(&mut anna, 3).await, seq + 1);
    let seen = play(&mut anna, &table, 4).await;
    assert_eq!(moved(&mut boris, 4).await, seen);
    kill(second);
}
