//! How many games it takes to know a difference of strength.

use std::fmt::{self, Write};

use checkers_lib::openings;

use crate::statistics::Strength;

/// Half the width of a 95 % interval, in standard deviations.
const Z: f64 = 1.959_963_984_540_054;
/// What a share of the points is worth in logistic Elo, for bots of the same strength.
const ELO_PER_SHARE: f64 = 1600.0 / std::f64::consts::LN_10;
/// The shares of draws that are shown where nothing is known.
const DRAWS: [f64; 3] = [0.2, 0.4, 0.6];

/// How many games an interval of ± `elo` takes, if bots of the same strength draw such a share of
/// their games and games are independent.
///
/// The variance of a game's points is (1 - draws) / 4, and an interval shrinks with the root of the
/// number of games.
pub(super) fn games(elo: f64, draws: f64) -> f64 {
    (Z * ELO_PER_SHARE / elo).powi(2) * (1.0 - draws) / 4.0
}

/// How many games an interval of ± `elo` takes, going by a sample of the same bots.
pub(super) fn games_by_sample(elo: f64, strength: &Strength) -> Option<f64> {
    let error = strength.elo.ok()?.error();
    Some(strength.games as f64 * (error / elo).powi(2))
}

/// Writes how many games an error of ± `elo` needs.
pub(super) fn write(f: &mut impl Write, elo: f64, strength: Option<&Strength>) -> fmt::Result {
    if let Some(strength) = strength {
        return match games_by_sample(elo, strength) {
            Some(needed) => writeln!(f, "{:<16}{} for ±{elo} Elo", "planned", pairs_text(needed)),
            None => writeln!(f, "{:<16}n/a: no error to go by", "planned"),
        };
    }
    writeln!(
        f,
        "for ±{elo} Elo with 95 % confidence, between bots of the same strength"
    )?;
    for draws in DRAWS {
        let needed = pairs_text(games(elo, draws));
        writeln!(f, "{:<16}{needed}", format!("{:.0} % draws", 100.0 * draws))?;
    }
    writeln!(
        f,
        "Each pair takes an opening of its own: --openings suite has {}, --opening-plies 6 more. \
         With results of the same bots, --wdl or --ptnml says it better.",
        openings::suite().len()
    )
}

fn pairs_text(games: f64) -> String {
    let pairs = (games / 2.0).ceil();
    format!("{:.0} games, {pairs:.0} pairs", 2.0 * pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Sample, Wdl};

    #[test]
    fn ten_elo_take_some_thousands_of_games() {
        // (1.96 · 694.87 / 10)² · 0.6 / 4
        assert_eq!(games(10.0, 0.4).round(), 2782.0);
        assert!((games(5.0, 0.4) / games(10.0, 0.4) - 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_sample_as_large_as_planned_has_the_error_planned() {
        let sample = Sample::Games(Wdl {
            wins: 300,
            draws: 400,
            losses: 300,
        });
        let strength = Strength::of(&sample);
        let error = strength.elo.unwrap().error();
        let needed = games_by_sample(error, &strength).unwrap();
        assert!((needed - 1000.0).abs() < 1e-6);
        assert!((games(error, 0.4) / 1000.0 - 1.0).abs() < 0.02, "{error}");
    }
}
