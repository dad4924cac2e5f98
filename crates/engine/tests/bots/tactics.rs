//! Positions with a known end, from `tests/data/tactics.txt`.

use checkers_lib::Position;

use super::{ask, bot};

#[test]
fn known_ends_are_found() {
    let mut bots = [
        "minimax-weak",
        "minimax",
        "alpha-beta",
        "negascout",
        "negascout-tt",
    ]
    .map(bot);
    for line in include_str!("../data/tactics.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let [fen, depth, score, best] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("not a case: {line}");
        };
        let position: Position = fen.parse().unwrap();
        for bot in &mut bots {
            bot.new_game(0);
            let choice = ask(&mut **bot, &position, depth.parse().unwrap());
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
