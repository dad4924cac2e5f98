//! One iteration: NegaScout with ordered moves, a transposition table and a quiescence search.

use checkers_lib::{Move, MoveList, Position};

use crate::budget::Stopped;
use crate::evaluation::textbook::{Evaluation, PieceRows};
use crate::score::Bound;
use crate::tablebase::endings::{EndingScope, Endings, Root};
use crate::textbook::fixed_depth::after;
use crate::textbook::move_order::{Ordered, OrderedMoves};
use crate::textbook::search_state::SearchState;
use crate::textbook::table::{TwoDeepEntry, TwoDeepTable};
use crate::tree::{Observer, Purpose, VisitEnd};
use crate::{Accept, Limits, Options, Score};

/// The least depth for which the table is asked and told: searching a position one ply deep is
/// faster than looking it up.
const SHALLOWEST: u32 = 2;

/// NegaScout with a transposition table, moves ordered by the table, killers and history, and a
/// quiescence search.
///
/// The search knows positions, not how they came about: no repetition and no draw. Without
/// quiescence and endgame tables and with [`Accept::Exact`] its score is minimax's of the same
/// depth; of several moves worth it any may be chosen, because moves are not tried in generation
/// order.
///
/// CITE: A. Reinefeld, "An Improvement to the Scout Tree Search Algorithm", ICCA Journal 6(4),
/// 1983; quiescence after A. L. Samuel, "Some Studies in Machine Learning Using the Game of
/// Checkers", 1959, who searched on where a capture was pending.
pub(super) struct OrderedNegaScout<O> {
    evaluation: Evaluation<PieceRows>,
    table: TwoDeepTable<TwoDeepEntry>,
    accept: Accept,
    quiescence: bool,
    order: OrderedMoves,
    state: SearchState<O>,
    /// The place of the best move at the root in the iteration before.
    best_before: Option<usize>,
    endings: Option<Endings>,
    /// What is looked up. This search sees no draws: it looks for the way to fewer pieces alone.
    scope: EndingScope,
    /// The moves to search at the root; all if there is none.
    root_moves: Vec<Move>,
}

impl<O: Observer> OrderedNegaScout<O> {
    pub(super) fn new(options: &Options, observer: &O) -> OrderedNegaScout<O> {
        OrderedNegaScout {
            evaluation: Evaluation::new(options.seed),
            table: TwoDeepTable::new(options.tt),
            accept: options.tt_accept,
            quiescence: options.quiescence,
            order: OrderedMoves::new(),
            state: SearchState::new(observer),
            best_before: None,
            endings: options.tablebase.then(Endings::shared),
            scope: EndingScope::default(),
            root_moves: Vec::new(),
        }
    }

    /// What the tables say of the root, which has a move; nothing without tables.
    pub(super) fn look_up_root(&self, root: &Position) -> Option<Root> {
        let endings = self.endings.as_ref()?;
        endings.wait();
        Some(endings.at_root(root))
    }

    /// Reports a root whose value the tables know.
    pub(super) fn report_known(&mut self, value: Score) {
        self.state.report_known(value);
    }

    /// Gets ready for the iterations of one move, with what the tables say of the root.
    pub(super) fn begin(&mut self, limits: &Limits, root: Option<Root>) {
        (self.scope, self.root_moves) = match root {
            Some(Root::Search { moves, scope }) => (scope.below_the_root(), moves),
            Some(Root::Known { .. }) | None => (EndingScope::default(), Vec::new()),
        };
        self.table.prepare();
        self.order.age();
        self.state.begin(limits, limits.most_time());
        self.best_before = None;
    }

    /// Searches `depth` plies deep and leaves the best line from the root in the state. The first
    /// move tried is the best of the iteration before.
    ///
    /// # Errors
    /// When the search was stopped; the line is that of the best move tried by then, perhaps
    /// empty.
    pub(super) fn iterate(&mut self, root: &Position, depth: u32) -> Result<(), Stopped> {
        self.state.line().moves.clear();
        self.value(root, -Score::WIN, Score::WIN, depth, 0)?;
        let best = self.state.line().moves.first().copied();
        let moves = root.legal_moves();
        self.best_before = moves.iter().position(|&m| Some(m) == best);
        Ok(())
    }

    /// The move to play where nothing was searched: `first` unless the tables know better.
    pub(super) fn first_of(&self, first: Move) -> Move {
        self.root_moves.first().copied().unwrap_or(first)
    }

    pub(super) fn forget(&mut self) {
        if let Some(endings) = &self.endings {
            endings.wait();
        }
        self.table.clear();
        self.order.clear();
    }

    pub(super) fn state(&mut self) -> &mut SearchState<O> {
        &mut self.state
    }

