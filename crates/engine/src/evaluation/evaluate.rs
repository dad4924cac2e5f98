//! What the search asks of an evaluation, and which evaluations there are.

use checkers_lib::{Color, Move, Position};

use super::textbook::{Material, PieceRows};

/// Tells what quiet positions are worth to the side to move.
///
/// A value is in centi-logits: 100 are one unit of the logistic function, so that
/// [`win_chance`](crate::win_chance) turns it into an expected result. It stays within ±20,000, far
/// below decided scores.
///
/// The search keeps one [`State`](Evaluate::State) for each ply of the line it looks at. It calls
/// [`refresh`](Evaluate::refresh) at the root and [`update`](Evaluate::update) from ply to ply, but
/// only for lines on which a value is asked for: captures in between may be updated late and all at
/// once, always in the order of the moves.
pub trait Evaluate: Clone + Send + 'static {
    /// What is kept for a position so that the value of the next one costs less.
    type State: Clone + Default + Send;

    /// Makes the state of a position from nothing. `state` may hold anything.
    fn refresh(&self, position: &Position, state: &mut Self::State);

    /// Makes the state after the legal move `m` from that of the position before it. `child` may
    /// hold anything.
    fn update(&self, parent: &Self::State, before: &Position, m: Move, child: &mut Self::State);

    /// What the position of the state is worth to its side to move.
    fn value(&self, state: &Self::State, position: &Position) -> i32;

    /// [`update`](Evaluate::update), and then [`value`](Evaluate::value) of what it made.
    #[inline]
    fn advance(
        &self,
        parent: &Self::State,
        before: &Position,
        m: Move,
        after: &Position,
        child: &mut Self::State,
    ) -> i32 {
        self.update(parent, before, m, child);
        self.value(child, after)
    }
}

/// The study's better evaluation without its noise: a man 5 and 1 for each row advanced, a king 15.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MaterialRows;

/// Centi-logits of a unit of the study's evaluation, in which a man that has just left its home is
/// worth 7.
const ROWS_UNIT: i32 = 20;

impl Evaluate for MaterialRows {
    type State = ();

    fn refresh(&self, _position: &Position, _state: &mut ()) {}

    #[inline]
    fn update(&self, _parent: &(), _before: &Position, _m: Move, _child: &mut ()) {}

    #[inline]
    fn value(&self, _state: &(), position: &Position) -> i32 {
        let balance = ROWS_UNIT * PieceRows::balance(position);
        match position.turn() {
            Color::White => balance,
            Color::Black => -balance,
        }
    }
}
