//! `checkers-lab regret` as its user sees it.

use test_support::{stderr, stdout};

use crate::support::{Dir, lab};

/// A game with choices in the middle game and in the ending.
const GAMES: &str = "[FEN \"W:Wa1,c1,e1,g1,h2:Bb8,d8,f8,h8,a7\"]\n\n\
    1. c1-d2 b8-c7 2. d2-e3 c7-d6 3. e3-f4 d6-e5 4. f4:d6 h8-g7 5. d6-e7 d8:f6 *\n\n\
    [FEN \"W:WKa1:BKh2\"]\n\n1. a1-b2 h2-g1 2. b2-a1 g1-h2 *\n";

/// The rows of a table: cells without spaces around them.
fn rows(text: &str) -> Vec<Vec<&str>> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

#[test]
fn bots_are_measured_with_each_effort() {
    let directory = Dir::new();
    let games = directory.write("games.pdn", GAMES);
    let measure = || {
        let mut command = lab("regret champion:tt=1 random --nodes 50,500 --factor 4 --threads 2");
        stdout(command.args(["--games", &games]))
    };
    let text = measure();
    assert!(
        text.starts_with("Endings with up to 5 pieces, 4 positions:"),
        "{text}"
    );
    assert!(
        text.contains(
            "Middle games, 10 positions, judged by `champion:tt=64` with 2000 nodes a move:"
        ),
        "{text}"
    );
    let rows = rows(&text);
    assert_eq!(rows.len(), 8, "{text}");
    let champion = rows[0].as_slice();
    assert_eq!(
        champion,
        ["`champion:tt=1`", "50 nodes", "0.00 ± 0.00", "0", "0"]
    );
    // The results depend on nothing but the program.
    assert_eq!(measure(), text);
}

#[test]
fn a_bot_that_plays_at_random_gives_wins_and_draws_up() {
    let mut command = lab("regret random --play 12 --endings 100 --middle-games 0 --nodes 1");
    let text = stdout(&mut command);
    let rows = rows(&text);
    let lost: f64 = rows[0][2].split(' ').next().unwrap().parse().unwrap();
    assert!(lost > 1.0, "{text}");
    assert!(!text.contains("Middle games"), "{text}");
}

#[test]
fn what_cannot_be_measured_is_an_error() {
    let directory = Dir::new();
    let games = directory.write("games.pdn", "1. c3-d4 *\n");
    let mut command = lab("regret champion --endings 0 --middle-games 0");
    let found = stderr(command.args(["--games", &games]), 1);
    assert!(found.contains("no position"), "{found}");
    let found = stderr(&mut lab("regret champion --judge minimax"), 2);
    assert!(found.contains("expected a champion"), "{found}");
    let found = stderr(&mut lab("regret"), 2);
    assert!(found.contains("<BOTS>"), "{found}");
    let found = stderr(&mut lab("regret champion --games nowhere.pdn"), 1);
    assert!(found.contains("cannot read nowhere.pdn"), "{found}");
}
