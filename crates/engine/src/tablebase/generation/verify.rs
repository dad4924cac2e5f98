//! Holding tables against the rules: each value against those of what the moves lead to.

use checkers_lib::MoveList;

use super::generator::{Generator, read_slice};
use super::places::{PlaceRow, Places};
use super::slice_set::Slice;
use crate::random::{STEP, mix};
use crate::tablebase::format::{FileKind, wdl_from_bits};
use crate::tablebase::material::Material;
use crate::tablebase::parallel::{Parts, in_parts};
use crate::tablebase::placement::Placement;
use crate::tablebase::processor::for_this_processor;
use crate::tablebase::read::{TableError, TableFile};
use crate::tablebase::value::Distance;

/// How many places a thread takes at a time.
const PLACES_AT_A_TIME: usize = 1 << 14;

/// Which positions of a slice are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Each one.
    All,
    /// Each one without a capture: what tables store. The others have been derived from smaller
    /// slices as these were loaded.
    Stored,
    /// So many at random, by a seed; some perhaps twice.
    Sample {
        /// How many.
        count: u64,
        /// Which.
        seed: u64,
    },
}

/// What was found in a slice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// The positions that were looked at.
    pub checked: u64,
    /// Those of them without a capture, whose value was also compared with the table of values.
    pub quiet: u64,
    /// The first position that is wrong, if there is one.
    pub wrong: Option<Wrong>,
}

/// A position with a wrong value.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{fen}: the table has {stored:?}, its moves lead to {derived:?}")]
pub struct Wrong {
    /// The position.
    pub fen: String,
    /// What is stored, as distance.
    pub stored: Distance,
    /// What the values after its moves make of it; the same if it is the table of values that is
    /// wrong.
    pub derived: Distance,
}

impl Generator {
    /// Derives values of a slice in memory anew from what their moves lead to, and compares them
    /// and the table of values with what is in memory. All that [`Generator::needs`] names and both
    /// halves of the pair must be in memory.
    ///
    /// # Errors
    /// When the table of values is damaged.
    pub fn verify(
        &self,
        material: Material,
        wdl: &TableFile,
        selection: Selection,
    ) -> Result<Verified, TableError> {
        let slice = self.finished.get(material);
        let entry = wdl.find(material).filter(|_| wdl.kind() == FileKind::Wdl);
        let (Some(slice), Some(entry)) = (slice, entry) else {
            return Ok(Verified::default());
        };
        let check = Check {
            generator: self,
            slice,
            wdl: &read_slice(wdl, entry)?,
            places: Places::new(material),
        };
        let parts = match selection {
            Selection::All => check.all_rows(false),
            Selection::Stored => check.all_rows(true),
            Selection::Sample { count, seed } => check.sample(count, seed),
        };
        Ok(parts.into_iter().fold(Verified::default(), Verified::merge))
    }
}

impl Verified {
    fn merge(self, other: Verified) -> Verified {
        Verified {
            checked: self.checked + other.checked,
            quiet: self.quiet + other.quiet,
            wrong: self.wrong.or(other.wrong),
        }
    }
}

struct Check<'a> {
    generator: &'a Generator,
    slice: &'a Slice,
    wdl: &'a [u8],
    places: Places,
}

impl Check<'_> {
    fn all_rows(&self, only_stored: bool) -> Vec<Verified> {
        let part = PLACES_AT_A_TIME.div_ceil(self.places.row_len());
        let rows = self.places.rows();
        in_parts(self.generator.threads, rows, part, |parts| {
            for_this_processor!(parts, |parts| self.rows(parts, only_stored))
        })
    }

    #[inline(always)]
    fn rows(&self, parts: &mut Parts, only_stored: bool) -> Verified {
        let mut moves = MoveList::new();
        let mut found = Verified::default();
        let rows = parts.flatten().map(|number| self.places.row(number));
        for row in rows.filter(PlaceRow::is_sound) {
            for (i, position) in self.places.positions(row).enumerate() {
                if only_stored && position.board().can_capture() {
                    found.checked += 1;
                } else {
                    self.look_at(&position, row.first + i, &mut moves, &mut found);
                }
            }
        }
        found
    }

    fn sample(&self, count: u64, seed: u64) -> Vec<Verified> {
        let len = self.slice.layout.len() as u64;
        in_parts(
            self.generator.threads,
            count as usize,
            PLACES_AT_A_TIME,
            |parts| {
                let mut moves = MoveList::new();
                let mut found = Verified::default();
                for i in parts.flatten() {
                    let mut word = mix(seed.wrapping_add((i as u64).wrapping_mul(STEP)));
                    // Until a place means a position, as most do.
                    let (place, position) = loop {
                        let place = (word % len) as usize;
                        match self.places.position(place) {
                            Some(position) => break (place, position),
                            None => word = mix(word.wrapping_add(STEP)),
                        }
                    };
                    self.look_at(&position, place, &mut moves, &mut found);
                }
                found
            },
        )
    }

    #[inline(always)]
    fn look_at(
        &self,
        position: &Placement,
        place: usize,
        moves: &mut MoveList,
        found: &mut Verified,
    ) {
        let stored = Distance(self.slice.values[place]);
        let derived = self.generator.finished.value_by_moves(position, moves);
        found.checked += 1;
        let mut is_right = stored == derived;
        if !position.board().can_capture() {
            found.quiet += 1;
            let bits = self.wdl[place / 4] >> (2 * (place % 4));
            is_right &= wdl_from_bits(bits) == Some(stored.wdl());
        }
        if !is_right && found.wrong.is_none() {
            found.wrong = Some(Wrong {
                fen: fen(position),
                stored,
                derived,
            });
        }
    }
}

fn fen(placement: &Placement) -> String {
    let position = placement.position();
    position.map_or_else(String::new, |position| position.to_string())
}
