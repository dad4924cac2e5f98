//! In which order the moves of a position are tried: a good move early cuts the others off.

use arrayvec::ArrayVec;
use checkers_lib::{ByColor, Color, MAX_MOVES, Move, Position};

use super::frame::Path;
use super::params::PARAMS;
use crate::{Techniques, Tuning};

/// What earlier nodes tell about the quiet moves of this one.
///
/// CITE: J. Schaeffer, "The History Heuristic", ICCA Journal 6(3), 1983, separate for each last
/// move after J. W. H. M. Uiterwijk, "The Countermove Heuristic", ICCA Journal 15(1), 1992, with a
/// bonus that shrinks towards a greatest value ("gravity"), as is usual today.
pub(super) struct Order {
    /// How well each quiet move has done so far after each last move, by the square that went to.
    history: ByColor<Box<[MoveCounts; 32]>>,
    /// What a cut adds, for each ply of depth.
    history_bonus: i32,
}

/// A number for each quiet move, by its squares.
type MoveCounts = [i16; 32 * 32];

static NO_COUNTS: MoveCounts = [0; 32 * 32];

/// The place of a move's count.
#[inline]
fn squares(m: Move) -> usize {
    usize::from(m.from() as u8) | usize::from(m.to() as u8) << 5
}

/// The rank of the table's move, above all others: quiet moves rank by their counts, captures by
/// what they take.
const HINT: i32 = 1 << 16;
/// What makes the lowest rank positive.
const NO_RANK: i32 = 1 << 16;

impl Order {
    pub(super) fn new(tuning: &Tuning) -> Order {
        Order {
            history: ByColor::new_with(|_| Box::new([NO_COUNTS; 32])),
            history_bonus: tuning.history_bonus,
        }
    }

    /// Makes what was learnt before the present move count less.
    pub(super) fn age(&mut self) {
        for side in Color::ALL {
            for count in self.history[side].as_flattened_mut() {
                *count /= 2;
            }
        }
    }

    /// Ranks the moves of the position at `ply`; `hint` is the place of the move to try first.
    #[inline]
    pub(super) fn rank(
        &self,
        path: &Path,
        ply: usize,
        moves: &[Move],
        hint: Option<usize>,
        on: &Techniques,
        ranked: &mut RankedMove,
    ) {
        let position = path.position(ply);
        if moves.first().is_some_and(|m| m.is_capture()) {
            ranked.fill(moves, |m| capture_rank(position, m));
        } else {
            let side = position.turn();
            let history = match path.last_move(ply) {
                Some(last) if on.history => &self.history[side][last.to() as usize],
                _ => &NO_COUNTS,
            };
            ranked.fill(moves, |m| history[squares(m)].into());
        }
        if let Some(place) = hint {
            ranked.put_first(place);
        }
    }

    /// Notes that the last of the tried moves cut off the others at a node searched `depth` plies
    /// deep, and that those tried before it did not.
    pub(super) fn learn(&mut self, path: &Path, ply: usize, tried: &[Move], depth: i32) {
        let (Some((&best, others)), Some(last)) = (tried.split_last(), path.last_move(ply)) else {
            return;
        };
        let side = path.position(ply).turn();
        let history = &mut self.history[side][last.to() as usize];
        let bonus = self.history_bonus * depth;
        for &m in others {
            reward(&mut history[squares(m)], -bonus);
        }
        reward(&mut history[squares(best)], bonus);
    }
}

/// Adds a bonus to a count, less the nearer it is to its greatest size.
fn reward(count: &mut i16, bonus: i32) {
    let most = PARAMS.history_most;
    let bonus = bonus.clamp(-most / 8, most / 8);
    let old = i32::from(*count);
    *count = (old + bonus - old * bonus.abs() / most) as i16;
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
    use checkers_lib::{DrawRules, Game};

    use super::*;
    use crate::evaluation::Evaluation;

    /// A line that begins at a position.
    fn path(fen: &str) -> Path {
        let mut path = Path::new(Evaluation::Material);
        let position = fen.parse().unwrap();
        path.begin(&Game::from_position(position, DrawRules::Fmjd64));
        path
    }

    fn in_order(
        order: &Order,
        path: &Path,
        ply: usize,
        hint: Option<usize>,
        on: &Techniques,
    ) -> Vec<String> {
        let position = path.position(ply);
        let moves = position.legal_moves();
        let mut ranked = RankedMove::new();
        order.rank(path, ply, &moves, hint, on, &mut ranked);
        std::iter::from_fn(|| ranked.next())
            .map(|place| position.notation(moves[place]))
            .collect()
    }

    /// The line of one move, the first of a game.
    fn first_move() -> Path {
        let start = Position::start();
        let mut path = path(&start.to_string());
        path.play(0, start.legal_moves()[0]);
        path
    }

    #[test]
    fn the_hint_comes_first_then_what_cut_off() {
        let path = first_move();
        let position = path.position(1);
        let moves = position.legal_moves();
        let mut order = Order::new(&Tuning::DEFAULT);
        order.learn(&path, 1, &[moves[1], moves[6]], 9);
        order.learn(&path, 1, &[moves[5]], 1);
        let expected = [2, 6, 5, 0, 3, 4, 1].map(|place| position.notation(moves[place]));
        let found = in_order(&order, &path, 1, Some(2), &Techniques::DEFAULT);
        assert_eq!(found, expected);
    }

    #[test]
    fn each_last_move_has_a_history_of_its_own() {
        let mut path = path("W:Wa1,c3,e3:Bd8,f8,h8");
        let moves = path.position(0).legal_moves();
        let after = |path: &mut Path, m: Move| {
            path.play(0, m);
            path.position(1).legal_moves()
        };
        let mut order = Order::new(&Tuning::DEFAULT);
        let best = [(moves[0], 2), (moves[1], 3)];
        for (m, place) in best {
            let answers = after(&mut path, m);
            order.learn(&path, 1, &[answers[place]], 4);
        }
        let off = Techniques {
            history: false,
            ..Techniques::DEFAULT
        };
        for (m, place) in best {
            let answers = after(&mut path, m);
            let notation = |place| path.position(1).notation(answers[place]);
            let first = |on| in_order(&order, &path, 1, None, on).swap_remove(0);
            assert_eq!(first(&Techniques::DEFAULT), notation(place));
            assert_eq!(first(&off), notation(0));
        }
    }

    #[test]
    fn the_capture_that_takes_most_comes_first() {
        let path = path("W:Wc1,e1:Bb2,Kf2");
        let order = Order::new(&Tuning::DEFAULT);
        let found = in_order(&order, &path, 0, None, &Techniques::DEFAULT);
        assert_eq!(found, ["e1:g3", "c1:a3"]);
    }

    #[test]
    fn history_stays_in_its_bounds() {
        let path = first_move();
        let position = path.position(1);
        let m = position.legal_moves()[0];
        let mut order = Order::new(&Tuning::DEFAULT);
        for depth in 0..100_000 {
            order.learn(&path, 1, &[m], depth % 64);
        }
        let most = |counts: &MoveCounts| counts.iter().max().copied();
        let value = order.history[position.turn()].iter().filter_map(most).max();
        let value = i32::from(value.unwrap());
        assert!(value > PARAMS.history_most / 2 && value <= PARAMS.history_most);
    }
}
