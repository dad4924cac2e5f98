//! A table as a pure state machine: who is here, who sits where, and the game they play.
//!
//! [`Table::handle`] takes who said what and when, and returns what to tell whom. It owns no
//! socket, no task and no clock, so every rule of the server is tested without them. When
//! something happens though nobody speaks, [`Table::poll_timeout`] says when.
//!
//! Games begin when both seats are taken, or, on a [directed](Table::directed_by) table, when the
//! director arranges them.
//!
//! What is to be remembered leaves the table as [`Effect::Record`] before anybody is told of it, and
//! [`Table::restore`] makes the table of what was remembered. Seats belong to players, not to their
//! connections: who loses one keeps the seat and comes back to it.

mod agreements;
mod command;
mod compact_record;
mod directed;
mod ending;
pub mod event;
mod finished_game;
mod game_clock;
mod guests;
mod members;
mod move_details;
mod offers;
mod presence;
mod proposals;
mod rematch;
mod repeats;
mod restore;
mod running_game;
mod seats;
mod settings;
mod snapshot;
mod status;
mod stream;
mod talk;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    ClosedReason, ErrorCode, MAX_MOVE_ID, Meant, Refusal, ServerMessage, Since, TableKind,
    is_valid_move_id,
};
use checkers_lib::{ByColor, Color, DrawRules, TimeControl};

use crate::director::DirectorToken;
use ending::Ending;
use event::TableEvent;
use finished_game::FinishedGame;
use members::TableMember;
use rematch::LastGame;
use running_game::{Played, RunningGame};
use seats::Seat;
use stream::Stream;
use talk::Talk;

pub use command::{Command, DirectorRuling, GameSetup, JoinRequest, MoveRequest, View};
pub use compact_record::{BadGame, CompactRecord};
pub use restore::RestoreError;
pub(crate) use settings::is_to_be_played;
pub use settings::{BadOpening, Policy, TableSettings};
pub use status::{SeatStatus, TableStatus};

pub(crate) use compact_record::{clock_of_both, reason_name};
pub(crate) use running_game::whole_millis;
pub(crate) use stream::game_id;

/// A connection, numbered in the order of coming.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

impl ClientId {
    /// The server itself: no connection has this number.
    pub(crate) const SERVER: ClientId = ClientId(0);
}

/// What a table wants done after a command, in this order.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Remember this. Nobody is to be told of what follows before it is certain to be remembered.
    Record(Record),
    /// Tell one client.
    Tell(ClientId, ServerMessage),
    /// Tell every client that has entered.
    TellAll(ServerMessage),
    /// Tell one client all of what has happened since, or else [the state](Table::snapshot).
    CatchUp(ClientId, Since),
    /// Tell one client [the state](Table::snapshot).
    Show(ClientId),
    /// Let a client go: another one has come in its place.
    Release(ClientId),
    /// Serve the table no longer.
    Close(ClosedReason),
}

impl Effect {
    /// What it wants remembered.
    pub(crate) fn record(&self) -> Option<&Record> {
        match self {
            Effect::Record(record) => Some(record),
            _ => None,
        }
    }

    /// The same, to take something out of it.
    pub(crate) fn record_mut(&mut self) -> Option<&mut Record> {
        match self {
            Effect::Record(record) => Some(record),
            _ => None,
        }
    }
}

/// An event and its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The number of the game whose stream it belongs to.
    pub game: u64,
    /// Its number there, from 1.
    pub seq: u32,
    /// The event.
    pub event: TableEvent,
    /// What becomes of the stream.
    pub stream: StreamEnd,
}

