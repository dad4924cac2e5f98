//! What shapes a book, and how its positions are searched.

use checkers_engine::book::MenKey;
use checkers_engine::evaluation::SideView;
use checkers_lib::openings::{self, Opening};
use checkers_lib::{Color, DrawRules, Game, Position};

use crate::dataset::{Sample, SampleOutcome};
use crate::player::{PlayerFactory, ScoredBot, SearchEffort};

/// How far off the openings of the suite are, in the unit of scores, where the start is at 0: as far
/// as six plies of best play.
const COST_OF_AN_OPENING: u32 = 60;

/// A glance is this part of a search,
const PARTS_OF_A_GLANCE: u32 = 10;
/// and enough for moves that it finds worse than the best by more than this.
const BAD: i16 = 60;

/// All that a book depends on beside how many positions it has.
pub(super) struct BookPlan {
    pub(super) factory: PlayerFactory,
    pub(super) effort: SearchEffort,
    /// How many openings of the built-in suite it begins with, beside the start.
    pub(super) openings: usize,
    /// The order in which they are taken.
    pub(super) seed: u64,
}

impl BookPlan {
    /// Where the book begins, and how far off each beginning is.
    pub(super) fn roots(&self) -> Vec<(MenKey, u32)> {
        let mut suite = openings::suite();
        openings::shuffle(&mut suite, self.seed);
        let opening =
            |opening: &Opening| Some((MenKey::of(opening.position())?, COST_OF_AN_OPENING));
        let start = MenKey::of(&Position::start()).map(|start| (start, 0));
        let openings = suite.iter().take(self.openings).filter_map(opening);
        start.into_iter().chain(openings).collect()
    }

    /// What shapes the searches, in one line.
    pub(super) fn settings(&self) -> String {
        let (factory, openings, seed) = (&self.factory, self.openings, self.seed);
        let effort = match self.effort {
            SearchEffort::Nodes(nodes) => format!("nodes={nodes}"),
            SearchEffort::Time(time) => format!("movetime={}ms", time.as_millis()),
        };
        format!("book bot={factory} {effort} openings={openings} seed={seed}")
    }

    /// Searches these positions, which follow from the moves of one position; `None` if the player
    /// was stopped. A short search of each decides which moves are too bad for a longer one.
    pub(super) fn search(&self, player: &mut ScoredBot, keys: &[MenKey]) -> Option<Vec<Sample>> {
        player.new_game(0);
        let glance = self.effort.divided_by(PARTS_OF_A_GLANCE);
        let mut found = Vec::new();
        for key in keys {
            found.push(score(player, *key, glance)?);
        }
        // What is best for the side that moved is worst for the other.
        let best = found.iter().copied().min()?;
        let bad = best.saturating_add(BAD);
        for (key, found) in keys.iter().zip(&mut found) {
            if *found <= bad {
                *found = score(player, *key, self.effort)?;
            }
        }
        let samples = keys.iter().zip(found);
        Some(samples.map(|(&key, found)| sample(key, found)).collect())
    }
}

/// What a position is worth to its side to move; `None` if the player was stopped.
fn score(player: &mut ScoredBot, key: MenKey, effort: SearchEffort) -> Option<i16> {
    let position = key.position(Color::White);
    if position.is_lost() {
        return Some(-Sample::DECIDED);
    }
    let game = Game::from_position(position, DrawRules::Fmjd64);
    let found = player.search(&game, effort);
    found.best.map(|_| found.score)
}

/// A position with what a search says; how its game ends is not known.
fn sample(key: MenKey, score: i16) -> Sample {
    Sample {
        view: SideView::of(&key.position(Color::White), Color::White),
        score,
        outcome: SampleOutcome::Draw,
        begins_game: false,
        is_blacks: false,
        ply: 0,
    }
}

/// The position of a sample, and its score.
pub(super) fn searched(sample: &Sample) -> Option<(MenKey, i16)> {
    let [ours, theirs] = sample.view.men;
    let bits = u64::from(ours.0) << 32 | u64::from(theirs.0);
    Some((MenKey::from_bits(bits).ok()?, sample.score))
}
