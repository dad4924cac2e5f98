//! Scores as the protocol has them: in men, from the view of the side to move.
//!
//! A decided game is 100 men less a hundredth for each ply to its end, so that 99.93 is a win in 7
//! plies, and everything from 90 on is decided. Other scores stay below.

use checkers_engine::Score;

/// What a man is worth in the scores that are read: as much as in those of most bots.
pub(crate) const MAN: i32 = 5 * 256;

const DECIDED: f64 = 90.0;
const WON: f64 = 100.0;
const PLIES: f64 = 100.0;

/// Writes a score in which a man is worth `man`.
pub(crate) fn in_men(score: Score, man: i32) -> String {
    let men = match score.plies_to_end() {
        Some(plies) => (WON - f64::from(plies) / PLIES).copysign(score.value().into()),
        None => {
            let highest = DECIDED - 0.01;
            (f64::from(score.value()) / f64::from(man)).clamp(-highest, highest)
        }
    };
    // Nothing is not less than nothing.
    let men = if men.abs() < 0.005 { 0.0 } else { men };
    format!("{men:.2}")
}

/// Reads a score; `None` if it is invalid.
pub(crate) fn from_men(text: &str) -> Option<Score> {
    let men: f64 = text.parse().ok().filter(|men: &f64| men.is_finite())?;
    // Neither cast leaves its range: a cast of a float that is too great stops there.
    let plies = ((WON - men.abs()) * PLIES).round() as u32;
    Some(if men >= DECIDED {
        Score::win_in(plies)
    } else if men <= -DECIDED {
        Score::lost_in(plies)
    } else {
        Score::new((men * f64::from(MAN)).round() as i32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_and_decided_games_are_distinguished() {
        for (score, man, text) in [
            (Score::ZERO, 140, "0.00"),
            (Score::new(-1), 1280, "0.00"),
            (Score::new(-70), 140, "-0.50"),
            (Score::new(1280), 1280, "1.00"),
            (Score::new(900_000), 256, "89.99"),
            (Score::win_in(7), 140, "99.93"),
            (Score::lost_in(0), 140, "-100.00"),
            (Score::win_in(1000), 140, "90.00"),
        ] {
            assert_eq!(in_men(score, man), text);
        }
    }

    #[test]
    fn scores_are_read_in_our_unit() {
        for (text, score) in [
            ("0.5", Score::new(640)),
            ("-0.01", Score::new(-13)),
            ("+1", Score::new(MAN)),
            ("99.93", Score::win_in(7)),
            ("-90.00", Score::lost_in(1000)),
            ("1e300", Score::win_in(0)),
        ] {
            assert_eq!(from_men(text), Some(score), "{text}");
        }
        for text in ["", "x", "nan", "inf"] {
            assert_eq!(from_men(text), None);
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for plies in 0..=1000 {
            for score in [Score::win_in(plies), Score::lost_in(plies)] {
                assert_eq!(from_men(&in_men(score, MAN)), Some(score));
            }
        }
    }
}
