//! Glicko-2 with fractional rating periods.
//!
//! CITE: Mark Glickman, "Example of the Glicko-2 system", 2022, <http://www.glicko.net/glicko/glicko2.pdf>. Steps are
//! numbered as there. A game is rated when it ends, as if it were the only game of a period whose length is the time
//! since the player's last game.

use std::f64::consts::PI;

/// The rating of an average player, which the scale of Glicko-2 has at 0.
const CENTRE: f64 = 1500.0;

/// Rating points in a unit of that scale.
const SCALE: f64 = 173.7178;

/// How much the volatility changes (τ). Higher values let it change faster.
const SYSTEM: f64 = 0.75;

/// The precision of a volatility (ε).
const PRECISION: f64 = 1e-6;

/// The most steps of a search for one.
const STEPS: i32 = 100;

/// An estimate of a player's strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Estimate {
    /// In points.
    pub(super) rating: f64,
    /// The standard deviation of the rating, in points.
    pub(super) deviation: f64,
    /// How much the strength changes in a period (σ).
    pub(super) volatility: f64,
}

impl Estimate {
    /// The estimate after games in a period of this length. Each game is the opponent and the score: 1 for a win, ½ for
    /// a draw, 0 for a loss. A period without games only raises the deviation.
    pub(super) fn after(self, games: &[(Estimate, f64)], periods: f64) -> Estimate {
        let mu = (self.rating - CENTRE) / SCALE;
        let phi = self.deviation / SCALE;
        if games.is_empty() {
            let deviation = aged(phi, self.volatility, periods) * SCALE;
            return Estimate { deviation, ..self };
        }
        // Steps 3 and 4: how much the games tell, and by how much they differ from what was expected.
        let (mut information, mut surplus) = (0.0, 0.0);
        for (opponent, score) in games {
            let weight = weight(opponent.deviation / SCALE);
            let expected = expected(weight, mu - (opponent.rating - CENTRE) / SCALE);
            information += weight * weight * expected * (1.0 - expected);
            surplus += weight * (score - expected);
        }
        let variance = 1.0 / information;
        let volatility = new_volatility(self.volatility, phi, variance, variance * surplus);
        // Steps 6 and 7.
        let before = aged(phi, volatility, periods);
        let phi = 1.0 / (1.0 / (before * before) + information).sqrt();
        Estimate {
            rating: (mu + phi * phi * surplus) * SCALE + CENTRE,
            deviation: phi * SCALE,
            volatility,
        }
    }
}

