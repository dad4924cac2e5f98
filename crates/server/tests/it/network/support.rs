//! A server in this process, and clients of any server over real sockets.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use test_support::PATIENCE;

use checkers_lib::protocol::{
    Addressed, ClientMessage, ErrorCode, Join, Joined, ServerMessage, WireColor,
};
use checkers_server::{Config, Server, Stop};
use futures::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<Stop>,
    done: JoinHandle<()>,
}

impl TestServer {
    pub(crate) async fn start() -> TestServer {
        TestServer::start_with(Config::default()).await
    }

    pub(crate) async fn start_with(config: Config) -> TestServer {
        let config = Config {
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            // A test with a store has its own directory.
            in_memory: config.data.is_relative(),
            ..config
        };
        let server = Server::bind(config).await.expect("a free port");
        let address = server.local_addr();
        let (stop, stopped) = oneshot::channel();
        let stopped = async { stopped.await.unwrap_or_default() };
        let done = tokio::spawn(async { server.run(stopped).await.unwrap() });
        TestServer {
            address,
            stop,
            done,
        }
    }

    pub(crate) async fn stop(self) {
        self.stop_by(Stop::ForGood).await;
    }

    pub(crate) async fn stop_by(self, stop: Stop) {
        let _ = self.stop.send(stop);
        within(self.done)
            .await
            .expect("the server ends without a panic");
    }

    pub(crate) async fn connect(&self) -> TestClient {
        TestClient::connect(&self.address.to_string()).await
    }

    pub(crate) async fn join(&self, name: &str) -> TestClient {
        let mut client = self.connect().await;
        client.enter(Join::new(name)).await;
        client
    }

    /// Joins without entering a table.
    pub(crate) async fn join_lobby(&self, name: &str) -> TestClient {
        let mut client = self.connect().await;
        let lobby = true;
        client
            .enter(Join {
                lobby,
                ..Join::new(name)
            })
            .await;
        client
    }

    pub(crate) async fn sit(&self, name: &str, color: WireColor) -> TestClient {
        let mut client = self.join(name).await;
        let color = color.into();
        client
            .send_message(&ClientMessage::TakeSeat { color })
            .await;
        client
    }
}

pub(crate) struct TestClient {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl TestClient {
    /// Connects to a server in this process or in another.
    pub(crate) async fn connect(address: &str) -> TestClient {
        let url = format!("ws://{address}/ws");
        let (socket, _) = within(connect_async(url)).await.expect("a connection");
        TestClient { socket }
    }

    /// Joins and returns the server's answer.
    pub(crate) async fn enter(&mut self, join: Join) -> Joined {
        self.send_message(&ClientMessage::Join(join)).await;
        let joined = |message: &ServerMessage| matches!(message, ServerMessage::Joined(_));
        match self.wait_for(joined).await {
            ServerMessage::Joined(joined) => joined,
            _ => unreachable!("just waited for it"),
        }
    }

    pub(crate) async fn send_message(&mut self, message: &ClientMessage) {
        self.send(serde_json::to_string(message).expect("JSON"))
            .await;
    }

    /// Sends a message about a table.
    pub(crate) async fn say_at(&mut self, table: &str, message: ClientMessage) {
        let message = Addressed::to(table, message);
        self.send(serde_json::to_string(&message).expect("JSON"))
            .await;
    }

    pub(crate) async fn send(&mut self, text: impl Into<String>) {
        within(self.socket.send(Message::text(text.into())))
            .await
            .expect("sent");
    }

    /// The next message of the table.
    pub(crate) async fn receive(&mut self) -> ServerMessage {
        // Pings do not count as messages, and do not extend the timeout.
        let text = async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => return text,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    other => panic!("expected a message, got {other:?}"),
                }
            }
        };
        serde_json::from_str(&within(text).await).expect("a message of the protocol")
    }

    pub(crate) async fn wait_for(
        &mut self,
        wanted: impl Fn(&ServerMessage) -> bool,
    ) -> ServerMessage {
        loop {
            let message = self.receive().await;
            if wanted(&message) {
                return message;
            }
        }
    }

    /// Creates a table and returns its id.
    pub(crate) async fn created(&mut self) -> String {
        let created =
            |message: &ServerMessage| matches!(message, ServerMessage::TableCreated { .. });
        match self.wait_for(created).await {
            ServerMessage::TableCreated { table } => table,
            _ => unreachable!("just waited for it"),
        }
    }

    pub(crate) async fn error(&mut self) -> ErrorCode {
        match self
            .wait_for(|message| matches!(message, ServerMessage::Error { .. }))
            .await
        {
            ServerMessage::Error { code, .. } => code,
            _ => unreachable!("just waited for an error"),
        }
    }

    /// The close code and reason, after any other messages.
    pub(crate) async fn closed(&mut self) -> (u16, String) {
        loop {
            match within(self.socket.next()).await {
                Some(Ok(Message::Close(Some(frame)))) => {
                    return (frame.code.into(), frame.reason.to_string());
                }
                Some(Ok(_)) => {}
                other => panic!("expected a close frame, got {other:?}"),
            }
        }
    }

    /// Answers the next request with the first legal move.
    pub(crate) async fn play_first_move(&mut self) {
        let asked = |message: &ServerMessage| matches!(message, ServerMessage::YourTurn { .. });
        if let ServerMessage::YourTurn {
            ply, legal_moves, ..
        } = self.wait_for(asked).await
        {
            self.send_message(&move_of(ply, &legal_moves[0].text)).await;
        }
    }

    /// Answers requests with the first legal move until the game is over.
    pub(crate) async fn play_first_moves(&mut self) -> ServerMessage {
        loop {
            match self.receive().await {
                ServerMessage::YourTurn {
                    ply, legal_moves, ..
                } => {
                    self.send_message(&move_of(ply, &legal_moves[0].text)).await;
                }
                over @ ServerMessage::GameOver { .. } => return over,
                _ => {}
            }
        }
    }
}

/// A move.
pub(crate) fn move_of(ply: u32, text: &str) -> ClientMessage {
    ClientMessage::Move {
        game: None,
        ply,
        text: text.to_owned(),
        search: None,
        id: None,
    }
}

/// The response to an HTTP request after which the server closes.
pub(crate) async fn request(address: SocketAddr, text: &str) -> String {
    String::from_utf8(request_bytes(address, text).await).expect("a text")
}

/// The bytes of such a response.
pub(crate) async fn request_bytes(address: SocketAddr, text: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(text.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    within(stream.read_to_end(&mut answer))
        .await
        .expect("an answer");
    answer
}

/// The response to a GET request.
pub(crate) async fn get(address: SocketAddr, path: &str) -> String {
    let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    request(address, &head).await
}

pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future)
        .await
        .expect("in time")
}
