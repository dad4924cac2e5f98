//! A player's connection.

use std::net::SocketAddr;
use std::time::Duration;

use checkers_lib::protocol::{Addressed, ClientMessage, ServerMessage};
use futures::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// The connection is lost.
#[derive(Debug)]
pub(crate) struct Lost;

/// How long a player waits for data before reconnecting.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct TestLink {
    socket: WebSocketStream<TcpStream>,
}

impl TestLink {
    pub(crate) async fn open(address: SocketAddr) -> Result<TestLink, Lost> {
        let open = async {
            let stream = TcpStream::connect(address).await.map_err(|_| Lost)?;
            let url = format!("ws://{address}/ws");
            client_async(url, stream).await.map_err(|_| Lost)
        };
        let (socket, _) = timeout(PATIENCE, open).await.map_err(|_| Lost)??;
        Ok(TestLink { socket })
    }

    pub(crate) async fn say(&mut self, message: impl Into<Addressed>) -> Result<(), Lost> {
        let text = serde_json::to_string(&message.into()).expect("JSON");
        in_time(self.socket.send(Message::text(text))).await
    }

    pub(crate) async fn say_at(&mut self, table: &str, message: ClientMessage) -> Result<(), Lost> {
        self.say(Addressed::to(table, message)).await
    }

    /// Sends the close frame; what the server has sent before its own can still be received.
    pub(crate) async fn close(&mut self) -> Result<(), Lost> {
        in_time(self.socket.close(None)).await
    }

    /// The next message.
    pub(crate) async fn receive(&mut self) -> Result<ServerMessage, Lost> {
        loop {
            match timeout(PATIENCE, self.socket.next()).await {
                Ok(Some(Ok(Message::Text(text)))) => {
                    let message = serde_json::from_str(&text);
                    return Ok(message.unwrap_or_else(|error| panic!("{error}: {text}")));
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => {}
                _ => return Err(Lost),
            }
        }
    }
}

async fn in_time(sent: impl Future<Output = Result<(), WsError>>) -> Result<(), Lost> {
    timeout(PATIENCE, sent)
        .await
        .map_err(|_| Lost)?
        .map_err(|_| Lost)
}
