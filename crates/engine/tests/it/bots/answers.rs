//! What else a choice says besides the move.

use checkers_engine::{Bot, Choice, Limits, Score};
use checkers_lib::{DrawReason, DrawRules, Game, Outcome, Position};

use super::{ask, bot, positions};

/// Searches to a fixed depth.
const SEARCHES: [&str; 8] = [
    "minimax-weak",
    "minimax",
    "alpha-beta",
    "negascout",
    "negascout-tt:tt=1",
    "negascout-tt:tt=1,tt-accept=exact",
    "sss-star:tt=1",
    "mtdf:tt=1",
];

/// Those that may look farther.
const OTHERS: [&str; 6] = [
    "negascout-id:tt=1",
    "negascout-id:tt=1,quiescence=off,tt-accept=exact",
    "champion:tt=1",
    "champion:tt=1,eval=rows,tablebase=off",
    "mcts:playouts=300",
    "mcts:playouts=300,playout=eval",
];

/// The position after the line, every move of which must be legal.
fn follow(position: &Position, line: &[checkers_lib::Move]) -> Position {
    line.iter().fold(position.clone(), |position, &m| {
        position.play(m).expect("the variation must be legal")
    })
}

fn sample() -> Vec<Position> {
    let games = positions::from_games(700, 8);
    let endings = positions::king_endings(60, 8);
    games.into_iter().step_by(6).chain(endings).collect()
}

#[test]
fn the_variation_is_legal_and_begins_with_the_move() {
    for spec in SEARCHES.into_iter().chain(OTHERS) {
        let mut bot = bot(spec);
        for position in sample() {
            for depth in 1..=4 {
                let choice = ask(&mut *bot, &position, depth);
                assert_eq!(
                    choice.pv.first().copied(),
                    choice.best,
                    "{spec} in {position}"
                );
                assert!(choice.pv.len() <= depth as usize || OTHERS.contains(&spec));
                follow(&position, &choice.pv);
            }
        }
    }
}

#[test]
fn the_variation_goes_to_the_end_of_the_search_or_of_the_game() {
    for spec in ["minimax-weak", "minimax", "alpha-beta", "negascout"] {
        let mut bot = bot(spec);
        for position in sample() {
            let choice = ask(&mut *bot, &position, 4);
            let expected = choice.score.plies_to_end().unwrap_or(4);
            assert_eq!(choice.pv.len() as u32, expected, "{spec} in {position}");
            let end = follow(&position, &choice.pv);
            assert_eq!(end.is_lost(), choice.score.plies_to_end().is_some());
        }
    }
}

#[test]
fn the_score_is_that_of_the_position_after_the_move() {
    let one_ply_nearer = |score: Score| match score.plies_to_end() {
        Some(plies) if score.is_win() => Score::win_in(plies - 1),
        Some(plies) => Score::lost_in(plies - 1),
        None => score,
    };
    for spec in ["minimax-weak", "minimax", "alpha-beta", "negascout"] {
        let mut bot = bot(spec);
        for position in sample() {
            let choice = ask(&mut *bot, &position, 4);
            let after = follow(&position, &choice.pv[..choice.pv.len().min(1)]);
            if choice.best.is_some() {
                let reply = ask(&mut *bot, &after, 3);
                assert_eq!(
                    -reply.score,
                    one_ply_nearer(choice.score),
                    "{spec} in {position}"
                );
            }
        }
    }
}

#[test]
fn minimax_visits_every_position_of_the_tree() {
    // Sums of the known numbers of move sequences of 0, 1, 2, … plies.
    let nodes = [8, 57, 359, 1_828, 9_310, 47_296, 237_442];
    for spec in ["minimax", "minimax-weak"] {
        let mut bot = bot(spec);
        for (depth, nodes) in (1..).zip(nodes) {
            assert_eq!(ask(&mut *bot, &Position::start(), depth).nodes, nodes);
        }
    }
}

#[test]
fn each_refinement_needs_fewer_nodes() {
    let order = ["minimax", "alpha-beta", "negascout", "negascout-tt"];
    let nodes = order.map(|spec| ask(&mut *bot(spec), &Position::start(), 8).nodes);
    assert!(nodes.is_sorted_by(|more, fewer| more > fewer), "{nodes:?}");
}

