//! Matchings of maximum weight in general graphs.
//!
//! CITE: J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", Journal of Research of the National Bureau of
//! Standards 69B, 1965; Z. Galil, "Efficient algorithms for finding maximum matching in graphs", ACM Computing Surveys
//! 18(1), 1986. One tree grows at a time, so that a changed vertex costs one search instead of a new matching.

mod search;

use std::ops::{Add, Sub};

use search::AlternatingTree;

/// A weight of several parts, compared from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Weight<const N: usize>(pub(crate) [i64; N]);

impl<const N: usize> Weight<N> {
    pub(crate) const ZERO: Weight<N> = Weight([0; N]);
    /// What two vertices have that cannot be matched.
    pub(crate) const NONE: Weight<N> = Weight([i64::MIN; N]);

    pub(crate) fn is_some(&self) -> bool {
        self.0.first().is_some_and(|&part| part != i64::MIN)
    }

    /// Only for weights that are even in each part, which those in a tree are.
    fn half(self) -> Weight<N> {
        Weight(self.0.map(|part| part / 2))
    }
}

impl<const N: usize> Add for Weight<N> {
    type Output = Weight<N>;

    fn add(mut self, other: Weight<N>) -> Weight<N> {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part += other;
        }
        self
    }
}

impl<const N: usize> Sub for Weight<N> {
    type Output = Weight<N>;

    fn sub(mut self, other: Weight<N>) -> Weight<N> {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part -= other;
        }
        self
    }
}

/// Two vertices, the first of them on the side from which one looks.
type Edge = (usize, usize);

/// An odd cycle of vertices and smaller blossoms. The first of them contains the base: the only vertex with a mate outside.
#[derive(Clone, Default)]
struct Blossom {
    children: Vec<usize>,
    /// From each child to the next, and from the last to the first.
    links: Vec<Edge>,
}

/// A graph with its matching of maximum weight, kept up to date by [`Matching::solve`].
pub(crate) struct Matching<const N: usize> {
    size: usize,
    weights: Vec<Weight<N>>,
    /// The vertices that are not removed.
    alive: Vec<usize>,
    mate: Vec<Option<usize>>,
    /// Vertices that may have to be matched anew.
    roots: Vec<usize>,
    /// Of vertices, and of blossoms behind them.
    dual: Vec<Weight<N>>,
    blossoms: Vec<Blossom>,
    unused: Vec<usize>,
    parent: Vec<Option<usize>>,
    /// The outermost blossom of each vertex.
    top: Vec<usize>,
    tree: AlternatingTree<N>,
}

impl<const N: usize> Matching<N> {
    /// The matching of a graph with these weights, which are `size` rows, symmetric.
    pub(crate) fn new(size: usize, weights: Vec<Weight<N>>) -> Matching<N> {
        debug_assert_eq!(weights.len(), size * size);
        let mut dual: Vec<Weight<N>> = (weights.chunks(size.max(1)))
            .map(|row| {
                (row.iter().copied())
                    .fold(Weight::ZERO, |a, b| if b.is_some() { a.max(b) } else { a })
            })
            .collect();
        dual.resize(2 * size, Weight::ZERO);
        let mut matching = Matching {
            size,
            weights,
            alive: (0..size).collect(),
            mate: vec![None; size],
            roots: (0..size).rev().collect(),
            dual,
            blossoms: vec![Blossom::default(); size],
            unused: (size..2 * size).rev().collect(),
            parent: vec![None; 2 * size],
            top: (0..size).collect(),
            tree: AlternatingTree::new(size),
        };
        matching.solve();
        matching
    }

    /// Whom a vertex is matched with.
    pub(crate) fn mate(&self, vertex: usize) -> Option<usize> {
        self.mate[vertex]
    }

    /// Changes the weights of a vertex. A call of [`Matching::solve`] must follow.
    pub(crate) fn update(&mut self, vertex: usize, weight: impl Fn(usize) -> Weight<N>) {
        self.detach(vertex);
        let mut dual = Weight::ZERO;
        for &other in &self.alive {
            if other != vertex {
                let weight = weight(other);
                self.weights[vertex * self.size + other] = weight;
                self.weights[other * self.size + vertex] = weight;
                if weight.is_some() {
                    dual = dual.max(weight + weight - self.dual[other]);
                }
            }
        }
        self.dual[vertex] = dual;
        self.roots.push(vertex);
    }

    /// Takes a vertex out of the graph. A call of [`Matching::solve`] must follow.
    pub(crate) fn remove(&mut self, vertex: usize) {
        self.detach(vertex);
        self.alive.retain(|&other| other != vertex);
    }

    /// Restores the maximum after changes.
    pub(crate) fn solve(&mut self) {
        while let Some(root) = self.roots.pop() {
            if self.mate[root].is_none() && self.dual[root] > Weight::ZERO {
                self.search(root);
            }
        }
    }

    /// Makes a vertex free and a member of no blossom.
    fn detach(&mut self, vertex: usize) {
        let base = self.base(self.top[vertex]);
        if let Some(mate) = self.mate[base].take() {
            self.mate[mate] = None;
            self.roots.push(mate);
        }
        self.rotate(self.top[vertex], vertex);
        while self.top[vertex] != vertex {
            self.dissolve(self.top[vertex]);
        }
        self.mate[vertex] = None;
        self.roots.retain(|&root| root != vertex);
    }

