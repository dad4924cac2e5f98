//! The players of a round: their order, who may meet, and who may have the bye.

use std::cmp::Reverse;

use super::entry::RoundEntry;
use super::{Color, Play, SwissPlayer, SwissSettings};
use crate::matching::{Matching, Weight};

/// The players of a round and what holds between them.
pub(super) struct Field {
    /// By points, then by number: the order of all rules.
    pub(super) entries: Vec<RoundEntry>,
    met: Vec<bool>,
    /// More points than half of the most possible ones make a topscorer of the last round.
    top: Option<u64>,
    first: Color,
    /// Whether the rules allow no round, so that rules must be broken.
    pub(super) is_impossible: bool,
    /// C5: who may have the bye.
    candidates: Vec<bool>,
    /// The points of those of them who have the most.
    pub(super) bye_score: Option<u64>,
}

impl Field {
    pub(super) fn new(
        players: &[SwissPlayer],
        present: &[bool],
        settings: &SwissSettings,
    ) -> Field {
        let played = players
            .iter()
            .map(|player| player.rounds.len())
            .max()
            .unwrap_or(0);
        let mut entries: Vec<RoundEntry> = (0..players.len())
            .filter(|&number| present.get(number) == Some(&true))
            .map(|number| RoundEntry::new(number, players, played, settings))
            .collect();
        number_seeds(&mut entries, players, present);
        entries.sort_by_key(|entry| (Reverse(entry.score), entry.number));
        let is_last = played + 1 >= settings.rounds;
        let mut field = Field {
            candidates: vec![true; entries.len()],
            met: meetings(&entries, players),
            entries,
            top: is_last.then_some(played as u64 * u64::from(settings.win)),
            first: settings.first,
            is_impossible: false,
            bye_score: None,
        };
        field.choose_bye_score();
        field
    }

    /// C1: whether two have played each other.
    pub(super) fn have_met(&self, a: usize, b: usize) -> bool {
        self.met[a * self.entries.len() + b]
    }

