//! The ladder: pairs bots that wait for rated quick games.
//!
//! Bots play the nearest in rating, two games from one opening with colours swapped. Now and then, and when no other bot
//! waits, a bot plays a level of the computer or a bot of the study: their games connect the ratings of all bots.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use checkers_lib::protocol::BotRequest;
use checkers_lib::{ByColor, Color, TimeControl};
use event_store::{TokenHash, UnixMillis};

use crate::ladder::Season;
use crate::ratings::LEVELS;
use crate::table::ClientId;

/// How long a bot waits before it is paired, so that a better opponent may come.
const GATHER: Duration = Duration::from_secs(3);

/// How long a bot waits for the opponent of a second game.
const SECOND_GAME: Duration = Duration::from_secs(6);

/// How long a bot waits before it plays a bot of the server.
const PATIENCE: Duration = Duration::from_secs(15);

/// Openings against other bots, after which one is played against a bot of the server.
const OPENINGS_BETWEEN: u32 = 3;

/// Recent opponents that are avoided if another one waits.
const RECENT: usize = 3;

/// How long a bot is remembered after it has asked for a game.
const MEMORY: Duration = Duration::from_secs(2 * 3600);

/// The bots of the study, with its depth of search. They have no fixed ratings.
const STUDY: [&str; 5] = [
    "minimax-weak:depth=6",
    "minimax:depth=6",
    "alpha-beta:depth=6",
    "negascout:depth=6",
    "negascout-tt:depth=6",
];

/// Of so many openings against bots of the server, one is against a bot of the study.
const STUDY_SHARE: u32 = 4;

/// The rating from which a bot plays bots of the study: that of level 4.
const WEAKEST_FOR_STUDY: i64 = LEVELS[3] as i64;

/// A bot's request for a game on the ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LadderWish {
    /// Its rating in points; on a private ladder, that which its results there make most likely.
    pub(crate) rating: i64,
    /// The account of its owner; 0 for the operator.
    pub(crate) owner: i64,
    /// The private ladder; `None` for the one of the server.
    pub(crate) private: Option<PrivateLadder>,
}

/// A private ladder on which games may begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PrivateLadder {
    pub(crate) season: Season,
    /// When the last games begin.
    pub(crate) until: UnixMillis,
}

/// What the requests of two bots must have in common, so that they can be paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Terms {
    clock: TimeControl,
    private: Option<PrivateLadder>,
}

/// The bots that play on the ladder.
#[derive(Debug, Default)]
pub(super) struct LadderQueue {
    /// In order of arrival.
    waiting: Vec<WaitingBot>,
    known: HashMap<TokenHash, Known>,
}

/// A bot that waits for a game.
#[derive(Clone, Copy, Debug)]
struct WaitingBot {
    who: ClientId,
    key: TokenHash,
    terms: Terms,
    wish: LadderWish,
    since: Instant,
}

/// The recent games of a bot.
#[derive(Debug)]
struct Known {
    /// When it last asked for a game.
    asked: Instant,
    /// The second game from its last opening, until that is played.
    second: Option<PlannedGame>,
    /// Openings played against other bots since the last one against a bot of the server.
    openings: u32,
    /// The opponents of the last openings.
    recent: VecDeque<TokenHash>,
}

/// A game of a bot.
#[derive(Clone, PartialEq, Debug)]
struct PlannedGame {
    opponent: Opponent,
    terms: Terms,
    opening: u32,
    /// The bot's colour.
    color: Color,
}

#[derive(Clone, PartialEq, Debug)]
enum Opponent {
    Bot(TokenHash),
    Server(BotRequest),
}

/// A game to be started.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct LadderGame {
    pub(crate) players: ByColor<LadderSeat>,
    pub(crate) clock: TimeControl,
    /// The private ladder that it is played on.
    pub(crate) private: Option<PrivateLadder>,
    /// A number that determines the opening.
    pub(crate) opening: u32,
}

/// A player of a game.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum LadderSeat {
    Client(LadderClient),
    Server(BotRequest),
}

/// A client that plays a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LadderClient {
    pub(crate) who: ClientId,
    pub(crate) key: TokenHash,
    pub(crate) wish: LadderWish,
}

