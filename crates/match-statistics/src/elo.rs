//! The two scales of strength.
//!
//! CITE: A. E. Elo, "The Rating of Chessplayers, Past and Present", 1978, for the logistic scale;
//! M. Van den Bergh, "Normalized Elo" and "Comments on normalized Elo" (cantate.be/Fishtest), for
//! the normalized one.

/// Logistic Elo: the difference at which a bot is expected to score `score` of each point.
///
/// Finite for scores between 0 and 1, both excluded.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The share of the points that a bot `elo` stronger is expected to score, from 0 to 1: the
/// inverse of [`elo_of_score`].
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The normalized Elo of a score that lies one standard deviation of a game above ½: 347.4. So the
/// two scales agree for bots of nearly the same strength that never draw.
pub(super) const NORMALIZED_ELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// Normalized Elo as a distance of the expected score from ½ in standard deviations of a trial.
///
/// The score of a pair is the mean of two: its deviation is that of a game divided by √2.
pub(super) fn deviations_of_normalized_elo(elo: f64, games_per_trial: f64) -> f64 {
    elo / NORMALIZED_ELO_PER_DEVIATION * games_per_trial.sqrt()
}

/// The inverse of [`deviations_of_normalized_elo`].
pub(super) fn normalized_elo_of_deviations(deviations: f64, games_per_trial: f64) -> f64 {
    deviations * NORMALIZED_ELO_PER_DEVIATION / games_per_trial.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_is_the_logistic_scale() {
        assert_eq!(elo_of_score(0.5), 0.0);
        assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
        assert!((score_of_elo(elo_of_score(0.123)) - 0.123).abs() < 1e-12);
    }

    #[test]
    fn normalized_elo_goes_both_ways() {
        let deviations = deviations_of_normalized_elo(25.0, 2.0);
        assert!((normalized_elo_of_deviations(deviations, 2.0) - 25.0).abs() < 1e-12);
    }
}
