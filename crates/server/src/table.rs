//! A table as a pure state machine: who is here, who sits where, and the game they play.
//!
//! [`Table::handle`] takes who said what and when, and returns what to tell whom. It owns no
//! socket, no task and no clock, so every rule of the server is tested without them.

use std::collections::BTreeMap;
use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, LegalMove, PROTOCOL_VERSION, PlayedMove, Player,
    Refusal, Role, SearchInfo, ServerMessage, is_valid_name, wire_ply,
};
use checkers_lib::{ByColor, Color, DrawRules, Game, GameError, Move, Position, Route};

/// A connection, numbered in the order of coming.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ClientId(pub u64);

/// What a client can ask of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Come in under a name.
    Enter {
        /// The name, as the client wrote it.
        name: String,
    },
    /// Take a free seat.
    TakeSeat(Color),
    /// Give the seat up.
    LeaveSeat,
    /// Play a move.
    Move {
        /// The game it is meant for; `None` for the running one.
        game: Option<u64>,
        /// The ply it is meant for.
        ply: u32,
        /// The move as text.
        text: String,
        /// What the player tells of the search for it.
        search: Option<SearchInfo>,
    },
    /// Arrange a game or end it.
    Direct,
    /// Go away; a lost connection is the same.
    Exit,
}

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
    visitors: BTreeMap<ClientId, Visitor>,
    running: Option<RunningGame>,
    games: u64,
}

#[derive(Debug)]
struct Visitor {
    name: String,
    seat: Option<Color>,
}

#[derive(Debug)]
struct RunningGame {
    number: u64,
    players: ByColor<String>,
    game: Game,
    played: Vec<PlayedMove>,
    /// When the side to move was asked.
    asked: Instant,
}

