//! Trees that are cut off, by their size or by the limits of the search.

use checkers_engine::Limits;
use checkers_engine::tree::{Node, NodeId, NodeOutcome, RecordError, Tree, record};
use checkers_lib::Position;

use super::{EXACT, OTHERS, game_at, recorded, sample, spec, to_depth};

/// A node without what depends on the nodes around it.
fn content(node: &Node) -> impl PartialEq {
    (
        node.level,
        node.m,
        node.purpose,
        node.depth,
        node.outcome,
        node.value(),
    )
}

fn near_root(tree: &Tree, deepest: u32) -> Vec<NodeId> {
    let is_near = |id: &NodeId| tree.node(*id).level <= deepest;
    tree.ids().filter(is_near).collect()
}

#[test]
fn a_small_record_keeps_whole_levels_and_counts_the_rest() {
    for name in EXACT.into_iter().chain(OTHERS) {
        for position in sample(3, 57, 5) {
            let whole = recorded(name, &position, 5);
            for most in [0, 1, 10, 100, 500, whole.len()] {
                let game = game_at(&position);
                let part = record(&spec(name), &game, &to_depth(5), most).expect("a search");
                let roots = whole.roots().count();
                assert!(part.len() <= most.max(roots), "{name} {position}");
                assert_eq!(part.len() as u64 + part.dropped(), whole.len() as u64);
                let Some(deepest) = part.deepest_level() else {
                    assert_eq!(part.len(), whole.len());
                    continue;
                };
                let next = near_root(&whole, deepest + 1).len();
                assert!(next > most, "{name} {position}: a level more fits");
                let kept = near_root(&whole, deepest);
                assert_eq!(kept.len(), part.len());
                for (id, whole_id) in part.ids().zip(kept) {
                    assert!(content(part.node(id)) == content(whole.node(whole_id)));
                    let here = part.subtree(id).map(|id| 1 + part.node(id).dropped);
                    assert_eq!(here.sum::<u64>(), whole.subtree(whole_id).count() as u64);
                }
                let bytes = part.to_bytes();
                let again = Tree::read(&bytes).expect("a sound tree");
                assert!(again.to_bytes() == bytes);
            }
        }
    }
}

#[test]
fn a_stopped_search_leaves_the_nodes_that_it_was_in() {
    for name in EXACT.into_iter().chain(OTHERS) {
        for nodes in [0, 1, 2, 50, 333] {
            let limits = Limits {
                nodes: Some(nodes),
                depth: Some(6),
                ..Limits::default()
            };
            let tree = record(
                &spec(name),
                &game_at(&Position::start()),
                &limits,
                usize::MAX,
            );
            let tree = tree.expect("a search");
            assert!(tree.choice().best.is_some(), "{name}");
            let stopped = |id: &NodeId| tree.node(*id).outcome == NodeOutcome::Stopped;
            let stopped: Vec<NodeId> = tree.ids().filter(stopped).collect();
            let last = tree.ids().next_back();
            let path = last.map(|last| tree.path(last)).unwrap_or_default();
            assert!(path.starts_with(&stopped), "{name} {nodes}");
            if !name.starts_with("mcts") {
                assert_eq!(tree.len() as u64, nodes, "{name}");
            }
            Tree::read(&tree.to_bytes()).unwrap_or_else(|error| panic!("{name} {nodes}: {error}"));
        }
    }
}

#[test]
fn simulations_are_the_nodes_of_mcts() {
    let tree = recorded("mcts:playouts=500", &Position::start(), 1);
    let simulations = |id| match tree.node(id).outcome {
        NodeOutcome::Simulated { simulations } => simulations,
        other => panic!("{other:?}"),
    };
    let root = tree.roots().next().expect("a root");
    assert_eq!(simulations(root), 500);
    assert_eq!(tree.choice().nodes, 500);
    for id in tree.ids() {
        let below: u64 = tree.children(id).map(simulations).sum();
        // The first simulation of a position ends there.
        assert!(id == root || simulations(id) == 1 + below);
    }
}

#[test]
fn a_lost_position_has_an_empty_tree() {
    let lost: Position = "B:We5:B".parse().expect("a position");
    for name in EXACT.into_iter().chain(OTHERS) {
        let tree = recorded(name, &lost, 3);
        assert!(tree.is_empty() && tree.roots().next().is_none());
        assert!(Tree::read(&tree.to_bytes()).expect("a tree").is_empty());
    }
}

#[test]
fn what_has_no_tree_says_so() {
    let game = game_at(&Position::start());
    let refused = |bot| record(&spec(bot), &game, &to_depth(1), 10).map(|_| ());
    for bot in ["random", "level:1"] {
        assert!(matches!(refused(bot), Err(RecordError::NoSearch { .. })));
    }
    let error = refused("champion:threads=2").expect_err("two threads");
    assert_eq!(error, RecordError::Threads { threads: 2 });
    assert!(error.to_string().contains("threads=1"));
}
