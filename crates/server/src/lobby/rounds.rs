//! Rounds of tournaments: brings the players of a pairing together.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use checkers_lib::ByColor;

use super::quick::QuickWish;
use crate::store::{TokenHash, UnixMillis};
use crate::table::ClientId;
use crate::tournaments::{ByDefault, Correction, DueGame, News, Stage, TournamentId};

/// After a table has closed, its game does not begin again before the news can know of its end.
const NEWS: Duration = Duration::from_secs(5);

/// The players who wait for games of rounds.
#[derive(Debug, Default)]
pub(super) struct RoundQueue {
    waiting: Vec<RoundPlayer>,
    /// When each table was last there.
    seen: HashMap<String, Instant>,
}

/// A player who waits for the games of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RoundPlayer {
    pub(crate) who: ClientId,
    pub(crate) key: TokenHash,
    pub(crate) name: String,
    pub(crate) tournament: TournamentId,
    /// The request.
    pub(crate) wish: QuickWish,
}

/// A game to be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RoundGame {
    pub(crate) game: DueGame,
    pub(crate) players: ByColor<RoundPlayer>,
}

impl RoundQueue {
    /// Queues a player.
    pub(super) fn wait(&mut self, player: RoundPlayer) {
        self.leave(player.who);
        self.waiting.push(player);
    }