    /// What `position` is worth to its side to move after `depth` plies. Between `alpha` and
    /// `beta` the answer is exact; at or below `alpha` it is an upper bound, at or above `beta` a
    /// lower one.
    fn value(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        depth: u32,
        ply: u32,
    ) -> Result<Score, Stopped> {
        self.state.enter(ply, alpha, beta, depth)?;
        if let Some(score) = self.look_up_ending(position, ply) {
            return Ok(self.state.leave(score, VisitEnd::Tablebase));
        }
        if depth == 0 {
            return self.leaf(position, alpha, beta, ply);
        }
        // The root needs a move, not just a score.
        if ply > 0
            && let Some((score, bound)) = self.look_up(position, alpha, beta, depth, ply)
        {
            return Ok(self.state.leave(score, VisitEnd::TableHit(bound)));
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let hint = self.hint(position, depth, ply);
        let mut ordered = Ordered::new();
        self.order.sort(position, &moves, hint, ply, &mut ordered);
        let (mut best, mut best_place) = (Score::lost_in(ply), 0);
        let mut bound = Bound::Upper;
        let mut scout = beta;
        for place in ordered.places() {
            let m = moves[place];
            if ply == 0 && !self.root_moves.is_empty() && !self.root_moves.contains(&m) {
                continue;
            }
            let child = after(position, m);
            self.state.announce(m, Purpose::Move);
            let mut score = -self.value(&child, -scout, -alpha, depth - 1, ply + 1)?;
            if scout < beta && alpha < score && score < beta {
                // From one below the score on, so that a value equal to it comes with its line.
                let floor = score.previous();
                self.state.announce(m, Purpose::ReSearch);
                score = -self.value(&child, -beta, -floor, depth - 1, ply + 1)?;
            }
            if score > best {
                (best, best_place) = (score, place);
                if best >= beta {
                    bound = Bound::Lower;
                    self.order.learn(position.turn(), m, depth, ply);
                    break;
                }
                if best > alpha {
                    alpha = best;
                    bound = Bound::Exact;
                    self.state.record(ply, m, best);
                }
            }
            scout = alpha.next();
        }
        let score = best.seen_from_node(ply);
        self.store(
            position,
            TwoDeepEntry {
                depth,
                bound,
                score,
                best: best_place,
            },
        );
        Ok(self.state.leave(best, VisitEnd::Searched))
    }

    /// What `position` is worth where the iteration ends: its evaluation once no capture is
    /// pending. Captures are compulsory, so that until then there are no other moves.
    fn leaf(
        &mut self,
        position: &Position,
        mut alpha: Score,
        beta: Score,
        ply: u32,
    ) -> Result<Score, Stopped> {
        if !self.quiescence || !position.must_capture() {
            let value = self.evaluation.leaf(position, ply);
            return Ok(self.state.leave(value, VisitEnd::Leaf));
        }
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let mut best = Score::lost_in(ply);
        let mut ordered = Ordered::new();
        self.order.sort(position, &moves, None, ply, &mut ordered);
        for place in ordered.places() {
            let m = moves[place];
            self.state.announce(m, Purpose::Move);
            let score = -self.value(&after(position, m), -beta, -alpha, 0, ply + 1)?;
            if score > best {
                best = score;
                if best >= beta {
                    break;
                }
                if best > alpha {
                    alpha = best;
                    self.state.record(ply, m, best);
                }
            }
        }
        Ok(self.state.leave(best, VisitEnd::Searched))
    }

    /// The score of a position that a table of endings has. One with a capture is searched.
    #[inline]
    fn look_up_ending(&self, position: &Position, ply: u32) -> Option<Score> {
        if !self.scope.contains(position) || ply == 0 || position.must_capture() {
            return None;
        }
        self.endings
            .as_ref()?
            .score(position, ply, &self.scope, Score::ZERO)
    }

    /// The score of an entry that settles the node, and which bound it is.
    #[inline]
    fn look_up(
        &self,
        position: &Position,
        alpha: Score,
        beta: Score,
        depth: u32,
        ply: u32,
    ) -> Option<(Score, Bound)> {
        let accept = self.accept;
        let entry = self.probe(position, depth, |known| accept.accepts(known, depth))?;
        let score = entry.score.seen_from_root(ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        settles.then_some((score, entry.bound))
    }

    /// The place of the move to try first.
    #[inline]
    fn hint(&self, position: &Position, depth: u32, ply: u32) -> Option<usize> {
        if ply == 0 {
            return self.best_before;
        }
        let entry = self.probe(position, depth, |_| true)?;
        Some(entry.best)
    }

    #[inline]
    fn probe(
        &self,
        position: &Position,
        depth: u32,
        accepts: impl Fn(u32) -> bool,
    ) -> Option<TwoDeepEntry> {
        if depth < SHALLOWEST {
            return None;
        }
        self.table.probe(position.key(), accepts)
    }

    #[inline]
    fn store(&mut self, position: &Position, entry: TwoDeepEntry) {
        if entry.depth >= SHALLOWEST {
            self.table.store(position.key(), entry);
        }
    }
}
