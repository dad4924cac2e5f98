//! What ends or changes a game beside its moves: giving up, calling off, offers and answers.

use std::time::Instant;

use checkers_lib::protocol::{ErrorCode, Meant, Offer, Refusal, ServerMessage};
use checkers_lib::{Color, DrawReason, Outcome, WinReason};

use super::ending::Ending;
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
        let (_, running) = self.playing(who, meant)?;
        running.check_abort()?;
        Ok(self.end(&Ending::aborted()))
    }

    /// Makes an offer, or takes the same one of the other side.
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
        let (by, running) = self.playing(who, meant)?;
        running.offer(offer, by)?;
        let game = running.number();
        Ok(vec![offered(game, offer, by)])
    }

    /// Takes an offer of the other side.
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
            Offer::Rematch => self.play_again(now),
        })
    }

    /// Turns an offer of the other side down.
    pub(super) fn decline(
        &mut self,
        who: ClientId,
        offer: Offer,
        meant: Meant,
    ) -> Result<Vec<Effect>, Refusal> {
        let (game, side) = self.answering(who, offer, meant)?;
        match offer {
            // It is not to be asked for again and again.
            Offer::Rematch => self.last = None,
            Offer::Draw | Offer::Takeback => {
                if let Some(running) = &mut self.running {
                    running.close_offer(offer, !side);
                }
            }
        }
        let by = side.into();
        Ok(vec![Effect::TellAll(ServerMessage::Declined {
            game,
            offer,
            by,
        })])
    }

    /// The game and the side in which `who` answers an offer.
    fn answering(
        &mut self,
        who: ClientId,
        offer: Offer,
        meant: Meant,
    ) -> Result<(u64, Color), Refusal> {
        self.visitor(who)?;
        let offered = self.offered_to(who, offer, meant);
        offered.ok_or_else(|| {
            let message = format!("nobody offers you a {offer}");
            Refusal::new(ErrorCode::NoOffer, message)
        })
    }

    /// The game and the side in which `who` is offered something by the other side.
    fn offered_to(&self, who: ClientId, offer: Offer, meant: Meant) -> Option<(u64, Color)> {
        let (game, side, is_open) = match offer {
            Offer::Draw | Offer::Takeback => {
                let (running, side) = (self.running.as_ref()?, self.visitors.get(&who)?.seat?);
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

    /// Takes back what `by` has asked for, and asks the side that is to move then.
    fn take_back(&mut self, by: Color, now: Instant) -> Vec<Effect> {
        let Some(running) = &mut self.running else {
            return Vec::new();
        };
        let news = running.take_back(by, now);
        let mut effects: Vec<Effect> = news.into_iter().map(Effect::TellAll).collect();
        effects.extend(self.ask());
        effects
    }
}

/// The news of an offer.
pub(super) fn offered(game: u64, offer: Offer, by: Color) -> Effect {
    let by = by.into();
    Effect::TellAll(ServerMessage::Offered { game, offer, by })
}
