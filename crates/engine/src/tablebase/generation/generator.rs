//! Makes tables, and loads them again to make larger ones.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use checkers_lib::MoveList;
use serde::{Deserialize, Serialize};

use super::pages;
use super::pair::{LosingChange, TooLong, solve};
use super::places::{PLACES_AT_A_TIME, PlaceRow, Places};
use super::slice_set::{Slice, SliceSet};
use super::solved::Solved;
use super::zugzwang::Zugzwangs;
use crate::tablebase::format::FileKind;
use crate::tablebase::layout::Layout;
use crate::tablebase::material::{Force, Material};
use crate::tablebase::parallel::{Parts, in_parts};
use crate::tablebase::processor::for_this_processor;
use crate::tablebase::read::{TableError, TableFile, for_each_block};
use crate::tablebase::section::Section;
use crate::tablebase::value::{Distance, Wdl};

/// Makes slices and keeps the distances of slices in memory, a byte for each place.
#[derive(Debug)]
pub struct Generator {
    pub(crate) finished: SliceSet,
    pub(crate) threads: usize,
}

/// A slice that was made: what it holds, and both tables of it.
#[derive(Clone, Debug)]
pub struct Made {
    /// What it holds.
    pub stats: SliceStats,
    /// The table of values.
    pub wdl: Section,
    /// The table of distances.
    pub distance: Section,
}

/// What a slice holds: all positions with the side to move at the bottom, also those with a
/// capture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SliceStats {
    /// Which slice, as in `KKm-Km`.
    pub material: String,
    /// How many positions.
    pub positions: u64,
    /// Those that the side to move wins.
    pub wins: u64,
    /// Those that it loses.
    pub losses: u64,
    /// The others.
    pub draws: u64,
    /// Those without a capture, which are the ones in the tables.
    pub quiet: u64,
    /// The longest win in plies, if there is a win.
    pub longest_win: Option<u8>,
    /// How many positions have it.
    pub longest_wins: u64,
    /// The first of them, White to move.
    pub longest_win_fen: Option<String>,
    /// The longest loss in plies, if there is a loss.
    pub longest_loss: Option<u8>,
    /// Mutual zugzwangs: positions without a capture for either side in which each side would get more if the
    /// other one had to move. `None` in what an earlier version wrote.
    #[serde(default)]
    pub mutual_zugzwangs: Option<u64>,
    /// Those in which either side, if it has to move, loses.
    #[serde(default)]
    pub full_point_zugzwangs: Option<u64>,
}

/// Why a slice was not made.
#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    /// A distance does not fit.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// It could not be compressed.
    #[error("cannot compress a table")]
    Compress(#[source] io::Error),
}

impl Generator {
    /// A generator without slices that uses `threads` threads.
    pub fn new(threads: usize) -> Generator {
        Generator {
            finished: SliceSet::new(),
            threads: threads.max(1),
        }
    }

    /// Whether a slice is in memory.
    pub fn has(&self, material: Material) -> bool {
        self.finished.get(material).is_some()
    }

    /// The slices that must be in memory before a slice and its mirror image can be made.
    pub fn needs(material: Material) -> Vec<Material> {
        let pair = [material, material.mirrored()];
        let mut needs: Vec<Material> = pair
            .into_iter()
            .flat_map(|half| {
                half.after_captures()
                    .into_iter()
                    .chain(half.after_promotion())
            })
            .collect();
        needs.sort_by_key(|need| (need.pieces(), *need));
        needs.dedup();
        needs
    }

    /// The slices that must be in memory before a slice can be loaded.
    pub fn needs_to_load(material: Material) -> Vec<Material> {
        material.after_captures()
    }

