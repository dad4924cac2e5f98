//! What one search visited and another did not.

use std::collections::BTreeMap;

use super::lines::{LineId, Lines};
use super::{OutcomeKind, Tree};

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

impl Difference {
    /// Compares two trees; `None` if they begin at different positions.
    pub fn between(first: &Tree, second: &Tree) -> Option<Difference> {
        if first.game.position() != second.game.position() {
            return None;
        }
        let limits = [first.deepest_level, second.deepest_level];
        let deepest_level = limits.into_iter().flatten().min();
        let [a, b] = [first, second].map(|tree| Lines::of(tree, deepest_level.unwrap_or(u32::MAX)));
        let only_first = OnlyIn::of(&a, &b, second);
        Some(Difference {
            deepest_level,
            both: a.len() as u64 - only_first.lines,
            only_second: OnlyIn::of(&b, &a, first),
            only_first,
        })
    }
}

impl OnlyIn {
    /// The lines that are not among those of the other tree.
    fn of(lines: &Lines, others: &Lines, other: &Tree) -> OnlyIn {
        let mut only = OnlyIn::default();
        // For each line the same line of the other, or the last line that both have.
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
            if let Match::Missing(shared) = matched {
                let visit = shared.map(|shared| others.get(shared).deepest_visit);
                let reason = visit.map_or(OutcomeKind::Stopped, |visit| {
                    other.node(visit).outcome.kind()
                });
                only.lines += 1;
                *only.reasons.entry(reason).or_default() += 1;
            }
            matches.push(matched);
        }
        only
    }
}

#[derive(Clone, Copy)]
enum Match {
    Same(LineId),
    /// With the last line that both have.
    Missing(Option<LineId>),
}
