//! A bot that plays over HTTP: one task per bot, which is a client of this server like those with a WebSocket, and
//! so under the same limits and rules, on whichever node its tables are.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    Addressed, ClientMessage, ErrorCode, Join, Joined, Refusal, ServerMessage, Watch,
};
use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{interval, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tracing::debug;

use super::action::{Action, Step};
use super::awaited::Awaited;
use super::error::BotApiError;
use super::streams::{Lines, Streams};
use super::tables::BotTables;
use crate::lobby::secrets;

/// The most calls of one bot that wait. Further ones wait to be queued.
pub(super) const MAX_CALLS: usize = 16;

/// How long a call waits for the answer of a table, which may be moving to another node. Without an answer it is
/// unknown what has happened, and the session ends.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a session lasts without a stream and without a call. Then the bot is absent.
const LINGER: Duration = Duration::from_secs(15);

/// How often a session looks for streams whose clients are gone.
const CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// The longest id of a table, in bytes.
const MAX_TABLE: usize = 32;

pub(super) type Reply<T> = oneshot::Sender<Result<T, BotApiError>>;

/// A call of the bot.
#[derive(Debug)]
pub(super) enum Call {
    /// Open the stream of events; it replaces an earlier one.
    Events(Reply<Lines>),
    /// Open the stream of a game, likewise.
    Game(String, Reply<Lines>),
    /// List the games.
    Playing(Reply<Value>),
    /// List the challenges.
    Challenges(Reply<Value>),
    Act(Action, Reply<Value>),
}

impl Call {
    /// The game that it is about.
    fn game(&self) -> Option<&str> {
        match self {
            Call::Game(game, _) => Some(game),
            Call::Act(action, _) => action.game(),
            Call::Events(_) | Call::Playing(_) | Call::Challenges(_) => None,
        }
    }

    fn refuse(self, error: BotApiError) {
        match self {
            Call::Events(reply) | Call::Game(_, reply) => send_reply(reply, Err(error)),
            Call::Playing(reply) | Call::Challenges(reply) | Call::Act(_, reply) => {
                send_reply(reply, Err(error));
            }
        }
    }
}

/// The task of a bot.
pub(super) struct BotSession {
    socket: WebSocketStream<DuplexStream>,
    calls: mpsc::Receiver<Call>,
    tables: BotTables,
    streams: Streams,
    pending: Option<Pending>,
    /// With the number of the last move, its id: no other session has the same.
    id: u32,
    moves: u64,
    used: Instant,
}

/// A call that waits for an answer of the server.
struct Pending {
    awaited: Awaited,
    reply: Reply<Value>,
    deadline: tokio::time::Instant,
}

/// The session is over.
struct Ended;

impl BotSession {
    pub(super) fn new(
        socket: WebSocketStream<DuplexStream>,
        calls: mpsc::Receiver<Call>,
        name: String,
    ) -> BotSession {
        BotSession {
            socket,
            calls,
            tables: BotTables::new(name),
            streams: Streams::default(),
            pending: None,
            id: secrets::draw_number(),
            moves: 0,
            used: Instant::now(),
        }
    }

    /// Joins with the bot's token, and serves its calls until the server closes the connection or the bot is gone.
    pub(super) async fn run(mut self, token: String) {
        let joined = timeout(ANSWER_TIMEOUT, self.join(token)).await;
        let error = match joined {
            Ok(Ok(())) => {
                let Ended = self.serve().await;
                BotApiError::busy("the server has closed the connection of this bot: try again")
            }
            Ok(Err(error)) => error,
            Err(_) => BotApiError::busy("the server does not answer: try again"),
        };
        if let Some(pending) = self.pending {
            send_reply(pending.reply, Err(error.clone()));
        }
        self.calls.close();
        while let Some(call) = self.calls.recv().await {
            call.refuse(error.clone());
        }
    }

    /// Joins the server and enters the tables where the bot has a seat.
    async fn join(&mut self, token: String) -> Result<(), BotApiError> {
        let join = Join {
            token: Some(token),
            lobby: true,
            moves: false,
            ..Join::new(self.tables.name.clone())
        };
        self.send(&ClientMessage::Join(join).into()).await?;
        let joined = loop {
            match self.receive().await? {
                ServerMessage::Joined(joined) => break joined,
                ServerMessage::Error { code, message, .. } => {
                    return Err(Refusal::new(code, message).into());
                }
                _ => {}
            }
        };
        let Joined { name, seats, .. } = joined;
        self.tables.name = name;
        self.send(&ClientMessage::UnsubscribeLobby.into()).await?;
        for seat in seats {
            self.enter(&seat.table).await?;
        }
        Ok(())
    }

    /// Enters a table. One that cannot be entered is not shown.
    async fn enter(&mut self, table: &str) -> Result<(), Ended> {
        let watch = ClientMessage::Watch(Watch::default());
        self.send(&Addressed::to(table, watch)).await?;
        loop {
            let message = self.receive().await?;
            let is_answer = match &message {
                ServerMessage::TableState(state) => state.table == table,
                ServerMessage::Error { .. } => true,
                _ => false,
            };
            self.take_in(message);
            if is_answer {
                return Ok(());
            }
        }
    }

    /// Looks for a game that the session does not know: the lobby of a cluster hears of new games with a delay.
    async fn look_for(&mut self, game: &str) -> Result<(), Ended> {
        let table = game.rsplit_once('-').map(|(table, _)| table);
        let Some(table) = table.filter(|table| table.len() <= MAX_TABLE) else {
            return Ok(());
        };
        if self.tables.table(table).is_some() {
            return Ok(());
        }
        let entered = timeout(ANSWER_TIMEOUT, self.enter(table)).await;
        entered.map_err(|_| Ended)??;
        let is_there = self.tables.table(table).is_some();
        if is_there && !self.tables.plays_at(table) {
            let message = Addressed::to(table, ClientMessage::Unwatch);
            self.send(&message).await?;
        }
        Ok(())
    }

    async fn serve(&mut self) -> Ended {
        let mut check = interval(CHECK_INTERVAL);
        loop {
            let deadline = self.pending.as_ref().map(|pending| pending.deadline);
            let done = tokio::select! {
                biased;
                message = receive(&mut self.socket) => match message {
                    Ok(message) => self.handle(message).await,
                    Err(ended) => Err(ended),
                },
                call = self.calls.recv(), if deadline.is_none() => match call {
                    Some(call) => self.answer(call).await,
                    None => Err(Ended),
                },
                () = sleep_until(deadline.unwrap_or_else(tokio::time::Instant::now)), if deadline.is_some() => {
                    self.give_up()
                }
                _ = check.tick() => self.check(),
            };
            if let Err(ended) = done {
                return ended;
            }
        }
    }

    /// Handles that a call has no answer in time. If one may still come, the session ends.
    fn give_up(&mut self) -> Result<(), Ended> {
        debug!("a call has no answer");
        match self.pending.take() {
            Some(Pending {
                awaited: Awaited::Challenger(_),
                reply,
                ..
            }) => {
                let error = BotApiError::not_found("the challenger is not at the table");
                send_reply(reply, Err(error));
                Ok(())
            }
            pending => {
                self.pending = pending;
                Err(Ended)
            }
        }
    }

    /// Ends the session of a bot that is gone.
    fn check(&mut self) -> Result<(), Ended> {
        if self.streams.are_open() {
            self.used = Instant::now();
        }
        match self.used.elapsed() > LINGER {
            true => Err(Ended),
            false => Ok(()),
        }
    }

    async fn handle(&mut self, message: ServerMessage) -> Result<(), Ended> {
        self.take_in(message.clone());
        let Some(pending) = self.pending.take() else {
            return Ok(());
        };
        let step = pending.awaited.next(&message, &mut self.tables);
        self.take_step(step, pending.reply, pending.deadline).await
    }

    /// Takes in a message, and writes the lines that follow from it.
    fn take_in(&mut self, message: ServerMessage) {
        for line in self.tables.handle(message, Instant::now()) {
            self.streams.write(line);
        }
    }

    async fn answer(&mut self, call: Call) -> Result<(), Ended> {
        if let Some(game) = call.game() {
            self.look_for(game).await?;
        }
        let now = Instant::now();
        self.used = now;
        match call {
            Call::Events(reply) => {
                let lines = self.streams.open_events(self.tables.present(now));
                send_reply(reply, Ok(lines));
            }
            Call::Game(id, reply) => {
                let opened = match self.tables.game(&id) {
                    Some((table, game, _)) => {
                        let is_over = game.result.is_some();
                        let first = table.view(game, now).full();
                        Ok(self.streams.open_game(&game.table, &first, is_over))
                    }
                    None => Err(BotApiError::not_found("no such game, or it is not yours")),
                };
                send_reply(reply, opened);
            }
            Call::Playing(reply) => send_reply(reply, Ok(self.tables.playing(now))),
            Call::Challenges(reply) => send_reply(reply, Ok(self.tables.challenges())),
            Call::Act(action, reply) => {
                self.moves += 1;
                let step = action.begin(&self.tables, &format!("{:08x}-{}", self.id, self.moves));
                let deadline = tokio::time::Instant::now() + ANSWER_TIMEOUT;
                return self.take_step(step, reply, deadline).await;
            }
        }
        Ok(())
    }

    async fn take_step(
        &mut self,
        step: Result<Step, BotApiError>,
        reply: Reply<Value>,
        deadline: tokio::time::Instant,
    ) -> Result<(), Ended> {
        let awaited = match step {
            Ok(Step::Done(answer)) => {
                send_reply(reply, Ok(answer));
                return Ok(());
            }
            Err(error) => {
                send_reply(reply, Err(error));
                return Ok(());
            }
            Ok(Step::Wait(awaited)) => awaited,
            Ok(Step::Send(message, awaited)) => {
                self.send(&message).await?;
                awaited
            }
        };
        self.pending = Some(Pending {
            awaited,
            reply,
            deadline,
        });
        Ok(())
    }

    async fn send(&mut self, message: &Addressed) -> Result<(), Ended> {
        let text = serde_json::to_string(message).map_err(|_| Ended)?;
        self.socket
            .send(Message::text(text))
            .await
            .map_err(|_| Ended)
    }

    async fn receive(&mut self) -> Result<ServerMessage, Ended> {
        receive(&mut self.socket).await
    }
}

impl From<Ended> for BotApiError {
    fn from(Ended: Ended) -> BotApiError {
        let message = "the server has closed the connection of this bot: try again";
        Refusal::new(ErrorCode::NotStored, message).into()
    }
}

/// The next message. Cancel safe.
async fn receive(socket: &mut WebSocketStream<DuplexStream>) -> Result<ServerMessage, Ended> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                // A message of an unknown type comes from a newer node.
                if let Ok(message) = serde_json::from_str(&text) {
                    return Ok(message);
                }
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Ended),
            Some(Ok(_)) => {}
        }
    }
}

/// Sends the answer, if the caller still waits.
fn send_reply<T>(reply: Reply<T>, answer: Result<T, BotApiError>) {
    let _ = reply.send(answer);
}
