//! A table in its shard: the state machine, its subscribers, and what they were last sent.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, PlayedMove, Refusal, ServerMessage,
};
use event_store::UnixMillis;
use tokio::sync::watch;
use tracing::{Span, debug, info, info_span};

use super::journal::ShardJournal;
use super::recent::RecentEvents;
use super::subscribers::Subscribers;
use super::watchers::WatcherCount;
use crate::broadcast::Frame;
use crate::correspondence::{
    Correspondence, GameProgress, LoadedGame, RunningProgress, TurnDates, millis,
};
use crate::metrics::Metrics;
use crate::restore::RestoredTable;
use crate::table::{ClientId, Effect, EventRecord, Table, TableStatus};

/// A table and its subscribers. Dropping it closes the table's [handles](super::TableHandle).
#[derive(Debug)]
pub(crate) struct HostedTable {
    pub(super) table: Table,
    pub(super) subscribers: Subscribers,
    pub(super) journal: ShardJournal,
    /// Its number in the shard, which distinguishes its timer.
    pub(super) serial: u64,
    /// The time of its timer in the shard.
    pub(super) due: Option<Instant>,
    pub(super) storage: Storage,
    /// Requests that it has handled in this batch.
    pub(super) requests: usize,
    /// Whether its records are being written. Other requests are deferred meanwhile.
    pub(super) is_writing: bool,
    /// Whether it is on the shard's list of touched tables.
    pub(super) is_touched: bool,
    pub(super) is_closed: bool,
    /// The last event that the row of a game by correspondence knows of.
    pub(super) written: u32,
    /// What was last noted for the row.
    noted: Option<Noted>,
    /// Whether the vacation of a player has changed since.
    pub(super) has_new_vacation: bool,
    /// Since when nobody has been at the table of a game by correspondence.
    deserted_since: Option<Instant>,
    /// The list of players to send at the end of the batch.
    players: Option<Box<ServerMessage>>,
    /// The clients that joined since it was last sent.
    newcomers: Vec<ClientId>,
    watchers: WatcherCount,
    recent: RecentEvents,
    /// Broadcasts that have reached the players only.
    unfinished: Vec<Frame>,
    /// Written when the shard has the table.
    pub(super) taken_over: Option<EventRecord>,
    status: Arc<watch::Sender<TableStatus>>,
    game: Span,
    metrics: Arc<Metrics>,
}

/// How long the table of a game by correspondence stays in memory without clients.
const LINGER: Duration = Duration::from_secs(5);

/// A game by correspondence whose time was over earlier than this ends as if it had been over then: some systems have no
/// moments before their start.
const OVERDUE: Duration = Duration::from_secs(60);

/// Where a game by correspondence stood.
#[derive(Clone, Copy, Debug)]
struct Noted {
    /// The last event.
    seq: u32,
    /// The time of the side to move; `None` if the game is over.
    dates: Option<TurnDates>,
}

/// Whether a table's events can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Storage {
    Ready,
    /// Not at the moment; the clocks are stopped.
    Failing,
    /// Never: the log does not fit the table.
    ReadOnly,
}

/// A step of a game, for metrics and logs.
#[derive(Debug)]
pub(crate) enum GameStep {
    Start {
        id: String,
        /// The name of White's player.
        white: String,
        /// The name of Black's player.
        black: String,
    },
    /// A move was played.
    Move {
        /// Its number, from 0.
        ply: u32,
    },
    End {
        result: GameResult,
        /// Why it ended.
        reason: EndReason,
        /// The number of moves.
        ply: u32,
    },
}

impl HostedTable {
    pub(super) fn new(restored: RestoredTable, metrics: Arc<Metrics>) -> HostedTable {
        let RestoredTable {
            mut table,
            started,
            is_damaged,
            taken_over,
            turn_began: _,
        } = restored;
        if is_damaged {
            table.suspend();
        }
        let (game, seq) = table.stream_position();
        let started = started.unwrap_or_else(UnixMillis::now);
        HostedTable {
            subscribers: Subscribers::new(Arc::clone(&metrics)),
            journal: ShardJournal::new(&table.settings().id, started),
            serial: 0,
            due: None,
            storage: if is_damaged {
                Storage::ReadOnly
            } else {
                Storage::Ready
            },
            requests: 0,
            is_writing: false,
            is_touched: false,
            is_closed: false,
            written: 0,
            noted: None,
            has_new_vacation: false,
            deserted_since: None,
            players: None,
            newcomers: Vec::new(),
            watchers: WatcherCount::default(),
            recent: RecentEvents::after(game, seq),
            unfinished: Vec::new(),
            taken_over,
            status: Arc::new(watch::Sender::new(table.status())),
            game: Span::none(),
            metrics,
            table,
        }
    }

