//! The first moves, from the book.

use std::collections::BTreeSet;

use checkers_engine::{Analyst, Bot, BotSpec, Limits, Question};
use checkers_lib::{DrawReason, DrawRules, Game, Outcome};

use super::bot;

fn shallow() -> Limits {
    Limits {
        depth: Some(3),
        ..Limits::default()
    }
}

/// Lets a bot play both sides for so many plies; the moves, and how many came from the book.
fn play(bot: &mut dyn Bot, plies: usize) -> (String, usize) {
    let mut game = Game::new(DrawRules::Fmjd64);
    let (mut moves, mut from_book) = (String::new(), 0);
    while game.ply() < plies {
        let choice = bot.choose(&game, &shallow());
        let m = choice.best.expect("a move");
        let line = choice.pv.iter();
        let position = game.position().clone();
        line.fold(position, |position, &m| position.play(m).expect("legal"));
        assert_eq!(choice.pv.first(), Some(&m));
        if choice.from_book {
            assert_eq!((choice.nodes, choice.depth, choice.complete), (0, 0, true));
            from_book += 1;
        } else {
            assert!(choice.nodes > 0);
        }
        moves.push_str(&game.position().notation(m));
        game.play(m).expect("legal");
    }
    (moves, from_book)
}

#[test]
fn the_champion_begins_with_the_book_and_goes_on_by_itself() {
    let (moves, from_book) = play(&mut *bot("champion:tt=1"), 40);
    assert!((1..40).contains(&from_book), "{from_book}");
    assert_eq!(play(&mut *bot("champion:tt=1"), 40).0, moves);
}

#[test]
fn the_book_is_for_those_who_want_it() {
    for (spec, expected) in [
        ("champion:tt=1", true),
        ("champion:tt=1,book=off", false),
        ("champion:tt=1,eval=hand", false),
        ("level:10", true),
        ("level:8", false),
    ] {
        let game = Game::new(DrawRules::Fmjd64);
        let choice = bot(spec).choose(&game, &shallow());
        assert_eq!(choice.from_book, expected, "{spec}");
    }
    let spec: BotSpec = "champion:seed=3".parse().unwrap();
    assert_eq!(
        spec.without_book().to_string(),
        "champion:depth=6,seed=3,book=off"
    );
    let other: BotSpec = "mtdf".parse().unwrap();
    assert_eq!(other.clone().without_book(), other);
}

#[test]
fn seeds_play_other_games() {
    let games: BTreeSet<String> = (0..12)
        .map(|seed| play(&mut *bot(&format!("champion:tt=1,seed={seed}")), 6).0)
        .collect();
    assert!(games.len() > 1, "{games:?}");
}

#[test]
fn an_analyst_searches_and_tells_of_the_book_if_asked() {
    let game = Game::new(DrawRules::Fmjd64);
    let mut analyst = Analyst::new(&"champion:tt=1".parse().unwrap()).unwrap();
    let question = Question {
        limits: shallow(),
        ..Question::default()
    };
    assert!(analyst.ask(&game, &question, &mut |_| ()).report.nodes > 0);
    let known = analyst.from_book(&game).unwrap();
    assert_eq!(
        known.best,
        bot("champion:tt=1").choose(&game, &shallow()).best
    );
    let without = Analyst::new(&"champion:tt=1,book=off".parse().unwrap()).unwrap();
    assert!(without.from_book(&game).is_none());
}

#[test]
fn a_game_that_is_over_is_not_in_the_book() {
    let mut game = Game::new(DrawRules::Fmjd64);
    game.end(Outcome::Draw(DrawReason::Repetition));
    assert_eq!(bot("champion:tt=1").choose(&game, &shallow()).best, None);
}
