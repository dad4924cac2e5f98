//! The running game of a table.

use std::time::{Duration, Instant};

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    ErrorCode, GameRecord, GameState, LegalMove, Meant, Offer, PlayedMove, RecordedPlayer, Refusal,
    ServerMessage, Takeover, wire_ply,
};
use checkers_lib::{
    ByColor, Clocks, Color, DrawRules, Game, GameError, Move, Outcome, TimeControl,
};

use super::ending::Ending;
use super::event::{Moved, Remaining, Started, nanos};
use super::game_clock::GameClock;
use super::move_details::MoveDetails;
use super::offers::Offers;
use super::stream::game_id;
use super::{ClientId, CompactRecord, Effect, MoveRequest};

/// Initial capacity for moves; most games need no more.
const USUAL_PLIES: usize = 96;

#[derive(Debug)]
pub(super) struct RunningGame {
    table: String,
    number: u64,
    /// Boxed: moves do not need it.
    header: Box<GameHeader>,
    pub(super) game: Game,
    /// One for each move played.
    pub(super) move_details: Vec<MoveDetails>,
    pub(super) clock: GameClock,
    pub(super) offers: Offers,
    is_arranged: bool,
    /// The director who arranged it, while connected.
    director: Option<ClientId>,
}

/// What moves do not need.
#[derive(Debug)]
struct GameHeader {
    players: ByColor<RecordedPlayer>,
    /// Its moves are the first moves of the game.
    opening: Opening,
    controls: ByColor<Option<TimeControl>>,
    rated: bool,
    event: Option<String>,
    taken_over: Vec<Takeover>,
}

/// The consequences of a move.
pub(super) struct MoveOutcome {
    /// The event to store.
    pub(super) moved: Moved,
    /// The messages for offers that lapse with it.
    pub(super) lapsed: Vec<ServerMessage>,
}

/// The parameters of a new game.
pub(super) struct GameConfig<'a> {
    /// The id of the table.
    pub(super) table: &'a str,
    /// The number of the game there.
    pub(super) number: u64,
    pub(super) players: ByColor<RecordedPlayer>,
    pub(super) opening: &'a Opening,
    pub(super) rules: DrawRules,
    pub(super) controls: ByColor<Option<TimeControl>>,
    pub(super) lag_allowance: Duration,
    pub(super) rated: bool,
    pub(super) event: Option<&'a str>,
}

impl RunningGame {
    /// A game after the moves of its opening; the clock of the side to move starts now.
    ///
    /// # Errors
    /// The draw rules end the game before the last move of the opening.
    pub(super) fn new(config: GameConfig<'_>, now: Instant) -> Result<RunningGame, GameError> {
        let clocks = Clocks::new(config.controls);
        let mut game = Game::from_position(config.opening.start().clone(), config.rules);
        game.reserve(USUAL_PLIES);
        let header = GameHeader {
            players: config.players,
            opening: config.opening.clone(),
            controls: config.controls,
            rated: config.rated,
            event: config.event.map(str::to_owned),
            taken_over: Vec::new(),
        };
        let mut running = RunningGame {
            table: config.table.to_owned(),
            number: config.number,
            header: Box::new(header),
            game,
            move_details: Vec::with_capacity(USUAL_PLIES),
            clock: GameClock::new(clocks, config.lag_allowance, now),
            offers: Offers::default(),
            is_arranged: false,
            director: None,
        };
        for &m in config.opening.moves() {
            let routes = m.routes(running.game.position());
            let route = (routes.into_iter().next()).expect("an opening's moves are legal");
            running.push_move(m, MoveDetails::new(route))?;
        }
        Ok(running)
    }

    /// Marks the game as arranged by `director`.
    pub(super) fn arranged_by(self, director: ClientId) -> RunningGame {
        RunningGame {
            director: Some(director),
            is_arranged: true,
            ..self
        }
    }

    /// Marks the game as arranged by a director who is no longer connected.
    pub(super) fn arranged(self) -> RunningGame {
        RunningGame {
            is_arranged: true,
            ..self
        }
    }

    pub(super) fn take_director(&mut self) -> Option<ClientId> {
        self.director.take()
    }

