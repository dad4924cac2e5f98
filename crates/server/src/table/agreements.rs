//! Commands that end or change a game other than moves: resignation, abort, offers and answers.

use std::time::Instant;

use checkers_lib::protocol::{ErrorCode, Meant, Offer, Refusal, ServerMessage};
use checkers_lib::{Color, DrawReason, Outcome, WinReason};

use super::ending::Ending;
use super::event::{Declined, Offered, TableEvent};
use super::{ClientId, Effect, Table};

impl Table {
    pub(super) fn resign(&mut self, who: ClientId, meant: Meant) -> Result<Vec<Effect>, Refusal> {
        let (loser, _) = self.playing(who, meant)?;
        let lost = Outcome::Win {
            winner: !loser,
            reason: WinReason::Resignation,
        };
        Ok(self.end(&lost.into()))
    }

    pub(super) fn abort(&mut self, who: ClientId, meant: Meant) -> Result<Vec<Effect>, Refusal> {
        let (side, running) = self.playing(who, meant)?;
        running.check_abort()?;
        if self.settings.event.is_some() {
            let message = "a game of an event is not aborted: resign it";
            return Err(Refusal::new(ErrorCode::Forbidden, message));
        }
        Ok(self.end(&Ending::aborted_by(side)))
    }

    /// Makes an offer, or accepts the same offer of the other side.
    pub(super) fn offer(
        &mut self,
        who: ClientId,
        offer: Offer,
        meant: Meant,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        if self.offered_to(who, offer, meant).is_some() {
            return self.accept(who, offer, meant, now);
        }
        if offer == Offer::Rematch {
            return self.offer_rematch(who, meant);
        }
        self.check_casual(who, offer)?;
        let (by, running) = self.playing(who, meant)?;
        running.offer(offer, by)?;
        let game = running.number();
        let by = by.into();
        let mut effects = self.record(TableEvent::Offered(Offered { offer, by }));
        effects.push(Effect::Broadcast(ServerMessage::Offered {
            table: self.settings.id.clone(),
            game,
            seq: Some(self.stream.seq),
            offer,
            by,
        }));
        Ok(effects)
    }

    /// Accepts an offer of the other side.
    pub(super) fn accept(
        &mut self,
        who: ClientId,
        offer: Offer,
        meant: Meant,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        let (_, side) = self.answering(who, offer, meant)?;
        Ok(match offer {
            Offer::Draw => self.end(&Outcome::Draw(DrawReason::Agreement).into()),
            Offer::Takeback => self.take_back(!side, now),
            Offer::Rematch => self.start_rematch(now),
        })
    }

    /// Declines an offer of the other side.
    pub(super) fn decline(
        &mut self,
        who: ClientId,
        offer: Offer,
        meant: Meant,
    ) -> Result<Vec<Effect>, Refusal> {
        let (game, side) = self.answering(who, offer, meant)?;
        let by = side.into();
        let mut effects = Vec::new();
        match offer {
            // A declined rematch cannot be offered again.
            Offer::Rematch => self.last = None,
            Offer::Draw | Offer::Takeback => {
                if let Some(running) = &mut self.running {
                    running.close_offer(offer, !side);
                }
                effects = self.record(TableEvent::Declined(Declined { offer, by }));
            }
        }
        let is_event = offer != Offer::Rematch;
        effects.push(Effect::Broadcast(ServerMessage::Declined {
            table: self.settings.id.clone(),
            game,
            seq: is_event.then_some(self.stream.seq),
            offer,
            by,
        }));
        Ok(effects)
    }

    /// Checks that the table allows takebacks, if one is offered.
    fn check_casual(&self, who: ClientId, offer: Offer) -> Result<(), Refusal> {
        self.member(who)?;
        if offer == Offer::Takeback && !self.settings.casual {
            let message = "moves are not taken back at this table";
            return Err(Refusal::new(ErrorCode::NotCasual, message));
        }
        Ok(())
    }

    /// The game and the side of `who`, if the other side has made this offer.
    fn answering(
        &mut self,
        who: ClientId,
        offer: Offer,
        meant: Meant,
    ) -> Result<(u64, Color), Refusal> {
        self.member(who)?;
        let offered = self.offered_to(who, offer, meant);
        offered.ok_or_else(|| {
            let message = format!("nobody offers you a {offer}");
            Refusal::new(ErrorCode::NoOffer, message)
        })
    }

    /// The same, or `None`.
    fn offered_to(&self, who: ClientId, offer: Offer, meant: Meant) -> Option<(u64, Color)> {
        let (game, side, is_open) = match offer {
            Offer::Draw | Offer::Takeback => {
                let (running, side) = (self.running.as_ref()?, self.seat_of(who)?);
                (running.number(), side, running.is_offered(offer, !side))
            }
            Offer::Rematch => {
                let (last, side) = self.last_game_of(who)?;
                (last.number, side, last.offered == Some(!side))
            }
        };
        let is_meant = meant.game.is_none_or(|meant| meant == game);
        (is_meant && is_open).then_some((game, side))
    }

    /// Takes back the last move of `by`, and requests a move from the side that is then to move.
    fn take_back(&mut self, by: Color, now: Instant) -> Vec<Effect> {
        let seq = self.stream.next_seq();
        let Some(running) = &mut self.running else {
            return Vec::new();
        };
        let (took_back, messages) = running.take_back(by, seq, now);
        let mut effects = self.record(TableEvent::TookBack(took_back));
        effects.extend(messages.into_iter().map(Effect::Broadcast));
        effects.extend(self.request_move());
        effects
    }
}
