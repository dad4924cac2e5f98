//! Slices against a lone king of at most three pieces, in which a count can go on through a change of the material.
//!
//! - Against one or two pieces with a king (article 7.2.8), neither the capture of one of them nor a second promotion
//!   ends the count of 10 plies.
//! - Against three pieces with a king (article 7.2.7), the plies are counted after which the lone king stands on the
//!   main road and nothing else does. A second promotion does not end that count; it ends that of article 7.2.4 or 7.2.6.
//!
//! For every position and every count of the main road, the largest count of plies at which the position is still
//! decided is found, by counts in descending order: then everything that a move leads to is known.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI8, Ordering::Relaxed};

use checkers_lib::{Bitboard, Move, MoveList};

use super::articles::{Decided, WIN, has_lone_king};
use super::places::Places;
use super::slice_set::{Slice, SliceSet};
use crate::tablebase::layout::Layout;
use crate::tablebase::material::Material;
use crate::tablebase::parallel::in_parts;
use crate::tablebase::placement::Placement;
use crate::tablebase::value::{Distance, Wdl};

/// How many places a thread takes at a time.
const PLACES_AT_A_TIME: usize = 1 << 10;

/// The plies on the main road after which a game is drawn.
const ROAD_PLIES: usize = 10;

/// About how many bytes a position takes while its slice is solved: for a dozen moves, and a value for each count of the
/// article on the main road.
const BYTES: u64 = 320;

/// Such slices that are solved.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    slices: BTreeMap<Material, CountedSlice>,
}

/// For each count of the main road, and each place: `n` if the side to move wins while fewer than `n` plies are counted,
/// `-n` if it loses while they are, 0 if the position is drawn whatever is counted.
#[derive(Debug)]
struct CountedSlice {
    layout: Layout,
    by_road: Vec<Vec<AtomicI8>>,
}

/// A slice that is being solved.
struct Half<'a> {
    slice: &'a CountedSlice,
    open: Vec<Open<'a>>,
}

/// A position with a move.
struct Open<'a> {
    place: usize,
    /// The worst for the other side that a move which ends all counts leads to.
    worst: Wdl,
    /// What the other moves lead to.
    after: Vec<Successor<'a>>,
}

/// What a move leads to where counts go on.
struct Successor<'a> {
    slice: &'a CountedSlice,
    place: u32,
    is_on_road: bool,
    restarts: bool,
}

/// What is counted before a move.
#[derive(Clone, Copy)]
struct Counts {
    road: usize,
    plies: i8,
}

impl Counted {
    /// Whether counts can go on in a slice.
    pub(crate) fn has(material: Material) -> bool {
        has_lone_king(material) && material.pieces() <= 4
    }

    /// The memory in bytes in which a pair of slices with so many places is solved.
    pub(super) fn memory(pair: Material, places: u64) -> u64 {
        if Counted::has(pair) {
            BYTES * places
        } else {
            0
        }
    }

    /// Solves a slice and its mirror image. The slices without counts that captures lead to must be finished, and those
    /// with counts solved.
    pub(crate) fn solve(
        &mut self,
        material: Material,
        limit: u8,
        finished: &SliceSet,
        threads: usize,
    ) -> Vec<Decided> {
        let halves: Vec<Places> = material.pair().map(Places::new).collect();
        for places in &halves {
            let slice = CountedSlice::new(places.layout);
            self.slices.insert(places.layout.material, slice);
        }
        let halves: Vec<Half> = halves
            .iter()
            .map(|places| self.look_at(places, finished, threads))
            .collect();
        let limit = limit as i8;
        for road in (0..roads(material)).rev() {
            // The move that completes the count of the main road draws, unless the game is lost by it.
            let plies = if road == ROAD_PLIES { 0 } else { limit };
            let mut open: Vec<Vec<&Open>> = halves
                .iter()
                .map(|half| half.open.iter().collect())
                .collect();
            for plies in (0..plies).rev() {
                let counts = Counts { road, plies };
                for (half, open) in halves.iter().zip(&mut open) {
                    *open = decide(&half.slice.by_road[road], open, counts, threads);
                }
            }
        }
        halves.iter().map(|half| half.at_the_start(limit)).collect()
    }

    /// Finds what all moves of a slice lead to.
    fn look_at<'a>(&'a self, places: &'a Places, finished: &SliceSet, threads: usize) -> Half<'a> {
        let slice = &self.slices[&places.layout.material];
        let open = in_parts(threads, slice.layout.len(), PLACES_AT_A_TIME, |parts| {
            let mut moves = MoveList::new();
            let mut open = Vec::new();
            for place in parts.flatten() {
                let Some(position) = places.position(place) else {
                    continue;
                };
                legal_moves_into(&position, &mut moves);
                if moves.is_empty() {
                    // The game is lost even if the last move has completed a count.
                    for table in &slice.by_road {
                        table[place].store(-i8::MAX, Relaxed);
                    }
                    continue;
                }
                let mut found = Open {
                    place,
                    worst: Wdl::Win,
                    after: Vec::new(),
                };
                for &m in moves.iter() {
                    self.look_after(&position, m, finished, &mut found);
                }
                open.push(found);
            }
            open
        });
        Half {
            slice,
            open: open.into_iter().flatten().collect(),
        }
    }

