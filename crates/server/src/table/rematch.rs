//! Rematches: the same players with colours swapped. Possible until one of them leaves or a seat is
//! taken.

use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{ErrorCode, Meant, Offer, Refusal, ServerMessage};
use checkers_lib::{ByColor, Color};

use super::offers::already_offered;
use super::running_game::RunningGame;
use super::seats::Seat;
use super::{ClientId, Effect, Table, TableMember};

/// The last game, whose players may agree on a rematch.
#[derive(Debug)]
pub(super) struct LastGame {
    pub(super) number: u64,
    /// The players, who may be disconnected.
    pub(super) players: ByColor<Seat>,
    pub(super) opening: Opening,
    /// The side that offers a rematch.
    pub(super) offered: Option<Color>,
}

impl Table {
    /// The game for a rematch after `running`, whose players still have their seats.
    pub(super) fn rematch_game(&self, running: &RunningGame) -> Option<LastGame> {
        if running.is_arranged()
            || self.settings.event.is_some()
            || self.settings.is_correspondence()
        {
            return None;
        }
        let players = ByColor {
            white: self.seats.white.clone()?,
            black: self.seats.black.clone()?,
        };
        Some(LastGame {
            number: running.number(),
            players,
            opening: running.opening().clone(),
            offered: None,
        })
    }

    /// The last game and the side of `who` in it, if a rematch is possible.
    pub(super) fn last_game_of(&self, who: ClientId) -> Option<(&LastGame, Color)> {
        let last = self.last.as_ref()?;
        let is_who = |(_, player): &(Color, &Seat)| player.client == Some(who);
        let (side, _) = last.players.iter().find(is_who)?;
        Some((last, side))
    }

    pub(super) fn offer_rematch(
        &mut self,
        who: ClientId,
        meant: Meant,
    ) -> Result<Vec<Effect>, Refusal> {
        let by = self.check_rematch(who, meant)?;
        let Some(last) = &mut self.last else {
            return Err(no_rematch());
        };
        if last.offered == Some(by) {
            return Err(already_offered(Offer::Rematch));
        }
        last.offered = Some(by);
        Ok(vec![Effect::Broadcast(ServerMessage::Offered {
            table: self.settings.id.clone(),
            game: last.number,
            seq: None,
            offer: Offer::Rematch,
            by: by.into(),
        })])
    }

    /// The side of `who` in the last game, if it may offer a rematch.
    fn check_rematch(&mut self, who: ClientId, meant: Meant) -> Result<Color, Refusal> {
        self.member(who)?;
        if self.settings.director.is_some() {
            let message = "the director arranges the games of this table";
            return Err(Refusal::new(ErrorCode::NotCasual, message));
        }
        if self.running.is_some() {
            return Err(Refusal::new(ErrorCode::GameRunning, "a game is running"));
        }
        let last = self.last_game_of(who);
        let meant_one = last.filter(|(last, _)| meant.game.is_none_or(|game| game == last.number));
        meant_one.map(|(_, side)| side).ok_or_else(no_rematch)
    }

    pub(super) fn start_rematch(&mut self, now: Instant) -> Vec<Effect> {
        let Some(last) = self.last.take() else {
            return Vec::new();
        };
        let mut effects = Vec::new();
        for (side, player) in last.players.iter() {
            // Both are connected: an offer lapses when its player disconnects.
            let sat = player.client.map(|who| self.seat_member(who, !side));
            effects.extend(sat.and_then(Result::ok).unwrap_or_default());
        }
        effects.push(self.broadcast_players());
        effects.extend(self.start_if_full(&last.opening, now));
        effects
    }

    /// Handles that a player of the last game has disconnected, and may return.
    pub(super) fn disconnect_from_last_game(&mut self, who: ClientId) -> Option<Effect> {
        let (_, side) = self.last_game_of(who)?;
        let last = self.last.as_mut()?;
        last.players[side].client = None;
        if last.offered != Some(side) {
            return None;
        }
        last.offered = None;
        let number = last.number;
        Some(self.rematch_lapsed(number, side))
    }

    /// Handles that a player of the last game has returned.
    pub(super) fn return_to_last_game(&mut self, who: ClientId) {
        let (Some(last), Some(member)) = (&mut self.last, self.members.get(&who)) else {
            return;
        };
        let TableMember { key, bot, name, .. } = member;
        let mut sides = Color::ALL.into_iter();
        let own =
            sides.find(|&side| last.players[side].is_reserved_for(*key, bot.as_deref(), name));
        if let Some(side) = own {
            last.players[side].client = Some(who);
        }
    }

    /// Rules out a rematch if `who` played the last game.
    pub(super) fn forget_last_game_of(&mut self, who: ClientId) -> Vec<Effect> {
        let has_just_played = self.last_game_of(who).is_some();
        let lapsed = has_just_played.then(|| self.forget_last_game());
        lapsed.flatten().into_iter().collect()
    }

    /// Rules out a rematch; an open offer lapses.
    pub(super) fn forget_last_game(&mut self) -> Option<Effect> {
        let last = self.last.take()?;
        Some(self.rematch_lapsed(last.number, last.offered?))
    }

    fn rematch_lapsed(&self, game: u64, by: Color) -> Effect {
        Effect::Broadcast(ServerMessage::Lapsed {
            table: self.settings.id.clone(),
            game,
            offer: Offer::Rematch,
            by: by.into(),
        })
    }
}

fn no_rematch() -> Refusal {
    let message = "there is no game that you could play again";
    Refusal::new(ErrorCode::NoRematch, message)
}