    pub(super) fn status(&self) -> watch::Receiver<TableStatus> {
        self.status.subscribe()
    }

    /// Where its status is published.
    pub(super) fn status_sender(&self) -> Arc<watch::Sender<TableStatus>> {
        Arc::clone(&self.status)
    }

    /// Publishes its status there from now on.
    pub(super) fn set_status_sender(&mut self, sender: Arc<watch::Sender<TableStatus>>) {
        sender.send_replace(self.table.status());
        self.status = sender;
    }

    /// The time of the next timeout.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let table = self.table.poll_timeout();
        let due = table.into_iter().chain(self.watchers.due());
        due.chain(self.dropped_at()).min()
    }

    /// The table of a game by correspondence that was loaded.
    pub(super) fn loaded(loaded: LoadedGame, metrics: Arc<Metrics>) -> HostedTable {
        let LoadedGame {
            restored,
            dates,
            is_row_current,
        } = loaded;
        let mut hosted = HostedTable::new(restored, metrics);
        if let Some(dates) = dates {
            hosted.set_dates(dates);
        }
        if is_row_current {
            let (_, seq) = hosted.table.stream_position();
            hosted.written = seq;
            hosted.noted = Some(Noted { seq, dates });
        }
        hosted
    }

    /// Sets the clock of a game by correspondence after a failed write.
    pub(super) fn restore_turn(&mut self) {
        if self.noted_dates().is_none() {
            // The event was written after all, and its turn begins now.
            self.table.rest_on_vacation(Instant::now());
        }
        self.follow_wall_clock();
    }

    /// Sets the clock of a game by correspondence by its dates: the machine's clock may have been set, and stands still while
    /// the machine is suspended.
    pub(super) fn follow_wall_clock(&mut self) {
        if let Some(dates) = self.noted_dates() {
            self.set_dates(dates);
        }
    }

    fn set_dates(&mut self, dates: TurnDates) {
        let (now, at) = (Instant::now(), UnixMillis::now());
        // Time that is over is set as of when it was, so that the flag has fallen.
        let late = millis(at.0.saturating_sub(dates.deadline.0)).min(OVERDUE);
        let time = dates.at(at.min(dates.deadline));
        let then = now.checked_sub(late).unwrap_or(now);
        self.table.set_turn_time(time, then);
    }

    /// The time of the side to move that was noted, unless something has happened since.
    fn noted_dates(&self) -> Option<TurnDates> {
        let (_, seq) = self.table.stream_position();
        let is_current = |noted: &Noted| noted.seq == seq && !self.has_new_vacation;
        self.noted.filter(is_current)?.dates
    }

    /// Notes where a game by correspondence stands, if that has changed.
    pub(super) fn note_progress(&mut self, correspondence: &Correspondence) {
        let settings = self.table.settings();
        let (game, seq) = self.table.stream_position();
        if !settings.is_correspondence() || game == 0 || self.storage != Storage::Ready {
            return;
        }
        let (now, at) = (Instant::now(), UnixMillis::now());
        self.deserted_since = match self.table.is_deserted() {
            true => Some(self.deserted_since.unwrap_or(now)),
            false => None,
        };
        if self.noted.is_some_and(|noted| noted.seq == seq) && !self.has_new_vacation {
            return;
        }
        let state = self.table.correspondence(now);
        let dates = state.as_ref().map(|state| TurnDates::of(state.time, at));
        let running = state.zip(dates);
        let running = running
            .map(|(state, dates)| RunningProgress::new(&state, dates, self.table.settings()));
        self.noted = Some(Noted { seq, dates });
        self.has_new_vacation = false;
        correspondence.note(GameProgress {
            table: self.table.settings().id.clone(),
            seq,
            running,
        });
    }

    /// When the table of a game by correspondence can be dropped from memory; `None` while it is needed.
    fn dropped_at(&self) -> Option<Instant> {
        let (game, seq) = self.table.stream_position();
        let is_written = game == 0 || self.written == seq;
        let can_be = is_written && !self.is_writing && self.storage == Storage::Ready;
        let since = self.deserted_since.filter(|_| can_be)?;
        since.checked_add(LINGER)
    }

    /// Whether the table of a game by correspondence is no longer needed in memory.
    pub(super) fn can_be_dropped(&self, now: Instant) -> bool {
        self.dropped_at().is_some_and(|at| at <= now)
    }

    /// A client has entered the table.
    pub(super) fn enter(&mut self, who: ClientId) {
        self.subscribers.enter(who);
        self.newcomers.push(who);
        self.watchers.count(self.table.watchers());
    }

    /// A client has left the table.
    pub(super) fn leave(&mut self, who: ClientId) {
        self.subscribers.remove(who);
        self.watchers.count(self.table.watchers());
    }

    /// Publishes effects, whose records must be durable. Players receive all of theirs first: thousands
    /// of spectators take a while, and must not delay the next move.
    pub(super) async fn publish(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.publish_to_players(effect).await;
        }
        self.finish_broadcasts().await;
    }

    async fn publish_to_players(&mut self, effect: Effect) {
        if let Effect::Send(who, _)
        | Effect::SendMissed(who, _)
        | Effect::SendState(who)
        | Effect::Detach(who) = &effect
            && self.table.seat_of(*who).is_none()
        {
            // A spectator receives everything in order, too.
            self.finish_broadcasts().await;
        }
        match effect {
            Effect::Record(_) => {}
            Effect::Send(who, message) => {
                if let ServerMessage::Error { code, message, .. } = &message {
                    debug!(client = who.0, ?code, message, "refused");
                }
                self.send(who, &message);
            }
            Effect::Broadcast(players @ ServerMessage::Players { .. }) => {
                self.players = Some(Box::new(players));
            }
            Effect::Broadcast(message) => self.begin_broadcast(&message),
            Effect::SendMissed(who, since) => {
                let Some(missed) = self.recent.since(since) else {
                    return self.send_state(who);
                };
                for frame in missed {
                    self.subscribers.send(&self.table, who, frame);
                }
            }
            Effect::SendState(who) => self.send_state(who),
            Effect::Detach(who) => self.subscribers.remove(who),
            Effect::Close(reason) => {
                info!(table = self.table.settings().id, ?reason, "closed");
                self.is_closed = true;
            }
        }
    }

    /// Sends what was collected while requests were handled.
    pub(super) async fn finish_batch(&mut self) {
        self.requests = 0;
        self.send_players().await;
        self.send_watchers().await;
        self.update_status();
    }

    /// Publishes the current status.
    pub(super) fn update_status(&self) {
        self.status
            .send_if_modified(|status| self.table.update(status));
    }

    /// Sends the state to a client whose outbox was full.
    pub(super) fn refresh(&mut self, who: ClientId) {
        self.subscribers.catch_up(who);
        if self.table.has(who) {
            self.send_state(who);
        }
    }

    /// Refuses a command because events cannot be written.
    pub(super) fn refuse(&mut self, who: ClientId) {
        let message = "the server cannot store anything at the moment; nothing has happened";
        let refusal = Refusal::new(ErrorCode::NotStored, message);
        let refused = refusal.about(&self.table.settings().id);
        self.send(who, &refused);
    }

    /// Stops the clocks, and sends `storage` to all.
    pub(super) async fn fail(&mut self) {
        self.table.suspend();
        if self.storage == Storage::Ready {
            self.storage = Storage::Failing;
            self.send_all(&self.storage_message(false)).await;
        }
    }

    /// Restarts the clocks after a failure, and sends `storage` to all.
    pub(super) async fn recover(&mut self, now: Instant) {
        if self.storage == Storage::Failing {
            self.storage = Storage::Ready;
            self.send_all(&self.storage_message(true)).await;
            let effects = self.table.resume(now);
            self.publish(effects).await;
        }
    }

    /// Sends the list of players at the end of the batch.
    pub(super) fn send_players_later(&mut self) {
        self.players = Some(Box::new(self.table.players()));
    }

    /// The message on whether events can be written.
    pub(super) fn storage_message(&self, ok: bool) -> ServerMessage {
        let table = self.table.settings().id.clone();
        ServerMessage::Storage { table, ok }
    }

    pub(super) fn send(&mut self, who: ClientId, message: &ServerMessage) {
        self.subscribers
            .send(&self.table, who, &Frame::new(message));
    }

    /// Sends a message to all members.
    async fn send_all(&mut self, message: &ServerMessage) {
        self.begin_broadcast(message);
        self.finish_broadcasts().await;
    }

    /// Sends a message to the players, and keeps it for the spectators.
    fn begin_broadcast(&mut self, message: &ServerMessage) {
        if let Some(step) = step_of(message) {
            self.metrics.game_step(&step);
            self.log(&step);
        }
        let frame = Frame::new(message);
        if let Some(event) = event_of(message) {
            self.recent.push(event, &frame);
        }
        self.subscribers.send_seated(&self.table, &frame);
        self.unfinished.push(frame);
    }

    /// Sends the spectators what only the players have.
    async fn finish_broadcasts(&mut self) {
        for frame in std::mem::take(&mut self.unfinished) {
            self.subscribers.send_others(&self.table, &frame).await;
        }
    }

    fn send_state(&mut self, who: ClientId) {
        let server_ms = u64::try_from(UnixMillis::now().0).unwrap_or_default();
        let state = self.table.snapshot(who, Instant::now(), server_ms);
        self.send(who, &state);
    }

    /// Sends the list of players to all, or only to newcomers if it is the same as before.
    pub(super) async fn send_players(&mut self) {
        let Some(players) = self.players.take() else {
            return;
        };
        let frame = Frame::new(&players);
        let newcomers = std::mem::take(&mut self.newcomers);
        if self.watchers.set_players(&players) {
            self.subscribers.send_seated(&self.table, &frame);
            self.subscribers.send_others(&self.table, &frame).await;
        } else {
            for who in newcomers {
                self.subscribers.send(&self.table, who, &frame);
            }
        }
    }

    async fn send_watchers(&mut self) {
        if self.watchers.is_sent() {
            return;
        }
        if let Some(count) = self.watchers.next_count(Instant::now()) {
            let table = self.table.settings().id.clone();
            self.send_all(&ServerMessage::Watchers { table, count })
                .await;
        }
    }

    fn log(&mut self, step: &GameStep) {
        match step {
            GameStep::Start { id, white, black } => {
                self.game = info_span!("game", id);
                info!(parent: &self.game, "started");
                // Accounts can be deleted, logs cannot: names are logged only for debugging.
                debug!(parent: &self.game, white, black, "players");
            }
            GameStep::Move { ply } => debug!(parent: &self.game, ply, "move"),
            GameStep::End {
                result,
                reason,
                ply,
            } => {
                info!(parent: &self.game, ?result, ?reason, ply, "over");
                self.game = Span::none();
            }
        }
    }
}

