//! What the champion asks of an evaluation, and which evaluations there are.

use checkers_lib::{Color, Move, Position};

use super::handcrafted::Phases;
use super::network::{Accumulators, Network};
use super::patterns::Patterns;
use super::textbook::{Material, PieceRows};
use crate::spec::Evaluator;

/// Tells what quiet positions are worth to the side to move.
///
/// A value is in centi-logits: 100 are one unit of the logistic function, so that
/// [`win_chance`](crate::win_chance) turns it into an expected result. It stays within ±20,000, far
/// below decided scores.
///
/// The search keeps one [`EvaluationState`] for each ply of the line it looks at. It calls
/// [`refresh`](Evaluation::refresh) at the root and [`update`](Evaluation::update) from ply to ply, but
/// only for lines on which a value is asked for: captures in between may be updated late and all at
/// once, always in the order of the moves.
#[derive(Clone, Debug)]
pub(crate) enum Evaluation {
    Network(Network),
    Patterns(Patterns),
    Handcrafted,
    /// The study's better evaluation without its noise: a man 5 and 1 for each row advanced, a king 15.
    Material,
}

/// What is kept for a position so that the value of the next one costs less. An evaluation uses its own part.
#[derive(Clone, Debug, Default)]
pub(crate) struct EvaluationState {
    network: Accumulators,
    handcrafted: Phases,
}

impl Evaluation {
    /// The evaluation of this name, with the weights that are part of the program.
    pub(crate) fn embedded(evaluator: Evaluator) -> Evaluation {
        match evaluator {
            Evaluator::Network => Evaluation::Network(Network::embedded()),
            Evaluator::Patterns => Evaluation::Patterns(Patterns::embedded()),
            Evaluator::Handcrafted => Evaluation::Handcrafted,
            Evaluator::Material => Evaluation::Material,
        }
    }

    /// Makes the state of a position from nothing. `state` may hold anything.
    pub(crate) fn refresh(&self, position: &Position, state: &mut EvaluationState) {
        match self {
            Evaluation::Network(network) => network.refresh(position, &mut state.network),
            Evaluation::Handcrafted => state.handcrafted = Phases::of(position),
            Evaluation::Patterns(_) | Evaluation::Material => {}
        }
    }

    /// Makes the state after the legal move `m` from that of the position before it. `child` may
    /// hold anything.
    #[inline]
    pub(crate) fn update(
        &self,
        parent: &EvaluationState,
        before: &Position,
        m: Move,
        child: &mut EvaluationState,
    ) {
        match self {
            Evaluation::Network(network) => {
                network.update(&parent.network, before, m, &mut child.network);
            }
            Evaluation::Handcrafted => child.handcrafted = parent.handcrafted.after(before, m),
            Evaluation::Patterns(_) | Evaluation::Material => {}
        }
    }

    /// What the position of the state is worth to its side to move.
    #[inline]
    pub(crate) fn value(&self, state: &EvaluationState, position: &Position) -> i32 {
        match self {
            Evaluation::Network(network) => network.value(&state.network, position),
            Evaluation::Patterns(patterns) => patterns.evaluate(position),
            Evaluation::Handcrafted => state.handcrafted.value(position),
            Evaluation::Material => material(position),
        }
    }

    /// [`update`](Evaluation::update), and then [`value`](Evaluation::value) of what it made.
    #[inline]
    pub(crate) fn advance(
        &self,
        parent: &EvaluationState,
        before: &Position,
        m: Move,
        after: &Position,
        child: &mut EvaluationState,
    ) -> i32 {
        if let Evaluation::Network(network) = self {
            return network.advance(&parent.network, before, m, after, &mut child.network);
        }
        self.update(parent, before, m, child);
        self.value(child, after)
    }
}

/// Centi-logits of a unit of the study's evaluation, in which a man that has just left its home is
/// worth 7.
const ROWS_UNIT: i32 = 20;

fn material(position: &Position) -> i32 {
    let balance = ROWS_UNIT * PieceRows::balance(position);
    match position.turn() {
        Color::White => balance,
        Color::Black => -balance,
    }
}
