//! Offers between the players of a game, and their limits.

use checkers_lib::protocol::{ErrorCode, Offer, OpenOffer, Refusal};
use checkers_lib::{ByColor, Color};

/// The minimum number of own moves between two draw offers of a side.
const MOVES_BETWEEN_DRAW_OFFERS: usize = 10;

/// The offers of a running game.
#[derive(Debug, Default)]
pub(super) struct Offers {
    /// At most one of each kind: the same offer of both sides is an agreement.
    open: Vec<(Offer, Color)>,
    /// The number of own moves of each side at its last draw offer.
    draw_offered_at: ByColor<Option<usize>>,
    /// Whether a side has offered a takeback since the last move or takeback.
    has_asked_back: ByColor<bool>,
}

impl Offers {
    pub(super) fn is_open(&self, offer: Offer, by: Color) -> bool {
        self.open.contains(&(offer, by))
    }

    pub(super) fn wire(&self) -> Vec<OpenOffer> {
        let wire = |&(offer, by): &(Offer, Color)| OpenOffer {
            offer,
            by: by.into(),
        };
        self.open.iter().map(wire).collect()
    }

    /// Makes an offer of a side that has made `own_moves` moves.
    pub(super) fn make(
        &mut self,
        offer: Offer,
        by: Color,
        own_moves: usize,
    ) -> Result<(), Refusal> {
        if self.is_open(offer, by) {
            return Err(already_offered(offer));
        }
        match offer {
            Offer::Draw => self.count_draw_offer(by, own_moves)?,
            Offer::Takeback => self.count_takeback(by)?,
            Offer::Rematch => {}
        }
        self.open.push((offer, by));
        Ok(())
    }

    fn count_draw_offer(&mut self, by: Color, own_moves: usize) -> Result<(), Refusal> {
        let last = &mut self.draw_offered_at[by];
        let next = last.map_or(0, |last| last + MOVES_BETWEEN_DRAW_OFFERS);
        if own_moves < next {
            let left = next - own_moves;
            let message =
                format!("make {left} more of your own moves before you offer a draw again");
            return Err(Refusal::new(ErrorCode::TooSoon, message));
        }
        *last = Some(own_moves);
        Ok(())
    }

    fn count_takeback(&mut self, by: Color) -> Result<(), Refusal> {
        if std::mem::replace(&mut self.has_asked_back[by], true) {
            let message = "you have asked to take this move back";
            return Err(Refusal::new(ErrorCode::TooSoon, message));
        }
        Ok(())
    }

    /// Closes a declined offer.
    pub(super) fn close(&mut self, offer: Offer, by: Color) {
        self.open.retain(|open| *open != (offer, by));
    }

    /// Handles a move of `mover`. Returns the offers that lapse: those of the other side, and
    /// takebacks.
    pub(super) fn moved(&mut self, mover: Color) -> Vec<(Offer, Color)> {
        self.has_asked_back = ByColor::default();
        let lapses =
            |&mut (offer, by): &mut (Offer, Color)| by != mover || offer == Offer::Takeback;
        self.open.extract_if(.., lapses).collect()
    }

    /// Handles a takeback. Returns the offers that lapse: all others.
    pub(super) fn taken_back(&mut self) -> Vec<(Offer, Color)> {
        self.has_asked_back = ByColor::default();
        let mut lapsed = std::mem::take(&mut self.open);
        lapsed.retain(|&(offer, _)| offer != Offer::Takeback);
        lapsed
    }
}

pub(super) fn already_offered(offer: Offer) -> Refusal {
    let message = format!("you have offered a {offer}");
    Refusal::new(ErrorCode::AlreadyOffered, message)
}
