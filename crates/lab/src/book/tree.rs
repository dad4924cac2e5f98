//! The positions of a book to be, what they are worth, and which are looked at next.
//!
//! CITE: T. R. Lincke, "Strategies for the Automatic Construction of Opening Books", 2000: drop-out
//! expansion, in which the next position is the one that is the least way off best play.

use std::cmp::Reverse;
use std::collections::HashMap;

use checkers_engine::book::MenKey;
use checkers_lib::{Color, Position};

/// How far off a position is from where the book begins: what a move on the way costs, in the unit
/// of scores, beside what it is worth less than the best.
const COST_OF_A_PLY: u32 = 10;

/// Positions that are so much better for one side have no need of a book.
const DECIDED: i32 = 400;

/// A position of the book.
struct BookNode {
    key: MenKey,
    /// What a search says.
    searched: i16,
    /// What it is worth: the best of the moves, or the search.
    value: i32,
    /// How far off it is.
    cost: u32,
    /// The positions after its moves; none if there is a king among them, or no legal move.
    after: Vec<MenKey>,
    /// Whether all of these have a node.
    is_open: bool,
    /// The order of the game: what comes later is greater.
    place: u32,
}

/// A tree in which a position has one node for all move orders and both colours.
#[derive(Default)]
pub(super) struct BookTree {
    nodes: Vec<BookNode>,
    indices: HashMap<MenKey, usize>,
    /// Where the book begins, and how far off each beginning is.
    roots: HashMap<MenKey, u32>,
}

impl BookTree {
    /// A tree that begins here.
    pub(super) fn new(roots: impl IntoIterator<Item = (MenKey, u32)>) -> BookTree {
        let mut tree = BookTree::default();
        for (key, cost) in roots {
            let known = tree.roots.entry(key).or_insert(cost);
            *known = cost.min(*known);
        }
        tree
    }

    /// How many positions it has.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds what a search has found out; a position that is there stays as it is.
    pub(super) fn add(&mut self, key: MenKey, searched: i16) {
        if self.indices.contains_key(&key) {
            return;
        }
        self.indices.insert(key, self.nodes.len());
        self.nodes.push(BookNode {
            key,
            searched,
            value: searched.into(),
            cost: u32::MAX,
            after: after(key),
            is_open: false,
            place: place(key),
        });
    }

    /// The positions that the next searches are for, in groups: those after the moves of one
    /// position, and at first the beginnings. At most `groups`, with `room` positions together.
    pub(super) fn next(&mut self, groups: usize, room: usize) -> Vec<Vec<MenKey>> {
        if self.nodes.is_empty() {
            let mut roots: Vec<MenKey> = self.roots.keys().copied().collect();
            roots.sort_unstable();
            roots.truncate(room);
            return roots.into_iter().map(|root| vec![root]).collect();
        }
        self.update();
        let mut leaves: Vec<&BookNode> = self.nodes.iter().filter(|node| node.is_leaf()).collect();
        leaves.sort_unstable_by_key(|node| (node.cost, node.key));
        let mut found = Vec::new();
        let mut taken: Vec<MenKey> = Vec::new();
        for leaf in leaves {
            let is_new = |key: &&MenKey| !self.indices.contains_key(key) && !taken.contains(key);
            let unknown: Vec<MenKey> = leaf.after.iter().filter(is_new).copied().collect();
            if found.len() == groups || taken.len() + unknown.len() > room {
                break;
            }
            taken.extend(&unknown);
            if !unknown.is_empty() {
                found.push(unknown);
            }
        }
        found
    }

    /// All positions with what they are worth.
    pub(super) fn values(&mut self) -> impl Iterator<Item = (MenKey, i16)> {
        self.update();
        let value = |node: &BookNode| (node.key, node.value as i16);
        self.nodes.iter().map(value)
    }

    /// Brings values up from the last moves, then costs down from the first.
    fn update(&mut self) {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_unstable_by_key(|&i| Reverse(self.nodes[i].place));
        for &i in &order {
            self.back_up(i);
        }
        for node in &mut self.nodes {
            node.cost = self.roots.get(&node.key).copied().unwrap_or(u32::MAX);
        }
        for &i in order.iter().rev() {
            self.pass_on(i);
        }
    }

    fn back_up(&mut self, i: usize) {
        let node = &self.nodes[i];
        let worth = |key| self.indices.get(key).map(|&i| -self.nodes[i].value);
        let values: Option<Vec<i32>> = node.after.iter().map(worth).collect();
        let best = values.and_then(|values| values.into_iter().max());
        let node = &mut self.nodes[i];
        node.is_open = best.is_some();
        node.value = best.unwrap_or(node.searched.into());
    }

