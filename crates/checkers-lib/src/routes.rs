//! Every way to carry out a move on the board.

use crate::geometry::{Direction, look, neighbour, step};
use crate::{Bitboard, Move, Position, Route, Square};

/// The most routes that are listed for one position or one move; the rest would be left out.
/// Hill-climbed set-ups reach about a hundred.
pub const MAX_ROUTES: usize = 512;

impl Move {
    /// The routes with this move's effect in `position`, in a fixed order, at most
    /// [`MAX_ROUTES`]. One for a quiet move; none if the move is not legal there.
    pub fn routes(self, position: &Position) -> Vec<Route> {
        if !self.is_capture() {
            let legal = position.is_legal(self);
            let route = Route {
                squares: vec![self.from(), self.to()],
                captures: Vec::new(),
            };
            return if legal { vec![route] } else { Vec::new() };
        }
        let mut walk = RouteWalk::new(position, Some(self));
        walk.piece(self.from());
        walk.found.into_iter().map(|(_, route)| route).collect()
    }
}

impl Position {
    /// Every route of every legal move, by piece, with the move it carries out, at most
    /// [`MAX_ROUTES`].
    pub fn routes(&self) -> Vec<(Move, Route)> {
        if !self.must_capture() {
            let route = |m: &Move| Route {
                squares: vec![m.from(), m.to()],
                captures: Vec::new(),
            };
            return self.legal_moves().iter().map(|m| (*m, route(m))).collect();
        }
        let mut walk = RouteWalk::new(self, None);
        for from in self.pieces(self.turn()) {
            walk.piece(from);
        }
        walk.found
    }
}

struct RouteWalk<'a> {
    position: &'a Position,
    /// Only routes with this effect, or all.
    wanted: Option<Move>,
    theirs: Bitboard,
    occupied: Bitboard,
    promotes: bool,
    route: Route,
    found: Vec<(Move, Route)>,
}

impl<'a> RouteWalk<'a> {
    fn new(position: &'a Position, wanted: Option<Move>) -> RouteWalk<'a> {
        RouteWalk {
            position,
            wanted,
            theirs: position.pieces(!position.turn()),
            occupied: position.occupied(),
            promotes: false,
            route: Route::default(),
            found: Vec::new(),
        }
    }

    fn piece(&mut self, from: Square) {
        if !self.position.pieces(self.position.turn()).contains(from) {
            return;
        }
        self.occupied = self.position.occupied() - from.into();
        self.promotes = false;
        self.route = Route {
            squares: vec![from],
            captures: Vec::new(),
        };
        self.go_on(
            from,
            self.position.kings(self.position.turn()).contains(from),
        );
    }

    /// Goes on from the route's last square; returns whether that was possible.
    fn go_on(&mut self, at: Square, is_king: bool) -> bool {
        let mut goes_on = false;
        for direction in Direction::ALL {
            goes_on |= if is_king {
                self.king(at, direction)
            } else {
                self.man(at, direction)
            };
        }
        goes_on
    }

    fn man(&mut self, at: Square, direction: Direction) -> bool {
        let victim = neighbour(at, direction) & self.capturable();
        let landing = step(victim, direction) - self.occupied;
        let (Some(victim), Some(to)) = (victim.first(), landing.first()) else {
            return false;
        };
        let promotes = Bitboard::promotion_row(self.position.turn()).contains(to);
        self.promotes = promotes;
        self.jump(victim, to, promotes, true);
        self.promotes = false;
        true
    }

    fn king(&mut self, at: Square, direction: Direction) -> bool {
        let Some(victim) = look(at, direction, self.occupied).blocker else {
            return false;
        };
        if !self.capturable().contains(victim) {
            return false;
        }
        let landings = look(victim, direction, self.occupied).open;
        let mut goes_on = false;
        for to in landings {
            goes_on |= self.jump(victim, to, true, false);
        }
        if !goes_on {
            for to in landings {
                self.jump(victim, to, true, true);
            }
        }
        !landings.is_empty()
    }

    /// Walks one hop and all that can follow; ends the route there if nothing can and `may_end`.
    /// Returns whether anything followed.
    fn jump(&mut self, victim: Square, to: Square, is_king: bool, may_end: bool) -> bool {
        self.route.squares.push(to);
        self.route.captures.push(victim);
        let goes_on = self.go_on(to, is_king);
        if !goes_on && may_end {
            self.end(to);
        }
        self.route.squares.pop();
        self.route.captures.pop();
        goes_on
    }

    fn end(&mut self, to: Square) {
        let captured = self.route.captures.iter().copied().collect();
        let m = Move::new(self.route.squares[0], to, self.promotes, captured);
        let is_wanted = self.wanted.is_none_or(|wanted| wanted == m);
        if is_wanted && self.found.len() < MAX_ROUTES {
            self.found.push((m, self.route.clone()));
        }
    }

    fn capturable(&self) -> Bitboard {
        self.theirs - self.route.captures.iter().copied().collect()
    }
}