    /// Handles that the director's connection was replaced.
    pub(super) fn replace_director(&mut self, earlier: ClientId, who: ClientId) {
        if self.director == Some(earlier) {
            self.director = Some(who);
        }
    }

    pub(super) fn set_director(&mut self, director: Option<ClientId>) {
        self.director = director;
    }

    /// The event of its start.
    pub(super) fn started(&self) -> Started {
        Started {
            opening: self.header.opening.to_string(),
            draw_rules: self.game.rules().to_string(),
            white_clock: self.control(Color::White),
            black_clock: self.control(Color::Black),
            arranged: self.is_arranged,
        }
    }

    fn control(&self, side: Color) -> Option<String> {
        self.header.controls[side].map(|control| control.to_string())
    }

    pub(super) fn table(&self) -> &str {
        &self.table
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether a director arranged it.
    pub(super) fn is_arranged(&self) -> bool {
        self.is_arranged
    }

    pub(super) fn opening(&self) -> &Opening {
        &self.header.opening
    }

    pub(super) fn players(&self) -> &ByColor<RecordedPlayer> {
        &self.header.players
    }

    pub(super) fn turn(&self) -> Color {
        self.game.turn()
    }

    /// The outcome on the board, if the game is over there.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// When the flag of the side to move falls.
    pub(super) fn flag_fall(&self) -> Option<Instant> {
        self.clock.flag_fall(self.turn())
    }

    /// The ending if the flag of the side to move falls.
    pub(super) fn timeout_ending(&self) -> Ending {
        Outcome::on_time(self.game.position()).into()
    }

    /// Plays a move for `seat` as event `seq`; `None` if its flag has fallen, which only the lag
    /// allowance had hidden.
    pub(super) fn play(
        &mut self,
        seat: Color,
        move_request: &MoveRequest,
        seq: u32,
        now: Instant,
    ) -> Result<Option<MoveOutcome>, Refusal> {
        self.check_due(seat, move_request)?;
        let (m, route) = self.game.position().parse_route(&move_request.text)?;
        let Ok(spent) = self.clock.spend(seat, move_request.lag, now) else {
            return Ok(None);
        };
        let elapsed_ms = whole_millis(spent.elapsed);
        let path = route.text();
        let details = MoveDetails::new(route)
            .with_report(elapsed_ms, move_request.search.clone())
            .with_ids(seq, move_request.id.as_deref());
        self.push_move(m, details)
            .map_err(|error| Refusal::new(ErrorCode::IllegalMove, error.to_string()))?;
        self.clock.press(seat, spent, now);
        let moved = Moved {
            path,
            elapsed_ms,
            lag_ns: nanos(spent.lag),
            clocks: Remaining::of(self.clock.clocks()),
            search: move_request.search.clone(),
            id: move_request.id.clone(),
        };
        let lapsed = self.offers.moved(seat);
        Ok(Some(MoveOutcome {
            moved,
            lapsed: self.lapsed(lapsed),
        }))
    }

    /// Replays a stored move, which was event `seq`; the clock of the next side starts now.
    pub(super) fn replay(&mut self, moved: &Moved, seq: u32, now: Instant) -> Result<(), Refusal> {
        let mover = self.turn();
        let (m, route) = self.game.position().parse_route(&moved.path)?;
        let details = MoveDetails::new(route)
            .with_report(moved.elapsed_ms, moved.search.clone())
            .with_ids(seq, moved.id.as_deref());
        self.push_move(m, details)
            .map_err(|error| Refusal::new(ErrorCode::IllegalMove, error.to_string()))?;
        self.offers.moved(mover);
        self.clock.replay(mover, Duration::from_nanos(moved.lag_ns));
        self.set_clocks(moved.clocks, now);
        Ok(())
    }

    /// Sets the remaining time; the clock of the side to move starts now.
    pub(super) fn set_clocks(&mut self, remaining: Remaining, now: Instant) {
        remaining.apply_to(self.clock.clocks_mut());
        self.clock.restart(now);
    }

    /// Notes that another server plays the game on since `at_ms`.
    pub(super) fn note_takeover(&mut self, at_ms: i64) {
        let ply = wire_ply(&self.game);
        self.header.taken_over.push(Takeover { ply, at_ms });
    }

    /// The messages for lapsed offers; none if the game is over, which ends all offers.
    pub(super) fn lapsed(&self, offers: Vec<(Offer, Color)>) -> Vec<ServerMessage> {
        let is_over = self.game.outcome().is_some();
        let offers = offers.into_iter().filter(|_| !is_over);
        let lapsed = |(offer, by): (Offer, Color)| ServerMessage::Lapsed {
            table: self.table.clone(),
            game: self.number,
            offer,
            by: by.into(),
        };
        offers.map(lapsed).collect()
    }

    /// Refuses a move, and notifies the director, who decides what an invalid move means.
    pub(super) fn refuse(
        &self,
        who: ClientId,
        seat: Color,
        move_request: &MoveRequest,
        refusal: Refusal,
    ) -> Result<Vec<Effect>, Refusal> {
        let Some(director) = self.director.filter(|_| refusal.code.is_about_the_move()) else {
            return Err(refusal);
        };
        let message = ServerMessage::MoveRefused {
            table: self.table.clone(),
            game: self.number,
            ply: wire_ply(&self.game),
            color: seat.into(),
            text: move_request.text.clone(),
            code: refusal.code,
            message: refusal.message.clone(),
        };
        Ok(vec![
            Effect::Send(who, refusal.about(&self.table)),
            Effect::Send(director, message),
        ])
    }

    /// Notifies the director of a player's protocol violation.
    pub(super) fn notify_of_violation(&self, seat: Color, message: String) -> Option<Effect> {
        let message = ServerMessage::Misbehaved {
            table: self.table.clone(),
            game: self.number,
            color: seat.into(),
            message,
        };
        Some(Effect::Send(self.director?, message))
    }

    /// Checks that a message is meant for this game.
    pub(super) fn check_meant(&self, meant: Meant) -> Result<(), Refusal> {
        let number = self.number;
        match meant.game {
            Some(game) if game != number => {
                let message = format!("the message is for game {game}, game {number} is running");
                Err(Refusal::new(ErrorCode::NoGame, message))
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Checks that `seat` is to move at this ply.
    fn check_due(&self, seat: Color, move_request: &MoveRequest) -> Result<(), Refusal> {
        let ply = wire_ply(&self.game);
        if self.turn() != seat {
            let message = format!("it is {}'s turn", self.turn());
            return Err(Refusal::new(ErrorCode::NotYourTurn, message));
        }
        if move_request.ply != ply {
            let message = format!(
                "the game is at ply {ply}, the move is for ply {}",
                move_request.ply
            );
            return Err(Refusal::new(ErrorCode::WrongPly, message));
        }
        Ok(())
    }

    /// Plays a legal move and stores its details.
    fn push_move(&mut self, m: Move, details: MoveDetails) -> Result<(), GameError> {
        self.game.play_unchecked(m)?;
        self.move_details.push(details);
        Ok(())
    }

    /// Truncates the game. Replays the moves that remain, because the draw counters depend on all
    /// of them.
    pub(super) fn rewind(&mut self, plies: usize) {
        let mut game = Game::from_position(self.game.start().clone(), self.game.rules());
        for &m in &self.game.moves()[..plies] {
            game.play(m).expect("the move was legal when it was played");
        }
        self.game = game;
        self.move_details.truncate(plies);
    }

    /// The current position.
    pub(super) fn fen(&self) -> String {
        self.game.position().fen()
    }

    /// The moves so far, in wire form.
    fn played(&self) -> Vec<PlayedMove> {
        let moves = (0..).zip(self.game.positions()).zip(self.game.moves());
        moves
            .zip(&self.move_details)
            .map(|(((ply, position), &m), details)| details.played(ply, position, m))
            .collect()
    }

    pub(super) fn legal_moves(&self) -> Vec<LegalMove> {
        LegalMove::all(self.game.position())
    }

    pub(super) fn last_move(&self) -> Option<ServerMessage> {
        let details = self.move_details.last()?;
        let ply = self.move_details.len() - 1;
        let (position, &m) = (self.game.positions().get(ply)?, self.game.moves().get(ply)?);
        let ply = u32::try_from(ply).unwrap_or(u32::MAX);
        Some(ServerMessage::Moved {
            table: self.table.clone(),
            game: self.number,
            seq: details.seq,
            played: details.played(ply, position, m),
            fen: self.fen(),
            turn: self.turn().into(),
            clocks: self.clock.wire(),
            id: details.id.as_deref().map(str::to_owned),
        })
    }

    /// The message that requests a move.
    pub(super) fn request(
        &self,
        legal_moves: Vec<LegalMove>,
        thinking_ms: Option<u64>,
    ) -> ServerMessage {
        ServerMessage::YourTurn {
            table: self.table.clone(),
            game: self.number,
            ply: wire_ply(&self.game),
            fen: self.fen(),
            legal_moves,
            clocks: self.clock.wire(),
            thinking_ms,
        }
    }

    /// How long the side to move has been thinking, in milliseconds, if a clock runs.
    pub(super) fn thinking_ms(&self, now: Instant) -> Option<u64> {
        self.clock.thinking(now).map(whole_millis)
    }

    /// The clock message; `None` without clocks.
    pub(super) fn clocks_message(&self, now: Instant) -> Option<ServerMessage> {
        Some(ServerMessage::Clocks {
            table: self.table.clone(),
            game: self.number,
            ply: wire_ply(&self.game),
            clocks: self.clock.wire()?,
            thinking_ms: self.thinking_ms(now),
        })
    }

    /// The state of the game after event `seq`, without the thinking time.
    pub(super) fn state(&self, seq: u32) -> GameState {
        GameState {
            table: self.table.clone(),
            id: game_id(&self.table, self.number),
            game: self.number,
            seq,
            white: self.header.players.white.name.clone(),
            black: self.header.players.black.name.clone(),
            start_fen: self.game.start().to_string(),
            moves: self.played(),
            opening_plies: self.opening_plies(),
            fen: self.fen(),
            ply: wire_ply(&self.game),
            turn: self.turn().into(),
            clocks: self.clock.wire(),
            thinking_ms: None,
            offers: self.offers.wire(),
            result: None,
            reason: None,
            article: None,
            left: None,
        }
    }

    fn opening_plies(&self) -> u32 {
        u32::try_from(self.header.opening.moves().len()).unwrap_or(u32::MAX)
    }

    /// The message for its end, which is event `seq`.
    pub(super) fn game_over_message(&self, ending: &Ending, seq: u32) -> ServerMessage {
        ServerMessage::GameOver {
            table: self.table.clone(),
            game: self.number,
            seq,
            id: game_id(&self.table, self.number),
            result: ending.result,
            reason: ending.reason,
            article: ending.article.map(str::to_owned),
            left: ending.left.map(Into::into),
            ply: wire_ply(&self.game),
            fen: self.fen(),
        }
    }

    /// The record for the archive, without the times of start and end.
    pub(super) fn compact_record(&self, ending: &Ending) -> CompactRecord {
        let mut record = CompactRecord::new(self.record(ending), self.move_details.len());
        for (details, &m) in self.move_details.iter().zip(self.game.moves()) {
            details.append_to(&mut record, m);
        }
        record
    }

    /// The record without moves and times.
    fn record(&self, ending: &Ending) -> GameRecord {
        GameRecord {
            id: game_id(&self.table, self.number),
            table: self.table.clone(),
            number: self.number,
            white: self.header.players.white.clone(),
            black: self.header.players.black.clone(),
            start_fen: self.game.start().to_string(),
            opening_plies: self.opening_plies(),
            moves: Vec::new(),
            fen: self.fen(),
            white_clock: self.control(Color::White),
            black_clock: self.control(Color::Black),
            draw_rules: self.game.rules().to_string(),
            rated: self.header.rated,
            event: self.header.event.clone(),
            result: ending.result,
            reason: ending.reason,
            article: ending.article.map(str::to_owned),
            left: ending.left.map(Into::into),
            started_ms: 0,
            ended_ms: 0,
            taken_over: self.header.taken_over.clone(),
        }
    }
}

/// Whole milliseconds, rounded down.
pub(crate) fn whole_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
