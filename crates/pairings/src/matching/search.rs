//! One search of a matching: a tree of alternately other and matched edges grows from a free vertex.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Blossom, Edge, Matching, Weight};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// Not reached by the tree.
    Free,
    /// At an even distance from the root.
    Even,
    /// At an odd distance from the root.
    Odd,
}

/// The alternating tree of one search.
pub(super) struct AlternatingTree<const N: usize> {
    label: Vec<Label>,
    /// The edge by which an outermost blossom was reached: the vertex outside, then the one inside.
    entry: Vec<Option<Edge>>,
    /// Outermost blossoms with a label.
    reached: Vec<usize>,
    /// The vertices of even nodes.
    even: Vec<usize>,
    /// How many of `even` have been scanned.
    scanned: usize,
    is_scanned: Vec<bool>,
    /// For each vertex that is not even, the nearest even vertex and the slack between them.
    nearest: Vec<Option<usize>>,
    slack: Vec<Weight<N>>,
    /// Edges between even vertices, with the slack that they would have without the changes of this search.
    even_edges: BinaryHeap<Reverse<(Weight<N>, usize, usize)>>,
    /// By how much the duals of the root have changed.
    shift: Weight<N>,
}

/// What bounds a change of the duals.
enum DualEvent {
    /// An even vertex may remain without a mate.
    Release(usize),
    /// An even vertex and one outside the tree are joined.
    Reach(Edge),
    /// Two even vertices close a cycle.
    Close(Edge),
    /// An odd blossom loses its dual.
    Expand(usize),
}

impl<const N: usize> Matching<N> {
    /// Finds a mate for a free vertex, or frees another one that may be free.
    pub(super) fn search(&mut self, root: usize) {
        self.tree.clear();
        self.reach_even(self.top[root], None);
        loop {
            self.scan();
            let (change, event) = self.next_event();
            self.change_duals(change);
            match event {
                DualEvent::Release(vertex) => {
                    self.mate[vertex] = None;
                    self.free_path(vertex);
                    break;
                }
                DualEvent::Reach(edge) => {
                    if !self.grow(edge) {
                        break;
                    }
                }
                DualEvent::Close(edge) => self.close(edge),
                DualEvent::Expand(node) => self.expand(node),
            }
        }
        for node in std::mem::take(&mut self.tree.reached) {
            if node >= self.size
                && self.dual[node] == Weight::ZERO
                && self.tree.label[node] == Label::Even
            {
                self.dissolve(node);
            }
        }
    }

    /// Adds a node and its mate to the tree. A node without a mate gets one instead, which ends the search. Returns whether
    /// the search goes on.
    fn grow(&mut self, (even, vertex): Edge) -> bool {
        let node = self.top[vertex];
        let base = self.base(node);
        if let Some(mate) = self.mate[base] {
            self.tree.reach(node, Label::Odd, Some((even, vertex)));
            self.reach_even(self.top[mate], Some((base, mate)));
            return true;
        }
        self.rotate(node, vertex);
        self.free_path(even);
        self.mate[even] = Some(vertex);
        self.mate[vertex] = Some(even);
        false
    }

    fn reach_even(&mut self, node: usize, entry: Option<Edge>) {
        self.tree.reach(node, Label::Even, entry);
        self.tree.even.extend(self.vertices(node));
    }

    /// Looks at the edges of new even vertices.
    fn scan(&mut self) {
        while let Some(&even) = self.tree.even.get(self.tree.scanned) {
            self.tree.scanned += 1;
            let row = &self.weights[even * self.size..][..self.size];
            for &other in &self.alive {
                let weight = row[other];
                if !weight.is_some() || self.top[other] == self.top[even] {
                    continue;
                }
                let slack = self.dual[even] + self.dual[other] - weight - weight;
                let tree = &mut self.tree;
                if tree.label[self.top[other]] == Label::Even {
                    if tree.is_scanned[other] {
                        let key = slack + tree.shift + tree.shift;
                        tree.even_edges.push(Reverse((key, even, other)));
                    }
                } else if tree.nearest[other].is_none() || slack < tree.slack[other] {
                    tree.nearest[other] = Some(even);
                    tree.slack[other] = slack;
                }
            }
            self.tree.is_scanned[even] = true;
        }
    }

    /// What happens next in the tree, and after which change of the duals.
    fn next_event(&mut self) -> (Weight<N>, DualEvent) {
        let tree = &mut self.tree;
        let mut next = (self.dual[tree.even[0]], DualEvent::Release(tree.even[0]));
        for &vertex in &tree.even {
            if self.dual[vertex] < next.0 {
                next = (self.dual[vertex], DualEvent::Release(vertex));
            }
        }
        for &vertex in &self.alive {
            if let Some(even) = tree.nearest[vertex]
                && tree.label[self.top[vertex]] == Label::Free
                // A free vertex ends the search, so that it comes first.
                && (tree.slack[vertex] < next.0
                    || (tree.slack[vertex] == next.0 && self.mate[vertex].is_none()))
            {
                next = (tree.slack[vertex], DualEvent::Reach((even, vertex)));
            }
        }
        while let Some(&Reverse((slack, a, b))) = tree.even_edges.peek() {
            if self.top[a] == self.top[b] {
                tree.even_edges.pop();
                continue;
            }
            let change = (slack - tree.shift - tree.shift).half();
            if change < next.0 {
                next = (change, DualEvent::Close((a, b)));
            }
            break;
        }
        for &node in &tree.reached {
            if node >= self.size && tree.label[node] == Label::Odd {
                let change = self.dual[node].half();
                if change < next.0 {
                    next = (change, DualEvent::Expand(node));
                }
            }
        }
        next
    }

