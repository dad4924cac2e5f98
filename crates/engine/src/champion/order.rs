//! In which order the moves of a position are tried: a good move early cuts the others off.

use arrayvec::ArrayVec;
use checkers_lib::{ByColor, Color, MAX_MOVES, Move, Position};

use super::frame::MAX_PLY;
use super::params::PARAMS;
use super::techniques::Techniques;

/// What earlier nodes tell about the quiet moves of this one.
///
/// CITE: killers after D. J. Slate, L. R. Atkin, "Chess 4.5", 1977; history after J. Schaeffer,
/// "The History Heuristic", ICCA Journal 6(3), 1983, with a bonus that shrinks towards a greatest
/// value ("gravity"), as is usual today.
pub(super) struct Order {
    /// The last two quiet moves that cut off at each ply, the last one first.
    killers: [[Option<Move>; 2]; MAX_PLY],
    /// How well each quiet move, by its squares, has done so far.
    history: ByColor<[[i16; 32]; 32]>,
}

// Ranks of moves, from the bottom up: history, killers, the move of the table. Captures never meet
// quiet moves, and rank by what they take.
const SECOND_KILLER: i32 = 1 << 20;
const FIRST_KILLER: i32 = SECOND_KILLER + 1;
const HINT: i32 = 1 << 21;

impl Order {
    pub(super) fn new() -> Order {
        Order {
            killers: [[None; 2]; MAX_PLY],
            history: ByColor::new_with(|_| [[0; 32]; 32]),
        }
    }

    /// Makes what was learnt before the present move count less.
    pub(super) fn age(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
        for side in Color::ALL {
            for count in self.history[side].as_flattened_mut() {
                *count /= 2;
            }
        }
    }

    /// Ranks the moves of a position; `hint` is the place of the move to try first.
    #[inline]
    pub(super) fn rank(
        &self,
        position: &Position,
        moves: &[Move],
        hint: Option<usize>,
        ply: usize,
        on: &Techniques,
        ranked: &mut Ranked,
    ) {
        ranked.0.clear();
        let hint = hint.unwrap_or(MAX_MOVES);
        for (place, &m) in moves.iter().enumerate() {
            let rank = if place == hint {
                HINT
            } else if m.is_capture() {
                capture_rank(position, m)
            } else {
                self.quiet_rank(position.turn(), m, ply, on)
            };
            ranked.0.push(Ranked::word(rank, place));
        }
    }

    #[inline]
    fn quiet_rank(&self, side: Color, m: Move, ply: usize, on: &Techniques) -> i32 {
        if on.killers {
            let [first, second] = self.killers[ply];
            if first == Some(m) {
                return FIRST_KILLER;
            }
            if second == Some(m) {
                return SECOND_KILLER;
            }
        }
        if on.history {
            self.history[side][m.from().index()][m.to().index()].into()
        } else {
            0
        }
    }

    /// Notes that the last of the tried moves cut off the others at a node searched `depth` plies
    /// deep, and that those tried before it did not.
    pub(super) fn learn(&mut self, side: Color, tried: &[Move], depth: i32, ply: usize) {
        let Some((&best, others)) = tried.split_last() else {
            return;
        };
        let killers = &mut self.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        self.reward(side, best, depth);
        for &m in others {
            self.reward(side, m, -depth);
        }
    }

    fn reward(&mut self, side: Color, m: Move, depth: i32) {
        let most = PARAMS.history_most;
        let bonus = (PARAMS.history_bonus * depth).clamp(-most / 8, most / 8);
        let value = &mut self.history[side][m.from().index()][m.to().index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / most) as i16;
    }
}

/// How many pieces are taken, a king for three.
#[inline]
fn capture_rank(position: &Position, m: Move) -> i32 {
    let kings = position.kings(!position.turn()) & m.captured();
    (m.captured().len() + 2 * kings.len()) as i32
}

/// Moves with their ranks: one word each, the rank above the place turned round, so that of equal
/// ranks the first in generation order comes first. The list is made where it is used, as that of
/// the moves, because moving a KiB costs more than sorting.
pub(super) struct Ranked(ArrayVec<u64, MAX_MOVES>);

impl Ranked {
    #[inline]
    pub(super) fn new() -> Ranked {
        Ranked(ArrayVec::new())
    }

    #[inline]
    fn word(rank: i32, place: usize) -> u64 {
        let rank = (rank - i32::MIN / 2) as u64;
        rank << 32 | u64::from(u32::MAX - place as u32)
    }

    /// The place of the best of the moves that are left. Most nodes want one or two of them:
    /// looking through them is cheaper than sorting.
    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        let mut best = 0;
        for i in 1..self.0.len() {
            if self.0[i] > self.0[best] {
                best = i;
            }
        }
        let word = self.0.swap_pop(best)?;
        Some((u32::MAX - word as u32) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order(order: &Order, position: &Position, hint: Option<usize>) -> Vec<String> {
        let moves = position.legal_moves();
        let mut ranked = Ranked::new();
        order.rank(position, &moves, hint, 3, &Techniques::ALL, &mut ranked);
        std::iter::from_fn(|| ranked.next())
            .map(|place| position.notation(moves[place]))
            .collect()
    }

    #[test]
    fn the_hint_comes_first_then_killers_then_history() {
        let start = Position::start();
        let moves = start.legal_moves();
        let mut order = Order::new();
        let side = start.turn();
        order.learn(side, &[moves[1], moves[6]], 9, 8);
        order.learn(side, &[moves[5]], 1, 3);
        order.learn(side, &[moves[4]], 1, 3);
        let expected = [2, 4, 5, 6, 0, 3, 1].map(|place| start.notation(moves[place]));
        assert_eq!(in_order(&order, &start, Some(2)), expected);
    }

    #[test]
    fn the_capture_that_takes_most_comes_first() {
        let position: Position = "W:Wc1,e1:Bb2,Kf2".parse().unwrap();
        assert_eq!(in_order(&Order::new(), &position, None), ["e1:g3", "c1:a3"]);
    }

    #[test]
    fn history_stays_in_its_bounds() {
        let start = Position::start();
        let m = start.legal_moves()[0];
        let mut order = Order::new();
        for depth in 0..100_000 {
            order.learn(start.turn(), &[m], depth % 64, 0);
        }
        let value = order.quiet_rank(start.turn(), m, 9, &Techniques::ALL);
        assert!(value > PARAMS.history_most / 2 && value <= PARAMS.history_most);
    }
}