    /// Makes a slice and its mirror image, which are in memory then.
    ///
    /// # Errors
    /// When a distance is too long for a table, or compression fails.
    pub fn make(&mut self, material: Material) -> Result<Vec<Made>, MakeError> {
        let solved = solve(material, &self.finished, LosingChange::Counts, self.threads)?;
        let with_mirrors = solved.iter().zip(solved.iter().rev());
        let stats: Vec<SliceStats> = with_mirrors
            .map(|(half, mirror)| SliceStats::of(half, mirror, self.threads))
            .collect();
        let mut made = Vec::new();
        for (half, stats) in solved.into_iter().zip(stats) {
            let encode =
                |kind| Section::encode(kind, &half, self.threads).map_err(MakeError::Compress);
            made.push(Made {
                stats,
                wdl: encode(FileKind::Wdl)?,
                distance: encode(FileKind::Distance)?,
            });
            self.finished.add(Arc::new(half.slice));
        }
        Ok(made)
    }

    /// Takes a slice from a table of distances into memory; positions with a capture are derived
    /// anew. Returns false if the table does not have it.
    ///
    /// # Errors
    /// When the table is damaged.
    pub fn load(&mut self, material: Material, table: &TableFile) -> Result<bool, TableError> {
        let Some(entry) = table
            .find(material)
            .filter(|_| table.kind() == FileKind::Distance)
        else {
            return Ok(false);
        };
        let places = Places::new(material);
        let values = read_slice(table, entry)?;
        let values: Vec<AtomicU8> = values.into_iter().map(AtomicU8::new).collect();
        in_parts(
            self.threads,
            places.rows(),
            places.rows_at_a_time(),
            |parts| {
                for_this_processor!(parts, |parts| self.derive_captures(parts, &places, &values));
            },
        );
        let nothing = Distance::DRAW.0;
        for row in (0..places.rows()).map(|number| places.row(number)) {
            if !row.is_sound() {
                let places = row.first..row.first + places.row_len();
                values[places]
                    .iter()
                    .for_each(|value| value.store(nothing, Relaxed));
            }
        }
        self.finished.add(Arc::new(Slice {
            layout: places.layout,
            values: values.into_iter().map(AtomicU8::into_inner).collect(),
        }));
        Ok(true)
    }

    /// Drops a slice from memory.
    pub fn forget(&mut self, material: Material) {
        self.finished.remove(material);
    }

    /// The slices in memory.
    pub fn materials(&self) -> Vec<Material> {
        self.finished.slices().into_keys().collect()
    }

    /// The memory that the slices in memory take, in bytes.
    pub fn memory(&self) -> u64 {
        let slices = self.finished.slices();
        slices.values().map(|slice| slice.values.len() as u64).sum()
    }

    /// Derives the values of positions with a capture.
    #[inline(always)]
    fn derive_captures(&self, parts: &mut Parts, places: &Places, values: &[AtomicU8]) {
        let mut moves = MoveList::new();
        let rows = parts.flatten().map(|number| places.row(number));
        for row in rows.filter(PlaceRow::is_sound) {
            for (i, position) in places.positions(row).enumerate() {
                if position.board().can_capture() {
                    let value = self.finished.value_by_captures(&position, &mut moves);
                    values[row.first + i].store(value.0, Relaxed);
                }
            }
        }
    }
}

/// How many positions a slice has.
pub fn slice_positions(material: Material) -> u64 {
    Layout::new(material).positions()
}

/// Reads all blocks of a slice.
pub(crate) fn read_slice(table: &TableFile, entry: usize) -> Result<Vec<u8>, TableError> {
    let len = table.entries()[entry].layout.len();
    let mut bytes = pages::with_capacity(table.kind().bytes(len));
    for_each_block(table, entry, |block| bytes.extend_from_slice(block))?;
    Ok(bytes)
}

/// How often each distance occurs among some of the places.
struct DistanceTally {
    /// In four parts, since a count that has just been written is read slowly.
    distances: [[u64; 256]; 4],
    quiet: u64,
}

impl DistanceTally {
    fn new() -> DistanceTally {
        DistanceTally {
            distances: [[0; 256]; 4],
            quiet: 0,
        }
    }

    fn count(&mut self, solved: &Solved, places: Range<usize>) {
        self.quiet += solved.count_quiet(places.clone());
        let (fours, rest) = solved.slice.values[places].as_chunks::<4>();
        for values in fours.iter().map(<[u8; 4]>::as_slice).chain([rest]) {
            for (distances, &value) in self.distances.iter_mut().zip(values) {
                distances[usize::from(value)] += 1;
            }
        }
    }

