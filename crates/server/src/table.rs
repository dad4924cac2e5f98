//! A table as a pure state machine: its members, its seats and the game that runs.
//!
//! [`Table::handle`] takes a client, its command and the time, and returns effects. It owns no
//! socket, no task and no clock, so every rule of the server is tested without them.
//! [`Table::poll_timeout`] returns the time of the next change without a command.
//!
//! Games start when both seats are taken, or, on a [directed](Table::directed_by) table, when the
//! director arranges them.
//!
//! Events leave the table as [`Effect::Record`] and must be durable before later effects are sent.
//! [`Table::restore`] rebuilds a table from its events. Seats belong to players, not to
//! connections: a player who reconnects returns to the seat.

mod agreements;
mod bot_hosts;
mod chat;
mod command;
mod compact_record;
mod correspondence;
mod directed;
mod ending;
pub mod event;
mod finished_game;
mod game_clock;
mod members;
mod move_details;
mod offers;
mod presence;
mod proposals;
mod rematch;
mod resent_moves;
mod restore;
mod running_game;
mod seats;
mod settings;
mod snapshot;
mod status;
pub(crate) mod stream;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    ClosedReason, ErrorCode, MAX_MOVE_ID, Meant, Refusal, ServerMessage, Since, TableKind,
    is_valid_move_id,
};
use checkers_lib::{ByColor, Color, DrawRules, TimeControl};
use serde::{Deserialize, Serialize};

use crate::director::DirectorToken;
use chat::PhraseLimiter;
use ending::Ending;
use event::TableEvent;
use finished_game::FinishedGame;
use members::TableMember;
use rematch::LastGame;
use running_game::{MoveOutcome, RunningGame};
use seats::Seat;
use stream::StreamPosition;

pub use command::{Command, DirectorRuling, GameSetup, JoinRequest, MoveRequest, StateView};
pub use compact_record::{BadGame, CompactRecord};
pub use correspondence::{CorrespondenceState, Correspondent, TurnTime};
pub use restore::RestoreError;
pub use settings::{BadOpening, Policy, TableSettings};
pub use status::{SeatStatus, TableStatus};

#[cfg(test)]
pub(crate) use compact_record::tests::record as test_record;
pub(crate) use compact_record::{clock_of_both, reason_name};
pub(crate) use correspondence::first_path;
pub(crate) use running_game::whole_millis;
pub(crate) use stream::game_id;

/// A connection, numbered in order of arrival.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ClientId(pub u64);

impl ClientId {
    /// The server itself; no connection has this number.
    pub(crate) const SERVER: ClientId = ClientId(0);

    /// The first connection.
    pub(crate) const FIRST: ClientId = ClientId(1);

    /// The first connection of a node with this session. Each has 2³² numbers.
    pub(crate) fn first_of_session(session: i32) -> ClientId {
        ClientId(u64::from(session.unsigned_abs()) << 32 | ClientId::FIRST.0)
    }
}

/// Numbers connections.
#[derive(Debug)]
pub(crate) struct ClientIds(AtomicU64);

impl ClientIds {
    /// Numbers from `first` on.
    pub(crate) fn from(first: ClientId) -> ClientIds {
        ClientIds(AtomicU64::new(first.0))
    }

