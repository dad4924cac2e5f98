//! One game of a bot against itself.

use checkers_engine::Rng;
use checkers_engine::evaluation::SideView;
use checkers_lib::{Color, Position};

use crate::dataset::{Sample, SampleOutcome};
use crate::player::{ScoredBot, SearchEffort};
use crate::playing::{SelfPlayGame, is_quiet};

/// How many random plies a game begins with at least, and how many more at most.
const RANDOM_PLIES: (usize, usize) = (6, 5);
/// How often a beginning is looked for before a game is given up.
const MOST_BEGINNINGS: usize = 100;

/// What the games of a run have in common.
#[derive(Clone, Copy)]
pub(super) struct GameSettings {
    pub(super) seed: u64,
    /// How many nodes a move is searched, on average.
    pub(super) nodes: u64,
    /// Beginnings scored beyond this, in centi-logits, are thrown away.
    pub(super) balance: u32,
}

/// All that a game depends on beside the player.
pub(super) struct GamePlan {
    settings: GameSettings,
    number: u64,
    rng: Rng,
}

/// A sample of an unfinished game.
struct Recorded {
    position: Position,
    score: i16,
    ply: usize,
}

impl GamePlan {
    pub(super) fn new(settings: GameSettings, number: u64) -> GamePlan {
        GamePlan {
            settings,
            number,
            rng: Rng::of(settings.seed, number),
        }
    }

    /// Plays the game; its samples, or none if the player was stopped.
    pub(super) fn play(mut self, player: &mut ScoredBot) -> Vec<Sample> {
        let Some(mut self_play) = self.beginning(player) else {
            return Vec::new();
        };
        let mut recorded: Vec<Recorded> = Vec::new();
        let winner = loop {
            if let Some(winner) = self_play.verdict() {
                break winner;
            }
            let found = player.search(self_play.game(), self.varied_effort());
            let Some(best) = found.best else {
                return Vec::new();
            };
            let position = self_play.game().position();
            if is_quiet(position) {
                recorded.push(Recorded {
                    position: position.clone(),
                    score: found.score,
                    ply: self_play.game().ply(),
                });
            }
            if !self_play.play(best) {
                return Vec::new();
            }
        };
        samples(&recorded, winner)
    }

    /// A game that has begun at random, with both sides about as good as each other.
    fn beginning(&mut self, player: &mut ScoredBot) -> Option<SelfPlayGame> {
        for _ in 0..MOST_BEGINNINGS {
            let (least, more) = RANDOM_PLIES;
            let plies = least + self.rng.below(more + 1);
            let Some(self_play) = SelfPlayGame::random(&mut self.rng, plies) else {
                continue;
            };
            player.new_game(self.number);
            let found = player.search(self_play.game(), SearchEffort::Nodes(self.settings.nodes));
            found.best?;
            if u32::from(found.score.unsigned_abs()) <= self.settings.balance {
                return Some(self_play);
            }
        }
        None
    }

    /// From a half to one and a half times the nodes.
    fn varied_effort(&mut self) -> SearchEffort {
        let nodes = self.settings.nodes;
        SearchEffort::Nodes(nodes / 2 + self.rng.below(nodes as usize + 1) as u64)
    }
}

fn samples(recorded: &[Recorded], winner: Option<Color>) -> Vec<Sample> {
    let sample = |(i, recorded): (usize, &Recorded)| {
        let turn = recorded.position.turn();
        Sample {
            view: SideView::of(&recorded.position, turn),
            score: recorded.score,
            outcome: match winner {
                None => SampleOutcome::Draw,
                Some(winner) if winner == turn => SampleOutcome::Win,
                Some(_) => SampleOutcome::Loss,
            },
            begins_game: i == 0,
            is_blacks: turn == Color::Black,
            ply: recorded.ply.min(255) as u8,
        }
    };
    recorded.iter().enumerate().map(sample).collect()
}