    /// C3: whether one of two has to get a color that it must not have. Topscorers may.
    pub(super) fn colors_conflict(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|index| &self.entries[index]);
        let is_top = |entry: &RoundEntry| self.top.is_some_and(|top| 2 * entry.score > top);
        a.conflicts_absolutely(b) && !is_top(a) && !is_top(b)
    }

    pub(super) fn may_meet(&self, a: usize, b: usize) -> bool {
        self.is_impossible || !(self.have_met(a, b) || self.colors_conflict(a, b))
    }

    /// Whether the bye can go to a player.
    pub(super) fn is_candidate(&self, index: usize) -> bool {
        self.candidates[index]
    }

    /// C4 and C5: finds out whether there is a round at all and how few points the player with the bye can have.
    fn choose_bye_score(&mut self) {
        let all: Vec<usize> = (0..self.entries.len()).collect();
        if all.len().is_multiple_of(2) {
            self.is_impossible = !self.can_be_completed(&all);
            return;
        }
        let mut scores: Vec<u64> = self.entries.iter().map(|entry| entry.score).collect();
        scores.dedup();
        for &score in scores.iter().rev() {
            self.allow_bye(true, score);
            if self.can_be_completed(&all) {
                return;
            }
        }
        self.is_impossible = true;
        if let Some(bye) = self.unpaired(&all).first().map(|&bye| &self.entries[bye]) {
            self.allow_bye(bye.may_have_bye, bye.score);
        }
    }

    fn allow_bye(&mut self, may_have_bye: bool, score: u64) {
        let is_candidate =
            |entry: &RoundEntry| entry.may_have_bye == may_have_bye && entry.score <= score;
        self.candidates = self.entries.iter().map(is_candidate).collect();
        self.bye_score = Some(score);
    }

    /// The player without an opponent where rules must be broken: if possible, someone without a bye so far, then with
    /// the fewest rematches, then with the fewest points.
    fn unpaired(&self, all: &[usize]) -> Vec<usize> {
        let weight = |a: usize, b: usize| {
            let entries = [a, b].map(|index| &self.entries[index]);
            let had_bye = entries.map(|entry| i64::from(!entry.may_have_bye));
            let scores = entries.map(|entry| entry.score as i64);
            let broken = |is_broken: bool| -i64::from(is_broken);
            Weight([
                1,
                had_bye[0] + had_bye[1],
                broken(self.have_met(a, b)),
                scores[0] + scores[1],
                broken(self.colors_conflict(a, b)),
            ])
        };
        self.unpaired_of(all, weight)
    }

    /// Whether these players can be paired, and the bye, if any, goes to a candidate.
    pub(super) fn can_be_completed(&self, members: &[usize]) -> bool {
        let others = |a: usize, b: usize| {
            [a, b]
                .into_iter()
                .filter(|&index| !self.candidates[index])
                .count()
        };
        let unpaired = self.unpaired_of(members, |a, b| Weight([1 + others(a, b) as i64]));
        unpaired.len() < 2 && unpaired.iter().all(|&index| self.candidates[index])
    }

    fn unpaired_of<const N: usize>(
        &self,
        members: &[usize],
        weight: impl Fn(usize, usize) -> Weight<N>,
    ) -> Vec<usize> {
        let mut weights = vec![Weight::NONE; members.len() * members.len()];
        for (i, &a) in members.iter().enumerate() {
            for (j, &b) in members[..i].iter().enumerate() {
                if self.may_meet(a, b) {
                    let weight = weight(a, b);
                    weights[i * members.len() + j] = weight;
                    weights[j * members.len() + i] = weight;
                }
            }
        }
        let matching = Matching::new(members.len(), weights);
        let indices = (0..members.len()).filter(|&index| matching.mate(index).is_none());
        indices.map(|index| members[index]).collect()
    }

    /// The pairs with their colors, in the order of C.04.2.
    pub(super) fn boards(&self, mut pairs: Vec<[usize; 2]>) -> Vec<[usize; 2]> {
        pairs.iter_mut().for_each(|pair| pair.sort_unstable());
        pairs.sort_by_key(|&[high, low]| {
            let [high, low] = [high, low].map(|index| &self.entries[index]);
            (Reverse(high.score), Reverse(low.score), high.number)
        });
        let board = |[high, low]: [usize; 2]| match self.entries[high]
            .color_against(&self.entries[low], self.first)
        {
            Color::White => [high, low],
            Color::Black => [low, high],
        };
        let numbers = |board: [usize; 2]| board.map(|index| self.entries[index].number);
        pairs.into_iter().map(|pair| numbers(board(pair))).collect()
    }
}

/// Numbers the players without those who have not come yet. The entries are in the order of their numbers.
fn number_seeds(entries: &mut [RoundEntry], players: &[SwissPlayer], present: &[bool]) {
    let mut seed = 0;
    let mut entries = entries.iter_mut().peekable();
    for (number, player) in players.iter().enumerate() {
        if let Some(entry) = entries.next_if(|entry| entry.number == number) {
            entry.seed = seed;
        }
        let was_paired = player
            .rounds
            .iter()
            .any(|round| round.play != Play::Absence);
        seed += usize::from(was_paired || present.get(number) == Some(&true));
    }
}

/// For each two entries whether they have played each other.
fn meetings(entries: &[RoundEntry], players: &[SwissPlayer]) -> Vec<bool> {
    let mut places = vec![None; players.len()];
    for (index, entry) in entries.iter().enumerate() {
        places[entry.number] = Some(index);
    }
    let mut meetings = vec![false; entries.len() * entries.len()];
    for (index, entry) in entries.iter().enumerate() {
        for round in &players[entry.number].rounds {
            if let Play::Game { opponent, .. } = round.play
                && let Some(opponent) = places.get(opponent).copied().flatten()
            {
                meetings[index * entries.len() + opponent] = true;
                meetings[opponent * entries.len() + index] = true;
            }
        }
    }
    meetings
}