    /// Finds what a move leads to.
    fn look_after<'a>(
        &'a self,
        position: &Placement,
        m: Move,
        finished: &SliceSet,
        found: &mut Open<'a>,
    ) {
        let after = position.after(m);
        let is_few = position.material().pieces() <= 3;
        let counted = self.slices.get(&after.material().mirrored());
        match counted.filter(|_| is_few || !m.is_capture()) {
            None => found.worst = found.worst.min(finished.value_turned(&after).wdl()),
            Some(slice) => found.after.push(Successor {
                slice,
                place: slice.layout.place_turned(&after) as u32,
                is_on_road: is_on_road_against_three(&after),
                restarts: m.promotes() && !is_few,
            }),
        }
    }
}

/// Decides what can be decided of some positions at some counts; returns the others.
fn decide<'a>(
    table: &[AtomicI8],
    open: &[&'a Open<'a>],
    counts: Counts,
    threads: usize,
) -> Vec<&'a Open<'a>> {
    let left = in_parts(threads, open.len(), PLACES_AT_A_TIME, |parts| {
        let mut left = Vec::new();
        for position in parts.flat_map(|part| &open[part]) {
            match position.value(counts) {
                Wdl::Win => table[position.place].store(counts.plies + 1, Relaxed),
                Wdl::Loss => table[position.place].store(-counts.plies - 1, Relaxed),
                Wdl::Draw if position.after.is_empty() => {}
                Wdl::Draw => left.push(*position),
            }
        }
        left
    });
    left.concat()
}

impl Open<'_> {
    /// What it is worth at some counts.
    fn value(&self, counts: Counts) -> Wdl {
        let mut worst = self.worst;
        for after in &self.after {
            if worst == Wdl::Loss {
                break;
            }
            worst = worst.min(after.value(counts));
        }
        worst.reversed()
    }
}

impl Successor<'_> {
    /// What it is worth to its side to move, if a move that is made at some counts leads to it.
    fn value(&self, counts: Counts) -> Wdl {
        let plies = if self.restarts { 0 } else { counts.plies + 1 };
        let road = counts.road + usize::from(self.is_on_road);
        let decided = self.slice.by_road[road][self.place as usize].load(Relaxed);
        if decided > plies {
            Wdl::Win
        } else if decided < -plies {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }
}

impl CountedSlice {
    fn new(layout: Layout) -> CountedSlice {
        let table = || (0..layout.len()).map(|_| AtomicI8::new(0)).collect();
        CountedSlice {
            layout,
            by_road: (0..roads(layout.material)).map(|_| table()).collect(),
        }
    }
}

impl Half<'_> {
    /// The slice with nothing counted yet.
    fn at_the_start(&self, limit: i8) -> Decided {
        let mut longest = None;
        let values = self.slice.by_road[0].iter().map(|decided| {
            let value = match decided.load(Relaxed) {
                0 => Distance::DRAW,
                ..0 => Distance::LOST,
                counts => {
                    // A last move of the loser is not counted: the winner has the odd plies.
                    let plies = (limit - counts) | 1;
                    longest = longest.max(u8::try_from(plies).ok());
                    WIN
                }
            };
            value.0
        });
        let values = values.collect();
        Decided {
            slice: Slice {
                layout: self.slice.layout,
                values,
            },
            longest,
        }
    }
}

/// The counts of the main road there are in a slice.
fn roads(material: Material) -> usize {
    if material.mover.pieces().abs_diff(material.other.pieces()) == 2 {
        ROAD_PLIES + 1
    } else {
        1
    }
}

/// Whether a lone king is the only piece on the main road, against three.
fn is_on_road_against_three(position: &Placement) -> bool {
    let sides = [
        position.men | position.kings,
        position.other_men | position.other_kings,
    ];
    let on_road = position.occupied() & Bitboard::MAIN_ROAD;
    let is_against_three = |weak: usize| sides[weak] == on_road && sides[1 - weak].len() == 3;
    (0..2).any(is_against_three)
}

fn legal_moves_into(position: &Placement, moves: &mut MoveList) {
    let board = position.board();
    if board.can_capture() {
        board.captures_into(moves);
    } else {
        board.quiet_moves_into(moves);
    }
}