impl Table {
    /// An empty table, whose games begin from the start.
    pub fn new(name: impl Into<String>, rules: DrawRules) -> Table {
        Table {
            name: name.into(),
            rules,
            openings: Vec::new(),
            visitors: BTreeMap::new(),
            running: None,
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

    /// Whether `who` has entered.
    pub fn has(&self, who: ClientId) -> bool {
        self.visitors.contains_key(&who)
    }

    /// Carries a command out, or tells `who` why not; nothing changes then.
    pub fn handle(&mut self, who: ClientId, command: Command, now: Instant) -> Vec<Effect> {
        let done = match command {
            Command::Enter { name } => self.enter(who, name),
            Command::TakeSeat(color) => self.take_seat(who, color, now),
            Command::LeaveSeat => self.leave_seat(who),
            Command::Move {
                game,
                ply,
                text,
                search,
            } => self.play(who, game, ply, &text, search, now),
            Command::Direct => Err(Refusal::new(
                ErrorCode::Forbidden,
                "nobody directs this table",
            )),
            Command::Exit => Ok(self.exit(who)),
        };
        done.unwrap_or_else(|refusal| vec![Effect::Tell(who, refusal.into())])
    }

    fn enter(&mut self, who: ClientId, name: String) -> Result<Vec<Effect>, Refusal> {
        if self.has(who) {
            return Err(Refusal::new(
                ErrorCode::AlreadyJoined,
                "you have joined already",
            ));
        }
        if !is_valid_name(&name) {
            let rule = "a name has 1 to 30 visible characters and no space at either end";
            return Err(Refusal::new(ErrorCode::BadName, rule));
        }
        if self.visitors.values().any(|visitor| visitor.name == name) {
            let message = format!("somebody here is called {name}");
            return Err(Refusal::new(ErrorCode::NameTaken, message));
        }
        self.visitors.insert(
            who,
            Visitor {
                name: name.clone(),
                seat: None,
            },
        );
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
        effects.push(self.players());
        Ok(effects)
    }

    fn take_seat(
        &mut self,
        who: ClientId,
        color: Color,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        if self.visitor(who)?.seat.is_some() {
            return Err(Refusal::new(
                ErrorCode::AlreadySeated,
                "you have a seat already",
            ));
        }
        if let Some(sitting) = self.sitting(color) {
            let message = format!("{} has the {color} seat", self.visitors[&sitting].name);
            return Err(Refusal::new(ErrorCode::SeatTaken, message));
        }
        self.visitor(who)?.seat = Some(color);
        let mut effects = vec![self.players()];
        effects.extend(self.start_if_full(now));
        Ok(effects)
    }

    fn leave_seat(&mut self, who: ClientId) -> Result<Vec<Effect>, Refusal> {
        if self.visitor(who)?.seat.take().is_none() {
            return Err(Refusal::new(ErrorCode::NotSeated, "you have no seat"));
        }
        let mut effects = self.interrupt();
        effects.push(self.players());
        Ok(effects)
    }

    fn exit(&mut self, who: ClientId) -> Vec<Effect> {
        let Some(visitor) = self.visitors.remove(&who) else {
            return Vec::new();
        };
        let mut effects = if visitor.seat.is_some() {
            self.interrupt()
        } else {
            Vec::new()
        };
        effects.push(self.players());
        effects
    }

    fn play(
        &mut self,
        who: ClientId,
        game: Option<u64>,
        ply: u32,
        text: &str,
        search: Option<SearchInfo>,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        let Some(seat) = self.visitor(who)?.seat else {
            return Err(Refusal::new(ErrorCode::NotSeated, "you have no seat"));
        };
        let Some(running) = &mut self.running else {
            return Err(Refusal::new(ErrorCode::NoGame, "no game is running"));
        };
        if game.is_some_and(|game| game != running.number) {
            let message = format!("game {} is running", running.number);
            return Err(Refusal::new(ErrorCode::NoGame, message));
        }
        let moved = running.play(seat, ply, text, search, now)?;
        let mut effects = vec![Effect::TellAll(moved)];
        effects.extend(match running.game.outcome() {
            None => self.ask(),
            Some(outcome) => {
                let mut end = self.end(outcome.into(), outcome.into(), outcome.article());
                end.push(self.players());
                end
            }
        });
        Ok(effects)
    }

    fn start_if_full(&mut self, now: Instant) -> Vec<Effect> {
        let (Some(white), Some(black)) = (self.sitting(Color::White), self.sitting(Color::Black))
        else {
            return Vec::new();
        };
        self.games += 1;
        let players = ByColor { white, black }.map(|id| self.visitors[&id].name.clone());
        let running = RunningGame::new(self.games, players, &self.opening(), self.rules, now);
        let started = ServerMessage::GameStarted(running.state());
        self.running = Some(running);
        let mut effects = vec![Effect::TellAll(started)];
        effects.extend(self.ask());
        effects
    }

    /// What the game that begins now begins from.
    fn opening(&self) -> Opening {
        let turn = (self.games - 1) % (self.openings.len() as u64).max(1);
        let opening = self.openings.get(turn as usize).cloned();
        opening.unwrap_or_else(|| Opening::new(Position::start()))
    }

    /// Asks the side to move for its move.
    fn ask(&self) -> Vec<Effect> {
        let Some(running) = &self.running else {
            return Vec::new();
        };
        let Some(mover) = self.sitting(running.game.turn()) else {
            return Vec::new();
        };
        vec![Effect::Tell(mover, running.request())]
    }

    /// Ends a running game because a player left.
    fn interrupt(&mut self) -> Vec<Effect> {
        self.end(GameResult::Interrupted, EndReason::PlayerLeft, None)
    }

    /// Ends the running game, if one runs, and frees both seats.
    fn end(&mut self, result: GameResult, reason: EndReason, article: Option<&str>) -> Vec<Effect> {
        let Some(running) = self.running.take() else {
            return Vec::new();
        };
        for visitor in self.visitors.values_mut() {
            visitor.seat = None;
        }
        vec![Effect::TellAll(ServerMessage::GameOver {
            game: running.number,
            result,
            reason,
            article: article.map(str::to_owned),
            left: None,
            ply: wire_ply(&running.game),
            fen: running.game.position().to_string(),
        })]
    }

    fn visitor(&mut self, who: ClientId) -> Result<&mut Visitor, Refusal> {
        (self.visitors.get_mut(&who))
            .ok_or_else(|| Refusal::new(ErrorCode::NotJoined, "join first"))
    }

    fn sitting(&self, color: Color) -> Option<ClientId> {
        let mut seated = self
            .visitors
            .iter()
            .filter(|(_, visitor)| visitor.seat == Some(color));
        seated.next().map(|(&who, _)| who)
    }

    fn players(&self) -> Effect {
        let player = |visitor: &Visitor| Player {
            name: visitor.name.clone(),
            role: Role::of_seat(visitor.seat),
        };
        let players = self.visitors.values().map(player).collect();
        Effect::TellAll(ServerMessage::Players { players })
    }
}

impl RunningGame {
    /// A game in which the opening has been played.
    fn new(
        number: u64,
        players: ByColor<String>,
        opening: &Opening,
        rules: DrawRules,
        now: Instant,
    ) -> RunningGame {
        let mut running = RunningGame {
            number,
            players,
            game: Game::from_position(opening.start().clone(), rules),
            played: Vec::new(),
            asked: now,
        };
        for &m in opening.moves() {
            let routes = m.routes(running.game.position());
            let route = routes.first().expect("an opening's moves are legal");
            let played = running.carry_out(m, route, 0, None);
            played.expect("the table has tried its openings under its rules");
        }
        running
    }

    /// Plays a move and keeps it as the wire tells it.
    fn carry_out(
        &mut self,
        m: Move,
        route: &Route,
        elapsed_ms: u64,
        search: Option<SearchInfo>,
    ) -> Result<PlayedMove, GameError> {
        let played = PlayedMove {
            search,
            ..PlayedMove::new(&self.game, m, route, elapsed_ms)
        };
        self.game.play(m)?;
        self.played.push(played.clone());
        Ok(played)
    }

    /// Plays a move for `seat` and returns the news of it.
    fn play(
        &mut self,
        seat: Color,
        ply: u32,
        text: &str,
        search: Option<SearchInfo>,
        now: Instant,
    ) -> Result<ServerMessage, Refusal> {
        let present = wire_ply(&self.game);
        if self.game.turn() != seat {
            let message = format!("it is {}'s turn", self.game.turn());
            return Err(Refusal::new(ErrorCode::NotYourTurn, message));
        }
        if ply != present {
            let message = format!("the game is at ply {present}, the move is for ply {ply}");
            return Err(Refusal::new(ErrorCode::WrongPly, message));
        }
        let (m, route) = self.game.position().parse_route(text)?;
        let elapsed = now.saturating_duration_since(self.asked).as_millis();
        let elapsed_ms = u64::try_from(elapsed).unwrap_or(u64::MAX);
        let played = self
            .carry_out(m, &route, elapsed_ms, search)
            .map_err(|error| Refusal::new(ErrorCode::IllegalMove, error.to_string()))?;
        self.asked = now;
        Ok(ServerMessage::Moved {
            game: self.number,
            played,
            fen: self.game.position().to_string(),
            turn: self.game.turn().into(),
            clocks: None,
        })
    }

    fn request(&self) -> ServerMessage {
        ServerMessage::YourTurn {
            game: self.number,
            ply: wire_ply(&self.game),
            fen: self.game.position().to_string(),
            legal_moves: LegalMove::all(self.game.position()),
            clocks: None,
        }
    }

    fn state(&self) -> GameState {
        GameState {
            game: self.number,
            white: self.players.white.clone(),
            black: self.players.black.clone(),
            start_fen: self.game.start().to_string(),
            moves: self.played.clone(),
            fen: self.game.position().to_string(),
            ply: wire_ply(&self.game),
            turn: self.game.turn().into(),
            clocks: None,
        }
    }
}
