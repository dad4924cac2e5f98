//! The bot around any search to a fixed depth.

use checkers_lib::{Game, Move, Position};

use super::move_order::Tries;
use super::search_state::{PrincipalVariation, SearchState};
use crate::budget::Stopped;
use crate::clock::Instant;
use crate::limits::MAX_DEPTH;
use crate::tree::Observer;
use crate::{Bot, BotSpec, Choice, Limits};

/// A search to a fixed depth.
pub(crate) trait FixedDepthSearch: Send {
    /// Who observes it.
    type Observer: Observer;

    /// Walks the tree `depth` plies deep and leaves the best line from the root in the state.
    ///
    /// # Errors
    /// When the search was stopped; the line is then the best that is known, perhaps empty.
    fn search(&mut self, root: &Position, depth: u32) -> Result<(), Stopped>;

    /// What the search keeps on its way.
    fn state(&mut self) -> &mut SearchState<Self::Observer>;

    /// The order in which it tries moves, if that can be chosen.
    fn tries(&mut self) -> Option<&mut Tries> {
        None
    }

    /// The deepest depth that the last search finished before it was stopped.
    fn finished(&self) -> u32 {
        0
    }

    /// Forgets the previous game.
    fn forget(&mut self) {}
}

/// The bot around a search. With `id=on` it searches deeper and deeper, and an iteration that is
/// cut short counts for nothing.
///
/// CITE: iterative deepening after D. J. Slate, L. R. Atkin, "Chess 4.5: The Northwestern
/// University Chess Program", 1977.
pub(crate) struct FixedDepth<S> {
    spec: BotSpec,
    search: S,
}

/// How a search ended.
struct Searched {
    line: PrincipalVariation,
    /// The deepest depth that was finished.
    depth: u32,
    complete: bool,
}

impl<S: FixedDepthSearch> FixedDepth<S> {
    pub(crate) fn new(spec: &BotSpec, search: S) -> FixedDepth<S> {
        FixedDepth {
            spec: spec.clone(),
            search,
        }
    }

    fn search_once(&mut self, root: &Position, depth: u32) -> Searched {
        let complete = self.search.search(root, depth).is_ok();
        Searched {
            line: self.search.state().line().clone(),
            depth: if complete {
                depth
            } else {
                self.search.finished()
            },
            complete,
        }
    }

    /// Searches deeper and deeper, to `deepest` plies at most and while `goes_on` after an
    /// iteration.
    fn deepen(&mut self, root: &Position, deepest: u32, goes_on: impl Fn() -> bool) -> Searched {
        let mut found = self.search_once(root, 1);
        for depth in 2..=deepest {
            // A forced end this near is the nearest there is.
            let end = found.line.score.plies_to_end();
            if !found.complete || end.is_some_and(|plies| plies < depth) || !goes_on() {
                break;
            }
            if let Some(tries) = self.search.tries() {
                tries.remember(found.line.moves.first().copied());
            }
            *self.search.state().line() = PrincipalVariation::default();
            let next = self.search_once(root, depth);
            if !next.complete {
                found.complete = false;
                break;
            }
            found = next;
        }
        found
    }
}

impl<S: FixedDepthSearch> Bot for FixedDepth<S> {
    fn spec(&self) -> &BotSpec {
        &self.spec
    }

    fn new_game(&mut self, _number: u64) {
        if let Some(tries) = self.search.tries() {
            tries.forget();
        }
        self.search.forget();
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> Choice {
        let start = Instant::now();
        let moves = game.legal_moves();
        let Some(&first) = moves.first() else {
            return Choice::none(game);
        };
        let options = *self.spec.options();
        if let Some(tries) = self.search.tries() {
            tries.begin(limits);
        }
        self.search.state().begin(limits, limits.most_time());
        let root = game.position();
        let mut found = if options.id {
            let goes_on = || limits.allow_another_iteration(start, moves.len());
            self.deepen(root, limits.deepest(options.depth), goes_on)
        } else {
            let depth = limits.depth.unwrap_or(options.depth);
            self.search_once(root, depth.clamp(1, MAX_DEPTH))
        };
        if let Some(tries) = self.search.tries() {
            tries.end();
        }
        let line = &mut found.line;
        if line.moves.is_empty() {
            line.moves.push(first);
        }
        Choice {
            best: line.moves.first().copied(),
            score: line.score,
            pv: line.moves.to_vec(),
            depth: found.depth,
            nodes: self.search.state().nodes(),
            time: start.elapsed(),
            complete: found.complete,
            from_book: false,
        }
    }
}

/// The position after a move from its own list.
#[inline]
pub(crate) fn after(position: &Position, m: Move) -> Position {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}
