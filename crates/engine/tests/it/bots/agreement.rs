//! Every exact search finds minimax's score, and all that try moves in generation order its move.

use checkers_engine::{Bot, Score};
use checkers_lib::Position;

use super::{ask, bot, positions};
use crate::is_exhaustive;

/// Minimax and all who must agree with it.
struct Jury {
    minimax: Box<dyn Bot>,
    others: Vec<Box<dyn Bot>>,
    /// Their move need not be the first of the best.
    in_their_own_order: Vec<Box<dyn Bot>>,
}

impl Jury {
    fn new(seed: u64) -> Jury {
        let others = [
            "alpha-beta:",
            "negascout:",
            // Too small for all it meets, and never cleared: what else it holds must not matter.
            "negascout-tt:tt-accept=exact,tt=1,",
            "mtdf:tt=1,",
            "sss-star:tt=1,",
            "alpha-beta:id=on,",
            "negascout-tt:id=on,tt-accept=exact,tt=1,",
            "alpha-beta:order=best,",
            "negascout-tt:order=worst,tt-accept=exact,tt=1,",
        ];
        let in_their_own_order = [
            "negascout-id:quiescence=off,tt-accept=exact,tt=1,tablebase=off,",
            "alpha-beta:order=on,id=on,",
            "negascout:order=on,",
            "negascout-tt:order=on,id=on,tt-accept=exact,tt=1,",
        ];
        let seeded = |spec| bot(&format!("{spec}seed={seed}"));
        Jury {
            minimax: seeded("minimax:"),
            others: others.map(seeded).into(),
            in_their_own_order: in_their_own_order.map(seeded).into(),
        }
    }

    fn agrees(&mut self, position: &Position, depth: u32) -> Score {
        let expected = ask(&mut *self.minimax, position, depth);
        for other in &mut self.others {
            let choice = ask(&mut **other, position, depth);
            assert_eq!(
                (choice.score, choice.best),
                (expected.score, expected.best),
                "{} at depth {depth} in {position}",
                other.spec(),
            );
        }
        for other in &mut self.in_their_own_order {
            let choice = ask(&mut **other, position, depth);
            assert_eq!(
                choice.score,
                expected.score,
                "{} at depth {depth} in {position}",
                other.spec(),
            );
        }
        expected.score
    }
}

/// `all` positions in exhaustive tests, and otherwise `some`.
fn sample(some: usize, all: usize) -> usize {
    if is_exhaustive() { all } else { some }
}

/// Compares on every `stride`-th position of random games, with three seeds.
fn agree_in_games(depth: u32, count: usize, stride: usize) {
    for seed in [0, 1, u64::MAX] {
        let mut jury = Jury::new(seed);
        for position in positions::from_games(count / 3 * stride, seed)
            .iter()
            .step_by(stride)
        {
            jury.agrees(position, depth);
        }
    }
}

fn agree_in_king_endings(depth: u32, count: usize) {
    for seed in [2, 3] {
        let mut jury = Jury::new(seed);
        for position in positions::king_endings(count / 2, seed) {
            jury.agrees(&position, depth);
        }
    }
}

#[test]
fn in_games_at_depths_1_to_3() {
    for depth in 1..=3 {
        agree_in_games(depth, sample(1500, 6000), 1);
    }
}

#[test]
fn in_games_at_depth_4() {
    agree_in_games(4, sample(600, 3000), 1);
}

#[test]
fn in_games_at_depth_5() {
    agree_in_games(5, sample(240, 2000), 7);
}

#[test]
fn in_games_at_depth_6() {
    agree_in_games(6, sample(120, 2000), 7);
}

#[test]
fn in_games_at_depth_7() {
    agree_in_games(7, sample(45, 2000), 7);
}

#[test]
fn in_king_endings() {
    for (depth, count) in [(1, 4000), (2, 4000), (3, 2000), (4, 300), (5, 30)] {
        agree_in_king_endings(depth, sample(count / 4, count));
    }
}

#[test]
fn at_all_depths_with_one_table() {
    let mut jury = Jury::new(5);
    for position in positions::from_games(600, 5).iter().step_by(7) {
        for depth in [5, 2, 4, 1, 3] {
            jury.agrees(position, depth);
        }
    }
}

#[test]
fn wins_and_losses_do_not_depend_on_the_side() {
    let mut jury = Jury::new(6);
    let endings = positions::king_endings(400, 6);
    let mut decided = 0;
    for position in endings.iter().chain(&positions::from_games(400, 6)) {
        let score = jury.agrees(position, 4);
        if score.plies_to_end().is_some() {
            assert_eq!(jury.agrees(&positions::swapped(position), 4), score);
            decided += 1;
        }
    }
    assert!(decided > 100, "only {decided} decided positions");
}
