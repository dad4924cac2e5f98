//! Values and bounds follow from what was visited.

use std::collections::HashMap;

use checkers_engine::tree::{Bound, NodeOutcome, Tree};
use checkers_engine::{Bot, Score};
use checkers_lib::{Move, Position};

use super::{EXACT, OTHERS, game_at, line, recorded, sample, spec, to_depth};
use crate::is_exhaustive;

fn depths(bot: &str) -> std::ops::RangeInclusive<u32> {
    match (bot.starts_with("champion"), is_exhaustive()) {
        (true, true) => 1..=9,
        (true, false) => 6..=7,
        (false, true) => 1..=5,
        (false, false) => 3..=4,
    }
}

fn positions() -> Vec<Position> {
    if is_exhaustive() {
        sample(150, 5, 3)
    } else {
        sample(12, 31, 3)
    }
}

/// What must not change with recording, and what the record has of it.
fn check_against_plain_search(bot: &mut dyn Bot, position: &Position, depth: u32) -> Tree {
    let name = bot.spec().to_string();
    let tree = recorded(&name, position, depth);
    bot.new_game(0);
    let plain = bot.choose(&game_at(position), &to_depth(depth));
    let recorded = tree.choice();
    let at = format!("{name} at depth {depth} in {position}");
    assert_eq!(recorded.best, plain.best, "{at}");
    assert_eq!(recorded.score, plain.score, "{at}");
    assert_eq!(recorded.nodes, plain.nodes, "{at}");
    assert_eq!(recorded.depth, plain.depth, "{at}");
    assert_eq!(recorded.pv, plain.pv, "{at}");
    tree
}

#[test]
fn a_recorded_search_is_the_search() {
    for name in EXACT.into_iter().chain(OTHERS) {
        let mut bot = spec(name).without_book().build();
        for position in positions() {
            for depth in depths(name) {
                let tree = check_against_plain_search(&mut *bot, &position, depth);
                if name.starts_with("mcts") {
                    continue;
                }
                assert_eq!(tree.len() as u64, tree.choice().nodes, "{name} {position}");
                let last = tree.roots().last();
                let value = last.and_then(|root| tree.node(root).value());
                // The champion's own answer is drawn where the tables say so.
                if !name.starts_with("champion") && !position.is_lost() {
                    assert_eq!(value, Some(tree.choice().score), "{name} {position}");
                }
            }
        }
    }
}

/// The reader checks that the value of every node is the best score of its moves, and that windows
/// justify all cut-offs.
#[test]
fn every_tree_is_sound() {
    for name in EXACT.into_iter().chain(OTHERS) {
        for position in positions() {
            for depth in depths(name) {
                let tree = recorded(name, &position, depth);
                let bytes = tree.to_bytes();
                let again = Tree::read(&bytes);
                let again = again.unwrap_or_else(|error| panic!("{name} {position}: {error}"));
                assert!(again.to_bytes() == bytes, "{name} {position}");
                assert!(again.ids().all(|id| again.node(id) == tree.node(id)));
            }
        }
    }
}

/// The best move of an exact node has an exact value, and so on down to leaves whose minimax it is.
#[test]
fn exact_values_come_from_exact_leaves() {
    for name in EXACT.into_iter().chain(OTHERS) {
        for position in positions() {
            let tree = recorded(name, &position, *depths(name).end());
            let is_exact = |id| tree.node(id).bound() == Some(Bound::Exact);
            for id in tree.ids() {
                let node = tree.node(id);
                if node.outcome != NodeOutcome::Exact {
                    continue;
                }
                let value = node.value().expect("an exact node has a value");
                let is_source =
                    |&child: &_| tree.node(child).value() == Some(-value) && is_exact(child);
                let is_lost_anyway = value.is_loss();
                let has_source = tree.children(id).any(|child| is_source(&child));
                assert!(has_source || is_lost_anyway, "{name} {position} {id:?}");
            }
        }
    }
}

/// What minimax says of each line to a depth.
struct Truth(HashMap<Vec<Move>, Score>);

impl Truth {
    fn new(position: &Position, depth: u32) -> Truth {
        let tree = recorded("minimax", position, depth);
        let value = |id| Some((line(&tree, id), tree.node(id).value()?));
        Truth(tree.ids().filter_map(value).collect())
    }
}

#[test]
fn bounds_are_bounds_of_minimaxs_values() {
    for position in positions() {
        let deepest = *depths("").end();
        let truths: Vec<Truth> = (0..=deepest)
            .map(|depth| Truth::new(&position, depth.max(1)))
            .collect();
        for name in EXACT {
            let tree = recorded(name, &position, deepest);
            for id in tree.ids() {
                let (node, root) = (tree.node(id), tree.path(id)[0]);
                let truth = &truths[tree.node(root).depth as usize].0;
                let truth = truth[&line(&tree, id)];
                let (value, bound) = node.value().zip(node.bound()).expect("not stopped");
                let is_true = match bound {
                    Bound::Exact => value == truth,
                    Bound::Lower => value <= truth,
                    Bound::Upper => value >= truth,
                };
                assert!(is_true, "{name} in {position} at {id:?}: {value}, {truth}");
            }
        }
    }
}
