//! Who sits where, and what follows when somebody sits down or gets up.

use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{ErrorCode, Refusal};
use checkers_lib::{ByColor, Clocks, Color, Position};

use super::ending::Ending;
use super::running_game::RunningGame;
use super::{ClientId, Effect, Table};

impl Table {
    /// Gives `who` a seat. The director of a directed table gives the seats, so that asking for
    /// one changes nothing there.
    pub(super) fn take_seat(
        &mut self,
        who: ClientId,
        color: Color,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        let seat = self.visitor(who)?.seat;
        if self.director.is_some() {
            return Ok(vec![Effect::Tell(who, self.players())]);
        }
        if seat.is_some() {
            let message = "you have a seat already";
            return Err(Refusal::new(ErrorCode::AlreadySeated, message));
        }
        if let Some(sitting) = self.sitting(color) {
            let message = format!("{} has the {color} seat", self.visitors[&sitting].name);
            return Err(Refusal::new(ErrorCode::SeatTaken, message));
        }
        self.visitor(who)?.seat = Some(color);
        let mut effects = Vec::from_iter(self.forget_last_game());
        effects.push(self.tell_players());
        effects.extend(self.start_if_full(&self.opening(), now));
        Ok(effects)
    }

    /// Takes the seat of `who` back. Without one, nothing changes on a directed table.
    pub(super) fn leave_seat(&mut self, who: ClientId) -> Result<Vec<Effect>, Refusal> {
        match self.visitor(who)?.seat.take() {
            Some(seat) => Ok(self.abandon(seat)),
            None if self.director.is_some() => Ok(vec![Effect::Tell(who, self.players())]),
            None => Err(Refusal::new(ErrorCode::NotSeated, "you have no seat")),
        }
    }

    /// What follows when the player of `seat` has gone from it.
    pub(super) fn abandon(&mut self, seat: Color) -> Vec<Effect> {
        if self.running.is_some() {
            self.end(&Ending::left_by(seat))
        } else {
            vec![self.tell_players()]
        }
    }

    pub(super) fn sitting(&self, color: Color) -> Option<ClientId> {
        let mut visitors = self.visitors.iter();
        let sitting = visitors.find(|(_, visitor)| visitor.seat == Some(color));
        sitting.map(|(&who, _)| who)
    }

    /// Starts a game if both seats are taken.
    pub(super) fn start_if_full(&mut self, opening: &Opening, now: Instant) -> Vec<Effect> {
        let (Some(white), Some(black)) = (self.sitting(Color::White), self.sitting(Color::Black))
        else {
            return Vec::new();
        };
        let players = ByColor { white, black }.map(|who| self.visitors[&who].name.clone());
        let number = self.games + 1;
        let clocks = Clocks::new(self.controls);
        let game = RunningGame::new(number, players, opening, self.rules, clocks, now);
        self.start(game.expect("the table has tried its openings under its rules"))
    }

    /// What the next game begins from.
    fn opening(&self) -> Opening {
        let turn = self.games % (self.openings.len() as u64).max(1);
        let opening = self.openings.get(turn as usize).cloned();
        opening.unwrap_or_else(|| Opening::new(Position::start()))
    }
}
