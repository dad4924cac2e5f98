//! What the games of one bot add up to.

use std::collections::BTreeMap;

use checkers_lib::Color;
use checkers_lib::protocol::EndReason;
use serde::{Deserialize, Serialize};

use crate::statistics::{Rating, Unrated, Wdl};
use crate::{BotId, FaultKind, Forfeit, GameRecord, PairRecord, Ruling};

/// What the games of one bot add up to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BotStanding {
    /// Which bot.
    pub bot: BotId,
    /// Games that count: every one but the void ones.
    pub games: u64,
    /// How they ended for the bot.
    pub score: Wdl,
    /// Those of them with White.
    pub as_white: Wdl,
    /// Those of them with Black.
    pub as_black: Wdl,
    /// A win one and a draw half.
    pub points: f64,
    /// The points as a share of the games, in percent; `None` without any.
    pub percent: Option<f64>,
    /// Games that count for nothing.
    pub void: u64,
    /// Games that it failed to finish, lost or void, by kind of failure.
    pub forfeits: Vec<ForfeitCount>,
    /// Games it lost because its clock ran out.
    pub time_losses: u64,
    /// Games ended by judgement, the ply cap apart.
    pub adjudicated: Wdl,
    /// Draws by the ply cap.
    pub ply_caps: u64,
    /// Its rating, relative to the first bot's; `None` with fewer than three bots, or if it has
    /// none.
    pub rating: Option<Rating>,
    /// Why it has none, with three or more bots.
    pub unrated: Option<Unrated>,
}

/// How often a bot failed in one way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ForfeitCount {
    /// In which.
    pub kind: FaultKind,
    /// In how many games.
    pub games: u64,
    /// The last time it did, with its last words.
    pub last: Forfeit,
}

impl BotStanding {
    pub(super) fn of(bot: BotId, pairs: &[PairRecord]) -> BotStanding {
        let games: Vec<&GameRecord> = (pairs.iter())
            .flat_map(|pair| &pair.games)
            .filter(|game| game.seats.white == bot || game.seats.black == bot)
            .collect();
        let wdl = |counts: &dyn Fn(&GameRecord) -> bool| score(bot, &games, counts);
        let number = |counts: &dyn Fn(&GameRecord) -> bool| count(games.iter().copied(), counts);
        let all = wdl(&|_| true);
        BotStanding {
            bot,
            games: all.games(),
            score: all,
            as_white: wdl(&|game| game.seats.color(bot) == Color::White),
            as_black: wdl(&|game| game.seats.color(bot) == Color::Black),
            points: all.points(),
            percent: (all.games() > 0).then(|| 100.0 * all.points() / all.games() as f64),
            void: number(&GameRecord::is_void),
            forfeits: forfeits(bot, &games),
            time_losses: number(&|game| lost_on_time(bot, game)),
            adjudicated: wdl(&|game| matches!(game.ruling, Some(Ruling::Win | Ruling::Draw))),
            ply_caps: number(&|game| matches!(game.ruling, Some(Ruling::PlyCap { .. }))),
            rating: None,
            unrated: None,
        }
    }

    /// How many games it failed to finish.
    pub fn forfeited(&self) -> u64 {
        self.forfeits.iter().map(|count| count.games).sum()
    }
}

fn count<'a>(
    games: impl Iterator<Item = &'a GameRecord>,
    counts: &dyn Fn(&GameRecord) -> bool,
) -> u64 {
    games.filter(|game| counts(game)).count() as u64
}

fn score(bot: BotId, games: &[&GameRecord], counts: &dyn Fn(&GameRecord) -> bool) -> Wdl {
    let mut score = Wdl::default();
    for game in games.iter().filter(|game| counts(game)) {
        if let Some(result) = game.score_of(bot) {
            score.count(result);
        }
    }
    score
}

fn lost_on_time(bot: BotId, game: &GameRecord) -> bool {
    game.reason == EndReason::Time && game.winner().is_some_and(|winner| winner != bot)
}

fn forfeits(bot: BotId, games: &[&GameRecord]) -> Vec<ForfeitCount> {
    let mut kinds: BTreeMap<FaultKind, (u64, &Forfeit)> = BTreeMap::new();
    let own = games.iter().filter_map(|game| game.forfeit());
    for forfeit in own.filter(|forfeit| forfeit.bot == bot) {
        let known = kinds.entry(forfeit.fault.kind()).or_insert((0, forfeit));
        *known = (known.0 + 1, forfeit);
    }
    (kinds.into_iter())
        .map(|(kind, (games, last))| ForfeitCount {
            kind,
            games,
            last: last.clone(),
        })
        .collect()
}
