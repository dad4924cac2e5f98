//! Rounds of tournaments: brings the players of a pairing together.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use checkers_lib::ByColor;
use event_store::TokenHash;

use super::quick::QuickWish;
use crate::table::ClientId;
use crate::tournaments::{
    ByDefault, Correction, DueGame, GameKey, Stage, TournamentId, TournamentSchedule,
};

/// After a table has closed, or its game was decided, the game does not begin before the schedule can know of it.
const SETTLING: Duration = Duration::from_secs(10);

/// An older schedule does not say what can begin now. Less than [`SETTLING`].
const FRESH: Duration = Duration::from_secs(8);

/// After a longer time without a schedule, players have their waiting time again: they could not come meanwhile.
const SILENCE: Duration = Duration::from_secs(15);

/// A game that is listed again within this time has kept waiting. A table without its players is closed earlier.
const MEMORY: Duration = Duration::from_secs(60);

/// The most games that begin at one time. The others begin a moment later.
const AT_ONCE: usize = 50;

/// The players who wait for games of rounds.
#[derive(Debug, Default)]
pub(super) struct RoundQueue {
    waiting: Vec<RoundPlayer>,
    /// When each table was last there, or its game was decided.
    settling: HashMap<String, Instant>,
    /// The games that can begin. They keep their keys when they get other tables.
    due: HashMap<(TournamentId, GameKey), Due>,
    /// When the last schedule was read.
    last: Option<Instant>,
}

#[derive(Clone, Copy, Debug)]
struct Due {
    since: Instant,
    /// When it was last in the schedule.
    listed: Instant,
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
pub(crate) struct PairedGame {
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
    pub(super) fn expire(&mut self, schedule: &TournamentSchedule) -> Vec<ClientId> {
        let is_over =
            |player: &RoundPlayer| schedule.stages.get(&player.tournament) == Some(&Stage::Over);
        let gone = self.waiting.iter().filter(|player| is_over(player));
        let gone = gone.map(|player| player.who).collect();
        self.waiting.retain(|player| !is_over(player));
        gone
    }

    /// Notes the games that can begin; `false` if the schedule is too old to say so.
    fn note(&mut self, now: Instant, schedule: &TournamentSchedule) -> bool {
        let read = schedule.read_at;
        let is_fresh = read.is_some_and(|read| now.saturating_duration_since(read) < FRESH);
        if !is_fresh {
            return false;
        }
        let was_silent = |last: Instant| now.saturating_duration_since(last) > SILENCE;
        if self.last.is_none_or(was_silent) {
            self.due.clear();
        }
        self.last = read;
        for game in &schedule.due {
            let key = (game.tournament, game.key);
            let due = self.due.entry(key).or_insert(Due {
                since: now,
                listed: now,
            });
            due.listed = now;
        }
        // Waiting time does not run in a pause.
        self.due.retain(|(tournament, _), due| {
            let is_paused = schedule.stages.get(tournament) == Some(&Stage::Paused);
            !is_paused && now.saturating_duration_since(due.listed) < MEMORY
        });
        self.settling
            .retain(|_, since| now.saturating_duration_since(*since) < SETTLING);
        true
    }

    /// The games to be started now; their players wait no longer. `has_table` says whether there is a table with this id.
    /// Those who are `busy` in another game of a tournament wait on.
    pub(super) fn next_games(
        &mut self,
        now: Instant,
        schedule: &TournamentSchedule,
        busy: &HashSet<TokenHash>,
        has_table: impl Fn(&str) -> bool,
    ) -> Vec<PairedGame> {
        if !self.note(now, schedule) {
            return Vec::new();
        }
        let waiting = std::mem::take(&mut self.waiting);
        let (busy, free): (Vec<_>, Vec<_>) =
            { waiting.into_iter() }.partition(|player: &RoundPlayer| busy.contains(&player.key));
        self.waiting = busy;
        let mut free: HashMap<(TournamentId, String), RoundPlayer> = { free.into_iter() }
            .map(|player| ((player.tournament, player.name.clone()), player))
            .collect();
        let mut games = Vec::new();
        for game in &schedule.due {
            if has_table(&game.table) {
                self.settling.insert(game.table.clone(), now);
            }
            if self.settling.contains_key(&game.table) || games.len() >= AT_ONCE {
                continue;
            }
            let keys = { game.players.as_ref() }.map(|name| (game.tournament, name.clone()));
            if !keys.iter().all(|(_, key)| free.contains_key(key)) {
                continue;
            }
            if let ByColor {
                white: Some(white),
                black: Some(black),
            } = keys.map(|key| free.remove(&key))
            {
                self.settling.insert(game.table.clone(), now);
                games.push(PairedGame {
                    game: game.clone(),
                    players: ByColor { white, black },
                });
            }
        }
        self.waiting.extend(free.into_values());
        games
    }

