//! Retrograde analysis of a slice and its mirror image, which quiet moves lead to and fro between.
//!
//! A first look at each position finds what leads out of the two slices: captures, which settle the
//! position, and promotions. Then, distance by distance, every position of that distance tells
//! those from which it is reached: from a lost one they are won, from a won one they have one move
//! less that does not lose. What is never told anything is drawn.
//!
//! CITE: K. Thompson, "Retrograde Analysis of Certain Endgames", ICCA Journal 9(3), 1986; counters
//! of moves after R. Lake, J. Schaeffer, P. Lu, "Solving Large Retrograde-Analysis Problems Using a
//! Network of Workstations", 1994.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use checkers_lib::{Bitboard, MoveList};

use super::layout::{Layout, Places, RetreatPlaces, Row};
use super::library::{Library, Slice};
use super::material::Material;
use super::parallel::in_parts;
use super::placement::{Placement, SEVENTH_ROW};
use super::value::{Distance, Wdl};

/// Instead of a count of moves: the position has a capture, or there is none at this place.
const SETTLED: u8 = u8::MAX;
/// Instead of a count of moves: a promotion holds at least the draw.
const HELD: u8 = u8::MAX - 1;

/// How many places share a note of which distances occur among them.
const CHUNK: usize = 256;
/// How many chunks or rows a thread takes at a time.
const CHUNKS_AT_A_TIME: usize = 256;

/// A slice that is finished, and which of its positions have a capture.
#[derive(Debug)]
pub(crate) struct Solved {
    pub(crate) slice: Slice,
    left: Vec<u8>,
}

impl Solved {
    /// Whether a place means a position without a capture.
    #[inline]
    pub(crate) fn is_quiet(&self, place: usize) -> bool {
        self.left[place] != SETTLED
    }
}

/// A distance does not fit into a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{material} has a distance beyond {} plies, which is more than its tables hold",
    Distance::LONGEST
)]
pub struct TooLong {
    /// Which slice, or its mirror image.
    pub material: Material,
}

/// Solves a slice and, where it is another, its mirror image. The library must have every slice
/// that captures and promotions lead to.
pub(crate) fn solve(
    material: Material,
    library: &Library,
    threads: usize,
) -> Result<Vec<Solved>, TooLong> {
    let mirrored = material.mirrored();
    let mut halves = vec![Half::new(material)];
    if mirrored != material {
        halves.push(Half::new(mirrored));
    }
    let pair = Pair {
        halves: &halves,
        library,
        threads,
    };
    let mut last = pair.look_at_all();
    let mut distance = 0;
    while distance <= last {
        if distance >= Distance::LONGEST {
            return Err(TooLong { material });
        }
        last = last.max(pair.tell_from(distance));
        distance += 1;
    }
    Ok(halves.into_iter().map(Half::finish).collect())
}

/// One of the two slices while it is being solved.
struct Half {
    places: Places,
    /// The distance as far as it is known: final for those below the distance told from, perhaps
    /// to be improved for wins above it.
    values: Vec<AtomicU8>,
    /// How many quiet moves within the slices are not yet known to lose, or [`SETTLED`] or
    /// [`HELD`].
    left: Vec<AtomicU8>,
    /// For each chunk the distances that have been written in it, a bit each.
    noted: Vec<[AtomicU64; 4]>,
}

impl Half {
    fn new(material: Material) -> Half {
        let places = Places::new(material);
        let len = places.layout.len();
        let bytes = |byte| (0..len).map(|_| AtomicU8::new(byte)).collect();
        Half {
            places,
            values: bytes(Distance::DRAW.0),
            left: bytes(SETTLED),
            noted: (0..len.div_ceil(CHUNK))
                .map(|_| Default::default())
                .collect(),
        }
    }

    #[inline]
    fn layout(&self) -> &Layout {
        &self.places.layout
    }

    #[inline]
    fn write(&self, place: usize, value: Distance) {
        self.values[place].store(value.0, Relaxed);
        let note = &self.noted[place / CHUNK][usize::from(value.0 >> 6)];
        let bit = 1 << (value.0 & 63);
        if note.load(Relaxed) & bit == 0 {
            note.fetch_or(bit, Relaxed);
        }
    }

