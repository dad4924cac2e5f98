//! What an organiser decides.

use checkers_lib::TimeControl;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::UnixMillis;

/// The longest name, in characters.
const MAX_NAME: usize = 60;

/// The longest time of an arena, in minutes.
pub(crate) const MAX_MINUTES: u32 = 24 * 60;

/// The longest time until the start.
const MAX_WAIT: i64 = 366 * 24 * 3600 * 1000;

/// The settings of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Plan {
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) entrants: Entrants,
    /// The clock of both sides.
    pub(crate) clock: TimeControl,
    pub(crate) is_rated: bool,
    /// Whether games begin with drawn openings.
    pub(crate) has_openings: bool,
    pub(crate) starts_at: UnixMillis,
    pub(crate) ends_at: UnixMillis,
}

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    /// Who waits plays a neighbour in points, until the time is over.
    Arena,
}

/// Who may play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
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
    #[error("minutes: expected a whole number from 1 to {MAX_MINUTES}")]
    Minutes,
    #[error("starts_ms: expected a time within the next year")]
    Start,
}

impl Plan {
    /// Checks the settings. A start in the past is now.
    pub(crate) fn checked(mut self, minutes: u32, now: UnixMillis) -> Result<Plan, PlanError> {
        self.name = self.name.trim().to_owned();
        let length = self.name.chars().count();
        if !(1..=MAX_NAME).contains(&length) || self.name.chars().any(char::is_control) {
            return Err(PlanError::Name);
        }
        if !(1..=MAX_MINUTES).contains(&minutes) {
            return Err(PlanError::Minutes);
        }
        self.starts_at = self.starts_at.max(now);
        if self.starts_at.0.saturating_sub(now.0) > MAX_WAIT {
            return Err(PlanError::Start);
        }
        self.ends_at = UnixMillis(self.starts_at.0 + i64::from(minutes) * 60_000);
        Ok(self)
    }
}

impl Format {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Format::Arena => "arena",
        }
    }

    pub(crate) fn of_name(name: &str) -> Option<Format> {
        [Format::Arena]
            .into_iter()
            .find(|format| format.name() == name)
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
