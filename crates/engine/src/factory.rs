//! Makes the bot of a spec.

use crate::champion;
use crate::evaluation::textbook::{PieceCount, PieceRows};
use crate::level::Leveled;
use crate::textbook::{
    AlphaBeta, FixedDepth, FixedDepthSearch, Mcts, Minimax, Mtdf, NegaScout, NegaScoutId,
    NegaScoutTt, Random, SssStar,
};
use crate::tree::Observer;
use crate::{Algorithm, Bot, BotSpec, Options};

impl BotSpec {
    /// Makes the bot. Cheap: a transposition table takes its memory at the first search.
    pub fn build(&self) -> Box<dyn Bot> {
        self.build_observed(&())
    }

    /// The same with an observer of its searches. `random` has none, and those of `level` are not
    /// observed.
    pub(crate) fn build_observed<O: Observer>(&self, observer: &O) -> Box<dyn Bot> {
        let options = self.options();
        let Options {
            seed, order, tt, ..
        } = *options;
        match self.algorithm() {
            Algorithm::Random => Box::new(Random::new(self)),
            Algorithm::MinimaxWeak => {
                fixed_depth(self, Minimax::<PieceCount, O>::new(seed, observer))
            }
            Algorithm::Minimax => fixed_depth(self, Minimax::<PieceRows, O>::new(seed, observer)),
            Algorithm::AlphaBeta => fixed_depth(self, AlphaBeta::new(seed, order, observer)),
            Algorithm::NegaScout => fixed_depth(self, NegaScout::new(seed, order, observer)),
            Algorithm::NegaScoutTt => fixed_depth(self, NegaScoutTt::new(options, observer)),
            Algorithm::SssStar => fixed_depth(self, SssStar::new(seed, tt, observer)),
            Algorithm::Mtdf => fixed_depth(self, Mtdf::new(seed, tt, observer)),
            Algorithm::NegaScoutId => Box::new(NegaScoutId::new(self, observer)),
            Algorithm::Mcts => Box::new(Mcts::new(self, observer)),
            Algorithm::Champion => champion::build(self, observer),
            Algorithm::Level => Box::new(Leveled::new(self)),
        }
    }
}

fn fixed_depth(spec: &BotSpec, search: impl FixedDepthSearch + 'static) -> Box<dyn Bot> {
    Box::new(FixedDepth::new(spec, search))
}
