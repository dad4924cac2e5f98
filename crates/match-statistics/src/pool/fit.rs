//! The ratings that make the results of a pool most likely.
//!
//! CITE: R. A. Bradley, M. E. Terry, "Rank Analysis of Incomplete Block Designs", Biometrika 39,
//! 1952, for the model: a bot beats one that is d weaker with odds of e^d. A draw is half a win and
//! half a loss, so that each bot's expected points are those it scored. L. R. Ford, "Solution of a
//! Ranking Problem from Binary Comparisons", American Mathematical Monthly 64(8), 1957, for when
//! such ratings exist.

/// What two bots played: the points of the first out of a number of games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct PairScore {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) points: f64,
    pub(super) games: f64,
}

/// Where a bot's rating is, seen from those of the anchors.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum RelativeRating {
    /// Here, in natural logarithms of odds.
    At(f64),
    /// Higher than any rating: the bot scored against an anchor, or against one that did, and so
    /// on, but no such chain leads back.
    Above,
    /// Lower than any rating: the reverse.
    Below,
    /// No chain leads either way.
    Apart,
}

/// A step shorter than this ends the search.
const TOLERANCE: f64 = 1e-10;

/// Newton's method takes some ten steps, more if a bot lost nearly everything; this many end it.
const MAX_STEPS: usize = 200;

/// A step that does not lead upwards is halved this often at most.
const MAX_HALVINGS: usize = 50;

/// The most likely ratings of bots of which the anchors have theirs already, looked for from
/// `start`, which has a value for each bot. O(bots³) for each of a few steps.
pub(super) fn places(
    scores: &[PairScore],
    anchors: &[(usize, f64)],
    start: &[f64],
) -> Vec<RelativeRating> {
    let chains = Chains::of(scores);
    let above = chains.to(anchors, start.len());
    let below = chains.from(anchors, start.len());
    let is_rated = |bot: usize| above[bot] && below[bot];
    let ratings = most_likely(scores, anchors, is_rated, start);
    (0..start.len())
        .map(|bot| match (above[bot], below[bot]) {
            (true, true) => RelativeRating::At(ratings[bot]),
            (true, false) => RelativeRating::Above,
            (false, true) => RelativeRating::Below,
            (false, false) => RelativeRating::Apart,
        })
        .collect()
}

/// Pairs of a bot and one that it scored against.
struct Chains(Vec<(usize, usize)>);

impl Chains {
    fn of(scores: &[PairScore]) -> Chains {
        let links = scores.iter().flat_map(|score| {
            let forth = (score.points > 0.0).then_some((score.first, score.second));
            let back = (score.points < score.games).then_some((score.second, score.first));
            forth.into_iter().chain(back)
        });
        Chains(links.collect())
    }

    /// From which bots a chain leads to an anchor.
    fn to(&self, anchors: &[(usize, f64)], bots: usize) -> Vec<bool> {
        let backwards: Vec<_> = self.0.iter().map(|&(from, to)| (to, from)).collect();
        Chains(backwards).from(anchors, bots)
    }

    /// To which bots a chain leads from an anchor.
    fn from(&self, anchors: &[(usize, f64)], bots: usize) -> Vec<bool> {
        let mut is_reached = vec![false; bots];
        for &(anchor, _) in anchors {
            is_reached[anchor] = true;
        }
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for &(from, to) in &self.0 {
                if is_reached[from] && !is_reached[to] {
                    is_reached[to] = true;
                    has_grown = true;
                }
            }
        }
        is_reached
    }
}

/// The most likely ratings of those bots that have one; the values of the others are meaningless.
fn most_likely(
    scores: &[PairScore],
    anchors: &[(usize, f64)],
    is_rated: impl Fn(usize) -> bool,
    start: &[f64],
) -> Vec<f64> {
    let mut pool = RatedPool {
        scores: (scores.iter().copied())
            .filter(|score| is_rated(score.first) && is_rated(score.second))
            .collect(),
        free: vec![None; start.len()],
    };
    let mut ratings = start.to_vec();
    for &(anchor, rating) in anchors {
        ratings[anchor] = rating;
    }
    let is_anchor = |bot: usize| anchors.iter().any(|&(anchor, _)| anchor == bot);
    let free = (0..start.len()).filter(|&bot| !is_anchor(bot) && is_rated(bot));
    for (unknown, bot) in free.enumerate() {
        pool.free[bot] = Some(unknown);
    }
    pool.climb(ratings)
}

