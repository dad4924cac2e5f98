//! Tournaments in rounds: what the next round is, and who leads.

use std::cmp::{Ordering, Reverse};
use std::collections::HashSet;

use crate::swiss::{self, Color, Play};
use crate::{knockout, places, round_robin};

/// The points of a win, or of a bye in a Swiss. A pairing of several games counts as one.
pub const WIN: u32 = 2;
/// The points of a draw.
pub const DRAW: u32 = 1;

/// How the players of each round are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum System {
    /// Players with equal points meet.
    Swiss {
        /// How many rounds there are.
        rounds: usize,
        /// Whether both players have White in a pairing, so that colours do not matter.
        has_both_colors: bool,
    },
    /// Everybody meets everybody.
    RoundRobin {
        /// How often.
        cycles: usize,
    },
    /// The winners meet.
    Knockout,
}

/// Two players who meet in a round, or one who has a bye.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RoundsPairing {
    /// Has White in the first game.
    pub white: usize,
    /// The opponent.
    pub black: Option<usize>,
}

/// A pairing that is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The players.
    pub pairing: RoundsPairing,
    /// What White and Black of the first game scored in all games: 2 for a win, 1 for a draw.
    pub score: [u32; 2],
    /// Games that were played. Without one, the result is by default.
    pub played: u32,
}

/// What a player has reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundsScore {
    /// The sum of [`RoundsScore::rounds`].
    pub points: u32,
    /// The points of each round; `None` if the player was not paired.
    pub rounds: Vec<Option<u32>>,
    /// Pairings won; in a round-robin also those by default.
    pub wins: u32,
    /// Pairings drawn.
    pub draws: u32,
    /// What decides between players with equal points, the most important first.
    pub tie_breaks: Vec<u32>,
}

impl Meeting {
    /// The points of both players.
    pub fn points(&self) -> [u32; 2] {
        if self.pairing.black.is_none() {
            return [WIN, 0];
        }
        let [one, other] = self.score;
        match one.cmp(&other) {
            Ordering::Greater => [WIN, 0],
            Ordering::Less => [0, WIN],
            // Both have lost every game by default.
            Ordering::Equal if one == 0 => [0, 0],
            Ordering::Equal => [DRAW, DRAW],
        }
    }

    /// Whether nobody has won, so that a knockout needs another game.
    pub fn is_level(&self) -> bool {
        self.pairing.black.is_some() && self.score[0] == self.score[1]
    }

    /// The player who goes on in a knockout; the better seed, if the score is level.
    fn winner(&self) -> usize {
        let RoundsPairing { white, black } = self.pairing;
        match (black, self.score[0].cmp(&self.score[1])) {
            (Some(black), Ordering::Less) => black,
            (Some(black), Ordering::Equal) => white.min(black),
            _ => white,
        }
    }
}

/// The next round; `None` if the tournament is over. Players are numbered by their seeding; `is_in` says who has not
/// left. Players who have left are paired in a round-robin and a knockout, where they lose by default, but not in a
/// Swiss.
pub fn next_round(
    system: System,
    is_in: &[bool],
    rounds: &[Vec<Meeting>],
) -> Option<Vec<RoundsPairing>> {
    let pairings = match system {
        System::Swiss {
            rounds: all,
            has_both_colors,
        } => {
            let is_over = rounds.len() >= all || is_in.iter().filter(|is_in| **is_in).count() < 2;
            if is_over {
                return None;
            }
            swiss_round(is_in, rounds, all, has_both_colors)
        }
        System::RoundRobin { cycles } => {
            let table = round_robin::rounds(is_in.len());
            let cycle = rounds.len().checked_div(table.len())?;
            if cycle >= cycles {
                return None;
            }
            let mut pairs = table[rounds.len() % table.len()].clone();
            if !cycle.is_multiple_of(2) {
                pairs.iter_mut().for_each(|pair| pair.reverse());
            }
            let paired: HashSet<usize> = pairs.iter().flatten().copied().collect();
            pairings(
                pairs,
                (0..is_in.len()).filter(|player| !paired.contains(player)),
            )
        }
        System::Knockout => {
            let meetings = match rounds.last() {
                None => knockout::first_round(is_in.len()),
                Some(last) if last.len() <= 1 => return None,
                Some(last) => {
                    let winners: Vec<usize> = last.iter().map(Meeting::winner).collect();
                    knockout::next_round(&winners)
                }
            };
            let turn = |(better, other): (usize, Option<usize>)| match other {
                Some(other) if !rounds.len().is_multiple_of(2) => RoundsPairing {
                    white: other,
                    black: Some(better),
                },
                other => RoundsPairing {
                    white: better,
                    black: other,
                },
            };
            meetings.into_iter().map(turn).collect()
        }
    };
    Some(pairings)
}

