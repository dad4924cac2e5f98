//! Named positions for each rule that programs usually get wrong: the file, the rule book and the
//! library must agree, and a rule book with just that rule broken must not.

use std::collections::BTreeSet;

use checkers_lib::{MoveTextError, Position};

use crate::agreement::{assert_agreement, effect};
use crate::rule_book::{Book, Effect, RuleBoard, Way, spot};

/// A move and one of its routes.
type EffectAndRoute = (Effect, String);

#[test]
fn the_rule_book_moves_as_the_file_says() {
    for case in read_cases() {
        let ways = RuleBoard::from_fen(&case.fen).ways(Book::RIGHT);
        let found = ways.iter().map(|way| (way.effect(), way.to_string()));
        assert_eq!(found.collect::<BTreeSet<_>>(), case.moves, "{}", case.name);
    }
}

#[test]
fn the_library_moves_as_the_file_says() {
    for case in read_cases() {
        let position: Position = case.fen.parse().unwrap();
        let routes = position.routes();
        let found = routes
            .iter()
            .map(|(m, route)| (effect(*m), route.to_string()));
        assert_eq!(found.collect::<BTreeSet<_>>(), case.moves, "{}", case.name);
        assert_agreement(&position, &RuleBoard::from_fen(&case.fen));
    }
}

#[test]
fn the_library_reads_every_route_and_no_wrong_one() {
    for case in read_cases() {
        let position: Position = case.fen.parse().unwrap();
        for (wanted, route) in &case.moves {
            let m = position.parse_move(route).unwrap();
            assert_eq!(effect(m), *wanted, "{}: {route}", case.name);
        }
        for route in &case.never {
            let error = position.parse_move(route).unwrap_err();
            let text = route.clone();
            assert_eq!(error, MoveTextError::Illegal { text }, "{}", case.name);
        }
    }
}

#[test]
fn a_generator_that_breaks_the_rule_moves_otherwise() {
    let effects = |board: &RuleBoard, book| -> BTreeSet<Effect> {
        board.ways(book).iter().map(Way::effect).collect()
    };
    for case in read_cases() {
        let board = RuleBoard::from_fen(&case.fen);
        for broken in broken_books(&case.rule) {
            let right = effects(&board, Book::RIGHT);
            assert_ne!(effects(&board, broken), right, "{}", case.name);
        }
    }
}

#[test]
fn each_rule_that_programs_get_wrong_has_ten_positions() {
    let cases = read_cases();
    for rule in [
        "king-lands-where-it-can-go-on",
        "captured-pieces-stay",
        "start-counts-as-empty",
        "man-becomes-king-on-the-way",
    ] {
        let positions: BTreeSet<&String> = cases
            .iter()
            .filter(|case| case.rule == rule)
            .map(|case| &case.fen)
            .collect();
        assert!(positions.len() >= 10, "{rule}: {}", positions.len());
    }
}

/// The ways to get a rule wrong.
fn broken_books(rule: &str) -> Vec<Book> {
    match rule {
        "king-lands-where-it-can-go-on" => vec![broken(|book| book.king_stops_anywhere = true)],
        "king-goes-on-along-the-line" => {
            vec![broken(|book| book.king_turns_after_each_capture = true)]
        }
        "captured-pieces-stay" => vec![
            broken(|book| book.captured_pieces_vanish = true),
            broken(|book| book.captured_pieces_jumped_again = true),
        ],
        "start-counts-as-empty" => vec![broken(|book| book.start_stays_taken = true)],
        "man-becomes-king-on-the-way" => vec![
            broken(|book| book.promotes_only_at_the_end = true),
            broken(|book| book.promotion_ends_the_capture = true),
        ],
        "free-choice" => vec![broken(|book| book.takes_the_most = true)],
        "circular-captures" => vec![
            broken(|book| book.start_stays_taken = true),
            broken(|book| book.captured_pieces_jumped_again = true),
        ],
        "one-effect-one-move" => Vec::new(),
        _ => panic!("no rule is named {rule}"),
    }
}

fn broken(break_rule: impl Fn(&mut Book)) -> Book {
    let mut book = Book::RIGHT;
    break_rule(&mut book);
    book
}

/// One position of the file.
#[derive(Clone, Default)]
struct Case {
    rule: String,
    name: String,
    fen: String,
    moves: BTreeSet<EffectAndRoute>,
    never: Vec<String>,
}

fn read_cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut rule = String::new();
    for line in include_str!("../data/rules.txt").lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "rule" {
            rule = rest.to_owned();
        } else if word == "position" {
            cases.push(Case {
                rule: rule.clone(),
                name: rest.to_owned(),
                ..Case::default()
            });
        } else if !matches!(word, "" | "#" | "says") {
            let case = cases.last_mut().expect("a position begins every case");
            read_line(case, word, rest);
        }
    }
    cases
}

fn read_line(case: &mut Case, word: &str, rest: &str) {
    match word {
        "fen" => case.fen = rest.to_owned(),
        "move" => case.moves.extend(read_move(rest)),
        "never" => case.never = rest.split(' ').map(str::to_owned).collect(),
        _ => panic!("{}: {word} {rest}", case.name),
    }
}

/// Reads `a1 d8 takes b2,e7 [promotes] by a1:f6:d8 …`.
fn read_move(text: &str) -> Vec<EffectAndRoute> {
    let (what, routes) = text.split_once(" by ").unwrap();
    let words: Vec<&str> = what.split(' ').collect();
    let (&[from, to, "takes", captured], promotes) = words.split_at(4) else {
        panic!("{text}");
    };
    let effect = Effect {
        from: spot(from),
        to: spot(to),
        captured: captured.split(',').map(spot).collect(),
        promotes: promotes == ["promotes"],
    };
    let with_effect = |route: &str| (effect.clone(), route.to_owned());
    routes.split(' ').map(with_effect).collect()
}
