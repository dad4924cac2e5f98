//! Tournament formats: pairings as functions of the results so far. See `docs/tournaments.md`.

mod block;
mod check;
mod fixed;
mod knockout;
mod schedule;
mod sprt;
mod swiss;
mod text;

use serde::{Deserialize, Serialize};

pub use check::FormatError;
pub use knockout::{Advance, Bracket, BracketMeeting, BracketRound, DecidedBy};
pub use schedule::{FormatReport, Next, Schedule};
pub use sprt::{SprtEnd, SprtReport};
pub use swiss::{SwissMeeting, SwissRound, SwissStanding, SwissTable};

use crate::TournamentPlan;
use crate::statistics::{Model, Sprt};
use fixed::FixedSchedule;
use knockout::KnockoutSchedule;
use sprt::SprtSchedule;
use swiss::SwissSchedule;

/// A format with its settings.
///
/// A *pair* is an opening played twice with sides swapped; without swapped sides it is a single
/// game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case")]
pub enum Format {
    /// A fixed number of games between two bots. Without swapped sides, the first has White in all
    /// of them.
    Match {
        /// How many games.
        games: u64,
    },
    /// Every bot meets every other.
    RoundRobin {
        /// How many pairs every two bots play.
        pairs: u64,
    },
    /// The first bots meet all the others, but not each other.
    Gauntlet {
        /// How many bots are the first ones.
        challengers: usize,
        /// How many pairs every two bots play.
        pairs: u64,
    },
    /// The loser of each meeting is out. The order of the participants is their seeding.
    Knockout {
        /// How many pairs every two bots play.
        pairs: u64,
        /// How many more they play at most, one after the other, while they are level.
        playoffs: u64,
    },
    /// In each round, bots meet others with about as many points.
    Swiss {
        /// How many rounds; 0 is as many as a knockout would have, log₂ of the number of bots.
        rounds: u32,
        /// How many pairs every two bots play.
        pairs: u64,
    },
    /// Two bots, until the results decide between two hypotheses about the first one's strength.
    Sprt {
        /// H0 and H1: how much stronger the first bot is, in Elo on the model's scale.
        elo: [f64; 2],
        /// How often H1 may be accepted wrongly.
        alpha: f64,
        /// How often H0 may be accepted wrongly.
        beta: f64,
        /// The scale of the hypotheses.
        model: Model,
        /// After this many pairs, the test ends undecided.
        max_pairs: u64,
    },
}

impl Format {
    /// What it is called on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Format::Match { .. } => "match",
            Format::RoundRobin { .. } => "round-robin",
            Format::Gauntlet { .. } => "gauntlet",
            Format::Knockout { .. } => "knockout",
            Format::Swiss { .. } => "swiss",
            Format::Sprt { .. } => "sprt",
        }
    }

    /// Whether this is a longer tournament of the same kind, which begins with all pairings of
    /// `shorter`.
    pub fn extends(&self, shorter: &Format, games_per_pairing: u8) -> bool {
        match (self, shorter) {
            (Format::Match { games }, Format::Match { games: before }) => {
                games > before && before.is_multiple_of(games_per_pairing.into())
            }
            (Format::RoundRobin { pairs }, Format::RoundRobin { pairs: before }) => pairs > before,
            (
                Format::Gauntlet { challengers, pairs },
                Format::Gauntlet {
                    challengers: same,
                    pairs: before,
                },
            ) => challengers == same && pairs > before,
            (
                Format::Sprt { max_pairs, .. },
                Format::Sprt {
                    max_pairs: before, ..
                },
            ) => {
                let mut as_short = self.clone();
                if let Format::Sprt { max_pairs, .. } = &mut as_short {
                    *max_pairs = *before;
                }
                max_pairs > before && as_short == *shorter
            }
            _ => false,
        }
    }

    /// This format with as many games or pairs as `other`, which is of the same kind; `None` if
    /// they differ in anything else, or if the length of such a tournament is fixed.
    pub(crate) fn as_long_as(&self, other: &Format) -> Option<Format> {
        match (self, other) {
            (Format::Match { .. }, Format::Match { .. })
            | (Format::RoundRobin { .. }, Format::RoundRobin { .. }) => Some(other.clone()),
            (
                Format::Gauntlet { challengers, .. },
                Format::Gauntlet {
                    challengers: named,
                    pairs,
                },
            ) if *named == 1 || named == challengers => Some(Format::Gauntlet {
                challengers: *challengers,
                pairs: *pairs,
            }),
            _ => None,
        }
    }

    /// Checks that a tournament of this many bots can have this format.
    ///
    /// # Errors
    /// Too few or too many bots, nothing to play, or invalid hypotheses.
    pub fn check(&self, participants: usize) -> Result<(), FormatError> {
        check::check(self, participants)
    }

    /// The pairings of a tournament, from its first one on.
    ///
    /// # Errors
    /// What [`Format::check`] says about the plan's participants.
    pub fn schedule(&self, plan: &TournamentPlan) -> Result<Box<dyn Schedule>, FormatError> {
        let (participants, games) = (plan.participants.len(), plan.games_per_pairing());
        self.check(participants)?;
        Ok(match *self {
            Format::Match { games: count } => Box::new(FixedSchedule::of_match(count, games)),
            Format::RoundRobin { pairs } => {
                Box::new(FixedSchedule::of_round_robin(participants, pairs, games))
            }
            Format::Gauntlet { challengers, pairs } => Box::new(FixedSchedule::of_gauntlet(
                participants,
                challengers,
                pairs,
                games,
            )),
            Format::Knockout { pairs, playoffs } => {
                Box::new(KnockoutSchedule::new(participants, pairs, playoffs, games))
            }
            Format::Swiss { rounds, pairs } => {
                Box::new(SwissSchedule::new(participants, rounds, pairs, games))
            }
            Format::Sprt {
                elo,
                alpha,
                beta,
                model,
                max_pairs,
            } => Box::new(SprtSchedule::new(
                Sprt::new(elo, alpha, beta, model)?,
                max_pairs,
                plan.openings.count(),
                plan.repeats_itself(),
                games,
            )),
        })
    }
}