    fn merge(mut self, other: &DistanceTally) -> DistanceTally {
        self.quiet += other.quiet;
        let all = self.distances.as_flattened_mut().iter_mut();
        for (sum, count) in all.zip(other.distances.as_flattened()) {
            *sum += count;
        }
        self
    }

    /// The distances that occur at a value, with how often they do, in ascending order.
    fn of(&self, wdl: Wdl) -> impl DoubleEndedIterator<Item = (u8, u64)> {
        let count = move |value: u8| -> u64 {
            let parts = self.distances.iter();
            parts.map(|distances| distances[usize::from(value)]).sum()
        };
        let all = (0..=u8::MAX).filter(move |&value| Distance(value).wdl() == wdl);
        all.map(move |value| (value, count(value)))
            .filter(|&(_, count)| count > 0)
    }

    fn sum(&self, wdl: Wdl) -> u64 {
        self.of(wdl).map(|(_, count)| count).sum()
    }
}

impl SliceStats {
    fn of(solved: &Solved, mirror: &Solved, threads: usize) -> SliceStats {
        let values = &solved.slice.values;
        let parts = in_parts(threads, values.len(), PLACES_AT_A_TIME, |parts| {
            let mut tally = DistanceTally::new();
            parts.for_each(|places| tally.count(solved, places));
            tally
        });
        let tally = parts
            .iter()
            .fold(DistanceTally::new(), DistanceTally::merge);
        let layout = solved.slice.layout;
        let positions = layout.positions();
        let (wins, losses) = (tally.sum(Wdl::Win), tally.sum(Wdl::Loss));
        let longest_win = tally.of(Wdl::Win).next_back();
        let first = longest_win.and_then(|(win, _)| values.iter().position(|&value| value == win));
        let first = first.and_then(|place| Places::new(layout.material).position(place));
        let position = first.and_then(|placement| placement.position());
        let zugzwangs = Zugzwangs::count(solved, mirror, threads);
        SliceStats {
            material: layout.material.to_string(),
            positions,
            wins,
            losses,
            draws: positions - wins - losses,
            quiet: tally.quiet,
            longest_win: longest_win.map(|(win, _)| win),
            longest_wins: longest_win.map_or(0, |(_, count)| count),
            longest_win_fen: position.map(|position| position.to_string()),
            longest_loss: tally.of(Wdl::Loss).next_back().map(|(loss, _)| loss),
            mutual_zugzwangs: Some(zugzwangs.mutual),
            full_point_zugzwangs: Some(zugzwangs.full_point),
        }
    }
}

impl Material {
    /// What the mover's quiet promotion leads to, if it has a man.
    pub(crate) fn after_promotion(self) -> Option<Material> {
        let men = self.mover.men.checked_sub(1)?;
        let kings = self.mover.kings + 1;
        Some(Material {
            mover: self.other,
            other: Force { men, kings },
        })
    }

    /// What the mover's captures can lead to; a side without pieces is left out.
    pub(crate) fn after_captures(self) -> Vec<Material> {
        let mut reached = Vec::new();
        for promoted in 0..=self.mover.men.min(1) {
            for men in 0..=self.other.men {
                for kings in 0..=self.other.kings {
                    let left = men + kings;
                    if left == 0 || left == self.other.pieces() {
                        continue;
                    }
                    reached.push(Material {
                        mover: Force { men, kings },
                        other: Force {
                            men: self.mover.men - promoted,
                            kings: self.mover.kings + promoted,
                        },
                    });
                }
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_lead_to_fewer_men_or_fewer_pieces() {
        for material in Material::all(6) {
            if let Some(promoted) = material.after_promotion() {
                assert_eq!(promoted.pieces(), 6);
                assert_eq!(promoted.men() + 1, material.men());
            }
            for captured in material.after_captures() {
                assert!(captured.pieces() < 6);
                assert!(captured.mover.pieces() >= 1);
            }
        }
    }
}