/// Pairs of White and Black, then the players who have a bye.
fn pairings(pairs: Vec<[usize; 2]>, byes: impl IntoIterator<Item = usize>) -> Vec<RoundsPairing> {
    let pairs = pairs.into_iter().map(|[white, black]| RoundsPairing {
        white,
        black: Some(black),
    });
    let byes = byes
        .into_iter()
        .map(|white| RoundsPairing { white, black: None });
    pairs.chain(byes).collect()
}

fn swiss_round(
    is_in: &[bool],
    rounds: &[Vec<Meeting>],
    all: usize,
    has_both_colors: bool,
) -> Vec<RoundsPairing> {
    let settings = swiss::SwissSettings {
        rounds: all,
        win: WIN,
        colors: !has_both_colors,
        first: Color::White,
    };
    let absent = swiss::PlayedRound {
        points: 0,
        play: Play::Absence,
    };
    let mut players = vec![swiss::SwissPlayer::default(); is_in.len()];
    for (number, round) in rounds.iter().enumerate() {
        for meeting in round {
            for (player, round) in seen_by_both(meeting) {
                if let Some(player) = players.get_mut(player) {
                    player.rounds.resize(number, absent);
                    player.rounds.push(round);
                }
            }
        }
    }
    let swiss::Draw { pairs, bye } = swiss::draw(&players, is_in, &settings);
    pairings(pairs, bye)
}

/// A pairing as each of its players sees it.
fn seen_by_both(meeting: &Meeting) -> impl Iterator<Item = (usize, swiss::PlayedRound)> {
    let RoundsPairing { white, black } = meeting.pairing;
    let of_both = [(black, Color::White), (Some(white), Color::Black)];
    let play = move |opponent: Option<usize>, color| match opponent {
        None => Play::Bye,
        Some(_) if meeting.played == 0 => Play::Forfeit,
        Some(opponent) => Play::Game { opponent, color },
    };
    sides(meeting)
        .zip(of_both)
        .map(move |((player, points), (opponent, color))| {
            let play = play(opponent, color);
            (player, swiss::PlayedRound { points, play })
        })
}

/// The scores of the players.
///
/// With equal points, the tie-breaks of a Swiss are the points of the opponents without the weakest one, those of all
/// opponents (Solkoff), and wins. Those of a round-robin are wins, the points in the games against each other, and the
/// points of the opponents, each times the points against that one (Sonneborn-Berger). That of a knockout, where points
/// do not count, is how often a player went on to the next round.
pub fn scores(system: System, players: usize, rounds: &[Vec<Meeting>]) -> Vec<RoundsScore> {
    let mut scores = vec![RoundsScore::default(); players];
    let is_table = matches!(system, System::RoundRobin { .. });
    // In a round-robin, results by default count as games: every player needs the same opponents.
    let counts = |meeting: &Meeting| is_table || meeting.played > 0;
    for (number, round) in rounds.iter().enumerate() {
        for meeting in round {
            // In a round-robin, all players have the same number of byes.
            if is_table && meeting.pairing.black.is_none() {
                continue;
            }
            for (player, points) in sides(meeting) {
                let Some(score) = scores.get_mut(player) else {
                    continue;
                };
                score.rounds.resize(number, None);
                score.rounds.push(Some(points));
                score.points += points;
                if counts(meeting) {
                    score.wins += u32::from(points == WIN);
                    score.draws += u32::from(points == DRAW);
                }
            }
        }
    }
    let points: Vec<u32> = scores.iter().map(|score| score.points).collect();
    let opponents = opponents(players, rounds, counts);
    let mut won = vec![0; players];
    for winner in rounds.iter().flatten().map(Meeting::winner) {
        if let Some(won) = won.get_mut(winner) {
            *won += 1;
        }
    }
    for (player, score) in scores.iter_mut().enumerate() {
        score.rounds.resize(rounds.len(), None);
        let met = &opponents[player];
        score.tie_breaks = match system {
            System::Swiss { .. } => {
                let all: u32 = met.iter().map(|(opponent, _)| points[*opponent]).sum();
                let least = met.iter().map(|(opponent, _)| points[*opponent]).min();
                // A round without a game counts as the weakest opponent.
                let is_short = met.len() < rounds.len();
                let least = least.filter(|_| !is_short).unwrap_or(0);
                vec![all - least, all, score.wins]
            }
            System::RoundRobin { .. } => {
                let direct = met
                    .iter()
                    .filter(|(other, _)| points[*other] == score.points);
                let direct = direct.map(|(_, of_it)| of_it).sum();
                let berger = met.iter().map(|(other, of_it)| points[*other] * of_it);
                vec![score.wins, direct, berger.sum()]
            }
            System::Knockout => vec![won[player]],
        };
    }
    scores
}

