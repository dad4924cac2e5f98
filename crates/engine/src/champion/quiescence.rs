//! Where the search ends: captures are played to their end before anything is evaluated.

use checkers_lib::MoveList;

use super::frame::MAX_PLY;
use super::order::RankedMove;
use super::worker::{Window, Worker};
use crate::Score;
use crate::budget::Stopped;
use crate::tree::{Observer, Purpose, VisitEnd};

impl<O: Observer> Worker<O> {
    /// What the position at `ply` is worth once it is quiet. Captures are compulsory, so that
    /// there is no standing pat before they are over.
    ///
    /// CITE: A. L. Samuel, "Some Studies in Machine Learning Using the Game of Checkers", 1959, who
    /// searched on where a capture or an exchange was pending.
    pub(super) fn quiesce(&mut self, window: Window, ply: usize) -> Result<Score, Stopped> {
        self.enter(window, 0)?;
        if !self.on.quiescence || ply >= MAX_PLY - 1 {
            let value = self.stand(ply);
            return Ok(self.leave(value, VisitEnd::Leaf));
        }
        let position = self.path.position(ply);
        if position.must_capture() {
            return self.quiesce_moves(window, ply);
        }
        if let Some(score) = self.look_up_ending(ply) {
            return Ok(self.leave(score, VisitEnd::Tablebase));
        }
        let value = self.stand(ply);
        Ok(self.leave(value, VisitEnd::Leaf))
    }

    /// The evaluation, unless the side to move has lost.
    #[inline]
    fn stand(&mut self, ply: usize) -> Score {
        if self.path.position(ply).is_lost() {
            return Score::lost_in(ply as u32);
        }
        self.evaluate(ply)
    }

    #[inline(never)] // The lists take room that most nodes do not need.
    fn quiesce_moves(&mut self, mut window: Window, ply: usize) -> Result<Score, Stopped> {
        let position = self.path.position(ply);
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let mut ranked = RankedMove::new();
        self.order
            .rank(&self.path, ply, &moves, None, &self.on, &mut ranked);
        let mut best = Score::lost_in(ply as u32);
        while let Some(place) = ranked.next() {
            let m = moves[place];
            self.path.play(ply, m);
            let is_pv = window.is_open();
            if is_pv {
                self.lines[ply + 1].clear();
            }
            self.observer.announce(Some(m), Purpose::Move);
            let score = -self.quiesce(window.turned(), ply + 1)?;
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    if is_pv {
                        self.record(ply, m);
                    }
                }
                if window.is_closed() {
                    break;
                }
            }
        }
        Ok(self.leave(best, VisitEnd::Searched))
    }
}
