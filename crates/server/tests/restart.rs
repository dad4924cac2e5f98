//! Players reconnect to a server that was killed during their game.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::io::{BufRead, BufReader};
use std::net::TcpStream as StdStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use checkers_lib::protocol::{
    Addressed, ClientMessage, CreateTable, Join, SeatWish, ServerMessage, Since, Watch,
};
use futures::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// The timeout of the test.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server process, killed when dropped.
struct Process {
    child: Child,
    url: String,
}

impl Process {
    fn start(data: &Path) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_checkers-server"))
            .args(["--bind", "127.0.0.1", "--port", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = child.stdout.as_mut().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ws://").unwrap();
        assert!(StdStream::connect(address).is_ok());
        let url = format!("ws://{address}/ws");
        Process { child, url }
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    /// Joins the lobby and returns the token.
    async fn join(server: &Process, name: &str, token: Option<String>) -> (Client, String, bool) {
        let (socket, _) = connect_async(&server.url).await.unwrap();
        let mut client = Client(socket);
        let join = Join {
            token,
            lobby: true,
            ..Join::new(name)
        };
        client.say(ClientMessage::Join(join).into()).await;
        loop {
            match client.receive().await {
                ServerMessage::Joined(joined) => {
                    return (client, joined.token.unwrap(), joined.resumed);
                }
                ServerMessage::Error { code, .. } => panic!("{code:?}"),
                _ => {}
            }
        }
    }

    async fn say(&mut self, message: Addressed) {
        let text = serde_json::to_string(&message).unwrap();
        self.0.send(Message::text(text)).await.unwrap();
    }

    async fn receive(&mut self) -> ServerMessage {
        let text = async {
            loop {
                if let Message::Text(text) = self.0.next().await.unwrap().unwrap() {
                    return text;
                }
            }
        };
        let text = timeout(PATIENCE, text).await.unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// Plays the first legal move when asked, and returns the number of the event.
    async fn play(&mut self, table: &str, ply: u32) -> u32 {
        loop {
            match self.receive().await {
                ServerMessage::YourTurn {
                    ply: asked,
                    legal_moves,
                    ..
                } if asked == ply => {
                    let played = ClientMessage::Move {
                        game: None,
                        ply,
                        text: legal_moves[0].text.clone(),
                        search: None,
                        id: None,
                    };
                    self.say(Addressed::to(table, played)).await;
                }
                ServerMessage::Moved { played, seq, .. } if played.ply == ply => return seq,
                _ => {}
            }
        }
    }

    async fn moved(&mut self, ply: u32) -> u32 {
        loop {
            if let ServerMessage::Moved { played, seq, .. } = self.receive().await
                && played.ply == ply
            {
                return seq;
            }
        }
    }
}

fn watch(since: Option<Since>) -> ClientMessage {
    ClientMessage::Watch(Watch { since })
}

#[tokio::test]
async fn a_game_continues_after_the_server_was_killed() {
    let data = tempfile::tempdir().unwrap();
    let server = Process::start(data.path());
    let (mut anna, annas, _) = Client::join(&server, "anna", None).await;
    let wanted = CreateTable {
        color: Some(SeatWish::White),
        ..CreateTable::default()
    };
    anna.say(ClientMessage::CreateTable(wanted).into()).await;
    let table = loop {
        if let ServerMessage::TableCreated { table } = anna.receive().await {
            break table;
        }
    };
    let (mut boris, boriss, _) = Client::join(&server, "boris", None).await;
    boris.say(Addressed::to(&table, watch(None))).await;
    let color = SeatWish::Black;
    let seat = ClientMessage::TakeSeat { color };
    boris.say(Addressed::to(&table, seat)).await;
    anna.play(&table, 0).await;
    boris.play(&table, 1).await;
    let seq = anna.play(&table, 2).await;
    server.kill();

    let server = Process::start(data.path());
    let (mut boris, _, resumed) = Client::join(&server, "boris", Some(boriss)).await;
    assert!(resumed, "the name is kept for its player");
    boris.say(Addressed::to(&table, watch(None))).await;
    let state = loop {
        if let ServerMessage::TableState(state) = boris.receive().await {
            break state;
        }
    };
    let game = state.state.unwrap();
    assert_eq!((game.ply, game.moves.len(), game.seq), (3, 3, seq));
    let (mut anna, _, resumed) = Client::join(&server, "anna", Some(annas)).await;
    assert!(resumed);
    let since = Some(Since { game: 1, seq });
    anna.say(Addressed::to(&table, watch(since))).await;
    boris.play(&table, 3).await;
    assert_eq!(anna.moved(3).await, seq + 1);
    let seen = anna.play(&table, 4).await;
    assert_eq!(boris.moved(4).await, seen);
}
