//! The generator against the rule book, on positions from random games and on random set-ups.

use std::collections::HashSet;

use checkers_lib::Position;

use crate::agreement::{assert_agreement, library_move};
use crate::is_exhaustive;
use crate::random::{SplitMix, random_set_up};
use crate::rule_book::{Book, RuleBoard};

/// The number of different positions that each of the two tests compares.
fn sample() -> usize {
    if is_exhaustive() { 200_000 } else { 20_000 }
}

#[test]
fn agrees_with_the_rule_book_on_random_games() {
    let mut random = SplitMix(1);
    let sample = sample();
    let mut compared = HashSet::new();
    while compared.len() < sample {
        play_random_game(&mut random, &mut compared);
    }
    println!("{} positions from random games compared", compared.len());
}

#[test]
fn agrees_with_the_rule_book_on_random_set_ups() {
    let mut random = SplitMix(2);
    let sample = sample();
    let mut compared = HashSet::new();
    while compared.len() < sample {
        let fen = random_set_up(&mut random, 2..=16);
        let position: Position = fen.parse().unwrap();
        if compared.insert(position.key()) {
            assert_agreement(&position, &RuleBoard::from_fen(&fen));
        }
    }
    println!("{} random set-ups compared", compared.len());
}

/// Plays at most 200 plies, by the rule book and by the library, and compares what is new.
fn play_random_game(random: &mut SplitMix, compared: &mut HashSet<u64>) {
    let mut position = Position::start();
    let mut board = RuleBoard::from_fen(&position.to_string());
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
