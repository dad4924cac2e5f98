//! What the next lobby knows of the clients of the last one.

use std::time::Duration;

use checkers_lib::protocol::{
    ClientMessage, CreateTable, ErrorCode, Join, KeepName, ListTables, Meant, Quick, Role,
    SeatWish, ServerMessage, TableInfo, Watch,
};
use tempfile::TempDir;
use test_support::PostgresServer;
use tokio::time::{sleep, timeout};

use crate::network::support::request;
use crate::reliability::cluster::{Owners, key_file};
use crate::reliability::link::TestLink;
use crate::reliability::process::ServerProcess;

struct LinkClient(TestLink);

impl LinkClient {
    async fn join(node: &ServerProcess, name: &str) -> LinkClient {
        let mut client = LinkClient(TestLink::open(node.address()).await.expect("a node"));
        let join = Join {
            lobby: true,
            ..Join::new(name)
        };
        client.say(ClientMessage::Join(join)).await;
        client.say(ClientMessage::UnsubscribeLobby).await;
        client
    }

    /// A client with an account, and its token.
    async fn with_account(node: &ServerProcess, name: &str) -> (LinkClient, String) {
        let mut client = LinkClient::join(node, name).await;
        client
            .say(ClientMessage::KeepName(KeepName::default()))
            .await;
        let kept = |message| match message {
            ServerMessage::NameKept(kept) => Some(kept.token),
            _ => None,
        };
        let token = client.find(kept).await;
        (client, token)
    }

    async fn say(&mut self, message: ClientMessage) {
        self.0.say(message).await.expect("connected");
    }

    async fn say_at(&mut self, table: &str, message: ClientMessage) {
        self.0.say_at(table, message).await.expect("connected");
    }

    async fn find<T>(&mut self, wanted: impl Fn(ServerMessage) -> Option<T>) -> T {
        let mut others = Vec::new();
        let found = async {
            loop {
                let message = self.0.receive().await.expect("connected");
                others.push(format!("{message:?}"));
                if let Some(found) = wanted(message) {
                    return found;
                }
            }
        };
        let found = timeout(Duration::from_secs(30), found).await;
        found.unwrap_or_else(|_| panic!("only this came in time: {others:#?}"))
    }

    /// Creates a table. Returns its id, or the refusal.
    async fn create(&mut self) -> Result<String, (ErrorCode, String)> {
        self.say(ClientMessage::CreateTable(CreateTable::default()))
            .await;
        let answer = |message| match message {
            ServerMessage::TableCreated { table } => Some(Ok(table)),
            ServerMessage::Error { code, message, .. } => Some(Err((code, message))),
            _ => None,
        };
        self.find(answer).await
    }

    /// Waits until the lobby knows that somebody has the white side at a table.
    async fn sees_white_at(&mut self, table: &str) {
        let mut tables = Vec::new();
        let is_taken = |info: &TableInfo| info.id == table && info.seats.white.is_some();
        for _ in 0..100 {
            let list = ClientMessage::ListTables(ListTables::default());
            self.say(list).await;
            let listed = |message| match message {
                ServerMessage::Tables(list) => Some(list.tables),
                _ => None,
            };
            tables = self.find(listed).await;
            if tables.iter().any(is_taken) {
                return;
            }
            // A client may send five messages a second.
            sleep(Duration::from_millis(200)).await;
        }
        panic!("nobody is seen at {table}: {tables:#?}");
    }
}

/// Two nodes of a new database, of which the first has the lobby, and the directory with their key.
async fn two_nodes(server: &PostgresServer) -> (ServerProcess, ServerProcess, TempDir) {
    let database = server.database();
    let (directory, key) = key_file();
    let nodes = ["first", "second"].map(|name| ServerProcess::node(name, &database, &key));
    let [first, second] = start_in_order(nodes).await;
    (first, second, directory)
}