impl LadderQueue {
    /// Queues a bot with this rating. One that is already queued changes its wish.
    pub(super) fn wait(
        &mut self,
        who: ClientId,
        key: TokenHash,
        (clock, wish): (TimeControl, LadderWish),
        now: Instant,
    ) {
        self.leave(who);
        self.known
            .entry(key)
            .or_insert_with(|| Known::new(now))
            .asked = now;
        self.waiting.push(WaitingBot {
            who,
            key,
            terms: Terms {
                clock,
                private: wish.private,
            },
            wish,
            since: now,
        });
    }

    /// Removes `who` from the queue.
    pub(super) fn leave(&mut self, who: ClientId) {
        self.waiting.retain(|waiting| waiting.who != who);
    }

    /// Forgets bots that do not wait, and have not asked for a game for long.
    pub(super) fn expire(&mut self, now: Instant) {
        let waiting = &self.waiting;
        let is_waiting = |key| waiting.iter().any(|waiting| waiting.key == key);
        let is_recent = |known: &Known| now.saturating_duration_since(known.asked) < MEMORY;
        self.known
            .retain(|key, known| is_recent(known) || is_waiting(*key));
    }

    /// A game to be started now, if there is one; its players wait no longer. `server_plays` says whether the server can
    /// play one more bot; `draw` draws random numbers. O(bots²).
    pub(super) fn next_game(
        &mut self,
        now: Instant,
        server_plays: impl Fn() -> bool,
        mut draw: impl FnMut() -> u32,
    ) -> Option<LadderGame> {
        let waiting = self.waiting.clone();
        waiting.into_iter().find_map(|bot| {
            let second = self.second_game(bot, now, &server_plays);
            second.or_else(|| self.first_game(bot, now, &server_plays, &mut draw))
        })
    }

    /// The second game of a bot, if its opponent waits too.
    fn second_game(
        &mut self,
        bot: WaitingBot,
        now: Instant,
        server_plays: impl Fn() -> bool,
    ) -> Option<LadderGame> {
        let second = self.known.get(&bot.key)?.second.clone()?;
        let is_stale =
            second.terms != bot.terms || now.saturating_duration_since(bot.since) >= SECOND_GAME;
        let opponent = match &second.opponent {
            Opponent::Bot(key) => {
                let same = |other: &&WaitingBot| other.key == *key && other.terms == bot.terms;
                let opponent = self.waiting.iter().find(same).copied();
                let is_planned = self.is_planned(*key, bot.key, second.opening);
                opponent.filter(|_| is_planned).map(seat)
            }
            Opponent::Server(server) => server_plays().then(|| LadderSeat::Server(server.clone())),
        };
        let opponent = opponent.filter(|_| second.terms == bot.terms);
        if opponent.is_some() || is_stale {
            self.forget_second(&bot, &second);
        }
        let opponent = opponent?;
        self.leave(bot.who);
        if let LadderSeat::Client(client) = &opponent {
            self.leave(client.who);
        }
        Some(game(&bot, opponent, &second))
    }

    /// Whether a bot plans a second game from this opening against this opponent.
    fn is_planned(&self, key: TokenHash, opponent: TokenHash, opening: u32) -> bool {
        let plan = self.known.get(&key).and_then(|known| known.second.as_ref());
        plan.is_some_and(|plan| plan.opponent == Opponent::Bot(opponent) && plan.opening == opening)
    }

    /// Forgets the second game of a bot, and that of its opponent.
    fn forget_second(&mut self, bot: &WaitingBot, second: &PlannedGame) {
        let of_opponent = match second.opponent {
            Opponent::Bot(key) if self.is_planned(key, bot.key, second.opening) => Some(key),
            Opponent::Bot(_) | Opponent::Server(_) => None,
        };
        for key in [Some(bot.key), of_opponent].into_iter().flatten() {
            if let Some(known) = self.known.get_mut(&key) {
                known.second = None;
            }
        }
    }

