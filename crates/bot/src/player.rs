//! What the bot does when the server says something: a state machine without IO.
//!
//! [`Player`] takes messages and thoughts and returns [`Action`]s; whoever drives it owns the
//! socket, the search and the output.

use checkers_engine::Choice;
use checkers_lib::client_state::Client;
use checkers_lib::protocol::{
    ClientMessage, EndReason, ErrorCode, GameResult, GameState, Joined, LegalMove, Meant, Offer,
    PROTOCOL_VERSION, PlayedMove, ServerMessage, WireClocks, WireColor,
};
use checkers_lib::{Color, DrawRules, Game, SideClock};

use crate::failure::{Failure, ProtocolError};
use crate::mirror::{Told, agree};
use crate::playing::{Answer, Playing};
use crate::report::Report;
use crate::tally::Tally;

/// What a run is to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The name to join with.
    pub name: String,
    /// The bot's spec in the canonical form.
    pub bot: String,
    /// What to play in seats that the bot takes itself; `None` to play every game that is arranged
    /// for it, on either side.
    pub series: Option<Series>,
}

/// Games in seats that the bot takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Series {
    /// The side of the first game.
    pub color: Color,
    /// How many games, 1 or more.
    pub games: u32,
    /// Whether the side changes from game to game.
    pub swap: bool,
}

impl Series {
    /// The side of the game that `before` games were played before.
    pub fn color_of(self, before: u32) -> Color {
        if self.swap && before % 2 == 1 {
            !self.color
        } else {
            self.color
        }
    }
}

/// Something to be done now, in the order given.
#[derive(Clone, Debug)]
pub enum Action {
    /// Send this to the server.
    Send(ClientMessage),
    /// Begin a search, and hand its result to [`Player::chosen`].
    Think(Request),
    /// The search is not needed any more.
    StopThinking,
    /// Tell the user.
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
    plan: Plan,
    client: Client,
    stage: Stage,
    rules: DrawRules,
    tally: Tally,
    /// The latest game it played and its side there.
    latest: Option<(u64, Color)>,
    is_started: bool,
    /// How many moves were sent into games that were over before they came. Each will be refused.
    late_moves: u32,
}

enum Stage {
    /// Has asked to come in.
    Joining,
    /// Waits for its next game, for which it has asked for a seat unless its games are arranged.
    Waiting,
    /// Plays.
    Playing(Box<Playing>),
    /// Has played every game.
    Finished,
}

/// What to do: nothing, most of the time.
type Actions = Result<Vec<Action>, Failure>;

const NOTHING: Actions = Ok(Vec::new());

impl Player {
    /// A player that has just connected.
    pub fn new(plan: Plan) -> Player {
        Player {
            plan,
            client: Client::default(),
            stage: Stage::Joining,
            rules: DrawRules::default(),
            tally: Tally::default(),
            latest: None,
            is_started: false,
            late_moves: 0,
        }
    }

    /// The first thing to do.
    pub fn join(&self) -> Vec<Action> {
        let name = self.plan.name.clone();
        vec![Action::Send(ClientMessage::join(name))]
    }

