//! What one search visited and another did not.

use std::collections::BTreeMap;

use super::lines::{LineId, TreeLines};
use super::{NodeId, OutcomeKind, Tree};

/// Two trees of one position, line by line: a line is a sequence of moves from the root, and a
/// search has visited it or not, however often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Lines with more moves than this were left out, because a tree does not have all of them;
    /// `None` if nothing was left out.
    pub deepest_level: Option<u32>,
    /// How many lines both visited.
    pub both: u64,
    /// Those that the first visited alone, and what the second did instead.
    pub only_first: OnlyIn,
    /// Those that the second visited alone, and what the first did instead.
    pub only_second: OnlyIn,
}

/// Lines that one of two searches visited alone.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OnlyIn {
    /// How many.
    pub lines: u64,
    /// How many of them for each reason: how the last node of the line that both visited ended in
    /// the other search, at the first of the visits for which most depth remained.
    pub reasons: BTreeMap<OutcomeKind, u64>,
}

/// What another tree has of the line of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SharedLine {
    /// The line itself: the first of the visits to its end for which most depth remained.
    Visited(NodeId),
    /// Only a shorter line: such a visit to the end of the longest; none if the other tree is empty.
    Missing(Option<NodeId>),
    /// It is unknown, because a tree does not have all lines as long.
    Unknown,
}

impl Difference {
    /// Compares two trees; `None` if they begin at different positions.
    pub fn between(first: &Tree, second: &Tree) -> Option<Difference> {
        let [a, b] = comparable_lines(first, second)?;
        let only_first = OnlyIn::of(&a, &b, second);
        Some(Difference {
            deepest_level: comparable_level(first, second),
            both: a.len() as u64 - only_first.lines,
            only_second: OnlyIn::of(&b, &a, first),
            only_first,
        })
    }
}

impl SharedLine {
    /// What `other` has of the line of each node of `tree`, in the order of the search; `None` if they
    /// begin at different positions.
    pub fn of(tree: &Tree, other: &Tree) -> Option<Vec<SharedLine>> {
        let [lines, others] = comparable_lines(tree, other)?;
        let matches = matches(&lines, &others);
        let shared = |line: Option<LineId>| match line.map(|line| matches[line]) {
            Some(Match::Same(same)) => SharedLine::Visited(others.get(same).deepest_visit),
            Some(Match::Missing(last)) => {
                SharedLine::Missing(last.map(|last| others.get(last).deepest_visit))
            }
            None => SharedLine::Unknown,
        };
        Some(lines.of_nodes().map(shared).collect())
    }
}

/// The lines of both trees that are no longer than those that both have all of.
fn comparable_lines(first: &Tree, second: &Tree) -> Option<[TreeLines; 2]> {
    if first.game.position() != second.game.position() {
        return None;
    }
    let deepest_level = comparable_level(first, second).unwrap_or(u32::MAX);
    Some([first, second].map(|tree| TreeLines::of(tree, deepest_level)))
}

fn comparable_level(first: &Tree, second: &Tree) -> Option<u32> {
    let limits = [first.deepest_level, second.deepest_level];
    limits.into_iter().flatten().min()
}

impl OnlyIn {
    /// The lines that are not among those of the other tree.
    fn of(lines: &TreeLines, others: &TreeLines, other: &Tree) -> OnlyIn {
        let mut only = OnlyIn::default();
        for matched in matches(lines, others) {
            if let Match::Missing(shared) = matched {
                let visit = shared.map(|shared| others.get(shared).deepest_visit);
                let reason = visit.map_or(OutcomeKind::Stopped, |visit| {
                    other.node(visit).outcome.kind()
                });
                only.lines += 1;
                *only.reasons.entry(reason).or_default() += 1;
            }
        }
        only
    }
}

/// For each line the same line of the other tree, or the last line that both have.
fn matches(lines: &TreeLines, others: &TreeLines) -> Vec<Match> {
    let mut matches: Vec<Match> = Vec::with_capacity(lines.len());
    for line in lines.iter() {
        let matched = match line.before {
            None if others.len() == 0 => Match::Missing(None),
            None => Match::Same(0),
            Some((before, m)) => match matches[before] {
                Match::Same(same) => match others.after(same, m) {
                    Some(same) => Match::Same(same),
                    None => Match::Missing(Some(same)),
                },
                missing => missing,
            },
        };
        matches.push(matched);
    }
    matches
}

#[derive(Clone, Copy)]
enum Match {
    Same(LineId),
    /// With the last line that both have.
    Missing(Option<LineId>),
}
