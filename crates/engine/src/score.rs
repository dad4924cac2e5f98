//! What a position is worth.

use std::fmt;
use std::ops::Neg;

/// What a position is worth to the side to move; higher is better for it.
///
/// An undecided position has its evaluation, in 1/256 of the evaluation's unit. A decided one has
/// [`Score::win_in`] or [`Score::lost_in`], counted in plies from the root of the search, so that
/// a nearer win is higher and a later loss is higher. No evaluation reaches them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

/// More plies than any search is deep.
const LONGEST: u32 = 1_000;

impl Score {
    /// Neither side is better.
    pub const ZERO: Score = Score(0);
    /// The opponent has lost already; above every other score.
    pub const WIN: Score = Score(1_000_000);

    /// Plies to the end that stand for any number: an end that is this far or farther is known to come,
    /// from a table that knows no more, and not when. No search looks so far.
    pub const BEYOND: u32 = 500;

    /// The score of an evaluation.
    #[inline]
    pub const fn new(value: i32) -> Score {
        Score(value)
    }

    /// The opponent has no move after `plies` plies; more than 1000 count as 1000.
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        let plies = if plies < LONGEST { plies } else { LONGEST };
        Score(Score::WIN.0 - plies as i32)
    }

    /// The side to move has no move after `plies` plies; more than 1000 count as 1000.
    #[inline]
    pub const fn lost_in(plies: u32) -> Score {
        Score(-Score::win_in(plies).0)
    }

    /// The number behind the score.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether the side to move wins by force.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::win_in(LONGEST).0
    }

    /// Whether the side to move loses by force.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= Score::lost_in(LONGEST).0
    }

    /// How many plies the forced win or loss takes, from [`Score::BEYOND`] on any number; `None` if
    /// nothing is decided.
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.is_win() || self.is_loss() {
            Some(Score::WIN.0.abs_diff(self.0.abs()))
        } else {
            None
        }
    }

    /// What the position is worth to who moved last, if `self` is what it is worth to who moves
    /// next; plies are counted from before the move.
    #[must_use]
    pub const fn before_the_move(self) -> Score {
        Score(-self.0).seen_from_root(1)
    }

    /// The next higher score.
    #[inline]
    pub(crate) const fn next(self) -> Score {
        Score(self.0 + 1)
    }

    /// The next lower score.
    #[inline]
    pub(crate) const fn previous(self) -> Score {
        Score(self.0 - 1)
    }

    /// Counts a score's plies from a node `ply` plies below the root instead of from the root.
    #[inline]
    pub(crate) const fn seen_from_node(self, ply: u32) -> Score {
        Score(self.0 + self.towards_win(ply))
    }

    /// Counts a score's plies from the root instead of from a node `ply` plies below it.
    #[inline]
    pub(crate) const fn seen_from_root(self, ply: u32) -> Score {
        Score(self.0 - self.towards_win(ply))
    }

    /// `ply` with the sign of a decided score, 0 for others.
    #[inline]
    const fn towards_win(self, ply: u32) -> i32 {
        if self.is_win() {
            ply as i32
        } else if self.is_loss() {
            -(ply as i32)
        } else {
            0
        }
    }
}

impl Neg for Score {
    type Output = Score;

    /// The same position in the other side's eyes.
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    /// Writes `+512`, `0`, `-3`, `win in 5` or `loss in 4`, in plies, and `win` or `loss` where nobody
    /// knows how many.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(Score::BEYOND..) => f.write_str(if self.is_win() { "win" } else { "loss" }),
            Some(plies) if self.is_win() => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None if self.0 == 0 => f.write_str("0"),
            None => write!(f, "{:+}", self.0),
        }
    }
}

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// It is the true score.
    Exact,
    /// The true score is this or higher.
    Lower,
    /// The true score is this or lower.
    Upper,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_wins_and_later_losses_are_higher() {
        let ascending = [
            Score::lost_in(0),
            Score::lost_in(2),
            Score::lost_in(1000),
            Score::new(-46_335),
            Score::ZERO,
            Score::new(46_335),
            Score::win_in(1000),
            Score::win_in(3),
            Score::win_in(1),
        ];
        assert!(ascending.is_sorted());
        assert!(Score::win_in(0) <= Score::WIN);
        assert_eq!(-Score::win_in(7), Score::lost_in(7));
        assert_eq!(Score::win_in(5000), Score::win_in(1000));
    }

    #[test]
    fn only_decided_scores_have_an_end() {
        assert_eq!(Score::win_in(5).plies_to_end(), Some(5));
        assert_eq!(Score::lost_in(1000).plies_to_end(), Some(1000));
        assert_eq!(Score::new(46_335).plies_to_end(), None);
        assert_eq!(Score::win_in(1000).previous().plies_to_end(), None);
        assert!(Score::win_in(5).is_win() && !Score::win_in(5).is_loss());
        assert!(Score::lost_in(5).is_loss() && !Score::lost_in(5).is_win());
    }

    #[test]
    fn a_node_counts_its_own_plies() {
        assert_eq!(Score::win_in(9).seen_from_node(4), Score::win_in(5));
        assert_eq!(Score::lost_in(9).seen_from_node(4), Score::lost_in(5));
        assert_eq!(Score::new(-700).seen_from_node(4), Score::new(-700));
        for score in [Score::win_in(9), Score::lost_in(9), Score::new(77)] {
            assert_eq!(score.seen_from_node(4).seen_from_root(4), score);
        }
    }

    #[test]
    fn a_score_before_the_move_is_the_others_and_a_ply_farther() {
        assert_eq!(Score::lost_in(2).before_the_move(), Score::win_in(3));
        assert_eq!(Score::new(70).before_the_move(), Score::new(-70));
    }

    #[test]
    fn prints_for_people() {
        for (score, text) in [
            (Score::ZERO, "0"),
            (Score::new(512), "+512"),
            (Score::new(-3), "-3"),
            (Score::win_in(5), "win in 5"),
            (Score::lost_in(4), "loss in 4"),
            (Score::win_in(499), "win in 499"),
            (Score::win_in(Score::BEYOND), "win"),
            (Score::lost_in(Score::BEYOND + 7), "loss"),
        ] {
            assert_eq!(score.to_string(), text);
        }
    }
}
