//! What the order of moves makes of a search.

use checkers_engine::tree::{NodeOutcome, Purpose, Tree};
use checkers_lib::Position;

use super::{recorded, sample};
use crate::is_exhaustive;

fn deepest() -> u32 {
    if is_exhaustive() { 7 } else { 5 }
}

/// The places of the moves that cut off.
fn cut_offs(tree: &Tree) -> Vec<u32> {
    let by = |id| match tree.node(id).outcome {
        NodeOutcome::CutOff { by } => Some(by),
        _ => None,
    };
    tree.ids().filter_map(by).collect()
}

/// CITE: D. E. Knuth, R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975.
#[test]
fn with_the_best_moves_first_every_cut_off_is_by_the_first_move() {
    for bot in [
        "alpha-beta:order=best",
        "alpha-beta:order=best,id=on,seed=9",
        "negascout:order=best",
        "negascout-tt:tt=1,tt-accept=exact,order=best",
    ] {
        let mut count = 0;
        for position in sample(24, 17, 5) {
            for depth in 1..=deepest() {
                let tree = recorded(bot, &position, depth);
                let cut_offs = cut_offs(&tree);
                assert!(cut_offs.iter().all(|&by| by == 0), "{bot} in {position}");
                let mut nodes = tree.ids().map(|id| tree.node(id));
                assert!(nodes.all(|node| node.purpose != Purpose::ReSearch));
                count += cut_offs.len();
            }
        }
        assert!(count > 1000, "{bot}: only {count} cut-offs");
    }
}

#[test]
fn with_the_worst_moves_first_the_last_move_is_the_best() {
    let tree = recorded("alpha-beta:order=worst", &Position::start(), 4);
    let root = tree.roots().next().expect("a search");
    let last = tree.children(root).last().expect("moves");
    assert_eq!(tree.node(last).m, tree.choice().best);
    let late = cut_offs(&tree).into_iter().filter(|&by| by > 0).count();
    assert!(late > 0);
}

#[test]
fn the_better_the_order_the_fewer_nodes() {
    for bot in ["alpha-beta", "negascout"] {
        for depth in 4..=deepest() + 2 {
            let orders = ["best", "off", "worst"];
            let nodes = orders.map(|order| {
                let bot = format!("{bot}:order={order}");
                recorded(&bot, &Position::start(), depth).choice().nodes
            });
            assert!(nodes.is_sorted(), "{bot} at depth {depth}: {nodes:?}");
        }
    }
}
