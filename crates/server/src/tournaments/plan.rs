//! What an organiser decides.

use checkers_lib::TimeControl;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use event_store::UnixMillis;

/// The longest name, in characters.
const MAX_NAME: usize = 60;

/// The longest time of an arena, in minutes.
pub(crate) const MAX_MINUTES: u32 = 24 * 60;

/// The most rounds of a Swiss, and the most times that all meet in a round-robin.
pub(crate) const MAX_ROUNDS: u32 = 30;
const MAX_CYCLES: u32 = 4;

/// The most games of a pairing.
pub(crate) const MAX_GAMES: u32 = 4;

/// The longest time that a game waits for its players, and the longest break between two rounds, in minutes.
pub(crate) const MAX_PAUSE: u32 = 7 * 24 * 60;

/// A tournament in rounds is over after this time at the latest.
const MAX_LENGTH: i64 = 366 * 24 * 3600 * 1000;

const MINUTE: i64 = 60_000;

/// How long a game waits for its players, and the break between two rounds, in minutes, if the organiser does not say.
const DEFAULT_WAIT: u32 = 5;
const DEFAULT_BREAK: u32 = 1;

/// The limits that a tournament can set on ratings.
pub(crate) const LEAST_MAX_RATING: i64 = 500;
pub(crate) const MOST_MAX_RATING: i64 = 3500;

/// The longest time until the start.
const MAX_WAIT: i64 = 366 * 24 * 3600 * 1000;

/// The settings of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TournamentSettings {
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) entrants: Entrants,
    /// The clock of both sides.
    pub(crate) clock: TimeControl,
    pub(crate) is_rated: bool,
    /// Whether games begin with drawn openings.
    pub(crate) has_openings: bool,
    /// The highest rating with which players enter.
    pub(crate) max_rating: Option<i64>,
    pub(crate) starts_at: UnixMillis,
    /// When an arena ends. A tournament in rounds ends after the last one; until then this is the latest possible time.
    pub(crate) ends_at: UnixMillis,
    pub(crate) rounds: Rounds,
}

/// The settings of a tournament in rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Rounds {
    /// The rounds of a Swiss, or how often all meet in a round-robin.
    pub(crate) count: u32,
    /// Games of a pairing, with colours swapped from one to the next.
    pub(crate) games: u32,
    /// How long a game waits for its players.
    pub(crate) wait_ms: i64,
    /// The time between two rounds.
    pub(crate) break_ms: i64,
}

/// How long things take that an organiser decides; what is absent has a default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lengths {
    pub(crate) minutes: Option<u32>,
    pub(crate) rounds: Option<u32>,
    pub(crate) games: Option<u32>,
    pub(crate) wait_minutes: Option<u32>,
    pub(crate) break_minutes: Option<u32>,
}

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    /// Players who wait are paired with neighbours in points, until the time is over.
    Arena,
    /// In each round, players with equal points meet: the Dutch system of the chess federation.
    Swiss,
    /// Everybody meets everybody.
    RoundRobin,
    /// The loser of a pairing is out.
    Knockout,
}

/// Who may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Entrants {
    People,
    Bots,
}

/// Settings that cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("name: expected 1 to {MAX_NAME} visible characters")]
    Name,
    #[error("minutes: an arena takes 1 to {MAX_MINUTES}; other formats end with their last round")]
    Minutes,
    #[error(
        "rounds: a swiss has 1 to {MAX_ROUNDS}, a round_robin 1 to {MAX_CYCLES}; other formats have no such number"
    )]
    Rounds,
    #[error(
        "games_per_pairing: expected a whole number from 1 to {MAX_GAMES}; an arena has no such number"
    )]
    Games,
    #[error(
        "wait_minutes, break_minutes: expected a whole number up to {MAX_PAUSE}, and at least 1 to wait; an arena has no such times"
    )]
    Pause,
    #[error("max_rating: expected a whole number from {LEAST_MAX_RATING} to {MOST_MAX_RATING}")]
    MaxRating,
    #[error("starts_ms: expected a time within the next year")]
    Start,
}

