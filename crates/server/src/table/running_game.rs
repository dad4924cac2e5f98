//! The game that two players of a table play.

use std::time::{Duration, Instant};

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    ErrorCode, GameRecord, GameState, LegalMove, Meant, Offer, PlayedMove, RecordedPlayer, Refusal,
    ServerMessage, wire_ply,
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

/// Plies for which a game has room from its beginning on; most need no more.
const USUAL_PLIES: usize = 96;

#[derive(Debug)]
pub(super) struct RunningGame {
    table: String,
    number: u64,
    /// In a box: no move needs it.
    beginning: Box<Beginning>,
    pub(super) game: Game,
    /// One for each move played.
    pub(super) made: Vec<MoveDetails>,
    pub(super) clock: GameClock,
    pub(super) offers: Offers,
    is_arranged: bool,
    /// Who arranged it, if anybody did who is still here.
    director: Option<ClientId>,
}

/// How a game began.
#[derive(Debug)]
struct Beginning {
    players: ByColor<RecordedPlayer>,
    /// Its moves are the first ones played.
    opening: Opening,
    controls: ByColor<Option<TimeControl>>,
}

/// What follows from a move.
pub(super) struct Played {
    /// What is to be remembered of it.
    pub(super) moved: Moved,
    /// The news of the offers that lapse with it.
    pub(super) lapsed: Vec<ServerMessage>,
}

/// What a game is to be like.
pub(super) struct Plan<'a> {
    /// The id of the table.
    pub(super) table: &'a str,
    /// Its number there.
    pub(super) number: u64,
    pub(super) players: ByColor<RecordedPlayer>,
    pub(super) opening: &'a Opening,
    pub(super) rules: DrawRules,
    pub(super) controls: ByColor<Option<TimeControl>>,
    pub(super) lag_allowance: Duration,
}

impl RunningGame {
    /// A game in which the opening has been played; the side to move is asked now.
    ///
    /// # Errors
    /// The rules end the game before the opening's last move.
    pub(super) fn new(plan: Plan<'_>, now: Instant) -> Result<RunningGame, GameError> {
        let clocks = Clocks::new(plan.controls);
        let mut game = Game::from_position(plan.opening.start().clone(), plan.rules);
        game.reserve(USUAL_PLIES);
        let beginning = Beginning {
            players: plan.players,
            opening: plan.opening.clone(),
            controls: plan.controls,
        };
        let mut running = RunningGame {
            table: plan.table.to_owned(),
            number: plan.number,
            beginning: Box::new(beginning),
            game,
            made: Vec::with_capacity(USUAL_PLIES),
            clock: GameClock::new(clocks, plan.lag_allowance, now),
            offers: Offers::default(),
            is_arranged: false,
            director: None,
        };
        for &m in plan.opening.moves() {
            let routes = m.routes(running.game.position());
            let route = (routes.into_iter().next()).expect("an opening's moves are legal");
            running.carry_out(m, MoveDetails::new(route))?;
        }
        Ok(running)
    }

    /// The same game, arranged by `director`.
    pub(super) fn arranged_by(self, director: ClientId) -> RunningGame {
        RunningGame {
            director: Some(director),
            is_arranged: true,
            ..self
        }
    }

    /// The same game, arranged by somebody who is not here any more.
    pub(super) fn arranged_earlier(self) -> RunningGame {
        RunningGame {
            is_arranged: true,
            ..self
        }
    }

    /// Takes in that connections are other ones now.
    pub(super) fn forget_director(&mut self) -> Option<ClientId> {
        self.director.take()
    }

    /// Takes in that another connection has come in the place of one.
    pub(super) fn replace_director(&mut self, earlier: ClientId, who: ClientId) {
        if self.director == Some(earlier) {
            self.director = Some(who);
        }
    }

    /// Takes in who has arranged it.
    pub(super) fn remember_director(&mut self, director: Option<ClientId>) {
        self.director = director;
    }

    /// What is remembered of its beginning.
    pub(super) fn started(&self) -> Started {
        Started {
            opening: self.beginning.opening.to_string(),
            draw_rules: self.game.rules().to_string(),
            white_clock: self.control(Color::White),
            black_clock: self.control(Color::Black),
            arranged: self.is_arranged,
        }
    }

    fn control(&self, side: Color) -> Option<String> {
        self.beginning.controls[side].map(|control| control.to_string())
    }

