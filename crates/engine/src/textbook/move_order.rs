//! In which order the moves of a position are tried: a good move early cuts the others off.

use arrayvec::ArrayVec;
use checkers_lib::{ByColor, Color, MAX_MOVES, Move, MoveList, Position};

use super::oracle::Oracle;
use super::search_state::LONGEST_LINE;
use crate::budget::Stopped;
use crate::{Limits, MoveOrder};

/// What earlier nodes tell about the moves of this one.
///
/// CITE: killers after D. J. Slate, L. R. Atkin, "Chess 4.5", 1977; history after J. Schaeffer,
/// "The History Heuristic", ICCA Journal 6(3), 1983.
pub(crate) struct OrderedMoves {
    /// The last two quiet moves that cut off at each ply, the last one first.
    killers: [[Option<Move>; 2]; LONGEST_LINE],
    /// How much each quiet move, by its squares, cut off so far.
    history: ByColor<[[u32; 32]; 32]>,
}

/// Ranks of moves, from the bottom up: history below the killers, both below the best move of the
/// table. Captures never meet quiet moves, and rank by what they take.
const MOST_HISTORY: u32 = 1 << 28;
const SECOND_KILLER: u32 = MOST_HISTORY + 1;
const FIRST_KILLER: u32 = MOST_HISTORY + 2;
const HINT: u32 = MOST_HISTORY + 3;

/// The order in which a textbook search tries moves.
pub(crate) struct Tries {
    order: TryOrder,
    /// The best move at the root in the iteration before.
    first: Option<Move>,
}

/// [`MoveOrder`], with what each needs.
enum TryOrder {
    Generated,
    Learnt(Box<OrderedMoves>),
    True(Box<Oracle>),
}

impl Tries {
    pub(crate) fn new(order: MoveOrder, seed: u64) -> Tries {
        let order = match order {
            MoveOrder::Generated => TryOrder::Generated,
            MoveOrder::Learnt => TryOrder::Learnt(Box::new(OrderedMoves::new())),
            MoveOrder::Best => TryOrder::True(Box::new(Oracle::new(seed, false))),
            MoveOrder::Worst => TryOrder::True(Box::new(Oracle::new(seed, true))),
        };
        Tries { order, first: None }
    }

    /// Gets ready for the iterations of one choice within `limits`.
    pub(crate) fn begin(&mut self, limits: &Limits) {
        self.first = None;
        match &mut self.order {
            TryOrder::Generated => {}
            TryOrder::Learnt(order) => order.age(),
            TryOrder::True(oracle) => oracle.begin(limits),
        }
    }

    /// Frees what only the choice that is made needed.
    pub(crate) fn end(&mut self) {
        if let TryOrder::True(oracle) = &mut self.order {
            oracle.forget();
        }
    }

    /// Forgets the previous game.
    pub(crate) fn forget(&mut self) {
        self.first = None;
        if let TryOrder::Learnt(order) = &mut self.order {
            order.clear();
        }
    }

    /// Whether moves are tried in another order than the generator's.
    #[inline]
    pub(crate) fn is_ordered(&self) -> bool {
        !matches!(self.order, TryOrder::Generated)
    }

    /// Notes the best move at the root, for the next iteration.
    pub(crate) fn remember(&mut self, best: Option<Move>) {
        self.first = best;
    }

    /// Sorts the moves of a position that is searched `depth` plies deep. `hint` is the move that
    /// a table says was best.
    ///
    /// # Errors
    /// When the search is to end.
    #[inline]
    pub(crate) fn sort(
        &mut self,
        position: &Position,
        moves: &mut MoveList,
        hint: Option<Move>,
        depth: u32,
        ply: u32,
    ) -> Result<(), Stopped> {
        let mut ordered = Ordered::new();
        match &mut self.order {
            TryOrder::Generated => return Ok(()),
            TryOrder::Learnt(order) => {
                let hint = if ply == 0 { self.first } else { hint };
                let hint = hint.and_then(|hint| moves.iter().position(|&m| m == hint));
                order.sort(position, moves, hint, ply, &mut ordered);
            }
            TryOrder::True(oracle) => oracle.sort(position, moves, depth, &mut ordered)?,
        }
        let generated = moves.clone();
        for (m, place) in moves.as_mut_slice().iter_mut().zip(ordered.places()) {
            *m = generated[place];
        }
        Ok(())
    }

    /// Notes that a move cut off the others at a node searched `depth` plies deep.
    #[inline]
    pub(crate) fn learn(&mut self, side: Color, m: Move, depth: u32, ply: u32) {
        if let TryOrder::Learnt(order) = &mut self.order {
            order.learn(side, m, depth, ply);
        }
    }
}

/// The places of moves in the order in which to try them.
///
/// Each is one word, the rank above the place turned round: sorting needs no comparer. The list is
/// made where it is used, as that of the moves, because moving 4 KiB costs more than sorting.
pub(crate) struct Ordered(ArrayVec<u64, MAX_MOVES>);

impl Ordered {
    #[inline]
    pub(crate) fn new() -> Ordered {
        Ordered(ArrayVec::new())
    }

    #[inline]
    fn word(rank: u32, place: usize) -> u64 {
        u64::from(rank) << 32 | u64::from(u32::MAX - place as u32)
    }

