//! Levels of play: what they see, and how they choose among equals.

use std::collections::BTreeSet;

use checkers_engine::{Bot, BotSpec, HIGHEST_LEVEL, Limits, Score};
use checkers_lib::{Color, DrawRules, Game, Move, Position};

use super::{ask, bot, positions};

/// The levels that are far from running out of time, however slow the machine.
const QUICK: u32 = 5;

fn level(number: u32, seed: u64) -> Box<dyn Bot> {
    let spec = BotSpec::of_level(number).expect("a level there is");
    spec.with_seed(seed).build()
}

fn choose(number: u32, seed: u64, position: &Position) -> Move {
    let game = Game::from_position(position.clone(), DrawRules::Fmjd64);
    let choice = level(number, seed).choose(&game, &Limits::default());
    choice.best.expect("there are moves")
}

fn choices(number: u32, position: &Position) -> BTreeSet<String> {
    (0..40)
        .map(|seed| position.notation(choose(number, seed, position)))
        .collect()
}

#[test]
fn a_level_plays_legal_moves_and_says_why() {
    for position in positions::from_games(300, 8).into_iter().step_by(7) {
        for number in 1..=QUICK {
            let game = Game::from_position(position.clone(), DrawRules::Fmjd64);
            let choice = level(number, 1).choose(&game, &Limits::default());
            assert!(choice.complete, "level {number} in {position}");
            assert_eq!(choice.pv.first().copied(), choice.best);
            let line = choice.pv.iter();
            line.fold(position.clone(), |position, &m| position.play(m).unwrap());
        }
    }
}

#[test]
fn equal_moves_are_played_by_turns_and_bad_ones_never() {
    let start = Position::start();
    // c3-d4 is as good as other first moves; to a level that sees little even more so.
    for number in 1..=5 {
        assert!(choices(number, &start).len() > 1, "level {number}");
    }
    // Two of the three moves give a man away for nothing.
    let gift: Position = "W:Wc3,g3,a1:Bf6,d8,h8".parse().unwrap();
    for number in 2..=QUICK {
        let best = ask(&mut *bot("alpha-beta"), &gift, 4).score;
        for name in choices(number, &gift) {
            let after = gift.clone().play(gift.parse_move(&name).unwrap()).unwrap();
            let score = -ask(&mut *bot("alpha-beta"), &after, 3).score;
            let lost = best.value() - score.value();
            assert!(lost < 5 * 256, "level {number} plays {name}");
        }
    }
}

#[test]
fn a_win_that_is_seen_is_played() {
    let shot: Position = "W:Wc3,e1:Bd4".parse().unwrap();
    for number in 1..=HIGHEST_LEVEL {
        let m = choose(number, 3, &shot);
        assert!(shot.clone().play(m).unwrap().is_lost(), "level {number}");
    }
}

#[test]
fn a_seed_and_a_game_repeat_their_moves() {
    let start = Position::start();
    for number in 1..=QUICK {
        assert_eq!(choose(number, 5, &start), choose(number, 5, &start));
    }
    let game = Game::new(DrawRules::Fmjd64);
    let mut bot = level(2, 0);
    let mut played = BTreeSet::new();
    for number in 0..20 {
        bot.new_game(number);
        let choice = bot.choose(&game, &Limits::default());
        played.insert(game.position().notation(choice.best.unwrap()));
    }
    assert!(played.len() > 1, "{played:?}");
}

#[test]
fn limits_bound_a_level_as_well() {
    let game = Game::new(DrawRules::Fmjd64);
    for number in 1..=HIGHEST_LEVEL {
        for nodes in [0, 1, 40, 200, 2000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let choice = level(number, 0).choose(&game, &limits);
            assert!(choice.best.is_some());
            assert!(
                choice.nodes <= nodes,
                "level {number} visits {}",
                choice.nodes
            );
        }
        let shallow = Limits {
            depth: Some(1),
            ..Limits::default()
        };
        assert!(level(number, 0).choose(&game, &shallow).depth <= 2);
    }
    let stopped = Limits::default();
    stopped.stop.stop();
    let beyond_the_book = "W:Wa1,b2,c3,e3,g3:Bb6,d6,f6,h6,h8".parse().unwrap();
    let game = Game::from_position(beyond_the_book, DrawRules::Fmjd64);
    let choice = level(HIGHEST_LEVEL, 0).choose(&game, &stopped);
    assert!(choice.best.is_some() && !choice.complete);
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let lost: Position = "W:Wa1:Bb2,c3".parse().unwrap();
    let game = Game::from_position(lost, DrawRules::Fmjd64);
    for number in 1..=HIGHEST_LEVEL {
        let choice = level(number, 0).choose(&game, &Limits::default());
        assert_eq!((choice.best, choice.score), (None, Score::lost_in(0)));
    }
}

/// Who wins a game between two levels.
fn winner(white: u32, black: u32, seed: u64) -> Option<Color> {
    let mut bots = [level(white, seed), level(black, seed + 1)];
    let mut game = Game::new(DrawRules::Fmjd64);
    while game.outcome().is_none() {
        let mover = &mut bots[usize::from(game.turn() == Color::Black)];
        let choice = mover.choose(&game, &Limits::default());
        let m = choice.best.expect("there are moves");
        game.play(m).expect("it is legal");
    }
    game.outcome().and_then(|outcome| outcome.winner())
}

#[test]
fn three_levels_make_a_difference() {
    for lower in 1..=3 {
        let higher = lower + 3;
        let mut balance = 0;
        for seed in 0..5 {
            for (white, black, win) in
                [(lower, higher, Color::Black), (higher, lower, Color::White)]
            {
                balance += match winner(white, black, seed) {
                    Some(side) if side == win => 1,
                    Some(_) => -1,
                    None => 0,
                };
            }
        }
        assert!(
            balance >= 5,
            "level {higher} against {lower}: {balance} of 10"
        );
    }
}