/// The players in the order of their places, each with its place from 1. Equal players share a place.
pub fn ranking(system: System, scores: &[RoundsScore]) -> Vec<(usize, usize)> {
    let key = |player: usize| {
        let RoundsScore {
            points, tie_breaks, ..
        } = &scores[player];
        match system {
            System::Knockout => Reverse((0, tie_breaks)),
            System::Swiss { .. } | System::RoundRobin { .. } => Reverse((*points, tie_breaks)),
        }
    };
    let keys: Vec<_> = (0..scores.len()).map(key).collect();
    places(&keys)
}

fn sides(meeting: &Meeting) -> impl Iterator<Item = (usize, u32)> {
    let [white, black] = meeting.points();
    let RoundsPairing {
        white: first,
        black: second,
    } = meeting.pairing;
    [Some((first, white)), second.map(|second| (second, black))]
        .into_iter()
        .flatten()
}

/// The opponents of each player in the pairings that count, with what the player scored against them.
fn opponents(
    players: usize,
    rounds: &[Vec<Meeting>],
    counts: impl Fn(&Meeting) -> bool,
) -> Vec<Vec<(usize, u32)>> {
    let mut opponents = vec![Vec::new(); players];
    for meeting in rounds.iter().flatten().filter(|meeting| counts(meeting)) {
        if let Some(black) = meeting.pairing.black.filter(|&black| black < players)
            && meeting.pairing.white < players
        {
            let [of_white, of_black] = meeting.points();
            opponents[meeting.pairing.white].push((black, of_white));
            opponents[black].push((meeting.pairing.white, of_black));
        }
    }
    opponents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairing(white: usize, black: impl Into<Option<usize>>) -> RoundsPairing {
        RoundsPairing {
            white,
            black: black.into(),
        }
    }

    fn meeting(white: usize, black: usize, score: [u32; 2]) -> Meeting {
        Meeting {
            pairing: pairing(white, black),
            score,
            played: 1,
        }
    }

    fn bye(player: usize) -> Meeting {
        Meeting {
            pairing: pairing(player, None),
            score: [0, 0],
            played: 0,
        }
    }

    fn by_default(white: usize, black: usize, score: [u32; 2]) -> Meeting {
        Meeting {
            played: 0,
            ..meeting(white, black, score)
        }
    }

    fn places(system: System, players: usize, rounds: &[Vec<Meeting>]) -> Vec<(usize, usize)> {
        ranking(system, &scores(system, players, rounds))
    }

    #[test]
    fn a_pairing_of_several_games_counts_as_one() {
        assert_eq!(meeting(0, 1, [4, 2]).points(), [2, 0]);
        assert_eq!(meeting(0, 1, [3, 3]).points(), [1, 1]);
        assert_eq!(meeting(0, 1, [1, 3]).points(), [0, 2]);
        assert_eq!(by_default(0, 1, [0, 0]).points(), [0, 0]);
        assert_eq!(bye(0).points(), [2, 0]);
    }

    #[test]
    fn everybody_meets_everybody_in_a_round_robin() {
        let system = System::RoundRobin { cycles: 2 };
        let mut rounds: Vec<Vec<Meeting>> = Vec::new();
        while let Some(next) = next_round(system, &[true; 5], &rounds) {
            let over = |pairing: RoundsPairing| Meeting {
                pairing,
                score: [2, 0],
                played: u32::from(pairing.black.is_some()),
            };
            rounds.push(next.into_iter().map(over).collect());
        }
        assert_eq!(rounds.len(), 10);
        for round in &rounds {
            assert_eq!(round.len(), 3);
            assert_eq!(round[2].pairing.black, None);
        }
        // Everybody has White once against everybody, and wins with it.
        let scores = scores(system, 5, &rounds);
        for score in &scores {
            assert_eq!((score.points, score.wins, score.rounds.len()), (8, 4, 10));
            assert_eq!(
                score
                    .rounds
                    .iter()
                    .filter(|points| points.is_none())
                    .count(),
                2
            );
        }
        let shared = ranking(system, &scores);
        assert!(shared.iter().all(|(place, _)| *place == 1));
    }

    #[test]
    fn the_winners_of_a_knockout_meet() {
        let system = System::Knockout;
        let first = next_round(system, &[true; 5], &[]).unwrap();
        let expected = [
            pairing(0, None),
            pairing(3, 4),
            pairing(1, None),
            pairing(2, None),
        ];
        assert_eq!(first, expected);
        let mut rounds = vec![vec![bye(0), meeting(3, 4, [0, 2]), bye(1), bye(2)]];
        let second = next_round(system, &[true; 5], &rounds).unwrap();
        // The worse seed has White in every other round.
        assert_eq!(second, [pairing(4, 0), pairing(2, 1)]);
        // Level to the end: the better seed goes on.
        rounds.push(vec![meeting(4, 0, [2, 2]), meeting(2, 1, [2, 0])]);
        assert!(rounds[1][0].is_level() && !rounds[1][1].is_level());
        assert_eq!(
            next_round(system, &[true; 5], &rounds).unwrap(),
            [pairing(0, 2)]
        );
        rounds.push(vec![meeting(0, 2, [0, 2])]);
        assert_eq!(next_round(system, &[true; 5], &rounds), None);
        let expected = [(1, 2), (2, 0), (3, 1), (3, 4), (5, 3)];
        assert_eq!(places(system, 5, &rounds), expected);
        assert_eq!(next_round(system, &[true], &[]), Some(Vec::new()));
    }

    #[test]
    fn a_swiss_ends_after_its_rounds_or_without_players() {
        let system = System::Swiss {
            rounds: 1,
            has_both_colors: false,
        };
        let next = next_round(system, &[true, false, true, true], &[]).unwrap();
        assert_eq!(next, [pairing(0, 2), pairing(3, None)]);
        assert_eq!(next_round(system, &[true, false], &[]), None);
        assert_eq!(next_round(system, &[true; 4], &[vec![bye(0)]]), None);
    }

    #[test]
    fn opponents_decide_between_equal_players_of_a_swiss() {
        let system = System::Swiss {
            rounds: 2,
            has_both_colors: false,
        };
        let rounds = [
            vec![meeting(0, 3, [2, 0]), meeting(1, 4, [2, 0]), bye(2)],
            vec![meeting(1, 0, [1, 1]), by_default(2, 3, [2, 0]), bye(4)],
        ];
        let scores = scores(system, 5, &rounds);
        let points: Vec<u32> = scores.iter().map(|score| score.points).collect();
        assert_eq!(points, [3, 3, 4, 0, 2]);
        // 0 has met 3 and 1, 1 has met 4 and 0; 2 has met nobody.
        assert_eq!(scores[0].tie_breaks, [3, 3, 1]);
        assert_eq!(scores[1].tie_breaks, [3, 5, 1]);
        assert_eq!(scores[2].tie_breaks, [0, 0, 0]);
        let expected = [(1, 2), (2, 1), (3, 0), (4, 4), (5, 3)];
        assert_eq!(ranking(system, &scores), expected);
    }

    #[test]
    fn wins_decide_first_in_a_round_robin() {
        let system = System::RoundRobin { cycles: 1 };
        let rounds = [
            vec![meeting(0, 3, [1, 1]), meeting(1, 2, [2, 0])],
            vec![meeting(3, 2, [0, 2]), meeting(0, 1, [1, 1])],
            vec![meeting(1, 3, [0, 2]), meeting(2, 0, [1, 1])],
        ];
        // All have three points.
        let scores = scores(system, 4, &rounds);
        assert!(scores.iter().all(|score| score.points == 3));
        assert_eq!(scores[0].tie_breaks, [0, 3, 9]);
        assert_eq!(ranking(system, &scores)[3], (4, 0));
    }
}
