//! Opening books: what deep searches have found out about the first moves.
//!
//! A [`Book`] has positions of men, each with what it is worth. It answers a position if it knows
//! all positions after its moves: then it knows what each move is worth. `docs/book.md` says how
//! books are made and what their files are made of.

mod format;
mod men;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use checkers_lib::{Color, Game, Move, Position};

use crate::random::Dice;

pub use self::format::BookError;
pub use self::men::MenKey;

/// How much less than the best a move may be worth that is as good as the best, in centi-logits:
/// one percent of a game. Searches like those that made the book differ by more.
const EQUAL: i32 = 4;

/// The longest line that is told.
const LONGEST_LINE: usize = 64;

/// Positions of men with what they are worth.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// How it was made, in lines of text.
    note: String,
    /// Ascending.
    keys: Vec<MenKey>,
    /// What each is worth to the side to move.
    scores: Vec<i16>,
}

/// A move that a book knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub m: Move,
    /// What it is worth to the side that plays it, in centi-logits.
    pub score: i32,
}

impl BookMove {
    /// Whether it is worth as much as the best move, or nearly.
    pub fn is_as_good_as(self, best: BookMove) -> bool {
        self.score >= best.score - EQUAL
    }
}

impl Book {
    /// A book of these positions; of two that are equal the last counts. `note` says how they were
    /// found, in lines of text.
    pub fn new(note: String, positions: impl IntoIterator<Item = (MenKey, i16)>) -> Book {
        let positions: BTreeMap<MenKey, i16> = positions.into_iter().collect();
        let (keys, scores) = positions.into_iter().unzip();
        Book { note, keys, scores }
    }

    /// How the book was made.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Its positions with what they are worth to the side to move, in the order of their keys.
    pub fn positions(&self) -> impl Iterator<Item = (MenKey, i32)> {
        let scores = self.scores.iter().map(|&score| score.into());
        self.keys.iter().copied().zip(scores)
    }

    /// What a position is worth to the side to move, in centi-logits, if the book has it.
    /// O(log positions).
    pub fn score(&self, position: &Position) -> Option<i32> {
        let place = self.keys.binary_search(&MenKey::of(position)?).ok()?;
        Some(self.scores[place].into())
    }

    /// The legal moves of a position, the best first; none unless the book has the positions after
    /// all of them.
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        // Most positions of a game are not here, and that is found out by one look.
        if self.score(position).is_none() {
            return Vec::new();
        }
        let worth = |&m: &Move| {
            let mut after = position.clone();
            after.play_unchecked(m);
            let score = -self.score(&after)?;
            Some(BookMove { m, score })
        };
        let moves: Option<Vec<BookMove>> = position.legal_moves().iter().map(worth).collect();
        let mut moves = moves.unwrap_or_default();
        moves.sort_by_key(|known| Reverse(known.score));
        moves
    }

    /// One of the moves that are as good as the best: the same for the same seed, another for
    /// another. `None` where the book ends, or the game has.
    pub fn choose(&self, game: &Game, seed: u64) -> Option<BookMove> {
        if game.outcome().is_some() {
            return None;
        }
        let position = game.position();
        let mut moves = self.moves(position);
        let best = *moves.first()?;
        moves.retain(|known| known.is_as_good_as(best));
        let drawn = Dice::of(seed, position.key()).below(moves.len());
        moves.get(drawn).copied()
    }

    /// The best play from a position on as far as the book goes.
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while let Some(best) = self.moves(&position).first() {
            line.push(best.m);
            position.play_unchecked(best.m);
            if line.len() == LONGEST_LINE {
                break;
            }
        }
        line
    }

    /// The first position whose moves the book knows and which is worth something else than the
    /// best of them: there is none in a book that is right.
    pub fn contradiction(&self) -> Option<Position> {
        let mut positions = self.positions();
        let wrong = positions.find(|(key, score)| {
            let moves = self.moves(&key.position(Color::White));
            moves.first().is_some_and(|best| best.score != *score)
        });
        wrong.map(|(key, _)| key.position(Color::White))
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::{DrawRules, Move};

    use super::*;

    /// The start with all its moves: one is best, one nearly, the others are worse the later they
    /// come.
    fn small() -> Book {
        let start = Position::start();
        let mut entries = vec![(MenKey::of(&start).unwrap(), 20)];
        for (place, m) in start.legal_moves().iter().enumerate() {
            let after = start.clone().play(*m).unwrap();
            let score = [20, -50, 17, -60, -70, -80, -90][place];
            entries.push((MenKey::of(&after).unwrap(), -score));
        }
        Book::new("by hand".to_owned(), entries)
    }

    fn played(book: &Book, seed: u64) -> Move {
        let game = Game::new(DrawRules::Fmjd64);
        book.choose(&game, seed).unwrap().m
    }

    #[test]
    fn moves_come_with_what_they_are_worth() {
        let book = small();
        let start = Position::start();
        let moves = book.moves(&start);
        let scores: Vec<i32> = moves.iter().map(|known| known.score).collect();
        assert_eq!(scores, [20, 17, -50, -60, -70, -80, -90]);
        assert_eq!(moves[0].m, start.legal_moves()[0]);
        assert_eq!(book.line(&start), [start.legal_moves()[0]]);
        assert_eq!(book.contradiction(), None);
        let after = start.clone().play(moves[0].m).unwrap();
        assert_eq!(book.score(&after), Some(-20));
        assert_eq!(book.moves(&after), []);
    }

    #[test]
    fn seeds_choose_among_the_best() {
        let book = small();
        let best: Vec<Move> = book.moves(&Position::start())[..2]
            .iter()
            .map(|known| known.m)
            .collect();
        let chosen: Vec<Move> = (0..40).map(|seed| played(&book, seed)).collect();
        assert!(best.iter().all(|m| chosen.contains(m)));
        assert!(chosen.iter().all(|m| best.contains(m)));
        assert_eq!(played(&book, 7), played(&book, 7));
    }

    #[test]
    fn colours_are_alike() {
        let black = Position::from_setup(checkers_lib::Setup {
            turn: Color::Black,
            ..checkers_lib::Setup::START
        })
        .unwrap();
        let book = small();
        let scores = |position| -> Vec<i32> {
            let moves = book.moves(position);
            moves.iter().map(|known| known.score).collect()
        };
        assert_eq!(scores(&black), scores(&Position::start()));
        let game = Game::from_position(black.clone(), DrawRules::Fmjd64);
        assert!(black.is_legal(book.choose(&game, 1).unwrap().m));
    }

    #[test]
    fn a_game_that_is_over_and_a_position_that_is_not_there_have_no_move() {
        let book = small();
        let mut game = Game::new(DrawRules::Fmjd64);
        game.play(game.legal_moves()[1]).unwrap();
        assert_eq!(book.choose(&game, 0), None);
        let mut over = Game::new(DrawRules::Fmjd64);
        over.end(checkers_lib::Outcome::Draw(
            checkers_lib::DrawReason::Repetition,
        ));
        assert_eq!(book.choose(&over, 0), None);
    }

    #[test]
    fn a_position_worth_something_else_than_its_best_move_is_found() {
        let start = Position::start();
        let wrong = small().positions().map(|(key, score)| {
            let is_start = Some(key) == MenKey::of(&start);
            (key, score as i16 + i16::from(is_start))
        });
        let wrong = Book::new(String::new(), wrong);
        assert_eq!(wrong.contradiction(), Some(start));
    }
}