    pub(super) fn table(&self) -> &str {
        &self.table
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Whether a director has arranged it.
    pub(super) fn is_arranged(&self) -> bool {
        self.is_arranged
    }

    pub(super) fn opening(&self) -> &Opening {
        &self.beginning.opening
    }

    pub(super) fn players(&self) -> &ByColor<RecordedPlayer> {
        &self.beginning.players
    }

    pub(super) fn turn(&self) -> Color {
        self.game.turn()
    }

    /// How it has ended on the board, if it has.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// The first moment at which the side to move has taken longer than it had.
    pub(super) fn flag_falls(&self) -> Option<Instant> {
        self.clock.flag_falls(self.turn())
    }

    /// The end by the flag of the side to move.
    pub(super) fn over_on_time(&self) -> Ending {
        Outcome::on_time(self.game.position()).into()
    }

    /// Plays a move for `seat`, which is event number `seq`; `None` if the time of `seat` was over
    /// before, and only the network's was not.
    pub(super) fn play(
        &mut self,
        seat: Color,
        move_request: &MoveRequest,
        seq: u32,
        now: Instant,
    ) -> Result<Option<Played>, Refusal> {
        self.check_due(seat, move_request)?;
        let (m, route) = self.game.position().parse_route(&move_request.text)?;
        let Ok(spent) = self.clock.spend(seat, move_request.lag, now) else {
            return Ok(None);
        };
        let elapsed_ms = whole_millis(spent.elapsed);
        let path = route.text();
        let made = MoveDetails::new(route)
            .taking(elapsed_ms, move_request.search.clone())
            .known_by(seq, move_request.id.as_deref());
        self.carry_out(m, made)
            .map_err(|error| Refusal::new(ErrorCode::IllegalMove, error.to_string()))?;
        self.clock.press(seat, spent, now);
        let moved = Moved {
            path,
            elapsed_ms,
            lag_ns: nanos(spent.lag),
            clocks: Remaining::on(self.clock.clocks()),
            search: move_request.search.clone(),
            id: move_request.id.clone(),
        };
        let lapsed = self.offers.moved(seat);
        Ok(Some(Played {
            moved,
            lapsed: self.lapsed(lapsed),
        }))
    }

    /// Plays a move of the past again, which was event number `seq`; the next side is asked now.
    pub(super) fn replay(&mut self, moved: &Moved, seq: u32, now: Instant) -> Result<(), Refusal> {
        let mover = self.turn();
        let (m, route) = self.game.position().parse_route(&moved.path)?;
        let made = MoveDetails::new(route)
            .taking(moved.elapsed_ms, moved.search.clone())
            .known_by(seq, moved.id.as_deref());
        self.carry_out(m, made)
            .map_err(|error| Refusal::new(ErrorCode::IllegalMove, error.to_string()))?;
        self.offers.moved(mover);
        self.clock.replay(mover, Duration::from_nanos(moved.lag_ns));
        self.set_clocks(moved.clocks, now);
        Ok(())
    }

    /// Sets the clocks to what remained; that of the side to move runs from now on.
    pub(super) fn set_clocks(&mut self, remaining: Remaining, now: Instant) {
        remaining.put_on(self.clock.clocks_mut());
        self.clock.ask(now);
    }

    /// The news of offers that have lapsed. The end of the game says it for all of them.
    pub(super) fn lapsed(&self, offers: Vec<(Offer, Color)>) -> Vec<ServerMessage> {
        let is_over = self.game.outcome().is_some();
        let still_told = offers.into_iter().filter(|_| !is_over);
        let lapsed = |(offer, by): (Offer, Color)| ServerMessage::Lapsed {
            table: self.table.clone(),
            game: self.number,
            offer,
            by: by.into(),
        };
        still_told.map(lapsed).collect()
    }

    /// Refuses a move. The director of the game is told of one that cannot be played: it is for
    /// them to say what that means.
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
        let news = ServerMessage::MoveRefused {
            table: self.table.clone(),
            game: self.number,
            ply: wire_ply(&self.game),
            color: seat.into(),
            text: move_request.text.clone(),
            code: refusal.code,
            message: refusal.message.clone(),
        };
        Ok(vec![
            Effect::Tell(who, refusal.into()),
            Effect::Tell(director, news),
        ])
    }

