//! The task that owns a [`Table`]: commands in, frames out.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use checkers_lib::protocol::ServerMessage;
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio_tungstenite::tungstenite::Utf8Bytes;
use tracing::{Span, debug, info, info_span, warn};

use crate::metrics::Metrics;
use crate::table::{ClientId, Command, Effect, Table};

/// Commands waiting for the table; a connection that wants to add one more waits itself.
const INBOX: usize = 1024;

/// Commands carried out before the connections get their turn to pass frames on. A command makes
/// a few frames, so that a client that reads never finds its queue full.
const ROUND: usize = 16;

/// Frames waiting for one client; a client that lets it fill up is disconnected.
pub(crate) const OUTBOX: usize = 64;

/// A message to a client, serialised once however many clients get it.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) text: Utf8Bytes,
    /// How many messages it asks the client for.
    pub(crate) asks_for: u8,
}

impl Frame {
    pub(crate) fn new(message: &ServerMessage) -> Frame {
        let text = serde_json::to_string(message).expect("a wire type has no key but strings");
        let asks_for = match message {
            // A move; an answer; a seat in the next game, or its arrangement; the director's end of
            // the game.
            ServerMessage::YourTurn { .. }
            | ServerMessage::Offered { .. }
            | ServerMessage::GameOver { .. }
            | ServerMessage::GameStarted(_) => 1,
            _ => 0,
        };
        Frame {
            text: text.into(),
            asks_for,
        }
    }
}

#[derive(Debug)]
enum Request {
    Attach(mpsc::Sender<Frame>),
    /// With the moment of its arrival.
    Command(Command, Instant),
}

/// The way to a table. Dropping every clone ends its task.
#[derive(Clone, Debug)]
pub(crate) struct TableHandle {
    inbox: mpsc::Sender<(ClientId, Request)>,
}

/// A table and the clients it speaks to; [`TableTask::run`] is its life.
#[derive(Debug)]
pub(crate) struct TableTask {
    table: Table,
    inbox: mpsc::Receiver<(ClientId, Request)>,
    outboxes: HashMap<ClientId, mpsc::Sender<Frame>>,
    /// The list of players, if it has changed since it was told.
    players: Option<ServerMessage>,
    game: Span,
    metrics: Arc<Metrics>,
}

/// A table's task, not started yet, and the way to it.
pub(crate) fn channel(table: Table, metrics: Arc<Metrics>) -> (TableHandle, TableTask) {
    let (sender, inbox) = mpsc::channel(INBOX);
    let task = TableTask {
        table,
        inbox,
        outboxes: HashMap::new(),
        players: None,
        game: Span::none(),
        metrics,
    };
    (TableHandle { inbox: sender }, task)
}

impl TableHandle {
    /// Gives the table a way to speak to `who`. The queue ends when the table gives the client up.
    pub(crate) async fn attach(&self, who: ClientId) -> mpsc::Receiver<Frame> {
        let (outbox, frames) = mpsc::channel(OUTBOX);
        self.send(who, Request::Attach(outbox)).await;
        frames
    }

    /// Passes a command on, waiting while the table's inbox is full.
    pub(crate) async fn command(&self, who: ClientId, command: Command) {
        self.send(who, Request::Command(command, Instant::now()))
            .await;
    }

    async fn send(&self, who: ClientId, request: Request) {
        if self.inbox.send((who, request)).await.is_err() {
            debug!("the table is gone");
        }
    }
}

impl TableTask {
    /// Serves the table until every handle is gone.
    pub(crate) async fn run(mut self) {
        let mut round = Vec::with_capacity(ROUND);
        loop {
            tokio::select! {
                received = self.inbox.recv_many(&mut round, ROUND) => {
                    if received == 0 {
                        return;
                    }
                }
                () = sleep_until(self.table.poll_timeout()) => self.time_out(),
            }
            for (who, request) in round.drain(..) {
                self.serve(who, request);
            }
            self.tell_players();
            tokio::task::yield_now().await;
        }
    }