    fn base(&self, mut node: usize) -> usize {
        while node >= self.size {
            node = self.blossom(node).children[0];
        }
        node
    }

    fn blossom(&self, node: usize) -> &Blossom {
        &self.blossoms[node - self.size]
    }

    fn vertices(&self, node: usize) -> Vec<usize> {
        let mut vertices = Vec::new();
        let mut waiting = vec![node];
        while let Some(node) = waiting.pop() {
            if node < self.size {
                vertices.push(node);
            } else {
                waiting.extend(&self.blossom(node).children);
            }
        }
        vertices
    }

    /// The child of a blossom that contains a vertex.
    fn child(&self, node: usize, vertex: usize) -> usize {
        let mut child = vertex;
        while let Some(parent) = self.parent[child].filter(|&parent| parent != node) {
            child = parent;
        }
        child
    }

    /// Makes a vertex the base of a blossom that contains it.
    fn rotate(&mut self, node: usize, vertex: usize) {
        if node == vertex || self.base(node) == vertex {
            return;
        }
        let child = self.child(node, vertex);
        self.rotate(child, vertex);
        let blossom = &mut self.blossoms[node - self.size];
        let index = blossom.children.iter().position(|&other| other == child);
        blossom.children.rotate_left(index.unwrap_or(0));
        blossom.links.rotate_left(index.unwrap_or(0));
        for index in (1..self.blossom(node).children.len()).step_by(2) {
            let Blossom { children, links } = self.blossom(node);
            let ((a, b), nodes) = (links[index], [children[index], children[index + 1]]);
            self.rotate(nodes[0], a);
            self.rotate(nodes[1], b);
            self.mate[a] = Some(b);
            self.mate[b] = Some(a);
        }
    }

    /// Replaces an outermost blossom by its children.
    fn dissolve(&mut self, node: usize) {
        let half = self.dual[node].half();
        if half != Weight::ZERO {
            for vertex in self.vertices(node) {
                self.dual[vertex] = self.dual[vertex] + half;
            }
        }
        let blossom = std::mem::take(&mut self.blossoms[node - self.size]);
        for child in blossom.children {
            self.parent[child] = None;
            for vertex in self.vertices(child) {
                self.top[vertex] = child;
            }
        }
        self.dual[node] = Weight::ZERO;
        self.unused.push(node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small numbers that look random.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u64) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % bound) as usize
        }

        fn weight(&mut self) -> Weight<2> {
            match self.below(4) {
                0 => Weight::NONE,
                _ => Weight([self.below(3) as i64, self.below(9) as i64 - 4]),
            }
        }
    }

    /// The maximum weight of all matchings of the vertices from `first` that are in none yet.
    fn best(weights: &[Weight<2>], size: usize, used: u32, first: usize) -> Weight<2> {
        let Some(vertex) = (first..size).find(|vertex| used >> vertex & 1 == 0) else {
            return Weight::ZERO;
        };
        let mut maximum = best(weights, size, used, vertex + 1);
        for other in vertex + 1..size {
            let weight = weights[vertex * size + other];
            if used >> other & 1 == 0 && weight.is_some() {
                let used = used | 1 << other;
                maximum = maximum.max(weight + best(weights, size, used, vertex + 1));
            }
        }
        maximum
    }

    fn total(matching: &Matching<2>, weights: &[Weight<2>], size: usize) -> Weight<2> {
        let mut sum = Weight::ZERO;
        for vertex in 0..size {
            if let Some(mate) = matching.mate(vertex) {
                assert_eq!(matching.mate(mate), Some(vertex));
                if mate < vertex {
                    assert!(weights[vertex * size + mate].is_some());
                    sum = sum + weights[vertex * size + mate];
                }
            }
        }
        sum
    }

    #[test]
    fn no_matching_is_heavier() {
        let mut numbers = Numbers(1);
        for round in 0..600 {
            let size = round % 10;
            let mut weights = vec![Weight::NONE; size * size];
            for a in 0..size {
                for b in 0..a {
                    weights[a * size + b] = numbers.weight();
                    weights[b * size + a] = weights[a * size + b];
                }
            }
            let mut matching = Matching::new(size, weights.clone());
            assert_eq!(total(&matching, &weights, size), best(&weights, size, 0, 0));
            let mut removed = 0;
            for change in 0..2 * size {
                let vertex = numbers.below(size as u64);
                if removed >> vertex & 1 == 1 {
                    continue;
                }
                if change % 3 == 2 {
                    matching.remove(vertex);
                    removed |= 1 << vertex;
                } else {
                    let row: Vec<Weight<2>> = (0..size).map(|_| numbers.weight()).collect();
                    for other in (0..size).filter(|&other| other != vertex) {
                        weights[vertex * size + other] = row[other];
                        weights[other * size + vertex] = row[other];
                    }
                    matching.update(vertex, |other| row[other]);
                }
                matching.solve();
                assert_eq!(
                    total(&matching, &weights, size),
                    best(&weights, size, removed, 0)
                );
            }
        }
    }
}