/// The part of a pool in which ratings exist.
struct RatedPool {
    scores: Vec<PairScore>,
    /// Which of the unknowns is the rating of each bot, if one is.
    free: Vec<Option<usize>>,
}

impl RatedPool {
    /// Newton's method, with steps halved until they lead upwards. The likelihood is concave and
    /// has its maximum at a finite place, so this finds it.
    fn climb(&self, mut ratings: Vec<f64>) -> Vec<f64> {
        for _ in 0..MAX_STEPS {
            let Equations { matrix, slope } = self.equations(&ratings);
            let step = solve(matrix, slope);
            let length = step
                .iter()
                .fold(0.0, |length: f64, part| length.max(part.abs()));
            ratings = self.step_up(&ratings, &step);
            if length < TOLERANCE {
                break;
            }
        }
        ratings
    }

    fn step_up(&self, ratings: &[f64], step: &[f64]) -> Vec<f64> {
        let before = self.log_likelihood(ratings);
        let rounding = before.abs() * 1e-12;
        let mut share = 1.0;
        for _ in 0..MAX_HALVINGS {
            let moved = self.moved(ratings, step, share);
            if self.log_likelihood(&moved) >= before - rounding {
                return moved;
            }
            share /= 2.0;
        }
        ratings.to_vec()
    }

    fn moved(&self, ratings: &[f64], step: &[f64], share: f64) -> Vec<f64> {
        (ratings.iter().zip(&self.free))
            .map(|(rating, free)| rating + free.map_or(0.0, |unknown| share * step[unknown]))
            .collect()
    }

    fn log_likelihood(&self, ratings: &[f64]) -> f64 {
        (self.scores.iter())
            .map(|score| {
                let lead = ratings[score.first] - ratings[score.second];
                score.points * log_chance(lead) + (score.games - score.points) * log_chance(-lead)
            })
            .sum()
    }

    /// The slope of the log-likelihood and its curvature, the sign of the latter turned.
    fn equations(&self, ratings: &[f64]) -> Equations {
        let unknowns = self.free.iter().flatten().count();
        let mut matrix = vec![vec![0.0; unknowns]; unknowns];
        let mut slope = vec![0.0; unknowns];
        for score in &self.scores {
            let chance = log_chance(ratings[score.first] - ratings[score.second]).exp();
            let surplus = score.points - score.games * chance;
            let weight = score.games * chance * (1.0 - chance);
            let [first, second] = [score.first, score.second].map(|bot| self.free[bot]);
            for (unknown, sign) in [(first, 1.0), (second, -1.0)] {
                if let Some(unknown) = unknown {
                    slope[unknown] += sign * surplus;
                    matrix[unknown][unknown] += weight;
                }
            }
            if let (Some(first), Some(second)) = (first, second) {
                matrix[first][second] -= weight;
                matrix[second][first] -= weight;
            }
        }
        Equations { matrix, slope }
    }
}

/// A step x with `matrix` · x = `slope`.
struct Equations {
    matrix: Vec<Vec<f64>>,
    slope: Vec<f64>,
}

/// The logarithm of the chance to win for a bot that is `lead` stronger.
fn log_chance(lead: f64) -> f64 {
    lead.min(0.0) - (-lead.abs()).exp().ln_1p()
}

