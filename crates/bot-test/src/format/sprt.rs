//! A match that goes on until its results decide.

use serde::{Deserialize, Serialize};

use super::block::{MeetingBlock, RoundNumber, Sides};
use super::{FormatReport, Next, Schedule};
use crate::BotId;
use crate::results::{PairResult, Results};
use crate::statistics::{Decision, Pentanomial, Sample, Sprt, SprtAnswer, Wdl};

/// The least number of repeats in a row after which a test ends, however few openings there are.
const MIN_PATIENCE: u64 = 32;

/// What a sequential test stands at.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SprtReport {
    /// The evidence so far: of the pairings from 0 on, without a gap, those that are no repeats
    /// and in which every game counts.
    pub sample: Sample,
    /// What the test says about it.
    pub answer: SprtAnswer,
    /// How many pairings were looked at, in the order of the schedule.
    pub judged: u64,
    /// How many of them repeat an earlier one.
    pub repeats: u64,
    /// How many of them have a game that counts for nothing.
    pub voids: u64,
    /// Why the test has ended, if it has.
    pub end: Option<SprtEnd>,
}

/// Why a test has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtEnd {
    /// One of its hypotheses was accepted.
    Decided,
    /// Pairings only repeat each other: nothing new can be learnt from the openings there are.
    OnlyRepeats,
    /// There were as many pairs as there may be.
    MaxPairs,
}

/// The schedule of a test.
pub(super) struct SprtSchedule {
    test: Sprt,
    block: MeetingBlock,
    /// Whether it ends with the last opening, because more pairs would be repeats.
    is_cut: bool,
    /// After this many repeats in a row, the test ends.
    patience: u64,
    progress: SprtProgress,
}

/// What the first pairings say. It is a fold over them: one after the other, in the order of the
/// schedule, and none after the end.
#[derive(Clone, Copy)]
struct SprtProgress {
    sample: Sample,
    judged: u64,
    repeats: u64,
    repeats_in_a_row: u64,
    voids: u64,
    end: Option<SprtEnd>,
}

impl SprtSchedule {
    /// A test of at most this many pairs from this many openings. With `again`, the bots would
    /// repeat the same games when openings come again.
    pub(super) fn new(
        test: Sprt,
        max_pairs: u64,
        openings: u64,
        again: bool,
        games: u8,
    ) -> SprtSchedule {
        let most = if again {
            max_pairs.min(openings)
        } else {
            max_pairs
        };
        SprtSchedule {
            test,
            is_cut: most < max_pairs,
            block: MeetingBlock {
                first_id: 0,
                round: RoundNumber::Fixed(1),
                meetings: vec![[BotId::FIRST, BotId::SECOND]],
                openings: 0..most,
                games,
                sides: Sides::Fixed,
            },
            patience: openings.max(MIN_PATIENCE),
            progress: SprtProgress::new(games),
        }
    }

    /// The progress that the results there are make, from the last known one on.
    fn progress(&self, results: &Results) -> SprtProgress {
        let mut progress = self.progress;
        while progress.end.is_none() {
            let id = progress.judged;
            let (Some(result), Some(is_repeat)) = (results.get(id), results.is_repeat(id)) else {
                break;
            };
            let is_news = progress.take(result, is_repeat);
            progress.end = self.end(&progress, is_news);
        }
        progress
    }

    /// Whether the test ends here. A sample that is the same as before is not judged again.
    fn end(&self, progress: &SprtProgress, is_news: bool) -> Option<SprtEnd> {
        let is_decided = || self.test.judge(&progress.sample).decision != Decision::Continue;
        if is_news && is_decided() {
            Some(SprtEnd::Decided)
        } else if progress.judged >= self.block.end() {
            Some(match self.is_cut {
                true => SprtEnd::OnlyRepeats,
                false => SprtEnd::MaxPairs,
            })
        } else if progress.repeats_in_a_row >= self.patience {
            Some(SprtEnd::OnlyRepeats)
        } else {
            None
        }
    }
}

impl SprtProgress {
    fn new(games: u8) -> SprtProgress {
        SprtProgress {
            sample: if games == 1 {
                Sample::Games(Wdl::default())
            } else {
                Sample::Pairs(Pentanomial::default())
            },
            judged: 0,
            repeats: 0,
            repeats_in_a_row: 0,
            voids: 0,
            end: None,
        }
    }

    /// Counts the next pairing; returns whether it is evidence.
    fn take(&mut self, result: &PairResult, is_repeat: bool) -> bool {
        self.judged += 1;
        if result.is_void() {
            self.voids += 1;
            return false;
        }
        if is_repeat {
            self.repeats += 1;
            self.repeats_in_a_row += 1;
            return false;
        }
        self.repeats_in_a_row = 0;
        result.count_in(&mut self.sample)
    }
}

impl Schedule for SprtSchedule {
    fn next(&mut self, id: u64, results: &Results) -> Next {
        self.progress = self.progress(results);
        let is_over = self.progress.end.is_some();
        match self.block.pairing(id) {
            _ if is_over && id >= self.progress.judged => Next::Done,
            Some(pairing) => Next::Play(pairing),
            None => Next::Wait,
        }
    }

    fn total(&self) -> Option<u64> {
        self.counted()
    }

    fn counted(&self) -> Option<u64> {
        self.progress.end.map(|_| self.progress.judged)
    }

    fn report(&self, results: &Results) -> FormatReport {
        let progress = self.progress(results);
        FormatReport::Sprt(SprtReport {
            sample: progress.sample,
            answer: self.test.judge(&progress.sample),
            judged: progress.judged,
            repeats: progress.repeats,
            voids: progress.voids,
            end: progress.end,
        })
    }
}
