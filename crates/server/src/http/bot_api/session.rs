//! A bot that plays over HTTP: one task per bot, which is a client of this server like those with a WebSocket, and
//! so under the same limits and rules, on whichever node its tables are.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    Addressed, ClientMessage, ErrorCode, Join, Joined, Ping, Pong, Refusal, ServerMessage, Watch,
};
use event_store::UnixMillis;
use futures::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{interval, sleep_until, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tracing::debug;

use super::action::{ActionResult, ActionStep, BotAction};
use super::awaited::{Awaited, table_of};
use super::error::BotApiError;
use super::streams::{LineReceiver, Streams};
use super::tables::BotTables;
use crate::broadcast::expected_replies;
use crate::limits::{RateLimiter, RateVerdict};
use crate::lobby::secrets;

/// The most calls of one bot that wait for the session, and for their tables.
pub(super) const MAX_CALLS: usize = 16;

/// How long a call waits for the answer of a table, which may be moving to another node. Without an answer in twice
/// this time it is unknown what has happened, and the session ends.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a call waits for somebody to take a seat, and for a table that the session does not know.
const SEAT_TIMEOUT: Duration = Duration::from_secs(3);

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
    Events(Reply<LineReceiver>),
    /// Open the stream of a game, likewise.
    Game(String, Reply<LineReceiver>),
    /// List the games.
    Playing(Reply<Value>),
    /// List the challenges.
    Challenges(Reply<Value>),
    Act(BotAction, Reply<Value>),
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

    /// The table that has to answer it; an empty id for a table to be created.
    fn table(&self) -> &str {
        let about = match self {
            Call::Act(action, _) => action.about(),
            call => call.game(),
        };
        let table = about.and_then(|id| id.rsplit_once('-'));
        table.map_or("", |(table, _)| table)
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
    limiter: RateLimiter,
    tables: BotTables,
    streams: Streams,
    /// What each table has to answer, at most one request each.
    pending: HashMap<String, Pending>,
    /// Calls to tables that have to answer an earlier one, in the order of their arrival; at most [`MAX_CALLS`].
    waiting: VecDeque<Call>,
    /// With the number of the last move, its id: no other session has the same.
    id: u32,
    moves: u64,
    pings: u64,
    used: Instant,
}

/// A request that the server has to answer.
struct Pending {
    awaited: Awaited,
    caller: Waits,
    /// The number of the ping behind the request.
    ping: Option<u64>,
    deadline: tokio::time::Instant,
}

/// Who waits for an answer.
enum Waits {
    Caller(Reply<Value>),
    /// A call about a table that the session has still to enter.
    Call(Call),
    /// The call has been answered.
    Nobody,
    /// The call has been answered with an error since the table has not answered in time.
    GivenUp,
}

impl Waits {
    /// Answers the call with an error.
    fn refuse(self, error: BotApiError) {
        match self {
            Waits::Caller(reply) => send_reply(reply, Err(error)),
            Waits::Call(call) => call.refuse(error),
            Waits::Nobody | Waits::GivenUp => {}
        }
    }
}

/// The session is over.
struct SessionEnded;

impl BotSession {
    pub(super) fn new(
        socket: WebSocketStream<DuplexStream>,
        calls: mpsc::Receiver<Call>,
        limiter: RateLimiter,
        name: String,
    ) -> BotSession {
        let now = Instant::now();
        BotSession {
            socket,
            calls,
            limiter,
            tables: BotTables::new(name, now, UnixMillis::now()),
            streams: Streams::default(),
            pending: HashMap::new(),
            waiting: VecDeque::new(),
            id: secrets::draw_number(),
            moves: 0,
            pings: 0,
            used: now,
        }
    }

    /// Joins with the bot's token, and serves its calls until the server closes the connection or the bot is gone.
    pub(super) async fn run(mut self, token: String) {
        let joined = timeout(ANSWER_TIMEOUT, self.join(token)).await;
        let error = match joined {
            Ok(Ok(())) => {
                let SessionEnded = self.serve().await;
                BotApiError::busy("the server has closed the connection of this bot: try again")
            }
            Ok(Err(error)) => error,
            Err(_) => BotApiError::busy("the server does not answer: try again"),
        };
        for (_, pending) in self.pending {
            pending.caller.refuse(error.clone());
        }
        self.calls.close();
        for call in self.waiting {
            call.refuse(error.clone());
        }
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
            self.enter(&seat.table, Waits::Nobody).await?;
        }
        // A table that does not answer now is shown as soon as it does.
        let deadline = tokio::time::Instant::now() + SEAT_TIMEOUT;
        while !self.pending.is_empty()
            && let Ok(message) = timeout_at(deadline, self.receive()).await
        {
            self.handle(message?).await?;
        }
        Ok(())
    }

    async fn enter(&mut self, table: &str, caller: Waits) -> Result<(), SessionEnded> {
        let message = Addressed::to(table, ClientMessage::Watch(Watch::default()));
        let step = ActionStep::Send(Box::new(message), Awaited::Entered(table.to_owned()));
        self.take_step(step, caller).await
    }

    async fn serve(&mut self) -> SessionEnded {
        let mut check = interval(CHECK_INTERVAL);
        loop {
            let deadline = self.pending.values().map(|pending| pending.deadline).min();
            let done = tokio::select! {
                biased;
                message = receive(&mut self.socket) => match message {
                    Ok(message) => self.handle(message).await,
                    Err(ended) => Err(ended),
                },
                call = self.calls.recv() => match call {
                    Some(call) => {
                        self.answer(call);
                        Ok(())
                    }
                    None => Err(SessionEnded),
                },
                () = sleep_until(deadline.unwrap_or_else(tokio::time::Instant::now)), if deadline.is_some() => {
                    self.give_up().await
                }
                _ = check.tick() => self.check(),
            };
            if let Err(ended) = done {
                return ended;
            }
            if let Err(ended) = self.begin_waiting().await {
                return ended;
            }
        }
    }

    /// Handles that answers have not come in time.
    async fn give_up(&mut self) -> Result<(), SessionEnded> {
        let now = tokio::time::Instant::now();
        let late = self
            .pending
            .extract_if(|_, pending| pending.deadline <= now);
        for (table, mut pending) in late.collect::<Vec<_>>() {
            debug!(table, "a request has no answer");
            match (pending.awaited.late(), &pending.caller) {
                // The session has joined without this table.
                (Some(_), Waits::Nobody) => {}
                (None, Waits::Nobody | Waits::GivenUp) => return Err(SessionEnded),
                (Some(error), _) => self.advance(pending, Err(error)).await?,
                (None, _) => {
                    let error = BotApiError::busy("the table does not answer: see its game");
                    std::mem::replace(&mut pending.caller, Waits::GivenUp).refuse(error);
                    pending.deadline = now + ANSWER_TIMEOUT;
                    self.pending.insert(table, pending);
                }
            }
        }
        Ok(())
    }

    /// Ends the session of a bot that is gone.
    fn check(&mut self) -> Result<(), SessionEnded> {
        if self.streams.are_open() {
            self.used = Instant::now();
        }
        match self.used.elapsed() > LINGER {
            true => Err(SessionEnded),
            false => Ok(()),
        }
    }

    async fn handle(&mut self, message: ServerMessage) -> Result<(), SessionEnded> {
        self.limiter.credit(expected_replies(&message).into());
        let Some(pending) = self.remove_pending(&message) else {
            self.take_in(message);
            return Ok(());
        };
        self.take_in(message.clone());
        match pending.awaited.next(&message, &mut self.tables) {
            Some(outcome) => self.advance(pending, outcome).await,
            None => {
                self.keep(pending);
                Ok(())
            }
        }
    }

    /// The request that a message may answer.
    fn remove_pending(&mut self, message: &ServerMessage) -> Option<Pending> {
        let table = match message {
            ServerMessage::Pong(Pong { t, .. }) => {
                let mut pending = self.pending.iter();
                let (table, _) = pending.find(|(_, pending)| t.is_some() && pending.ping == *t)?;
                return self.pending.remove(&table.clone());
            }
            message => table_of(message)?,
        };
        self.pending.remove(table)
    }

    fn keep(&mut self, pending: Pending) {
        let table = pending.awaited.table().to_owned();
        self.pending.insert(table, pending);
    }

    /// Takes in a message, and writes the lines that follow from it.
    fn take_in(&mut self, message: ServerMessage) {
        for line in self.tables.handle(message, Instant::now()) {
            self.streams.write(line);
        }
    }

    /// Answers a call that asks nothing of a table, or queues it.
    fn answer(&mut self, call: Call) {
        let now = Instant::now();
        self.used = now;
        match call {
            Call::Events(reply) => {
                let lines = self.streams.open_events(self.tables.present(now));
                send_reply(reply, Ok(lines));
            }
            Call::Playing(reply) => send_reply(reply, Ok(self.tables.playing(now))),
            Call::Challenges(reply) => send_reply(reply, Ok(self.tables.challenges())),
            Call::Game(id, reply) if self.tables.game(&id).is_some() => self.open_game(&id, reply),
            call @ (Call::Game(..) | Call::Act(..)) => {
                let is_full = self.waiting.len() >= MAX_CALLS;
                if is_full || self.limiter.try_acquire(now) != RateVerdict::Accept {
                    let message = "calls of this bot come too fast; nothing has happened";
                    call.refuse(Refusal::new(ErrorCode::TooManyMessages, message).into());
                } else {
                    self.waiting.push_back(call);
                }
            }
        }
    }

    /// Begins the calls whose tables have answered earlier ones.
    async fn begin_waiting(&mut self) -> Result<(), SessionEnded> {
        let can_begin =
            |pending: &HashMap<String, Pending>, call: &Call| match pending.get(call.table()) {
                None => true,
                Some(earlier) => matches!(earlier.caller, Waits::GivenUp),
            };
        while let Some(at) = self
            .waiting
            .iter()
            .position(|call| can_begin(&self.pending, call))
            && let Some(call) = self.waiting.remove(at)
        {
            self.begin(call).await?;
        }
        Ok(())
    }

    async fn begin(&mut self, call: Call) -> Result<(), SessionEnded> {
        let table = call.table();
        if self.pending.contains_key(table) {
            call.refuse(BotApiError::busy("the table does not answer: try again"));
            return Ok(());
        }
        // The lobby of a cluster hears of new games with a delay.
        let is_unknown = call.game().is_some() && self.tables.table(table).is_none();
        if is_unknown && (1..=MAX_TABLE).contains(&table.len()) {
            let table = table.to_owned();
            return self.enter(&table, Waits::Call(call)).await;
        }
        match call {
            Call::Game(id, reply) => self.open_game(&id, reply),
            Call::Act(action, reply) => {
                self.moves += 1;
                let id = format!("{:08x}-{}", self.id, self.moves);
                match action.begin(&self.tables, &id) {
                    Ok(step) => self.take_step(step, Waits::Caller(reply)).await?,
                    Err(error) => send_reply(reply, Err(error)),
                }
            }
            call @ (Call::Events(_) | Call::Playing(_) | Call::Challenges(_)) => self.answer(call),
        }
        Ok(())
    }

    fn open_game(&mut self, id: &str, reply: Reply<LineReceiver>) {
        let opened = match self.tables.game(id) {
            Some((table, game, _)) => {
                let is_over = game.result.is_some();
                let first = table.view(game, Instant::now()).full();
                Ok(self.streams.open_game(&game.table, &first, is_over))
            }
            None => Err(BotApiError::not_found("no such game, or it is not yours")),
        };
        send_reply(reply, opened);
    }

    /// Goes on with a request that was answered.
    async fn advance(
        &mut self,
        pending: Pending,
        outcome: ActionResult,
    ) -> Result<(), SessionEnded> {
        match outcome {
            Ok(step) => self.take_step(step, pending.caller).await,
            Err(error) => {
                let undo = pending.awaited.undo();
                pending.caller.refuse(error);
                match undo {
                    Some(step) => self.take_step(step, Waits::Nobody).await,
                    None => Ok(()),
                }
            }
        }
    }

    async fn take_step(&mut self, step: ActionStep, caller: Waits) -> Result<(), SessionEnded> {
        let awaited = match step {
            ActionStep::Done(answer) => {
                match caller {
                    Waits::Caller(reply) => send_reply(reply, Ok(answer)),
                    Waits::Call(call) => self.waiting.push_front(call),
                    Waits::Nobody | Waits::GivenUp => {}
                }
                return Ok(());
            }
            ActionStep::Send(message, awaited) => {
                self.send(&message).await?;
                awaited
            }
            ActionStep::Ping(awaited) | ActionStep::Wait(awaited) => awaited,
        };
        let ping = match awaited.ends_with_pong() {
            true => Some(self.ping(awaited.table()).await?),
            false => None,
        };
        let time = match awaited {
            Awaited::Entered(_) | Awaited::Challenger(_) | Awaited::Started(_) => SEAT_TIMEOUT,
            _ => ANSWER_TIMEOUT,
        };
        self.keep(Pending {
            awaited,
            caller,
            ping,
            deadline: tokio::time::Instant::now() + time,
        });
        Ok(())
    }

    /// Sends a ping to a table; its number.
    async fn ping(&mut self, table: &str) -> Result<u64, SessionEnded> {
        self.pings += 1;
        let t = Some(self.pings);
        let ping = Addressed::to(table, ClientMessage::Ping(Ping { t }));
        self.send(&ping).await?;
        Ok(self.pings)
    }

    async fn send(&mut self, message: &Addressed) -> Result<(), SessionEnded> {
        let text = serde_json::to_string(message).map_err(|_| SessionEnded)?;
        self.socket
            .send(Message::text(text))
            .await
            .map_err(|_| SessionEnded)
    }

    async fn receive(&mut self) -> Result<ServerMessage, SessionEnded> {
        receive(&mut self.socket).await
    }
}

impl From<SessionEnded> for BotApiError {
    fn from(SessionEnded: SessionEnded) -> BotApiError {
        let message = "the server has closed the connection of this bot: try again";
        Refusal::new(ErrorCode::NotStored, message).into()
    }
}

/// The next message. Cancel safe.
async fn receive(
    socket: &mut WebSocketStream<DuplexStream>,
) -> Result<ServerMessage, SessionEnded> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                // A message of an unknown type comes from a newer node.
                if let Ok(message) = serde_json::from_str(&text) {
                    return Ok(message);
                }
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(SessionEnded),
            Some(Ok(_)) => {}
        }
    }
}

/// Sends the answer, if the caller still waits.
fn send_reply<T>(reply: Reply<T>, answer: Result<T, BotApiError>) {
    let _ = reply.send(answer);
}

#[cfg(test)]
mod tests;