    fn pass_on(&mut self, i: usize) {
        let node = &self.nodes[i];
        if !node.is_open {
            return;
        }
        // Forced moves are no way.
        let ply = if node.after.len() > 1 {
            COST_OF_A_PLY
        } else {
            0
        };
        let (cost, value) = (node.cost.saturating_add(ply), node.value);
        for key in node.after.clone() {
            if let Some(&after) = self.indices.get(&key) {
                let after = &mut self.nodes[after];
                let worse = value.abs_diff(-after.value);
                after.cost = after.cost.min(cost.saturating_add(worse));
            }
        }
    }
}

impl BookNode {
    fn is_leaf(&self) -> bool {
        !self.is_open && !self.after.is_empty() && self.value.abs() < DECIDED
    }
}

/// The positions after all moves, unless there is a king among them.
fn after(key: MenKey) -> Vec<MenKey> {
    let position = key.position(Color::White);
    let after = |&m| {
        let mut after: Position = position.clone();
        after.play_unchecked(m);
        MenKey::of(&after)
    };
    let after: Option<Vec<MenKey>> = position.legal_moves().iter().map(after).collect();
    after.unwrap_or_default()
}

/// A number that every move raises: a capture takes a piece, another move of a man brings it on.
fn place(key: MenKey) -> u32 {
    let position = key.position(Color::White);
    let rows = |side, square: checkers_lib::Square| {
        let row = square as u32 / 4;
        if side == Color::White { row } else { 7 - row }
    };
    let mut rows_walked = 0;
    for side in Color::ALL {
        let men = position.men(side).into_iter();
        rows_walked += men.map(|square| rows(side, square)).sum::<u32>();
    }
    let taken = 24 - position.occupied().len();
    taken * 200 + rows_walked
}

#[cfg(test)]
mod tests {
    use checkers_lib::openings;

    use super::*;

    fn start() -> MenKey {
        MenKey::of(&Position::start()).unwrap()
    }

    /// Searches what the tree asks for, group by group.
    fn grow(tree: &mut BookTree, room: usize, search: impl Fn(MenKey) -> i16) {
        loop {
            let groups = tree.next(1, room - tree.len());
            if groups.is_empty() {
                break;
            }
            for key in groups.into_iter().flatten() {
                tree.add(key, search(key));
            }
        }
    }

    /// Something that looks like a search.
    fn noise(key: MenKey) -> i16 {
        (key.to_bits() % 61) as i16 - 30
    }

    #[test]
    fn every_move_raises_the_place() {
        for opening in openings::suite() {
            let key = MenKey::of(opening.position()).unwrap();
            assert!(after(key).into_iter().all(|next| place(next) > place(key)));
        }
    }

    #[test]
    fn a_tree_grows_to_its_size_and_is_worth_its_best_play() {
        let mut tree = BookTree::new([(start(), 0)]);
        grow(&mut tree, 500, noise);
        assert!((480..=500).contains(&tree.len()), "{}", tree.len());
        let values: HashMap<MenKey, i16> = tree.values().collect();
        let mut open = 0;
        for (&key, &value) in &values {
            let worth = |next| values.get(&next).map(|&value| -value);
            let moves: Option<Vec<i16>> = after(key).into_iter().map(worth).collect();
            match moves.and_then(|moves| moves.into_iter().max()) {
                Some(best) => {
                    open += 1;
                    assert_eq!(best, value);
                }
                None => assert_eq!(value, noise(key)),
            }
        }
        assert!(open > 60, "{open}");
    }

    #[test]
    fn good_moves_are_followed_farther_than_bad_ones() {
        let moves = after(start());
        let [good, bad] = [moves[1], moves[2]];
        let search = |key| match key {
            _ if key == good => -30,
            _ if key == bad => 90,
            _ => 0,
        };
        let mut tree = BookTree::new([(start(), 0)]);
        grow(&mut tree, 200, search);
        let has_replies = |tree: &BookTree, key| {
            let mut replies = after(key).into_iter();
            replies.all(|reply| tree.indices.contains_key(&reply))
        };
        assert!(has_replies(&tree, good) && !has_replies(&tree, bad));
    }

    #[test]
    fn all_beginnings_are_searched_and_the_farther_ones_wait() {
        let far = openings::suite();
        let far = far.iter().take(5).map(|opening| {
            let key = MenKey::of(opening.position()).unwrap();
            (key, 1_000)
        });
        let mut tree = BookTree::new(far.chain([(start(), 0)]));
        assert_eq!(tree.next(2, 100).len(), 6);
        grow(&mut tree, 60, noise);
        assert_eq!(tree.nodes.iter().filter(|n| n.cost == 1_000).count(), 5);
        let waiting = tree.nodes.iter().filter(|n| n.cost >= 1_000);
        let costs: Vec<(u32, bool)> = waiting.map(|n| (n.cost, n.is_open)).collect();
        assert_eq!(costs, [(1_000, false); 5]);
    }
}
