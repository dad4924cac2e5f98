//! A table as a pure state machine: who is here, who sits where, and the game they play.
//!
//! [`Table::handle`] takes who said what and when, and returns what to tell whom. It owns no
//! socket, no task and no clock, so every rule of the server is tested without them. When
//! something happens though nobody speaks, [`Table::poll_timeout`] says when.
//!
//! Games begin when both seats are taken, or, on a [directed](Table::directed_by) table, when the
//! director arranges them.

mod agreements;
mod command;
mod directed;
mod ending;
mod game_clock;
mod offers;
mod proposals;
mod rematch;
mod running_game;
mod seats;

use std::collections::BTreeMap;
use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    ErrorCode, Meant, PROTOCOL_VERSION, Player, Refusal, Role, ServerMessage, is_valid_name,
};
use checkers_lib::{ByColor, Color, DrawRules, TimeControl};

use crate::director::DirectorToken;
use crate::names::skeleton;
use ending::Ending;
use rematch::LastGame;
use running_game::RunningGame;

pub use command::{Arrangement, Attempt, Command, Judgement};

/// A connection, numbered in the order of coming.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

/// What a table wants done after a command.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    /// Tell one client.
    Tell(ClientId, ServerMessage),
    /// Tell every client that has entered.
    TellAll(ServerMessage),
}

/// An opening after which there is nothing to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("opening {number} ends the game")]
pub struct BadOpening {
    /// Which of them, from 1.
    pub number: usize,
}

/// A table: its visitors and at most one running game.
#[derive(Debug)]
pub struct Table {
    name: String,
    rules: DrawRules,
    /// What the games begin from, one after the other and over again; none is the start.
    openings: Vec<Opening>,
    /// The clocks of the games that begin when both seats are taken.
    controls: ByColor<Option<TimeControl>>,
    /// What shows who arranges the games; without it, whoever takes a seat plays.
    director: Option<DirectorToken>,
    visitors: BTreeMap<ClientId, Visitor>,
    running: Option<RunningGame>,
    /// The game that was over last, if its players may play again.
    last: Option<LastGame>,
    /// The number of the last game.
    games: u64,
}

#[derive(Debug)]
struct Visitor {
    name: String,
    /// The [`skeleton`] of the name: no two visitors have the same.
    looks: String,
    seat: Option<Color>,
}

impl Table {
    /// An empty table, whose games begin from the start.
    pub fn new(name: impl Into<String>, rules: DrawRules) -> Table {
        Table {
            name: name.into(),
            rules,
            openings: Vec::new(),
            controls: ByColor::default(),
            director: None,
            visitors: BTreeMap::new(),
            running: None,
            last: None,
            games: 0,
        }
    }

    /// Lets the games begin from `openings`, one after the other and over again.
    ///
    /// # Errors
    /// An opening that the table's draw rules end before its last move or with it.
    pub fn with_openings(mut self, openings: Vec<Opening>) -> Result<Table, BadOpening> {
        for (i, opening) in openings.iter().enumerate() {
            let game = opening.to_game(self.rules);
            if !game.is_ok_and(|game| game.outcome().is_none()) {
                let number = i + 1;
                return Err(BadOpening { number });
            }
        }
        self.openings = openings;
        Ok(self)
    }

    /// Gives the sides these clocks in the games that begin when both seats are taken. Those that
    /// a director arranges have the director's.
    pub fn with_clocks(mut self, controls: ByColor<Option<TimeControl>>) -> Table {
        self.controls = controls;
        self
    }

    /// Leaves it to whoever shows `token` to seat players, to start games from an opening of
    /// their choice and to end them.
    pub fn directed_by(mut self, token: DirectorToken) -> Table {
        self.director = Some(token);
        self
    }

    /// Whether `who` has entered.
    pub fn has(&self, who: ClientId) -> bool {
        self.visitors.contains_key(&who)
    }

    /// Carries a command out, or tells `who` why not; nothing changes then. A flag that has
    /// fallen by `now` ends the game first.
    pub fn handle(&mut self, who: ClientId, command: Command, now: Instant) -> Vec<Effect> {
        let mut effects = self.handle_timeout(now);
        let done = match command {
            Command::Enter { name } => self.enter(who, name),
            Command::TakeSeat(color) => self.take_seat(who, color, now),
            Command::LeaveSeat => self.leave_seat(who),
            Command::Move(attempt) => self.play(who, &attempt, now),
            Command::Resign(meant) => self.resign(who, meant),
            Command::Abort(meant) => self.abort(who, meant),
            Command::Offer(offer, meant) => self.offer(who, offer, meant, now),
            Command::Accept(offer, meant) => self.accept(who, offer, meant, now),
            Command::Decline(offer, meant) => self.decline(who, offer, meant),
            Command::ArrangeGame(token, game) => self.arrange(who, &token, &game, now),
            Command::EndGame(token, judgement) => self.judge(who, &token, judgement),
            Command::Misbehave { message } => Ok(self.misbehave(who, message)),
            Command::Exit => Ok(self.exit(who)),
        };
        effects.extend(done.unwrap_or_else(|refusal| vec![Effect::Tell(who, refusal.into())]));
        effects
    }