/// What becomes of a stream after an event.
#[derive(Clone, PartialEq, Debug)]
pub enum StreamEnd {
    /// It goes on.
    Open,
    /// It ends, and the game goes to the archive. When it began and ended is for the caller to say.
    Archived(Box<CompactRecord>),
    /// It ends, and there was no game.
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
    /// The game that was over last, if its players may play again.
    last: Option<LastGame>,
    /// How the last game ended, until the next one begins.
    over: Option<FinishedGame>,
    /// The number of the last game.
    games: u64,
    /// Where the next event goes.
    stream: Stream,
    talk: Talk,
    /// Since when nobody has been here to play.
    idle_since: Option<Instant>,
    /// While nothing can be remembered, nothing may happen by itself.
    is_suspended: bool,
    is_closed: bool,
}

impl Table {
    /// An empty table, whose games begin from the start.
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
            stream: Stream::default(),
            talk: Talk::default(),
            idle_since: None,
            is_suspended: false,
            is_closed: false,
        }
    }

    /// Lets the games begin from `openings`, one after the other and over again.
    ///
    /// # Errors
    /// An opening that the table's draw rules end before its last move or with it.
    pub fn with_openings(self, openings: Vec<Opening>) -> Result<Table, BadOpening> {
        let table = self.with_settings(|settings| settings.openings = openings);
        table.settings.check()?;
        Ok(table)
    }

    /// Gives the sides these clocks in the games that begin when both seats are taken. Those that
    /// a director arranges have the director's.
    pub fn with_clocks(self, clocks: ByColor<Option<TimeControl>>) -> Table {
        self.with_settings(|settings| settings.clocks = clocks)
    }

    /// Leaves it to whoever shows `token` to seat players, to start games from an opening of
    /// their choice and to end them.
    pub fn directed_by(self, token: DirectorToken) -> Table {
        self.with_settings(|settings| settings.director = Some(token))
    }

    /// Makes the table as patient as this.
    pub fn with_policy(self, policy: Policy) -> Table {
        Table { policy, ..self }
    }

    /// Lets the games be numbered from the one after `games`.
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

    /// What the table is.
    pub fn settings(&self) -> &Arc<TableSettings> {
        &self.settings
    }

    /// Whether `who` has entered.
    pub fn has(&self, who: ClientId) -> bool {
        self.members.contains_key(&who)
    }

    /// The seat of `who`.
    pub fn seat_of(&self, who: ClientId) -> Option<Color> {
        let sits = |color: &Color| self.sitting(*color) == Some(who);
        Color::ALL.into_iter().find(sits)
    }

    /// Carries a command out, or tells `who` why not; nothing changes then. What has become due by
    /// `now`, such as the fall of a flag, happens first.
    pub fn handle(&mut self, who: ClientId, command: Command, now: Instant) -> Vec<Effect> {
        let mut effects = self.handle_timeout(now);
        if self.is_closed {
            effects.extend(self.turn_away(who, &command));
            return effects;
        }
        let done = match command {
            Command::Enter(join_request) => self.enter(who, join_request, now),
            Command::TakeSeat(color) => {
                (self.take_seat(who, color, now)).or_else(|refusal| self.refuse_seat(who, refusal))
            }
            Command::TakeAnySeat(first) => self.take_any_seat(who, first, now),
            Command::LeaveSeat => self.leave_seat(who),
            Command::Move(move_request) => self.play(who, &move_request, now),
            Command::Resign(meant) => self.resign(who, meant),
            Command::Abort(meant) => self.abort(who, meant),
            Command::Offer(offer, meant) => self.offer(who, offer, meant, now),
            Command::Accept(offer, meant) => self.accept(who, offer, meant, now),
            Command::Decline(offer, meant) => self.decline(who, offer, meant),
            Command::Claim(result) => self.claim(who, result, now),
            Command::Say(phrase) => self.say(who, phrase, now),
            Command::Sync(since) => self.sync(who, since, now),
            Command::ArrangeGame(token, game) => self.arrange(who, &token, &game, now),
            Command::EndGame(token, judgement) => self.judge(who, &token, judgement),
            Command::Misbehave { message } => Ok(self.misbehave(who, message)),
            Command::Disconnect => Ok(self.disconnect(who, now)),
            Command::Unwatch => Ok(self.unwatch(who, now)),
            Command::Exit => Ok(self.exit(who)),
            Command::Close(reason) => Ok(self.close(reason)),
        };
        let done = done.unwrap_or_else(|refusal| vec![Effect::Tell(who, refusal.into())]);
        self.note_idleness(now);
        effects.extend(done);
        effects
    }

    /// Tells who comes too late that the table is no more.
    fn turn_away(&self, who: ClientId, command: &Command) -> Option<Effect> {
        let message = format!("the table {} is closed", self.settings.id);
        let refusal = Refusal::new(ErrorCode::NoSuchTable, message);
        (!command.is_leaving()).then(|| Effect::Tell(who, refusal.into()))
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
        let Some(Played { moved, lapsed }) = made else {
            // Its time was over, though not the network's.
            let ending = running.over_on_time();
            return Ok(self.end(&ending));
        };
        let outcome = running.outcome();
        let record = self.add(TableEvent::Moved(moved), StreamEnd::Open);
        let mut effects = vec![Effect::Record(record)];
        let running = self.running.as_ref();
        effects.extend(
            running
                .and_then(RunningGame::last_move)
                .map(Effect::TellAll),
        );
        effects.extend(lapsed.into_iter().map(Effect::TellAll));
        match outcome {
            Some(outcome) => effects.extend(self.end(&outcome.into())),
            None => effects.extend(self.ask()),
        }
        Ok(effects)
    }

    /// The side of `who` in the running game, which is the one that is meant.
    fn playing(
        &mut self,
        who: ClientId,
        meant: Meant,
    ) -> Result<(Color, &mut RunningGame), Refusal> {
        // Who sits is here.
        let Some(seat) = self.seat_of(who) else {
            self.member(who)?;
            return Err(Refusal::new(ErrorCode::NotSeated, "you have no seat"));
        };
        let Some(running) = &mut self.running else {
            return Err(Refusal::new(ErrorCode::NoGame, "no game is running"));
        };
        running.check_meant(meant)?;
        Ok((seat, running))
    }

    /// Begins a game whose players have their seats.
    fn start(&mut self, game: RunningGame) -> Vec<Effect> {
        self.games = game.number();
        self.last = None;
        self.over = None;
        let mut effects = self.record(TableEvent::Started(game.started()));
        let started = ServerMessage::GameStarted(self.state_of(&game));
        self.running = Some(game);
        effects.push(Effect::TellAll(started));
        effects.extend(self.ask());
        effects
    }

    /// Asks the side to move for its move.
    fn ask(&self) -> Option<Effect> {
        let running = self.running.as_ref()?;
        let mover = self.sitting(running.turn())?;
        Some(Effect::Tell(mover, self.request(running, mover, None)))
    }

    /// Ends the running game, if one runs, and frees both seats.
    fn end(&mut self, ending: &Ending) -> Vec<Effect> {
        let Some(running) = self.running.take() else {
            return Vec::new();
        };
        let archived = running.kept(ending);
        let mut effects = self.record_last(TableEvent::Ended(ending.event()), archived);
        self.last = self.to_be_played_again(&running);
        self.seats = ByColor::default();
        effects.push(Effect::TellAll(self.over_news(&running, ending)));
        self.over = Some(FinishedGame {
            game: running,
            ending: ending.clone(),
            seq: self.stream.seq,
        });
        effects.push(self.tell_players());
        effects
    }

    /// Closes the table, and breaks off what is played there.
    fn close(&mut self, reason: ClosedReason) -> Vec<Effect> {
        let mut effects = self.end(&Ending::of_closed(reason));
        effects.extend(self.discard_stream(reason));
        self.is_closed = true;
        effects.push(Effect::TellAll(ServerMessage::TableClosed {
            table: self.settings.id.clone(),
            reason,
        }));
        effects.push(Effect::Close(reason));
        effects
    }

    /// Whether it stays when nobody is there.
    fn is_main(&self) -> bool {
        self.settings.kind == TableKind::Main
    }
}
