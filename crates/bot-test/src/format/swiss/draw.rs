//! The pairings of a round of a Swiss tournament.
//!
//! CITE: FIDE Handbook C.04.3, "FIDE (Dutch) System", simplified: upper half against lower half of
//! each score group, the rest floats down; colours and the history of floats do not matter,
//! because a pair has both colours. H. N. Gabow, "An Efficient Implementation of Edmonds'
//! Algorithm for Maximum Matching on Graphs", Journal of the ACM 23(2), 1976, for what can still
//! be paired.

use std::collections::HashSet;

use petgraph::algo::maximum_matching;
use petgraph::graph::{NodeIndex, UnGraph};

use crate::BotId;
use crate::results::Points;

/// What is known before a round is drawn.
pub(super) struct Field {
    /// What each bot has.
    points: Vec<Points>,
    /// Everybody, the best placed first.
    order: Vec<BotId>,
    /// Which two have met, the better seed first.
    met: HashSet<[BotId; 2]>,
    had_bye: HashSet<BotId>,
}

/// A round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Draw {
    /// The meetings, from the top of the field to its bottom; the better placed bot comes first.
    pub meetings: Vec<[BotId; 2]>,
    /// The bot without an opponent.
    pub bye: Option<BotId>,
}

impl Field {
    /// Bots with these points, and their earlier meetings and byes.
    pub(super) fn new(points: Vec<Points>, earlier: &[Draw]) -> Field {
        let mut order: Vec<BotId> = (0..points.len()).map(BotId).collect();
        order.sort_by_key(|bot| (std::cmp::Reverse(points[bot.0]), *bot));
        let meetings = earlier.iter().flat_map(|draw| &draw.meetings);
        Field {
            points,
            order,
            met: meetings.map(|&bots| ordered(bots)).collect(),
            had_bye: earlier.iter().filter_map(|draw| draw.bye).collect(),
        }
    }

    /// The next round: with as few rematches as possible, nearly always none, and otherwise with
    /// the preferences of the best placed bot before those of the next.
    ///
    /// Polynomial: no choice is taken back, for each is made only when the rest of the field can
    /// still be paired. For 64 bots some milliseconds.
    pub(super) fn draw(&self) -> Draw {
        let bye = self.bye();
        let mut waiting = self.order.clone();
        waiting.retain(|&bot| Some(bot) != bye);
        let mut rematches = self.fewest_rematches(&waiting);
        let mut meetings = Vec::new();
        while let Some(meeting) = self.first_meeting(&waiting, rematches) {
            waiting.retain(|bot| !meeting.contains(bot));
            rematches -= usize::from(self.have_met(meeting)).min(rematches);
            meetings.push(meeting);
        }
        Draw { meetings, bye }
    }

    /// Whether two bots have met.
    pub(super) fn have_met(&self, bots: [BotId; 2]) -> bool {
        self.met.contains(&ordered(bots))
    }

    /// The bot of an odd field that has a bye: the last one that had none, unless another's bye
    /// saves a rematch.
    fn bye(&self) -> Option<BotId> {
        if self.order.len().is_multiple_of(2) {
            return None;
        }
        let candidates = self.order.iter().rev().copied();
        candidates
            .filter(|bot| !self.had_bye.contains(bot))
            .min_by_key(|&bot| self.fewest_rematches(&without(&self.order, [bot, bot])))
    }

    /// The opponent of the first of these; `None` if there is none. Bots of its own score group
    /// come first, if they leave the group as many pairs as it could have.
    fn first_meeting(&self, waiting: &[BotId], rematches: usize) -> Option<[BotId; 2]> {
        let group = self.score_group(waiting);
        let candidates = self.candidates(waiting, group.len());
        let keeps_field = |&meeting: &[BotId; 2]| {
            let here = usize::from(self.have_met(meeting));
            here + self.fewest_rematches(&without(waiting, meeting)) <= rematches
        };
        let group_pairs = self.most_pairs(group);
        let keeps_group = |&meeting: &[BotId; 2]| {
            group.contains(&meeting[1])
                && !self.have_met(meeting)
                && self.most_pairs(&without(group, meeting)) + 1 == group_pairs
        };
        let best = (candidates.iter()).find(|meeting| keeps_group(meeting) && keeps_field(meeting));
        best.or_else(|| candidates.iter().find(|meeting| keeps_field(meeting)))
            .copied()
    }

