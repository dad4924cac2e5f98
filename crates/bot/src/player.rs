//! What the bot does when the server says something: a state machine without IO.
//!
//! [`Player`] takes messages and results of searches and returns [`Action`]s; its caller owns the
//! socket, the search and the output.

mod plan;
mod returning;

use checkers_engine::Choice;
use checkers_lib::client_state::Client;
use checkers_lib::protocol::{
    ClientMessage, CreateTable, EndReason, ErrorCode, GameResult, GameState, Joined, LegalMove,
    Meant, Offer, PROTOCOL_VERSION, PlayedMove, ServerMessage, WireClocks, WireColor,
};
use checkers_lib::{Color, DrawRules, Game, SideClock};

use crate::failure::{BotFailure, ProtocolError};
use crate::playing::{MoveState, Playing, Todo};
use crate::replica::{Received, agree};
use crate::report::Report;
use crate::resume::ResumeState;
use crate::tally::RunTally;

pub use plan::{RunPlan, Series, Venue};

/// Something to be done now, in the order given.
#[derive(Clone, Debug)]
pub enum Action {
    /// Send this to the server.
    Send(ClientMessage),
    /// Send this about a table.
    SendTo(String, ClientMessage),
    /// Begin a search, and hand its result to [`Player::chosen`].
    Think(Request),
    /// The search is not needed any more.
    StopThinking,
    /// Send a report to the user.
    Report(Report),
    /// Every game is played: close the connection.
    Finish,
}

/// A search to be made.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where the move is wanted.
    pub turn: Turn,
    /// The number of the game from 0: in this run or, if its games are arranged, on the server, so
    /// that an arranged game does not depend on what was played before.
    pub number: u64,
    /// The game, the bot to move.
    pub game: Game,
    /// The bot's clock by the server's reckoning, if it has one.
    pub clock: Option<SideClock>,
}

/// A moment of one game on one server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The number of the game on the server.
    pub game: u64,
    /// How many moves have been played in it.
    pub ply: u32,
}

/// What a search came to.
#[derive(Clone, Debug)]
pub struct Thought {
    /// What it was made for.
    pub turn: Turn,
    /// Its result.
    pub choice: Choice,
}

/// A bot on a server, as a state machine.
pub struct Player {
    plan: RunPlan,
    client: Client,
    stage: PlayerStage,
    rules: DrawRules,
    tally: RunTally,
    /// The latest game it played and its side there.
    latest: Option<(u64, Color)>,
    is_started: bool,
    /// How many moves were sent into games that were over before they came. Each will be refused.
    late_moves: u32,
    resume: ResumeState,
    /// Whether it was on the server before and has not got its bearings yet.
    is_returning: bool,
}

enum PlayerStage {
    /// Has asked to come in.
    Joining,
    /// Waits for its next game, for which it has asked for a seat unless its games are arranged.
    Waiting,
    Playing(Box<Playing>),
    /// Has played every game.
    Finished,
}

/// What to do: nothing, most of the time.
type Actions = Result<Vec<Action>, BotFailure>;

const NOTHING: Actions = Ok(Vec::new());

impl Player {
    /// A player that has just connected.
    pub fn new(plan: RunPlan) -> Player {
        let table = match &plan.venue {
            Venue::Table(id) => Some(id.clone()),
            Venue::Main | Venue::Own(_) | Venue::Quick(_) => None,
        };
        Player {
            resume: ResumeState::to(table, plan.token.clone()),
            is_returning: false,
            plan,
            client: Client::default(),
            stage: PlayerStage::Joining,
            rules: DrawRules::default(),
            tally: RunTally::default(),
            latest: None,
            is_started: false,
            late_moves: 0,
        }
    }

    /// The first thing to do on a connection.
    pub fn join(&self) -> Vec<Action> {
        let mut join = self.resume.join(&self.plan.name);
        join.lobby = match self.plan.venue {
            Venue::Main | Venue::Table(_) => false,
            Venue::Own(_) | Venue::Quick(_) => self.resume.table().is_none(),
        };
        let join = ClientMessage::Join(join);
        vec![match self.resume.table() {
            Some(table) => Action::SendTo(table.to_owned(), join),
            None => Action::Send(join),
        }]
    }

