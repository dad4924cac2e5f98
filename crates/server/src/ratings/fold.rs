//! Ratings as a function of the rated games in their order.

use std::collections::HashMap;

use checkers_lib::protocol::GameResult;
use checkers_lib::{ByColor, Color};
use event_store::UnixMillis;

use super::DAY;
use super::glicko::Estimate;
use super::speed::Speed;
use super::standing::Standing;

/// Games of two players in a day that count.
const GAMES_A_DAY: usize = 20;

/// Games that a player has given up early in a day that count.
pub(super) const GIVEN_UP_A_DAY: usize = 3;

/// The fixed ratings of the levels, from 1 to 10. The distances are those that were measured before the champion was
/// tuned, and stay, because all ratings depend on them. Level 5 has the rating of an average player.
pub(crate) const LEVELS: [i32; 10] = [630, 798, 1039, 1311, 1500, 1613, 1846, 2053, 2224, 2401];

/// A finished game that is rated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RatedGame {
    /// Its number in the order of rating, from 1.
    pub(super) number: i64,
    /// The names of the players.
    pub(super) players: ByColor<String>,
    /// The bots that the server played there, or empty.
    pub(super) bots: ByColor<String>,
    pub(super) result: String,
    /// The time control of both sides.
    pub(super) clock: String,
    pub(super) finished_at: UnixMillis,
    /// The side that gave it up early, `white` or `black`, or empty.
    pub(super) gave_up: String,
}

impl RatedGame {
    /// The name of the player who gave the game up early.
    pub(super) fn quitter(&self) -> Option<&str> {
        let color = match self.gave_up.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return None,
        };
        self.bots[color]
            .is_empty()
            .then_some(self.players[color].as_str())
    }
}

/// A change of a player's rating.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RatingChange {
    pub(super) name: String,
    pub(super) opponent: String,
    pub(super) speed: Speed,
    /// The number of the game.
    pub(super) number: i64,
    /// When it ended.
    pub(super) at: UnixMillis,
    /// The rating after the game.
    pub(super) standing: Standing,
}

/// The ratings after some games.
#[derive(Debug, Default)]
pub(super) struct RatingState {
    /// By name and class.
    pub(super) standings: HashMap<(String, Speed), Standing>,
    /// When the games of two players ended that counted; the names are in alphabetical order.
    pub(super) meetings: HashMap<[String; 2], Vec<UnixMillis>>,
    /// When the rated games ended that a player gave up early, whether they counted or not.
    pub(super) given_up: HashMap<String, Vec<UnixMillis>>,
}

impl RatingState {
    /// Rates a game. Returns no change if it does not count.
    pub(super) fn rate(&mut self, game: &RatedGame) -> Vec<RatingChange> {
        if !self.counts(game) {
            return Vec::new();
        }
        let score = match GameResult::from_name(&game.result) {
            Some(GameResult::WhiteWon) => 1.0,
            Some(GameResult::Draw) => 0.5,
            Some(GameResult::BlackWon) => 0.0,
            Some(GameResult::Interrupted) | None => return Vec::new(),
        };
        let Ok(control) = game.clock.parse() else {
            return Vec::new();
        };
        let (speed, now) = (Speed::of(control), game.finished_at);
        let meetings = self.meetings.entry(pair(&game.players)).or_default();
        if within_a_day(meetings, now) >= GAMES_A_DAY {
            return Vec::new();
        }
        meetings.push(now);
        let before = ByColor::new_with(|color| self.standing(game, color, speed));
        let scores = ByColor {
            white: score,
            black: 1.0 - score,
        };
        let mut changes = Vec::new();
        for color in Color::ALL {
            if !game.bots[color].is_empty() {
                continue;
            }
            let opponent = match fixed_rating(&game.bots[!color], &LEVELS) {
                Some(rating) => Estimate {
                    rating,
                    deviation: 0.0,
                    volatility: 0.0,
                },
                None => before[!color].estimate(),
            };
            let standing = before[color].after(opponent, scores[color], now);
            let name = game.players[color].clone();
            self.standings.insert((name.clone(), speed), standing);
            changes.push(RatingChange {
                name,
                opponent: game.players[!color].clone(),
                speed,
                number: game.number,
                at: now,
                standing,
            });
        }
        changes
    }

    /// Notes that a game was given up. Returns false if the player has given up too many.
    fn counts(&mut self, game: &RatedGame) -> bool {
        let Some(quitter) = game.quitter() else {
            return true;
        };
        let times = self.given_up.entry(quitter.to_owned()).or_default();
        let is_one_of_few = within_a_day(times, game.finished_at) < GIVEN_UP_A_DAY;
        times.push(game.finished_at);
        is_one_of_few
    }

    fn standing(&self, game: &RatedGame, color: Color, speed: Speed) -> Standing {
        let key = (game.players[color].clone(), speed);
        let known = self.standings.get(&key).copied();
        known.unwrap_or_else(|| Standing::new(game.finished_at))
    }
}

/// How many of these games had ended for less than a day, or ended later: games are not always rated in the order of
/// their ends.
fn within_a_day(times: &[UnixMillis], now: UnixMillis) -> usize {
    let since = now.0.saturating_sub(DAY);
    times.iter().filter(|at| at.0 > since).count()
}

/// The names in alphabetical order.
pub(super) fn pair(players: &ByColor<String>) -> [String; 2] {
    let mut pair = [players.white.clone(), players.black.clone()];
    pair.sort_unstable();
    pair
}

