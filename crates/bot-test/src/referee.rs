//! The referee's view of a match: what the server said, turned into game records and deadlines.
//!
//! The server is the trusted source of who played what; a bot's own word counts for its times
//! alone. The referee has no clock and no socket: the time is an argument.

use std::time::Instant;

use checkers_lib::protocol::{
    EndReason, GameResult, GameState, PROTOCOL_VERSION, PlayedMove, Player, Role, ServerMessage,
    WireColor,
};
use checkers_lib::{DrawRules, Game, Position};

use crate::failure::milliseconds;
use crate::open_game::OpenGame;
use crate::{BotId, Clock, Failure, Fault, GameRecord, MoveRecord, Seats, ServerFault, Timeouts};

/// Something happened at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A game began.
    Started,
    /// A move was played.
    Moved,
    /// A game is over; its record is the last of [`Referee::games`].
    Over,
}

/// A match as it is seen from the table.
#[derive(Debug)]
pub struct Referee {
    wanted: u64,
    rules: DrawRules,
    timeouts: Timeouts,
    players: Vec<Player>,
    has_been_here: [bool; 2],
    phase: Phase,
    games: Vec<GameRecord>,
    last_fen: String,
}

#[derive(Debug)]
enum Phase {
    /// No game runs since then.
    Gathering(Instant),
    Playing(OpenGame),
    /// A player left this game, which ends the match.
    Broken(u64),
    Finished,
}

impl Referee {
    /// A referee for `wanted` games, which begins to wait for the bots now.
    pub fn new(wanted: u64, rules: DrawRules, timeouts: Timeouts, now: Instant) -> Referee {
        Referee {
            wanted,
            rules,
            timeouts,
            players: Vec::new(),
            has_been_here: [false; 2],
            phase: Phase::Gathering(now),
            games: Vec::new(),
            last_fen: Position::start().to_string(),
        }
    }

    /// Takes in what the server said.
    ///
    /// # Errors
    /// A message that contradicts the rules of the game or the course of the match.
    pub fn handle(
        &mut self,
        message: &ServerMessage,
        now: Instant,
    ) -> Result<Option<Event>, ServerFault> {
        match message {
            ServerMessage::Joined {
                protocol,
                draw_rules,
                ..
            } => self.check_server(*protocol, draw_rules).map(|()| None),
            ServerMessage::Players { players } => {
                self.see_players(players);
                Ok(None)
            }
            // The bots may begin another game before they are told that the match is over.
            _ if matches!(self.phase, Phase::Broken(_) | Phase::Finished) => Ok(None),
            ServerMessage::GameStarted(state) | ServerMessage::GameState(state) => {
                self.begin(state, now)
            }
            ServerMessage::Moved { game, played, .. } => {
                self.play(*game, played, Clock::Server, now)
            }
            ServerMessage::GameOver {
                result,
                reason,
                article,
                ..
            } => self.end(*result, *reason, article.clone(), now),
            ServerMessage::YourTurn { .. } => Err(nonsense("the referee is asked to move")),
            ServerMessage::Error { message, .. } => Err(nonsense(message.clone())),
        }
    }

    fn check_server(&self, protocol: u32, draw_rules: &str) -> Result<(), ServerFault> {
        if protocol != PROTOCOL_VERSION {
            return Err(nonsense(format!("its protocol has version {protocol}")));
        }
        if draw_rules != self.rules.to_string() {
            return Err(nonsense(format!("its draw rules are {draw_rules}")));
        }
        Ok(())
    }

    fn see_players(&mut self, players: &[Player]) {
        self.players = players.to_vec();
        for bot in BotId::BOTH {
            self.has_been_here[bot.0] |= self.role(bot).is_some();
        }
    }

    fn role(&self, bot: BotId) -> Option<Role> {
        let name = bot.name();
        (self.players.iter().find(|player| player.name == name)).map(|player| player.role)
    }

    fn begin(&mut self, state: &GameState, now: Instant) -> Result<Option<Event>, ServerFault> {
        if let Phase::Playing(open) = &self.phase {
            let (other, running) = (state.game, open.number());
            return Err(nonsense(format!(
                "game {other} begins while {running} runs"
            )));
        }
        let position: Position = (state.start_fen.parse())
            .map_err(|error| nonsense(format!("game {} begins with {error}", state.game)))?;
        let seats = Seats {
            white: bot_named(&state.white)?,
            black: bot_named(&state.black)?,
        };
        let game = Game::from_position(position, self.rules);
        self.phase = Phase::Playing(OpenGame::new(state.game, seats, game, now));
        for played in &state.moves {
            self.play(state.game, played, Clock::Opening, now)?;
        }
        Ok(Some(Event::Started))
    }

    fn play(
        &mut self,
        number: u64,
        played: &PlayedMove,
        clock: Clock,
        now: Instant,
    ) -> Result<Option<Event>, ServerFault> {
        let open = match &mut self.phase {
            Phase::Playing(open) if open.number() == number => open,
            Phase::Playing(_) | Phase::Gathering(_) | Phase::Broken(_) | Phase::Finished => {
                return Err(nonsense(format!(
                    "a move in game {number}, which does not run"
                )));
            }
        };
        follow(open, played, clock, now)
            .map_err(|error| nonsense(format!("{} in game {number}: {error}", played.text)))?;
        self.last_fen = open.game().position().to_string();
        Ok(Some(Event::Moved))
    }

