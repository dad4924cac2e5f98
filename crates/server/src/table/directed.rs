//! Directed tables: the client with the director's token arranges the games and may end them.

use std::fmt::Display;
use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{ErrorCode, RecordedPlayer, Refusal};
use checkers_lib::{ByColor, Position, TimeControl, TimeControlError};
use position_api::is_playable;

use crate::director::DirectorToken;

use super::ending::Ending;
use super::running_game::{GameConfig, RunningGame};
use super::{ClientId, DirectorRuling, Effect, GameSetup, Table};

impl Table {
    /// Seats the players of an arranged game and starts it.
    pub(super) fn arrange(
        &mut self,
        who: ClientId,
        token: &DirectorToken,
        setup: &GameSetup,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        self.check_director(who, token)?;
        if let Some(running) = &self.running {
            let message = format!("game {} is running", running.number());
            return Err(Refusal::new(ErrorCode::GameRunning, message));
        }
        let players = self.find_players(setup)?;
        let game = self.set_up(setup, now)?.arranged_by(who);
        let mut effects = vec![self.open_stream(game.number())];
        for (color, who) in players.iter() {
            effects.extend(self.seat_member(*who, color)?);
        }
        effects.push(self.broadcast_players());
        effects.extend(self.start(game));
        Ok(effects)
    }

    /// Ends the running game with the director's ruling.
    pub(super) fn end_by_director(
        &mut self,
        who: ClientId,
        token: &DirectorToken,
        ruling: DirectorRuling,
    ) -> Result<Vec<Effect>, Refusal> {
        self.check_director(who, token)?;
        let DirectorRuling {
            game,
            result,
            reason,
        } = ruling;
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

    /// Notifies the director of a protocol violation by a player of the running game.
    pub(super) fn report_violation(&self, who: ClientId, message: String) -> Vec<Effect> {
        let seat = self.seat_of(who);
        let running = self.running.as_ref();
        let effect = running
            .zip(seat)
            .and_then(|(running, seat)| running.notify_of_violation(seat, message));
        effect.into_iter().collect()
    }

    fn check_director(&self, who: ClientId, token: &DirectorToken) -> Result<(), Refusal> {
        self.member(who)?;
        let message = match &self.settings.director {
            Some(known) if known == token => return Ok(()),
            Some(_) => "this is not the token",
            None => "nobody directs this table",
        };
        Err(Refusal::new(ErrorCode::Forbidden, message))
    }

    fn find_players(&self, setup: &GameSetup) -> Result<ByColor<ClientId>, Refusal> {
        let ByColor { white, black } = &setup.players;
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
            let message = format!("nobody at this table is called {name:?}");
            Refusal::new(ErrorCode::NoSuchPlayer, message)
        })
    }

    fn set_up(&self, setup: &GameSetup, now: Instant) -> Result<RunningGame, Refusal> {
        if setup.game <= self.games {
            let last = self.games;
            return Err(bad_game(format!("expected a number above {last}")));
        }
        let players = setup.players.clone();
        let config = GameConfig {
            table: &self.settings.id,
            number: setup.game,
            players: players.map(|name| RecordedPlayer { name, bot: None }),
            opening: &read_opening(setup)?,
            rules: self.settings.rules,
            controls: read_clocks(setup)?,
            lag_allowance: self.lag_allowance(),
            rated: false,
            event: None,
        };
        let game = RunningGame::new(config, now).map_err(|error| bad_game(error.to_string()))?;
        if !is_playable(&game.game) {
            return Err(bad_game("the opening leaves nothing to play"));
        }
        Ok(game)
    }
}

fn bad_game(message: impl Into<String>) -> Refusal {
    Refusal::new(ErrorCode::BadGame, message)
}

fn read_opening(setup: &GameSetup) -> Result<Opening, Refusal> {
    let start = match &setup.start_fen {
        Some(fen) => (fen.parse()).map_err(|error| bad_game(format!("start_fen: {error}")))?,
        None => Position::start(),
    };
    let mut opening = Opening::new(start);
    for text in &setup.moves {
        let bad = |error: &dyn Display| bad_game(format!("moves: {error}"));
        let m = (opening.position().parse_move(text)).map_err(|error| bad(&error))?;
        opening.push(m).map_err(|error| bad(&error))?;
    }
    Ok(opening)
}

fn read_clocks(setup: &GameSetup) -> Result<ByColor<Option<TimeControl>>, Refusal> {
    let ByColor { white, black } = &setup.clocks;
    Ok(ByColor {
        white: read_clock("white_clock", white.as_deref())?,
        black: read_clock("black_clock", black.as_deref())?,
    })
}

fn read_clock(field: &str, text: Option<&str>) -> Result<Option<TimeControl>, Refusal> {
    let clock = text.map(str::parse).transpose();
    clock.map_err(|error: TimeControlError| bad_game(format!("{field}: {error}")))
}