    /// The first game from an opening, if there is an opponent.
    fn first_game(
        &mut self,
        bot: WaitingBot,
        now: Instant,
        server_plays: impl Fn() -> bool,
        draw: &mut impl FnMut() -> u32,
    ) -> Option<LadderGame> {
        let known = self.known.get(&bot.key)?;
        let waited = now.saturating_duration_since(bot.since);
        if known.second.is_some() || waited < GATHER {
            return None;
        }
        let neighbor = self.neighbor(&bot, known);
        let is_due = known.openings >= OPENINGS_BETWEEN || neighbor.is_none() && waited >= PATIENCE;
        let has_server = is_due && server_plays();
        let neighbor = neighbor.filter(|_| !has_server);
        if neighbor.is_none() && !has_server {
            return None;
        }
        let (opponent, seat) = match &neighbor {
            Some(other) => (Opponent::Bot(other.key), seat(*other)),
            None => {
                let server = server_player(bot.wish.rating, draw());
                (Opponent::Server(server.clone()), LadderSeat::Server(server))
            }
        };
        let first = PlannedGame {
            opponent,
            terms: bot.terms,
            opening: draw(),
            color: Color::ALL[draw() as usize % 2],
        };
        self.plan_second(&bot, &first);
        self.leave(bot.who);
        if let Some(other) = neighbor {
            let of_other = PlannedGame {
                opponent: Opponent::Bot(bot.key),
                color: !first.color,
                ..first.clone()
            };
            self.plan_second(&other, &of_other);
            self.leave(other.who);
        }
        Some(game(&bot, seat, &first))
    }

    /// Of the bots that wait for the same, one that was no opponent recently, and of these the nearest in rating. Bots of
    /// one owner do not play rated games with each other.
    fn neighbor(&self, bot: &WaitingBot, known: &Known) -> Option<WaitingBot> {
        let is_free = |other: &&WaitingBot| {
            let has_second = self
                .known
                .get(&other.key)
                .is_some_and(|of| of.second.is_some());
            let is_of_same = bot.wish.owner != 0 && other.wish.owner == bot.wish.owner;
            let may_meet = bot.terms.private.is_some() || !is_of_same;
            other.who != bot.who && other.terms == bot.terms && may_meet && !has_second
        };
        let distance = |other: &&WaitingBot| {
            let last = known.recent.iter().rposition(|key| *key == other.key);
            (
                last.map(|at| at + 1),
                other.wish.rating.abs_diff(bot.wish.rating),
            )
        };
        self.waiting
            .iter()
            .filter(is_free)
            .min_by_key(distance)
            .copied()
    }

    /// Plans the second game after the first one.
    fn plan_second(&mut self, bot: &WaitingBot, first: &PlannedGame) {
        let Some(known) = self.known.get_mut(&bot.key) else {
            return;
        };
        match first.opponent {
            Opponent::Bot(key) => {
                known.openings += 1;
                known.recent.retain(|other| *other != key);
                known.recent.push_back(key);
                if known.recent.len() > RECENT {
                    known.recent.pop_front();
                }
            }
            Opponent::Server(_) => known.openings = 0,
        }
        known.second = Some(PlannedGame {
            color: !first.color,
            ..first.clone()
        });
    }
}

impl Known {
    fn new(now: Instant) -> Known {
        Known {
            asked: now,
            second: None,
            openings: 0,
            recent: VecDeque::new(),
        }
    }
}

fn game(bot: &WaitingBot, opponent: LadderSeat, plan: &PlannedGame) -> LadderGame {
    let bot = seat(*bot);
    let (white, black) = match plan.color {
        Color::White => (bot, opponent),
        Color::Black => (opponent, bot),
    };
    LadderGame {
        players: ByColor { white, black },
        clock: plan.terms.clock,
        private: plan.terms.private,
        opening: plan.opening,
    }
}

fn seat(bot: WaitingBot) -> LadderSeat {
    LadderSeat::Client(LadderClient {
        who: bot.who,
        key: bot.key,
        wish: bot.wish,
    })
}

