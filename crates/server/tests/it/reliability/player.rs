//! A player who reconnects after every failure.

use std::net::SocketAddr;
use std::time::Duration;

use checkers_lib::Color;
use checkers_lib::protocol::{
    Addressed, ClientMessage, CreateTable, ErrorCode, GameState, Join, LegalMove, SeatWish,
    ServerMessage, TablePhase, TableState, Visibility, Watch, WireColor,
};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

use crate::reliability::ledger::Ledger;
use crate::reliability::link::{Lost, TestLink};

/// What two players share.
pub(crate) type SharedMeeting = watch::Sender<Meeting>;

/// The agreements of two players.
#[derive(Default)]
pub(crate) struct Meeting {
    /// The table, once White has created it.
    table: Option<String>,
    /// Whether one of them has stopped, so that no further game starts.
    is_over: bool,
}

pub(crate) struct TestPlayer {
    /// Where it connects, in turn.
    pub(crate) addresses: Vec<SocketAddr>,
    pub(crate) name: String,
    pub(crate) color: Color,
    pub(crate) board: SharedMeeting,
    pub(crate) ledger: Ledger,
    pub(crate) pace: Duration,
    /// Whether to stop after the current game.
    pub(crate) closing: watch::Receiver<bool>,
    pub(crate) random: Pcg64Mcg,
    pub(crate) token: Option<String>,
    pub(crate) turn: Option<MeetingTurn>,
    pub(crate) is_playing: bool,
    /// Whether a game starts when the opponent sits down.
    pub(crate) is_seated: bool,
}

/// A move to send.
pub(crate) struct MeetingTurn {
    game: u64,
    ply: u32,
    /// The move; a resend repeats it.
    text: String,
    id: String,
    at: Instant,
    is_sent: bool,
}

/// The player is done.
struct Finished;

impl TestPlayer {
    /// Plays games until told to stop.
    pub(crate) async fn play(mut self) {
        let mut visits = 0;
        while let Err(Lost) = self.visit().await {
            visits += 1;
            let pause = 20 + u64::from(self.random.next_u32() % 200) * visits.min(5);
            sleep(Duration::from_millis(pause)).await;
            visits = if self.turn.is_some() { 0 } else { visits };
            self.ledger.entries().reconnections += 1;
            self.ledger
                .received(&self.name, "nothing more on this connection");
            self.addresses.rotate_left(1);
        }
        self.ledger.entries().latest.remove(&self.name);
    }