    /// Sorts places from 0 on by their ranks, the highest first, those of equal rank as they come.
    ///
    /// # Errors
    /// When the search ends before all ranks are known.
    pub(crate) fn sort_by_ranks(
        &mut self,
        ranks: impl Iterator<Item = Result<u32, Stopped>>,
    ) -> Result<(), Stopped> {
        self.0.clear();
        for (place, rank) in ranks.enumerate() {
            self.0.push(Ordered::word(rank?, place));
        }
        self.0.sort_unstable();
        Ok(())
    }

    /// The places of the moves in generation order, the best first.
    #[inline]
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().rev();
        words.map(|&word| (u32::MAX - word as u32) as usize)
    }
}

impl OrderedMoves {
    pub(crate) fn new() -> OrderedMoves {
        OrderedMoves {
            killers: [[None; 2]; LONGEST_LINE],
            history: ByColor::new_with(|_| [[0; 32]; 32]),
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        *self = OrderedMoves::new();
    }

    /// Makes what was learnt before the present move count less.
    pub(crate) fn age(&mut self) {
        self.killers = [[None; 2]; LONGEST_LINE];
        self.halve();
    }

    /// Puts the moves of a position into the order in which to try them. `hint` is the place of the
    /// move that was best before; of equal ranks the first in generation order comes first.
    #[inline]
    pub(crate) fn sort(
        &self,
        position: &Position,
        moves: &[Move],
        hint: Option<usize>,
        ply: u32,
        ordered: &mut Ordered,
    ) {
        ordered.0.clear();
        for (place, &m) in moves.iter().enumerate() {
            let rank = match hint {
                Some(hint) if hint == place => HINT,
                _ => self.rank(position, m, ply),
            };
            ordered.0.push(Ordered::word(rank, place));
        }
        ordered.0.sort_unstable();
    }

    #[inline]
    fn rank(&self, position: &Position, m: Move, ply: u32) -> u32 {
        if m.is_capture() {
            let kings = position.kings(!position.turn()) & m.captured();
            return m.captured().len() + 2 * kings.len();
        }
        let [first, second] = self.killers[ply as usize];
        if first == Some(m) {
            FIRST_KILLER
        } else if second == Some(m) {
            SECOND_KILLER
        } else {
            self.history[position.turn()][m.from().index()][m.to().index()]
        }
    }

    /// Notes that a move cut off the others at a node searched `depth` plies deep.
    pub(crate) fn learn(&mut self, side: Color, m: Move, depth: u32, ply: u32) {
        if m.is_capture() {
            return;
        }
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let history = &mut self.history[side][m.from().index()][m.to().index()];
        *history += depth * depth;
        if *history > MOST_HISTORY {
            self.halve();
        }
    }

    fn halve(&mut self) {
        for side in Color::ALL {
            for count in self.history[side].as_flattened_mut() {
                *count /= 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order(order: &OrderedMoves, position: &Position, hint: Option<usize>) -> Vec<String> {
        let moves = position.legal_moves();
        let mut ordered = Ordered::new();
        order.sort(position, &moves, hint, 3, &mut ordered);
        ordered
            .places()
            .map(|place| position.notation(moves[place]))
            .collect()
    }

    #[test]
    fn without_knowledge_quiet_moves_keep_their_order() {
        let start = Position::start();
        let moves = start.legal_moves();
        let generated: Vec<String> = moves.iter().map(|&m| start.notation(m)).collect();
        assert_eq!(in_order(&OrderedMoves::new(), &start, None), generated);
    }

    #[test]
    fn the_hint_comes_first_then_killers_then_history() {
        let start = Position::start();
        let moves = start.legal_moves();
        let mut order = OrderedMoves::new();
        let side = start.turn();
        for (place, depth, ply) in [(6, 9, 8), (5, 1, 3), (4, 1, 3), (3, 2, 8)] {
            order.learn(side, moves[place], depth, ply);
        }
        let expected = [2, 4, 5, 6, 3, 0, 1].map(|place| start.notation(moves[place]));
        assert_eq!(in_order(&order, &start, Some(2)), expected);
        order.age();
        let expected = [2, 6, 3, 0, 1, 4, 5].map(|place| start.notation(moves[place]));
        assert_eq!(in_order(&order, &start, Some(2)), expected);
    }

    #[test]
    fn the_capture_that_takes_most_comes_first() {
        for (fen, generated, ordered) in [
            ("W:Wc1,e1:Bb2,Kf2", ["c1:a3", "e1:g3"], ["e1:g3", "c1:a3"]),
            ("W:Wc1,e1:Bb2,f2,f4", ["c1:a3", "e1:e5"], ["e1:e5", "c1:a3"]),
        ] {
            let position: Position = fen.parse().unwrap();
            let moves = position.legal_moves();
            let names: Vec<String> = moves.iter().map(|&m| position.notation(m)).collect();
            assert_eq!(names, generated);
            assert_eq!(in_order(&OrderedMoves::new(), &position, None), ordered);
        }
    }

    #[test]
    fn history_never_reaches_the_killers() {
        let start = Position::start();
        let m = start.legal_moves()[0];
        let mut order = OrderedMoves::new();
        for _ in 0..MOST_HISTORY / (64 * 64) + 2 {
            order.learn(start.turn(), m, 64, 0);
        }
        assert!(order.rank(&start, m, 9) <= MOST_HISTORY);
        assert!(order.rank(&start, m, 9) > MOST_HISTORY / 4);
    }
}
