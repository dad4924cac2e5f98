//! One thread's search of the tree.

use std::sync::Arc;

use arrayvec::ArrayVec;
use checkers_lib::{Color, Game, Move, Position};

use super::contempt::Contempt;
use super::frame::{MAX_PLY, Path};
use super::order::Order;
use super::params::PARAMS;
use super::reduction::Reductions;
use super::table::SharedTable;
use crate::budget::{Budget, Stopped};
use crate::evaluation::Evaluation;
use crate::tablebase::endings::{EndingScope, Endings};
use crate::tree::{Observer, Purpose, VisitEnd};
use crate::{Options, Score, Techniques, Tuning};

/// A principal variation.
pub(super) type Pv = ArrayVec<Move, MAX_PLY>;

/// What a thread needs to search on its own; the table is shared.
pub(super) struct Worker<O> {
    pub(super) path: Path,
    pub(super) table: Arc<SharedTable>,
    pub(super) order: Order,
    pub(super) on: Techniques,
    pub(super) tuning: Tuning,
    reductions: Reductions,
    /// What a draw is worth.
    pub(super) contempt: Contempt,
    pub(super) budget: Budget,
    /// The best line from each ply on.
    pub(super) lines: Vec<Pv>,
    pub(super) endings: Option<Endings>,
    /// What is looked up there.
    pub(super) scope: EndingScope,
    /// The moves to search at the root, in the order in which to try them, the best line's first.
    pub(super) root_moves: Vec<Move>,
    /// What the line from the root is worth.
    pub(super) root_score: Score,
    /// Where lines end at the present iteration, however many extensions they have.
    pub(super) deepest_ply: usize,
    pub(super) observer: O,
}

/// What to search at the root.
#[derive(Clone)]
pub(super) struct RootMoves {
    pub(super) moves: Vec<Move>,
    /// What is looked up.
    pub(super) scope: EndingScope,
}

/// The search window: the true score is of interest only between its ends.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window {
        alpha: Score::lost_in(0).previous(),
        beta: Score::WIN.next(),
    };

    /// The null window just above alpha.
    #[inline]
    pub(super) fn scout(self) -> Window {
        Window {
            alpha: self.alpha,
            beta: self.alpha.next(),
        }
    }

    /// The same window in the other side's eyes.
    #[inline]
    pub(super) fn turned(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }

    /// Whether it holds more than a yes or no.
    #[inline]
    pub(super) fn is_open(self) -> bool {
        self.alpha.next() < self.beta
    }

    #[inline]
    pub(super) fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }
}

impl<O: Observer> Worker<O> {
    pub(super) fn new(
        evaluation: Evaluation,
        table: Arc<SharedTable>,
        options: &Options,
        endings: Option<Endings>,
        observer: O,
    ) -> Worker<O> {
        Worker {
            path: Path::new(evaluation),
            table,
            order: Order::new(&options.tuning),
            on: options.techniques,
            tuning: options.tuning,
            reductions: Reductions::new(options.tuning.reduction_divisor),
            contempt: Contempt::default(),
            budget: Budget::new(&crate::Limits::default(), None, 1),
            lines: vec![Pv::new(); MAX_PLY + 2],
            endings,
            scope: EndingScope::default(),
            root_moves: Vec::new(),
            root_score: Score::ZERO,
            deepest_ply: MAX_PLY,
            observer,
        }
    }

    /// Forgets the game before.
    pub(super) fn forget(&mut self) {
        self.order = Order::new(&self.tuning);
    }

    /// Gets ready to search the present position of a game.
    pub(super) fn begin(
        &mut self,
        game: &Game,
        root: RootMoves,
        contempt: Contempt,
        budget: Budget,
    ) {
        self.path.begin(game);
        self.order.age();
        self.root_moves = root.moves;
        self.scope = root.scope;
        self.contempt = contempt;
        self.budget = budget;
        self.lines[0].clear();
    }

    /// Searches the root `depth` plies deep and leaves its best line in `lines[0]`, empty if no
    /// move was better than the window's lower end.
    ///
    /// # Errors
    /// When the search was stopped; the line is that of the best move tried by then, perhaps empty.
    pub(super) fn search_root(&mut self, window: Window, depth: u32) -> Result<Score, Stopped> {
        self.enter(window, depth as i32)?;
        self.lines[0].clear();
        let longest = PARAMS.line_factor * depth as usize + PARAMS.line_more;
        self.deepest_ply = longest.min(MAX_PLY - 1);
        let mut window = window;
        let mut best = Score::lost_in(0);
        for i in 0..self.root_moves.len() {
            let m = self.root_moves[i];
            self.path.play(0, m);
            self.lines[1].clear();
            let reduction = self.reduction(m, i, depth as i32, true);
            let score = self.child(window, depth as i32 - 1, reduction, 0, i == 0, m)?;
            if score > best {
                best = score;
                if score > window.alpha {
                    window.alpha = score;
                    self.record(0, m);
                    self.root_score = score;
                    // It is tried first from now on.
                    self.root_moves[..=i].rotate_right(1);
                }
                if window.is_closed() {
                    break;
                }
            }
        }
        Ok(self.leave(best, VisitEnd::Searched))
    }