    async fn visit(&mut self) -> Result<Finished, Lost> {
        let mut link = TestLink::open(self.addresses[0]).await?;
        let join = Join {
            token: self.token.clone(),
            lobby: true,
            ..Join::new(&self.name)
        };
        link.say(ClientMessage::Join(join)).await?;
        loop {
            let message = match link.receive().await? {
                ServerMessage::Error {
                    code: ErrorCode::NameTaken,
                    ..
                } => return Err(Lost),
                message => message,
            };
            if let ServerMessage::Joined(joined) = message {
                self.token = joined.token;
                break;
            }
        }
        link.say(ClientMessage::UnsubscribeLobby).await?;
        self.come_to_the_table(&mut link).await?;
        loop {
            // Read first, so that a change after this point ends the wait below.
            let before = self.stops();
            if self.has_finished() {
                self.leave(&mut link).await?;
                self.board.send_modify(|meeting| meeting.is_over = true);
                return Ok(Finished);
            }
            let due = self
                .turn
                .as_ref()
                .filter(|turn| !turn.is_sent)
                .map(|turn| turn.at);
            let (closing, board) = (self.closing.clone(), self.board.subscribe());
            tokio::select! {
                message = link.receive() => {
                    let message = message?;
                    self.record(&message);
                    self.handle(message, &mut link).await?;
                }
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    self.send_move(&mut link).await?;
                }
                () = change(before, closing, board) => {}
            }
        }
    }

    /// Gives up the seat that it may have asked for since it saw the table. A game that has begun meanwhile ends.
    async fn leave(&mut self, link: &mut TestLink) -> Result<(), Lost> {
        if let Some(table) = self.table() {
            link.say_at(&table, ClientMessage::LeaveSeat).await?;
        }
        link.close().await?;
        while let Ok(message) = link.receive().await {
            match message {
                ServerMessage::GameStarted(state) => self.note(&state),
                ServerMessage::GameOver {
                    table,
                    game,
                    result,
                    reason,
                    ..
                } => self.ledger.over(&table, game, (result, reason)),
                _ => {}
            }
        }
        Ok(())
    }

    fn record(&self, message: &ServerMessage) {
        let (playing, seated) = (self.is_playing, self.is_seated);
        let due = self.turn.as_ref().map(|turn| turn.ply);
        let note = format!("playing {playing}, seated {seated}, to send {due:?}; then {message:?}");
        self.ledger.received(&self.name, &note);
    }

    /// Not while a game runs or the opponent may be about to start one.
    fn has_finished(&self) -> bool {
        let (is_closing, has_opponent_stopped) = self.stops();
        is_closing && !self.is_playing && (!self.is_seated || has_opponent_stopped)
    }

    /// Whether the players are told to stop, and whether the opponent has.
    fn stops(&self) -> (bool, bool) {
        (*self.closing.borrow(), self.board.borrow().is_over)
    }

    fn table(&self) -> Option<String> {
        self.board.borrow().table.clone()
    }

    /// Creates the table, joins it, or waits for it.
    async fn come_to_the_table(&mut self, link: &mut TestLink) -> Result<(), Lost> {
        if let Some(table) = self.table() {
            // The table answers.
            self.is_seated = true;
            return link
                .say_at(&table, ClientMessage::Watch(Watch::default()))
                .await;
        }
        // The game at the last table is over, though the message may be lost.
        self.is_playing = false;
        self.is_seated = self.color == Color::White;
        if self.color == Color::White {
            let table = CreateTable {
                visibility: Visibility::Link,
                color: Some(SeatWish::White),
                clock: Some("30m+5s".to_owned()),
                ..CreateTable::default()
            };
            return link.say(ClientMessage::CreateTable(table)).await;
        }
        let mut board = self.board.subscribe();
        let closing = self.closing.clone();
        tokio::select! {
            _ = board.wait_for(|meeting| meeting.table.is_some()) => Err(Lost),
            () = closes(closing) => Ok(()),
        }
    }

    async fn handle(&mut self, message: ServerMessage, link: &mut TestLink) -> Result<(), Lost> {
        match message {
            ServerMessage::TableCreated { table } => {
                self.board
                    .send_modify(|meeting| meeting.table = Some(table));
            }
            ServerMessage::TableState(state) => return self.look(*state, link).await,
            ServerMessage::GameStarted(state) | ServerMessage::GameState(state) => {
                self.note(&state);
                self.is_playing = true;
            }
            ServerMessage::YourTurn {
                game,
                ply,
                legal_moves,
                ..
            } => {
                self.is_playing = true;
                self.think(game, ply, &legal_moves);
            }
            ServerMessage::Moved {
                table,
                game,
                played,
                ..
            } => {
                self.ledger.moved(&table, game, played.ply, &played.text);
                self.forget_turn(game, played.ply);
            }
            ServerMessage::Acknowledged {
                table, game, ply, ..
            } => {
                self.ledger.entries().known_already += 1;
                if let Some(turn) = self
                    .turn
                    .take_if(|turn| (turn.game, turn.ply) == (game, ply))
                {
                    self.ledger.moved(&table, game, ply, &turn.text);
                }
            }
            ServerMessage::GameOver {
                table,
                game,
                result,
                reason,
                ..
            } => {
                self.ledger.over(&table, game, (result, reason));
                (self.is_playing, self.is_seated) = (false, false);
                self.turn = None;
                return self.sit_down(link).await;
            }
            ServerMessage::Storage { table, ok: true } => {
                return link
                    .say_at(&table, ClientMessage::Sync(Watch::default()))
                    .await;
            }
            ServerMessage::Error {
                code,
                message,
                table,
                ..
            } => {
                if let (ErrorCode::NoSuchTable, Some(table)) = (code, table) {
                    self.ledger.gone(&table);
                }
                return self.set_right(code, &message, link).await;
            }
            _ => {}
        }
        Ok(())
    }

    /// Handles the state of the table.
    async fn look(&mut self, table: TableState, link: &mut TestLink) -> Result<(), Lost> {
        if let Some(state) = &table.state {
            self.note(state);
        }
        let mine = WireColor::from(self.color);
        let is_running = table.info.state == TablePhase::Running;
        // `you` also names the side in the game that was just over.
        let seats = &table.info.seats;
        let seat = match self.color {
            Color::White => &seats.white,
            Color::Black => &seats.black,
        };
        self.is_seated = seat.as_ref().is_some_and(|seat| seat.name == self.name);
        self.is_playing = is_running && self.is_seated;
        match table.state {
            Some(state) if self.is_playing => {
                if state.turn == mine && !table.legal_moves.is_empty() {
                    self.think(state.game, state.ply, &table.legal_moves);
                }
                Ok(())
            }
            _ if self.is_seated => Ok(()),
            _ => self.sit_down(link).await,
        }
    }

    /// Takes a seat for the next game, unless done.
    async fn sit_down(&mut self, link: &mut TestLink) -> Result<(), Lost> {
        let Some(table) = self.table().filter(|_| !*self.closing.borrow()) else {
            return Ok(());
        };
        self.is_seated = true;
        let color = SeatWish::from(self.color);
        link.say_at(&table, ClientMessage::TakeSeat { color }).await
    }

    /// Records everything in a state.
    fn note(&mut self, state: &GameState) {
        let table = self.table().unwrap_or_default();
        self.ledger.began(&table, state.game);
        for played in &state.moves {
            self.ledger
                .moved(&table, state.game, played.ply, &played.text);
        }
        if let Some(last) = state.moves.last() {
            self.forget_turn(state.game, last.ply);
        }
        if let (Some(result), Some(reason)) = (state.result, state.reason) {
            self.ledger.over(&table, state.game, (result, reason));
        }
    }

    /// Chooses a move, or resends the one chosen for this ply.
    fn think(&mut self, game: u64, ply: u32, legal_moves: &[LegalMove]) {
        let is_same = |turn: &&mut MeetingTurn| (turn.game, turn.ply) == (game, ply);
        if let Some(turn) = self.turn.as_mut().filter(is_same) {
            turn.is_sent = false;
            return;
        }
        let choice = self.random.next_u32() as usize % legal_moves.len();
        let pace = self.pace.as_millis() as u64;
        let pause = Duration::from_millis(self.random.next_u64() % (2 * pace + 1));
        self.turn = Some(MeetingTurn {
            game,
            ply,
            text: legal_moves[choice].text.clone(),
            id: format!("{}-{game}-{ply}", self.name),
            at: Instant::now() + pause,
            is_sent: false,
        });
    }

    async fn send_move(&mut self, link: &mut TestLink) -> Result<(), Lost> {
        let (Some(table), Some(turn)) = (self.table(), &mut self.turn) else {
            return Ok(());
        };
        turn.is_sent = true;
        let message = ClientMessage::Move {
            game: Some(turn.game),
            ply: turn.ply,
            text: turn.text.clone(),
            search: None,
            id: Some(turn.id.clone()),
        };
        link.say(Addressed::to(table, message)).await
    }

    /// Ends the turn if this ply was played.
    fn forget_turn(&mut self, game: u64, ply: u32) {
        self.turn
            .take_if(|turn| turn.game == game && turn.ply <= ply);
    }

    async fn set_right(
        &mut self,
        code: ErrorCode,
        message: &str,
        link: &mut TestLink,
    ) -> Result<(), Lost> {
        match code {
            // Both sit down after a game, and one may have been seated before a kill.
            ErrorCode::SeatTaken | ErrorCode::AlreadySeated | ErrorCode::GameRunning => Ok(()),
            // A table without a game may be gone.
            ErrorCode::NoSuchTable => {
                (self.is_playing, self.is_seated) = (false, false);
                if self.color == Color::White {
                    self.board.send_modify(|meeting| meeting.table = None);
                }
                Err(Lost)
            }
            ErrorCode::NotStored => {
                self.ledger.entries().not_stored += 1;
                sleep(Duration::from_millis(200)).await;
                self.come_to_the_table(link).await
            }
            ErrorCode::WrongPly
            | ErrorCode::NotYourTurn
            | ErrorCode::NoGame
            | ErrorCode::NotSeated => {
                self.turn = None;
                self.come_to_the_table(link).await
            }
            ErrorCode::TooManyMessages | ErrorCode::TooManyTables => Err(Lost),
            _ => panic!("{}: {code:?} {message}", self.name),
        }
    }
}

/// Waits until one of [`TestPlayer::stops`] is no longer what it was.
async fn change(
    (was_closing, had_stopped): (bool, bool),
    mut closing: watch::Receiver<bool>,
    mut board: watch::Receiver<Meeting>,
) {
    tokio::select! {
        _ = closing.wait_for(|&closing| closing != was_closing) => {}
        _ = board.wait_for(|meeting| meeting.is_over != had_stopped) => {}
    }
}

/// Waits for the stop.
async fn closes(mut closing: watch::Receiver<bool>) {
    let _is_over = closing.wait_for(|&closing| closing).await.is_ok();
}
