//! Positions with a known end, from `tests/data/tactics.txt`.

use checkers_engine::Choice;
use checkers_lib::Position;

use super::{ask, bot};

struct Case {
    fen: &'static str,
    position: Position,
    depth: u32,
    score: &'static str,
    best: &'static str,
}

fn cases() -> impl Iterator<Item = Case> {
    let lines = include_str!("../../data/tactics.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| {
        let [fen, depth, score, best] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("not a case: {line}");
        };
        Case {
            fen,
            position: fen.parse().expect("a position"),
            depth: depth.parse().expect("a depth"),
            score,
            best,
        }
    })
}

#[test]
fn known_ends_are_found() {
    let mut bots = [
        "minimax-weak",
        "minimax",
        "alpha-beta",
        "negascout",
        "negascout-tt",
        "sss-star",
        "mtdf",
    ]
    .map(bot);
    for Case {
        fen,
        position,
        depth,
        score,
        best,
    } in cases()
    {
        for bot in &mut bots {
            bot.new_game(0);
            let choice = ask(&mut **bot, &position, depth);
            let found = choice.best.map(|m| position.notation(m));
            let context = format!("{} in {fen} at depth {depth} plays {found:?}", bot.spec());
            if score == "undecided" {
                assert_eq!(choice.score.plies_to_end(), None, "{context}");
                continue;
            }
            assert_eq!(choice.score.to_string(), score, "{context}");
            assert_eq!(found.as_deref().unwrap_or("none"), best, "{context}");
        }
    }
}

/// Whether the move of `choice` wins, as alpha-beta sees it.
fn wins(position: &Position, choice: &Choice) -> bool {
    let m = choice.best.expect("a won position has moves");
    let after = position.clone().play(m).expect("a legal move");
    let reply = ask(&mut *bot("alpha-beta"), &after, 11);
    reply.score.is_loss()
}

#[test]
fn known_ends_are_found_in_any_order_of_moves() {
    let mut bot = bot("negascout-id:quiescence=off,tt-accept=exact,tablebase=off");
    for case in cases() {
        bot.new_game(0);
        let choice = ask(&mut *bot, &case.position, case.depth);
        if case.score != "undecided" {
            assert_eq!(choice.score.to_string(), case.score, "{}", case.fen);
        }
        if choice.score.is_win() {
            assert!(wins(&case.position, &choice), "{}", case.fen);
        }
    }
}

#[test]
fn searches_that_look_farther_find_the_wins_too() {
    // The champion is selective: it looks farther where there is something to see, and elsewhere less.
    for (spec, more) in [
        ("negascout-id:tablebase=off", 0),
        ("champion:tablebase=off", 6),
        ("mcts:playouts=30000", 0),
        ("mcts:playouts=30000,playout=eval", 0),
    ] {
        let mut bot = bot(spec);
        for case in cases() {
            bot.new_game(0);
            let choice = ask(&mut *bot, &case.position, case.depth + more);
            let context = format!("{spec} in {} finds {}", case.fen, choice.score);
            if case.score.starts_with("win") {
                assert!(choice.score.is_win(), "{context}");
                assert!(wins(&case.position, &choice), "{context}");
            } else if case.score.starts_with("loss") {
                assert!(choice.score.is_loss(), "{context}");
            }
        }
    }
}
