//! How the comparison of the table's move with the others shows in a tree.

use checkers_engine::tree::{NodeOutcome, Purpose, Technique};

use super::{recorded, sample};

#[test]
fn the_tables_move_is_searched_deeper_if_no_other_comes_near_it() {
    let (mut extended, mut cut, mut reduced) = (0, 0, 0);
    for position in sample(12, 31, 3) {
        let tree = recorded("champion:tt=1,eval=hand", &position, 9);
        for id in tree.ids() {
            let test = tree.node(id);
            let Some(parent) = test.parent.filter(|_| test.purpose == Purpose::Shallow) else {
                continue;
            };
            let mut hints = tree.children(parent).map(|child| tree.node(child));
            let hint = hints.find(|child| child.m.is_some());
            let parent = tree.node(parent);
            let at = format!("{position} {id:?}");
            let is_tried = tree
                .children(id)
                .any(|child| tree.node(child).m == hint.and_then(|hint| hint.m));
            assert!(!is_tried, "{at}");
            match (test.outcome, hint) {
                (NodeOutcome::FailLow, Some(hint)) => {
                    assert_eq!(hint.depth, parent.depth, "{at}");
                    extended += 1;
                }
                (NodeOutcome::CutOff { .. }, Some(hint)) => {
                    let less = parent.depth - hint.depth;
                    assert!(less == 1 || less == 2, "{at}");
                    reduced += usize::from(less == 2);
                }
                (NodeOutcome::CutOff { .. }, None) => {
                    let is_cut = parent.outcome == NodeOutcome::Pruned(Technique::MultiCut);
                    assert!(is_cut, "{at}");
                    assert_eq!(parent.value(), Some(test.beta), "{at}");
                    cut += 1;
                }
                _ => panic!("{at}: {:?}", test.outcome),
            }
        }
    }
    assert!(
        extended > 0 && cut > 0 && reduced > 0,
        "{extended} {cut} {reduced}"
    );
}
