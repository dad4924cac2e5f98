//! In which order the moves of a position are tried: a good move early cuts the others off.

use arrayvec::ArrayVec;
use checkers_lib::{ByColor, Color, MAX_MOVES, Move, Position};

use super::frame::MAX_PLY;
use super::params::PARAMS;
use crate::{Techniques, Tuning};

/// What earlier nodes tell about the quiet moves of this one.
///
/// CITE: killers after D. J. Slate, L. R. Atkin, "Chess 4.5", 1977; history after J. Schaeffer,
/// "The History Heuristic", ICCA Journal 6(3), 1983, with a bonus that shrinks towards a greatest
/// value ("gravity"), as is usual today.
pub(super) struct Order {
    /// The last two quiet moves that cut off at each ply, the last one first.
    killers: [[Quiet; 2]; MAX_PLY],
    /// How well each quiet move, by its squares, has done so far.
    history: ByColor<[i16; 32 * 32]>,
    /// What a cut adds, for each ply of depth.
    history_bonus: i32,
}

/// A move that captures nothing, in one word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Quiet(u16);

impl Quiet {
    const NONE: Quiet = Quiet(u16::MAX);

    #[inline]
    fn new(m: Move) -> Quiet {
        Quiet(m.from() as u16 | (m.to() as u16) << 5 | u16::from(m.promotes()) << 10)
    }

    /// A number for its squares.
    #[inline]
    fn squares(self) -> usize {
        usize::from(self.0) % (32 * 32)
    }
}

// Ranks of moves, from the bottom up: history, killers, the move of the table. Captures never meet
// quiet moves, and rank by what they take.
const SECOND_KILLER: i32 = 1 << 20;
const FIRST_KILLER: i32 = SECOND_KILLER + 1;
const HINT: i32 = 1 << 21;
/// What makes the lowest rank positive.
const NO_RANK: i32 = 1 << 16;

impl Order {
    pub(super) fn new(tuning: &Tuning) -> Order {
        Order {
            killers: [[Quiet::NONE; 2]; MAX_PLY],
            history: ByColor::new_with(|_| [0; 32 * 32]),
            history_bonus: tuning.history_bonus,
        }
    }

    /// Makes what was learnt before the present move count less.
    pub(super) fn age(&mut self) {
        self.killers = [[Quiet::NONE; 2]; MAX_PLY];
        for side in Color::ALL {
            for count in &mut self.history[side] {
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
        ranked: &mut RankedMove,
    ) {
        if moves.first().is_some_and(|m| m.is_capture()) {
            ranked.fill(moves, |m| capture_rank(position, m));
        } else {
            let history = &self.history[position.turn()];
            let killers = if on.killers {
                self.killers[ply]
            } else {
                [Quiet::NONE; 2]
            };
            if on.history {
                ranked.fill(moves, |m| quiet_rank(m, killers, |m| history[m.squares()]));
            } else {
                ranked.fill(moves, |m| quiet_rank(m, killers, |_| 0));
            }
        }
        if let Some(place) = hint {
            ranked.put_first(place);
        }
    }

    /// Notes that the last of the tried moves cut off the others at a node searched `depth` plies
    /// deep, and that those tried before it did not.
    pub(super) fn learn(&mut self, side: Color, tried: &[Move], depth: i32, ply: usize) {
        let Some((&best, others)) = tried.split_last() else {
            return;
        };
        let killers = &mut self.killers[ply];
        let best = Quiet::new(best);
        if killers[0] != best {
            *killers = [best, killers[0]];
        }
        self.reward(side, best, depth);
        for &m in others {
            self.reward(side, Quiet::new(m), -depth);
        }
    }

    fn reward(&mut self, side: Color, m: Quiet, depth: i32) {
        let most = PARAMS.history_most;
        let bonus = (self.history_bonus * depth).clamp(-most / 8, most / 8);
        let value = &mut self.history[side][m.squares()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / most) as i16;
    }
}

#[inline]
fn quiet_rank(m: Move, killers: [Quiet; 2], history: impl Fn(Quiet) -> i16) -> i32 {
    let m = Quiet::new(m);
    if m == killers[0] {
        FIRST_KILLER
    } else if m == killers[1] {
        SECOND_KILLER
    } else {
        history(m).into()
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
/// the moves, because moving it costs more than sorting.
pub(super) struct RankedMove(ArrayVec<u32, MAX_MOVES>);

const _: () = assert!(MAX_MOVES == 128);

impl RankedMove {
    #[inline]
    pub(super) fn new() -> RankedMove {
        RankedMove(ArrayVec::new())
    }

    #[inline]
    fn word(rank: i32, place: usize) -> u32 {
        ((rank + NO_RANK) as u32) << 7 | (MAX_MOVES - 1 - place) as u32
    }

    #[inline]
    fn fill(&mut self, moves: &[Move], rank: impl Fn(Move) -> i32) {
        self.0.clear();
        for (place, &m) in moves.iter().enumerate() {
            // There is room for as many as there can be moves.
            let _ = self.0.try_push(RankedMove::word(rank(m), place));
        }
    }

    #[inline]
    fn put_first(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place) {
            *word = RankedMove::word(HINT, place);
        }
    }

    /// The place of the best of the moves that are left. Most nodes want one or two of them:
    /// looking through them is cheaper than sorting.
    #[inline]
    pub(super) fn next(&mut self) -> Option<usize> {
        let (mut best, mut most) = (0, 0);
        for (i, &word) in self.0.iter().enumerate() {
            if word > most {
                (best, most) = (i, word);
            }
        }
        self.0.swap_pop(best)?;
        Some(MAX_MOVES - 1 - most as usize % MAX_MOVES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order(order: &Order, position: &Position, hint: Option<usize>) -> Vec<String> {
        let moves = position.legal_moves();
        let mut ranked = RankedMove::new();
        order.rank(position, &moves, hint, 3, &Techniques::DEFAULT, &mut ranked);
        std::iter::from_fn(|| ranked.next())
            .map(|place| position.notation(moves[place]))
            .collect()
    }

    #[test]
    fn the_hint_comes_first_then_killers_then_history() {
        let start = Position::start();
        let moves = start.legal_moves();
        let mut order = Order::new(&Tuning::DEFAULT);
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
        assert_eq!(
            in_order(&Order::new(&Tuning::DEFAULT), &position, None),
            ["e1:g3", "c1:a3"]
        );
    }

    #[test]
    fn history_stays_in_its_bounds() {
        let start = Position::start();
        let m = start.legal_moves()[0];
        let mut order = Order::new(&Tuning::DEFAULT);
        for depth in 0..100_000 {
            order.learn(start.turn(), &[m], depth % 64, 0);
        }
        let value = i32::from(order.history[start.turn()][Quiet::new(m).squares()]);
        assert!(value > PARAMS.history_most / 2 && value <= PARAMS.history_most);
    }
}
