//! Games by correspondence: their players need not be connected, and the time for a move is one of the wall clock.
//!
//! Such a table has one game, which the server starts for two players who have agreed. While neither is here, the table
//! need not be in memory: with [`TurnTime`], a table that is restored from its events goes on as if it had never left.

use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, Refusal, TableKind, wire_ply};
use checkers_lib::{ByColor, Color, Move, Position};
use event_store::TokenHash;
use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::event::{Seated, TableEvent};
use super::seats::Seat;
use super::{ClientId, Effect, MoveRequest, Table, TableSettings};

/// A player of a game by correspondence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Correspondent {
    pub name: String,
    /// What identifies the player.
    pub key: TokenHash,
    /// How much of the player's vacation is left.
    pub vacation: Duration,
}

/// The time of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnTime {
    /// How long ago its turn began.
    pub since: Duration,
    /// How long until its time is over, its vacation included; nothing if it is over.
    pub left: Duration,
    /// How much is left of each player's vacation.
    pub vacation: ByColor<Duration>,
}

/// Where a game by correspondence stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CorrespondenceState {
    /// What identifies the players.
    pub players: ByColor<TokenHash>,
    /// The side to move.
    pub turn: Color,
    /// The number of moves.
    pub ply: u32,
    /// The time of the side to move.
    pub time: TurnTime,
}

impl TableSettings {
    /// Whether the table has a game by correspondence.
    pub(crate) fn is_correspondence(&self) -> bool {
        self.kind == TableKind::Correspondence
    }
}

impl Table {
    /// Seats both players, who need not be here, and starts their game.
    pub(super) fn begin(
        &mut self,
        players: ByColor<Correspondent>,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        if !self.settings.is_correspondence() || self.running.is_some() || self.games > 0 {
            return Err(only_one_game());
        }
        let mut effects = Vec::new();
        self.vacations = players
            .as_ref()
            .map(|player| now.checked_add(player.vacation));
        for color in Color::ALL {
            let Correspondent { name, key, .. } = &players[color];
            let seated = Seated {
                color: color.into(),
                name: name.clone(),
                key: Some(*key),
                bot: None,
            };
            self.seats[color] = Some(Seat::restored(&seated, now));
            effects.extend(self.record(TableEvent::Seated(seated)));
        }
        let opening = self.opening();
        effects.extend(self.start_if_full(&opening, now));
        self.rest_on_vacation(now);
        Ok(effects)
    }

    /// Refuses seats: the server gives them.
    pub(super) fn check_correspondence(&self) -> Result<(), Refusal> {
        if self.settings.is_correspondence() {
            Err(only_one_game())
        } else {
            Ok(())
        }
    }

    /// Where the game stands, if one runs.
    pub fn correspondence(&self, now: Instant) -> Option<CorrespondenceState> {
        let running = self
            .running
            .as_ref()
            .filter(|_| self.settings.is_correspondence())?;
        let key = |color| self.seats[color].as_ref()?.key;
        let players = ByColor {
            white: key(Color::White)?,
            black: key(Color::Black)?,
        };
        let rest = |until: Option<Instant>| {
            until
                .map(|until| until.saturating_duration_since(now))
                .unwrap_or_default()
        };
        let (since, left) = running.clock.turn_time(running.turn(), now);
        Some(CorrespondenceState {
            players,
            turn: running.turn(),
            ply: wire_ply(&running.game),
            time: TurnTime {
                since,
                left,
                vacation: self.vacations.map(rest),
            },
        })
    }

    /// Sets the time of the side to move of a restored game.
    pub fn set_turn_time(&mut self, time: TurnTime, now: Instant) {
        self.vacations = time.vacation.map(|rest| now.checked_add(rest));
        if let Some(running) = &mut self.running {
            let turn = running.turn();
            running
                .clock
                .set_turn_time(turn, time.since, time.left, now);
        }
    }

    /// Lets the side to move of a restored game by correspondence have had its turn for this time.
    pub(crate) fn continue_turn(&mut self, since: Duration, now: Instant) {
        let is_correspondence = self.settings.is_correspondence();
        if let Some(running) = self.running.as_mut().filter(|_| is_correspondence) {
            let turn = running.turn();
            let (_, whole) = running.clock.turn_time(turn, now);
            let left = whole.saturating_sub(since);
            running.clock.set_turn_time(turn, since, left, now);
        }
    }

