//! The ratings of a pool and their intervals.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

use super::fit::{PairScore, RelativeRating, places};
use super::{Meeting, Pool, PoolError};
use crate::summary::percentile;

/// Elo for each factor of e in the odds.
const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;

/// Ratings that differ by less, in Elo, are the same.
const ROUNDING: f64 = 1e-6;

/// How intervals are found: by rating many pools with the same meetings and pairs drawn from those
/// that were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bootstrap {
    /// How many pools; without any there are no intervals.
    pub replicates: u32,
    /// What the draws depend on, apart from the results.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap {
            replicates: 1000,
            seed: 0,
        }
    }
}

/// The rating of a bot in a pool.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// Logistic Elo, on the scale of the anchors.
    pub elo: f64,
    /// The interval of the difference to the anchors, and so none for an anchor; `None` also if
    /// the replicates do not vary, as when all pairs of a meeting ended alike.
    pub interval: Option<RatingInterval>,
}

/// The middle 95 % of the ratings in the replicates.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RatingInterval {
    /// The lower end in Elo; `None` if the bot lost everything in too many replicates.
    pub low: Option<f64>,
    /// The upper end in Elo; `None` if the bot won everything in too many replicates.
    pub high: Option<f64>,
}

/// Why a bot has no rating: the results are the more likely the further away from the anchors it
/// is, or do not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unrated {
    /// It did not play.
    #[error("no games")]
    NoGames,
    /// It has no upper limit.
    #[error("all games won")]
    AllWon,
    /// It has no lower limit.
    #[error("all games lost")]
    AllLost,
    /// It belongs to a group that lost nothing to that of an anchor.
    #[error("above everybody rated")]
    Above,
    /// It belongs to a group that scored nothing against that of an anchor.
    #[error("below everybody rated")]
    Below,
    /// No games, or only lopsided ones, lead from it to an anchor.
    #[error("no games that compare it")]
    Apart,
}

impl Pool {
    /// The ratings of all bots by joint maximum likelihood, each by its place in the list, with the
    /// anchor at 0.
    ///
    /// Two bots alone get the difference of [`crate::Strength`]. Takes O(bots³) for
    /// each replicate, however many games there are.
    ///
    /// # Errors
    /// When there is no such anchor. That a bot has no rating is no error of the pool.
    pub fn ratings(
        &self,
        anchor: usize,
        bootstrap: Bootstrap,
    ) -> Result<Vec<Result<Rating, Unrated>>, PoolError> {
        self.ratings_with(&[(anchor, 0.0)], bootstrap)
    }

    /// The same with anchors whose ratings, in Elo, are known.
    ///
    /// # Errors
    /// When there is no such anchor.
    pub fn ratings_with(
        &self,
        anchors: &[(usize, f64)],
        bootstrap: Bootstrap,
    ) -> Result<Vec<Result<Rating, Unrated>>, PoolError> {
        let bots = self.bots;
        if let Some(&(bot, _)) = anchors.iter().find(|(anchor, _)| *anchor >= bots) {
            return Err(PoolError::UnknownBot { bot, bots });
        }
        let anchors = anchors
            .iter()
            .map(|(bot, elo)| (*bot, elo / ELO_PER_LOG_ODDS));
        let anchors: Vec<(usize, f64)> = anchors.collect();
        let scores = self.scores(|meeting| meeting.games.points());
        let places = places(&scores, &anchors, &vec![0.0; bots]);
        let mut spreads = self.spreads(&anchors, &places, bootstrap);
        let rate = |(bot, place): (usize, RelativeRating)| match place {
            RelativeRating::At(rating) => Ok(Rating {
                elo: rating * ELO_PER_LOG_ODDS,
                interval: spreads[bot].interval(),
            }),
            RelativeRating::Above | RelativeRating::Below | RelativeRating::Apart => {
                Err(self.why_unrated(bot, place))
            }
        };
        Ok(places.into_iter().enumerate().map(rate).collect())
    }

    fn scores(&self, mut points: impl FnMut(&Meeting) -> f64) -> Vec<PairScore> {
        (self.meetings.iter())
            .map(|(&(first, second), meeting)| PairScore {
                first,
                second,
                points: points(meeting),
                games: meeting.games.games() as f64,
            })
            .collect()
    }

    /// The ratings of each bot in the replicates.
    fn spreads(
        &self,
        anchors: &[(usize, f64)],
        places: &[RelativeRating],
        bootstrap: Bootstrap,
    ) -> Vec<Spread> {
        let start: Vec<f64> = places.iter().map(|place| place.or_zero()).collect();
        let mut rng = Pcg64Mcg::seed_from_u64(bootstrap.seed);
        let mut spreads = vec![Spread::default(); self.bots];
        for _ in 0..bootstrap.replicates {
            let scores = self.scores(|meeting| meeting.resampled_points(&mut rng));
            let replicate = self::places(&scores, anchors, &start);
            for (spread, place) in spreads.iter_mut().zip(replicate) {
                spread.add(place);
            }
        }
        spreads
    }

    fn why_unrated(&self, bot: usize, place: RelativeRating) -> Unrated {
        let meetings = || (0..self.bots).filter_map(move |opponent| self.meeting(bot, opponent));
        let games: u64 = meetings().map(|meeting| meeting.games.games()).sum();
        let wins: u64 = meetings()
            .map(|meeting| u64::from(meeting.games.wins))
            .sum();
        let losses: u64 = meetings()
            .map(|meeting| u64::from(meeting.games.losses))
            .sum();
        match place {
            _ if games == 0 => Unrated::NoGames,
            _ if wins == games => Unrated::AllWon,
            _ if losses == games => Unrated::AllLost,
            RelativeRating::Above => Unrated::Above,
            RelativeRating::Below => Unrated::Below,
            RelativeRating::At(_) | RelativeRating::Apart => Unrated::Apart,
        }
    }
}

impl RelativeRating {
    fn or_zero(self) -> f64 {
        match self {
            RelativeRating::At(rating) => rating,
            RelativeRating::Above | RelativeRating::Below | RelativeRating::Apart => 0.0,
        }
    }
}

/// The least and the greatest Elo that each replicate allows.
#[derive(Clone, Default)]
struct Spread {
    lows: Vec<f64>,
    highs: Vec<f64>,
}

impl Spread {
    fn add(&mut self, place: RelativeRating) {
        let (low, high) = match place {
            RelativeRating::At(rating) => (rating * ELO_PER_LOG_ODDS, rating * ELO_PER_LOG_ODDS),
            RelativeRating::Above => (f64::INFINITY, f64::INFINITY),
            RelativeRating::Below => (f64::NEG_INFINITY, f64::NEG_INFINITY),
            RelativeRating::Apart => (f64::NEG_INFINITY, f64::INFINITY),
        };
        self.lows.push(low);
        self.highs.push(high);
    }

    fn interval(&mut self) -> Option<RatingInterval> {
        self.lows.sort_by(f64::total_cmp);
        self.highs.sort_by(f64::total_cmp);
        let has_spread = self.highs.last()? - self.lows.first()? > ROUNDING;
        let finite = |end: &f64| end.is_finite().then_some(*end);
        has_spread.then(|| RatingInterval {
            low: percentile(&self.lows, 25).and_then(finite),
            high: percentile(&self.highs, 975).and_then(finite),
        })
    }
}
