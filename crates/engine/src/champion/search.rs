//! The principal variation search: one node.

use checkers_lib::{Move, MoveList};

use super::frame::MAX_PLY;
use super::order::RankedMove;
use super::params::PARAMS;
use super::table::TtEntry;
use super::worker::{Window, Worker};
use crate::Score;
use crate::budget::Stopped;
use crate::score::Bound;
use crate::tree::{Observer, Purpose, Technique, VisitEnd};

impl<O: Observer> Worker<O> {
    /// What the position at `ply` is worth to its side to move after `depth` plies. Inside the
    /// window the answer is exact; outside it is a bound on the window's side.
    ///
    /// CITE: T. A. Marsland, M. Campbell, "Parallel Search of Strongly Ordered Game Trees",
    /// Computing Surveys 14(4), 1982: principal variation search.
    pub(super) fn search_node(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        if depth <= 0 {
            return self.quiesce(window, ply);
        }
        self.enter(window, depth)?;
        let is_pv = window.is_open();
        let known = if depth >= PARAMS.table_depth {
            let key = self.path.complete(ply);
            if self.is_drawn(ply) && !self.path.position(ply).is_lost() {
                let draw = self.contempt.draw(ply);
                return Ok(self.leave(draw, VisitEnd::Drawn));
            }
            // The table's answer is on its way from memory meanwhile.
            self.path.update_state(ply);
            self.recall(key)
        } else {
            None
        };
        if let Some(known) = known
            && !is_pv
            && let Some(score) = settles(known, window, depth, ply)
        {
            return Ok(self.leave(score, VisitEnd::TableHit(known.bound)));
        }
        let shallower = depth - self.internal_reduction(known, depth);
        if !is_pv && let Some(score) = self.static_cut(window, shallower, ply) {
            return Ok(self.leave(score, VisitEnd::Pruned(Technique::Futility)));
        }
        self.search_unsettled(window, depth, ply, known)
    }

    /// What the table has, if it is used.
    #[inline]
    fn recall(&self, key: u64) -> Option<TtEntry> {
        if !self.on.table {
            return None;
        }
        self.table.probe(self.contempt.key(key))
    }

    /// The same where the table does not settle it.
    #[inline(never)] // The lists take room that many nodes do not need.
    fn search_unsettled(
        &mut self,
        window: Window,
        mut depth: i32,
        ply: usize,
        known: Option<TtEntry>,
    ) -> Result<Score, Stopped> {
        let mut moves = MoveList::new();
        self.path.position(ply).legal_moves_into(&mut moves);
        let Some(&first) = moves.first() else {
            let lost = Score::lost_in(ply as u32);
            return Ok(self.leave(lost, VisitEnd::Searched));
        };
        let must_capture = first.is_capture();
        if !must_capture && let Some(score) = self.look_up_ending(ply) {
            return Ok(self.leave(score, VisitEnd::Tablebase));
        }
        if ply >= self.deepest_ply {
            let value = self.horizon(window, ply, must_capture)?;
            return Ok(self.leave(value, VisitEnd::Leaf));
        }
        let hint = known.and_then(|known| known.best);
        if moves.len() > 1 {
            depth -= self.internal_reduction(known, depth);
        }
        let mut hint_extension = 0;
        if let Some(known) = known {
            match self.test_hint(window, depth, ply, &moves, known)? {
                HintTest::Extension(plies) => hint_extension = plies,
                HintTest::Cut(score) => {
                    return Ok(self.leave(score, VisitEnd::Pruned(Technique::MultiCut)));
                }
            }
        }
        self.search_moves(window, depth, ply, &moves, hint, hint_extension)
    }

    /// Where lines must not get any longer: the evaluation, or the captures to their end.
    fn horizon(
        &mut self,
        window: Window,
        ply: usize,
        must_capture: bool,
    ) -> Result<Score, Stopped> {
        if must_capture && ply < MAX_PLY - 1 {
            self.observer.announce(None, Purpose::Captures);
            return self.quiesce(window, ply);
        }
        Ok(self.evaluate(ply))
    }

