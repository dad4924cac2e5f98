//! Leaves of the game tree against known counts, and small trees against the rule book.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use checkers_lib::{Position, perft};

use crate::is_exhaustive;
use crate::rule_book::{Book, Effect, RuleBoard, Way};

/// The largest tree that the rule book counts too.
const COUNTED_TWICE: u64 = 50_000;
/// The largest tree that is counted in every run.
const COUNTED_ALWAYS: u64 = 1_000_000;

#[test]
fn effects_are_as_many_as_known() {
    assert_known(Count::Effects, perft::effects);
}

#[test]
fn orders_are_as_many_as_known() {
    assert_known(Count::Orders, perft::orders);
}

#[test]
fn routes_are_as_many_as_known() {
    assert_known(Count::Routes, perft::routes);
}

#[test]
fn small_trees_are_as_large_by_the_rule_book() {
    for case in read_cases() {
        if case.nodes <= COUNTED_TWICE {
            let nodes = count_by_the_book(&RuleBoard::from_fen(&case.fen), case.depth, case.count);
            assert_eq!(nodes, case.nodes, "{}", case.source);
        }
    }
}

fn assert_known(count: Count, counted: fn(&Position, u32) -> u64) {
    let mut cases = read_cases();
    cases.retain(|case| case.count == count && (case.nodes <= COUNTED_ALWAYS || is_exhaustive()));
    assert!(!cases.is_empty());
    for case in cases {
        let position: Position = case.fen.parse().unwrap();
        let nodes = counted(&position, case.depth);
        assert_eq!(nodes, case.nodes, "{}", case.source);
    }
}

/// What makes two moves differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Effects,
    Orders,
    Routes,
}

/// One line of a data file.
struct Case {
    /// File and line.
    source: String,
    fen: String,
    count: Count,
    depth: u32,
    nodes: u64,
}

fn count_by_the_book(board: &RuleBoard, depth: u32, count: Count) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut seen: BTreeSet<(Effect, Vec<_>)> = BTreeSet::new();
    let ways = board.ways(Book::RIGHT);
    let different = ways.iter().filter(|way| {
        let told_apart_by = match count {
            Count::Effects => Vec::new(),
            Count::Orders => way.captures.clone(),
            Count::Routes => way.squares.clone(),
        };
        seen.insert((way.effect(), told_apart_by))
    });
    let leaves_after = |way: &Way| count_by_the_book(&board.after(way), depth - 1, count);
    different.map(leaves_after).sum()
}

fn read_cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "perft")
        })
        .collect();
    files.sort();
    files.iter().flat_map(|path| read_file(path)).collect()
}

/// Lines are `fen FEN`, and `perft|orders|routes DEPTH NODES` for the FEN above; `#` comments.
fn read_file(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).unwrap();
    let mut fen = "";
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let source = format!("{}:{number}", path.display());
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] | ["#", ..] => {}
            ["fen", text] => fen = text,
            [count, depth, nodes] => cases.push(Case {
                count: count_named(count, &source),
                source,
                fen: fen.to_owned(),
                depth: depth.parse().unwrap(),
                nodes: nodes.parse().unwrap(),
            }),
            _ => panic!("{source}: {line}"),
        }
    }
    cases
}

fn count_named(name: &str, source: &str) -> Count {
    match name {
        "perft" => Count::Effects,
        "orders" => Count::Orders,
        "routes" => Count::Routes,
        _ => panic!("{source}: no count is named {name}"),
    }
}