    fn end(
        &mut self,
        result: GameResult,
        reason: EndReason,
        article: Option<String>,
        now: Instant,
    ) -> Result<Option<Event>, ServerFault> {
        let Phase::Playing(open) = std::mem::replace(&mut self.phase, Phase::Gathering(now)) else {
            return Err(nonsense("the end of a game that does not run"));
        };
        check_result(&open, result)?;
        let number = open.number();
        self.games.push(open.close(result, reason, article));
        if result == GameResult::Interrupted {
            self.phase = Phase::Broken(number);
        } else if self.games.len() as u64 >= self.wanted {
            self.phase = Phase::Finished;
        }
        Ok(Some(Event::Over))
    }

    /// When to call [`Referee::handle_timeout`] next; `None` once the match is over.
    pub fn poll_timeout(&self) -> Option<Instant> {
        match &self.phase {
            Phase::Gathering(since) => Some(*since + self.timeouts.connect),
            Phase::Playing(open) => Some(open.deadline(self.timeouts)),
            Phase::Broken(_) | Phase::Finished => None,
        }
    }

    /// Who or what took too long, if a deadline has passed.
    pub fn handle_timeout(&self, now: Instant) -> Option<Failure> {
        if self.poll_timeout().is_none_or(|deadline| now < deadline) {
            return None;
        }
        match &self.phase {
            Phase::Gathering(_) => Some(self.nobody_plays()),
            Phase::Playing(open) => Some(open.takes_too_long(self.timeouts, now)),
            Phase::Broken(_) | Phase::Finished => None,
        }
    }

    fn nobody_plays(&self) -> Failure {
        let waited_ms = milliseconds(self.timeouts.connect);
        let fault_of = |bot: BotId| match self.role(bot) {
            None if self.has_been_here[bot.0] => Some(Fault::Disconnected { waited_ms }),
            None => Some(Fault::NeverConnected { waited_ms }),
            Some(Role::Spectator) => Some(Fault::NeverSeated { waited_ms }),
            Some(Role::White | Role::Black) => None,
        };
        let faulty = BotId::BOTH
            .into_iter()
            .find_map(|bot| Some((bot, fault_of(bot)?)));
        match faulty {
            Some((bot, fault)) => Failure::Bot {
                bot,
                game: None,
                fault,
                stderr: Vec::new(),
            },
            None => Failure::Server {
                fault: ServerFault::NoGame { waited_ms },
                stderr: Vec::new(),
            },
        }
    }

    /// How many games are to be played.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }

    /// Whether every game has been played.
    pub fn is_finished(&self) -> bool {
        matches!(self.phase, Phase::Finished)
    }

    /// The number of the game that a player left, if one did.
    pub fn broken_game(&self) -> Option<u64> {
        match &self.phase {
            Phase::Broken(number) => Some(*number),
            Phase::Gathering(_) | Phase::Playing(_) | Phase::Finished => None,
        }
    }

    /// The number of the game that runs or was left.
    pub fn unfinished_game(&self) -> Option<u64> {
        match &self.phase {
            Phase::Playing(open) => Some(open.number()),
            Phase::Broken(number) => Some(*number),
            Phase::Gathering(_) | Phase::Finished => None,
        }
    }

    /// Whether a bot is on the server.
    pub fn sees(&self, bot: BotId) -> bool {
        self.role(bot).is_some()
    }

    /// The last position that was on the board.
    pub fn last_fen(&self) -> &str {
        &self.last_fen
    }

    /// The games that are over.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Breaks the running game off, if one runs, and hands over every game.
    pub fn into_games(mut self) -> Vec<GameRecord> {
        if let Phase::Playing(open) = self.phase {
            self.games.push(open.break_off());
        }
        self.games
    }
}

/// Plays in our game what the server says was played in its own.
fn follow(
    open: &mut OpenGame,
    played: &PlayedMove,
    clock: Clock,
    now: Instant,
) -> Result<(), String> {
    let game = open.game();
    if usize::try_from(played.ply) != Ok(game.ply()) {
        return Err(format!("it is ply {}", game.ply()));
    }
    let m = (game.position().parse_move(&played.text)).map_err(|error| error.to_string())?;
    let record = MoveRecord {
        color: WireColor::from(game.turn()),
        text: played.text.clone(),
        time_us: played.elapsed_ms.saturating_mul(1000),
        clock,
        search: None,
    };
    open.play(m, record, now).map_err(|error| error.to_string())
}

/// The board ends a game as it must; what else ends one is the server's to say.
fn check_result(open: &OpenGame, told: GameResult) -> Result<(), ServerFault> {
    match open.game().outcome() {
        Some(outcome) if GameResult::from(outcome) != told => Err(nonsense(format!(
            "game {} ended as {told:?}, the board says {outcome}",
            open.number()
        ))),
        Some(_) | None => Ok(()),
    }
}

fn bot_named(name: &str) -> Result<BotId, ServerFault> {
    (BotId::BOTH.into_iter().find(|bot| bot.name() == name))
        .ok_or_else(|| nonsense(format!("a stranger called {name} plays")))
}

fn nonsense(message: impl Into<String>) -> ServerFault {
    ServerFault::Nonsense {
        message: message.into(),
    }
}
