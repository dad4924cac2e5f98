//! Which tournaments there can be.

use super::{Format, swiss};
use crate::statistics::{Sprt, SprtError};

/// Why a tournament cannot have a format.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum FormatError {
    #[error("{format}: expected two bots or more, found {found}")]
    TooFewBots {
        /// What the format is called.
        format: &'static str,
        /// How many there are.
        found: usize,
    },
    #[error("{format}: expected two bots, found {found}")]
    NotTwoBots {
        /// What the format is called.
        format: &'static str,
        /// How many there are.
        found: usize,
    },
    /// Nothing to play.
    #[error("{format}: expected one {what} or more")]
    Nothing {
        /// What the format is called.
        format: &'static str,
        /// The missing thing: `game`, `pair`.
        what: &'static str,
    },
    /// No challengers, or no other bots for them to meet.
    #[error(
        "gauntlet: expected from 1 to {most} challengers among {participants} bots, found {found}"
    )]
    Challengers {
        /// How many there can be.
        most: usize,
        /// How many bots there are.
        participants: usize,
        /// How many challengers there should be.
        found: usize,
    },
    /// Too many rounds: all bots have met each other before the last one.
    #[error("swiss: expected at most {most} rounds for {participants} bots, found {found}")]
    Rounds {
        /// How many there can be.
        most: u32,
        /// How many bots there are.
        participants: usize,
        /// How many rounds there should be.
        found: u32,
    },
    /// The hypotheses are invalid.
    #[error("sprt: {0}")]
    Sprt(#[from] SprtError),
}

/// See [`Format::check`].
pub(super) fn check(format: &Format, participants: usize) -> Result<(), FormatError> {
    let name = format.name();
    match *format {
        Format::Match { games } => {
            check_two(name, participants)?;
            check_any(name, "game", games)
        }
        Format::RoundRobin { pairs } | Format::Knockout { pairs, .. } => {
            check_several(name, participants)?;
            check_any(name, "pair", pairs)
        }
        Format::Gauntlet { challengers, pairs } => {
            check_several(name, participants)?;
            check_challengers(challengers, participants)?;
            check_any(name, "pair", pairs)
        }
        Format::Swiss { rounds, pairs } => {
            check_several(name, participants)?;
            check_rounds(rounds, participants)?;
            check_any(name, "pair", pairs)
        }
        Format::Sprt {
            elo,
            alpha,
            beta,
            model,
            max_pairs,
        } => {
            check_two(name, participants)?;
            Sprt::new(elo, alpha, beta, model)?;
            check_any(name, "pair", max_pairs)
        }
    }
}

fn check_two(format: &'static str, found: usize) -> Result<(), FormatError> {
    match found {
        2 => Ok(()),
        _ => Err(FormatError::NotTwoBots { format, found }),
    }
}

fn check_several(format: &'static str, found: usize) -> Result<(), FormatError> {
    match found {
        0 | 1 => Err(FormatError::TooFewBots { format, found }),
        _ => Ok(()),
    }
}

fn check_any(format: &'static str, what: &'static str, count: u64) -> Result<(), FormatError> {
    match count {
        0 => Err(FormatError::Nothing { format, what }),
        _ => Ok(()),
    }
}

fn check_challengers(found: usize, participants: usize) -> Result<(), FormatError> {
    let most = participants - 1;
    if (1..=most).contains(&found) {
        return Ok(());
    }
    Err(FormatError::Challengers {
        most,
        participants,
        found,
    })
}

fn check_rounds(found: u32, participants: usize) -> Result<(), FormatError> {
    let most = swiss::most_rounds(participants);
    if found <= most {
        return Ok(());
    }
    Err(FormatError::Rounds {
        most,
        participants,
        found,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Model;

    #[test]
    fn what_cannot_be_played_says_why() {
        let sprt = |elo, max_pairs| Format::Sprt {
            elo,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Normalized,
            max_pairs,
        };
        let gauntlet = |challengers| Format::Gauntlet {
            challengers,
            pairs: 1,
        };
        let swiss = |rounds, pairs| Format::Swiss { rounds, pairs };
        for (format, participants, message) in [
            (
                Format::Match { games: 1 },
                3,
                "match: expected two bots, found 3",
            ),
            (
                Format::Match { games: 0 },
                2,
                "match: expected one game or more",
            ),
            (
                Format::RoundRobin { pairs: 1 },
                1,
                "round-robin: expected two bots or more, found 1",
            ),
            (
                Format::RoundRobin { pairs: 0 },
                2,
                "round-robin: expected one pair or more",
            ),
            (
                gauntlet(3),
                3,
                "gauntlet: expected from 1 to 2 challengers among 3 bots, found 3",
            ),
            (
                gauntlet(0),
                3,
                "gauntlet: expected from 1 to 2 challengers among 3 bots, found 0",
            ),
            (
                swiss(6, 1),
                6,
                "swiss: expected at most 5 rounds for 6 bots, found 6",
            ),
            (swiss(0, 0), 6, "swiss: expected one pair or more"),
            (sprt([0.0, 5.0], 9), 1, "sprt: expected two bots, found 1"),
            (
                sprt([5.0, 5.0], 9),
                2,
                "sprt: expected H0 below H1, found 5 and 5",
            ),
            (sprt([0.0, 5.0], 0), 2, "sprt: expected one pair or more"),
        ] {
            assert_eq!(format.check(participants).unwrap_err().to_string(), message);
        }
        assert_eq!(swiss(5, 1).check(6), Ok(()));
        assert_eq!(swiss(5, 1).check(5), Ok(()));
        assert_eq!(gauntlet(2).check(3), Ok(()));
        assert_eq!(sprt([0.0, 5.0], 9).check(2), Ok(()));
    }
}