    /// The first of these and all with as many points.
    fn score_group<'a>(&self, waiting: &'a [BotId]) -> &'a [BotId] {
        let points = |bot: &BotId| self.points[bot.0];
        let mut groups = waiting.chunk_by(|a, b| points(a) == points(b));
        groups.next().unwrap_or(&[])
    }

    /// Possible opponents of the first of these in order of preference: the lower half of its score
    /// group from the top, the upper half from the bottom, the rest of the field from the top;
    /// then, in the same order, those it has met.
    fn candidates(&self, waiting: &[BotId], group: usize) -> Vec<[BotId; 2]> {
        let half = (group / 2).max(1);
        let Some((&first, _)) = waiting.split_first() else {
            return Vec::new();
        };
        let wishes = (half..group)
            .chain((1..half).rev())
            .chain(group..waiting.len());
        let mut candidates: Vec<_> = wishes.map(|index| [first, waiting[index]]).collect();
        candidates.sort_by_key(|&meeting| self.have_met(meeting));
        candidates
    }

    /// How many rematches there must be among an even number of bots.
    fn fewest_rematches(&self, bots: &[BotId]) -> usize {
        bots.len() / 2 - self.most_pairs(bots)
    }

    /// How many pairs of bots that have not met there can be at the same time. O(bots³).
    fn most_pairs(&self, bots: &[BotId]) -> usize {
        let mut graph: UnGraph<(), ()> = UnGraph::default();
        let nodes: Vec<NodeIndex> = bots.iter().map(|_| graph.add_node(())).collect();
        for (index, &bot) in bots.iter().enumerate() {
            for (other, &opponent) in bots.iter().enumerate().skip(index + 1) {
                if !self.have_met([bot, opponent]) {
                    graph.add_edge(nodes[index], nodes[other], ());
                }
            }
        }
        maximum_matching(&graph).len()
    }
}

fn ordered(mut bots: [BotId; 2]) -> [BotId; 2] {
    bots.sort_unstable();
    bots
}

fn without(bots: &[BotId], gone: [BotId; 2]) -> Vec<BotId> {
    (bots.iter().copied())
        .filter(|bot| !gone.contains(bot))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(numbers: &[(usize, usize)], bye: Option<usize>) -> Draw {
        Draw {
            meetings: (numbers.iter())
                .map(|&(first, second)| [BotId(first - 1), BotId(second - 1)])
                .collect(),
            bye: bye.map(|bot| BotId(bot - 1)),
        }
    }

    /// The next round of bots with this many wins each.
    fn next(wins: &[u64], earlier: &[Draw]) -> Draw {
        let points = wins.iter().map(|&wins| Points::of_wins(wins)).collect();
        Field::new(points, earlier).draw()
    }

    #[test]
    fn upper_half_against_lower_half() {
        let expected = draw(&[(1, 5), (2, 6), (3, 7), (4, 8)], None);
        assert_eq!(next(&[0; 8], &[]), expected);
    }

    #[test]
    fn winners_meet_winners() {
        let first = draw(&[(1, 5), (2, 6), (3, 7), (4, 8)], None);
        let expected = draw(&[(1, 3), (2, 4), (5, 7), (6, 8)], None);
        assert_eq!(next(&[1, 1, 1, 1, 0, 0, 0, 0], &[first]), expected);
    }

    #[test]
    fn the_last_of_an_odd_group_floats_down() {
        let expected = draw(&[(1, 2), (3, 4), (5, 6)], None);
        assert_eq!(next(&[2, 2, 2, 1, 0, 0], &[]), expected);
    }

    #[test]
    fn a_group_stays_together_where_it_can() {
        // 1 would meet 3, but then 2 and 4 would have to meet once more or leave the group.
        let earlier = [draw(&[(2, 4), (1, 5), (3, 6)], None)];
        let expected = draw(&[(1, 4), (2, 3), (5, 6)], None);
        assert_eq!(next(&[1, 1, 1, 1, 0, 0], &earlier), expected);
    }

    #[test]
    fn the_last_without_a_bye_has_it() {
        assert_eq!(next(&[0; 5], &[]), draw(&[(1, 3), (2, 4)], Some(5)));
        let first = draw(&[(1, 3), (2, 4)], Some(5));
        let expected = draw(&[(1, 2), (5, 3)], Some(4));
        assert_eq!(next(&[1, 1, 0, 0, 1], &[first]), expected);
    }

    #[test]
    fn a_bye_that_saves_a_rematch_comes_first() {
        // 1 has met both others, so that only without it there is no rematch.
        let earlier = [draw(&[(1, 3)], Some(2)), draw(&[(1, 2)], None)];
        assert_eq!(next(&[2, 1, 0], &earlier), draw(&[(2, 3)], Some(1)));
    }

    #[test]
    fn rematches_are_few_where_they_cannot_be_avoided() {
        let earlier = [
            draw(&[(1, 2), (3, 4)], None),
            draw(&[(1, 3), (2, 4)], None),
            draw(&[(1, 4), (2, 3)], None),
        ];
        let expected = draw(&[(1, 2), (3, 4)], None);
        assert_eq!(next(&[3, 2, 1, 0], &earlier), expected);
        // 1 has met all others, so that one of its meetings must be repeated.
        let earlier = [
            draw(&[(1, 2)], None),
            draw(&[(1, 3)], None),
            draw(&[(1, 4)], None),
        ];
        let expected = draw(&[(1, 2), (3, 4)], None);
        assert_eq!(next(&[3, 2, 1, 0], &earlier), expected);
    }
}