    /// Internal iterative reduction: without a move to begin with, a cheaper search finds one for
    /// the next time.
    ///
    /// CITE: E. Schröder, "Internal Iterative Reductions", 2020.
    #[inline]
    fn internal_reduction(&self, known: Option<TtEntry>, depth: i32) -> i32 {
        let has_move = known.is_some_and(|known| known.best.is_some());
        i32::from(self.on.internal && !has_move && depth >= self.tuning.internal_depth)
    }

    /// Reverse futility pruning: near the leaves a quiet position that looks far better than the
    /// window asks for, and in which the opponent could not capture, is taken at its word. Asked
    /// before the moves are made, which a node that is cut off does not need.
    ///
    /// CITE: E. A. Heinz, "Extended Futility Pruning", ICCA Journal 21(2), 1998, turned round as
    /// programs have it today.
    #[inline]
    fn static_cut(&mut self, window: Window, depth: i32, ply: usize) -> Option<Score> {
        let is_near = self.on.futility && depth <= self.tuning.futility_depth;
        if !is_near || is_decided(window.beta) || self.path.position(ply).must_capture() {
            return None;
        }
        let score = self.evaluate(ply);
        let is_far_above =
            score.value() - self.tuning.futility_margin * depth >= window.beta.value();
        let position = self.path.position(ply);
        let is_known = || self.look_up_ending(ply).is_some();
        let stands = || !position.is_threatened() && !position.is_lost() && !is_known();
        (is_far_above && stands()).then_some(score)
    }

    /// Compares the table's move with the others, which are searched half as deep. If none of them
    /// comes near its score, it is singular and is searched a ply deeper. If several moves seem to
    /// reach beta, the node is cut off, or the table's move is searched a ply less deep.
    ///
    /// CITE: T. Anantharaman, M. Campbell, F. Hsu, "Singular Extensions: Adding Selectivity to
    /// Brute-Force Searching", Artificial Intelligence 43(1), 1990, with the table's score as in
    /// Stockfish (idea alone); Y. Björnsson, T. A. Marsland, "Multi-cut Pruning in Alpha-Beta
    /// Search", 1999.
    #[inline]
    fn test_hint(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        moves: &[Move],
        known: TtEntry,
    ) -> Result<HintTest, Stopped> {
        let score = known.score.seen_from_root(ply as u32);
        let is_reliable =
            known.depth as i32 >= depth - PARAMS.singular_less && known.bound != Bound::Upper;
        let is_tested = self.on.singular
            && depth >= PARAMS.singular_depth
            && moves.len() > 1
            && is_reliable
            && !is_decided(score);
        let Some(hint) = known.best.filter(|&place| is_tested && place < moves.len()) else {
            return Ok(HintTest::Extension(0));
        };
        let beta = Score::new(score.value() - PARAMS.singular_margin * depth / 2);
        let others = self.search_others(beta, (depth - 1) / 2, ply, moves, hint)?;
        Ok(if others < beta {
            HintTest::Extension(1)
        } else if !window.is_open() && beta >= window.beta {
            HintTest::Cut(beta)
        } else if score >= window.beta {
            HintTest::Extension(-1)
        } else {
            HintTest::Extension(0)
        })
    }

    /// Whether a move other than the hint is worth `beta`: a bound on the best of them.
    #[inline(never)] // The list is large, and most nodes do without it.
    fn search_others(
        &mut self,
        beta: Score,
        depth: i32,
        ply: usize,
        moves: &[Move],
        hint: usize,
    ) -> Result<Score, Stopped> {
        let window = Window {
            alpha: beta.previous(),
            beta,
        };
        self.observer.announce(None, Purpose::Shallow);
        self.enter(window, depth)?;
        let mut ranked = RankedMove::new();
        self.order
            .rank(&self.path, ply, moves, None, &self.on, &mut ranked);
        let mut best = Score::lost_in(ply as u32);
        let others = std::iter::from_fn(|| ranked.next()).filter(|&place| place != hint);
        for (i, place) in others.enumerate() {
            let m = moves[place];
            let reduction = self.reduction(m, i + 1, depth, false);
            self.path.play(ply, m);
            best = best.max(self.child(window, depth - 1, reduction, ply, false, m)?);
            if best >= beta {
                break;
            }
        }
        Ok(self.leave(best, VisitEnd::Searched))
    }