    /// When to call [`Table::handle_timeout`] next, if nothing happens before; `None` while no
    /// clock runs.
    pub fn poll_timeout(&self) -> Option<Instant> {
        self.running.as_ref().and_then(RunningGame::flag_falls)
    }

    /// Ends the running game if the flag of the side to move has fallen. Calls that are early or
    /// repeated do nothing.
    pub fn handle_timeout(&mut self, now: Instant) -> Vec<Effect> {
        match &self.running {
            Some(running) if running.flag_falls().is_some_and(|flag| flag <= now) => {
                let ending = running.over_on_time();
                self.end(&ending)
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn enter(&mut self, who: ClientId, name: String) -> Result<Vec<Effect>, Refusal> {
        self.check_new(who, &name)?;
        let visitor = Visitor {
            name: name.clone(),
            looks: skeleton(&name),
            seat: None,
        };
        self.visitors.insert(who, visitor);
        let joined = ServerMessage::Joined {
            name,
            protocol: PROTOCOL_VERSION,
            table: self.name.clone(),
            draw_rules: self.rules.to_string(),
        };
        let mut effects = vec![Effect::Tell(who, joined)];
        if let Some(running) = &self.running {
            effects.push(Effect::Tell(who, ServerMessage::GameState(running.state())));
        }
        let rematch = self.last.as_ref().and_then(LastGame::offered);
        effects.extend(rematch.map(|offered| Effect::Tell(who, offered)));
        effects.push(self.tell_players());
        Ok(effects)
    }

    /// Checks that `who` may come in under `name`.
    fn check_new(&self, who: ClientId, name: &str) -> Result<(), Refusal> {
        if self.has(who) {
            let message = "you have joined already";
            return Err(Refusal::new(ErrorCode::AlreadyJoined, message));
        }
        if !is_valid_name(name) {
            let rule = "a name has 1 to 30 visible characters and no space at either end";
            return Err(Refusal::new(ErrorCode::BadName, rule));
        }
        let looks = skeleton(name);
        if (self.visitors.values()).any(|visitor| visitor.looks == looks) {
            let message = format!("somebody here is called {name}");
            return Err(Refusal::new(ErrorCode::NameTaken, message));
        }
        Ok(())
    }

    fn exit(&mut self, who: ClientId) -> Vec<Effect> {
        let has_just_played = self.last_game_of(who).is_some();
        let lapsed = has_just_played.then(|| self.forget_last_game()).flatten();
        let mut effects = Vec::from_iter(lapsed);
        effects.extend(match self.visitors.remove(&who) {
            Some(Visitor {
                seat: Some(seat), ..
            }) => self.abandon(seat),
            Some(Visitor { seat: None, .. }) => vec![self.tell_players()],
            None => Vec::new(),
        });
        effects
    }

    fn play(
        &mut self,
        who: ClientId,
        attempt: &Attempt,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        let meant = Meant { game: attempt.game };
        let (seat, running) = self.playing(who, meant)?;
        let news = match running.play(seat, attempt, now) {
            Ok(news) => news,
            Err(refusal) => return running.refuse(who, seat, attempt, refusal),
        };
        let outcome = running.outcome();
        let mut effects: Vec<Effect> = news.into_iter().map(Effect::TellAll).collect();
        effects.extend(match outcome {
            Some(outcome) => self.end(&outcome.into()),
            None => self.ask(),
        });
        Ok(effects)
    }

    /// The side of `who` in the running game, which is the one that is meant.
    fn playing(
        &mut self,
        who: ClientId,
        meant: Meant,
    ) -> Result<(Color, &mut RunningGame), Refusal> {
        let Some(seat) = self.visitor(who)?.seat else {
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
        let started = ServerMessage::GameStarted(game.state());
        self.running = Some(game);
        let mut effects = vec![Effect::TellAll(started)];
        effects.extend(self.ask());
        effects
    }

    /// Asks the side to move for its move.
    fn ask(&self) -> Vec<Effect> {
        let Some(running) = &self.running else {
            return Vec::new();
        };
        let Some(mover) = self.sitting(running.turn()) else {
            return Vec::new();
        };
        vec![Effect::Tell(mover, running.request())]
    }

    /// Ends the running game, if one runs, and frees both seats.
    fn end(&mut self, ending: &Ending) -> Vec<Effect> {
        let Some(running) = self.running.take() else {
            return Vec::new();
        };
        self.last = self.to_be_played_again(&running);
        for visitor in self.visitors.values_mut() {
            visitor.seat = None;
        }
        vec![Effect::TellAll(running.over(ending)), self.tell_players()]
    }

    fn visitor(&mut self, who: ClientId) -> Result<&mut Visitor, Refusal> {
        (self.visitors.get_mut(&who))
            .ok_or_else(|| Refusal::new(ErrorCode::NotJoined, "join first"))
    }

    fn tell_players(&self) -> Effect {
        Effect::TellAll(self.players())
    }

    fn players(&self) -> ServerMessage {
        let player = |visitor: &Visitor| Player {
            name: visitor.name.clone(),
            role: Role::of_seat(visitor.seat),
        };
        let players = self.visitors.values().map(player).collect();
        ServerMessage::Players { players }
    }
}