/// Starts the second node when the first has the lobby: while nobody has it, any node may take it.
async fn start_in_order([mut first, mut second]: [ServerProcess; 2]) -> [ServerProcess; 2] {
    first.start();
    let mut client = LinkClient::join(&first, "early").await;
    let joined = |message| matches!(message, ServerMessage::Joined(_)).then_some(());
    client.find(joined).await;
    second.start();
    [first, second]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_and_wishes_follow_the_lobby_to_another_node() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let database = server.database();
    let (_directory, key) = key_file();
    let node = |name| {
        let node = ServerProcess::node(name, &database, &key);
        node.with(&["--client-tables", "2", "--max-tables", "3"])
    };
    let nodes = start_in_order([node("first"), node("second")]).await;
    let [mut first, mut second] = nodes;
    // A table that nobody has taken a seat at does not follow its shard.
    Owners::of_settled(&database).await;

    // Anna has created two tables, at which Boris waits.
    let mut anna = LinkClient::join(&second, "anna").await;
    let mut boris = LinkClient::join(&second, "boris").await;
    for _ in 0..2 {
        let table = anna.create().await.expect("there is room");
        boris
            .say_at(&table, ClientMessage::Watch(Watch::default()))
            .await;
        let color = SeatWish::White;
        boris
            .say_at(&table, ClientMessage::TakeSeat { color })
            .await;
        let is_seated = |message| match message {
            ServerMessage::Players {
                table: at, players, ..
            } if at == table => players
                .iter()
                .any(|player| player.role == Role::White)
                .then_some(()),
            _ => None,
        };
        boris.find(is_seated).await;
        anna.say_at(&table, ClientMessage::Unwatch).await;
        anna.sees_white_at(&table).await;
    }
    let refusal = anna.create().await.unwrap_err();
    assert!(refusal.1.starts_with("you have 2 tables"), "{refusal:?}");
    // Dora's tables fill the server.
    let mut dora = LinkClient::join(&second, "dora").await;
    while dora.create().await.is_ok() {}
    let mut clara = LinkClient::join(&second, "clara").await;
    clara.say(ClientMessage::Quick(Quick::default())).await;
    let refusal = |message| match message {
        ServerMessage::Error { code, .. } => Some(code),
        _ => None,
    };
    assert_eq!(clara.find(refusal).await, ErrorCode::TooManyTables);

    first.stop();
    let refusal = loop {
        match anna.create().await.unwrap_err() {
            (ErrorCode::NotStored, _) => sleep(Duration::from_millis(100)).await,
            refusal => break refusal,
        }
    };
    assert!(refusal.1.starts_with("you have 2 tables"), "{refusal:?}");
    clara
        .say(ClientMessage::ListTables(ListTables::default()))
        .await;
    let answer = |message| match message {
        ServerMessage::Tables(_) => Some(Ok(())),
        ServerMessage::Error { code, message, .. } => Some(Err((code, message))),
        _ => None,
    };
    assert_eq!(clara.find(answer).await, Ok(()), "she waits for no game");
    second.stop();
}

#[tokio::test]
async fn a_new_table_is_found_from_every_node() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (mut first, mut second, _key) = two_nodes(server).await;
    let mut anna = LinkClient::join(&first, "anna").await;
    let mut boris = LinkClient::join(&second, "boris").await;
    let found = |message| match message {
        ServerMessage::TableState(state) => Some(Ok(state.info.id)),
        ServerMessage::Error { code, .. } => Some(Err(code)),
        _ => None,
    };
    for _ in 0..3 {
        let table = anna.create().await.expect("there is room");
        let watch = ClientMessage::Watch(Watch::default());
        boris.say_at(&table, watch).await;
        assert_eq!(boris.find(found).await, Ok(table));
    }
    let watch = ClientMessage::Watch(Watch::default());
    boris.say_at("nowhere", watch).await;
    assert_eq!(boris.find(found).await, Err(ErrorCode::NoSuchTable));
    first.stop();
    second.stop();
}

#[tokio::test]
async fn an_arena_pairs_players_of_different_nodes_also_at_the_next_lobby() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (mut first, mut second, _key) = two_nodes(server).await;
    let (mut anna, token) = LinkClient::with_account(&first, "anna").await;
    let (mut boris, _) = LinkClient::with_account(&second, "boris").await;
    let arena =
        r#"{"name":"Friday","format":"arena","entrants":"people","clock":"3m","minutes":60}"#;
    let quick = tournament(&second, &token, arena).await;
    let paired = |message| match message {
        ServerMessage::Paired { table, .. } => Some(table),
        _ => None,
    };
    anna.say(quick.clone()).await;
    boris.say(quick.clone()).await;
    let table = anna.find(paired).await;
    assert_eq!(boris.find(paired).await, table);
    let resign = ClientMessage::Resign(Meant::default());
    let is_over = |message| matches!(message, ServerMessage::GameOver { .. }).then_some(());
    let has_begun = |message| matches!(message, ServerMessage::GameStarted(_)).then_some(());
    anna.find(has_begun).await;
    anna.say_at(&table, resign).await;
    anna.find(is_over).await;
    boris.find(is_over).await;

    // Boris waits while the lobby moves to his node.
    boris.say(quick.clone()).await;
    let queued = |message| matches!(message, ServerMessage::Queued { .. }).then_some(());
    boris.find(queued).await;
    first.kill();
    // The next lobby says so again.
    boris.find(queued).await;
    let (mut clara, _) = LinkClient::with_account(&second, "clara").await;
    clara.say(quick).await;
    let table = clara.find(paired).await;
    assert_eq!(boris.find(paired).await, table);
    second.stop();
}

