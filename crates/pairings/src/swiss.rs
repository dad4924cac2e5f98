//! Swiss tournaments: each round, players with equal points are paired, and no two of them twice.
//!
//! CITE: FIDE Handbook C.04.3, "FIDE (Dutch) System", effective from 1 February 2026, and for the order of the boards
//! C.04.2. Rules are named as there: C1 to C21 are the pairing criteria from the most important to the least.

mod bracket;
mod entry;
mod field;
mod pairing;
mod weights;

use bracket::Bracket;
use field::Field;

/// One side of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// The first side.
    White,
    /// The second side.
    Black,
}

impl Color {
    /// The color of the opponent.
    pub fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// What a player did in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// A game that was really played.
    Game {
        /// The number of the opponent.
        opponent: usize,
        /// The color of the player.
        color: Color,
    },
    /// The bye of a round with an odd number of players.
    Bye,
    /// A pairing without a game, because one of the two did not come.
    Forfeit,
    /// Neither: a bye by request, absence, or a round before a late entry.
    Absence,
}

/// A round from the view of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedRound {
    /// What it gave. A loss gives 0.
    pub points: u32,
    /// What the player did.
    pub play: Play,
}

/// The history of a player. Missing rounds count as absence without points.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SwissPlayer {
    /// The rounds so far, from the first.
    pub rounds: Vec<PlayedRound>,
}

/// What holds for the whole tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissSettings {
    /// How many rounds the tournament has; the last one has its own rules.
    pub rounds: usize,
    /// The points of a win, in the unit of [`PlayedRound::points`].
    pub win: u32,
    /// Whether colors matter. They do not where each pair plays a game with each.
    pub colors: bool,
    /// The color of the first player in the first round.
    pub first: Color,
}

/// A round to be played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Draw {
    /// White and Black of each board.
    pub pairs: Vec<[usize; 2]>,
    /// The player who has the bye, if the number of players is odd.
    pub bye: Option<usize>,
}