    /// What the director of the game is told of a player's misbehaviour.
    pub(super) fn misbehaved(&self, seat: Color, message: String) -> Option<Effect> {
        let news = ServerMessage::Misbehaved {
            table: self.table.clone(),
            game: self.number,
            color: seat.into(),
            message,
        };
        Some(Effect::Tell(self.director?, news))
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

    /// Checks that a move of `seat` is due now.
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

    /// Plays a legal move and keeps how it was made.
    fn carry_out(&mut self, m: Move, made: MoveDetails) -> Result<(), GameError> {
        self.game.play_unchecked(m)?;
        self.made.push(made);
        Ok(())
    }

    /// Leaves only the first moves, which are played anew: what the draw rules count depends on
    /// all of them.
    pub(super) fn rewind(&mut self, plies: usize) {
        let mut game = Game::from_position(self.game.start().clone(), self.game.rules());
        for &m in &self.game.moves()[..plies] {
            game.play(m).expect("it has been played in this game");
        }
        self.game = game;
        self.made.truncate(plies);
    }

    /// The present position as text.
    pub(super) fn fen(&self) -> String {
        self.game.position().fen()
    }

    /// The moves so far as the wire tells them.
    fn played(&self) -> Vec<PlayedMove> {
        let moves = (0..).zip(self.game.positions()).zip(self.game.moves());
        moves
            .zip(&self.made)
            .map(|(((ply, position), &m), made)| made.played(ply, position, m))
            .collect()
    }

    /// Every legal move for the wire.
    pub(super) fn legal_moves(&self) -> Vec<LegalMove> {
        LegalMove::all(self.game.position())
    }

    /// The last move, if one has been played.
    pub(super) fn last_move(&self) -> Option<ServerMessage> {
        let made = self.made.last()?;
        let ply = self.made.len() - 1;
        let (position, &m) = (self.game.positions().get(ply)?, self.game.moves().get(ply)?);
        let ply = u32::try_from(ply).unwrap_or(u32::MAX);
        Some(ServerMessage::Moved {
            table: self.table.clone(),
            game: self.number,
            seq: made.seq,
            played: made.played(ply, position, m),
            fen: self.fen(),
            turn: self.turn().into(),
            clocks: self.clock.wire(),
            id: made.id.as_deref().map(str::to_owned),
        })
    }

    /// The request for the next move.
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

    /// The clocks, if there are any.
    pub(super) fn clocks_news(&self, now: Instant) -> Option<ServerMessage> {
        Some(ServerMessage::Clocks {
            table: self.table.clone(),
            game: self.number,
            ply: wire_ply(&self.game),
            clocks: self.clock.wire()?,
            thinking_ms: self.thinking_ms(now),
        })
    }

    /// The game so far, of which `seq` is the last event, its side to move just asked.
    pub(super) fn state(&self, seq: u32) -> GameState {
        GameState {
            table: self.table.clone(),
            id: game_id(&self.table, self.number),
            game: self.number,
            seq,
            white: self.beginning.players.white.name.clone(),
            black: self.beginning.players.black.name.clone(),
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
        u32::try_from(self.beginning.opening.moves().len()).unwrap_or(u32::MAX)
    }

    /// The news of its end, which is event number `seq`.
    pub(super) fn over(&self, ending: &Ending, seq: u32) -> ServerMessage {
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

    /// What the archive keeps of it if it ends like this, but for when it began and ended.
    pub(super) fn kept(&self, ending: &Ending) -> CompactRecord {
        let mut kept = CompactRecord::new(self.record(ending), self.made.len());
        for (made, &m) in self.made.iter().zip(self.game.moves()) {
            made.keep(m, &mut kept);
        }
        kept
    }

    /// Its record without the moves, and without when it began and ended.
    fn record(&self, ending: &Ending) -> GameRecord {
        GameRecord {
            id: game_id(&self.table, self.number),
            table: self.table.clone(),
            number: self.number,
            white: self.beginning.players.white.clone(),
            black: self.beginning.players.black.clone(),
            start_fen: self.game.start().to_string(),
            opening_plies: self.opening_plies(),
            moves: Vec::new(),
            fen: self.fen(),
            white_clock: self.control(Color::White),
            black_clock: self.control(Color::Black),
            draw_rules: self.game.rules().to_string(),
            result: ending.result,
            reason: ending.reason,
            article: ending.article.map(str::to_owned),
            left: ending.left.map(Into::into),
            started_ms: 0,
            ended_ms: 0,
        }
    }
}

/// Whole milliseconds, rounded down.
pub(crate) fn whole_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
