//! Arenas: pairs players who wait at a tournament with neighbours in points.

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use checkers_lib::{ByColor, Color};
use event_store::{TokenHash, UnixMillis};
use pairings::arena;

use super::quick::QuickWish;
use crate::table::ClientId;
use crate::tournaments::{Stage, Stages, TournamentId};

/// How long the first of some players waits before they are paired, so that better opponents may come.
const GATHER: Duration = Duration::from_secs(3);

/// After this time a player is paired even with the last opponent.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many of those who have come last are tried as the one who is left out.
const LEFT_OUT: usize = 3;

/// How long a last game is remembered.
const MEMORY: Duration = Duration::from_secs(2 * 3600);

/// The request of a player for a game at an arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ArenaWish {
    pub(crate) tournament: TournamentId,
    /// The points of the player so far.
    pub(crate) points: u32,
    /// Games with White minus games with Black.
    pub(crate) balance: i32,
    /// Whether the game begins with a drawn opening.
    pub(crate) has_opening: bool,
    /// When the last games begin.
    pub(crate) until: UnixMillis,
}

/// The players who wait at arenas.
#[derive(Debug, Default)]
pub(super) struct ArenaQueue {
    waiting: Vec<WaitingInArena>,
    /// The last game of each player.
    last: HashMap<TokenHash, LastGame>,
}

#[derive(Clone, Copy, Debug)]
struct LastGame {
    opponent: TokenHash,
    color: Color,
    began: Instant,
}

#[derive(Clone, Copy, Debug)]
struct WaitingInArena {
    player: ArenaPlayer,
    since: Instant,
}

/// A player who waits, or plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct ArenaPlayer {
    pub(crate) who: ClientId,
    pub(crate) key: TokenHash,
    /// The request, with the clock.
    pub(crate) wish: QuickWish,
    /// The event of the request.
    pub(crate) arena: ArenaWish,
}

/// The players of a game to be started. Their requests agree in all but points and balance.
pub(crate) type ArenaGame = ByColor<ArenaPlayer>;

impl ArenaQueue {
    /// Queues a player. One who is already queued changes the wish.
    pub(super) fn wait(&mut self, player: ArenaPlayer, now: Instant) {
        let is_same = |waiting: &&WaitingInArena| {
            waiting.player.who == player.who
                && waiting.player.arena.tournament == player.arena.tournament
        };
        let since = self.waiting.iter().find(is_same);
        let since = since.map_or(now, |waiting| waiting.since);
        self.leave(player.who);
        self.waiting.push(WaitingInArena { player, since });
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Removes `who` from the queue; `false` if it is not there.
    pub(super) fn leave(&mut self, who: ClientId) -> bool {
        let before = self.waiting.len();
        self.waiting.retain(|waiting| waiting.player.who != who);
        self.waiting.len() < before
    }

    /// Removes the players of arenas that are over, and returns them.
    pub(super) fn expire(
        &mut self,
        now: Instant,
        today: UnixMillis,
        stages: &Stages,
    ) -> Vec<ClientId> {
        self.last
            .retain(|_, last| now.saturating_duration_since(last.began) < MEMORY);
        let is_over = |waiting: &WaitingInArena| {
            let arena = &waiting.player.arena;
            let stage = stages.get(&arena.tournament);
            arena.until <= today || stage == Some(&Stage::Over)
        };
        let gone = self.waiting.iter().filter(|waiting| is_over(waiting));
        let gone = gone.map(|waiting| waiting.player.who).collect();
        self.waiting.retain(|waiting| !is_over(waiting));
        gone
    }

    /// The games to be started now; their players wait no longer. Players of arenas that do not run wait on, and so do
    /// those who are `busy` in another game of the arena. `draw` draws a side. O(players²).
    pub(super) fn next_games(
        &mut self,
        now: Instant,
        stages: &Stages,
        busy: &HashSet<TokenHash>,
        mut draw: impl FnMut() -> Color,
    ) -> Vec<ArenaGame> {
        let waited = |waiting: &WaitingInArena| waiting.waited(now);
        let mut games = Vec::new();
        let waiting = std::mem::take(&mut self.waiting);
        let is_busy = |waiting: &WaitingInArena| busy.contains(&waiting.player.key);
        let (busy, mut rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_busy);
        self.waiting = busy;
        // From the best down; of equal players the one who has waited longest.
        rest.sort_by_key(|waiting| (Reverse(waiting.player.arena.points), waiting.since));
        while let Some(tournament) = rest.first().map(|first| first.player.arena.tournament) {
            let is_of_it = |waiting: &WaitingInArena| waiting.player.arena.tournament == tournament;
            let (here, others): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_of_it);
            rest = others;
            let runs = stages.get(&tournament) == Some(&Stage::Running);
            if !runs || !here.iter().any(|waiting| waited(waiting) >= GATHER) {
                self.waiting.extend(here);
                continue;
            }
            let may_meet = |one: usize, other: usize| {
                let (one, other) = (&here[one], &here[other]);
                let was_last = |a: &WaitingInArena, b: &WaitingInArena| {
                    let last = self.last.get(&a.player.key);
                    last.is_some_and(|last| last.opponent == b.player.key)
                };
                let is_rematch = was_last(one, other) || was_last(other, one);
                let is_patient = waited(one).min(waited(other)) < PATIENCE;
                !(is_rematch && is_patient)
            };
            let pairs = pair(&here, now, may_meet);
            let mut is_paired = vec![false; here.len()];
            for [one, other] in pairs {
                (is_paired[one], is_paired[other]) = (true, true);
                let game = self.game(here[one].player, here[other].player, &mut draw);
                self.note(&game, now);
                games.push(game);
            }
            let unpaired = here.iter().zip(is_paired);
            let unpaired = unpaired.filter(|(_, is_paired)| !is_paired);
            self.waiting.extend(unpaired.map(|(waiting, _)| *waiting));
        }
        games
    }

