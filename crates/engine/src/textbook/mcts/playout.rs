//! What a position outside of the tree is worth: one game at random, or the evaluation.

use checkers_lib::{MoveList, Position};

use crate::evaluation::textbook::{Evaluation, PieceRows};
use crate::random::Rng;
use crate::{Playout, Score};

/// How many plies a random game goes on before it counts as a draw. Most end earlier; in those
/// that do not, kings wander about.
const LONGEST_PLAYOUT: u32 = 120;

/// The score of a reward of 3/4: two men, of 5 units each.
const TWO_MEN: f64 = 256.0 * 10.0;

/// What a side may expect of a game: 1 for a win, 0 for a loss.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub(super) struct Reward(pub(super) f64);

impl Reward {
    pub(super) const WIN: Reward = Reward(1.0);
    pub(super) const DRAW: Reward = Reward(0.5);
    pub(super) const LOSS: Reward = Reward(0.0);

    /// The reward of a score: s / (|s| + two men) brought from -1 … 1 into 0 … 1.
    pub(super) fn of(score: Score) -> Reward {
        if score.is_win() {
            return Reward::WIN;
        }
        if score.is_loss() {
            return Reward::LOSS;
        }
        let score = f64::from(score.value());
        Reward(0.5 + 0.5 * score / (score.abs() + TWO_MEN))
    }

    /// The undecided score that has this reward, or the nearest.
    pub(super) fn score(self) -> Score {
        let advantage = (2.0 * self.0 - 1.0).clamp(-0.99, 0.99);
        Score::new((TWO_MEN * advantage / (1.0 - advantage.abs())).round() as i32)
    }

    /// The other side's.
    pub(super) fn other(self) -> Reward {
        Reward(1.0 - self.0)
    }
}

/// Plays positions out.
pub(super) struct Playouts {
    kind: Playout,
    evaluation: Evaluation<PieceRows>,
    rng: Rng,
}

impl Playouts {
    pub(super) fn new(kind: Playout, seed: u64) -> Playouts {
        Playouts {
            kind,
            evaluation: Evaluation::new(seed),
            rng: Rng::new(seed),
        }
    }

    /// Begins the random numbers anew.
    pub(super) fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// What one playout from `position` is worth to its side to move.
    pub(super) fn reward(&mut self, position: &Position) -> Reward {
        let mut end = position.clone();
        let reward = match self.kind {
            Playout::Random => self.play_out(&mut end),
            Playout::Eval => self.play_captures(&mut end),
        };
        if end.turn() == position.turn() {
            reward
        } else {
            reward.other()
        }
    }

    /// Plays at random to the end of the game; the reward is that of the side to move there.
    fn play_out(&mut self, position: &mut Position) -> Reward {
        for _ in 0..LONGEST_PLAYOUT {
            if !self.step(position) {
                return Reward::LOSS;
            }
        }
        Reward::DRAW
    }

    /// Plays captures at random until none is pending and evaluates what stands there.
    fn play_captures(&mut self, position: &mut Position) -> Reward {
        while position.must_capture() {
            self.step(position);
        }
        Reward::of(self.evaluation.leaf(position, 0))
    }

    /// Plays a move at random, or tells that there is none.
    fn step(&mut self, position: &mut Position) -> bool {
        let mut moves = MoveList::new();
        position.legal_moves_into(&mut moves);
        let m = moves.get(self.rng.below(moves.len()));
        if let Some(&m) = m {
            position.play_unchecked(m);
        }
        m.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_and_scores_are_each_others_inverse() {
        for score in [0, 1, -1, 700, -2560, 2560, 46_335, -46_335].map(Score::new) {
            assert_eq!(Reward::of(score).score(), score);
            assert_eq!(
                Reward::of(-score).score(),
                Reward::of(score).other().score()
            );
        }
        assert_eq!(Reward::of(Score::new(2560)), Reward(0.75));
        assert_eq!(Reward::of(Score::win_in(9)), Reward::WIN);
        assert_eq!(Reward::of(Score::lost_in(9)), Reward::LOSS);
    }

    #[test]
    fn a_reward_is_never_a_decided_score() {
        for reward in [Reward::WIN, Reward::LOSS] {
            assert_eq!(reward.score().plies_to_end(), None);
        }
        assert!(Reward::WIN.score() > Score::new(46_335));
    }

    #[test]
    fn a_decided_game_is_won_whatever_the_dice() {
        let position: Position = "W:Wc3:Bd4".parse().unwrap();
        for kind in [Playout::Random, Playout::Eval] {
            let mut playouts = Playouts::new(kind, 1);
            assert_eq!(playouts.reward(&position), Reward::WIN);
            let lost: Position = "B:We5:B".parse().unwrap();
            assert_eq!(playouts.reward(&lost), Reward::LOSS);
        }
    }

    #[test]
    fn more_pieces_win_more_often() {
        let position: Position = "W:Wa1,c1,e1,g1,b2,d2,f2,h2:Bb8,d8,f8".parse().unwrap();
        for kind in [Playout::Random, Playout::Eval] {
            let mut playouts = Playouts::new(kind, 1);
            let sum: f64 = (0..200).map(|_| playouts.reward(&position).0).sum();
            assert!(sum > 140.0, "{kind:?} {sum}");
        }
    }
}
