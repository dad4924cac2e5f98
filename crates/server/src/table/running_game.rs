//! The game that two visitors of a table play.

use std::time::{Duration, Instant};

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, LegalMove, PlayedMove, Refusal, ServerMessage,
    WireClocks, wire_ply,
};
use checkers_lib::{ByColor, Clocks, Color, DrawRules, Game, GameError, Move, Outcome};

use super::{Attempt, ClientId, Effect};

/// The shortest time there is.
const MOMENT: Duration = Duration::from_nanos(1);

#[derive(Debug)]
pub(super) struct RunningGame {
    number: u64,
    players: ByColor<String>,
    game: Game,
    played: Vec<PlayedMove>,
    /// As they stood when the side to move was asked.
    clocks: Clocks,
    /// When the side to move was asked.
    asked: Instant,
    /// Who arranged it, if anybody did.
    director: Option<ClientId>,
}

/// How a game ends.
pub(super) struct Ending {
    result: GameResult,
    reason: EndReason,
    article: Option<&'static str>,
    left: Option<Color>,
}

impl Ending {
    /// An end that the board does not know of.
    pub(super) fn new(result: GameResult, reason: EndReason) -> Ending {
        Ending {
            result,
            reason,
            article: None,
            left: None,
        }
    }

    /// The end of a game that a side has left.
    pub(super) fn left_by(side: Color) -> Ending {
        Ending {
            left: Some(side),
            ..Ending::new(GameResult::Interrupted, EndReason::PlayerLeft)
        }
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Ending {
        Ending {
            article: outcome.article(),
            ..Ending::new(outcome.into(), outcome.into())
        }
    }
}

impl RunningGame {
    /// A game in which the opening has been played; the side to move is asked now.
    ///
    /// # Errors
    /// The rules end the game before the opening's last move.
    pub(super) fn new(
        number: u64,
        players: ByColor<String>,
        opening: &Opening,
        rules: DrawRules,
        clocks: Clocks,
        now: Instant,
    ) -> Result<RunningGame, GameError> {
        let mut running = RunningGame {
            number,
            players,
            game: Game::from_position(opening.start().clone(), rules),
            played: Vec::new(),
            clocks,
            asked: now,
            director: None,
        };
        for &m in opening.moves() {
            let routes = m.routes(running.game.position());
            let route = routes.first().expect("an opening's moves are legal");
            let played = PlayedMove::new(&running.game, m, route, 0);
            running.carry_out(m, &played)?;
        }
        Ok(running)
    }

    /// The same game, arranged by `director`.
    pub(super) fn arranged_by(self, director: ClientId) -> RunningGame {
        RunningGame {
            director: Some(director),
            ..self
        }
    }

    pub(super) fn number(&self) -> u64 {
        self.number
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
        let clock = self.clocks.side(self.turn())?;
        self.asked
            .checked_add(clock.available().saturating_add(MOMENT))
    }

    /// The end by the flag of the side to move.
    pub(super) fn over_on_time(&self) -> Ending {
        Outcome::on_time(self.game.position()).into()
    }

    /// Plays a move for `seat`, whose flag has not fallen, and returns the news of it.
    pub(super) fn play(
        &mut self,
        seat: Color,
        attempt: &Attempt,
        now: Instant,
    ) -> Result<ServerMessage, Refusal> {
        self.check_meant(seat, attempt)?;
        let (m, route) = self.game.position().parse_route(&attempt.text)?;
        let elapsed = now.saturating_duration_since(self.asked);
        let played = PlayedMove {
            search: attempt.search,
            ..PlayedMove::new(&self.game, m, &route, whole_millis(elapsed))
        };
        self.carry_out(m, &played)
            .map_err(|error| Refusal::new(ErrorCode::IllegalMove, error.to_string()))?;
        (self.clocks.spend(seat, elapsed)).expect("no flag falls later than `flag_falls`");
        self.asked = now;
        Ok(ServerMessage::Moved {
            game: self.number,
            played,
            fen: self.game.position().to_string(),
            turn: self.turn().into(),
            clocks: WireClocks::new(&self.clocks),
        })
    }

    /// Refuses a move. The director of the game is told of one that cannot be played: it is for
    /// them to say what that means.
    pub(super) fn refuse(
        &self,
        who: ClientId,
        seat: Color,
        attempt: &Attempt,
        refusal: Refusal,
    ) -> Result<Vec<Effect>, Refusal> {
        let Some(director) = self.director.filter(|_| refusal.code.is_about_the_move()) else {
            return Err(refusal);
        };
        let news = ServerMessage::MoveRefused {
            game: self.number,
            ply: wire_ply(&self.game),
            color: seat.into(),
            text: attempt.text.clone(),
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
            game: self.number,
            color: seat.into(),
            message,
        };
        Some(Effect::Tell(self.director?, news))
    }

    /// Checks that a move of `seat` is meant for this moment.
    fn check_meant(&self, seat: Color, attempt: &Attempt) -> Result<(), Refusal> {
        let (number, ply) = (self.number, wire_ply(&self.game));
        if let Some(meant) = attempt.game
            && meant != number
        {
            let message = format!("the move is for game {meant}, game {number} is running");
            return Err(Refusal::new(ErrorCode::NoGame, message));
        }
        if self.turn() != seat {
            let message = format!("it is {}'s turn", self.turn());
            return Err(Refusal::new(ErrorCode::NotYourTurn, message));
        }
        if attempt.ply != ply {
            let message = format!(
                "the game is at ply {ply}, the move is for ply {}",
                attempt.ply
            );
            return Err(Refusal::new(ErrorCode::WrongPly, message));
        }
        Ok(())
    }

    /// Plays a move and keeps it as the wire tells it.
    fn carry_out(&mut self, m: Move, played: &PlayedMove) -> Result<(), GameError> {
        self.game.play(m)?;
        self.played.push(played.clone());
        Ok(())
    }

    /// Asks the side to move for its move.
    pub(super) fn request(&self) -> ServerMessage {
        ServerMessage::YourTurn {
            game: self.number,
            ply: wire_ply(&self.game),
            fen: self.game.position().to_string(),
            legal_moves: LegalMove::all(self.game.position()),
            clocks: WireClocks::new(&self.clocks),
        }
    }

    pub(super) fn state(&self) -> GameState {
        GameState {
            game: self.number,
            white: self.players.white.clone(),
            black: self.players.black.clone(),
            start_fen: self.game.start().to_string(),
            moves: self.played.clone(),
            fen: self.game.position().to_string(),
            ply: wire_ply(&self.game),
            turn: self.turn().into(),
            clocks: WireClocks::new(&self.clocks),
        }
    }

    /// The news of its end.
    pub(super) fn over(&self, ending: &Ending) -> ServerMessage {
        ServerMessage::GameOver {
            game: self.number,
            result: ending.result,
            reason: ending.reason,
            article: ending.article.map(str::to_owned),
            left: ending.left.map(Into::into),
            ply: wire_ply(&self.game),
            fen: self.game.position().to_string(),
        }
    }
}

fn whole_millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