/// Creates a tournament. Returns the request for its games.
async fn tournament(node: &ServerProcess, token: &str, wanted: &str) -> ClientMessage {
    let head = format!(
        "POST /api/account/tournaments HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{wanted}",
        wanted.len()
    );
    let answer = request(node.address(), &head).await;
    let (_, made) = answer.split_once("\r\n\r\n").unwrap();
    let made: serde_json::Value = serde_json::from_str(made).unwrap();
    ClientMessage::Quick(Quick {
        tournament: Some(made["id"].as_str().unwrap().to_owned()),
        ..Quick::default()
    })
}

#[tokio::test]
async fn rounds_go_on_when_the_node_of_the_lobby_is_killed() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (mut first, mut second, _key) = two_nodes(server).await;
    let (mut anna, token) = LinkClient::with_account(&second, "anna").await;
    let (mut boris, _) = LinkClient::with_account(&second, "boris").await;
    let wanted = r#"{"name":"Friday","format":"round_robin","rounds":3,"entrants":"people",
        "clock":"3m","wait_minutes":1,"break_minutes":0}"#;
    let quick = tournament(&second, &token, wanted).await;
    let paired = |message| match message {
        ServerMessage::Paired { table, .. } => Some(table),
        _ => None,
    };
    let is_over = |message| matches!(message, ServerMessage::GameOver { .. }).then_some(());
    let has_begun = |message| matches!(message, ServerMessage::GameStarted(_)).then_some(());
    let mut tables = Vec::new();
    for round in 1..=3 {
        for player in [&mut anna, &mut boris] {
            player.say(quick.clone()).await;
        }
        if round == 2 {
            // It may have drawn the round, or begun its game.
            first.kill();
        }
        let table = anna.find(paired).await;
        assert_eq!(boris.find(paired).await, table);
        anna.find(has_begun).await;
        let resign = ClientMessage::Resign(Meant::default());
        anna.say_at(&table, resign).await;
        anna.find(is_over).await;
        boris.find(is_over).await;
        assert!(!tables.contains(&table), "{tables:?}");
        tables.push(table);
    }
    anna.say(quick).await;
    let over = |message| match message {
        ServerMessage::Error { code, .. } => Some(code),
        _ => None,
    };
    assert_eq!(anna.find(over).await, ErrorCode::EventOver);
    second.stop();
}

#[tokio::test]
async fn an_account_is_the_same_on_every_node() {
    let Some(server) = PostgresServer::shared() else {
        return;
    };
    let (mut first, mut second, _key) = two_nodes(server).await;
    let mut anna = LinkClient::join(&second, "anna").await;
    let joined = |message| match message {
        ServerMessage::Joined(joined) => Some(joined),
        _ => None,
    };
    anna.find(joined).await;
    anna.say(ClientMessage::KeepName(KeepName::default())).await;
    let kept = |message| match message {
        ServerMessage::NameKept(kept) => Some(kept),
        _ => None,
    };
    let token = Some(anna.find(kept).await.token);

    // The owner replaces the connection to the other node.
    for node in [&mut first, &mut second] {
        let mut again = LinkClient(TestLink::open(node.address()).await.expect("a node"));
        let join = Join {
            token: token.clone(),
            ..Join::new("whoever")
        };
        again.say(ClientMessage::Join(join)).await;
        let found = again.find(joined).await;
        assert_eq!((found.name.as_str(), found.account), ("anna", true));
        let replaced = |message| (message == ServerMessage::Replaced).then_some(());
        anna.find(replaced).await;
        let guest = |message| match message {
            ServerMessage::Error { code, .. } => Some(code),
            _ => None,
        };
        let mut other = LinkClient(TestLink::open(node.address()).await.expect("a node"));
        other.say(ClientMessage::Join(Join::new("Anna"))).await;
        assert_eq!(other.find(guest).await, ErrorCode::NameTaken);
        anna = again;
    }
    first.stop();
    second.stop();
}
