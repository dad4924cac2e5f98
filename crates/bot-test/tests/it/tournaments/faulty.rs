//! A foreign bot with faults: the test binary itself, started again by the program under test.

use std::net::TcpStream;
use std::time::Duration;

use checkers_lib::protocol::{ClientMessage, ServerMessage};
use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};

/// The variable that tells the test binary which bot to be.
const FAULT: &str = "BOT_TEST_FAULT";

/// The spec of a bot with this fault. The test that it runs calls [`act`] and nothing else.
pub(crate) fn spec(fault: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!(
        "exec:{FAULT}={fault} exec '{}' --exact tournaments::faults::faulty_bot --nocapture",
        program.display()
    )
}

/// Plays as the environment says; does nothing in an ordinary run of the tests.
pub(crate) fn act() {
    let Ok(fault) = std::env::var(FAULT) else {
        return;
    };
    let mut bot = Bot::join();
    match fault.as_str() {
        "leaves" => bot.leave(),
        "stands" => {}
        "floods" => bot.flood(),
        "babbles" => bot.send_in_game(Message::text("{\"type\":")),
        "sends_bytes" => bot.send_in_game(Message::binary(vec![1, 2, 3])),
        "sends_too_much" => bot.send_in_game(Message::text("x".repeat(100_000))),
        "resigns" => bot.give_up(),
        "insists" => bot.play(|_| "a1-h8".to_owned(), || {}),
        "despairs" => bot.play(|_| "a1-h8".to_owned(), despair),
        "plays" => bot.play(first, || {}),
        "chatters" => {
            std::thread::spawn(|| {
                loop {
                    println!("{}", "chatter ".repeat(1000));
                    eprintln!("{}", "chatter ".repeat(1000));
                }
            });
            bot.play(first, || {});
        }
        fault => panic!("unknown fault {fault}"),
    }
    // Alive, but of no use.
    std::thread::sleep(Duration::from_secs(3600));
}

fn first(moves: &[String]) -> String {
    moves[0].clone()
}

fn despair() {
    let told = r#"{"type":"failed","code":7,"message":"a1-h8 was refused"}"#;
    println!("\n{told}");
    eprintln!("I thought it was legal");
    std::process::exit(7);
}

struct Bot {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
}

impl Bot {
    fn join() -> Bot {
        let (socket, _) = connect(variable("CHECKERS_SERVER")).unwrap();
        let mut bot = Bot { socket };
        bot.say(&ClientMessage::join(variable("CHECKERS_NAME")));
        bot
    }

    fn say(&mut self, message: &ClientMessage) {
        let text = serde_json::to_string(message).unwrap();
        self.socket.send(Message::text(text)).unwrap();
    }

    fn hear(&mut self) -> ServerMessage {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    fn await_game(&mut self) {
        while !matches!(self.hear(), ServerMessage::GameStarted(_)) {}
    }

    /// Goes away in the midst of a game, but lives on.
    fn leave(mut self) {
        self.await_game();
    }

    /// Speaks in a game until the server has had enough.
    fn flood(&mut self) {
        self.await_game();
        while self
            .socket
            .send(Message::text(r#"{"type":"hello"}"#))
            .is_ok()
        {}
    }

    fn send_in_game(&mut self, message: Message) {
        self.await_game();
        self.socket.send(message).unwrap();
    }

    /// Gives its seat up in the first game and stays.
    fn give_up(&mut self) {
        self.await_game();
        self.say(&ClientMessage::LeaveSeat);
    }

    /// Plays every game with what `choose` makes of the legal moves.
    fn play(&mut self, choose: impl Fn(&[String]) -> String, refused: impl Fn()) {
        loop {
            match self.hear() {
                ServerMessage::YourTurn {
                    ply, legal_moves, ..
                } => {
                    let moves: Vec<_> = legal_moves.into_iter().map(|legal| legal.text).collect();
                    self.say(&ClientMessage::Move {
                        game: None,
                        ply,
                        text: choose(&moves),
                        search: None,
                        id: None,
                    });
                }
                ServerMessage::Error { .. } => refused(),
                _ => {}
            }
        }
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}