impl TournamentSettings {
    /// Checks the settings. A start in the past is now.
    pub(crate) fn checked(
        mut self,
        lengths: Lengths,
        now: UnixMillis,
    ) -> Result<TournamentSettings, PlanError> {
        self.name = self.name.trim().to_owned();
        let length = self.name.chars().count();
        if !(1..=MAX_NAME).contains(&length) || self.name.chars().any(char::is_control) {
            return Err(PlanError::Name);
        }
        let limits = LEAST_MAX_RATING..=MOST_MAX_RATING;
        if self
            .max_rating
            .is_some_and(|limit| !limits.contains(&limit))
        {
            return Err(PlanError::MaxRating);
        }
        self.starts_at = self.starts_at.max(now);
        if self.starts_at.0.saturating_sub(now.0) > MAX_WAIT {
            return Err(PlanError::Start);
        }
        let length = match self.format {
            Format::Arena => lengths.of_arena()?,
            Format::Swiss | Format::RoundRobin | Format::Knockout => {
                self.rounds = lengths.of_rounds(self.format)?;
                MAX_LENGTH
            }
        };
        self.ends_at = UnixMillis(self.starts_at.0 + length);
        Ok(self)
    }
}

impl Lengths {
    /// The time of an arena.
    fn of_arena(self) -> Result<i64, PlanError> {
        let minutes = self
            .minutes
            .filter(|minutes| (1..=MAX_MINUTES).contains(minutes));
        let minutes = minutes.ok_or(PlanError::Minutes)?;
        match self {
            Lengths {
                rounds: Some(_), ..
            } => Err(PlanError::Rounds),
            Lengths { games: Some(_), .. } => Err(PlanError::Games),
            Lengths {
                wait_minutes: None,
                break_minutes: None,
                ..
            } => Ok(i64::from(minutes) * MINUTE),
            _ => Err(PlanError::Pause),
        }
    }

    fn of_rounds(self, format: Format) -> Result<Rounds, PlanError> {
        if self.minutes.is_some() {
            return Err(PlanError::Minutes);
        }
        let count = match (format, self.rounds) {
            (Format::Swiss, Some(rounds @ 1..=MAX_ROUNDS)) => rounds,
            (Format::RoundRobin, rounds) if (1..=MAX_CYCLES).contains(&rounds.unwrap_or(1)) => {
                rounds.unwrap_or(1)
            }
            (Format::Knockout, None) => 0,
            _ => return Err(PlanError::Rounds),
        };
        let games = self.games.unwrap_or(1);
        if !(1..=MAX_GAMES).contains(&games) {
            return Err(PlanError::Games);
        }
        let wait = self.wait_minutes.unwrap_or(DEFAULT_WAIT);
        let pause = self.break_minutes.unwrap_or(DEFAULT_BREAK);
        if !(1..=MAX_PAUSE).contains(&wait) || pause > MAX_PAUSE {
            return Err(PlanError::Pause);
        }
        Ok(Rounds {
            count,
            games,
            wait_ms: i64::from(wait) * MINUTE,
            break_ms: i64::from(pause) * MINUTE,
        })
    }
}

impl Format {
    const ALL: [Format; 4] = [
        Format::Arena,
        Format::Swiss,
        Format::RoundRobin,
        Format::Knockout,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Arena => "arena",
            Format::Swiss => "swiss",
            Format::RoundRobin => "round_robin",
            Format::Knockout => "knockout",
        }
    }

    /// The most players who can enter. All games of a round-robin are played: more players would never finish.
    pub(crate) fn most_players(self) -> i64 {
        match self {
            Format::RoundRobin => 100,
            Format::Arena | Format::Swiss | Format::Knockout => 1000,
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl Entrants {
    /// The entrants of which a player is one.
    pub(crate) fn of(is_bot: bool) -> Entrants {
        match is_bot {
            true => Entrants::Bots,
            false => Entrants::People,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Entrants::People => "people",
            Entrants::Bots => "bots",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Entrants> {
        let all = [Entrants::People, Entrants::Bots];
        all.into_iter().find(|entrants| entrants.name() == name)
    }
}