    /// Enters a node.
    ///
    /// # Errors
    /// When the search is to end.
    #[inline]
    pub(super) fn enter(&mut self, window: Window, depth: i32) -> Result<(), Stopped> {
        self.budget.spend()?;
        self.observer.enter(window.alpha, window.beta, depth);
        Ok(())
    }

    /// Leaves the node entered last with its value.
    #[inline]
    pub(super) fn leave(&mut self, value: Score, end: VisitEnd) -> Score {
        self.observer.leave(value, end);
        value
    }

    /// Searches the child that `m` was just played to at `ply`: the first one with the window, others
    /// with a null window and, if they are better than expected, anew.
    #[inline]
    pub(super) fn child(
        &mut self,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        is_first: bool,
        m: Move,
    ) -> Result<Score, Stopped> {
        if is_first {
            self.observer.announce(Some(m), Purpose::Move);
            return Ok(-self.search_node(window.turned(), depth, ply + 1)?);
        }
        let scout = window.scout().turned();
        let purpose = match reduction {
            0 => Purpose::Move,
            plies => Purpose::Reduced(plies as u8),
        };
        self.observer.announce(Some(m), purpose);
        let mut score = -self.search_node(scout, depth - reduction, ply + 1)?;
        if reduction > 0 && score > window.alpha {
            self.observer.announce(Some(m), Purpose::ReSearch);
            score = -self.search_node(scout, depth, ply + 1)?;
        }
        if score > window.alpha && score < window.beta {
            self.observer.announce(Some(m), Purpose::ReSearch);
            score = -self.search_node(window.turned(), depth, ply + 1)?;
        }
        Ok(score)
    }

    /// By how many plies a move is searched less deep that comes `i`-th in the order.
    #[inline]
    pub(super) fn reduction(&self, m: Move, i: usize, depth: i32, is_pv: bool) -> i32 {
        if !self.on.reductions || depth < PARAMS.reduction_depth || m.is_capture() || m.promotes() {
            return 0;
        }
        let plies = self.reductions.plies(depth, i);
        if !is_pv {
            plies
        } else if i >= self.tuning.reduction_first {
            (plies - 1).max(0)
        } else {
            0
        }
    }

    /// Notes that `m` is the best move so far at `ply`; the best play after it is that of the child
    /// searched last, whose line was cleared before.
    #[inline]
    pub(super) fn record(&mut self, ply: usize, m: Move) {
        if let [line, after, ..] = &mut self.lines[ply..] {
            line.clear();
            line.push(m);
            let room = MAX_PLY - 1;
            line.extend(after.iter().copied().take(room));
        }
    }

    /// The evaluation of the position at `ply`, as a score.
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize) -> Score {
        let value = self.path.evaluate(ply);
        let position = self.path.position(ply);
        if let Some(winner) = self.scope.winner(position) {
            let is_ours = winner == position.turn();
            let progress = PARAMS.won_row * rows_advanced(position, winner);
            return won(
                if is_ours {
                    value + progress
                } else {
                    value - progress
                },
                is_ours,
            );
        }
        if self.on.drawish && super::drawish::is_drawish(position, value) {
            let draw = self.contempt.draw(ply).value();
            return Score::new(draw + (value - draw) / PARAMS.drawish_divisor);
        }
        Score::new(value)
    }

    /// The score of a position that a table of endings has, if it has no capture and is not on the
    /// way from the root to the end.
    #[inline]
    pub(super) fn look_up_ending(&self, ply: usize) -> Option<Score> {
        let position = self.path.position(ply);
        if !self.scope.contains(position) {
            return None;
        }
        let endings = self.endings.as_ref()?;
        let draw = self.contempt.draw(ply);
        endings.score(position, ply as u32, &self.scope, draw)
    }

    /// Whether the game is drawn at `ply`, where the side to move has a move.
    #[inline]
    pub(super) fn is_drawn(&self, ply: usize) -> bool {
        (self.on.repetition && self.path.is_repeated(ply))
            || (self.on.articles && self.path.is_drawn(ply))
    }
}

/// The score of a position that the tables say is won for the side to move, or lost for it, but not
/// in how many plies: above a draw, whatever the evaluation says, and the better the more it sees.
#[inline]
fn won(value: i32, is_ours: bool) -> Score {
    let most = PARAMS.won_bonus - 1;
    let value = value.clamp(-most, most);
    Score::new(if is_ours {
        value + PARAMS.won_bonus
    } else {
        value - PARAMS.won_bonus
    })
}

/// How many rows the men of a side have come, all together: a win that no table tells the way to
/// mostly takes another king, and the count of a draw article does not wait for it.
#[inline]
fn rows_advanced(position: &Position, side: Color) -> i32 {
    let rows = position.men(side).into_iter();
    rows.map(|square| i32::from(square.row_from(side))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_won_is_above_a_draw_whatever_it_looks_like() {
        let looks = [-30_000, -50, 0, 50, 30_000];
        let scores = looks.map(|value| won(value, true));
        assert!(scores.is_sorted() && scores[0] > Score::ZERO);
        assert!(scores[4].plies_to_end().is_none());
        for (value, score) in looks.into_iter().zip(scores) {
            assert_eq!(won(-value, false), -score);
        }
    }
}
