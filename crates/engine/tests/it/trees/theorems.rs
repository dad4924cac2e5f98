//! What is proven of the algorithms, seen in the nodes that they visit.
//!
//! The theorems are about trees. To this depth no two lines lead to the same position above the
//! leaves in these positions, so that tables answer nothing that a tree does not.

use std::collections::HashSet;

use checkers_engine::Score;
use checkers_engine::tree::{NodeId, Tree};
use checkers_lib::{Move, Position};

use super::{leaves, line, recorded, sample};
use crate::is_exhaustive;

const DEPTH: u32 = 4;

fn positions() -> Vec<Position> {
    let count = if is_exhaustive() { 300 } else { 25 };
    let positions = super::positions::from_games(count * 9, 11);
    let men_alone = |position: &Position| {
        let sides = [position.turn(), !position.turn()];
        sides
            .into_iter()
            .all(|side| position.kings(side).is_empty())
    };
    let sampled = positions.into_iter().step_by(9);
    // Where the game is over, nothing is searched.
    sampled
        .filter(|position| men_alone(position) && !position.is_lost())
        .collect()
}

/// Stockman's SSS* with its list of open states, on the tree that minimax visits.
///
/// CITE: G. C. Stockman, "A Minimax Algorithm Better than Alpha-Beta?", Artificial Intelligence 12,
/// 1979.
struct Stockman<'a> {
    tree: &'a Tree,
    open: Vec<State>,
    /// The leaves in the order in which they are evaluated.
    evaluated: Vec<Vec<Move>>,
}

#[derive(Clone)]
struct State {
    id: NodeId,
    is_solved: bool,
    /// An upper bound of the root's value, if it is won by way of this node.
    merit: Score,
}

impl<'a> Stockman<'a> {
    fn search(tree: &'a Tree) -> (Score, Vec<Vec<Move>>) {
        let root = tree.roots().next().expect("a search");
        let live = State {
            id: root,
            is_solved: false,
            merit: Score::WIN,
        };
        let mut search = Stockman {
            tree,
            open: vec![live],
            evaluated: Vec::new(),
        };
        loop {
            let state = search.best();
            if state.is_solved && state.id == root {
                return (state.merit, search.evaluated);
            }
            if state.is_solved {
                search.go_on_from_solved(&state);
            } else {
                search.expand(&state);
            }
        }
    }

    /// Takes the state with the greatest merit, of equal ones the leftmost in the tree.
    fn best(&mut self) -> State {
        let rank = |state: &State| (state.merit, std::cmp::Reverse(state.id));
        let places = 0..self.open.len();
        let best = places.max_by_key(|&place| rank(&self.open[place]));
        self.open.swap_remove(best.expect("an open state"))
    }

    fn is_max(&self, id: NodeId) -> bool {
        self.tree.node(id).level.is_multiple_of(2)
    }

    fn push(&mut self, id: NodeId, is_solved: bool, merit: Score) {
        self.open.push(State {
            id,
            is_solved,
            merit,
        });
    }

    fn expand(&mut self, state: &State) {
        let children: Vec<NodeId> = self.tree.children(state.id).collect();
        if children.is_empty() {
            self.evaluated.push(line(self.tree, state.id));
            let value = self.tree.node(state.id).value().expect("not stopped");
            let value = if self.is_max(state.id) { value } else { -value };
            self.push(state.id, true, state.merit.min(value));
        } else if self.is_max(state.id) {
            for child in children {
                self.push(child, false, state.merit);
            }
        } else {
            self.push(children[0], false, state.merit);
        }
    }

    fn go_on_from_solved(&mut self, state: &State) {
        let tree = self.tree;
        let parent = tree.node(state.id).parent.expect("not the root");
        if self.is_max(parent) {
            // The rest below the parent cannot be better.
            let below: HashSet<NodeId> = tree.subtree(parent).collect();
            self.open.retain(|open| !below.contains(&open.id));
            self.push(parent, true, state.merit);
            return;
        }
        let next = tree.children(parent).find(|&child| child > state.id);
        match next {
            Some(next) => self.push(next, false, state.merit),
            None => self.push(parent, true, state.merit),
        }
    }
}

