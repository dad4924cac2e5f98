//! Arenas: until the time is over, everyone who waits is paired with a neighbour in points.

use std::cmp::Reverse;

use crate::{Game, GameOutcome, places};

/// A win and a draw, in points.
const WIN: u32 = 2;
const DRAW: u32 = 1;

/// After this many wins in a row, points count twice.
const STREAK: u32 = 2;

/// What a player has scored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArenaScore {
    /// The sum of [`ArenaScore::games`].
    pub points: u32,
    /// The points of each game, in the order of their ends.
    pub games: Vec<u32>,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Wins since the last game that was not won.
    pub streak: u32,
    /// Games with White minus games with Black.
    pub balance: i32,
    /// The points of the opponents, once for each game.
    pub opposition: u64,
}

impl ArenaScore {
    /// Whether points count twice.
    pub fn is_on_streak(&self) -> bool {
        self.streak >= STREAK
    }

    fn add(&mut self, points: u32) {
        let points = if self.is_on_streak() {
            2 * points
        } else {
            points
        };
        self.points += points;
        self.games.push(points);
    }
}

/// The scores of the players, by their numbers. `games` are in the order of their ends; those of unknown players are
/// ignored.
///
/// CITE: the scoring of arenas on lichess.org: a win is 2 points, a draw 1; after two wins in a row, points are doubled
/// until a game is not won.
pub fn scores(players: usize, games: &[Game]) -> Vec<ArenaScore> {
    let mut scores = vec![ArenaScore::default(); players];
    let is_known = |game: &&Game| game.players.iter().all(|&player| player < players);
    for Game {
        players: [white, black],
        outcome,
    } in games.iter().filter(is_known)
    {
        for (player, won, balance) in [
            (*white, GameOutcome::White, 1),
            (*black, GameOutcome::Black, -1),
        ] {
            let score = &mut scores[player];
            score.balance += balance;
            if *outcome == won {
                score.add(WIN);
                score.wins += 1;
                score.streak += 1;
            } else {
                score.add(if *outcome == GameOutcome::Draw {
                    DRAW
                } else {
                    0
                });
                score.draws += u32::from(*outcome == GameOutcome::Draw);
                score.streak = 0;
            }
        }
    }
    let points: Vec<u64> = scores.iter().map(|score| score.points.into()).collect();
    for Game {
        players: [white, black],
        ..
    } in games.iter().filter(is_known)
    {
        scores[*white].opposition += points[*black];
        scores[*black].opposition += points[*white];
    }
    scores
}

/// The players in the order of their places, each with its place from 1. Equal players share a place.
///
/// First come points, then the average points of the opponents, then wins; players without games come last.
pub fn ranking(scores: &[ArenaScore]) -> Vec<(usize, usize)> {
    let key = |player: usize| {
        let score = &scores[player];
        let games = score.games.len() as u64;
        // In thousandths, so that it can be compared exactly.
        let average = (1000 * score.opposition)
            .checked_div(games)
            .unwrap_or_default();
        Reverse((score.points, games > 0, average, score.wins))
    };
    let keys: Vec<_> = (0..scores.len()).map(key).collect();
    places(&keys)
}

/// Pairs neighbours of a list that is sorted by points, as far as they may meet. In this order of their indices, each
/// player who has no opponent yet takes the nearest one. Returns indices. O(players²).
pub fn pair(order: &[usize], may_meet: impl Fn(usize, usize) -> bool) -> Vec<[usize; 2]> {
    let mut waiting: Vec<usize> = order.to_vec();
    let mut pairs = Vec::new();
    while !waiting.is_empty() {
        let player = waiting.remove(0);
        let others = waiting.iter().enumerate();
        let nearest = others
            .filter(|(_, other)| may_meet(player, **other))
            .min_by_key(|(_, other)| other.abs_diff(player));
        if let Some((at, _)) = nearest {
            pairs.push([player, waiting.remove(at)]);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: usize, black: usize, outcome: GameOutcome) -> Game {
        Game {
            players: [white, black],
            outcome,
        }
    }

    #[test]
    fn points_count_twice_after_two_wins_in_a_row() {
        let games = [
            game(0, 1, GameOutcome::White),
            game(2, 0, GameOutcome::Black),
            game(0, 1, GameOutcome::White),
            game(1, 0, GameOutcome::Draw),
            game(0, 2, GameOutcome::White),
            game(2, 0, GameOutcome::White),
        ];
        let scores = scores(3, &games);
        assert_eq!(scores[0].games, [2, 2, 4, 2, 2, 0]);
        assert_eq!(
            (scores[0].points, scores[0].wins, scores[0].draws),
            (12, 4, 1)
        );
        assert_eq!((scores[0].streak, scores[0].balance), (0, 0));
        assert_eq!(scores[1].games, [0, 0, 1]);
        assert_eq!(scores[2].games, [0, 0, 2]);
        assert_eq!(scores[2].opposition, 3 * 12);
        assert!(!scores[2].is_on_streak());
    }

    #[test]
    fn ties_are_broken_by_the_opponents_and_then_shared() {
        let games = [
            game(0, 1, GameOutcome::White),
            game(2, 3, GameOutcome::White),
            game(1, 3, GameOutcome::Draw),
            game(4, 0, GameOutcome::White),
            game(5, 6, GameOutcome::White),
        ];
        // 0 has won against 1, who has a point; 2 against 3, who has one too; 4 against 0; 5 against nobody.
        let ranking = ranking(&scores(8, &games));
        let places: Vec<(usize, usize)> = ranking;
        assert_eq!(
            places,
            [
                (1, 4),
                (2, 0),
                (3, 2),
                (4, 5),
                (5, 1),
                (5, 3),
                (7, 6),
                (8, 7)
            ]
        );
    }

    #[test]
    fn games_of_others_are_left_out() {
        assert_eq!(
            scores(1, &[game(0, 1, GameOutcome::White)]),
            [ArenaScore::default()]
        );
        assert_eq!(ranking(&[]), []);
    }

    #[test]
    fn neighbours_are_paired_if_they_may_meet() {
        assert_eq!(pair(&[0, 1, 2, 3, 4], |_, _| true), [[0, 1], [2, 3]]);
        assert_eq!(pair(&[4, 0, 1, 2], |_, _| true), [[4, 2], [0, 1]]);
        let is_other = |a: usize, b: usize| a + b != 1;
        assert_eq!(pair(&[0, 1, 2, 3], is_other), [[0, 2], [1, 3]]);
        assert_eq!(pair(&[0, 1], |_, _| false), [[0; 2]; 0]);
    }
}