    /// The results of games for which a player has not come in time. Times are those of this lobby's clock, since it has
    /// known the games.
    pub(super) fn by_default(
        &mut self,
        now: Instant,
        schedule: &TournamentSchedule,
    ) -> Vec<ByDefault> {
        if !self.note(now, schedule) {
            return Vec::new();
        }
        let is_late = |game: &&DueGame| {
            let due = self.due.get(&(game.tournament, game.key));
            let waited = due.map_or(Duration::ZERO, |due| {
                now.saturating_duration_since(due.since)
            });
            waited >= game.wait && !self.settling.contains_key(&game.table)
        };
        let present: HashSet<(TournamentId, &str)> = { self.waiting.iter() }
            .map(|player| (player.tournament, &*player.name))
            .collect();
        let result = |game: &DueGame| {
            let is_there = |name: &str| present.contains(&(game.tournament, name));
            let result = match (is_there(&game.players.white), is_there(&game.players.black)) {
                // They play as soon as they can.
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
        let late = schedule.due.iter().filter(is_late);
        let decided: Vec<ByDefault> = late.filter_map(result).collect();
        for ByDefault { table, .. } in &decided {
            self.settling.insert(table.clone(), now);
        }
        decided
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::EventWish;

    const WAIT: Duration = Duration::from_secs(60);

    struct RoundsScene {
        queue: RoundQueue,
        schedule: TournamentSchedule,
        busy: HashSet<TokenHash>,
        now: Instant,
    }

    impl RoundsScene {
        fn new() -> RoundsScene {
            let now = Instant::now();
            let mut scene = RoundsScene {
                queue: RoundQueue::default(),
                schedule: TournamentSchedule {
                    stages: [(id(), Stage::Running)].into(),
                    due: vec![due("one", "anna", "boris"), due("two", "vera", "grisha")],
                    read_at: Some(now),
                    ..TournamentSchedule::default()
                },
                busy: HashSet::new(),
                now,
            };
            assert!(scene.queue.note(now, &scene.schedule));
            scene
        }

        /// Time passes, in which the schedule stays current.
        fn pass(&mut self, time: Duration) {
            let end = self.now + time;
            while self.now < end {
                self.now = end.min(self.now + Duration::from_secs(1));
                self.schedule.read_at = Some(self.now);
                self.queue.note(self.now, &self.schedule);
            }
        }

        fn come(&mut self, number: u64, name: &str) {
            self.queue.wait(RoundPlayer {
                who: ClientId(number),
                key: TokenHash([number as u8; 32]),
                name: name.to_owned(),
                tournament: id(),
                wish: QuickWish {
                    event: Some(EventWish::Round(id())),
                    ..QuickWish::default()
                },
            });
        }

        /// The tables of the games that begin, when there is this table.
        fn begin(&mut self, table: Option<&str>) -> Vec<String> {
            let has_table = |id: &str| Some(id) == table;
            let games = (self.queue).next_games(self.now, &self.schedule, &self.busy, has_table);
            games.into_iter().map(|paired| paired.game.table).collect()
        }

        fn decide(&mut self) -> Vec<(String, Correction)> {
            let decided = self.queue.by_default(self.now, &self.schedule).into_iter();
            decided
                .map(|decided| (decided.table, decided.result))
                .collect()
        }
    }

    fn id() -> TournamentId {
        "k3x9w2ab".parse().unwrap()
    }

    fn due(table: &str, white: &str, black: &str) -> DueGame {
        DueGame {
            tournament: id(),
            key: GameKey {
                round: 1,
                board: white.len(),
                part: 0,
            },
            table: table.to_owned(),
            players: ByColor {
                white: white.to_owned(),
                black: black.to_owned(),
            },
            clock: "3m".parse().unwrap(),
            is_rated: true,
            opening: None,
            wait: WAIT,
        }
    }

    #[test]
    fn a_game_begins_when_both_players_wait() {
        let mut scene = RoundsScene::new();
        scene.come(1, "anna");
        scene.come(2, "vera");
        assert!(scene.begin(None).is_empty());
        scene.come(3, "boris");
        scene.busy = [TokenHash([3; 32])].into();
        assert!(scene.begin(None).is_empty(), "boris plays another game");
        scene.busy.clear();
        assert_eq!(scene.begin(None), ["one"]);
        assert!(!scene.queue.leave(ClientId(1)));
        assert!(scene.queue.leave(ClientId(2)));
    }

    #[test]
    fn a_game_does_not_begin_twice() {
        let mut scene = RoundsScene::new();
        let come = |scene: &mut RoundsScene| {
            scene.come(1, "anna");
            scene.come(3, "boris");
        };
        come(&mut scene);
        assert_eq!(scene.begin(None), ["one"]);
        come(&mut scene);
        assert!(scene.begin(Some("one")).is_empty());
        scene.pass(SETTLING / 2);
        assert!(scene.begin(None).is_empty());
        scene.pass(SETTLING);
        assert_eq!(scene.begin(None), ["one"]);
    }

    #[test]
    fn an_old_schedule_begins_and_decides_nothing() {
        let mut scene = RoundsScene::new();
        scene.come(1, "anna");
        scene.come(3, "boris");
        scene.pass(WAIT);
        scene.now += FRESH;
        assert!(scene.begin(None).is_empty() && scene.decide().is_empty());
        // After a long silence players have their time again.
        scene.now += SILENCE;
        scene.schedule.read_at = Some(scene.now);
        assert!(scene.decide().is_empty());
        assert_eq!(scene.begin(None), ["one"]);
    }

    #[test]
    fn who_does_not_come_in_time_loses() {
        let mut scene = RoundsScene::new();
        scene.come(2, "grisha");
        assert!(scene.decide().is_empty());
        scene.pass(WAIT / 2);
        assert!(scene.decide().is_empty());
        scene.pass(WAIT / 2);
        // A table is there: they play, or wait at it.
        scene.begin(Some("one"));
        assert_eq!(scene.decide(), [("two".to_owned(), Correction::BlackWon)]);
        assert!(scene.decide().is_empty(), "it is being stored");
        scene.come(4, "vera");
        assert!(scene.begin(None).is_empty(), "vera is too late");
        // It was not stored: both are there now.
        scene.pass(SETTLING);
        assert_eq!(scene.decide(), [("one".to_owned(), Correction::Void)]);
        assert_eq!(scene.begin(None), ["two"]);
    }

    #[test]
    fn a_table_that_waited_in_vain_gives_no_more_time() {
        let mut scene = RoundsScene::new();
        scene.pass(WAIT / 2);
        // A player was there and did not sit down; the game has a new table.
        scene.schedule.due.remove(0);
        scene.pass(MEMORY / 3);
        scene.schedule.due.push(due("three", "anna", "boris"));
        scene.pass(WAIT / 2 - MEMORY / 3);
        assert_eq!(scene.decide().len(), 2);
    }

    #[test]
    fn the_next_game_of_a_pairing_and_a_pause_give_time_again() {
        let mut scene = RoundsScene::new();
        scene.pass(WAIT / 2);
        scene.schedule.due[0].key.part = 1;
        scene.pass(WAIT / 2);
        assert_eq!(scene.decide(), [("two".to_owned(), Correction::Void)]);
        scene.schedule.stages.insert(id(), Stage::Paused);
        let due = std::mem::take(&mut scene.schedule.due);
        scene.pass(Duration::from_secs(2));
        scene.schedule.stages.insert(id(), Stage::Running);
        scene.schedule.due = due;
        scene.pass(WAIT - SETTLING);
        assert!(scene.decide().is_empty());
    }

    #[test]
    fn nobody_waits_at_a_tournament_that_is_over() {
        let mut scene = RoundsScene::new();
        scene.come(1, "anna");
        assert_eq!(scene.queue.expire(&scene.schedule), []);
        scene.schedule.stages.insert(id(), Stage::Over);
        assert_eq!(scene.queue.expire(&scene.schedule), [ClientId(1)]);
        assert_eq!(scene.queue.expire(&scene.schedule), []);
    }
}
