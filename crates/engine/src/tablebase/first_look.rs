//! What a position's moves out of its slice and the mirror image say.

use checkers_lib::MoveList;

use super::library::Library;
use super::placement::{Placement, SEVENTH_ROW};
use super::value::Distance;

/// Looks at positions. The library must have every slice that captures and promotions lead to.
pub(crate) struct FirstLook<'a> {
    library: &'a Library,
    moves: MoveList,
}

impl<'a> FirstLook<'a> {
    pub(crate) fn new(library: &'a Library) -> FirstLook<'a> {
        FirstLook {
            library,
            moves: MoveList::new(),
        }
    }

    /// What a position with a capture is worth.
    #[inline(always)]
    pub(crate) fn by_captures(&mut self, position: &Placement) -> Distance {
        self.library.value_by_captures(position, &mut self.moves)
    }

    /// What the best promotion is worth; nothing where there is none.
    #[inline(always)]
    pub(crate) fn by_promotions(&mut self, position: &Placement) -> Option<Distance> {
        if (position.men & SEVENTH_ROW).is_empty() {
            return None;
        }
        position.board().quiet_moves_into(&mut self.moves);
        let promotions = self.moves.iter().filter(|m| m.promotes());
        let values = promotions.map(|&m| self.library.value_turned(&position.after(m)).before());
        values.reduce(Distance::better)
    }
}
