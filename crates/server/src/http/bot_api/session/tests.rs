//! Sessions against a server that answers late, wrongly or not at all.

use checkers_lib::Position;
use checkers_lib::protocol::Offer;
use serde_json::json;
use tokio::io::duplex;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::*;
use crate::limits::TokenBucket;

const BOT: &str = "hawk[bot]";

/// The connection of a bot's session.
struct Server(WebSocketStream<DuplexStream>);

/// What calls the session.
struct Caller(mpsc::Sender<Call>);

/// The answer to a call.
struct PendingReply(oneshot::Receiver<Result<Value, BotApiError>>);

/// A session of a bot with games at these tables, which may make this many calls at once.
async fn begin(tables: &[&str], burst: u32) -> (Server, Caller) {
    let (near, far) = duplex(16 * 1024);
    let (calls, received) = mpsc::channel(MAX_CALLS);
    let limiter = RateLimiter::new(TokenBucket::new(burst, 0, Instant::now()), None);
    tokio::spawn(async move {
        let socket = WebSocketStream::from_raw_socket(near, Role::Client, None).await;
        let session = BotSession::new(socket, received, limiter, BOT.to_owned());
        session.run("0".repeat(64)).await;
    });
    let mut server = Server(WebSocketStream::from_raw_socket(far, Role::Server, None).await);
    server.expect("join", "").await;
    let seats = tables.iter();
    let seats = seats.map(|table| json!({"table": table, "color": "white", "state": "running"}));
    let seats: Vec<Value> = seats.collect();
    server
        .say(json!({
            "type": "joined", "name": BOT, "protocol": 1, "draw_rules": "fmjd64", "seats": seats,
        }))
        .await;
    server.expect("unsubscribe_lobby", "").await;
    for table in tables {
        server.expect("watch", table).await;
    }
    for table in tables {
        server.say(state(table, Some(game(table)))).await;
    }
    (server, Caller(calls))
}

fn game(table: &str) -> Value {
    let fen = Position::start().to_string();
    json!({
        "table": table, "id": format!("{table}-1"), "game": 1, "white": BOT, "black": "anna",
        "start_fen": fen, "moves": [], "fen": fen, "ply": 0, "turn": "white",
    })
}

fn info(table: &str) -> Value {
    json!({
        "id": table, "kind": "challenge", "visibility": "link", "draw_rules": "fmjd64",
        "casual": true, "state": "running", "seats": {}, "watchers": 0, "ply": 0,
    })
}

fn state(table: &str, game: Option<Value>) -> Value {
    let mut state =
        json!({"type": "table_state", "table": table, "info": info(table), "server_ms": 0});
    if let Some(game) = game {
        state["state"] = game;
    }
    state
}

fn error(table: &str) -> Value {
    json!({"type": "error", "code": "no_game", "message": "no game is running", "table": table})
}

impl Server {
    /// The next message of the session, which has this type and is about this table.
    async fn expect(&mut self, kind: &str, table: &str) -> Value {
        loop {
            match self.0.next().await.unwrap().unwrap() {
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text).unwrap();
                    let about = message["table"].as_str().unwrap_or_default();
                    assert_eq!(
                        (&message["type"], about),
                        (&json!(kind), table),
                        "{message}"
                    );
                    return message;
                }
                other => assert!(!other.is_close(), "{other:?}"),
            }
        }
    }

    /// Whether the session says nothing for some time.
    async fn is_silent(&mut self) -> bool {
        let next = timeout(Duration::from_millis(100), self.0.next()).await;
        next.is_err()
    }

    async fn say(&mut self, message: Value) {
        self.0
            .send(Message::text(message.to_string()))
            .await
            .unwrap();
    }

    async fn pong(&mut self, ping: &Value) {
        let pong = json!({"type": "pong", "t": ping["t"], "server_ms": 0});
        self.say(pong).await;
    }
}

impl Caller {
    async fn act(&self, action: BotAction) -> PendingReply {
        let (reply, answer) = oneshot::channel();
        self.0.send(Call::Act(action, reply)).await.unwrap();
        PendingReply(answer)
    }

    async fn resign(&self, table: &str) -> PendingReply {
        self.act(BotAction::Resign(format!("{table}-1"))).await
    }

    async fn offer_draw(&self, table: &str) -> PendingReply {
        let action = BotAction::Agree(format!("{table}-1"), Offer::Draw, true);
        self.act(action).await
    }
}