    fn has_noted(&self, chunk: usize, distance: u8) -> bool {
        let note = &self.noted[chunk][usize::from(distance >> 6)];
        note.load(Relaxed) & 1 << (distance & 63) != 0
    }

    fn finish(self) -> Solved {
        let plain = |bytes: Vec<AtomicU8>| bytes.into_iter().map(AtomicU8::into_inner).collect();
        Solved {
            slice: Slice {
                layout: self.places.layout,
                values: plain(self.values),
            },
            left: plain(self.left),
        }
    }
}

/// The two slices, or one that is its own mirror image.
struct Pair<'a> {
    halves: &'a [Half],
    library: &'a Library,
    threads: usize,
}

/// What a position's moves out of the two slices say.
struct FirstLook {
    value: Distance,
    left: u8,
}

impl Pair<'_> {
    /// Takes the first look at all positions; returns the longest distance found.
    fn look_at_all(&self) -> u8 {
        let longest = |half: &Half| {
            let rows = half.places.rows();
            let part = (CHUNK * CHUNKS_AT_A_TIME).div_ceil(half.places.row_len());
            let work = |parts: &mut dyn Iterator<Item = _>| {
                let mut moves = MoveList::new();
                let rows = parts.flatten().map(|number| half.places.row(number));
                let sound = rows.filter(Row::is_sound);
                sound.fold(0, |longest, row| {
                    longest.max(self.look_at_row(half, row, &mut moves))
                })
            };
            let found = in_parts(self.threads, rows, part, work);
            found.into_iter().fold(0, u8::max)
        };
        self.halves.iter().map(longest).fold(0, u8::max)
    }

    fn look_at_row(&self, half: &Half, row: Row, moves: &mut MoveList) -> u8 {
        let mut longest = 0;
        for (i, position) in half.places.positions(row).enumerate() {
            let FirstLook { value, left } = self.look(&position, moves);
            let place = row.first + i;
            half.left[place].store(left, Relaxed);
            if let Some(plies) = value.plies() {
                half.write(place, value);
                longest = longest.max(plies);
            }
        }
        longest
    }

    #[inline]
    fn look(&self, position: &Placement, moves: &mut MoveList) -> FirstLook {
        let board = position.board();
        if board.can_capture() {
            return FirstLook {
                value: self.library.value_by_captures(position, moves),
                left: SETTLED,
            };
        }
        let quiet = board.count_quiet_moves() as u8;
        let Some((count, best)) = self.promotions(position, moves) else {
            let value = if quiet == 0 {
                Distance::LOST
            } else {
                Distance::DRAW
            };
            return FirstLook { value, left: quiet };
        };
        let left = quiet - count;
        match best.wdl() {
            // Perhaps a king wins sooner.
            Wdl::Win | Wdl::Draw => FirstLook {
                value: best,
                left: HELD,
            },
            Wdl::Loss if left == 0 => FirstLook { value: best, left },
            Wdl::Loss => FirstLook {
                value: Distance::DRAW,
                left,
            },
        }
    }

    /// How many quiet promotions there are, and what the best is worth; `None` without any.
    #[inline]
    fn promotions(&self, position: &Placement, moves: &mut MoveList) -> Option<(u8, Distance)> {
        if (position.men & SEVENTH_ROW).is_empty() {
            return None;
        }
        position.board().quiet_moves_into(moves);
        let mut found = None;
        for &m in moves.iter().filter(|m| m.promotes()) {
            let value = self.library.value_turned(&position.after(m)).before();
            let (count, best) = found.unwrap_or((0, value));
            found = Some((count + 1, best.better(value)));
        }
        found
    }

    /// Has all positions of a distance tell their predecessors; returns the longest distance
    /// written.
    fn tell_from(&self, distance: u8) -> u8 {
        let longest = |number: usize| {
            let half = &self.halves[number];
            let before = &self.halves[self.halves.len() - 1 - number];
            let work = |parts: &mut dyn Iterator<Item = _>| {
                let mut teller = Teller::new(self, half, before, distance);
                for chunk in parts.flatten() {
                    if half.has_noted(chunk, distance) {
                        teller.tell_from_chunk(chunk);
                    }
                }
                teller.longest
            };
            let chunks = half.noted.len();
            let found = in_parts(self.threads, chunks, CHUNKS_AT_A_TIME, work);
            found.into_iter().fold(0, u8::max)
        };
        (0..self.halves.len()).map(longest).fold(0, u8::max)
    }
}

