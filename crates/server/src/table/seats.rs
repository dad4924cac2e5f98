//! The seats of a table: taking, leaving and reserving them.

use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{ErrorCode, RecordedPlayer, Refusal};
use checkers_lib::{ByColor, Color, Position};
use event_store::TokenHash;

use super::ending::Ending;
use super::event::{Seated, TableEvent, Unseated};
use super::running_game::{GameConfig, RunningGame};
use super::{ClientId, Effect, JoinRequest, Table, TableMember};
use crate::names;

/// A taken seat, whose player may be disconnected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seat {
    pub(super) name: String,
    /// Identifies the player.
    pub(super) key: Option<TokenHash>,
    /// For a bot of the server, its specification.
    pub(super) bot: Option<String>,
    /// The player's connection.
    pub(super) client: Option<ClientId>,
    /// Since when the player has been disconnected.
    pub(super) absent_since: Option<Instant>,
}

impl Seat {
    fn of(who: ClientId, member: &TableMember) -> Seat {
        Seat {
            name: member.name.clone(),
            key: member.key,
            bot: member.bot.clone(),
            client: Some(who),
            absent_since: None,
        }
    }

    /// The seat of a player who has not reconnected yet.
    pub(super) fn restored(seated: &Seated, now: Instant) -> Seat {
        Seat {
            name: seated.name.clone(),
            key: seated.key,
            bot: seated.bot.clone(),
            client: None,
            absent_since: Some(now),
        }
    }

    fn seated(&self, color: Color) -> Seated {
        Seated {
            color: color.into(),
            name: self.name.clone(),
            key: self.key,
            bot: self.bot.clone(),
        }
    }

    pub(super) fn player(&self) -> RecordedPlayer {
        RecordedPlayer {
            name: self.name.clone(),
            bot: self.bot.clone(),
        }
    }

    /// Whether it is reserved for the player with this key, or for this bot.
    pub(super) fn is_reserved_for(
        &self,
        key: Option<TokenHash>,
        bot: Option<&str>,
        name: &str,
    ) -> bool {
        let is_player = self.key.is_some() && self.key == key;
        let is_bot = self.bot.is_some() && self.bot.as_deref() == bot && self.name == name;
        self.client.is_none() && (is_player || is_bot)
    }
}

impl Table {
    /// Gives `who` a seat. On a directed table, only the director assigns seats, and the request
    /// changes nothing.
    pub(super) fn take_seat(
        &mut self,
        who: ClientId,
        color: Color,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        self.member(who)?;
        if self.settings.director.is_some() {
            return Ok(vec![Effect::Send(who, self.players())]);
        }
        if self.seat_of(who).is_some() {
            let message = "you have a seat already";
            return Err(Refusal::new(ErrorCode::AlreadySeated, message));
        }
        if let Some(seat) = &self.seats[color] {
            let message = format!("{} has the {color} seat", seat.name);
            return Err(Refusal::new(ErrorCode::SeatTaken, message));
        }
        self.check_reserved(who, color)?;
        self.check_correspondence()?;
        self.check_event(who, color)?;
        self.check_pool(who, color)?;
        self.check_bot_host(who)?;
        let mut effects = Vec::from_iter(self.forget_last_game());
        effects.extend(self.seat_member(who, color)?);
        effects.push(self.broadcast_players());
        effects.extend(self.start_if_full(&self.opening(), now));
        Ok(effects)
    }

    /// Checks that the seat is not reserved for the challenged player: if one seat is taken by
    /// someone else, the other one is.
    fn check_reserved(&self, who: ClientId, color: Color) -> Result<(), Refusal> {
        let (Some(asked), Some(other)) = (&self.settings.opponent, &self.seats[!color]) else {
            return Ok(());
        };
        let opponent = names::skeleton(asked);
        if [&self.member(who)?.skeleton, &names::skeleton(&other.name)].contains(&&opponent) {
            return Ok(());
        }
        let message = format!("the {color} seat is kept for {asked}");
        Err(Refusal::new(ErrorCode::SeatTaken, message))
    }

    /// Checks that `who` is to play the only game of an event on this side.
    fn check_event(&self, who: ClientId, color: Color) -> Result<(), Refusal> {
        if self.settings.event.is_none() {
            return Ok(());
        }
        let member = self.member(who)?;
        let is_player = match self.settings.players[color] {
            Some(key) => member.key == Some(key) && member.bot.is_none(),
            None => member.bot.is_some() && member.host.is_none(),
        };
        if is_player && self.games == 0 {
            return Ok(());
        }
        let message = "the server has chosen the players of this game";
        Err(Refusal::new(ErrorCode::Forbidden, message))
    }

