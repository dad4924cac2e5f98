//! What is stored of a player's rating.

use event_store::UnixMillis;

use super::DAY;
use super::glicko::Estimate;

// The constants are those of lichess. CITE: `modules/rating/src/main/Glicko.scala` of lila.

/// The rating and its deviation before the first game, in points.
const START: f64 = 1500.0;
const START_DEVIATION: f64 = 500.0;
const START_VOLATILITY: f64 = 0.09;

/// The limits of all ratings.
const LOWEST: f64 = 400.0;
const HIGHEST: f64 = 4000.0;
const LEAST_DEVIATION: f64 = 45.0;
const MOST_VOLATILITY: f64 = 0.1;

/// The most points that a game changes.
const MOST_CHANGE: f64 = 700.0;

/// The rating before the first game, in the unit in which ratings are stored.
pub(crate) const NEW_RATING: i64 = (START / UNIT) as i64;

/// Rating periods in a day: after a year without games a deviation of 60 is 110.
const PERIODS_PER_DAY: f64 = 0.21436;

/// The deviation from which a rating is provisional.
const PROVISIONAL: f64 = 110.0;

/// What one unit of the stored numbers is. They are whole, so that a rating is the same however often it is stored.
const UNIT: f64 = 1e-6;

/// The rating of a player in a class of time controls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    /// In millionths of a point.
    pub(super) rating: i64,
    /// In millionths of a point.
    pub(super) deviation: i64,
    /// In millionths.
    pub(super) volatility: i64,
    /// Rated games so far.
    pub(crate) games: i64,
    /// When the last of them ended.
    pub(crate) rated_at: UnixMillis,
}

impl Standing {
    /// Before the first game, which ends at this time.
    pub(super) fn new(now: UnixMillis) -> Standing {
        Standing {
            rating: to_units(START),
            deviation: to_units(START_DEVIATION),
            volatility: to_units(START_VOLATILITY),
            games: 0,
            rated_at: now,
        }
    }

    /// After a game that ends at `now`.
    pub(super) fn after(self, opponent: Estimate, score: f64, now: UnixMillis) -> Standing {
        let before = self.estimate();
        let after = before.after(&[(opponent, score)], self.periods(now));
        let (least, most) = (before.rating - MOST_CHANGE, before.rating + MOST_CHANGE);
        Standing {
            rating: to_units(after.rating.clamp(least, most).clamp(LOWEST, HIGHEST)),
            deviation: to_units(after.deviation.clamp(LEAST_DEVIATION, START_DEVIATION)),
            volatility: to_units(after.volatility.min(MOST_VOLATILITY)),
            games: self.games + 1,
            rated_at: self.rated_at.max(now),
        }
    }

    pub(super) fn estimate(self) -> Estimate {
        Estimate {
            rating: from_units(self.rating),
            deviation: from_units(self.deviation),
            volatility: from_units(self.volatility),
        }
    }

    /// The rating in whole points.
    pub(crate) fn points(self) -> i64 {
        points(self.rating)
    }

    /// The deviation at a time, in whole points: it grows while the player does not play.
    pub(crate) fn deviation_at(self, now: UnixMillis) -> i64 {
        self.aged_deviation(now).min(START_DEVIATION).round() as i64
    }

    /// Whether the rating is too uncertain to be compared with others at this time.
    pub(crate) fn is_provisional_at(self, now: UnixMillis) -> bool {
        self.aged_deviation(now) >= PROVISIONAL
    }

    fn aged_deviation(self, now: UnixMillis) -> f64 {
        self.estimate().after(&[], self.periods(now)).deviation
    }

    fn periods(self, now: UnixMillis) -> f64 {
        let elapsed = now.0.saturating_sub(self.rated_at.0).max(0);
        elapsed as f64 / DAY as f64 * PERIODS_PER_DAY
    }
}

/// The deviation from which a rating is provisional, as it is stored.
pub(super) fn provisional_units() -> i64 {
    to_units(PROVISIONAL)
}

/// Millionths of a point in whole points.
pub(super) fn points(units: i64) -> i64 {
    from_units(units).round() as i64
}

fn to_units(value: f64) -> i64 {
    (value / UNIT).round() as i64
}

fn from_units(units: i64) -> f64 {
    units as f64 * UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_without_games_makes_a_rating_provisional() {
        let standing = Standing {
            deviation: to_units(60.0),
            volatility: to_units(0.06),
            ..Standing::new(UnixMillis(0))
        };
        assert_eq!(standing.deviation_at(UnixMillis(0)), 60);
        assert!(!standing.is_provisional_at(UnixMillis(200 * DAY)));
        assert_eq!(standing.deviation_at(UnixMillis(365 * DAY)), 110);
        assert!(standing.is_provisional_at(UnixMillis(370 * DAY)));
        // A clock that is set back changes nothing.
        assert_eq!(standing.deviation_at(UnixMillis(-DAY)), 60);
    }

    #[test]
    fn ratings_stay_within_their_limits() {
        let weak = Estimate {
            rating: 400.0,
            deviation: 45.0,
            volatility: 0.06,
        };
        let mut standing = Standing::new(UnixMillis(0));
        for game in 1..60 {
            standing = standing.after(weak, 0.0, UnixMillis(game));
            assert!((400..=2200).contains(&standing.points()), "{standing:?}");
            assert!((45..=500).contains(&standing.deviation_at(UnixMillis(game))));
        }
        assert_eq!(standing.games, 59);
    }
}