/// Goes through positions of one distance and tells their predecessors.
struct Teller<'a> {
    pair: &'a Pair<'a>,
    half: &'a Half,
    /// Where the predecessors are.
    before: &'a Half,
    distance: Distance,
    row: Row,
    retreats: RetreatPlaces,
    moves: MoveList,
    other_moves: MoveList,
    longest: u8,
}

impl<'a> Teller<'a> {
    fn new(pair: &'a Pair<'a>, half: &'a Half, before: &'a Half, distance: u8) -> Teller<'a> {
        let row = half.places.row(0);
        Teller {
            pair,
            half,
            before,
            distance: Distance(distance),
            row,
            retreats: before.layout().retreats_from(&row),
            moves: MoveList::new(),
            other_moves: MoveList::new(),
            longest: 0,
        }
    }

    fn tell_from_chunk(&mut self, chunk: usize) {
        let begin = chunk * CHUNK;
        let end = (begin + CHUNK).min(self.half.values.len());
        let row_len = self.half.places.row_len();
        for (i, value) in self.half.values[begin..end].iter().enumerate() {
            if value.load(Relaxed) != self.distance.0 {
                continue;
            }
            let place = begin + i;
            if place.wrapping_sub(self.row.first) >= row_len {
                self.row = self.half.places.row(place / row_len);
                self.retreats = self.before.layout().retreats_from(&self.row);
            }
            let position = self.half.places.position_in(&self.row, place);
            self.tell_predecessors(&position);
        }
    }

    #[inline]
    fn tell_predecessors(&mut self, position: &Placement) {
        let is_lost = self.distance.wdl() == Wdl::Loss;
        position
            .board_of_retreats()
            .quiet_moves_into(&mut self.moves);
        let (men, kings) = (position.other_men, position.other_kings);
        for i in 0..self.moves.len() {
            let m = self.moves[i];
            let (from, to) = (Bitboard::from(m.from()), Bitboard::from(m.to()));
            let place = if (kings & from).is_empty() {
                let men = men ^ from ^ to;
                let kings = [kings, position.kings];
                self.retreats.of_men(men, m.from(), m.to(), kings)
            } else {
                self.retreats.of_kings([kings ^ from ^ to, position.kings])
            };
            if is_lost {
                self.tell_of_win(place);
            } else if self.tell_of_losing_move(place) {
                self.tell_of_loss(&position.before(m), place);
            }
        }
    }

    /// One move wins.
    #[inline]
    fn tell_of_win(&mut self, place: usize) {
        let win = self.distance.before();
        let is_settled = self.before.left[place].load(Relaxed) == SETTLED;
        if !is_settled && self.before.values[place].load(Relaxed) > win.0 {
            self.before.write(place, win);
            self.longest = self.longest.max(win.0);
        }
    }

    /// One move loses; returns whether it was the last that was left.
    #[inline]
    fn tell_of_losing_move(&self, place: usize) -> bool {
        let left = &self.before.left[place];
        left.load(Relaxed) < HELD && left.fetch_sub(1, Relaxed) == 1
    }

    /// All moves lose, this one last among those within the slices.
    fn tell_of_loss(&mut self, before: &Placement, place: usize) {
        let mut loss = self.distance.before();
        let promotions = self
            .pair
            .promotions(&before.turned(), &mut self.other_moves);
        if let Some((_, best)) = promotions {
            loss = loss.better(best);
        }
        self.before.write(place, loss);
        self.longest = self.longest.max(loss.0);
    }
}