    fn change_duals(&mut self, change: Weight<N>) {
        if change == Weight::ZERO {
            return;
        }
        self.tree.shift = self.tree.shift + change;
        for &vertex in &self.alive {
            match self.tree.label[self.top[vertex]] {
                Label::Even => self.dual[vertex] = self.dual[vertex] - change,
                Label::Odd => self.dual[vertex] = self.dual[vertex] + change,
                Label::Free if self.tree.nearest[vertex].is_some() => {
                    self.tree.slack[vertex] = self.tree.slack[vertex] - change;
                }
                Label::Free => {}
            }
        }
        for &node in self.tree.reached.iter().filter(|&&node| node >= self.size) {
            match self.tree.label[node] {
                Label::Even => self.dual[node] = self.dual[node] + change + change,
                Label::Odd => self.dual[node] = self.dual[node] - change - change,
                Label::Free => {}
            }
        }
    }

    /// Swaps matched and other edges from an even vertex to the root, so that the vertex can get a new mate.
    fn free_path(&mut self, mut vertex: usize) {
        loop {
            let node = self.top[vertex];
            self.rotate(node, vertex);
            let Some((odd, _)) = self.tree.entry[node] else {
                return;
            };
            let odd = self.top[odd];
            let Some((even, entered)) = self.tree.entry[odd] else {
                return;
            };
            self.rotate(odd, entered);
            self.mate[entered] = Some(even);
            // The mate inside its blossom is replaced, when that is rotated.
            self.mate[even] = Some(entered);
            vertex = even;
        }
    }

    /// The way from an even node to the root: nodes, and the edges between them.
    fn path(&self, node: usize) -> (Vec<usize>, Vec<Edge>) {
        let (mut nodes, mut edges) = (vec![node], Vec::new());
        let mut node = node;
        while let Some((outside, inside)) = self.tree.entry[node] {
            edges.push((inside, outside));
            node = self.top[outside];
            nodes.push(node);
        }
        (nodes, edges)
    }

    /// Makes a blossom of the cycle that an edge between even vertices closes.
    fn close(&mut self, (a, b): Edge) {
        let Some(node) = self.unused.pop() else {
            return;
        };
        let (mut nodes_a, mut edges_a) = self.path(self.top[a]);
        let (mut nodes_b, mut edges_b) = self.path(self.top[b]);
        let mut ancestor = None;
        while nodes_a.last() == nodes_b.last() && !nodes_a.is_empty() {
            ancestor = nodes_a.pop();
            nodes_b.pop();
        }
        let Some(ancestor) = ancestor else { return };
        edges_a.truncate(nodes_a.len());
        edges_b.truncate(nodes_b.len());
        // From the ancestor to a, over the edge to b, and back.
        let mut children = vec![ancestor];
        children.extend(nodes_a.into_iter().rev());
        children.extend(nodes_b);
        let mut links: Vec<Edge> = edges_a
            .into_iter()
            .rev()
            .map(|(inside, outside)| (outside, inside))
            .collect();
        links.push((a, b));
        links.extend(edges_b);
        for &child in &children {
            self.parent[child] = Some(node);
            if self.tree.label[child] == Label::Odd {
                self.tree.even.extend(self.vertices(child));
            }
            self.tree.label[child] = Label::Free;
        }
        let tree = &mut self.tree;
        tree.reached.retain(|&node| tree.label[node] != Label::Free);
        tree.reach(node, Label::Even, tree.entry[ancestor]);
        self.blossoms[node - self.size] = Blossom { children, links };
        for vertex in self.vertices(node) {
            self.top[vertex] = node;
        }
    }

    /// Replaces an odd blossom in the tree by its children.
    fn expand(&mut self, node: usize) {
        let Some(entry) = self.tree.entry[node] else {
            return;
        };
        let Blossom {
            mut children,
            mut links,
        } = self.blossom(node).clone();
        let entered = self.child(node, entry.1);
        self.tree.reached.retain(|&other| other != node);
        self.tree.label[node] = Label::Free;
        self.dissolve(node);
        let mut index = children
            .iter()
            .position(|&child| child == entered)
            .unwrap_or(0);
        if index % 2 == 0 {
            // The even way to the base is the one back.
            children[1..].reverse();
            links.reverse();
            links.iter_mut().for_each(|link| *link = (link.1, link.0));
            index = (children.len() - index) % children.len();
        }
        self.tree.reach(entered, Label::Odd, Some(entry));
        while (1..children.len()).contains(&index) {
            self.reach_even(children[index + 1], Some(links[index]));
            let odd = children[(index + 2) % children.len()];
            self.tree.reach(odd, Label::Odd, Some(links[index + 1]));
            index += 2;
        }
    }
}

impl<const N: usize> AlternatingTree<N> {
    pub(super) fn new(size: usize) -> AlternatingTree<N> {
        AlternatingTree {
            label: vec![Label::Free; 2 * size],
            entry: vec![None; 2 * size],
            reached: Vec::new(),
            even: Vec::new(),
            scanned: 0,
            is_scanned: vec![false; size],
            nearest: vec![None; size],
            slack: vec![Weight::ZERO; size],
            even_edges: BinaryHeap::new(),
            shift: Weight::ZERO,
        }
    }

    fn clear(&mut self) {
        self.label.fill(Label::Free);
        self.entry.fill(None);
        self.reached.clear();
        self.even.clear();
        self.scanned = 0;
        self.is_scanned.fill(false);
        self.nearest.fill(None);
        self.even_edges.clear();
        self.shift = Weight::ZERO;
    }

    fn reach(&mut self, node: usize, label: Label, entry: Option<Edge>) {
        self.label[node] = label;
        self.entry[node] = entry;
        self.reached.push(node);
    }
}