#[test]
fn ordered_moves_need_fewer_nodes() {
    let sample: Vec<Position> = (positions::from_games(300, 9).into_iter())
        .step_by(10)
        .collect();
    let nodes = |spec: &str| {
        let mut bot = bot(spec);
        let nodes = sample
            .iter()
            .map(|position| ask(&mut *bot, position, 7).nodes);
        nodes.sum::<u64>()
    };
    for (plain, ordered) in [
        ("alpha-beta", "alpha-beta:order=on"),
        ("negascout", "negascout:order=on"),
        ("negascout-tt:tt=16", "negascout-tt:tt=16,order=on"),
    ] {
        let (plain_nodes, ordered_nodes) = (nodes(plain), nodes(ordered));
        assert!(
            ordered_nodes < plain_nodes,
            "{plain}: {ordered_nodes}, {plain_nodes}"
        );
    }
}

#[test]
fn the_order_of_true_values_changes_no_answer() {
    for search in ["alpha-beta", "negascout"] {
        let [mut plain, mut best, mut worst] =
            ["off", "best", "worst"].map(|order| bot(&format!("{search}:order={order},seed=4")));
        for position in sample() {
            for depth in 1..=4 {
                let said = |bot: &mut dyn Bot| {
                    let choice = ask(bot, &position, depth);
                    (choice.score, choice.pv)
                };
                let plain = said(&mut *plain);
                assert_eq!(said(&mut *best), plain, "{search} in {position}");
                assert_eq!(said(&mut *worst), plain, "{search} in {position}");
            }
        }
    }
}

#[test]
fn the_depth_is_the_specs_unless_the_limits_say_otherwise() {
    let mut bot = bot("alpha-beta:depth=3");
    let game = Game::new(DrawRules::Study);
    let mut depth_with = |depth| {
        let limits = Limits {
            depth,
            ..Limits::default()
        };
        bot.choose(&game, &limits).depth
    };
    assert_eq!(depth_with(None), 3);
    assert_eq!(depth_with(Some(5)), 5);
    assert_eq!(depth_with(Some(0)), 1);
}

#[test]
fn there_is_no_move_where_the_game_is_over() {
    let lost: Position = "W:Wa1:Bb2,c3".parse().unwrap();
    let lost = Game::from_position(lost, DrawRules::Fmjd64);
    let mut drawn = Game::new(DrawRules::Fmjd64);
    drawn.end(Outcome::Draw(DrawReason::Agreement));
    for spec in SEARCHES.into_iter().chain(OTHERS).chain(["random"]) {
        let mut bot = bot(spec);
        for (game, score) in [(&lost, Score::lost_in(0)), (&drawn, Score::ZERO)] {
            let choice = bot.choose(game, &Limits::default());
            assert_eq!((choice.best, choice.score), (None, score), "{spec}");
            assert!(choice.pv.is_empty() && choice.complete);
        }
    }
}

/// Plays a game of a bot against itself.
fn play(bot: &mut dyn Bot) -> Vec<Choice> {
    let mut game = Game::new(DrawRules::Study);
    let mut choices = Vec::new();
    bot.new_game(0);
    while game.outcome().is_none() {
        let choice = bot.choose(&game, &Limits::default());
        let m = choice.best.expect("a game that goes on has moves");
        game.play(m).expect("a legal move");
        choices.push(choice);
    }
    choices
}

#[test]
fn a_game_repeats_itself_after_new_game() {
    for spec in SEARCHES.into_iter().chain(OTHERS) {
        let mut bot = bot(spec);
        let said = |choices: Vec<Choice>| -> Vec<_> {
            let said = |choice: Choice| (choice.pv, choice.score, choice.nodes);
            choices.into_iter().map(said).collect()
        };
        let (first, second) = (play(&mut *bot), play(&mut *bot));
        assert_eq!(said(first), said(second), "{spec}");
    }
}

#[test]
fn a_table_that_knows_the_answer_still_gives_a_move() {
    for spec in [
        "negascout-tt:tt=1",
        "negascout-tt:tt=1,tt-accept=exact",
        "sss-star:tt=1",
        "mtdf:tt=1",
    ] {
        let mut bot = bot(spec);
        for position in sample() {
            let first = ask(&mut *bot, &position, 4);
            let again = ask(&mut *bot, &position, 4);
            assert_eq!(
                (again.best, again.score),
                (first.best, first.score),
                "{spec} in {position}"
            );
            assert!(again.nodes <= first.nodes);
            follow(&position, &again.pv);
        }
    }
}

#[test]
fn seeds_change_scores_by_less_than_a_unit_of_material() {
    let scores = |seed: u64| -> Vec<i32> {
        let mut bot = bot(&format!("alpha-beta:seed={seed}"));
        let score = |position: &Position| ask(&mut *bot, position, 3).score.value();
        positions::from_games(300, 9).iter().map(score).collect()
    };
    let (one, other) = (scores(1), scores(2));
    assert_ne!(one, other);
    let pairs = one.iter().zip(&other);
    assert!(pairs.into_iter().all(|(a, b)| a.abs_diff(*b) < 256));
}
