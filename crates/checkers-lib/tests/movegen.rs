//! The generator against the rule book, on positions from random games and on random set-ups.

mod agreement;
mod rule_book;

use std::collections::HashSet;

use checkers_lib::Position;

use agreement::{assert_agreement, library_move};
use rule_book::{Board, Book};

/// How many different positions each of the two tests compares.
const POSITIONS: usize = 200_000;
const _: () = assert!(2 * POSITIONS >= 300_000);

#[test]
fn agrees_with_the_rule_book_on_random_games() {
    let mut random = SplitMix(1);
    let mut compared = HashSet::new();
    while compared.len() < POSITIONS {
        play_random_game(&mut random, &mut compared);
    }
    println!("{} positions from random games compared", compared.len());
}

#[test]
fn agrees_with_the_rule_book_on_random_set_ups() {
    let mut random = SplitMix(2);
    let mut compared = HashSet::new();
    while compared.len() < POSITIONS {
        let fen = random_set_up(&mut random);
        let position: Position = fen.parse().unwrap();
        if compared.insert(position.key()) {
            assert_agreement(&position, &Board::from_fen(&fen));
        }
    }
    println!("{} random set-ups compared", compared.len());
}

/// Plays at most 200 plies, by the rule book and by the library, and compares what is new.
fn play_random_game(random: &mut SplitMix, compared: &mut HashSet<u64>) {
    let mut position = Position::start();
    let mut board = Board::from_fen(&position.to_string());
    for _ in 0..200 {
        if compared.insert(position.key()) {
            assert_agreement(&position, &board);
        }
        let ways = board.ways(Book::RIGHT);
        if ways.is_empty() {
            return;
        }
        let way = &ways[random.below(ways.len())];
        let m = library_move(&position, &way.effect());
        position = position.play(m).unwrap();
        board = board.after(way);
    }
}

/// The FEN of 2–16 pieces on random squares, two in three of them kings.
fn random_set_up(random: &mut SplitMix) -> String {
    let mut squares: Vec<(usize, String)> = (0..8)
        .flat_map(|row| (row % 2..8).step_by(2).map(move |file| (row, file)))
        .map(|(row, file)| (row, format!("{}{}", char::from(b'a' + file as u8), row + 1)))
        .collect();
    let mut sides = [Vec::new(), Vec::new()];
    for _ in 0..2 + random.below(15) {
        let (row, name) = squares.swap_remove(random.below(squares.len()));
        let last_rows = [7, 0];
        let mut side = random.below(2);
        if sides[side].len() == 12 {
            side = 1 - side;
        }
        let is_king = row == last_rows[side] || random.below(3) > 0;
        sides[side].push(format!("{}{name}", if is_king { "K" } else { "" }));
    }
    let turn = ["W", "B"][random.below(2)];
    format!("{turn}:W{}:B{}", sides[0].join(","), sides[1].join(","))
}

/// CITE: S. Vigna, SplitMix64 (public domain).
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}
