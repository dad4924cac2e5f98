//! Swiss tournaments against the pairings of another implementation, round by round.

use pairings::swiss::{Color, Draw, Play, PlayedRound, SwissPlayer, SwissSettings, draw};

/// The points of a win. Points are in halves.
const WIN: u32 = 2;

/// A round as the reference has drawn it, and what it gave each player.
struct Expected {
    draw: Draw,
    present: Vec<bool>,
    rounds: Vec<PlayedRound>,
}

#[test]
fn tournaments_are_drawn_as_by_the_reference() {
    let mut players = Vec::new();
    let mut settings = None;
    let mut compared = 0;
    for (index, line) in include_str!("swiss_reference.txt").lines().enumerate() {
        if let Some(tournament) = line.strip_prefix("T ") {
            let fields: Vec<&str> = tournament.split(' ').collect();
            players = vec![SwissPlayer::default(); fields[0].parse().unwrap()];
            settings = Some(SwissSettings {
                rounds: fields[1].parse().unwrap(),
                win: WIN,
                colors: true,
                first: if fields[2] == "w" {
                    Color::White
                } else {
                    Color::Black
                },
            });
        } else if let Some(round) = line.strip_prefix("R ") {
            let expected = expected(round, players.len());
            let drawn = draw(&players, &expected.present, settings.as_ref().unwrap());
            assert_eq!(drawn, expected.draw, "line {}", index + 1);
            for (player, round) in players.iter_mut().zip(expected.rounds) {
                player.rounds.push(round);
            }
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} rounds");
}

fn expected(line: &str, players: usize) -> Expected {
    let absent = PlayedRound {
        points: 0,
        play: Play::Absence,
    };
    let mut expected = Expected {
        draw: Draw::default(),
        present: vec![true; players],
        rounds: vec![absent; players],
    };
    for word in line.split(' ') {
        let (numbers, result) = word.split_at(word.len() - 1);
        let numbers: Vec<usize> = numbers
            .split('-')
            .map(|number| number.parse::<usize>().unwrap() - 1)
            .collect();
        if let [white, black] = numbers[..] {
            let (points, is_game) = match result {
                "+" => ([WIN, 0], true),
                "-" => ([0, WIN], true),
                "=" => ([WIN / 2; 2], true),
                ">" => ([WIN, 0], false),
                "<" => ([0, WIN], false),
                "x" => ([0, 0], false),
                _ => panic!("no result: {word}"),
            };
            let sides = [(white, black, Color::White), (black, white, Color::Black)];
            for ((player, opponent, color), points) in sides.into_iter().zip(points) {
                let game = Play::Game { opponent, color };
                let play = if is_game { game } else { Play::Forfeit };
                expected.rounds[player] = PlayedRound { points, play };
            }
            expected.draw.pairs.push([white, black]);
        } else {
            let player = numbers[0];
            expected.rounds[player] = match result {
                "b" => PlayedRound {
                    points: WIN,
                    play: Play::Bye,
                },
                "f" => PlayedRound {
                    points: WIN,
                    play: Play::Absence,
                },
                "h" => PlayedRound {
                    points: WIN / 2,
                    play: Play::Absence,
                },
                "z" => absent,
                _ => panic!("no absence: {word}"),
            };
            if result == "b" {
                expected.draw.bye = Some(player);
            } else {
                expected.present[player] = false;
            }
        }
    }
    expected
}