    /// Takes in what the server says.
    ///
    /// # Errors
    /// The server refuses something, or says what cannot be; the run is over then.
    pub fn handle(&mut self, message: &ServerMessage) -> Actions {
        self.client.handle(message);
        match message {
            ServerMessage::Joined(Joined {
                protocol,
                draw_rules,
                ..
            }) => self.joined(*protocol, draw_rules),
            ServerMessage::Players { .. } => Ok(self.seated()),
            ServerMessage::GameStarted(state) => self.game_started(state),
            ServerMessage::GameState(_) => NOTHING, // a game of others: the bot has just come
            ServerMessage::YourTurn {
                game,
                ply,
                fen,
                legal_moves,
                clocks,
                ..
            } => {
                let told = told("your_turn", *game, *ply, fen);
                self.your_turn(&told, legal_moves, clocks.as_ref())
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
            } => self.game_over(&told("game_over", *game, *ply, fen), *result, *reason),
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

    /// Takes in the result of a search. One that nobody waits for any more changes nothing.
    ///
    /// # Errors
    /// The bot chose no legal move.
    pub fn chosen(&mut self, thought: &Thought) -> Actions {
        match &mut self.stage {
            Stage::Playing(playing) if playing.awaits(thought.turn) => {
                Ok(vec![Action::Send(playing.decide(thought)?)])
            }
            Stage::Playing(_) | Stage::Joining | Stage::Waiting | Stage::Finished => NOTHING,
        }
    }

    /// Takes in that the connection has ended. The run is done if its games are arranged, none of
    /// them is running, and the server has closed in order.
    ///
    /// # Errors
    /// It ended too early or not in order.
    pub fn disconnected(&mut self, failure: Failure) -> Actions {
        let is_waiting = matches!(self.stage, Stage::Waiting);
        if self.plan.series.is_none() && is_waiting && failure.is_orderly_close() {
            return Ok(self.finish());
        }
        Err(failure)
    }

    /// What to do before the connection is closed early: the seat is given up.
    pub fn leave(&mut self) -> Vec<Action> {
        let stage = std::mem::replace(&mut self.stage, Stage::Finished);
        match stage {
            Stage::Joining | Stage::Finished => Vec::new(),
            Stage::Waiting if self.plan.series.is_none() => Vec::new(),
            Stage::Waiting => vec![Action::Send(ClientMessage::LeaveSeat)],
            Stage::Playing(_) => vec![Action::StopThinking, Action::Send(ClientMessage::LeaveSeat)],
        }
    }

    fn joined(&mut self, protocol: u32, draw_rules: &str) -> Actions {
        if !matches!(self.stage, Stage::Joining) {
            return Err(ProtocolError::Unexpected("joined").into());
        }
        if protocol != PROTOCOL_VERSION {
            return Err(ProtocolError::Version(protocol).into());
        }
        self.rules = draw_rules.parse().map_err(ProtocolError::DrawRules)?;
        Ok(self.wait())
    }

    /// Waits for the next game, in a seat unless it is arranged.
    fn wait(&mut self) -> Vec<Action> {
        self.stage = Stage::Waiting;
        let take_seat = |color: Color| {
            let color = color.into();
            Action::Send(ClientMessage::TakeSeat { color })
        };
        self.planned_color().map(take_seat).into_iter().collect()
    }

    /// The side of the present game, or of the next; `None` if others decide that.
    fn planned_color(&self) -> Option<Color> {
        let series = self.plan.series?;
        Some(series.color_of(self.tally.games()))
    }

    /// The report of the first seat, when the bot has it.
    fn seated(&mut self) -> Vec<Action> {
        let Some(seat) = self.client.seat() else {
            return Vec::new();
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
        if let Stage::Playing(_) = self.stage {
            return Err(ProtocolError::Unexpected(MESSAGE).into());
        }
        let Some(seat) = self.client.seat() else {
            return NOTHING; // a game of others
        };
        agree(MESSAGE, "seat", seat, self.planned_color().unwrap_or(seat))?;
        let playing = Playing::start(MESSAGE, state, seat, self.rules)?;
        self.latest = Some((state.game, seat));
        self.stage = Stage::Playing(Box::new(playing));
        Ok(self.seated())
    }

    fn your_turn(
        &mut self,
        told: &Told<'_>,
        legal_moves: &[LegalMove],
        clocks: Option<&WireClocks>,
    ) -> Actions {
        let Stage::Playing(playing) = &mut self.stage else {
            return Err(ProtocolError::Unexpected(told.message).into());
        };
        let number = match self.plan.series {
            Some(_) => self.tally.games().into(),
            None => told.game.saturating_sub(1),
        };
        let clock = clocks.and_then(|clocks| clocks.side(playing.color()));
        let clock = clock.map(SideClock::from);
        let request = playing.asked(told, legal_moves)?;
        let think = |(turn, game)| {
            Action::Think(Request {
                turn,
                number,
                game,
                clock,
            })
        };
        Ok(request.map(think).into_iter().collect())
    }

    fn moved(&mut self, game: u64, played: &PlayedMove, fen: &str, turn: WireColor) -> Actions {
        let Stage::Playing(playing) = &mut self.stage else {
            return NOTHING; // a game of others
        };
        let report = playing.moved(game, played, fen, turn)?;
        Ok(report.map(Action::Report).into_iter().collect())
    }

    /// Turns down whatever the opponent offers: the bot plays its games to their end.
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

    /// Takes in that moves were taken back, which cannot be without the consent of both players.
    fn took_back(&self, game: u64) -> Actions {
        match &self.stage {
            Stage::Playing(_) if self.latest.is_some_and(|(own, _)| own == game) => {
                Err(ProtocolError::Unexpected("took_back").into())
            }
            Stage::Playing(_) | Stage::Joining | Stage::Waiting | Stage::Finished => NOTHING,
        }
    }

    fn game_over(&mut self, told: &Told<'_>, result: GameResult, reason: EndReason) -> Actions {
        let Stage::Playing(playing) = &self.stage else {
            return NOTHING; // a game of others
        };
        let report = playing.over(told, result, reason)?;
        let mut actions = Vec::new();
        match playing.answer() {
            Answer::None => {}
            Answer::Thinking => actions.push(Action::StopThinking),
            Answer::Sent(_) => self.late_moves += 1,
        }
        actions.push(Action::Report(report));
        self.tally.add(playing.color(), result, playing.times());
        actions.extend(self.go_on());
        Ok(actions)
    }

    fn go_on(&mut self) -> Vec<Action> {
        match self.plan.series {
            Some(series) if self.tally.games() >= series.games => self.finish(),
            Some(_) | None => self.wait(),
        }
    }

    fn finish(&mut self) -> Vec<Action> {
        self.stage = Stage::Finished;
        vec![Action::Report(self.tally.done()), Action::Finish]
    }

    fn refused(&mut self, code: ErrorCode, message: &str) -> Actions {
        if code == ErrorCode::NoOffer {
            return NOTHING; // it has lapsed before the bot could turn it down
        }
        if self.late_moves > 0 && may_refuse_late_move(code) {
            self.late_moves -= 1;
            return NOTHING;
        }
        Err(self.failure(code, message.to_owned()))
    }

    fn failure(&self, code: ErrorCode, message: String) -> Failure {
        let name = self.plan.name.clone();
        match (code, self.planned_color()) {
            (ErrorCode::NameTaken, _) => Failure::NameTaken { name },
            (ErrorCode::BadName, _) => Failure::BadName { name, message },
            (ErrorCode::SeatTaken, Some(color)) => Failure::SeatTaken { color },
            _ => Failure::Refused { code, message },
        }
    }
}

/// What a move may be refused with whose game is over, and perhaps followed by another.
fn may_refuse_late_move(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::NoGame | ErrorCode::NotSeated | ErrorCode::NotYourTurn | ErrorCode::WrongPly
    )
}

fn told<'a>(message: &'static str, game: u64, ply: u32, fen: &'a str) -> Told<'a> {
    Told {
        message,
        game,
        ply,
        fen,
    }
}
