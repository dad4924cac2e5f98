//! The library held against the rule book, one position at a time.

use std::collections::BTreeSet;
use std::fmt::Debug;

use checkers_lib::{Bitboard, MAX_ROUTES, Move, Position, Route, Square};

use crate::rule_book::{Book, Effect, RuleBoard, Spot, Way};

/// Asserts that the library and the rule book say the same of a position: its moves, every route
/// of each, what they lead to, and the shortcuts that answer less than the whole.
pub(crate) fn assert_agreement(position: &Position, board: &RuleBoard) {
    let fen = board.to_string();
    assert_eq!(position.to_string(), fen);
    let ways = board.ways(Book::RIGHT);
    let effects: BTreeSet<Effect> = ways.iter().map(Way::effect).collect();
    let moves = position.legal_moves();
    let library = without_duplicates(moves.iter().map(|&m| effect(m)), &fen);
    assert_eq!(library, effects, "legal moves of {fen}");
    assert_shortcuts(position, &effects, &fen);
    assert_routes(position, &ways, &fen);
    for way in one_of_each_effect(&ways) {
        assert_result(position, board, way);
    }
}

/// The library's move in the rule book's words.
pub(crate) fn effect(m: Move) -> Effect {
    Effect {
        from: spot(m.from()),
        to: spot(m.to()),
        captured: m.captured().into_iter().map(spot).collect(),
        promotes: m.promotes(),
    }
}

/// The library's route in the rule book's words.
fn way(m: Move, route: &Route) -> Way {
    Way {
        squares: route.squares.iter().copied().map(spot).collect(),
        captures: route.captures.iter().copied().map(spot).collect(),
        promotes: m.promotes(),
    }
}

/// The library's move with this effect.
pub(crate) fn library_move(position: &Position, wanted: &Effect) -> Move {
    let moves = position.legal_moves();
    let found = moves.into_iter().find(|&m| effect(m) == *wanted);
    found.unwrap_or_else(|| panic!("{position}: no move does {wanted:?}"))
}

fn spot(square: Square) -> Spot {
    Spot {
        row: square.row() as i8,
        file: square.file() as i8,
    }
}

fn assert_shortcuts(position: &Position, effects: &BTreeSet<Effect>, fen: &str) {
    let captures = effects.iter().any(|effect| !effect.captured.is_empty());
    assert_eq!(position.count_moves(), effects.len(), "count of {fen}");
    assert_eq!(position.must_capture(), captures, "must capture in {fen}");
    assert_eq!(position.is_lost(), effects.is_empty(), "lost in {fen}");
}

fn assert_routes(position: &Position, ways: &[Way], fen: &str) {
    assert!(ways.len() < MAX_ROUTES, "too many routes to list in {fen}");
    let expected = without_duplicates(ways.iter().cloned(), fen);
    let routes = position.routes();
    let all = without_duplicates(routes.iter().map(|(m, route)| way(*m, route)), fen);
    assert_eq!(all, expected, "routes of {fen}");
    let moves = position.legal_moves();
    let by_move = moves.iter().flat_map(|&m| {
        let routes = m.routes(position).into_iter();
        routes.map(move |route| way(m, &route))
    });
    let by_move = without_duplicates(by_move, fen);
    assert_eq!(by_move, expected, "routes by move of {fen}");
}

fn assert_result(position: &Position, board: &RuleBoard, way: &Way) {
    let m = library_move(position, &way.effect());
    let result = position.clone().play(m).unwrap();
    let fen = board.after(way).to_string();
    assert_eq!(result.to_string(), fen, "{board} after {way}");
    let read: Position = fen.parse().unwrap();
    assert_eq!(result, read, "{board} after {way}");
    assert_eq!(result.key(), read.key(), "key of {board} after {way}");
    assert_eq!(m.captured() & result.occupied(), Bitboard::EMPTY);
}

fn without_duplicates<T: Ord + Clone + Debug>(
    items: impl Iterator<Item = T>,
    fen: &str,
) -> BTreeSet<T> {
    let list: Vec<T> = items.collect();
    let set: BTreeSet<T> = list.iter().cloned().collect();
    assert_eq!(set.len(), list.len(), "repeated in {fen}: {list:?}");
    set
}

fn one_of_each_effect(ways: &[Way]) -> impl Iterator<Item = &Way> {
    let mut seen = BTreeSet::new();
    ways.iter().filter(move |way| seen.insert(way.effect()))
}
