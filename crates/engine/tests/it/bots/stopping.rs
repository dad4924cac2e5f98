//! Searches that are ended from outside.

use std::thread;
use std::time::Duration;

use checkers_engine::{Limits, Stop};
use checkers_lib::{DrawRules, Game, Position};

use super::{ask, bot};

const SEARCHES: [&str; 13] = [
    "minimax-weak:depth=64",
    "minimax:depth=64",
    "alpha-beta:depth=64",
    "alpha-beta:depth=64,order=best",
    "negascout:depth=64",
    "negascout:depth=64,order=worst,id=on",
    "negascout-tt:depth=64",
    "sss-star:depth=64",
    "mtdf:depth=64",
    "negascout-id:depth=64",
    "champion:depth=64,book=off",
    "champion:depth=64,threads=2,book=off",
    "mcts:playouts=1000000000",
];

fn stopped_by(stop: &Stop) -> Limits {
    Limits {
        stop: stop.clone(),
        ..Limits::default()
    }
}

#[test]
fn another_thread_ends_a_search_that_would_take_for_ever() {
    let game = Game::new(DrawRules::Fmjd64);
    for spec in SEARCHES {
        let mut bot = bot(spec);
        let stop = Stop::default();
        let limits = stopped_by(&stop);
        let choice = thread::scope(|scope| {
            let search = scope.spawn(|| bot.choose(&game, &limits));
            thread::sleep(Duration::from_millis(20));
            stop.stop();
            search.join().unwrap()
        });
        assert!(!choice.complete, "{spec}");
        assert!(game.position().is_legal(choice.best.unwrap()), "{spec}");
        assert_eq!(choice.pv.first().copied(), choice.best, "{spec}");
    }
}

#[test]
fn a_search_told_to_stop_before_it_began_ends_within_a_few_thousand_nodes() {
    let game = Game::new(DrawRules::Fmjd64);
    let stop = Stop::default();
    stop.stop();
    assert!(stop.is_set());
    for spec in SEARCHES {
        let choice = bot(spec).choose(&game, &stopped_by(&stop));
        assert!(!choice.complete && choice.nodes <= 4096, "{spec}");
        assert!(game.position().is_legal(choice.best.unwrap()), "{spec}");
    }
}

#[test]
fn the_best_of_the_moves_searched_so_far_is_kept() {
    // The first look at the flag comes when some of the root's moves are done and some are not.
    let game = Game::new(DrawRules::Fmjd64);
    let stop = Stop::default();
    stop.stop();
    let mut bot = bot("minimax:depth=4");
    let choice = bot.choose(&game, &stopped_by(&stop));
    assert!(!choice.complete);
    assert_eq!(choice.pv.len(), 4);
    let after = game.position().clone().play(choice.pv[0]).unwrap();
    assert_eq!(choice.score, -ask(&mut *bot, &after, 3).score);
}

#[test]
fn a_stopped_bot_searches_again() {
    let game = Game::new(DrawRules::Fmjd64);
    let stop = Stop::default();
    stop.stop();
    for spec in &SEARCHES[..10] {
        let mut stopped = bot(spec);
        stopped.choose(&game, &stopped_by(&stop));
        let again = ask(&mut *stopped, &Position::start(), 5);
        let fresh = ask(&mut *bot(spec), &Position::start(), 5);
        assert!(again.complete);
        assert_eq!(
            (again.best, again.score),
            (fresh.best, fresh.score),
            "{spec}"
        );
    }
}