    /// Handles a message of the server.
    ///
    /// # Errors
    /// The server refuses something, or says what cannot be; the run is over then.
    pub fn handle(&mut self, message: &ServerMessage) -> Actions {
        self.client.handle(message);
        self.resume.note(message);
        match message {
            ServerMessage::Joined(joined) => self.joined(joined),
            ServerMessage::Players { .. } => Ok(self.seated()),
            ServerMessage::GameStarted(state) => self.game_started(state),
            ServerMessage::GameState(state) => self.found("game_state", Some(state)),
            ServerMessage::TableState(table) => self.found("table_state", table.state.as_ref()),
            ServerMessage::TableCreated { table } => {
                let table = table.clone();
                Ok(vec![Action::Report(Report::Table { table })])
            }
            ServerMessage::YourTurn {
                game,
                ply,
                fen,
                legal_moves,
                clocks,
                ..
            } => {
                let received = received("your_turn", *game, *ply, fen);
                self.your_turn(&received, legal_moves, clocks.as_ref())
            }
            ServerMessage::Moved {
                game,
                played,
                fen,
                turn,
                ..
            } => self.moved(*game, played, fen, *turn),
            ServerMessage::GameOver {
                game,
                result,
                reason,
                ply,
                fen,
                ..
            } => self.game_over(&received("game_over", *game, *ply, fen), *result, *reason),
            ServerMessage::MoveRefused { .. } | ServerMessage::Misbehaved { .. } => {
                NOTHING // a director's business
            }
            ServerMessage::Offered {
                game, offer, by, ..
            } => Ok(self.decline(*game, *offer, *by)),
            ServerMessage::Declined { .. } | ServerMessage::Lapsed { .. } => NOTHING,
            ServerMessage::TookBack { game, .. } => self.took_back(*game),
            ServerMessage::Error { code, message, .. } => self.refused(*code, message),
            _ => NOTHING, // of the place, not of the game
        }
    }

    /// Handles the result of a search. A result that is no longer needed changes nothing.
    ///
    /// # Errors
    /// The bot chose no legal move.
    pub fn chosen(&mut self, thought: &Thought) -> Actions {
        match &mut self.stage {
            PlayerStage::Playing(playing) if playing.awaits(thought.turn) => {
                let message = playing.decide(thought)?;
                // While the connection is lost, the move waits for the next request.
                let is_here = !self.is_returning;
                Ok(is_here
                    .then_some(Action::Send(message))
                    .into_iter()
                    .collect())
            }
            PlayerStage::Playing(_)
            | PlayerStage::Joining
            | PlayerStage::Waiting
            | PlayerStage::Finished => NOTHING,
        }
    }

    /// Handles the end of the connection. The run is done if its games are arranged, none of them
    /// is running, and the server has closed in order.
    ///
    /// # Errors
    /// It ended too early or not in order.
    pub fn disconnected(&mut self, failure: BotFailure) -> Actions {
        let is_waiting = matches!(self.stage, PlayerStage::Waiting);
        if self.plan.series.is_none() && is_waiting && failure.is_orderly_close() {
            return Ok(self.finish());
        }
        Err(failure)
    }

    /// What to do before the connection is closed early: the seat is given up.
    pub fn leave(&mut self) -> Vec<Action> {
        let stage = std::mem::replace(&mut self.stage, PlayerStage::Finished);
        match stage {
            PlayerStage::Joining | PlayerStage::Finished => Vec::new(),
            PlayerStage::Waiting if self.plan.series.is_none() => Vec::new(),
            PlayerStage::Waiting if self.plan.venue.is_paired() => {
                vec![Action::Send(ClientMessage::CancelQuick)]
            }
            PlayerStage::Waiting => vec![Action::Send(ClientMessage::LeaveSeat)],
            PlayerStage::Playing(_) => {
                vec![Action::StopThinking, Action::Send(ClientMessage::LeaveSeat)]
            }
        }
    }