    /// Checks that a rated game is one of two people, of two bots' accounts, or against the server.
    fn check_pool(&self, who: ClientId, color: Color) -> Result<(), Refusal> {
        let member = self.member(who)?;
        match &self.seats[!color] {
            Some(other) if self.settings.rated && other.bot.is_none() && member.bot.is_none() => {
                names::check_same_pool(&member.name, &other.name)
            }
            _ => Ok(()),
        }
    }

    /// Gives `who` the seat `first` if it is free, or else the other one.
    pub(super) fn take_any_seat(
        &mut self,
        who: ClientId,
        first: Color,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        let color = if self.seats[first].is_none() {
            first
        } else {
            !first
        };
        self.take_seat(who, color, now)
    }

    /// Seats `who`, who has no seat, in a free one.
    pub(super) fn seat_member(
        &mut self,
        who: ClientId,
        color: Color,
    ) -> Result<Vec<Effect>, Refusal> {
        let seat = Seat::of(who, self.member(who)?);
        let seated = seat.seated(color);
        self.seats[color] = Some(seat);
        Ok(self.record(TableEvent::Seated(seated)))
    }

    /// Frees the seat of `who`. Without a seat, nothing changes on a directed table.
    pub(super) fn leave_seat(&mut self, who: ClientId) -> Result<Vec<Effect>, Refusal> {
        self.member(who)?;
        if self.keeps_seat_without_client(who) {
            let message = "a game by correspondence is not left: resign it";
            return Err(Refusal::new(ErrorCode::Forbidden, message));
        }
        match self.seat_of(who) {
            Some(seat) => Ok(self.abandon(seat)),
            None if self.settings.director.is_some() => Ok(vec![Effect::Send(who, self.players())]),
            None => Err(Refusal::new(ErrorCode::NotSeated, "you have no seat")),
        }
    }

    /// Handles that the player of `seat` has left it.
    pub(super) fn abandon(&mut self, seat: Color) -> Vec<Effect> {
        if let Some(running) = &self.running {
            let is_lost = self.settings.director.is_none() && running.have_both_moved();
            let ending = if is_lost {
                Ending::lost_by_leaving(seat)
            } else {
                Ending::left_by(seat)
            };
            let effects = self.end(&ending);
            self.last = None;
            effects
        } else {
            self.free(seat)
        }
    }

    /// Frees a seat at which no game runs.
    pub(super) fn free(&mut self, seat: Color) -> Vec<Effect> {
        self.seats[seat] = None;
        let color = seat.into();
        let mut effects = self.record(TableEvent::Unseated(Unseated { color }));
        effects.push(self.broadcast_players());
        effects
    }

    /// The connection of the player of a seat.
    pub(super) fn client_at(&self, color: Color) -> Option<ClientId> {
        self.seats[color].as_ref()?.client
    }

    /// Whether a seat is reserved for another player with a confusable name.
    pub(super) fn is_reserved_for_another(
        &self,
        skeleton: &str,
        join_request: &JoinRequest,
    ) -> bool {
        let JoinRequest { name, key, bot, .. } = join_request;
        let is_of_another = |seat: &Seat| {
            seat.client.is_none()
                && names::skeleton(&seat.name) == skeleton
                && !seat.is_reserved_for(*key, bot.as_deref(), name)
        };
        let mut seats = self.seats.iter().filter_map(|(_, seat)| seat.as_ref());
        seats.any(is_of_another)
    }

    /// Starts a game if both seats are taken.
    pub(super) fn start_if_full(&mut self, opening: &Opening, now: Instant) -> Vec<Effect> {
        let (Some(white), Some(black)) = (&self.seats.white, &self.seats.black) else {
            return Vec::new();
        };
        let players = ByColor { white, black }.map(Seat::player);
        let config = GameConfig {
            table: &self.settings.id,
            number: self.games + 1,
            players,
            opening,
            rules: self.settings.rules,
            controls: self.settings.clocks,
            lag_allowance: self.lag_allowance(),
            rated: self.settings.rated,
            event: self.settings.event.as_deref(),
        };
        let game = RunningGame::new(config, now);
        self.start(game.expect("the table has tried its openings under its rules"))
    }

    /// The start of the next game.
    pub(super) fn opening(&self) -> Opening {
        let openings = &self.settings.openings;
        let turn = self.games % (openings.len() as u64).max(1);
        let opening = openings.get(turn as usize).cloned();
        opening.unwrap_or_else(|| Opening::new(Position::start()))
    }
}
