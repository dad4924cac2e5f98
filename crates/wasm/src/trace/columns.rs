//! All nodes of a tree at once.

use std::fmt::Write;

use checkers_engine::tree::{OutcomeKind, SharedLine, Tree};
use checkers_lib::{Color, Move};

use super::terms::{PURPOSES, bound, number_of, purpose_of, whites, window};

/// Four columns of little-endian 32-bit integers, with a row for each node in the order of the search: where the nodes
/// below it end; its level; how it ended, why it was entered, who moves and the move that leads to it, from the lowest
/// bit 4 bits, 3, 1 and 12; its value. A move is its squares, 5 bits each, whether it captures, and 1 for a move at all.
pub(crate) fn columns(tree: &Tree) -> Vec<u8> {
    let count = tree.len();
    let mut columns = vec![0_u8; count * 16];
    let mut put = |column: usize, row: usize, value: i32| {
        let at = (column * count + row) * 4;
        columns[at..at + 4].copy_from_slice(&value.to_le_bytes());
    };
    tree.walk(|id, position| {
        let (node, row, turn) = (tree.node(id), id.index(), position.turn());
        let m = node.m.map_or(0, |m| {
            1 << 11 | usize::from(m.is_capture()) << 10 | m.to().index() << 5 | m.from().index()
        });
        let side = usize::from(turn == Color::Black);
        let flags =
            number_of(node.outcome.kind()) | purpose_of(node.purpose) << 4 | side << 7 | m << 8;
        put(0, row, node.end() as i32);
        put(1, row, node.level as i32);
        put(2, row, flags as i32);
        put(
            3,
            row,
            node.value().map_or(i32::MIN, |value| whites(value, turn)),
        );
    });
    columns
}

/// A byte for each node: 0 if the other tree has its line, 255 if that is unknown, and else 1 more than the number of
/// the end of the last node that they share.
pub(crate) fn marks(shared: &[SharedLine], other: &Tree) -> Vec<u8> {
    let mark = |shared: &SharedLine| match *shared {
        SharedLine::Visited(_) => 0,
        SharedLine::Unknown => u8::MAX,
        SharedLine::Missing(last) => {
            let kind = last.map_or(OutcomeKind::Stopped, |last| other.node(last).outcome.kind());
            number_of(kind) as u8 + 1
        }
    };
    shared.iter().map(mark).collect()
}

/// A table for programs, with a line for each node.
pub(crate) fn csv(tree: &Tree) -> String {
    let mut text =
        "node,parent,level,move,purpose,low,high,depth,value,bound,end,nodes\n".to_owned();
    tree.walk(|id, position| {
        let node = tree.node(id);
        let m = node.m.map_or(String::new(), short);
        let parent = node
            .parent
            .map_or(String::new(), |parent| parent.index().to_string());
        let value = node.value().map_or(String::new(), |value| {
            whites(value, position.turn()).to_string()
        });
        let (low, high) = window(node, position.turn());
        let [low, high] = [low, high].map(|end| end.map_or(String::new(), |end| end.to_string()));
        let written = writeln!(
            text,
            "{},{parent},{},{m},{},{low},{high},{},{value},{},{},{}",
            id.index(),
            node.level,
            PURPOSES[purpose_of(node.purpose)],
            node.depth,
            bound(node, position.turn()).unwrap_or(""),
            node.outcome.kind().name(),
            node.end() - id.index(),
        );
        debug_assert!(written.is_ok(), "a string grows");
    });
    text
}

/// A move by its squares: every tree has millions.
fn short(m: Move) -> String {
    let sign = if m.is_capture() { ':' } else { '-' };
    format!("{}{sign}{}", m.from(), m.to())
}
