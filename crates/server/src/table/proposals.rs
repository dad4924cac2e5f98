//! Checks and consequences of aborts, offers and takebacks.

use std::time::Instant;

use checkers_lib::Color;
use checkers_lib::protocol::{ErrorCode, Offer, Refusal, ServerMessage, wire_ply};

use super::event::{Remaining, TookBack};
use super::running_game::RunningGame;

impl RunningGame {
    /// Checks that the game may be aborted.
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

    /// Makes an offer. The other side has not made the same one.
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

    /// Takes back the last move of `by`, who has asked for it, as event `seq`. Returns the event to
    /// store and the messages. The clocks keep their times; that of the side to move starts now.
    pub(super) fn take_back(
        &mut self,
        by: Color,
        seq: u32,
        now: Instant,
    ) -> (TookBack, Vec<ServerMessage>) {
        self.clock.stop(self.turn(), now);
        let back = if self.turn() == by { 2 } else { 1 };
        self.rewind(self.move_details.len().saturating_sub(back));
        let lapsed = self.offers.taken_back();
        let mut messages = self.lapsed(lapsed);
        messages.push(self.took_back_message(seq));
        let took_back = TookBack {
            ply: wire_ply(&self.game),
            clocks: Remaining::of(self.clock.clocks()),
        };
        (took_back, messages)
    }

    /// Replays a stored takeback.
    pub(super) fn replay_takeback(&mut self, took_back: TookBack, now: Instant) {
        let plies = usize::try_from(took_back.ply).unwrap_or(usize::MAX);
        self.rewind(plies.min(self.move_details.len()));
        self.offers.taken_back();
        self.set_clocks(took_back.clocks, now);
    }

    fn took_back_message(&self, seq: u32) -> ServerMessage {
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

    /// The number of moves of a side since the opening.
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
