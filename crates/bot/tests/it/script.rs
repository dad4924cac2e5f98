//! A server that says what a test wants it to say.

use checkers_lib::Color;
use checkers_lib::protocol::{ClientMessage, Join, ServerMessage};
use futures::{SinkExt, StreamExt};
use test_support::PATIENCE;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::{WebSocketStream, accept_async};

use crate::referee::{Referee, joined, seated};

/// A listening server.
pub(crate) struct Script {
    listener: TcpListener,
}

impl Script {
    pub(crate) async fn listen() -> Script {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Script { listener }
    }

    pub(crate) fn url(&self) -> String {
        format!("ws://{}", self.listener.local_addr().unwrap())
    }

    /// Takes the bot's connection.
    pub(crate) async fn accept(&self) -> Peer {
        let socket = accept_async(self.accept_tcp().await).await.unwrap();
        Peer { socket }
    }

    /// Takes the bot's connection before its handshake.
    pub(crate) async fn accept_tcp(&self) -> TcpStream {
        let (stream, _) = timeout(PATIENCE, self.listener.accept())
            .await
            .expect("the bot connects")
            .unwrap();
        stream.set_nodelay(true).unwrap();
        stream
    }

    /// Takes the bot's connection, lets it in, gives it its seat and starts a game.
    pub(crate) async fn start_game(&self) -> (Peer, Referee) {
        let mut peer = self.accept().await;
        peer.let_in().await;
        let color = peer.give_seat().await;
        let referee = Referee::new(1, color);
        peer.say(&referee.started()).await;
        (peer, referee)
    }
}

/// The server's end of the bot's connection.
pub(crate) struct Peer {
    socket: WebSocketStream<TcpStream>,
}

impl Peer {
    pub(crate) async fn say(&mut self, message: &ServerMessage) {
        let text = serde_json::to_string(message).unwrap();
        self.send(Message::text(text)).await;
    }

    pub(crate) async fn send(&mut self, frame: Message) {
        self.socket.send(frame).await.unwrap();
    }

    /// The next frame of any kind.
    pub(crate) async fn frame(&mut self) -> Message {
        timeout(PATIENCE, self.socket.next())
            .await
            .expect("the bot says something")
            .expect("the bot is there")
            .unwrap()
    }

    /// The next message.
    pub(crate) async fn hear(&mut self) -> ClientMessage {
        loop {
            if let Message::Text(text) = self.frame().await {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Pings and expects the answer to come before anything else.
    pub(crate) async fn ping(&mut self) {
        self.send(Message::Ping("are you there".into())).await;
        assert_eq!(self.frame().await, Message::Pong("are you there".into()));
    }

    pub(crate) async fn close(&mut self, frame: CloseFrame) {
        self.socket.close(Some(frame)).await.unwrap();
    }

    /// Waits until the bot has closed the connection, and closes it when the bot leaves.
    pub(crate) async fn see_off(mut self) {
        let gone = async {
            while let Some(Ok(frame)) = self.socket.next().await {
                if frame == Message::text(r#"{"type":"leave"}"#) {
                    let _ = self.socket.close(None).await;
                }
            }
        };
        timeout(PATIENCE, gone).await.expect("the bot goes");
    }

    pub(crate) async fn let_in(&mut self) {
        let _join = self.join().await;
        self.say(&joined()).await;
    }

    /// How the bot comes in.
    pub(crate) async fn join(&mut self) -> Join {
        match self.hear().await {
            ClientMessage::Join(join) => join,
            other => panic!("the bot joins first: {other:?}"),
        }
    }

    /// Gives the seat that the bot asks for.
    pub(crate) async fn give_seat(&mut self) -> Color {
        let ClientMessage::TakeSeat { color } = self.hear().await else {
            panic!("the bot takes a seat");
        };
        let color = color.color().expect("a side");
        self.say(&seated(color)).await;
        color
    }

    /// Plays a game against the bot, which has `color`, to its end.
    pub(crate) async fn play(&mut self, number: u64, color: Color) -> Referee {
        let mut referee = Referee::new(number, color);
        self.say(&referee.started()).await;
        while referee.game.outcome().is_none() {
            if referee.game.turn() == color {
                self.say(&referee.your_turn()).await;
                let ClientMessage::Move { text, .. } = self.hear().await else {
                    panic!("the bot moves");
                };
                self.say(&referee.play(&text)).await;
            } else {
                self.say(&referee.play_any()).await;
            }
        }
        self.say(&referee.over()).await;
        referee
    }
}
