//! Counting a tree with several threads: split near the root, count the parts, add up.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use checkers_lib::{Move, Position, perft};
use indicatif::ProgressBar;
use serde::Serialize;

/// Which moves count as different.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Counting {
    /// Each move once, by what it does; in bulk and by far the fastest
    Effect,
    /// Two captures of the same pieces in another order are two moves
    Order,
    /// Every landing square on the way makes a move of its own
    Route,
}

/// The leaves of a tree.
#[derive(Debug)]
pub(crate) struct Leaves {
    /// All of them.
    pub(crate) total: u64,
    /// Those below each first move, in the generator's order; none at depth 0.
    pub(crate) by_root: Vec<(Move, u64)>,
}

/// The leaves `depth` plies below `position`. Runs long on great depths and then shows its
/// progress if standard error is a terminal. The result does not depend on `threads`.
pub(crate) fn count(position: &Position, depth: u32, counting: Counting, threads: u16) -> Leaves {
    if depth == 0 {
        return Leaves {
            total: 1,
            by_root: Vec::new(),
        };
    }
    let roots = position.legal_moves();
    let subtrees = split(position, depth, counting, threads);
    let leaves = count_subtrees(&subtrees, roots.len(), counting, threads);
    Leaves {
        total: leaves.iter().sum(),
        by_root: roots.into_iter().zip(leaves).collect(),
    }
}

/// Enough parts for each thread that the last ones at work leave the others little to wait for.
const SUBTREES_PER_THREAD: usize = 64;

/// Parts of this depth are counted in less time than it takes to hand them out.
const SMALL_DEPTH: u32 = 4;

/// A part of the tree.
struct Subtree {
    /// Below which of the first moves.
    root: usize,
    /// How many moves with different routes lead here.
    ways: u64,
    position: Position,
    depth: u32,
}

/// Splits the tree at its first ply, and further while there are few parts and they are large.
fn split(position: &Position, depth: u32, counting: Counting, threads: u16) -> Vec<Subtree> {
    let whole = Subtree {
        root: 0,
        ways: 1,
        position: position.clone(),
        depth,
    };
    let number = |(root, subtree)| Subtree { root, ..subtree };
    let mut subtrees: Vec<Subtree> = whole.children(counting).enumerate().map(number).collect();
    let enough = usize::from(threads) * SUBTREES_PER_THREAD;
    let is_large = |subtree: &Subtree| subtree.depth > SMALL_DEPTH;
    while subtrees.len() < enough && subtrees.first().is_some_and(is_large) {
        subtrees = (subtrees.iter())
            .flat_map(|subtree| subtree.children(counting))
            .collect();
    }
    subtrees
}

impl Subtree {
    fn children(&self, counting: Counting) -> impl Iterator<Item = Subtree> {
        self.position.legal_moves().into_iter().map(move |m| {
            let mut position = self.position.clone();
            position.play_unchecked(m);
            Subtree {
                root: self.root,
                ways: self.ways * counting.ways(&self.position, m),
                position,
                depth: self.depth - 1,
            }
        })
    }

    fn leaves(&self, counting: Counting) -> u64 {
        let count = match counting {
            Counting::Effect => perft::effects,
            Counting::Order => perft::orders,
            Counting::Route => perft::routes,
        };
        self.ways * count(&self.position, self.depth)
    }
}

impl Counting {
    /// As how many moves `m` counts.
    fn ways(self, position: &Position, m: Move) -> u64 {
        match self {
            Counting::Effect => 1,
            Counting::Order => perft::ways_by_order(position, m),
            Counting::Route => perft::ways_by_route(position, m),
        }
    }
}

/// The leaves below each of the first moves. The threads take the next part as they become free.
fn count_subtrees(
    subtrees: &[Subtree],
    roots: usize,
    counting: Counting,
    threads: u16,
) -> Vec<u64> {
    let leaves: Vec<AtomicU64> = (0..roots).map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let progress = ProgressBar::new(subtrees.len() as u64);
    let work = || {
        while let Some(subtree) = subtrees.get(next.fetch_add(1, Ordering::Relaxed)) {
            leaves[subtree.root].fetch_add(subtree.leaves(counting), Ordering::Relaxed);
            progress.inc(1);
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    progress.finish_and_clear();
    leaves.into_iter().map(AtomicU64::into_inner).collect()
}
