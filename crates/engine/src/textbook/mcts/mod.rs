//! Monte-Carlo tree search.

mod playout;
mod tree;

use checkers_lib::Game;

use self::playout::Playouts;
use self::tree::MctsTree;
use crate::budget::Budget;
use crate::clock::Instant;
use crate::random::mix;
use crate::tree::Observer;
use crate::{Bot, BotSpec, Choice, Limits};

/// How many simulations pass between two looks at the stop flag and the clock.
const SIMULATIONS_BETWEEN_LOOKS: u64 = 16;

/// UCT: simulations go down a growing tree, at each position by the move whose results so far
/// promise most, are played out at the leaf, and their results are carried up. What is proven won
/// or lost is carried up too, and a proven root ends the search.
///
/// The tree is made anew for every move. It knows positions, not how they came about: no
/// repetition and no draw but that of a random game without end. A node is a simulation. The score
/// s of a mean result r, where 1 is a win and 0 a loss, is that for which
/// r = ½ + ½ · s / (|s| + 2560), so that two men are worth three wins in four; a proven score is
/// exact in its sign, while its plies are those of the tree: there may be a faster win.
///
/// CITE: L. Kocsis, C. Szepesvári, "Bandit based Monte-Carlo Planning", ECML 2006; proofs after
/// M. H. M. Winands, Y. Björnsson, J.-T. Saito, "Monte-Carlo Tree Search Solver", CG 2008.
pub(crate) struct Mcts<O> {
    spec: BotSpec,
    observer: O,
    tree: MctsTree,
    playouts: Playouts,
}

impl<O: Observer> Mcts<O> {
    /// Cheap: the tree takes memory as it grows.
    pub(crate) fn new(spec: &BotSpec, observer: &O) -> Mcts<O> {
        let options = spec.options();
        Mcts {
            spec: spec.clone(),
            observer: observer.clone(),
            tree: MctsTree::new(f64::from(options.exploration) / 100.0),
            playouts: Playouts::new(options.playout, options.seed),
        }
    }

    /// The limits with the number of simulations that holds where neither nodes nor time are
    /// bounded.
    fn bounded(&self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        if !limits.bounds_effort() {
            limits.nodes = Some(self.spec.options().playouts);
        }
        limits
    }
}

impl<O: Observer> Bot for Mcts<O> {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, _number: u64) {}

    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice {
        let start = Instant::now();
        if game.legal_moves().is_empty() {
            return Choice::none(game);
        }
        let root = game.position();
        let limits = self.bounded(limits);
        let time = limits.target_time();
        let mut budget = Budget::new(&limits, time, SIMULATIONS_BETWEEN_LOOKS);
        self.playouts
            .reseed(mix(self.spec.options().seed) ^ root.key());
        self.tree.plant(root);
        self.tree.grow(root, &mut self.playouts, &mut budget);
        if O::IS_ON {
            self.tree.report(&mut self.observer);
        }
        let pv = self.tree.line();
        Choice {
            best: pv.first().copied(),
            score: self.tree.score(),
            pv,
            depth: self.tree.height() as u32,
            nodes: budget.nodes(),
            time: start.elapsed(),
            complete: self.tree.is_proven() || limits.nodes == Some(budget.nodes()),
            from_book: false,
        }
    }
}