/// The status of an answer that is there, or comes as soon as the session runs.
async fn status(answer: PendingReply) -> u16 {
    match answer.0.await.unwrap() {
        Ok(_) => 200,
        Err(error) => error.status(),
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_answers_only_the_call_that_it_is_about() {
    let (mut server, bot) = begin(&["t", "u"], 100).await;
    let resigns = bot.resign("t").await;
    server.expect("resign", "t").await;
    let ping = server.expect("ping", "t").await;
    // Errors of other requests.
    server.say(error("u")).await;
    server
        .say(json!({"type": "error", "code": "no_game", "message": "no"}))
        .await;
    server.pong(&json!({"t": 99})).await;
    server.pong(&ping).await;
    assert_eq!(status(resigns).await, 200);

    let resigns = bot.resign("t").await;
    server.expect("resign", "t").await;
    let ping = server.expect("ping", "t").await;
    server.say(error("t")).await;
    assert_eq!(status(resigns).await, 400);
    // The next call waits until the table has answered this one.
    let again = server.expect("ping", "t").await;
    let offers = bot.offer_draw("t").await;
    server.say(error("t")).await;
    server.pong(&ping).await;
    assert!(server.is_silent().await);
    server.pong(&again).await;
    server.expect("offer_draw", "t").await;
    let ping = server.expect("ping", "t").await;
    server.pong(&ping).await;
    assert_eq!(status(offers).await, 200);
}

#[tokio::test(start_paused = true)]
async fn calls_that_come_too_fast_are_refused_at_once() {
    let (mut server, bot) = begin(&["t", "u"], 2).await;
    let first = bot.resign("t").await;
    let second = bot.resign("u").await;
    assert_eq!(status(bot.offer_draw("u").await).await, 429);
    for table in ["t", "u"] {
        server.expect("resign", table).await;
        let ping = server.expect("ping", table).await;
        server.pong(&ping).await;
    }
    assert_eq!((status(first).await, status(second).await), (200, 200));
    // A request for a move makes room for it.
    let fen = Position::start().to_string();
    server
        .say(json!({"type": "your_turn", "table": "u", "game": 1, "ply": 0, "fen": fen}))
        .await;
    let offers = bot.offer_draw("u").await;
    server.expect("offer_draw", "u").await;
    let ping = server.expect("ping", "u").await;
    server.pong(&ping).await;
    assert_eq!(status(offers).await, 200);
}

#[tokio::test(start_paused = true)]
async fn a_table_that_does_not_answer_holds_up_no_other() {
    let (mut server, bot) = begin(&["t", "u"], 100).await;
    let began = tokio::time::Instant::now();
    let lost = bot.resign("t").await;
    server.expect("resign", "t").await;
    server.expect("ping", "t").await;
    let waits = bot.offer_draw("t").await;
    let other = bot.resign("u").await;
    server.expect("resign", "u").await;
    let ping = server.expect("ping", "u").await;
    server.pong(&ping).await;
    assert_eq!(status(other).await, 200);
    // What is known of the game can be read.
    let (reply, lines) = oneshot::channel();
    bot.0.send(Call::Game("t-1".into(), reply)).await.unwrap();
    assert!(lines.await.unwrap().unwrap().recv().await.is_some());
    assert!(began.elapsed() < SEAT_TIMEOUT);

    assert_eq!((status(lost).await, status(waits).await), (503, 503));
    assert_eq!(began.elapsed(), ANSWER_TIMEOUT);
    assert_eq!(status(bot.offer_draw("t").await).await, 503);
    let other = bot.offer_draw("u").await;
    server.expect("offer_draw", "u").await;
    let ping = server.expect("ping", "u").await;
    server.pong(&ping).await;
    assert_eq!(status(other).await, 200);
    while !bot.0.is_closed() {
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert!(
        began.elapsed() >= 2 * ANSWER_TIMEOUT,
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_game_of_an_unknown_table_is_given_up_soon() {
    let (mut server, bot) = begin(&["t"], 100).await;
    let (unknown, foreign) = (bot.resign("v").await, bot.resign("w").await);
    server.expect("watch", "v").await;
    server.expect("watch", "w").await;
    server.say(state("w", None)).await;
    assert_eq!(status(foreign).await, 404);
    server.expect("unwatch", "w").await;
    assert_eq!(status(unknown).await, 503);
    server.expect("unwatch", "v").await;
}

/// Challenges that come to nothing leave the bot at no table and in no seat.
#[tokio::test(start_paused = true)]
async fn a_challenge_that_comes_to_nothing_leaves_nothing_open() {
    let (mut server, bot) = begin(&[], 100).await;
    let challenged =
        || json!({"type": "challenged", "table": "v", "by": "anna", "info": info("v")});
    let players = json!({
        "type": "players", "table": "v", "players": [{"name": "anna", "role": "white"}],
    });
    let left = json!({"type": "unwatched", "table": "v"});
    let accept = || BotAction::Accept("v-1".into());
    let enter = async |server: &mut Server| {
        server.say(challenged()).await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        let accepts = bot.act(accept()).await;
        server.expect("watch", "v").await;
        server.say(state("v", None)).await;
        accepts
    };

    // The challenger is not there.
    let accepts = enter(&mut server).await;
    assert_eq!(status(accepts).await, 404);
    server.expect("unwatch", "v").await;
    server.say(left.clone()).await;

    // The challenger has gone.
    let accepts = enter(&mut server).await;
    server
        .say(json!({"type": "challenge_withdrawn", "table": "v"}))
        .await;
    assert_eq!(status(accepts).await, 404);
    server.expect("unwatch", "v").await;
    server.say(left.clone()).await;

    // The seat is refused, or the game does not begin.
    for is_refused in [true, false] {
        let accepts = enter(&mut server).await;
        server.say(players.clone()).await;
        server.expect("take_seat", "v").await;
        if is_refused {
            server.say(error("v")).await;
        }
        assert_eq!(status(accepts).await, if is_refused { 400 } else { 503 });
        server.expect("leave_seat", "v").await;
        server.expect("ping", "v").await;
        server.say(error("v")).await;
        server.expect("unwatch", "v").await;
        server.say(left.clone()).await;
    }

    // A level of the computer does not come.
    let plays = bot.act(BotAction::PlayLevel(Box::default())).await;
    server.expect("create_table", "").await;
    server
        .say(json!({"type": "table_created", "table": "x"}))
        .await;
    server.say(state("x", None)).await;
    assert_eq!(status(plays).await, 503);
    server.expect("leave_seat", "x").await;
    let ping = server.expect("ping", "x").await;
    server.pong(&ping).await;
    server.expect("unwatch", "x").await;
}