    /// Removes `who` from the queue; `false` if it is not there.
    pub(super) fn leave(&mut self, who: ClientId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|player| player.who != who);
        self.waiting.len() < before
    }

    /// Removes the players of tournaments that are over, and returns them.
    pub(super) fn expire(&mut self, news: &News) -> Vec<ClientId> {
        let is_over =
            |player: &RoundPlayer| news.stages.get(&player.tournament) == Some(&Stage::Over);
        let gone = self.waiting.iter().filter(|player| is_over(player));
        let gone = gone.map(|player| player.who).collect();
        self.waiting.retain(|player| !is_over(player));
        gone
    }

    /// The games to be started now; their players wait no longer. `has_table` says whether there is a table with this id.
    pub(super) fn next_games(
        &mut self,
        now: Instant,
        news: &News,
        has_table: impl Fn(&str) -> bool,
    ) -> Vec<RoundGame> {
        self.seen
            .retain(|_, seen| now.saturating_duration_since(*seen) < NEWS);
        let mut games = Vec::new();
        for game in &news.due {
            if has_table(&game.table) {
                self.seen.insert(game.table.clone(), now);
            }
            if self.seen.contains_key(&game.table) {
                continue;
            }
            let players = game.players.as_ref().map(|name| self.find(game, name));
            let ByColor {
                white: Some(white),
                black: Some(black),
            } = players
            else {
                continue;
            };
            let players = ByColor { white, black };
            for (_, player) in players.iter() {
                self.leave(player.who);
            }
            self.seen.insert(game.table.clone(), now);
            games.push(RoundGame {
                game: game.clone(),
                players,
            });
        }
        games
    }

    /// The results of games for which a player has not come in time. `up` is how long this lobby has been there: players
    /// get the same time to come back to a server that was away.
    pub(super) fn by_default(
        &self,
        up: Duration,
        today: UnixMillis,
        news: &News,
    ) -> Vec<ByDefault> {
        let is_late = |game: &&DueGame| {
            let wait = u64::try_from(game.wait_ms).unwrap_or_default();
            today >= game.until
                && up >= Duration::from_millis(wait)
                && !self.seen.contains_key(&game.table)
        };
        let result = |game: &DueGame| {
            let is_there = game
                .players
                .as_ref()
                .map(|name| self.find(game, name).is_some());
            let result = match (is_there.white, is_there.black) {
                // They play.
                (true, true) => return None,
                (true, false) => Correction::WhiteWon,
                (false, true) => Correction::BlackWon,
                (false, false) => Correction::Void,
            };
            Some(ByDefault {
                tournament: game.tournament,
                table: game.table.clone(),
                result,
            })
        };
        let late = news.due.iter().filter(is_late);
        late.filter_map(result).collect()
    }

    fn find(&self, game: &DueGame, name: &str) -> Option<RoundPlayer> {
        let mut waiting = self.waiting.iter();
        let player =
            waiting.find(|player| player.tournament == game.tournament && player.name == name);
        player.cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::EventWish;

    const WAIT: i64 = 60_000;

    fn id() -> TournamentId {
        "k3x9w2ab".parse().unwrap()
    }

    fn player(number: u64, name: &str) -> RoundPlayer {
        RoundPlayer {
            who: ClientId(number),
            key: TokenHash([number as u8; 32]),
            name: name.to_owned(),
            tournament: id(),
            wish: QuickWish {
                event: Some(EventWish::Round(id())),
                ..QuickWish::default()
            },
        }
    }

    fn due(table: &str, white: &str, black: &str) -> DueGame {
        DueGame {
            tournament: id(),
            table: table.to_owned(),
            players: ByColor {
                white: white.to_owned(),
                black: black.to_owned(),
            },
            clock: "3m".parse().unwrap(),
            is_rated: true,
            opening: None,
            wait_ms: WAIT,
            until: UnixMillis(WAIT),
        }
    }

    fn news() -> News {
        News {
            stages: [(id(), Stage::Running)].into(),
            due: vec![due("one", "anna", "boris"), due("two", "vera", "grisha")],
        }
    }

    #[test]
    fn a_game_begins_when_both_players_wait() {
        let (mut queue, news, now) = (RoundQueue::default(), news(), Instant::now());
        queue.wait(player(1, "anna"));
        queue.wait(player(2, "vera"));
        assert_eq!(queue.next_games(now, &news, |_| false), []);
        queue.wait(player(3, "boris"));
        let games = queue.next_games(now, &news, |_| false);
        let [RoundGame { game, players }] = &games[..] else {
            panic!("{games:?}");
        };
        assert_eq!(game.table, "one");
        let who = players.as_ref().map(|player| player.who.0);
        assert_eq!((who.white, who.black), (1, 3));
        assert!(!queue.leave(ClientId(1)));
    }

    #[test]
    fn a_game_does_not_begin_twice() {
        let (mut queue, news, now) = (RoundQueue::default(), news(), Instant::now());
        let come = |queue: &mut RoundQueue| {
            queue.wait(player(1, "anna"));
            queue.wait(player(3, "boris"));
        };
        come(&mut queue);
        assert_eq!(queue.next_games(now, &news, |_| false).len(), 1);
        come(&mut queue);
        assert_eq!(queue.next_games(now, &news, |id| id == "one"), []);
        let later = now + NEWS / 2;
        assert_eq!(queue.next_games(later, &news, |_| false), []);
        assert_eq!(queue.next_games(later + NEWS, &news, |_| false).len(), 1);
    }

    #[test]
    fn who_does_not_come_in_time_loses() {
        let (mut queue, news) = (RoundQueue::default(), news());
        queue.wait(player(2, "grisha"));
        let up = Duration::from_millis(WAIT as u64);
        assert_eq!(queue.by_default(up, UnixMillis(WAIT - 1), &news), []);
        assert_eq!(queue.by_default(up / 2, UnixMillis(WAIT), &news), []);
        let decided = queue.by_default(up, UnixMillis(WAIT), &news);
        let results: Vec<_> = decided.iter().map(|decided| decided.result).collect();
        assert_eq!(results, [Correction::Void, Correction::BlackWon]);
        // A table is there: they play, or wait at it.
        let now = Instant::now();
        queue.next_games(now, &news, |id| id == "one");
        assert_eq!(queue.by_default(up, UnixMillis(WAIT), &news).len(), 1);
    }

    #[test]
    fn nobody_waits_at_a_tournament_that_is_over() {
        let (mut queue, mut news) = (RoundQueue::default(), news());
        queue.wait(player(1, "anna"));
        assert_eq!(queue.expire(&news), []);
        news.stages.insert(id(), Stage::Over);
        assert_eq!(queue.expire(&news), [ClientId(1)]);
        assert_eq!(queue.expire(&news), []);
    }
}
