//! Where bounds come from, and what trees have of each other's lines.

use checkers_engine::tree::{Difference, NodeOutcome, Origin, Purpose, SharedLine};

use super::{recorded, sample};

#[test]
fn the_bound_of_a_cut_off_is_that_of_a_move_above() {
    for bot in ["alpha-beta", "negascout", "negascout:order=on"] {
        let (mut by_moves, mut by_null_windows) = (0, 0);
        for position in sample(12, 9, 5) {
            let tree = recorded(bot, &position, 5);
            for id in tree.ids() {
                let node = tree.node(id);
                if !matches!(node.outcome, NodeOutcome::CutOff { .. }) {
                    continue;
                }
                match tree.origin_of_beta(id) {
                    Origin::Move { at, better } => {
                        by_moves += 1;
                        assert_eq!(tree.node(better).parent, Some(at));
                        assert!(better < id && tree.path(id).contains(&at));
                        assert_eq!((node.level - tree.node(at).level) % 2, 1);
                        let value = tree.node(better).value().map(|value| -value);
                        assert_eq!(value, Some(-node.beta), "{bot} in {position}");
                    }
                    Origin::NullWindow { at } => {
                        by_null_windows += 1;
                        assert!(tree.path(id).contains(&at) && bot != "alpha-beta");
                        assert_eq!((node.level - tree.node(at).level) % 2, 0);
                    }
                    Origin::ReSearch { at, first } => {
                        let again = tree.path(id)[tree.node(at).level as usize + 1];
                        assert_eq!(tree.node(again).m, tree.node(first).m);
                        assert_eq!(tree.node(again).purpose, Purpose::ReSearch);
                    }
                    origin @ (Origin::Root | Origin::Other) => {
                        panic!("{origin:?} of {bot} in {position}")
                    }
                }
            }
        }
        assert!(by_moves > 100, "{bot}: {by_moves}");
        assert_eq!(by_null_windows > 100, bot != "alpha-beta");
    }
}

#[test]
fn a_table_answers_what_was_searched_before() {
    let mut found = 0;
    for position in sample(12, 9, 5) {
        let tree = recorded("negascout-tt:tt=1", &position, 6);
        for id in tree
            .ids()
            .filter(|&id| matches!(tree.node(id).outcome, NodeOutcome::TableHit(_)))
        {
            let Some(earlier) = tree.remembered_at(id) else {
                continue;
            };
            found += 1;
            assert!(tree.node(earlier).end() <= id.index());
            assert_eq!(tree.position(earlier), tree.position(id));
            assert!(tree.node(earlier).depth >= tree.node(id).depth);
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn a_tree_knows_which_of_its_lines_another_has() {
    for position in sample(20, 9, 6) {
        let [all, pruned] = ["minimax", "alpha-beta"].map(|bot| recorded(bot, &position, 4));
        let difference = Difference::between(&all, &pruned).expect("the same position");
        let shared = SharedLine::of(&pruned, &all).expect("the same position");
        assert!(
            shared
                .iter()
                .all(|shared| matches!(shared, SharedLine::Visited(_)))
        );
        let shared = SharedLine::of(&all, &pruned).expect("the same position");
        assert_eq!(shared.len(), all.len());
        let mut missing = 0;
        for (id, shared) in all.ids().zip(shared) {
            match shared {
                SharedLine::Visited(other) => {
                    assert_eq!(super::line(&all, id), super::line(&pruned, other));
                }
                SharedLine::Missing(last) => {
                    missing += 1;
                    let last = last.expect("the root at least");
                    let [line, known] = [super::line(&all, id), super::line(&pruned, last)];
                    assert!(known.len() < line.len() && line.starts_with(&known));
                }
                SharedLine::Unknown => panic!("both trees are whole"),
            }
        }
        assert_eq!(missing, difference.only_first.lines);
    }
    let start = checkers_lib::Position::start();
    let other = recorded("alpha-beta", &start, 3);
    for position in sample(8, 9, 7).into_iter().take(2) {
        let tree = recorded("alpha-beta", &position, 2);
        assert_eq!(SharedLine::of(&tree, &other).is_none(), position != start);
    }
}
