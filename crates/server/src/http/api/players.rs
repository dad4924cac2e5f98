//! The players who are connected, and the results of a player.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use axum::extract::State;
use axum::response::Response;
use checkers_lib::protocol::GameResult;
use event_store::PlayerGame;

use super::problem::{Problem, ProblemCode};
use super::query::InPath;
use super::types::{Endings, Openings, Part, PlayerPage, PlayersHere, Tally};
use super::{archive, json, profiles, ratings};
use crate::http::HttpState;

/// The number of opponents, bots and clocks that a page lists.
const MAX_PARTS: usize = 50;
/// Games within this many days are listed by day, others by month.
const DAYS: i64 = 92;
const MAX_MONTHS: usize = 120;

/// `GET /api/players`: the names of the connected players.
pub(super) async fn here(State(shared): State<Arc<HttpState>>) -> Response {
    let (players, count) = shared.lobby.players().await;
    json(&PlayersHere { players, count })
}

/// `GET /api/players/{name}`: the results of a player.
pub(super) async fn one(
    State(shared): State<Arc<HttpState>>,
    InPath(name): InPath,
) -> Result<Response, Problem> {
    let mut record = Record::default();
    for game in archive(&shared)?.played(name.clone()).await? {
        record.add(game);
    }
    match record.page(name) {
        Ok(mut page) => {
            if let Some(all) = &shared.profiles {
                profiles::add(all, &mut page).await?;
            }
            if let Some(all) = &shared.ratings {
                page.ratings = ratings::of_player(all, &page.name, ratings::MAX_POINTS).await?;
            }
            Ok(json(&page))
        }
        Err(name) => {
            let message = format!("no player named {name:?} has finished a game here");
            Err(Problem::new(ProblemCode::NotFound, message))
        }
    }
}

/// A player's games, added up.
#[derive(Debug, Default)]
struct Record {
    white: Tally,
    black: Tally,
    first_and_last: Option<(i64, i64)>,
    opponents: HashMap<String, Tally>,
    bots: HashMap<String, Tally>,
    clocks: HashMap<String, Tally>,
    /// By the number of days since 1970.
    days: BTreeMap<i64, Tally>,
}

impl Record {
    fn add(&mut self, game: PlayerGame) {
        const DAY: i64 = 24 * 60 * 60 * 1000;
        let (result, is_white) = (GameResult::from_name(&game.result), game.is_white);
        let at = game.finished_at.0;
        let own = if is_white {
            &mut self.white
        } else {
            &mut self.black
        };
        own.add(result, is_white, 1);
        let (first, last) = self.first_and_last.unwrap_or((at, at));
        self.first_and_last = Some((first.min(at), last.max(at)));
        let against = match (game.opponent_bot, game.opponent) {
            (Some(bot), _) => Some(self.bots.entry(bot)),
            (None, Some(name)) => Some(self.opponents.entry(name)),
            (None, None) => None,
        };
        if let Some(against) = against {
            against.or_default().add(result, is_white, 1);
        }
        let clock = self.clocks.entry(game.clock);
        clock.or_default().add(result, is_white, 1);
        let day = self.days.entry(at.div_euclid(DAY));
        day.or_default().add(result, is_white, 1);
    }

    /// The page of the player, or the name if there is no game.
    fn page(self, name: String) -> Result<PlayerPage, String> {
        let Some((first_ms, last_ms)) = self.first_and_last else {
            return Err(name);
        };
        Ok(PlayerPage {
            name,
            white: self.white,
            black: self.black,
            first_ms,
            last_ms,
            opponents: most_frequent(self.opponents),
            bots: most_frequent(self.bots),
            clocks: most_frequent(self.clocks),
            periods: periods(&self.days),
            openings: Openings::default(),
            reasons: Vec::new(),
            endings: Endings::default(),
            ratings: Vec::new(),
        })
    }
}

pub(super) fn most_frequent(parts: HashMap<String, Tally>) -> Vec<Part> {
    let parts = parts.into_iter().map(|(name, games)| Part { name, games });
    let mut parts: Vec<Part> = parts.collect();
    parts.sort_unstable_by(|a, b| {
        let key = |part: &Part| Reverse(part.games.games());
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    parts.truncate(MAX_PARTS);
    parts
}

fn periods(days: &BTreeMap<i64, Tally>) -> Vec<Part> {
    let first = days.first_key_value().map_or(0, |(day, _)| *day);
    let last = days.last_key_value().map_or(0, |(day, _)| *day);
    let letters = if last - first < DAYS {
        "2026-01-31".len()
    } else {
        "2026-01".len()
    };
    let mut periods: Vec<Part> = Vec::new();
    for (&day, &games) in days {
        let mut name = date(day);
        name.truncate(letters);
        match periods.last_mut().filter(|last| last.name == name) {
            Some(last) => last.games.add_all(games),
            None => periods.push(Part { name, games }),
        }
    }
    let too_many = periods.len().saturating_sub(MAX_MONTHS);
    periods.drain(..too_many);
    periods
}

/// A day by its number since 1970, such as `2026-01-31`.
fn date(day: i64) -> String {
    const SECONDS: u64 = 24 * 60 * 60;
    /// The last day that is written with four digits of the year.
    const LAST: u64 = 2_932_896;
    let day = u64::try_from(day).unwrap_or_default().min(LAST);
    let time = UNIX_EPOCH + Duration::from_secs(day * SECONDS);
    let mut text = humantime::format_rfc3339_seconds(time).to_string();
    text.truncate("2026-01-31".len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(won: u64) -> Tally {
        Tally {
            won,
            ..Tally::default()
        }
    }

    fn listed(days: &[(i64, u64)]) -> Vec<(String, u64)> {
        let days = days.iter().map(|&(day, won)| (day, tally(won))).collect();
        let periods = periods(&days).into_iter();
        periods.map(|part| (part.name, part.games.won)).collect()
    }

    #[test]
    fn a_short_period_is_listed_by_day_and_a_long_one_by_month() {
        let (january, february) = (20_484, 20_485);
        let days = listed(&[(january, 2), (february, 3)]);
        let expected = [("2026-01-31".to_owned(), 2), ("2026-02-01".to_owned(), 3)];
        assert_eq!(days, expected);
        let months = listed(&[(january - 1, 1), (january, 2), (january + DAYS, 4)]);
        assert_eq!(
            months,
            [("2026-01".to_owned(), 3), ("2026-05".to_owned(), 4)]
        );
        assert_eq!(listed(&[]), []);
        assert_eq!(date(i64::MAX), "9999-12-31");
    }

    #[test]
    fn the_most_frequent_come_first() {
        let parts = (0..60)
            .map(|i| (format!("p{i:02}"), tally(i % 3)))
            .collect();
        let parts = most_frequent(parts);
        assert_eq!(parts.len(), MAX_PARTS);
        assert_eq!([&*parts[0].name, &parts[1].name], ["p02", "p05"]);
    }
}