/// Draws the next round. Players are numbered in the order of their seeding; those who are not `present` are left out.
///
/// Everyone is paired, even where the rules allow no round: then, if possible, without a second bye, next with as few rematches
/// as possible, and next with as few colors as possible that a player must not have.
///
/// O(players³ log players), most often much less: under a second for 500 players.
pub fn draw(players: &[SwissPlayer], present: &[bool], settings: &SwissSettings) -> Draw {
    let field = Field::new(players, present, settings);
    let mut pairs = Vec::new();
    let mut moved: Vec<usize> = Vec::new();
    let mut begin = 0;
    while let Some(first) = field.entries.get(begin) {
        let end =
            begin + field.entries[begin..].partition_point(|entry| entry.score == first.score);
        let bracket = Bracket::new(&field, &moved, begin..end);
        let outcome = bracket.pair();
        pairs.extend(outcome.pairs);
        moved = outcome.moved;
        begin = end;
    }
    Draw {
        pairs: field.boards(pairs),
        bye: moved.first().map(|&entry| field.entries[entry].number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> SwissSettings {
        SwissSettings {
            rounds: 9,
            win: 2,
            colors: true,
            first: Color::White,
        }
    }

    /// Plays a round: White of each board wins, and a bye gives a point.
    fn play(players: &mut [SwissPlayer], round: &[[usize; 2]], bye: Option<usize>) {
        let absence = PlayedRound {
            points: 0,
            play: Play::Absence,
        };
        let length = players
            .iter()
            .map(|player| player.rounds.len())
            .max()
            .unwrap_or(0)
            + 1;
        for &[white, black] in round {
            let game = |opponent, color| Play::Game { opponent, color };
            players[white].rounds.push(PlayedRound {
                points: 2,
                play: game(black, Color::White),
            });
            players[black].rounds.push(PlayedRound {
                points: 0,
                play: game(white, Color::Black),
            });
        }
        if let Some(bye) = bye {
            players[bye].rounds.push(PlayedRound {
                points: 2,
                play: Play::Bye,
            });
        }
        players
            .iter_mut()
            .for_each(|player| player.rounds.resize(length, absence));
    }

    fn after(count: usize, rounds: &[&[[usize; 2]]]) -> Vec<SwissPlayer> {
        let mut players = vec![SwissPlayer::default(); count];
        for round in rounds {
            let bye = (0..count)
                .rev()
                .find(|player| !round.as_flattened().contains(player));
            play(&mut players, round, bye.filter(|_| count % 2 == 1));
        }
        players
    }

    fn next(players: &[SwissPlayer]) -> Draw {
        draw(players, &vec![true; players.len()], &settings())
    }

    fn expected(pairs: &[[usize; 2]], bye: Option<usize>) -> Draw {
        Draw {
            pairs: pairs.to_vec(),
            bye,
        }
    }

    #[test]
    fn upper_half_meets_lower_half_with_alternating_colors() {
        let pairs = [[0, 4], [5, 1], [2, 6], [7, 3]];
        assert_eq!(next(&after(8, &[])), expected(&pairs, None));
        assert_eq!(next(&after(9, &[])), expected(&pairs, Some(8)));
        let black = SwissSettings {
            first: Color::Black,
            ..settings()
        };
        assert_eq!(
            draw(&after(2, &[]), &[true; 2], &black),
            expected(&[[1, 0]], None)
        );
    }

    #[test]
    fn winners_meet_winners() {
        // 0, 2, 5 and 7 have won with White or Black, so that winners have to meet.
        let players = after(8, &[&[[0, 4], [5, 1], [2, 6], [7, 3]]]);
        let drawn = next(&players);
        let group = |pair: &[usize; 2]| pair.map(|player| [0, 2, 5, 7].contains(&player));
        let groups: Vec<[bool; 2]> = drawn.pairs.iter().map(group).collect();
        assert_eq!(groups, [[true; 2], [true; 2], [false; 2], [false; 2]]);
    }

    #[test]
    fn the_last_without_a_bye_has_it() {
        let players = after(5, &[&[[0, 2], [1, 3]]]);
        // 4 has had the bye. Of 2 and 3, without points, 3 is the last.
        assert_eq!(next(&players).bye, Some(3));
    }

    #[test]
    fn points_without_a_game_exclude_the_bye_as_well() {
        let mut players = after(4, &[&[[0, 2], [1, 3]]]);
        let forfeit = PlayedRound {
            points: 2,
            play: Play::Forfeit,
        };
        players.push(SwissPlayer {
            rounds: vec![forfeit],
        });
        assert_eq!(next(&players).bye, Some(3));
    }

    #[test]
    fn the_bye_goes_to_someone_who_has_played() {
        let mut players = after(4, &[&[[0, 2], [1, 3]]]);
        // A late entry: it has no points either and the last number, but C9 spares it.
        players.push(SwissPlayer::default());
        assert_eq!(next(&players).bye, Some(3));
    }

    #[test]
    fn an_odd_group_moves_its_last_player_down() {
        // 0, 1 and 2 have won, all with White; one of 3, 4 and 5 has to meet one of them.
        let players = after(6, &[&[[0, 3], [1, 4], [2, 5]]]);
        assert_eq!(next(&players), expected(&[[1, 0], [3, 2], [4, 5]], None));
    }

    #[test]
    fn no_pair_meets_twice() {
        let rounds: [&[[usize; 2]]; 2] = [&[[0, 2], [3, 1]], &[[0, 3], [1, 2]]];
        assert_eq!(next(&after(4, &rounds)), expected(&[[1, 0], [2, 3]], None));
    }

    #[test]
    fn absent_players_are_left_out() {
        let players = after(5, &[]);
        let drawn = draw(&players, &[true, false, true], &settings());
        assert_eq!(drawn, expected(&[[0, 2]], None));
        assert_eq!(
            draw(&players, &[false, true], &settings()),
            expected(&[], Some(1))
        );
        assert_eq!(draw(&[], &[], &settings()), Draw::default());
    }

    #[test]
    fn rematches_are_few_where_they_cannot_be_avoided() {
        let all: [&[[usize; 2]]; 3] = [&[[0, 1], [2, 3]], &[[2, 0], [1, 3]], &[[0, 3], [1, 2]]];
        let drawn = next(&after(4, &all));
        assert_eq!((drawn.pairs.len(), drawn.bye), (2, None));
        // 0 has met all others, so that one of its games must be repeated, but no other one.
        let mut players = vec![SwissPlayer::default(); 4];
        for opponent in 1..4 {
            play(&mut players, &[[0, opponent]], None);
        }
        let drawn = next(&players);
        let others = drawn.pairs.iter().filter(|pair| !pair.contains(&0)).count();
        assert_eq!((drawn.pairs.len(), others), (2, 1));
        // Everybody has had the bye, and all have met.
        let all: [&[[usize; 2]]; 3] = [&[[0, 1]], &[[2, 0]], &[[1, 2]]];
        let drawn = next(&after(3, &all));
        assert_eq!((drawn.pairs.len(), drawn.bye.is_some()), (1, true));
    }

    #[test]
    fn a_bye_that_saves_a_rematch_comes_first() {
        // 0 has met both others, so that only without it there is no rematch.
        let players = after(3, &[&[[0, 2]], &[[0, 1]]]);
        let drawn = next(&players);
        assert_eq!(drawn.bye, Some(0));
    }

    #[test]
    fn colors_do_not_matter_where_each_pair_plays_both() {
        let settings = SwissSettings {
            colors: false,
            win: 4,
            ..settings()
        };
        // With colors, 0 could not meet 1: both have had White twice.
        let players = after(6, &[&[[0, 2], [1, 3], [4, 5]], &[[0, 4], [1, 5], [2, 3]]]);
        assert_eq!(draw(&players, &[true; 6], &settings).pairs[0], [0, 1]);
        assert_ne!(next(&players).pairs[0], [0, 1]);
    }

    #[test]
    fn any_history_is_drawn() {
        let wild = |opponent| PlayedRound {
            points: u32::MAX,
            play: Play::Game {
                opponent,
                color: Color::White,
            },
        };
        let rounds = |count: usize| SwissPlayer {
            rounds: (0..count).map(wild).collect(),
        };
        let players: Vec<SwissPlayer> = (0..7).map(|index| rounds(4 * (index % 3))).collect();
        let zero = SwissSettings {
            rounds: 0,
            win: 0,
            ..settings()
        };
        for settings in [settings(), zero] {
            let drawn = draw(&players, &[true; 7], &settings);
            assert_eq!((drawn.pairs.len(), drawn.bye.is_some()), (3, true));
        }
    }

    #[test]
    fn a_rematch_comes_before_a_second_bye() {
        // Without a rematch, one of those with a bye would have another one.
        let games = [
            ([(0, 2), (1, 3)], 4),
            ([(3, 0), (2, 4)], 1),
            ([(2, 1), (4, 3)], 0),
        ];
        let mut players = vec![SwissPlayer::default(); 5];
        for (pairs, bye) in games {
            let mut add = |player: usize, points, play| {
                players[player].rounds.push(PlayedRound { points, play });
            };
            for (white, black) in pairs {
                let game = |opponent, color| Play::Game { opponent, color };
                add(white, 2, game(black, Color::White));
                add(black, 0, game(white, Color::Black));
            }
            add(bye, 2, Play::Bye);
        }
        let settings = SwissSettings {
            rounds: 4,
            colors: false,
            ..settings()
        };
        let drawn = draw(&players, &[true; 5], &settings);
        assert!([Some(2), Some(3)].contains(&drawn.bye), "{drawn:?}");
    }
}