/// The rating of a level such as `level 5` among these; `None` if this is no level.
pub(crate) fn fixed_rating(bot: &str, levels: &[i32]) -> Option<f64> {
    let number: usize = bot.strip_prefix("level ")?.parse().ok()?;
    levels.get(number.checked_sub(1)?).copied().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: i64, white: &str, black: &str, result: &str) -> RatedGame {
        RatedGame {
            number,
            players: ByColor {
                white: white.to_owned(),
                black: black.to_owned(),
            },
            bots: ByColor::default(),
            result: result.to_owned(),
            clock: "5m+3s".to_owned(),
            finished_at: UnixMillis(number * 60_000),
            gave_up: String::new(),
        }
    }

    fn points(changes: &[RatingChange]) -> Vec<(&str, i64)> {
        let points = |change: &RatingChange| change.standing.points();
        changes
            .iter()
            .map(|change| (change.name.as_str(), points(change)))
            .collect()
    }

    #[test]
    fn a_win_raises_one_rating_and_lowers_the_other() {
        let mut state = RatingState::default();
        let changes = state.rate(&game(1, "anna", "boris", "white_won"));
        assert_eq!(points(&changes), [("anna", 1741), ("boris", 1259)]);
        let changes = state.rate(&game(2, "boris", "anna", "draw"));
        assert_eq!(changes[0].standing.games, 2);
        assert!(changes[0].standing.points() > 1259, "the weaker one gains");
    }

    #[test]
    fn interrupted_games_and_those_without_a_clock_do_not_count() {
        let mut state = RatingState::default();
        assert_eq!(state.rate(&game(1, "anna", "boris", "interrupted")), []);
        let untimed = RatedGame {
            clock: "none".to_owned(),
            ..game(2, "anna", "boris", "draw")
        };
        assert_eq!(state.rate(&untimed), []);
        assert!(state.standings.is_empty());
    }

    #[test]
    fn the_order_of_rating_decides() {
        let mut state = RatingState::default();
        for number in 1..=20 {
            state.rate(&game(number, "anna", "boris", "draw"));
        }
        let minute = DAY / 60_000;
        assert!(
            !state
                .rate(&game(minute + 20, "anna", "boris", "draw"))
                .is_empty()
        );
        // It has ended before the last one; all 20 were within a day then.
        assert!(state.rate(&game(30, "anna", "boris", "draw")).is_empty());
    }

    #[test]
    fn a_level_keeps_its_rating() {
        let mut state = RatingState::default();
        let against = |number, level: &str| RatedGame {
            bots: ByColor {
                white: String::new(),
                black: format!("level {level}"),
            },
            ..game(number, "anna", level, "white_won")
        };
        let changes = state.rate(&against(1, "10"));
        assert_eq!(changes.len(), 1);
        let of_strong = changes[0].standing.points();
        let changes = RatingState::default().rate(&against(1, "1"));
        assert!(of_strong > changes[0].standing.points() + 300);
        assert!(
            fixed_rating("level 0", &LEVELS).is_none()
                && fixed_rating("level 11", &LEVELS).is_none()
        );
    }

    #[test]
    fn three_games_a_day_that_a_player_gives_up_early_count() {
        let mut state = RatingState::default();
        let counted = |state: &mut RatingState, number, black, gave_up: &str| {
            let game = RatedGame {
                gave_up: gave_up.to_owned(),
                ..game(number, "anna", black, "black_won")
            };
            !state.rate(&game).is_empty()
        };
        let opponents = ["boris", "clara", "boris"];
        for (number, black) in (1..).zip(opponents) {
            assert!(counted(&mut state, number, black, "white"));
        }
        assert!(!counted(&mut state, 4, "clara", "white"));
        assert!(!counted(&mut state, 5, "boris", "white"));
        // Games that she plays, and those that others give up, count.
        assert!(counted(&mut state, 6, "boris", ""));
        assert!(counted(&mut state, 7, "boris", "black"));
        let next_day = DAY / 60_000;
        assert!(
            !counted(&mut state, next_day + 2, "boris", "white"),
            "games that did not count are among the last three too"
        );
        assert!(counted(&mut state, next_day + 6, "boris", "white"));
    }

    #[test]
    fn a_level_gives_up_as_often_as_it_likes() {
        let mut state = RatingState::default();
        for number in 1..=5 {
            let game = RatedGame {
                bots: ByColor {
                    white: String::new(),
                    black: "level 1".to_owned(),
                },
                gave_up: "black".to_owned(),
                ..game(number, "anna", "level 1", "white_won")
            };
            assert_eq!(state.rate(&game).len(), 1);
        }
    }

    #[test]
    fn twenty_games_a_day_against_one_opponent_count() {
        let mut state = RatingState::default();
        let counted = |state: &mut RatingState, number, black| {
            !state.rate(&game(number, "anna", black, "draw")).is_empty()
        };
        assert!((1..=20).all(|number| counted(&mut state, number, "boris")));
        assert!(!counted(&mut state, 21, "boris"));
        assert!(counted(&mut state, 22, "clara"));
        let next_day = DAY / 60_000 + 1;
        assert!(counted(&mut state, next_day, "boris"));
        assert!(
            !counted(&mut state, next_day, "boris"),
            "19 of the day before still do"
        );
    }
}
