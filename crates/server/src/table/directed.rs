//! A directed table: who knows the token arranges its games and may end them.

use std::fmt::Display;
use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{ErrorCode, RecordedPlayer, Refusal};
use checkers_lib::{ByColor, Position, TimeControl, TimeControlError};

use crate::director::DirectorToken;

use super::ending::Ending;
use super::running_game::{Plan, RunningGame};
use super::settings::is_to_be_played;
use super::{ClientId, DirectorRuling, Effect, GameSetup, Table};

impl Table {
    /// Seats the players of an arranged game and starts it.
    pub(super) fn arrange(
        &mut self,
        who: ClientId,
        token: &DirectorToken,
        arrangement: &GameSetup,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        self.admit_director(who, token)?;
        if let Some(running) = &self.running {
            let message = format!("game {} is running", running.number());
            return Err(Refusal::new(ErrorCode::GameRunning, message));
        }
        let players = self.find_players(arrangement)?;
        let game = self.set_up(arrangement, now)?.arranged_by(who);
        let mut effects = vec![self.open_stream(game.number())];
        for (color, who) in players.iter() {
            effects.extend(self.sit(*who, color)?);
        }
        effects.push(self.tell_players());
        effects.extend(self.start(game));
        Ok(effects)
    }

    /// Ends the running game as the director judges.
    pub(super) fn judge(
        &mut self,
        who: ClientId,
        token: &DirectorToken,
        judgement: DirectorRuling,
    ) -> Result<Vec<Effect>, Refusal> {
        self.admit_director(who, token)?;
        let DirectorRuling {
            game,
            result,
            reason,
        } = judgement;
        let running = self.running.as_ref().map(RunningGame::number);
        if running != Some(game) {
            let message = format!("game {game} is not running");
            return Err(Refusal::new(ErrorCode::NoGame, message));
        }
        if !reason.is_for_a_director() {
            return Err(bad_game("only the server ends a game for that reason"));
        }
        Ok(self.end(&Ending::new(result, reason)))
    }

    /// Tells the director of a player's misbehaviour. Anybody else's is their own business.
    pub(super) fn misbehave(&self, who: ClientId, message: String) -> Vec<Effect> {
        let seat = self.seat_of(who);
        let running = self.running.as_ref();
        let told = running
            .zip(seat)
            .and_then(|(running, seat)| running.misbehaved(seat, message));
        told.into_iter().collect()
    }

    fn admit_director(&self, who: ClientId, token: &DirectorToken) -> Result<(), Refusal> {
        self.member(who)?;
        let message = match &self.settings.director {
            Some(known) if known == token => return Ok(()),
            Some(_) => "this is not the token",
            None => "nobody directs this table",
        };
        Err(Refusal::new(ErrorCode::Forbidden, message))
    }

    fn find_players(&self, arrangement: &GameSetup) -> Result<ByColor<ClientId>, Refusal> {
        let ByColor { white, black } = &arrangement.players;
        if white == black {
            return Err(bad_game("nobody plays against themselves"));
        }
        Ok(ByColor {
            white: self.find(white)?,
            black: self.find(black)?,
        })
    }

    fn find(&self, name: &str) -> Result<ClientId, Refusal> {
        let mut members = self.members.iter();
        let found = members.find(|(_, member)| member.name == name);
        found.map(|(&who, _)| who).ok_or_else(|| {
            let message = format!("nobody here is called {name:?}");
            Refusal::new(ErrorCode::NoSuchPlayer, message)
        })
    }

    fn set_up(&self, arrangement: &GameSetup, now: Instant) -> Result<RunningGame, Refusal> {
        if arrangement.game <= self.games {
            let last = self.games;
            return Err(bad_game(format!("expected a number above {last}")));
        }
        let players = arrangement.players.clone();
        let plan = Plan {
            table: &self.settings.id,
            number: arrangement.game,
            players: players.map(|name| RecordedPlayer { name, bot: None }),
            opening: &read_opening(arrangement)?,
            rules: self.settings.rules,
            controls: read_clocks(arrangement)?,
            lag_allowance: self.lag_allowance(),
        };
        let game = RunningGame::new(plan, now).map_err(|error| bad_game(error.to_string()))?;
        if !is_to_be_played(&game.game) {
            return Err(bad_game("the opening leaves nothing to play"));
        }
        Ok(game)
    }
}

fn bad_game(message: impl Into<String>) -> Refusal {
    Refusal::new(ErrorCode::BadGame, message)
}

fn read_opening(arrangement: &GameSetup) -> Result<Opening, Refusal> {
    let start = match &arrangement.start_fen {
        Some(fen) => (fen.parse()).map_err(|error| bad_game(format!("start_fen: {error}")))?,
        None => Position::start(),
    };
    let mut opening = Opening::new(start);
    for text in &arrangement.moves {
        let bad = |error: &dyn Display| bad_game(format!("moves: {error}"));
        let m = (opening.position().parse_move(text)).map_err(|error| bad(&error))?;
        opening.push(m).map_err(|error| bad(&error))?;
    }
    Ok(opening)
}

fn read_clocks(arrangement: &GameSetup) -> Result<ByColor<Option<TimeControl>>, Refusal> {
    let ByColor { white, black } = &arrangement.clocks;
    Ok(ByColor {
        white: read_clock("white_clock", white.as_deref())?,
        black: read_clock("black_clock", black.as_deref())?,
    })
}

fn read_clock(field: &str, text: Option<&str>) -> Result<Option<TimeControl>, Refusal> {
    let clock = text.map(str::parse).transpose();
    clock.map_err(|error: TimeControlError| bad_game(format!("{field}: {error}")))
}