    /// The number of the next connection.
    pub(crate) fn next(&self) -> ClientId {
        ClientId(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// An effect of a command. Effects are executed in order.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Store this event. Later effects wait until it is durable.
    Record(EventRecord),
    Send(ClientId, ServerMessage),
    /// Send a message to every member.
    Broadcast(ServerMessage),
    /// Send the events after this one to a client, or [the state](Table::snapshot) if some of them
    /// are no longer available.
    SendMissed(ClientId, Since),
    /// Send [the state](Table::snapshot) to one client.
    SendState(ClientId),
    /// Stop sending to a client: another connection has replaced it.
    Detach(ClientId),
    /// Remove the table.
    Close(ClosedReason),
}

impl Effect {
    /// The record, if it has one.
    pub(crate) fn record(&self) -> Option<&EventRecord> {
        match self {
            Effect::Record(record) => Some(record),
            _ => None,
        }
    }

    pub(crate) fn record_mut(&mut self) -> Option<&mut EventRecord> {
        match self {
            Effect::Record(record) => Some(record),
            _ => None,
        }
    }
}

/// An event and its position in a stream.
#[derive(Clone, PartialEq, Debug)]
pub struct EventRecord {
    /// The number of the game, which has a stream of its own.
    pub game: u64,
    /// The number of the event, from 1.
    pub seq: u32,
    pub event: TableEvent,
    /// Whether the stream ends with it.
    pub stream: StreamEnd,
}

/// Whether a stream ends with an event.
#[derive(Clone, PartialEq, Debug)]
pub enum StreamEnd {
    /// It stays open.
    Open,
    /// It ends, and the game goes to the archive. The caller sets the times of start and end.
    Archived(Box<CompactRecord>),
    /// It ends without a game.
    Discarded,
}

/// A table: its members and at most one running game.
#[derive(Debug)]
pub struct Table {
    settings: Arc<TableSettings>,
    policy: Policy,
    members: BTreeMap<ClientId, TableMember>,
    seats: ByColor<Option<Seat>>,
    running: Option<RunningGame>,
    /// The last game, if a rematch is possible.
    last: Option<LastGame>,
    /// The last game, until the next one starts.
    over: Option<FinishedGame>,
    /// The number of the last game.
    games: u64,
    /// The position of the last event.
    stream: StreamPosition,
    phrases: PhraseLimiter,
    /// When the vacations of the players of a game by correspondence end.
    vacations: ByColor<Option<Instant>>,
    /// Since when no player has been connected.
    idle_since: Option<Instant>,
    /// Set while events cannot be stored: no timeout fires.
    is_suspended: bool,
    is_closed: bool,
}

impl Table {
    /// An empty table whose games start from the initial position.
    pub fn new(name: impl Into<String>, rules: DrawRules) -> Table {
        Table::open(TableSettings::new(name, rules))
    }

    /// An empty table.
    pub fn open(settings: TableSettings) -> Table {
        Table {
            settings: Arc::new(settings),
            policy: Policy::default(),
            members: BTreeMap::new(),
            seats: ByColor::default(),
            running: None,
            last: None,
            over: None,
            games: 0,
            stream: StreamPosition::default(),
            phrases: PhraseLimiter::default(),
            vacations: ByColor::default(),
            idle_since: None,
            is_suspended: false,
            is_closed: false,
        }
    }

    /// Starts the games from `openings`, in turn.
    ///
    /// # Errors
    /// An opening leaves nothing to play under the table's draw rules.
    pub fn with_openings(self, openings: Vec<Opening>) -> Result<Table, BadOpening> {
        let table = self.with_settings(|settings| settings.openings = openings);
        table.settings.check()?;
        Ok(table)
    }

    /// Sets the time controls of games that start when both seats are taken. The director sets
    /// those of arranged games.
    pub fn with_clocks(self, clocks: ByColor<Option<TimeControl>>) -> Table {
        self.with_settings(|settings| settings.clocks = clocks)
    }

    /// Makes the table directed: only a client with `token` seats players, starts games and ends
    /// them.
    pub fn directed_by(self, token: DirectorToken) -> Table {
        self.with_settings(|settings| settings.director = Some(token))
    }

    /// Sets the timeouts.
    pub fn with_policy(self, policy: Policy) -> Table {
        Table { policy, ..self }
    }

    /// Continues the numbering of games after `games`.
    pub fn after_game(self, games: u64) -> Table {
        Table { games, ..self }
    }

    fn with_settings(self, change: impl FnOnce(&mut TableSettings)) -> Table {
        let mut settings = TableSettings::clone(&self.settings);
        change(&mut settings);
        Table {
            settings: Arc::new(settings),
            ..self
        }
    }

    pub fn settings(&self) -> &Arc<TableSettings> {
        &self.settings
    }

    /// Whether `who` is a member.
    pub fn has(&self, who: ClientId) -> bool {
        self.members.contains_key(&who)
    }

    pub fn seat_of(&self, who: ClientId) -> Option<Color> {
        let sits = |color: &Color| self.client_at(*color) == Some(who);
        Color::ALL.into_iter().find(sits)
    }

    /// The connected clients who have a seat.
    pub fn seated(&self) -> impl Iterator<Item = ClientId> {
        let clients = Color::ALL.map(|color| self.client_at(color));
        clients.into_iter().flatten()
    }

    /// Handles a command, or returns the refusal for `who` and changes nothing. Handles timeouts up
    /// to `now` first.
    pub fn handle(&mut self, who: ClientId, command: Command, now: Instant) -> Vec<Effect> {
        let mut effects = self.handle_timeout(now);
        if self.is_closed {
            effects.extend(self.refuse_closed(who, &command));
            return effects;
        }
        let done = match command {
            Command::Enter(join_request) => self.enter(who, join_request, now),
            Command::TakeSeat(color) => {
                (self.take_seat(who, color, now)).or_else(|refusal| self.refuse_seat(who, refusal))
            }
            Command::TakeAnySeat(first) => self.take_any_seat(who, first, now),
            Command::LeaveSeat => self.leave_seat(who),
            Command::Begin(players) => self.begin(*players, now),
            Command::PlayFor(color, move_request) => self.play_for(color, &move_request, now),
            Command::Vacation(key, rest) => Ok(self.set_vacation(key, rest, now)),
            Command::GiveUp(color) => Ok(self.give_up(color)),
            Command::Move(move_request) => self.play(who, &move_request, now),
            Command::Resign(meant) => self.resign(who, meant),
            Command::Abort(meant) => self.abort(who, meant),
            Command::Offer(offer, meant) => self.offer(who, offer, meant, now),
            Command::Accept(offer, meant) => self.accept(who, offer, meant, now),
            Command::Decline(offer, meant) => self.decline(who, offer, meant),
            Command::Claim(result) => self.claim(who, result, now),
            Command::Say(phrase) => self.send_phrase(who, phrase, now),
            Command::Sync(since) => self.sync(who, since, now),
            Command::ArrangeGame(token, game) => self.arrange(who, &token, &game, now),
            Command::EndGame(token, ruling) => self.end_by_director(who, &token, ruling),
            Command::Pong(pong) => Ok(vec![Effect::Send(who, ServerMessage::Pong(pong))]),
            Command::ReportViolation { message } => Ok(self.report_violation(who, message)),
            Command::Disconnect => Ok(self.disconnect(who, now)),
            Command::Unwatch => Ok(self.unwatch(who, now)),
            Command::Exit if self.keeps_seat_without_client(who) => Ok(self.disconnect(who, now)),
            Command::Exit => Ok(self.exit(who)),
            Command::Close(reason) => Ok(self.close(reason)),
            Command::CloseUnused if self.running.is_some() => Ok(Vec::new()),
            Command::CloseUnused => Ok(self.close(ClosedReason::Ended)),
        };
        let done = done.unwrap_or_else(|refusal| vec![self.refuse(who, refusal)]);
        self.update_idle_since(now);
        effects.extend(done);
        effects
    }

    /// Refuses a command to a closed table.
    fn refuse_closed(&self, who: ClientId, command: &Command) -> Option<Effect> {
        let message = format!("the table {} is closed", self.settings.id);
        let refusal = Refusal::new(ErrorCode::NoSuchTable, message);
        (!command.is_leaving()).then(|| self.refuse(who, refusal))
    }

    /// Refuses what `who` has asked of this table.
    fn refuse(&self, who: ClientId, refusal: Refusal) -> Effect {
        Effect::Send(who, refusal.about(&self.settings.id))
    }

    fn play(
        &mut self,
        who: ClientId,
        move_request: &MoveRequest,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        if move_request
            .id
            .as_deref()
            .is_some_and(|id| !is_valid_move_id(id))
        {
            let message = format!("the id of a move has 1 to {MAX_MOVE_ID} visible characters");
            return Err(Refusal::new(ErrorCode::BadMessage, message));
        }
        if let Some(acknowledged) = self.acknowledge(who, move_request) {
            return Ok(vec![acknowledged]);
        }
        let meant = Meant {
            game: move_request.game,
        };
        let seq = self.stream.next_seq();
        let (seat, running) = self.playing(who, meant)?;
        let made = match running.play(seat, move_request, seq, now) {
            Ok(made) => made,
            Err(refusal) => return running.refuse(who, seat, move_request, refusal),
        };
        Ok(self.publish_move(made, now))
    }

    /// The consequences of a move, or of a flag that has fallen before it, which only the lag allowance had hidden.
    fn publish_move(&mut self, made: Option<MoveOutcome>, now: Instant) -> Vec<Effect> {
        let Some(running) = &self.running else {
            return Vec::new();
        };
        let Some(MoveOutcome { moved, lapsed }) = made else {
            let ending = running.timeout_ending();
            return self.end(&ending);
        };
        let outcome = running.outcome();
        self.rest_on_vacation(now);
        let record = self.add(TableEvent::Moved(moved), StreamEnd::Open);
        let mut effects = vec![Effect::Record(record)];
        let running = self.running.as_ref();
        effects.extend(
            running
                .and_then(RunningGame::last_move)
                .map(Effect::Broadcast),
        );
        effects.extend(lapsed.into_iter().map(Effect::Broadcast));
        match outcome {
            Some(outcome) => effects.extend(self.end(&outcome.into())),
            None => effects.extend(self.request_move()),
        }
        effects
    }

    /// The side of `who` in the running game, which must be the game that the message is for.
    fn playing(
        &mut self,
        who: ClientId,
        meant: Meant,
    ) -> Result<(Color, &mut RunningGame), Refusal> {
        // A client with a seat is a member.
        let Some(seat) = self.seat_of(who) else {
            self.member(who)?;
            let is_over = self.running.is_none() && self.games > 0;
            let message = match is_over {
                true => "the game is over",
                false => "you have no seat",
            };
            return Err(Refusal::new(ErrorCode::NotSeated, message));
        };
        let Some(running) = &mut self.running else {
            return Err(Refusal::new(ErrorCode::NoGame, "no game is running"));
        };
        running.check_meant(meant)?;
        Ok((seat, running))
    }

    /// Starts a game of seated players.
    fn start(&mut self, game: RunningGame) -> Vec<Effect> {
        self.games = game.number();
        self.last = None;
        self.over = None;
        let mut effects = self.record(TableEvent::Started(game.started()));
        let started = ServerMessage::GameStarted(self.state_of(&game));
        self.running = Some(game);
        effects.push(Effect::Broadcast(started));
        effects.extend(self.request_move());
        effects
    }

    /// Requests a move from the side to move.
    fn request_move(&self) -> Option<Effect> {
        let running = self.running.as_ref()?;
        let mover = self.client_at(running.turn())?;
        Some(Effect::Send(mover, self.request(running, mover, None)))
    }

    /// Ends the running game, if there is one, and frees both seats.
    fn end(&mut self, ending: &Ending) -> Vec<Effect> {
        let Some(running) = self.running.take() else {
            return Vec::new();
        };
        let archived = running.compact_record(ending);
        let mut effects = self.record_last(TableEvent::Ended(ending.event()), archived);
        self.last = self.rematch_game(&running);
        self.seats = ByColor::default();
        effects.push(Effect::Broadcast(self.game_over_message(&running, ending)));
        self.over = Some(FinishedGame {
            game: running,
            ending: ending.clone(),
            seq: self.stream.seq,
        });
        effects.push(self.broadcast_players());
        effects
    }

    /// Closes the table and ends its game.
    fn close(&mut self, reason: ClosedReason) -> Vec<Effect> {
        let mut effects = self.end(&Ending::of_closed(reason));
        effects.extend(self.discard_stream(reason));
        self.is_closed = true;
        effects.push(Effect::Broadcast(ServerMessage::TableClosed {
            table: self.settings.id.clone(),
            reason,
        }));
        effects.push(Effect::Close(reason));
        effects
    }

    /// Whether it stays open when it is empty.
    fn is_main(&self) -> bool {
        self.settings.kind == TableKind::Main
    }
}
