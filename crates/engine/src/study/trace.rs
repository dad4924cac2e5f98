//! What every search keeps while it walks the tree.

use arrayvec::ArrayVec;
use checkers_lib::Move;

use super::MAX_DEPTH;
use crate::{Score, Stop};

/// The order to stop: it unwinds the search through `?`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// How many nodes pass between two looks at the stop flag.
const NODES_BETWEEN_LOOKS: u64 = 1024;

const DEEPEST: usize = MAX_DEPTH as usize;

/// The best play found from one node on.
#[derive(Clone, Default)]
pub(crate) struct Line {
    /// What it is worth to the side to move at the node.
    pub(crate) score: Score,
    pub(crate) moves: ArrayVec<Move, DEEPEST>,
}

/// The nodes visited, the flag that ends the visit, and the best line of each ply: the triangular
/// table of principal variations.
pub(crate) struct Trace {
    nodes: u64,
    stop: Stop,
    lines: Vec<Line>,
}

impl Trace {
    pub(crate) fn new() -> Trace {
        Trace {
            nodes: 0,
            stop: Stop::default(),
            lines: vec![Line::default(); DEEPEST + 1],
        }
    }

    /// Begins a new search.
    pub(crate) fn begin(&mut self, stop: Stop) {
        self.nodes = 0;
        self.stop = stop;
        self.lines[0] = Line::default();
    }

    /// Enters a node `ply` plies below the root.
    ///
    /// # Errors
    /// When the search is to end.
    #[inline]
    pub(crate) fn visit(&mut self, ply: u32) -> Result<(), Stopped> {
        self.nodes += 1;
        self.lines[ply as usize].moves.clear();
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) && self.stop.is_set() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Notes that `m` is the best move so far at a node and worth `score`; the best play after it
    /// is that of the child visited last.
    #[inline]
    pub(crate) fn record(&mut self, ply: u32, m: Move, score: Score) {
        if let [line, after, ..] = &mut self.lines[ply as usize..] {
            line.score = score;
            line.moves.clear();
            line.moves.push(m);
            line.moves.extend(after.moves.iter().copied());
        }
    }

    /// The positions visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best line from the root.
    pub(crate) fn line(&mut self) -> &mut Line {
        &mut self.lines[0]
    }
}
