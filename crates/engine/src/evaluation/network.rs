//! A small network, updated move by move.
//!
//! Each side sees the board with its own men moving up: 120 inputs, one for each kind of piece on
//! each square it can stand on. The first layer sums the inputs of a side to 128 *accumulators*,
//! with the same weights for both sides. A move changes few inputs, so the accumulators are computed
//! from those of the position before. The last layer returns a weighted sum of the squares of the
//! accumulators, clamped to 0 to 1. Its weights differ between the side to move and its opponent,
//! and between seven phases, which depend on the number of pieces.
//!
//! All is done with whole numbers, so that it is the same on every machine. In the accumulators
//! 256 is 1, in the last layer 256 is one logit.
//!
//! CITE: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi", 2018, for accumulators; squared activations are common among chess programs since 2022.

mod inputs;
mod simd;

use std::sync::{Arc, OnceLock};

use checkers_lib::{Color, Move, Position};

use super::view::SideView;
use super::weights::{WeightsError, WeightsFile, WeightsKind};

pub use inputs::INPUTS;
pub use simd::{HIDDEN, Simd};

use inputs::{InputChange, Inputs};
use simd::AccumulatorRow;

/// The phases of the last layer.
pub const PHASES: usize = 7;
/// All weights: of the inputs, their biases, of the last layer, its biases.
pub const NETWORK_VALUES: usize = INPUTS * HIDDEN + HIDDEN + PHASES * 2 * HIDDEN + PHASES;
/// What stands for 1 in the accumulators. They count from 0 to one less.
pub const ONE: i32 = 256;
/// What stands for a logit in the last layer.
pub const LOGIT: i32 = 256;
/// The greatest weight of an input: 24 of them and a bias stay within 16 bits.
pub const MOST_INPUT_WEIGHT: i32 = 4 * ONE;
/// The greatest weight of the last layer: all sums of 256 products stay within 32 bits.
pub const MOST_OUTPUT_WEIGHT: i32 = 255;
/// Values beyond are cut off.
const MOST_VALUE: i64 = 20_000;

/// The phase of this many pieces: 1–6, 7–9 and so on up to 22–24. Training games end at 5 pieces,
/// so a phase of fewer than 6 would not be trained.
#[inline]
pub const fn phase(pieces: u32) -> usize {
    let phase = (pieces.saturating_sub(1) / 3).saturating_sub(1) as usize;
    if phase < PHASES { phase } else { PHASES - 1 }
}

/// The inputs that are 1 in a side's view, each below [`INPUTS`].
pub fn inputs_of(view: &SideView) -> impl Iterator<Item = usize> {
    Inputs::of(view).into_iter().map(usize::from)
}

/// The weights, in the order of their file.
#[derive(Debug)]
struct Layers {
    inputs: Box<[AccumulatorRow; INPUTS]>,
    biases: AccumulatorRow,
    /// By phase: of the side to move, then of the other side.
    output: [[AccumulatorRow; 2]; PHASES],
    output_biases: [i16; PHASES],
}

/// The evaluation by a network. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Network {
    layers: Arc<Layers>,
    simd: Simd,
}

/// The sums of both sides, White's first: what is kept for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulators([AccumulatorRow; 2]);

/// The file of weights that is part of the program.
pub(crate) static SHIPPED: &[u8] = include_bytes!("../../data/network.weights");

impl Network {
    /// The network of a file.
    ///
    /// # Errors
    /// When it is for something else.
    pub fn new(file: &WeightsFile) -> Result<Network, WeightsError> {
        let values = file.expect(WeightsKind::Network, NETWORK_VALUES)?;
        let (rows, tail) = values.as_chunks::<HIDDEN>();
        let row = |number: usize| AccumulatorRow(rows[number]);
        let output = |phase: usize| [0, 1].map(|side| row(INPUTS + 1 + 2 * phase + side));
        let layers = Layers {
            inputs: Box::new(std::array::from_fn(row)),
            biases: row(INPUTS),
            output: std::array::from_fn(output),
            output_biases: std::array::from_fn(|phase| tail[phase]),
        };
        Ok(Network {
            layers: Arc::new(layers),
            simd: Simd::fastest(),
        })
    }

    /// The network that is built into every program.
    ///
    /// # Panics
    /// Never: the weights are part of the program and of its tests.
    pub fn embedded() -> Network {
        static NETWORK: OnceLock<Network> = OnceLock::new();
        let read = || WeightsFile::read(SHIPPED).and_then(|file| Network::new(&file));
        let network = NETWORK.get_or_init(|| read().expect("weights that are read in the tests"));
        network.clone()
    }

    /// The same network, computed another way.
    #[must_use]
    pub fn with_simd(self, simd: Simd) -> Network {
        Network { simd, ..self }
    }

    /// Sums up the inputs of a position. O(pieces).
    pub fn refresh(&self, position: &Position, sums: &mut Accumulators) {
        for side in Color::ALL {
            let inputs = Inputs::of(&SideView::of(position, side));
            let sums = &mut sums.0[side as usize];
            *sums = self.layers.biases;
            self.simd.add(&self.layers.inputs, &inputs, sums);
        }
    }

    /// Makes the sums after a legal move from those before it. O(captured pieces).
    #[inline]
    pub fn update(
        &self,
        parent: &Accumulators,
        before: &Position,
        m: Move,
        child: &mut Accumulators,
    ) {
        let change = InputChange::new(before, m);
        self.simd
            .advance(&self.layers.inputs, &parent.0, &change, &mut child.0);
    }

    /// [`update`](Network::update), and then [`value`](Network::value) of what it made.
    #[inline]
    pub fn advance(
        &self,
        parent: &Accumulators,
        before: &Position,
        m: Move,
        after: &Position,
        child: &mut Accumulators,
    ) -> i32 {
        let change = InputChange::new(before, m);
        let phase = phase(after.occupied().len());
        let sum = self.simd.advance_and_output(
            &self.layers.inputs,
            &parent.0,
            &change,
            &mut child.0,
            (after.turn(), &self.layers.output[phase]),
        );
        self.in_centi_logits(sum, phase)
    }

    /// What a position with these sums is worth to its side to move, in centi-logits within
    /// ±20,000.
    #[inline]
    pub fn value(&self, sums: &Accumulators, position: &Position) -> i32 {
        let phase = phase(position.occupied().len());
        let layer = (position.turn(), &self.layers.output[phase]);
        self.in_centi_logits(self.simd.output(&sums.0, layer), phase)
    }

    /// A sum of the last layer with its bias.
    #[inline]
    fn in_centi_logits(&self, sum: i32, phase: usize) -> i32 {
        let bias = i64::from(self.layers.output_biases[phase]) << SQUARE_BITS;
        let logits = i64::from(sum) + bias;
        let value = (logits * 100) >> (SQUARE_BITS + LOGIT.ilog2());
        value.clamp(-MOST_VALUE, MOST_VALUE) as i32
    }

    /// What a position is worth to its side to move, in centi-logits. O(pieces).
    pub fn evaluate(&self, position: &Position) -> i32 {
        let mut sums = Accumulators::default();
        self.refresh(position, &mut sums);
        self.value(&sums, position)
    }
}

/// A square of an accumulator is halved, to stay within 16 bits: 2¹⁵ stands for 1.
const SQUARE_BITS: u32 = 15;

#[cfg(test)]
mod tests;
