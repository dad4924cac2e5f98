//! What a game does not know of its moves: how each was made, and how it is known again.

use std::fmt::Write as _;

use checkers_lib::protocol::{PlayedMove, SearchInfo};
use checkers_lib::{Move, Position, Route};

use super::CompactRecord;

/// A move that was made. Little of it is kept, since there are thousands of games.
#[derive(Debug)]
pub(super) struct MoveDetails {
    /// The way it went, if there may be several.
    route: Option<Box<Route>>,
    elapsed_ms: u64,
    search: Option<Box<SearchInfo>>,
    /// The number of its event.
    pub(super) seq: u32,
    /// What the mover called it.
    pub(super) id: Option<Box<str>>,
}

impl MoveDetails {
    /// A move that took no time, and was nobody's.
    pub(super) fn new(route: Route) -> MoveDetails {
        MoveDetails {
            route: (!route.captures.is_empty()).then(|| Box::new(route)),
            elapsed_ms: 0,
            search: None,
            seq: 0,
            id: None,
        }
    }

    /// The same with the time that it took, and what the mover told of the search for it.
    pub(super) fn taking(self, elapsed_ms: u64, search: Option<SearchInfo>) -> MoveDetails {
        MoveDetails {
            elapsed_ms,
            search: search.map(Box::new),
            ..self
        }
    }

    /// The same with the number of its event and what the mover called it.
    pub(super) fn known_by(self, seq: u32, id: Option<&str>) -> MoveDetails {
        let id = id.map(Into::into);
        MoveDetails { seq, id, ..self }
    }

    /// Adds the move, which was `m`, to what is kept of its game.
    pub(super) fn keep(&self, m: Move, kept: &mut CompactRecord) {
        let search = self.search.as_deref().cloned();
        kept.push(self.elapsed_ms, search, |line| match &self.route {
            Some(route) => _ = write!(line, "{route}"),
            None => {
                line.push_str(m.from().name());
                line.push('-');
                line.push_str(m.to().name());
            }
        });
    }

    /// The move as the wire tells it, which was `m`, played in `position` as move number `ply`.
    pub(super) fn played(&self, ply: u32, position: &Position, m: Move) -> PlayedMove {
        let quiet;
        let route = match &self.route {
            Some(route) => route,
            None => {
                quiet = Route {
                    squares: vec![m.from(), m.to()],
                    captures: Vec::new(),
                };
                &quiet
            }
        };
        PlayedMove {
            search: self.search.as_deref().cloned(),
            ..PlayedMove::at(ply, position, m, route, self.elapsed_ms)
        }
    }
}
