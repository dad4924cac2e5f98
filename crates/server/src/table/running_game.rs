//! The game that two visitors of a table play.

use std::time::{Duration, Instant};

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{
    ErrorCode, GameState, LegalMove, Meant, Offer, PlayedMove, Refusal, ServerMessage, wire_ply,
};
use checkers_lib::{ByColor, Clocks, Color, DrawRules, Game, GameError, Move, Outcome};

use super::ending::Ending;
use super::game_clock::GameClock;
use super::offers::Offers;
use super::{Attempt, ClientId, Effect};

#[derive(Debug)]
pub(super) struct RunningGame {
    number: u64,
    players: ByColor<String>,
    pub(super) game: Game,
    /// What it began from; its moves are the first ones played.
    opening: Opening,
    pub(super) played: Vec<PlayedMove>,
    pub(super) clock: GameClock,
    pub(super) offers: Offers,
    /// Who arranged it, if anybody did.
    director: Option<ClientId>,
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
            opening: opening.clone(),
            played: Vec::new(),
            clock: GameClock::new(clocks, now),
            offers: Offers::default(),
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

    /// Whether a director has arranged it.
    pub(super) fn is_arranged(&self) -> bool {
        self.director.is_some()
    }

    pub(super) fn opening(&self) -> &Opening {
        &self.opening
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

    /// Plays a move for `seat`, whose flag has not fallen, and returns the news of it and of the
    /// offers that lapse with it.
    pub(super) fn play(
        &mut self,
        seat: Color,
        attempt: &Attempt,
        now: Instant,
    ) -> Result<Vec<ServerMessage>, Refusal> {
        self.check_due(seat, attempt)?;
        let (m, route) = self.game.position().parse_route(&attempt.text)?;
        let elapsed = self.clock.elapsed(now);
        let played = PlayedMove {
            search: attempt.search,
            ..PlayedMove::new(&self.game, m, &route, whole_millis(elapsed))
        };
        self.carry_out(m, &played)
            .map_err(|error| Refusal::new(ErrorCode::IllegalMove, error.to_string()))?;
        self.clock.press(seat, now);
        let mut news = vec![ServerMessage::Moved {
            game: self.number,
            played,
            fen: self.game.position().to_string(),
            turn: self.turn().into(),
            clocks: self.clock.wire(),
        }];
        let lapsed = self.offers.moved(seat);
        news.extend(self.lapsed(lapsed));
        Ok(news)
    }

    /// The news of offers that have lapsed. The end of the game says it for all of them.
    pub(super) fn lapsed(&self, offers: Vec<(Offer, Color)>) -> Vec<ServerMessage> {
        let is_over = self.game.outcome().is_some();
        let still_told = offers.into_iter().filter(|_| !is_over);
        let lapsed = |(offer, by): (Offer, Color)| ServerMessage::Lapsed {
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
    fn check_due(&self, seat: Color, attempt: &Attempt) -> Result<(), Refusal> {
        let ply = wire_ply(&self.game);
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
            clocks: self.clock.wire(),
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
            clocks: self.clock.wire(),
            offers: self.offers.wire(),
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