    /// The player with this key has this much vacation from now on. Time during a vacation does not count.
    pub(super) fn set_vacation(
        &mut self,
        key: TokenHash,
        rest: Duration,
        now: Instant,
    ) -> Vec<Effect> {
        let Some(color) = self.side_with_key(key) else {
            return Vec::new();
        };
        let before = self.vacations[color].map(|until| until.saturating_duration_since(now));
        let before = before.unwrap_or_default();
        self.vacations[color] = now.checked_add(rest);
        let Some(running) = self
            .running
            .as_mut()
            .filter(|running| running.turn() == color)
        else {
            return Vec::new();
        };
        let (since, left) = running.clock.turn_time(color, now);
        let left = left.saturating_sub(before).saturating_add(rest);
        running.clock.set_turn_time(color, since, left, now);
        let clocks = running.clocks_message(now);
        clocks.map(Effect::Broadcast).into_iter().collect()
    }

    /// Lets the time of the side to move begin when its vacation ends.
    pub(crate) fn rest_on_vacation(&mut self, now: Instant) {
        if let Some(running) = &mut self.running
            && let turn = running.turn()
            && let Some(until) = self.vacations[turn]
            && let rest = until.saturating_duration_since(now)
            && !rest.is_zero()
        {
            let (since, left) = running.clock.turn_time(turn, now);
            let left = left.saturating_add(rest);
            running.clock.set_turn_time(turn, since, left, now);
        }
    }

    /// Plays a move that the player of a side has left for this position.
    pub(super) fn play_for(
        &mut self,
        color: Color,
        request: &MoveRequest,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        let seq = self.stream.next_seq();
        let is_correspondence = self.settings.is_correspondence();
        match self.running.as_mut().filter(|_| is_correspondence) {
            Some(running) => {
                let made = running.play(color, request, seq, now)?;
                Ok(self.publish_move(made, now))
            }
            None => Err(Refusal::new(ErrorCode::NoGame, "no game is running")),
        }
    }

    /// Ends the game of a player whose account is gone.
    pub(super) fn give_up(&mut self, color: Color) -> Vec<Effect> {
        if !self.settings.is_correspondence() {
            return Vec::new();
        }
        self.end(&Ending::lost_by_leaving(color))
    }

    fn side_with_key(&self, key: TokenHash) -> Option<Color> {
        let has_key = |color: &Color| {
            let seat = self.seats[*color].as_ref();
            seat.is_some_and(|seat| seat.key == Some(key))
        };
        Color::ALL.into_iter().find(has_key)
    }

    /// The position of the running game.
    pub(crate) fn position(&self) -> Option<&Position> {
        self.running.as_ref().map(|running| running.game.position())
    }

    /// The moves of the running game from this one on, each by its [first path](first_path); `None` if there are fewer.
    pub(crate) fn paths_since(&self, ply: usize) -> Option<Vec<String>> {
        let game = &self.running.as_ref()?.game;
        let moves = game.moves().get(ply..)?.iter();
        let moves = moves.zip(game.positions().iter().skip(ply));
        Some(
            moves
                .map(|(&m, position)| first_path(m, position))
                .collect(),
        )
    }

    /// Whether `who` has a seat that it does not give up by leaving.
    pub(super) fn keeps_seat_without_client(&self, who: ClientId) -> bool {
        self.settings.is_correspondence() && self.running.is_some() && self.seat_of(who).is_some()
    }

    /// Whether nobody is here, so that the table can be dropped from memory.
    pub(crate) fn is_deserted(&self) -> bool {
        self.settings.is_correspondence() && self.members.is_empty()
    }
}

/// Every square of a move, which has one such text for all its routes.
pub(crate) fn first_path(m: Move, position: &Position) -> String {
    let routes = m.routes(position);
    let route = routes.into_iter().next();
    route.map(|route| route.text()).unwrap_or_default()
}

fn only_one_game() -> Refusal {
    let message = "the players of a game by correspondence are fixed";
    Refusal::new(ErrorCode::Forbidden, message)
}
