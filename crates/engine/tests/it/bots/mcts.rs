//! The Monte-Carlo tree search.

use checkers_engine::{Choice, Limits, Score};
use checkers_lib::{DrawRules, Game, Position};

use super::{ask, bot};

fn answer(choice: Choice) -> (Vec<checkers_lib::Move>, Score, u64, u32) {
    (choice.pv, choice.score, choice.nodes, choice.depth)
}

#[test]
fn a_simulation_is_a_node() {
    for spec in ["mcts:playouts=500", "mcts:playouts=500,playout=eval"] {
        let choice = ask(&mut *bot(spec), &Position::start(), 1);
        assert_eq!((choice.nodes, choice.complete), (500, true), "{spec}");
        assert!(choice.depth > 1 && !choice.pv.is_empty(), "{spec}");
    }
}

#[test]
fn nodes_take_the_place_of_the_specs_playouts() {
    let mut bot = bot("mcts:playouts=500");
    let limits = Limits {
        nodes: Some(800),
        ..Limits::default()
    };
    let choice = bot.choose(&Game::new(DrawRules::Fmjd64), &limits);
    assert_eq!((choice.nodes, choice.complete), (800, true));
}

#[test]
fn answers_depend_on_the_seed_alone() {
    let start = Position::start();
    let seeded = |seed| {
        let mut bot = bot(&format!("mcts:playouts=400,seed={seed}"));
        // What was asked before must not matter.
        ask(&mut *bot, &"W:Wc3,e3:Bb6,h8".parse().unwrap(), 1);
        answer(ask(&mut *bot, &start, 1))
    };
    let fresh = answer(ask(&mut *bot("mcts:playouts=400,seed=1"), &start, 1));
    assert_eq!(seeded(1), fresh);
    assert_ne!(seeded(1), seeded(2));
}

#[test]
fn a_proof_ends_the_search() {
    for spec in ["mcts:playouts=100000", "mcts:playouts=100000,playout=eval"] {
        for (fen, end) in [
            ("W:Wc3:Bd4", Score::win_in(1)),
            ("W:Wb4,d2,Kh2:Ba5", Score::win_in(1)),
            ("W:Wc3:Bc5", Score::lost_in(2)),
            ("W:Wb2:Bc5", Score::win_in(3)),
        ] {
            let choice = ask(&mut *bot(spec), &fen.parse().unwrap(), 1);
            assert_eq!(choice.score, end, "{spec} in {fen}");
            assert!(choice.complete && choice.nodes < 100_000, "{spec} in {fen}");
        }
    }
}

#[test]
fn better_positions_have_better_scores() {
    let score = |spec: &str, fen: &str| ask(&mut *bot(spec), &fen.parse().unwrap(), 1).score;
    for spec in ["mcts:playouts=1000", "mcts:playouts=1000,playout=eval"] {
        let ahead = score(spec, "W:Wc1,e1,c3,e3,g3:Bb8,d8,f8");
        let behind = score(spec, "B:Wc1,e1,c3,e3,g3:Bb8,d8,f8");
        assert!(
            ahead > Score::ZERO && behind < Score::ZERO,
            "{ahead} {behind}"
        );
    }
}

#[test]
fn more_simulations_need_no_more_memory_than_there_is() {
    // Far beyond the largest tree: every simulation adds several nodes here.
    let position: Position = "W:WKa1,Kc1,Ke1:BKh8,Kf8,Kd8".parse().unwrap();
    let choice = ask(&mut *bot("mcts:playouts=300000,playout=eval"), &position, 1);
    assert!(choice.complete);
}
