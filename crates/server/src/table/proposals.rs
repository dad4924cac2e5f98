//! What the players of a game may offer each other, and what becomes of it.

use std::time::Instant;

use checkers_lib::Color;
use checkers_lib::protocol::{ErrorCode, Offer, Refusal, ServerMessage, wire_ply};

use super::event::{Remaining, TookBack};
use super::running_game::RunningGame;

impl RunningGame {
    /// Checks that the game may be called off.
    pub(super) fn check_abort(&self) -> Result<(), Refusal> {
        self.check_casual()?;
        if self.have_both_moved() {
            let message = "both sides have moved";
            return Err(Refusal::new(ErrorCode::TooLate, message));
        }
        Ok(())
    }

    /// Whether each side has made a move of its own.
    pub(super) fn have_both_moved(&self) -> bool {
        Color::ALL.iter().all(|&side| self.moves_of(side) > 0)
    }

    pub(super) fn is_offered(&self, offer: Offer, by: Color) -> bool {
        self.offers.is_open(offer, by)
    }

    /// Makes an offer that the other side has not made.
    pub(super) fn offer(&mut self, offer: Offer, by: Color) -> Result<(), Refusal> {
        if offer == Offer::Takeback {
            self.check_casual()?;
            if self.moves_of(by) == 0 {
                let message = "you have not moved yet";
                return Err(Refusal::new(ErrorCode::NothingToTakeBack, message));
            }
        }
        let own_moves = self.moves_of(by);
        self.offers.make(offer, by, own_moves)
    }

    pub(super) fn close_offer(&mut self, offer: Offer, by: Color) {
        self.offers.close(offer, by);
    }

    /// Goes back to before the last move of `by`, who has asked for it, which is event number
    /// `seq`. Returns what is to be remembered of it and the news. The clocks stand where they are;
    /// that of the side to move runs from now on.
    pub(super) fn take_back(
        &mut self,
        by: Color,
        seq: u32,
        now: Instant,
    ) -> (TookBack, Vec<ServerMessage>) {
        self.clock.stop(self.turn(), now);
        let back = if self.turn() == by { 2 } else { 1 };
        self.rewind(self.made.len().saturating_sub(back));
        let lapsed = self.offers.taken_back();
        let mut news = self.lapsed(lapsed);
        news.push(self.took_back_news(seq));
        let took_back = TookBack {
            ply: wire_ply(&self.game),
            clocks: Remaining::on(self.clock.clocks()),
        };
        (took_back, news)
    }

    /// Takes moves of the past back again.
    pub(super) fn take_back_again(&mut self, took_back: TookBack, now: Instant) {
        let plies = usize::try_from(took_back.ply).unwrap_or(usize::MAX);
        self.rewind(plies.min(self.made.len()));
        self.offers.taken_back();
        self.set_clocks(took_back.clocks, now);
    }

    fn took_back_news(&self, seq: u32) -> ServerMessage {
        ServerMessage::TookBack {
            table: self.table().to_owned(),
            game: self.number(),
            seq,
            ply: wire_ply(&self.game),
            fen: self.fen(),
            turn: self.turn().into(),
            clocks: self.clock.wire(),
        }
    }

    /// How many moves a side has made since the opening.
    fn moves_of(&self, side: Color) -> usize {
        let made = self.game.positions().iter().take(self.game.ply());
        made.skip(self.opening().moves().len())
            .filter(|position| position.turn() == side)
            .count()
    }

    fn check_casual(&self) -> Result<(), Refusal> {
        if self.is_arranged() {
            let message = "not in a game that the director has arranged";
            return Err(Refusal::new(ErrorCode::NotCasual, message));
        }
        Ok(())
    }
}