    /// Tries the moves of a node one after the other, and tells the table.
    #[inline]
    fn search_moves(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        moves: &[Move],
        hint: Option<usize>,
        hint_extension: i32,
    ) -> Result<Score, Stopped> {
        let is_pv = window.is_open();
        let extension = self.extension(moves, ply, is_pv);
        let mut picker = MovePicker::new(hint.filter(|&place| place < moves.len()));
        let mut tried: arrayvec::ArrayVec<Move, { checkers_lib::MAX_MOVES }> = Default::default();
        let mut open = window;
        let (mut best, mut best_place) = (Score::lost_in(ply as u32), None);
        while let Some(place) = self.pick(&mut picker, moves, depth, ply) {
            let m = moves[place];
            let reduction = self.reduction(m, tried.len(), depth, is_pv);
            let is_first = tried.is_empty();
            let longer = extension + if is_first { hint_extension } else { 0 };
            let child_depth = depth - 1 + longer;
            self.path.play(ply, m);
            if is_pv {
                self.lines[ply + 1].clear();
            }
            tried.push(m);
            let score = self.child(open, child_depth, reduction, ply, is_first, m)?;
            if score > best {
                best = score;
                if score > open.alpha {
                    best_place = Some(place);
                    open.alpha = score;
                    if is_pv {
                        self.record(ply, m);
                    }
                }
                if open.is_closed() {
                    if !m.is_capture() {
                        self.order.learn(&self.path, ply, &tried, depth);
                    }
                    break;
                }
            }
        }
        self.remember(window, best, best_place, depth, ply);
        Ok(self.leave(best, VisitEnd::Searched))
    }

    /// The place of the next move to try. What the table has on its position, and on that of the move
    /// after it, is asked for already.
    #[inline]
    fn pick(
        &self,
        picker: &mut MovePicker,
        moves: &[Move],
        depth: i32,
        ply: usize,
    ) -> Option<usize> {
        if !picker.is_ranked {
            if let Some(place) = picker.hint.filter(|_| !picker.is_hint_tried) {
                picker.is_hint_tried = true;
                self.prefetch_child(Some(place), moves, depth, ply);
                return Some(place);
            }
            picker.is_ranked = true;
            let ranked = &mut picker.ranked;
            self.order
                .rank(&self.path, ply, moves, picker.hint, &self.on, ranked);
            if picker.is_hint_tried {
                picker.ranked.next();
            }
            picker.next = picker.ranked.next();
            self.prefetch_child(picker.next, moves, depth, ply);
        }
        let place = picker.next;
        picker.next = picker.ranked.next();
        self.prefetch_child(picker.next, moves, depth, ply);
        place
    }

    /// Has what the table knows of the position after a move fetched, before anybody asks.
    #[inline]
    fn prefetch_child(&self, place: Option<usize>, moves: &[Move], depth: i32, ply: usize) {
        if depth > PARAMS.table_depth
            && let Some(place) = place
        {
            let key = self.path.position(ply).key_after(moves[place]);
            self.table.prefetch(self.contempt.key(key));
        }
    }

    /// By how much the node's moves are searched deeper: where there is no choice, and where a
    /// capture is taken back on the principal variation.
    ///
    /// CITE: T. Anantharaman, M. Campbell, F. Hsu, "Singular Extensions: Adding Selectivity to
    /// Brute-Force Searching", Artificial Intelligence 43(1), 1990, for extensions of forced play.
    #[inline]
    fn extension(&self, moves: &[Move], ply: usize, is_pv: bool) -> i32 {
        let is_forced = self.on.single_reply && moves.len() == 1;
        let was_capture = || self.path.last_move(ply).is_some_and(Move::is_capture);
        let takes_back = self.on.recapture && is_pv && moves[0].is_capture() && was_capture();
        i32::from(is_forced || takes_back)
    }

