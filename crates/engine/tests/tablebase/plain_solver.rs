//! A second opinion: positions in hash maps, their successors by the rules, and nothing else.

use std::collections::{BTreeMap, HashMap};

use checkers_engine::tablebase::Distance;
use checkers_lib::{Bitboard, ByColor, Color, Position, Setup, Square};

use super::tables;

/// Values in plies, even for losses and odd for wins, by position; draws are left out.
type Values = HashMap<Key, u8>;

/// A position with White to move: 7 bits for each piece, its square and what it is, by square.
type Key = u32;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Man,
    King,
    OtherMan,
    OtherKing,
}

const KINDS: [Kind; 4] = [Kind::Man, Kind::King, Kind::OtherMan, Kind::OtherKing];

fn key(position: &Position) -> Key {
    let turn = position.turn();
    let mut key = 0;
    for i in 0..32u8 {
        // Seen by the side to move.
        let seen = if turn == Color::White { i } else { 31 - i };
        let Some(piece) = position.piece_at(Square::new(seen).unwrap()) else {
            continue;
        };
        let kind = u32::from(piece.is_king) + 2 * u32::from(piece.color != turn);
        key = key << 7 | u32::from(i) << 2 | kind;
    }
    key
}

fn unpack(mut key: Key) -> Position {
    let mut setup = Setup {
        men: ByColor::default(),
        kings: ByColor::default(),
        turn: Color::White,
    };
    let first = first_pieces(key);
    for _ in 0..first {
        let square = Bitboard::from(Square::new((key >> 2 & 31) as u8).unwrap());
        match KINDS[(key & 3) as usize] {
            Kind::Man => setup.men.white |= square,
            Kind::King => setup.kings.white |= square,
            Kind::OtherMan => setup.men.black |= square,
            Kind::OtherKing => setup.kings.black |= square,
        }
        key >>= 7;
    }
    Position::from_setup(setup).unwrap()
}

/// How many pieces a key has: a1 with a man is all zeros, so the count stands apart.
fn first_pieces(key: Key) -> u32 {
    key >> 28
}

fn packed(position: &Position) -> Key {
    key(position) | position.occupied().len() << 28
}

/// Every position of so many pieces with White to move and a piece on both sides.
fn all_positions(pieces: u32) -> Vec<Key> {
    let mut all = Vec::new();
    place(pieces, 0, 0, &mut all);
    all.retain(|&key| {
        let sides = (0..pieces).map(|i| key >> (7 * i + 1) & 1);
        let others: u32 = sides.sum();
        others > 0 && others < pieces
    });
    all.iter().map(|key| key | pieces << 28).collect()
}

/// Adds all ways to put so many more pieces on squares from `from` on.
fn place(pieces: u32, from: u32, key: Key, all: &mut Vec<Key>) {
    if pieces == 0 {
        all.push(key);
        return;
    }
    for square in from..32 {
        for (number, kind) in (0..).zip(KINDS) {
            let is_on_last_row = match kind {
                Kind::Man => square >= 28,
                Kind::OtherMan => square < 4,
                Kind::King | Kind::OtherKing => false,
            };
            if !is_on_last_row {
                place(pieces - 1, square + 1, key << 7 | square << 2 | number, all);
            }
        }
    }
}

fn successors(position: &Position) -> Vec<Position> {
    let play = |&m| position.clone().play(m).unwrap();
    position.legal_moves().iter().map(play).collect()
}

/// What a position is worth by those of its successors that have a value by now.
fn value(position: &Position, values: &Values) -> Option<u8> {
    let after: Vec<Option<u8>> = successors(position)
        .iter()
        .map(|after| match after.pieces(after.turn()).is_empty() {
            true => Some(0),
            false => values.get(&packed(after)).copied(),
        })
        .collect();
    let lost = after.iter().flatten().filter(|value| *value % 2 == 0).min();
    match lost {
        Some(plies) => Some(plies + 1),
        None if after.iter().any(Option::is_none) => None,
        None => Some(after.iter().flatten().max().map_or(0, |plies| plies + 1)),
    }
}

/// Adds the values of all positions of so many pieces.
fn solve(pieces: u32, values: &mut Values) -> usize {
    let all = all_positions(pieces);
    let mut predecessors: HashMap<Key, Vec<Key>> = HashMap::new();
    let mut due: BTreeMap<u8, Vec<Key>> = BTreeMap::new();
    for &key in &all {
        let position = unpack(key);
        for after in successors(&position) {
            if after.occupied().len() == pieces {
                predecessors.entry(packed(&after)).or_default().push(key);
            }
        }
        if let Some(plies) = value(&position, values) {
            due.entry(plies).or_default().push(key);
        }
    }
    while let Some((plies, keys)) = due.pop_first() {
        for key in keys {
            if values.contains_key(&key) {
                continue;
            }
            // It may have become known sooner than it was thought.
            assert_eq!(value(&unpack(key), values), Some(plies));
            values.insert(key, plies);
            for &before in predecessors.get(&key).into_iter().flatten() {
                if !values.contains_key(&before)
                    && let Some(plies) = value(&unpack(before), values)
                {
                    due.entry(plies).or_default().push(before);
                }
            }
        }
    }
    all.len()
}

#[test]
fn every_value_of_2_and_3_pieces_is_that_of_a_plain_solver() {
    let tables = tables();
    let mut values = Values::new();
    for (pieces, count) in [(2, 3_488), (3, 196_032)] {
        assert_eq!(solve(pieces, &mut values), count);
        for key in all_positions(pieces) {
            let position = unpack(key);
            let expected = values.get(&key).copied();
            let distance = tables.probe_distance(&position).unwrap();
            assert_eq!(distance.plies(), expected, "{position}");
            assert_eq!(
                tables.probe_wdl(&position).unwrap(),
                distance.wdl(),
                "{position}"
            );
            if expected.is_none() {
                assert_eq!(distance, Distance::DRAW);
            }
        }
    }
}