    fn joined(&mut self, joined: &Joined) -> Actions {
        if !matches!(self.stage, PlayerStage::Joining) && !self.is_returning {
            return Err(ProtocolError::Unexpected("joined").into());
        }
        if joined.protocol != PROTOCOL_VERSION {
            return Err(ProtocolError::Version(joined.protocol).into());
        }
        self.rules = (joined.draw_rules.parse()).map_err(ProtocolError::DrawRules)?;
        if !self.is_returning {
            return Ok(self.wait());
        }
        let resumed = joined.resumed;
        let mut actions = vec![Action::Report(Report::Reconnected { resumed })];
        if !resumed {
            // The server has started anew, or has not waited.
            self.is_returning = false;
            actions.extend(self.break_off());
            actions.extend(self.go_on());
        } else if self.plan.venue.is_paired() && matches!(self.stage, PlayerStage::Waiting) {
            actions.extend(self.wait());
        }
        Ok(actions)
    }

    /// Waits for the next game, in a seat unless it is arranged.
    fn wait(&mut self) -> Vec<Action> {
        self.stage = PlayerStage::Waiting;
        let Some(color) = self.next_color() else {
            return Vec::new();
        };
        let color = color.into();
        let mut actions = Vec::new();
        if self.plan.venue.is_paired()
            && let Some(table) = self.resume.leave_table()
        {
            actions.push(Action::SendTo(table, ClientMessage::Unwatch));
        }
        let has_table = self.resume.table().is_some();
        actions.push(Action::Send(match &self.plan.venue {
            Venue::Quick(quick) => ClientMessage::Quick(quick.clone()),
            Venue::Own(clock) if !has_table => ClientMessage::CreateTable(CreateTable {
                color: Some(color),
                clock: clock.clone(),
                rated: self.plan.rated,
                ..CreateTable::default()
            }),
            Venue::Main | Venue::Table(_) | Venue::Own(_) => ClientMessage::TakeSeat { color },
        }));
        actions
    }

    /// The side to ask a seat for; `None` if others decide where the bot plays.
    fn next_color(&self) -> Option<Color> {
        let series = self.plan.series?;
        Some(series.color_of(self.tally.games()))
    }

    /// The side of the present game, or of the next; `None` if others decide that.
    fn planned_color(&self) -> Option<Color> {
        self.next_color().filter(|_| !self.plan.venue.is_paired())
    }

    /// The report of the first seat, when the bot has it.
    fn seated(&mut self) -> Vec<Action> {
        let is_returning = std::mem::take(&mut self.is_returning);
        let Some(seat) = self.client.seat() else {
            // The server has not kept it, or there was none yet.
            let asks = is_returning && matches!(self.stage, PlayerStage::Waiting);
            let asks = asks && !self.plan.venue.is_paired();
            return if asks { self.wait() } else { Vec::new() };
        };
        if self.is_started || self.planned_color().is_some_and(|color| color != seat) {
            return Vec::new();
        }
        self.is_started = true;
        vec![Action::Report(Report::Started {
            name: self.client.name().to_owned(),
            bot: self.plan.bot.clone(),
            color: seat.into(),
        })]
    }

    fn game_started(&mut self, state: &GameState) -> Actions {
        const MESSAGE: &str = "game_started";
        if let PlayerStage::Playing(_) = self.stage {
            return Err(ProtocolError::Unexpected(MESSAGE).into());
        }
        let Some(seat) = self.client.seat() else {
            return NOTHING; // a game of others
        };
        agree(MESSAGE, "seat", seat, self.planned_color().unwrap_or(seat))?;
        let playing = Playing::start(MESSAGE, state, seat, self.rules)?;
        self.latest = Some((state.game, seat));
        self.stage = PlayerStage::Playing(Box::new(playing));
        Ok(self.seated())
    }

    fn your_turn(
        &mut self,
        received: &Received<'_>,
        legal_moves: &[LegalMove],
        clocks: Option<&WireClocks>,
    ) -> Actions {
        let PlayerStage::Playing(playing) = &mut self.stage else {
            return Err(ProtocolError::Unexpected(received.message).into());
        };
        let number = match self.plan.series {
            Some(_) => self.tally.games().into(),
            None => received.game.saturating_sub(1),
        };
        let clock = clocks.and_then(|clocks| clocks.side(playing.color()));
        let clock = clock.map(SideClock::from);
        let comes_back = self.plan.series.is_some() && self.resume.is_valid();
        let todo = match playing.asked(received, legal_moves)? {
            Todo::SendAgain(message) if comes_back => Some(Action::Send(message)),
            Todo::Nothing | Todo::SendAgain(_) => None,
            Todo::Think(turn, game) => Some(Action::Think(Request {
                turn,
                number,
                game,
                clock,
            })),
        };
        Ok(todo.into_iter().collect())
    }

