//! The random mover.

use checkers_engine::{Limits, Score};
use checkers_lib::{DrawRules, Game, Move};

use super::bot;

/// The moves of a game of `random` against itself.
fn moves(seed: u64, number: u64) -> Vec<Move> {
    let mut bot = bot(&format!("random:seed={seed}"));
    let mut game = Game::new(DrawRules::Study);
    bot.new_game(number);
    while let Some(m) = bot.choose(&game, &Limits::default()).best {
        game.play(m).expect("a legal move");
    }
    game.moves().to_vec()
}

#[test]
fn games_repeat_with_seed_and_number_and_differ_without() {
    assert_eq!(moves(1, 0), moves(1, 0));
    assert_ne!(moves(1, 0), moves(1, 1));
    assert_ne!(moves(1, 0), moves(2, 0));
}

#[test]
fn every_move_is_as_likely_as_another() {
    let mut bot = bot("random");
    let game = Game::new(DrawRules::Study);
    let legal = game.legal_moves();
    let mut counts = vec![0; legal.len()];
    for number in 0..7000 {
        bot.new_game(number);
        let m = bot.choose(&game, &Limits::default()).best.unwrap();
        counts[legal.iter().position(|&other| other == m).unwrap()] += 1;
    }
    // 1000 expected, with a standard deviation of 29.
    assert!(
        counts.iter().all(|count| (850..1150).contains(count)),
        "{counts:?}"
    );
}

#[test]
fn it_says_that_it_did_not_search() {
    let choice = bot("random").choose(&Game::new(DrawRules::Study), &Limits::default());
    assert_eq!(
        (choice.depth, choice.nodes, choice.score),
        (0, 0, Score::ZERO)
    );
    assert_eq!(choice.pv, Vec::from_iter(choice.best));
    assert!(choice.complete);
}
