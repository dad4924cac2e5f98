//! Chooses the game to show on tv.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{TableKind, TablePhase};

use super::table_index::{TableIndex, is_public};
use crate::table::{ClientId, SeatStatus, TableStatus};

/// How long a finished game stays on, to show its end.
const FINISHED_GAME_TIME: Duration = Duration::from_secs(6);

/// How much more watched another game must be to replace the current one: in percent, and in
/// watchers.
const REPLACE_MARGIN: (u64, u64) = (150, 2);

/// The followers, and the table they watch.
#[derive(Debug, Default)]
pub(super) struct Tv {
    followers: BTreeSet<ClientId>,
    on: Option<String>,
    /// Since when no game runs there.
    idle_since: Option<Instant>,
}

impl Tv {
    /// Adds a follower; returns the current table.
    pub(super) fn follow(&mut self, who: ClientId) -> Option<&str> {
        self.followers.insert(who);
        self.on.as_deref()
    }

    /// Removes a follower.
    pub(super) fn leave(&mut self, who: ClientId) {
        self.followers.remove(&who);
    }

    pub(super) fn followers(&self) -> &BTreeSet<ClientId> {
        &self.followers
    }

    /// Chooses the table to show; returns it if it has changed.
    pub(super) fn choose(&mut self, tables: &TableIndex, now: Instant) -> Option<Option<&str>> {
        let current = self.on.as_deref().and_then(|id| tables.get(id));
        let current = current.filter(|status| is_public(status));
        let is_running = current.is_some_and(|status| status.phase == TablePhase::Running);
        if is_running {
            self.idle_since = None;
        }
        let followers = self.followers.len() as u64;
        let keeps = match current {
            None => false,
            Some(_) if !is_running => {
                now < *self.idle_since.get_or_insert(now) + FINISHED_GAME_TIME
            }
            Some(status) => {
                let other = best(tables, Some(&status.settings.id));
                !other.is_some_and(|other| should_replace(other, status, followers))
            }
        };
        let choice = match current {
            Some(status) if keeps => Some(&status.settings.id),
            // Without another game, the last one stays.
            _ => match (best(tables, self.on.as_deref()), current) {
                (Some(best), _) => Some(&best.settings.id),
                (None, Some(last)) => Some(&last.settings.id),
                (None, None) => None,
            },
        };
        if choice == self.on.as_ref() {
            return None;
        }
        self.on = choice.cloned();
        self.idle_since = None;
        Some(self.on.as_deref())
    }
}

/// The best game except the current one.
fn best<'a>(tables: &'a TableIndex, on: Option<&str>) -> Option<&'a TableStatus> {
    let is_other = |status: &&TableStatus| Some(status.settings.id.as_str()) != on;
    let games = tables.running().filter(|status| is_public(status));
    let games = games.filter(is_other);
    games.max_by_key(|status| (is_of_people(status), status.watchers, &status.settings.id))
}

/// Whether a game should replace the current one: it is much more watched, not counting the
/// followers, or people play it and bots the current one.
fn should_replace(other: &TableStatus, on: &TableStatus, followers: u64) -> bool {
    if is_of_people(other) != is_of_people(on) {
        return is_of_people(other);
    }
    let (percent, heads) = REPLACE_MARGIN;
    let own = u64::from(on.watchers).saturating_sub(followers);
    u64::from(other.watchers) > own * percent / 100 + heads
}

/// Whether a person plays there.
pub(super) fn is_of_people(status: &TableStatus) -> bool {
    let is_person = |player: &SeatStatus| player.bot.is_none();
    status.settings.kind != TableKind::Showcase && status.players().any(is_person)
}

#[cfg(test)]
mod tests {
    use checkers_lib::{ByColor, DrawRules};

    use super::super::table_index::TableCreator;
    use super::*;
    use crate::table::{Table, TableSettings};

    fn game(id: &str, watchers: u32, bots: bool) -> TableStatus {
        let settings = TableSettings::new(id, DrawRules::Fmjd64);
        let seat = SeatStatus {
            name: id.into(),
            key: None,
            bot: bots.then(|| "level 3".into()),
            absent_since: None,
        };
        TableStatus {
            phase: TablePhase::Running,
            watchers,
            seats: ByColor::new_with(|_| Some(seat.clone())),
            ..Table::open(settings).status()
        }
    }

    fn over(id: &str) -> TableStatus {
        TableStatus {
            phase: TablePhase::Over,
            ..game(id, 9, false)
        }
    }

    #[test]
    fn the_most_watched_game_of_people_is_on() {
        let mut tables = TableIndex::default();
        let (mut tv, now) = (Tv::default(), Instant::now());
        assert_eq!(tv.choose(&tables, now), None);
        tables.insert(game("bots", 100, true), TableCreator::default());
        assert_eq!(tv.choose(&tables, now), Some(Some("bots")));
        tables.insert(game("quiet", 0, false), TableCreator::default());
        assert_eq!(tv.choose(&tables, now), Some(Some("quiet")));
        tables.insert(game("loud", 3, false), TableCreator::default());
        assert_eq!(tv.choose(&tables, now), Some(Some("loud")));
        assert_eq!(tv.choose(&tables, now), None);
    }

    #[test]
    fn tv_does_not_flicker_and_does_not_count_followers() {
        let mut tables = TableIndex::default();
        let (mut tv, now) = (Tv::default(), Instant::now());
        for n in 0..20 {
            tv.follow(ClientId(n));
        }
        tables.insert(game("a", 20, false), TableCreator::default());
        tv.choose(&tables, now);
        tables.insert(game("b", 2, false), TableCreator::default());
        assert_eq!(tv.choose(&tables, now), None);
        tables.update(game("b", 3, false));
        assert_eq!(tv.choose(&tables, now), Some(Some("b")));
        tables.update(game("b", 25, false));
        tables.update(game("a", 6, false));
        assert_eq!(tv.choose(&tables, now), None);
    }

    #[test]
    fn the_end_of_a_game_stays_on_for_a_moment() {
        let mut tables = TableIndex::default();
        let (mut tv, now) = (Tv::default(), Instant::now());
        tables.insert(game("a", 0, false), TableCreator::default());
        tv.choose(&tables, now);
        tables.update(over("a"));
        tables.insert(game("b", 0, false), TableCreator::default());
        assert_eq!(tv.choose(&tables, now), None);
        let later = now + FINISHED_GAME_TIME;
        assert_eq!(tv.choose(&tables, later), Some(Some("b")));
        tables.update(over("b"));
        tables.remove("a");
        tv.choose(&tables, later);
        assert_eq!(
            tv.choose(&tables, later + FINISHED_GAME_TIME),
            None,
            "nothing better"
        );
        tables.remove("b");
        assert_eq!(tv.choose(&tables, later), Some(None));
    }
}
