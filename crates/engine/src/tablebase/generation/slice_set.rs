//! Finished slices in memory, one byte a place.

use std::collections::BTreeMap;
use std::sync::Arc;

use checkers_lib::geometry::{Direction, step};
use checkers_lib::{Bitboard, Color, MoveList};

use super::places::SEVENTH_ROW;
use crate::prefetch::prefetch;
use crate::tablebase::layout::Layout;
use crate::tablebase::material::Material;
use crate::tablebase::placement::Placement;
use crate::tablebase::value::Distance;

/// The distance of every position of a slice; places that mean nothing count as drawn.
#[derive(Debug)]
pub(crate) struct Slice {
    pub(crate) layout: Layout,
    pub(crate) values: Vec<u8>,
}

impl Slice {
    /// What `position.turned()`, which is in this slice, is worth to its side to move: a distance.
    #[inline(always)]
    fn slot_turned(&self, position: &Placement) -> &u8 {
        &self.values[self.layout.place_turned(position)]
    }
}

/// The slices that can be looked up now.
#[derive(Clone, Debug)]
pub(crate) struct SliceSet {
    by_code: Vec<Option<Arc<Slice>>>,
}

impl SliceSet {
    pub(crate) fn new() -> SliceSet {
        SliceSet {
            by_code: vec![None; Material::CODES],
        }
    }

    pub(crate) fn add(&mut self, slice: Arc<Slice>) {
        let code = slice.layout.material.code();
        self.by_code[code] = Some(slice);
    }

    pub(crate) fn remove(&mut self, material: Material) {
        self.by_code[material.code()] = None;
    }

    #[inline(always)]
    pub(crate) fn get(&self, material: Material) -> Option<&Arc<Slice>> {
        self.by_code[material.code()].as_ref()
    }

    /// The slices there are, by material.
    pub(crate) fn slices(&self) -> BTreeMap<Material, &Arc<Slice>> {
        let slices = self.by_code.iter().flatten();
        slices.map(|slice| (slice.layout.material, slice)).collect()
    }

    /// What `position.turned()` is worth to its side to move: a look-up. A slice that is missing
    /// counts as drawn; the caller makes sure that none is.
    #[inline(always)]
    pub(crate) fn value_turned(&self, position: &Placement) -> Distance {
        Distance(*self.slot_turned(position))
    }

    /// Where that is looked up.
    #[inline(always)]
    fn slot_turned(&self, position: &Placement) -> &u8 {
        if (position.other_men | position.other_kings).is_empty() {
            return &Distance::LOST.0;
        }
        match &self.by_code[position.material().mirrored().code()] {
            Some(slice) => slice.slot_turned(position),
            None => &Distance::DRAW.0,
        }
    }

    /// Visits what the positions after all captures of a position are worth to their sides to move:
    /// distances that are being fetched, to be read some time later.
    #[inline(always)]
    pub(crate) fn for_each_after_capture<'l>(
        &'l self,
        position: &Placement,
        moves: &mut MoveList,
        mut visit: impl FnMut(&'l u8),
    ) {
        position.board().captures_into(moves);
        for &m in moves.iter() {
            let slot = self.slot_turned(&position.after(m));
            prefetch(Some(slot));
            visit(slot);
        }
    }

    /// What a position with a capture is worth, by the look-ups of all captures.
    #[inline(always)]
    pub(crate) fn value_by_captures(&self, position: &Placement, moves: &mut MoveList) -> Distance {
        let mut worst = Distance::LOST.before();
        self.for_each_after_capture(position, moves, |&after| {
            worst = worst.min(Distance(after));
        });
        worst.before()
    }

    /// What the best promotion of a position without a capture is worth; nothing where there is none.
    #[inline(always)]
    pub(crate) fn value_by_promotions(&self, position: &Placement) -> Option<Distance> {
        let mut worst: Option<Distance> = None;
        for direction in Direction::forward(Color::White) {
            for to in step(position.men & SEVENTH_ROW, direction) - position.occupied() {
                let to = Bitboard::from(to);
                let after = Placement {
                    men: position.men ^ step(to, direction.opposite()),
                    kings: position.kings | to,
                    ..*position
                };
                let value = self.value_turned(&after);
                worst = Some(worst.map_or(value, |worst| worst.min(value)));
            }
        }
        worst.map(Distance::before)
    }

    /// What a position is worth, derived anew from the look-ups of all its successors.
    #[inline(always)]
    pub(crate) fn value_by_moves(&self, position: &Placement, moves: &mut MoveList) -> Distance {
        if position.board().can_capture() {
            return self.value_by_captures(position, moves);
        }
        position.board().quiet_moves_into(moves);
        let after = self.get(position.material().mirrored());
        let mut worst = None;
        for &m in moves.iter() {
            let value = match after {
                Some(slice) if !m.promotes() => Distance(*slice.slot_turned(&position.after(m))),
                _ => self.value_turned(&position.after(m)),
            };
            worst = Some(worst.map_or(value, |worst: Distance| worst.min(value)));
        }
        worst.map_or(Distance::LOST, Distance::before)
    }
}
