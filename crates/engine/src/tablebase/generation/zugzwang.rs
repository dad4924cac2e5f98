//! Mutual zugzwangs: positions in which each side would get more if the other one had to move.

use super::places::{PlaceRow, Places};
use super::solved::Solved;
use crate::tablebase::parallel::{Parts, in_parts};
use crate::tablebase::processor::for_this_processor;
use crate::tablebase::value::{Distance, Wdl};

/// How many mutual zugzwangs a slice has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Zugzwangs {
    pub(super) mutual: u64,
    /// Those in which either side, if it has to move, loses.
    pub(super) full_point: u64,
}

impl Zugzwangs {
    /// Counts them in a slice. `mirror` has the same pieces with the other side to move.
    pub(super) fn count(slice: &Solved, mirror: &Solved, threads: usize) -> Zugzwangs {
        let places = Places::new(slice.slice.layout.material);
        let parts = in_parts(threads, places.rows(), places.rows_at_a_time(), |parts| {
            for_this_processor!(parts, |parts| count_rows(parts, &places, slice, mirror))
        });
        parts
            .iter()
            .fold(Zugzwangs::default(), |sum, part| Zugzwangs {
                mutual: sum.mutual + part.mutual,
                full_point: sum.full_point + part.full_point,
            })
    }
}

#[inline(always)]
fn count_rows(parts: &mut Parts, places: &Places, slice: &Solved, mirror: &Solved) -> Zugzwangs {
    let mut count = Zugzwangs::default();
    let rows = parts.flatten().map(|number| places.row(number));
    for row in rows.filter(PlaceRow::is_sound) {
        for (place, position) in (row.first..).zip(places.positions(row)) {
            let Some(value) = quiet_value(slice, place).filter(|value| *value != Wdl::Win) else {
                continue;
            };
            let turned = mirror.slice.layout.place_turned(&position);
            match (value, quiet_value(mirror, turned)) {
                (Wdl::Loss, Some(Wdl::Loss)) => {
                    count.mutual += 1;
                    count.full_point += 1;
                }
                (Wdl::Loss, Some(Wdl::Draw)) | (Wdl::Draw, Some(Wdl::Loss)) => count.mutual += 1,
                _ => {}
            }
        }
    }
    count
}

/// The value of a position without a capture.
#[inline(always)]
fn quiet_value(slice: &Solved, place: usize) -> Option<Wdl> {
    let is_quiet = slice.quiet(place..place + 1) == [1];
    is_quiet.then(|| Distance(slice.slice.values[place]).wdl())
}
