//! Finished slices, by their places.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use checkers_lib::Color;

use super::contexts::Contexts;
use super::pages;
use super::places::{PlaceRow, Places};
use super::side_table::SideTable;
use super::slice_set::Slice;
use crate::tablebase::material::Material;
use crate::tablebase::parallel::{Parts, in_parts};
use crate::tablebase::processor::for_this_processor;
use crate::tablebase::value::Distance;

/// How many positions are found before what is known of the first is read.
const POSITIONS_AHEAD: usize = 64;

/// A slice that is finished, and which of its positions have no capture.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) slice: Slice,
    /// For each place 1 or 0.
    is_quiet: Vec<u8>,
}

impl Solved {
    /// Of some places whether they mean positions without a capture, 1 or 0.
    pub(crate) fn quiet(&self, places: Range<usize>) -> &[u8] {
        &self.is_quiet[places]
    }

    /// How many of some places mean positions without a capture.
    pub(crate) fn count_quiet(&self, places: Range<usize>) -> u64 {
        let is_quiet = self.is_quiet[places].iter();
        is_quiet.map(|&quiet| u64::from(quiet)).sum()
    }
}

impl SideTable {
    /// The slice of these positions.
    pub(crate) fn finish(
        &self,
        contexts: &Contexts,
        material: Material,
        turn: Color,
        threads: usize,
    ) -> Solved {
        let places = Places::new(material);
        let len = places.layout.len();
        let bytes = |byte| {
            let mut bytes = pages::with_capacity(len);
            bytes.resize_with(len, || AtomicU8::new(byte));
            bytes
        };
        let (values, is_quiet) = (bytes(Distance::DRAW.0), bytes(0));
        in_parts(threads, places.rows(), places.rows_at_a_time(), |parts| {
            for_this_processor!(parts, |parts| {
                self.copy_rows(parts, contexts, turn, &places, [&values, &is_quiet]);
            });
        });
        Solved {
            slice: Slice {
                layout: places.layout,
                values: values.into_iter().map(AtomicU8::into_inner).collect(),
            },
            is_quiet: is_quiet.into_iter().map(AtomicU8::into_inner).collect(),
        }
    }

    /// Copies distances, and which positions are quiet, from contexts to places.
    #[inline(always)]
    fn copy_rows(
        &self,
        parts: &mut Parts,
        contexts: &Contexts,
        turn: Color,
        places: &Places,
        [values, is_quiet]: [&[AtomicU8]; 2],
    ) {
        let rows = parts.flatten().map(|number| places.row(number));
        let mut ahead = Vec::with_capacity(POSITIONS_AHEAD);
        for row in rows.filter(PlaceRow::is_sound) {
            let mut positions = places.positions(row);
            for first in (row.first..).step_by(POSITIONS_AHEAD) {
                // To find many first leaves time to fetch what is known of them.
                ahead.extend(positions.by_ref().take(POSITIONS_AHEAD).map(|position| {
                    let (context, square) = contexts.find(&position, turn);
                    self.prefetch_position(context, square as usize);
                    (context, square)
                }));
                if ahead.is_empty() {
                    break;
                }
                for (place, (context, square)) in (first..).zip(ahead.drain(..)) {
                    let quiet = self.quiet[context].load(Relaxed) >> square & 1;
                    let value = self.distance(context, square as usize);
                    values[place].store(value, Relaxed);
                    is_quiet[place].store(quiet as u8, Relaxed);
                }
            }
        }
    }
}