/// Splits effects where the records of another game begin: each part has the records of one stream.
pub(super) fn split_by_stream(effects: Vec<Effect>) -> VecDeque<Vec<Effect>> {
    let mut parts = VecDeque::new();
    let mut part = Vec::new();
    let mut game = None;
    for effect in effects {
        if let Effect::Record(record) = &effect {
            if game.is_some_and(|game| game != record.game) {
                parts.push_back(std::mem::take(&mut part));
            }
            game = Some(record.game);
        }
        part.push(effect);
    }
    parts.push_back(part);
    parts
}

/// The game and the number of the event of a message.
fn event_of(message: &ServerMessage) -> Option<(u64, u32)> {
    match message {
        ServerMessage::GameStarted(state) => Some((state.game, state.seq)),
        ServerMessage::Moved { game, seq, .. }
        | ServerMessage::TookBack { game, seq, .. }
        | ServerMessage::GameOver { game, seq, .. } => Some((*game, *seq)),
        ServerMessage::Offered { game, seq, .. } | ServerMessage::Declined { game, seq, .. } => {
            Some((*game, (*seq)?))
        }
        _ => None,
    }
}

fn step_of(message: &ServerMessage) -> Option<GameStep> {
    match message {
        ServerMessage::GameStarted(GameState {
            id, white, black, ..
        }) => Some(GameStep::Start {
            id: id.clone(),
            white: white.clone(),
            black: black.clone(),
        }),
        ServerMessage::Moved {
            played: PlayedMove { ply, .. },
            ..
        } => Some(GameStep::Move { ply: *ply }),
        ServerMessage::GameOver {
            result,
            reason,
            ply,
            ..
        } => Some(GameStep::End {
            result: *result,
            reason: *reason,
            ply: *ply,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use checkers_lib::protocol::{ClientMessage, TableKind};
    use checkers_lib::{ByColor, Color, DrawRules};
    use event_store::TokenHash;
    use futures::poll;

    use super::*;
    use crate::broadcast::{OutboxReader, outbox};
    use crate::table::{Command, Correspondent, JoinRequest, TableSettings};

    #[test]
    fn a_deadline_by_correspondence_is_a_time_of_the_wall_clock() {
        let table = Table::open(TableSettings {
            kind: TableKind::Correspondence,
            clocks: ByColor::new_with(|_| "3d/move".parse().ok()),
            casual: false,
            ..TableSettings::new("k3x", DrawRules::Fmjd64)
        });
        let mut hosted = HostedTable::new(table.into(), Arc::new(Metrics::new()));
        let player = |name: &str, key: u8| Correspondent {
            name: name.to_owned(),
            key: TokenHash([key; 32]),
            vacation: Duration::ZERO,
        };
        let players = ByColor {
            white: player("anna", 1),
            black: player("boris", 2),
        };
        let begin = Command::Begin(Box::new(players));
        let now = Instant::now();
        hosted.table.handle(ClientId::SERVER, begin, now);
        let day = Duration::from_secs(24 * 3600);
        assert!(hosted.next_due().unwrap() > now + 2 * day);
        // The machine has been suspended for four days.
        let (game, seq) = hosted.table.stream_position();
        let state = hosted.table.correspondence(now).unwrap();
        let days = |days: i64| UnixMillis(UnixMillis::now().0 - days * 24 * 3_600_000);
        let dates = TurnDates::of(state.time, days(4));
        let dates = Some(dates);
        hosted.noted = Some(Noted { seq, dates });
        hosted.follow_wall_clock();
        assert_eq!((game, hosted.noted_dates()), (1, dates));
        assert!(hosted.next_due().unwrap() < now);
        assert!(!hosted.table.handle_timeout(now).is_empty());
        assert!(hosted.table.correspondence(now).is_none());
    }

    fn texts(reader: &mut OutboxReader) -> Vec<String> {
        std::iter::from_fn(|| reader.try_next())
            .map(|frame| frame.text().to_owned())
            .collect()
    }

    #[tokio::test]
    async fn a_move_is_requested_before_a_crowd_has_received_the_last_one() {
        let table = Table::new("main", DrawRules::Fmjd64);
        let mut hosted = HostedTable::new(table.into(), Arc::new(Metrics::new()));
        let now = Instant::now();
        let mut readers: Vec<_> = (0..1000)
            .map(|number| {
                // The crowd has the lower numbers: it came first.
                let who = ClientId(number);
                let (outbox, reader) = outbox();
                hosted.subscribers.add(who, outbox);
                let join_request = JoinRequest::named(number.to_string());
                hosted.table.handle(who, Command::Enter(join_request), now);
                hosted.enter(who);
                reader
            })
            .collect();
        for (who, seat) in [(998, Color::White), (999, Color::Black)] {
            hosted
                .table
                .handle(ClientId(who), Command::TakeSeat(seat), now);
        }
        let play = ClientMessage::Move {
            game: None,
            ply: 0,
            text: "c3-d4".into(),
            search: None,
            id: None,
        };
        let play = Command::from_message(play).unwrap();
        let effects = hosted.table.handle(ClientId(998), play, now);
        {
            let mut publishing = pin!(hosted.publish(effects));
            assert!(poll!(&mut publishing).is_pending());
            let received = texts(&mut readers[999]);
            assert!(received[0].contains("\"moved\""), "{received:?}");
            assert!(received[1].contains("\"your_turn\""), "{received:?}");
            assert!(texts(&mut readers[900]).is_empty());
            publishing.await;
        }
        assert!(texts(&mut readers[900])[0].contains("\"moved\""));
    }
}