/// Solves linear equations with a symmetric, positive definite matrix by Gaussian elimination,
/// which needs no pivoting for them.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    for pivot in 0..right.len() {
        let (above, below) = matrix.split_at_mut(pivot + 1);
        let pivot_row = &above[pivot];
        for (offset, row) in below.iter_mut().enumerate() {
            let factor = row[pivot] / pivot_row[pivot].max(f64::MIN_POSITIVE);
            for (entry, pivot_entry) in row.iter_mut().zip(pivot_row).skip(pivot) {
                *entry -= factor * pivot_entry;
            }
            right[pivot + 1 + offset] -= factor * right[pivot];
        }
    }
    for unknown in (0..right.len()).rev() {
        let known = unknown + 1..right.len();
        let sum: f64 = known
            .map(|column| matrix[unknown][column] * right[column])
            .sum();
        right[unknown] = (right[unknown] - sum) / matrix[unknown][unknown].max(f64::MIN_POSITIVE);
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(first: usize, second: usize, points: f64, games: f64) -> PairScore {
        PairScore {
            first,
            second,
            points,
            games,
        }
    }

    fn at(place: RelativeRating) -> f64 {
        match place {
            RelativeRating::At(rating) => rating,
            RelativeRating::Above | RelativeRating::Below | RelativeRating::Apart => {
                panic!("{place:?}")
            }
        }
    }

    #[test]
    fn linear_equations_are_solved() {
        let matrix = vec![
            vec![4.0, 1.0, 0.0],
            vec![1.0, 3.0, -1.0],
            vec![0.0, -1.0, 2.0],
        ];
        let solution = solve(matrix, vec![6.0, 4.0, 4.0]);
        for (value, expected) in solution.into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn two_bots_differ_by_the_logarithm_of_their_odds() {
        let places = places(&[score(0, 1, 75.0, 100.0)], &[(1, 0.0)], &[0.0; 2]);
        assert!((at(places[0]) - 3_f64.ln()).abs() < 1e-9);
        assert_eq!(at(places[1]), 0.0);
    }

    #[test]
    fn every_bot_is_expected_to_score_what_it_scored() {
        let scores = [
            score(0, 1, 60.0, 100.0),
            score(1, 2, 10.5, 30.0),
            score(0, 2, 3.0, 7.0),
            score(2, 3, 999.5, 1000.0),
        ];
        let places = places(&scores, &[(2, 0.0)], &[0.0; 4]);
        for bot in 0..4 {
            let surplus: f64 = (scores.iter())
                .map(|score| {
                    let lead = at(places[score.first]) - at(places[score.second]);
                    let surplus = score.points - score.games * log_chance(lead).exp();
                    surplus * (f64::from(score.first == bot) - f64::from(score.second == bot))
                })
                .sum();
            assert!(surplus.abs() < 1e-6, "bot {bot}: {surplus}");
        }
    }

    #[test]
    fn a_lone_point_in_a_billion_games_is_found() {
        let places = places(&[score(0, 1, 0.5, 1e9)], &[(1, 0.0)], &[0.0; 2]);
        assert!((at(places[0]) - (0.5_f64 / (1e9 - 0.5)).ln()).abs() < 1e-6);
    }

    #[test]
    fn several_anchors_keep_their_ratings() {
        let ln_3 = 3_f64.ln();
        // Always better than the one anchor, and always worse than the other.
        let scores = [score(0, 1, 5.0, 5.0), score(0, 2, 0.0, 5.0)];
        let anchors = [(1, -ln_3), (2, ln_3)];
        let places = places(&scores, &anchors, &[0.0; 4]);
        assert!(at(places[0]).abs() < 1e-9);
        assert_eq!([at(places[1]), at(places[2])], [-ln_3, ln_3]);
        assert_eq!(places[3], RelativeRating::Apart);
    }

    #[test]
    fn chains_of_results_place_every_bot() {
        let scores = [
            score(0, 1, 1.0, 2.0), // compared
            score(2, 0, 2.0, 2.0), // 2 beats the anchor,
            score(3, 2, 1.0, 1.0), // 3 beats 2, which is above
            score(1, 4, 2.0, 2.0), // 4 loses to 1, which is compared
            score(3, 5, 1.0, 1.0), // 5 only lost to 3, which is above
            score(6, 7, 1.0, 2.0), // 6 and 7 met only each other
        ];
        let places = places(&scores, &[(0, 0.0)], &[0.0; 8]);
        assert!(matches!(places[1], RelativeRating::At(_)));
        assert_eq!(
            &places[2..5],
            [
                RelativeRating::Above,
                RelativeRating::Above,
                RelativeRating::Below
            ]
        );
        assert_eq!(&places[5..], [RelativeRating::Apart; 3]);
    }
}