/// A bot of the server for an opponent with this rating: one of the two nearest levels, or a bot of the study unless the
/// opponent is too weak for those.
fn server_player(rating: i64, lot: u32) -> BotRequest {
    let (share, rest) = (lot % STUDY_SHARE, (lot / STUDY_SHARE) as usize);
    if share == 0 && rating >= WEAKEST_FOR_STUDY {
        return BotRequest::Spec(STUDY[rest % STUDY.len()].to_owned());
    }
    let mut levels: Vec<(u8, i64)> = (1..).zip(LEVELS.map(i64::from)).collect();
    levels.sort_by_key(|(_, of_level)| of_level.abs_diff(rating));
    BotRequest::Level(levels[rest % 2].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOT: u32 = 7;

    /// A ladder whose server has free bots, and its time.
    struct LadderScene {
        ladder: LadderQueue,
        now: Instant,
        server_plays: bool,
    }

    impl LadderScene {
        fn new() -> LadderScene {
            LadderScene {
                ladder: LadderQueue::default(),
                now: Instant::now(),
                server_plays: true,
            }
        }

        fn wait(&mut self, bot: u64, rating: i64) {
            let clock = "1m".parse().unwrap();
            let (who, key) = (ClientId(bot), TokenHash([bot as u8; 32]));
            self.ladder.wait(who, key, (clock, wish(rating)), self.now);
        }

        /// The players of the games that start after some seconds, White first. 0 is the server.
        fn after(&mut self, seconds: u64) -> Vec<[u64; 2]> {
            self.games_after(seconds).iter().map(players).collect()
        }

        fn games_after(&mut self, seconds: u64) -> Vec<LadderGame> {
            self.now += Duration::from_secs(seconds);
            let next = || (self.ladder).next_game(self.now, || self.server_plays, || LOT);
            std::iter::from_fn(next).collect()
        }
    }

    fn wish(rating: i64) -> LadderWish {
        LadderWish {
            rating,
            owner: 0,
            private: None,
        }
    }

    fn players(game: &LadderGame) -> [u64; 2] {
        let number = |player: &LadderSeat| match player {
            LadderSeat::Client(client) => client.who.0,
            LadderSeat::Server(_) => 0,
        };
        [number(&game.players.white), number(&game.players.black)]
    }

    #[test]
    fn neighbors_play_two_games_from_one_opening_with_both_colors() {
        let mut scene = LadderScene::new();
        for (bot, rating) in [(1, 1500), (2, 2000), (3, 1600), (4, 1900)] {
            scene.wait(bot, rating);
        }
        assert_eq!(scene.after(2), [[0; 2]; 0], "others may come");
        let first = scene.games_after(1);
        assert_eq!(
            first.iter().map(players).collect::<Vec<_>>(),
            [[3, 1], [4, 2]]
        );
        for bot in [1, 2, 3] {
            scene.wait(bot, 1500);
        }
        let second = scene.games_after(0);
        assert_eq!(second.iter().map(players).collect::<Vec<_>>(), [[1, 3]]);
        assert_eq!(second[0].opening, first[0].opening);
    }

    #[test]
    fn recent_opponents_are_avoided() {
        let mut scene = LadderScene::new();
        let mut met = Vec::new();
        for _ in 0..3 {
            for bot in [1, 2, 3, 4] {
                scene.wait(bot, 1500 + bot as i64);
            }
            let opponents = scene.after(3);
            met.extend(
                opponents
                    .iter()
                    .filter(|pair| pair.contains(&1))
                    .map(|pair| pair[0] + pair[1] - 1),
            );
            for bot in [1, 2, 3, 4] {
                scene.wait(bot, 1500 + bot as i64);
            }
            assert_eq!(scene.after(0).len(), 2);
        }
        assert_eq!(met, [2, 3, 4]);
    }

    #[test]
    fn a_bot_without_opponent_plays_the_server() {
        let mut scene = LadderScene::new();
        scene.wait(1, 1500);
        assert_eq!(scene.after(14), [[0; 2]; 0]);
        scene.server_plays = false;
        assert_eq!(scene.after(1), [[0; 2]; 0], "no bot is free");
        scene.server_plays = true;
        assert_eq!(scene.after(0), [[0, 1]]);
        scene.wait(1, 1500);
        scene.server_plays = false;
        assert_eq!(scene.after(1), [[0; 2]; 0], "it waits for the second game");
        scene.server_plays = true;
        assert_eq!(scene.after(0), [[1, 0]], "the second game follows at once");
    }

    #[test]
    fn now_and_then_a_bot_plays_the_server() {
        let mut scene = LadderScene::new();
        let mut all = Vec::new();
        for _ in 0..8 {
            scene.wait(1, 1500);
            scene.wait(2, 1500);
            all.extend(scene.after(3));
        }
        let of_server = all.iter().filter(|pair| pair.contains(&0)).count();
        assert_eq!((all.len(), of_server), (10, 4), "{all:?}");
    }

    #[test]
    fn a_second_game_is_given_up_when_the_opponent_does_not_come_back() {
        let mut scene = LadderScene::new();
        scene.wait(1, 1500);
        scene.wait(2, 1500);
        assert_eq!(scene.after(3).len(), 1);
        scene.wait(1, 1500);
        scene.wait(3, 1500);
        assert_eq!(scene.after(3), [[0; 2]; 0]);
        assert_eq!(scene.after(3), [[3, 1]]);
    }

    #[test]
    fn bots_of_one_owner_meet_on_private_ladders_only() {
        let mut scene = LadderScene::new();
        let private = PrivateLadder {
            season: "k3x9w2ab".parse().unwrap(),
            until: UnixMillis(0),
        };
        for (private, expected) in [(None, 0), (Some(private), 1)] {
            for bot in [1, 2] {
                let wish = LadderWish {
                    rating: 1500,
                    owner: 7,
                    private,
                };
                let (who, key) = (ClientId(bot), TokenHash([bot as u8; 32]));
                let clock = "1m".parse().unwrap();
                scene.ladder.wait(who, key, (clock, wish), scene.now);
            }
            assert_eq!(scene.after(3).len(), expected);
        }
    }

    #[test]
    fn a_game_with_another_bot_does_not_end_the_plan_of_that_bot() {
        let mut scene = LadderScene::new();
        scene.wait(1, 1500);
        scene.wait(2, 1500);
        assert_eq!(scene.after(3), [[2, 1]]);
        // The first bot gives the second game up, and plays the third one.
        scene.wait(1, 1500);
        scene.wait(3, 1500);
        assert_eq!(scene.after(6), [[3, 1]]);
        scene.wait(1, 1500);
        scene.wait(2, 1500);
        assert_eq!(scene.after(0), [[0; 2]; 0], "2 has no plan any more");
        scene.wait(3, 1500);
        assert_eq!(scene.after(0), [[1, 3]]);
    }

    #[test]
    fn different_clocks_are_apart_and_who_left_is_not_paired() {
        let mut scene = LadderScene::new();
        scene.wait(1, 1500);
        let (who, key) = (ClientId(2), TokenHash([2; 32]));
        let clock = "5m".parse().unwrap();
        scene.ladder.wait(who, key, (clock, wish(1500)), scene.now);
        assert_eq!(scene.after(3), [[0; 2]; 0]);
        let private = LadderWish {
            private: Some(PrivateLadder {
                season: "k3x9w2ab".parse().unwrap(),
                until: UnixMillis(0),
            }),
            ..wish(1500)
        };
        let clock = "1m".parse().unwrap();
        let (who, key) = (ClientId(4), TokenHash([4; 32]));
        scene.ladder.wait(who, key, (clock, private), scene.now);
        assert_eq!(scene.after(3), [[0; 2]; 0], "it is on another ladder");
        scene.wait(3, 1500);
        scene.ladder.leave(ClientId(3));
        assert_eq!(scene.after(3), [[0; 2]; 0]);
    }

    #[test]
    fn bots_are_forgotten() {
        let mut scene = LadderScene::new();
        scene.wait(1, 1500);
        scene.ladder.expire(scene.now + MEMORY / 2);
        assert_eq!(scene.ladder.known.len(), 1);
        scene.ladder.expire(scene.now + MEMORY);
        assert_eq!(scene.ladder.known.len(), 1, "it still waits");
        scene.ladder.leave(ClientId(1));
        scene.ladder.expire(scene.now + MEMORY);
        assert!(scene.ladder.known.is_empty());
    }

    #[test]
    fn the_server_plays_the_nearest_levels_or_a_bot_of_the_study() {
        let level = |lot| server_player(1550, lot);
        assert_eq!([1, 5].map(level), [5, 6].map(BotRequest::Level));
        assert_eq!(server_player(9999, 1), BotRequest::Level(10));
        assert_eq!(level(8), BotRequest::Spec(STUDY[2].to_owned()));
        let of_beginner = |lot| server_player(630, lot);
        assert_eq!([1, 5, 8].map(of_beginner), [1, 2, 1].map(BotRequest::Level));
    }
}