    /// A game in which the player has White who has had it less often, or else not in the last game: that may not be in
    /// the balance yet.
    fn game(
        &self,
        one: ArenaPlayer,
        other: ArenaPlayer,
        mut draw: impl FnMut() -> Color,
    ) -> ArenaGame {
        let had_white = |player: &ArenaPlayer| {
            let last = self.last.get(&player.key);
            last.is_some_and(|last| last.color == Color::White)
        };
        let turn = |player: &ArenaPlayer| (player.arena.balance, had_white(player));
        let of_one = match turn(&one).cmp(&turn(&other)) {
            Ordering::Less => Color::White,
            Ordering::Equal => draw(),
            Ordering::Greater => Color::Black,
        };
        ByColor::new_with(|color| if color == of_one { one } else { other })
    }

    fn note(&mut self, game: &ArenaGame, began: Instant) {
        for (color, player) in game.iter() {
            let last = LastGame {
                opponent: game[!color].key,
                color,
                began,
            };
            self.last.insert(player.key, last);
        }
    }
}

impl WaitingInArena {
    fn waited(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.since)
    }
}

/// Pairs the players of a list: first those who have waited for long, then the others as they are listed. Of an odd
/// number, one who has come last is left out, if the others can be paired without.
fn pair(
    players: &[WaitingInArena],
    now: Instant,
    may_meet: impl Fn(usize, usize) -> bool,
) -> Vec<[usize; 2]> {
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|&at| match players[at].waited(now) < PATIENCE {
        true => (1, None),
        false => (0, Some(players[at].since)),
    });
    if players.len().is_multiple_of(2) {
        return arena::pair(&order, may_meet);
    }
    let mut latest = order.clone();
    latest.sort_by_key(|&at| Reverse((players[at].since, at)));
    let without = |left_out: usize| {
        let order = order.iter().copied().filter(|&at| at != left_out);
        arena::pair(&order.collect::<Vec<_>>(), &may_meet)
    };
    let tried = latest.into_iter().take(LEFT_OUT).map(without);
    tried.rev().max_by_key(Vec::len).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::EventWish;

    struct ArenaScene {
        queue: ArenaQueue,
        stages: Stages,
        busy: HashSet<TokenHash>,
        now: Instant,
    }

    impl ArenaScene {
        fn new() -> ArenaScene {
            ArenaScene {
                queue: ArenaQueue::default(),
                stages: ["k3x9w2ab", "q5x9w2ab"]
                    .map(|id| (id.parse().unwrap(), Stage::Running))
                    .into(),
                busy: HashSet::new(),
                now: Instant::now(),
            }
        }

        fn wait(&mut self, player: u64, points: u32, balance: i32) {
            self.wait_at("k3x9w2ab", player, points, balance);
        }

        fn wait_at(&mut self, tournament: &str, player: u64, points: u32, balance: i32) {
            let arena = ArenaWish {
                tournament: tournament.parse().unwrap(),
                points,
                balance,
                has_opening: false,
                until: UnixMillis(1000),
            };
            let wish = QuickWish {
                event: Some(EventWish::Arena(arena)),
                ..QuickWish::default()
            };
            let player = ArenaPlayer {
                who: ClientId(player),
                key: key(player),
                wish,
                arena,
            };
            self.queue.wait(player, self.now);
        }

        /// The players of the games that start after some seconds, White first.
        fn after(&mut self, seconds: u64) -> Vec<[u64; 2]> {
            self.now += Duration::from_secs(seconds);
            let (stages, busy) = (&self.stages, &self.busy);
            let games = (self.queue).next_games(self.now, stages, busy, || Color::White);
            let players = |game: &ArenaGame| [game.white.who.0, game.black.who.0];
            games.iter().map(players).collect()
        }
    }

    fn key(player: u64) -> TokenHash {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&player.to_be_bytes());
        TokenHash(key)
    }

    #[test]
    fn neighbours_in_points_are_paired_and_one_waits() {
        let mut scene = ArenaScene::new();
        for (player, points) in [(1, 0), (2, 9), (3, 4), (4, 8), (5, 5)] {
            scene.wait(player, points, 0);
        }
        assert_eq!(scene.after(2), [[0; 2]; 0], "others may come");
        assert_eq!(scene.after(1), [[2, 4], [5, 3]]);
        scene.wait(6, 7, 0);
        assert_eq!(scene.after(0), [[6, 1]], "the first has waited long enough");
    }

    #[test]
    fn who_has_had_white_less_often_has_it() {
        let mut scene = ArenaScene::new();
        scene.wait(1, 9, 1);
        scene.wait(2, 5, 0);
        assert_eq!(scene.after(3), [[2, 1]]);
        // Their last game is not in the balance yet.
        scene.wait(1, 9, 0);
        scene.wait(2, 5, 0);
        assert_eq!(scene.after(10), [[1, 2]]);
    }

    #[test]
    fn a_rematch_follows_only_if_nobody_else_comes() {
        let mut scene = ArenaScene::new();
        scene.wait(1, 0, 0);
        scene.wait(2, 0, 0);
        assert_eq!(scene.after(3), [[1, 2]]);
        scene.wait(1, 2, 1);
        scene.wait(2, 0, -1);
        assert_eq!(scene.after(9), [[0; 2]; 0]);
        assert_eq!(scene.after(1), [[2, 1]]);
        scene.wait(1, 2, 0);
        scene.wait(2, 2, 0);
        scene.wait(3, 0, 0);
        assert_eq!(scene.after(3), [[1, 3]]);
    }

    #[test]
    fn tournaments_are_apart_and_end() {
        let mut scene = ArenaScene::new();
        scene.wait(1, 0, 0);
        scene.wait_at("q5x9w2ab", 2, 0, 0);
        assert_eq!(scene.after(5), [[0; 2]; 0]);
        let [first, second] = ["k3x9w2ab", "q5x9w2ab"].map(|id| id.parse().unwrap());
        let expire = |scene: &mut ArenaScene, today| {
            scene
                .queue
                .expire(scene.now, UnixMillis(today), &scene.stages)
        };
        assert_eq!(expire(&mut scene, 999), []);
        scene.stages.insert(first, Stage::Over);
        assert_eq!(expire(&mut scene, 999), [ClientId(1)]);
        scene.stages.remove(&second);
        assert_eq!(expire(&mut scene, 1000), [ClientId(2)]);
        assert!(scene.queue.waiting.is_empty());
    }

    #[test]
    fn players_wait_while_an_arena_is_paused_or_not_known() {
        let mut scene = ArenaScene::new();
        let tournament = "k3x9w2ab".parse().unwrap();
        scene.wait(1, 0, 0);
        scene.wait(2, 0, 0);
        for stage in [Some(Stage::Coming), None, Some(Stage::Paused)] {
            scene.stages.remove(&tournament);
            scene.stages.extend(stage.map(|stage| (tournament, stage)));
            assert_eq!(scene.after(20), [[0; 2]; 0]);
        }
        scene.stages.insert(tournament, Stage::Running);
        assert_eq!(scene.after(0), [[1, 2]]);
    }

    #[test]
    fn a_player_of_a_running_game_waits_for_its_end() {
        let mut scene = ArenaScene::new();
        scene.wait(1, 0, 0);
        scene.wait(2, 0, 0);
        scene.busy.insert(key(1));
        assert_eq!(scene.after(20), [[0; 2]; 0]);
        scene.busy.clear();
        assert_eq!(scene.after(0), [[1, 2]]);
    }

    /// Of an odd number, everybody has to wait now and then.
    #[test]
    fn the_last_player_waits_no_longer_than_others() {
        let mut scene = ArenaScene::new();
        let mut games = [0; 3];
        for _ in 0..30 {
            // The third one loses all games.
            for player in [1, 2, 3] {
                scene.wait(player, 9 - 4 * (player as u32 - 1), 0);
            }
            for [white, black] in scene.after(3) {
                for player in [white, black] {
                    games[player as usize - 1] += 1;
                }
            }
        }
        assert!(games.iter().all(|&games| games >= 15), "{games:?}");
    }

    /// 500 players whose games take a random time.
    #[test]
    fn five_hundred_players_wait_a_few_seconds() {
        let mut scene = ArenaScene::new();
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let mut busy: Vec<(u64, u64)> = (0..500).map(|player| (0, player)).collect();
        let (mut longest, mut games) = (0, 0);
        let mut points = vec![0; 500];
        let mut came = vec![0; 500];
        for second in 0..3600 {
            let is_done = |(until, _): &(u64, u64)| *until <= second;
            let (done, still): (Vec<_>, Vec<_>) = busy.into_iter().partition(is_done);
            busy = still;
            for (_, player) in done {
                came[player as usize] = second;
                scene.wait(player, points[player as usize], 0);
            }
            for [white, black] in scene.after(1) {
                for player in [white, black] {
                    longest = longest.max(second - came[player as usize]);
                    busy.push((second + 1 + 60 + random(240), player));
                }
                points[if random(2) == 0 { white } else { black } as usize] += 2;
                games += 1;
            }
        }
        assert!(games > 4000, "{games}");
        assert!(longest <= 12, "a player has waited for {longest} s");
    }
}
