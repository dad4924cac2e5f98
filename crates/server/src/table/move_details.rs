//! What is stored of a played move besides the move itself.

use std::fmt::Write as _;

use checkers_lib::protocol::{PlayedMove, SearchInfo};
use checkers_lib::{Move, Position, Route};

use super::CompactRecord;

/// The details of a played move. Small, because there are thousands of games.
#[derive(Debug)]
pub(super) struct MoveDetails {
    /// The route of a capture; one move may have several.
    route: Option<Box<Route>>,
    elapsed_ms: u64,
    search: Option<Box<SearchInfo>>,
    /// The number of its event.
    pub(super) seq: u32,
    /// The player's id for the move.
    pub(super) id: Option<Box<str>>,
}

impl MoveDetails {
    /// Details without time, search report or ids.
    pub(super) fn new(route: Route) -> MoveDetails {
        MoveDetails {
            route: (!route.captures.is_empty()).then(|| Box::new(route)),
            elapsed_ms: 0,
            search: None,
            seq: 0,
            id: None,
        }
    }

    /// Sets the time used and the player's report of its search.
    pub(super) fn with_report(self, elapsed_ms: u64, search: Option<SearchInfo>) -> MoveDetails {
        MoveDetails {
            elapsed_ms,
            search: search.map(Box::new),
            ..self
        }
    }

    /// Sets the number of its event and the player's id for it.
    pub(super) fn with_ids(self, seq: u32, id: Option<&str>) -> MoveDetails {
        let id = id.map(Into::into);
        MoveDetails { seq, id, ..self }
    }

    /// Appends the move `m` to the record of its game.
    pub(super) fn append_to(&self, record: &mut CompactRecord, m: Move) {
        let search = self.search.as_deref().cloned();
        record.push(self.elapsed_ms, search, |line| match &self.route {
            Some(route) => _ = write!(line, "{route}"),
            None => {
                line.push_str(m.from().name());
                line.push('-');
                line.push_str(m.to().name());
            }
        });
    }

    /// The wire form of the move `m`, played in `position` at `ply`.
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