/// CITE: A. Plaat, J. Schaeffer, W. Pijls, A. de Bruin, "Best-first fixed-depth minimax algorithms",
/// Artificial Intelligence 87, 1996: MTD(+∞) evaluates the leaves of SSS*, in the same order.
#[test]
fn sss_star_as_passes_evaluates_the_leaves_of_stockmans_in_the_same_order() {
    for position in positions() {
        let (value, order) = Stockman::search(&recorded("minimax", &position, DEPTH));
        let passes = recorded("sss-star:tt=16", &position, DEPTH);
        assert_eq!(passes.choice().score, value, "{position}");
        assert!(leaves(&passes) == order, "{position}");
    }
}

/// Every pass of SSS* but the last fails low, each with a lower bound than the one before.
#[test]
fn sss_star_comes_down_from_above() {
    for position in positions() {
        let tree = recorded("sss-star:tt=16", &position, DEPTH);
        let values = tree.roots().filter_map(|root| tree.node(root).value());
        let values: Vec<Score> = values.collect();
        let (last, before) = values.split_last().expect("a pass");
        assert!(before.is_sorted_by(|a, b| a > b), "{position}");
        assert!(
            before.last().is_none_or(|before| before == last),
            "{position}"
        );
    }
}

/// CITE: G. C. Stockman, 1979, and I. Roizen, J. Pearl, "A Minimax Algorithm Better than
/// Alpha-Beta? Yes and No", Artificial Intelligence 21, 1983: SSS* evaluates no leaf that alpha-beta
/// does not. CITE: A. Reinefeld, "Spielbaum-Suchverfahren", 1989: nor does NegaScout.
#[test]
fn alpha_beta_visits_all_that_sss_star_and_negascout_do() {
    for position in positions() {
        let of = |bot| -> HashSet<Vec<Move>> {
            leaves(&recorded(bot, &position, DEPTH))
                .into_iter()
                .collect()
        };
        let [all, alpha_beta] = ["minimax", "alpha-beta"].map(of);
        assert!(alpha_beta.is_subset(&all), "{position}");
        for bot in ["sss-star:tt=16", "negascout"] {
            assert!(of(bot).is_subset(&alpha_beta), "{bot} {position}");
        }
    }
}

/// The leaves of the smallest tree that proves the root's value: where a move cuts off, the other
/// moves are not needed.
///
/// CITE: D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975.
#[test]
fn no_search_evaluates_fewer_leaves_than_a_proof_has() {
    for position in sample(8, 41, 13) {
        let whole = recorded("minimax", &position, DEPTH);
        let Some(root) = whole.roots().next() else {
            continue;
        };
        let value = whole.node(root).value().expect("not stopped");
        let upper = proof(&whole, root, |score| score <= value, true);
        let lower = proof(&whole, root, |score| score >= value, false);
        for bot in ["alpha-beta", "negascout", "sss-star:tt=16"] {
            let count = leaves(&recorded(bot, &position, DEPTH)).len();
            // One leaf may be in both proofs.
            assert!(count + 1 >= upper.max(lower), "{bot} {position}");
        }
    }
}

/// The fewest leaves that prove a bound: of all moves where the other side has the choice, of one
/// move where this side has it.
fn proof(tree: &Tree, id: NodeId, holds: impl Fn(Score) -> bool + Copy, all_moves: bool) -> usize {
    let is_max = tree.node(id).level.is_multiple_of(2);
    let value = tree.node(id).value().expect("not stopped");
    if !holds(if is_max { value } else { -value }) {
        return usize::MAX;
    }
    let below = tree.children(id);
    let counts: Vec<usize> = below
        .map(|child| proof(tree, child, holds, !all_moves))
        .collect();
    match (counts.is_empty(), all_moves) {
        (true, _) => 1,
        (false, true) => counts.into_iter().fold(0, usize::saturating_add),
        (false, false) => counts.into_iter().min().unwrap_or(1),
    }
}