/// g(φ): how much a game against an opponent of this deviation counts.
fn weight(phi: f64) -> f64 {
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

/// The expected score.
fn expected(weight: f64, difference: f64) -> f64 {
    1.0 / (1.0 + (-weight * difference).exp())
}

/// The deviation after some periods without games.
fn aged(phi: f64, volatility: f64, periods: f64) -> f64 {
    (phi * phi + volatility * volatility * periods).sqrt()
}

/// Step 5: the volatility that explains the games best, found with the Illinois algorithm.
fn new_volatility(volatility: f64, phi: f64, variance: f64, delta: f64) -> f64 {
    let start = (volatility * volatility).ln();
    let f = |x: f64| {
        let e = x.exp();
        let sum = phi * phi + variance + e;
        e * (delta * delta - sum) / (2.0 * sum * sum) - (x - start) / (SYSTEM * SYSTEM)
    };
    let mut a = start;
    let rest = delta * delta - phi * phi - variance;
    let mut b = if rest > 0.0 {
        rest.ln()
    } else {
        let mut below = (1..STEPS).map(|k| start - f64::from(k) * SYSTEM);
        below.find(|&x| f(x) >= 0.0).unwrap_or(start)
    };
    let (mut f_a, mut f_b) = (f(a), f(b));
    for _ in 0..STEPS {
        if (b - a).abs() <= PRECISION {
            break;
        }
        let c = a + (a - b) * f_a / (f_b - f_a);
        let f_c = f(c);
        if f_c * f_b <= 0.0 {
            (a, f_a) = (b, f_b);
        } else {
            f_a /= 2.0;
        }
        (b, f_b) = (c, f_c);
    }
    (a / 2.0).exp()
}

#[cfg(test)]
mod tests {
    use instant_glicko_2::algorithm::{PublicGame, rate_games_untimed};
    use instant_glicko_2::{IntoWithParameters, Parameters, PublicRating};
    use skillratings::Outcomes;
    use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

    use super::*;

    fn estimate(rating: f64, deviation: f64) -> Estimate {
        Estimate {
            rating,
            deviation,
            volatility: 0.06,
        }
    }

    /// The example of the publication, whose τ is 0.5; the ratings do not depend on it in these digits.
    #[test]
    fn the_published_example_is_met() {
        let games = [
            (estimate(1400.0, 30.0), 1.0),
            (estimate(1550.0, 100.0), 0.0),
            (estimate(1700.0, 300.0), 0.0),
        ];
        let after = estimate(1500.0, 200.0).after(&games, 1.0);
        assert!((after.rating - 1464.05).abs() < 0.02, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 2e-5, "{after:?}");
    }

    /// Games between players of all kinds, with each score.
    fn games() -> impl Iterator<Item = (Estimate, Estimate, f64)> {
        let players = [400.0, 1500.0, 1530.0, 2900.0]
            .into_iter()
            .flat_map(|rating| {
                [(45.0, 0.03), (110.0, 0.1), (500.0, 0.09)].map(|(deviation, volatility)| {
                    Estimate {
                        rating,
                        deviation,
                        volatility,
                    }
                })
            });
        let players: Vec<Estimate> = players.collect();
        let pairs: Vec<(Estimate, Estimate)> = players
            .iter()
            .flat_map(|&one| players.iter().map(move |&other| (one, other)))
            .collect();
        pairs
            .into_iter()
            .flat_map(|(one, other)| [0.0, 0.5, 1.0].map(|score| (one, other, score)))
    }

    fn is_close(ours: Estimate, rating: f64, deviation: f64, volatility: f64) -> bool {
        (ours.rating - rating).abs() < 1e-3
            && (ours.deviation - deviation).abs() < 1e-3
            && (ours.volatility - volatility).abs() < 1e-6
    }

    #[test]
    fn whole_periods_are_those_of_another_program() {
        let theirs = |estimate: Estimate| Glicko2Rating {
            rating: estimate.rating,
            deviation: estimate.deviation,
            volatility: estimate.volatility,
        };
        let config = Glicko2Config {
            tau: SYSTEM,
            convergence_tolerance: PRECISION,
        };
        for (one, other, score) in games() {
            let outcome = match score {
                0.0 => Outcomes::LOSS,
                1.0 => Outcomes::WIN,
                _ => Outcomes::DRAW,
            };
            let (expected, _) = glicko2(&theirs(one), &theirs(other), &outcome, &config);
            let ours = one.after(&[(other, score)], 1.0);
            let Glicko2Rating {
                rating,
                deviation,
                volatility,
            } = expected;
            assert!(
                is_close(ours, rating, deviation, volatility),
                "{one:?} {other:?} {score}"
            );
        }
    }

    #[test]
    fn fractional_periods_are_those_of_another_program() {
        let start = PublicRating::new(CENTRE, 350.0, 0.06);
        let parameters = Parameters::new(start, SYSTEM, PRECISION);
        let theirs = |estimate: Estimate| {
            PublicRating::new(estimate.rating, estimate.deviation, estimate.volatility)
        };
        for (one, other, score) in games() {
            for periods in [0.0, 0.3, 40.0] {
                let game = PublicGame::new(theirs(other), score);
                let expected = rate_games_untimed(
                    theirs(one).into_with_parameters(parameters),
                    &[game.into_with_parameters(parameters)],
                    periods,
                    parameters,
                );
                let expected: PublicRating = expected.into_with_parameters(parameters);
                let ours = one.after(&[(other, score)], periods);
                let (rating, deviation) = (expected.rating(), expected.deviation());
                let is_close = is_close(ours, rating, deviation, expected.volatility());
                assert!(is_close, "{one:?} {other:?} {score} {periods}: {ours:?}");
            }
        }
    }

    #[test]
    fn without_games_only_the_deviation_grows() {
        let before = estimate(1700.0, 60.0);
        let after = before.after(&[], 4.0);
        let expected = (60.0f64.powi(2) + 4.0 * (0.06 * SCALE).powi(2)).sqrt();
        assert!((after.deviation - expected).abs() < 1e-9, "{after:?}");
        assert_eq!(after.rating, before.rating);
    }

    #[test]
    fn the_score_decides_the_direction() {
        let equal = estimate(1500.0, 80.0);
        let after = |score| equal.after(&[(equal, score)], 0.1);
        assert!(after(1.0).rating > 1500.0 && after(0.0).rating < 1500.0);
        assert!((after(0.5).rating - 1500.0).abs() < 1e-9);
        assert!(after(0.5).deviation < 80.0);
    }
}