    fn moved(&mut self, game: u64, played: &PlayedMove, fen: &str, turn: WireColor) -> Actions {
        let PlayerStage::Playing(playing) = &mut self.stage else {
            return NOTHING; // a game of others
        };
        let report = playing.moved(game, played, fen, turn)?;
        Ok(report.map(Action::Report).into_iter().collect())
    }

    /// Declines every offer of the opponent: the bot plays its games to their end.
    fn decline(&self, game: u64, offer: Offer, by: WireColor) -> Vec<Action> {
        let is_to_answer = |&(own, side): &(u64, Color)| own == game && side != by.into();
        if !self.latest.as_ref().is_some_and(is_to_answer) {
            return Vec::new();
        }
        let meant = Meant { game: Some(game) };
        vec![Action::Send(match offer {
            Offer::Draw => ClientMessage::DeclineDraw(meant),
            Offer::Takeback => ClientMessage::DeclineTakeback(meant),
            Offer::Rematch => ClientMessage::DeclineRematch(meant),
        })]
    }

    /// Handles a takeback, which is impossible without the consent of both players.
    fn took_back(&self, game: u64) -> Actions {
        match &self.stage {
            PlayerStage::Playing(_) if self.latest.is_some_and(|(own, _)| own == game) => {
                Err(ProtocolError::Unexpected("took_back").into())
            }
            PlayerStage::Playing(_)
            | PlayerStage::Joining
            | PlayerStage::Waiting
            | PlayerStage::Finished => NOTHING,
        }
    }

    fn game_over(
        &mut self,
        received: &Received<'_>,
        result: GameResult,
        reason: EndReason,
    ) -> Actions {
        let PlayerStage::Playing(playing) = &self.stage else {
            return NOTHING; // a game of others
        };
        let report = playing.over(received, result, reason)?;
        let mut actions = Vec::new();
        match playing.move_state() {
            MoveState::None => {}
            MoveState::Thinking => actions.push(Action::StopThinking),
            // What was sent on a connection that is lost will not be refused.
            MoveState::Sent(_) => self.late_moves += u32::from(!self.is_returning),
        }
        actions.push(Action::Report(report));
        self.tally.add(playing.color(), result, playing.times());
        actions.extend(self.go_on());
        Ok(actions)
    }

    fn go_on(&mut self) -> Vec<Action> {
        match self.plan.series {
            Some(series) if series.games > 0 && self.tally.games() >= series.games => self.finish(),
            Some(_) | None => self.wait(),
        }
    }

    fn finish(&mut self) -> Vec<Action> {
        self.stage = PlayerStage::Finished;
        vec![Action::Report(self.tally.done()), Action::Finish]
    }

    fn refused(&mut self, code: ErrorCode, message: &str) -> Actions {
        match code {
            // Nothing is left to play.
            ErrorCode::EventOver => return Ok(self.finish()),
            // It has lapsed before the bot could turn it down.
            ErrorCode::NoOffer => return NOTHING,
            // The server asks again when it can store the move.
            ErrorCode::NotStored if !matches!(self.stage, PlayerStage::Joining) => return NOTHING,
            _ => {}
        }
        if self.late_moves > 0 && may_refuse_late_move(code) {
            self.late_moves -= 1;
            return NOTHING;
        }
        Err(self.failure(code, message.to_owned()))
    }

    fn failure(&self, code: ErrorCode, message: String) -> BotFailure {
        let name = self.plan.name.clone();
        match (code, self.planned_color()) {
            (ErrorCode::NameTaken, _) => BotFailure::NameTaken { name, message },
            (ErrorCode::BadName, _) => BotFailure::BadName { name, message },
            (ErrorCode::SeatTaken, Some(color)) => BotFailure::SeatTaken { color },
            _ => BotFailure::Refused { code, message },
        }
    }
}

/// Why a move may be refused if its game is over, and perhaps followed by another.
fn may_refuse_late_move(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NoGame | ErrorCode::NotSeated | ErrorCode::NotYourTurn | ErrorCode::WrongPly
    )
}

fn received<'a>(message: &'static str, game: u64, ply: u32, fen: &'a str) -> Received<'a> {
    Received {
        message,
        game,
        ply,
        fen,
    }
}
