//! Playing again, with colours swapped, while nobody has left or taken a seat.

use std::time::Instant;

use checkers_lib::openings::Opening;
use checkers_lib::protocol::{ErrorCode, Meant, Offer, Refusal, ServerMessage};
use checkers_lib::{ByColor, Color};

use super::offers::already_offered;
use super::running_game::RunningGame;
use super::{ClientId, Effect, Table};

/// The game that was over last, whose players may play again.
#[derive(Debug)]
pub(super) struct LastGame {
    pub(super) number: u64,
    pub(super) players: ByColor<ClientId>,
    pub(super) opening: Opening,
    /// The side that offers to play again.
    pub(super) offered: Option<Color>,
}

impl Table {
    /// What can be played again once `running` is over, while its players have their seats.
    pub(super) fn to_be_played_again(&self, running: &RunningGame) -> Option<LastGame> {
        if running.is_arranged() {
            return None;
        }
        let players = ByColor {
            white: self.sitting(Color::White)?,
            black: self.sitting(Color::Black)?,
        };
        Some(LastGame {
            number: running.number(),
            players,
            opening: running.opening().clone(),
            offered: None,
        })
    }

    /// The last game and the side that `who` had in it, if it can be played again.
    pub(super) fn last_game_of(&self, who: ClientId) -> Option<(&LastGame, Color)> {
        let last = self.last.as_ref()?;
        let (side, _) = last.players.iter().find(|(_, player)| **player == who)?;
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
        Ok(vec![Effect::TellAll(ServerMessage::Offered {
            table: self.settings.id.clone(),
            game: last.number,
            seq: None,
            offer: Offer::Rematch,
            by: by.into(),
        })])
    }

    /// The side that `who` had in the game that is to be played again.
    fn check_rematch(&mut self, who: ClientId, meant: Meant) -> Result<Color, Refusal> {
        self.visitor(who)?;
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

    /// Starts the last game again, colours swapped.
    pub(super) fn play_again(&mut self, now: Instant) -> Vec<Effect> {
        let Some(last) = self.last.take() else {
            return Vec::new();
        };
        let mut effects = Vec::new();
        for (side, who) in last.players.iter() {
            effects.extend(self.sit(*who, !side).unwrap_or_default());
        }
        effects.push(self.tell_players());
        effects.extend(self.start_if_full(&last.opening, now));
        effects
    }

    /// Forgets the last game if `who` has played it.
    pub(super) fn forget_last_game_of(&mut self, who: ClientId) -> Vec<Effect> {
        let has_just_played = self.last_game_of(who).is_some();
        let lapsed = has_just_played.then(|| self.forget_last_game());
        lapsed.flatten().into_iter().collect()
    }

    /// Forgets the last game, which cannot be played again by the same players any more.
    pub(super) fn forget_last_game(&mut self) -> Option<Effect> {
        let last = self.last.take()?;
        let by = last.offered?.into();
        Some(Effect::TellAll(ServerMessage::Lapsed {
            table: self.settings.id.clone(),
            game: last.number,
            offer: Offer::Rematch,
            by,
        }))
    }
}

fn no_rematch() -> Refusal {
    let message = "there is no game that you could play again";
    Refusal::new(ErrorCode::NoRematch, message)
}
