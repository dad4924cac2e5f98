//! Opening books: what deep searches have found out about the first moves.
//!
//! A [`Book`] has positions of men, each with what it is worth. It answers a position if it knows
//! all positions after its moves: then it knows what each move is worth. `docs/book.md` says how
//! books are made, `docs/file-formats.md` what their files are made of.

mod format;
mod men;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use checkers_lib::{Color, Game, Move, Position};

use crate::random::Rng;

pub use self::format::BookError;
pub use self::men::MenKey;

/// How much less than the best a move may be worth that is as good as the best, in centi-logits:
/// one percent of a game. Searches like those that made the book differ by more.
const EQUAL: i32 = 4;

/// A move is played if the best play after it is known for so many plies: at its fringe a book knows
/// no more than a search of the game.
const PLIES_KNOWN: usize = 2;

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

    /// The book that is part of the program. Read once; a few milliseconds then.
    pub fn embedded() -> &'static Book {
        static BOOK: OnceLock<Book> = OnceLock::new();
        BOOK.get_or_init(|| {
            let bytes = include_bytes!("../../data/opening.book");
            Book::read(bytes).expect("a file that is part of the program and of its tests")
        })
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
    /// another. `None` where the game has ended, or the book is about to.
    pub fn choose(&self, game: &Game, seed: u64) -> Option<BookMove> {
        if game.outcome().is_some() {
            return None;
        }
        let position = game.position();
        let mut moves = self.moves(position);
        let best = *moves.first()?;
        moves.retain(|known| {
            let mut after = position.clone();
            after.play_unchecked(known.m);
            known.is_as_good_as(best) && self.line(&after).len() >= PLIES_KNOWN
        });
        let drawn = Rng::of(seed, position.key()).below(moves.len());
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
    use checkers_lib::{DrawReason, DrawRules, Outcome, Setup, openings};

    use super::*;

    /// All positions of so many plies, with the best play between the last ones, which differ little.
    fn add(entries: &mut BTreeMap<MenKey, i16>, position: &Position, plies: u32) -> i16 {
        let key = MenKey::of(position).unwrap();
        if let Some(&known) = entries.get(&key) {
            return known;
        }
        let mut best = (key.to_bits() % 5) as i16;
        if plies > 0 {
            let after = position.legal_moves().into_iter().map(|m| {
                let after = position.clone().play(m).unwrap();
                -add(entries, &after, plies - 1)
            });
            best = after.max().unwrap();
        }
        entries.insert(key, best);
        best
    }

    fn small(plies: u32) -> Book {
        let mut entries = BTreeMap::new();
        add(&mut entries, &Position::start(), plies);
        Book::new("by hand".to_owned(), entries)
    }

    fn scores(book: &Book, position: &Position) -> Vec<i32> {
        let moves = book.moves(position);
        moves.iter().map(|known| known.score).collect()
    }

    #[test]
    fn moves_come_with_what_they_are_worth() {
        let book = small(4);
        let start = Position::start();
        let moves = book.moves(&start);
        assert_eq!(moves.len(), 7);
        assert!(moves.is_sorted_by_key(|known| Reverse(known.score)));
        assert_eq!(book.score(&start), Some(moves[0].score));
        let after = start.clone().play(moves[0].m).unwrap();
        assert_eq!(book.score(&after), Some(-moves[0].score));
        let line = book.line(&start);
        assert_eq!((line[0], line.len()), (moves[0].m, 4));
        let end = line
            .iter()
            .fold(start, |position, &m| position.play(m).unwrap());
        assert!(book.score(&end).is_some() && book.moves(&end).is_empty());
        assert_eq!(book.contradiction(), None);
    }

    #[test]
    fn seeds_choose_among_the_best() {
        let book = small(4);
        let game = Game::new(DrawRules::Fmjd64);
        let best = book.moves(game.position())[0];
        let played = |seed| book.choose(&game, seed).unwrap();
        let chosen: Vec<BookMove> = (0..40).map(played).collect();
        assert!(chosen.iter().all(|known| known.is_as_good_as(best)));
        assert!(chosen.iter().any(|known| *known != chosen[0]));
        assert_eq!(played(7), played(7));
    }

    #[test]
    fn the_fringe_of_the_book_is_left_to_the_search() {
        let game = Game::new(DrawRules::Fmjd64);
        assert!(small(PLIES_KNOWN as u32).choose(&game, 0).is_none());
        assert!(small(PLIES_KNOWN as u32 + 1).choose(&game, 0).is_some());
    }

    #[test]
    fn colours_are_alike() {
        let black = Position::from_setup(Setup {
            turn: Color::Black,
            ..Setup::START
        })
        .unwrap();
        let book = small(4);
        assert_eq!(scores(&book, &black), scores(&book, &Position::start()));
        let game = Game::from_position(black.clone(), DrawRules::Fmjd64);
        assert!(black.is_legal(book.choose(&game, 1).unwrap().m));
    }

    #[test]
    fn a_game_that_is_over_and_a_position_that_is_not_there_have_no_move() {
        let book = small(4);
        let other: Position = "W:Wa1,c3:Bd6,f6".parse().unwrap();
        let game = Game::from_position(other, DrawRules::Fmjd64);
        assert_eq!(book.choose(&game, 0), None);
        let mut over = Game::new(DrawRules::Fmjd64);
        over.end(Outcome::Draw(DrawReason::Repetition));
        assert_eq!(book.choose(&over, 0), None);
    }

    #[test]
    fn a_position_worth_something_else_than_its_best_move_is_found() {
        let start = Position::start();
        let right = small(2);
        let wrong = right.positions().map(|(key, score)| {
            let is_start = Some(key) == MenKey::of(&start);
            (key, score as i16 + i16::from(is_start))
        });
        let wrong = Book::new(String::new(), wrong);
        assert_eq!(wrong.contradiction(), Some(start));
    }

    #[test]
    fn the_book_of_the_program_is_right() {
        let book = Book::embedded();
        let bytes = include_bytes!("../../data/opening.book");
        assert!(book.to_bytes() == bytes && bytes.len() < 1 << 20);
        assert_eq!(book.contradiction(), None);
        // The first moves of both sides, and openings of the suite.
        let start = Position::start();
        let replies = book.moves(&start).into_iter().map(|known| {
            let after = start.clone().play(known.m).unwrap();
            book.moves(&after).len()
        });
        assert!(replies.take(3).all(|count| count > 0));
        let suite = openings::suite().into_iter();
        let known = suite.filter(|opening| book.score(opening.position()).is_some());
        assert!(known.count() >= 100);
    }
}