    fn serve(&mut self, who: ClientId, request: Request) {
        match request {
            Request::Attach(outbox) => {
                self.outboxes.insert(who, outbox);
            }
            Request::Command(command, arrived) => {
                let is_move = matches!(command, Command::Move(_));
                self.carry_out(who, command);
                if is_move {
                    self.metrics.move_queued(arrived.elapsed());
                }
            }
        }
    }

    fn time_out(&mut self) {
        for effect in self.table.handle_timeout(Instant::now()) {
            for who in self.deliver(&effect) {
                self.carry_out(who, Command::Exit);
            }
        }
    }

    /// Tells everybody the list of players, once however often it has changed.
    fn tell_players(&mut self) {
        while let Some(players) = self.players.take() {
            for who in self.broadcast(&Frame::new(&players)) {
                self.carry_out(who, Command::Exit);
            }
        }
    }

    /// Carries out a command, and the exits of clients that turn out to be too slow meanwhile.
    fn carry_out(&mut self, who: ClientId, command: Command) {
        let mut commands = VecDeque::from([(who, command)]);
        while let Some((who, command)) = commands.pop_front() {
            let exits = command == Command::Exit;
            if exits {
                // Even the shortest visit is told.
                self.tell_players();
            }
            for effect in self.table.handle(who, command, Instant::now()) {
                let too_slow = self.deliver(&effect);
                commands.extend(too_slow.into_iter().map(|who| (who, Command::Exit)));
            }
            if exits {
                self.outboxes.remove(&who);
            }
        }
    }

    /// Sends an effect's message and returns the clients whose queues were full.
    fn deliver(&mut self, effect: &Effect) -> Vec<ClientId> {
        match effect {
            Effect::Tell(who, message) => {
                if let ServerMessage::Error { code, message, .. } = message {
                    debug!(client = who.0, ?code, message, "refused");
                }
                let full = !self.send(*who, &Frame::new(message));
                if full { vec![*who] } else { Vec::new() }
            }
            Effect::TellAll(message @ ServerMessage::Players { .. }) => {
                self.players = Some(message.clone());
                Vec::new()
            }
            Effect::TellAll(message) => {
                self.log(message);
                self.broadcast(&Frame::new(message))
            }
        }
    }

    /// Sends a frame to everybody who has entered and returns the clients whose queues were full.
    fn broadcast(&mut self, frame: &Frame) -> Vec<ClientId> {
        let visitors = self.outboxes.keys().filter(|&&who| self.table.has(who));
        let visitors: Vec<ClientId> = visitors.copied().collect();
        visitors
            .into_iter()
            .filter(|&who| !self.send(who, frame))
            .collect()
    }

    /// Queues a frame; `false` if the client's queue was full and the client has been given up.
    fn send(&mut self, who: ClientId, frame: &Frame) -> bool {
        let Some(outbox) = self.outboxes.get(&who) else {
            return true;
        };
        match outbox.try_send(frame.clone()) {
            Ok(()) => true,
            // The connection is on its way out and will say so itself.
            Err(TrySendError::Closed(_)) => true,
            Err(TrySendError::Full(_)) => {
                self.metrics.queue_full();
                warn!(client = who.0, "too slow a reader, disconnecting");
                self.outboxes.remove(&who);
                false
            }
        }
    }

    fn log(&mut self, message: &ServerMessage) {
        self.metrics.told(message);
        match message {
            ServerMessage::GameStarted(game) => {
                self.game = info_span!("game", number = game.game);
                info!(parent: &self.game, white = game.white, black = game.black, "started");
            }
            ServerMessage::Moved { played, .. } => {
                debug!(parent: &self.game, ply = played.ply, played.text, "move");
            }
            ServerMessage::GameOver {
                result,
                reason,
                ply,
                ..
            } => {
                info!(parent: &self.game, ?result, ?reason, ply, "over");
                self.game = Span::none();
            }
            _ => {}
        }
    }
}

/// Waits until a moment, or for ever.
async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment.into()).await,
        None => std::future::pending().await,
    }
}