    #[inline]
    fn remember(
        &mut self,
        window: Window,
        score: Score,
        best: Option<usize>,
        depth: i32,
        ply: usize,
    ) {
        if !self.on.table || depth < PARAMS.table_depth {
            return;
        }
        let bound = if score >= window.beta {
            Bound::Lower
        } else if best.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let known = TtEntry {
            depth: depth as u32,
            bound,
            score: score.seen_from_node(ply as u32),
            best,
        };
        let key = self.path.position(ply).key();
        self.table.store(self.contempt.key(key), known);
    }
}

/// The result of comparing the table's move with the others.
enum HintTest {
    /// The move is searched this many plies deeper.
    Extension(i32),
    /// The node is cut off with this lower bound.
    Cut(Score),
}

/// The moves of a node, one by one. Most often the table's move is all that is needed, so that the
/// others are ranked after it.
struct MovePicker {
    hint: Option<usize>,
    is_hint_tried: bool,
    is_ranked: bool,
    ranked: RankedMove,
    /// The one after the one that is searched.
    next: Option<usize>,
}

impl MovePicker {
    #[inline]
    fn new(hint: Option<usize>) -> MovePicker {
        MovePicker {
            hint,
            is_hint_tried: false,
            is_ranked: false,
            ranked: RankedMove::new(),
            next: None,
        }
    }
}

/// The score of an entry that settles the node.
#[inline]
fn settles(known: TtEntry, window: Window, depth: i32, ply: usize) -> Option<Score> {
    let score = known.score.seen_from_root(ply as u32);
    let is_deep_enough = known.depth as i32 >= depth || is_decided(score);
    if !is_deep_enough {
        return None;
    }
    let settles = match known.bound {
        Bound::Exact => known.depth as i32 >= depth,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    settles.then_some(score)
}

#[inline]
fn is_decided(score: Score) -> bool {
    score.is_win() || score.is_loss()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use checkers_lib::{DrawRules, Game};

    use super::super::table::SharedTable;
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::{Options, Tuning};

    fn worker_at(fen: &str) -> Worker<()> {
        let game = Game::from_position(fen.parse().unwrap(), DrawRules::Fmjd64);
        let table = Arc::new(SharedTable::new(1));
        let mut worker = Worker::new(Evaluation::Material, table, &Options::default(), None, ());
        worker.path.begin(&game);
        worker
    }

    /// The null window that a score of `beta` is above.
    fn below(beta: Score) -> Window {
        Window {
            alpha: beta.previous(),
            beta,
        }
    }

    #[test]
    fn an_evaluation_far_above_the_window_cuts_off_near_the_leaves() {
        let mut worker = worker_at("W:Wc1,e1,g1:Bd8");
        let value = worker.evaluate(0);
        let Tuning {
            futility_depth,
            futility_margin,
            ..
        } = Tuning::DEFAULT;
        for depth in 1..=futility_depth {
            let beta = Score::new(value.value() - futility_margin * depth);
            assert_eq!(worker.static_cut(below(beta), depth, 0), Some(value));
            assert_eq!(worker.static_cut(below(beta.next()), depth, 0), None);
        }
        let far_below = below(Score::new(-2000));
        let deeper = futility_depth + 1;
        assert_eq!(worker.static_cut(far_below, deeper, 0), None);
    }

    #[test]
    fn no_evaluation_cuts_off_under_attack_or_at_a_win_or_loss() {
        let far_below = below(Score::new(-2000));
        // Black takes the man on c3 unless White does something about it.
        let mut threatened = worker_at("W:Wa1,g1,c3,h2,h4:Bd4,e5");
        assert_eq!(threatened.static_cut(far_below, 1, 0), None);
        let mut quiet = worker_at("W:Wa1,g1,c3,h2,h4:Bd6,e5");
        assert!(quiet.static_cut(far_below, 1, 0).is_some());
        let lost = below(Score::lost_in(20));
        assert_eq!(quiet.static_cut(lost, 1, 0), None);
    }
}
