//! The bot that searches deeper and deeper.

use std::time::Duration;

use checkers_engine::{Choice, Clock, Limits, Score};
use checkers_lib::{DrawRules, Game, Position};

use super::{ask, bot, positions};

const EXACT: &str = "negascout-id:quiescence=off,tt-accept=exact,tt=1,tablebase=off";

fn choose(spec: &str, limits: &Limits) -> Choice {
    bot(spec).choose(&Game::new(DrawRules::Fmjd64), limits)
}

#[test]
fn the_specs_depth_holds_where_nothing_else_bounds_the_search() {
    let nodes = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let shallow = choose("negascout-id:depth=2", &Limits::default());
    assert_eq!((shallow.depth, shallow.complete), (2, true));
    let by_nodes = choose("negascout-id:depth=2", &nodes);
    assert!(by_nodes.depth > 6 && !by_nodes.complete, "{by_nodes:?}");
    let both = Limits {
        depth: Some(3),
        ..nodes
    };
    assert_eq!(choose("negascout-id:depth=2", &both).depth, 3);
}

#[test]
fn more_nodes_never_make_it_shallower() {
    let depth = |nodes| {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        choose("negascout-id", &limits).depth
    };
    let depths: Vec<u32> = [0, 10, 100, 1_000, 10_000, 100_000].map(depth).into();
    assert!(depths.is_sorted() && depths[0] == 0, "{depths:?}");
}

#[test]
fn the_move_of_the_exact_search_is_worth_its_score() {
    let mut exact = bot(EXACT);
    let mut judge = bot("alpha-beta");
    let one_ply_nearer = |score: Score| match score.plies_to_end() {
        Some(plies) if score.is_win() => Score::win_in(plies - 1),
        Some(plies) => Score::lost_in(plies - 1),
        None => score,
    };
    let positions = positions::from_games(600, 11);
    for position in positions.iter().chain(&positions::king_endings(200, 11)) {
        let choice = ask(&mut *exact, position, 5);
        let Some(m) = choice.best else { continue };
        // An end nearer than the depth ends the deepening.
        let left = choice.depth - 1;
        let after = position.clone().play(m).unwrap();
        let value = match left {
            0 => continue,
            left => -ask(&mut *judge, &after, left).score,
        };
        assert_eq!(value, one_ply_nearer(choice.score), "in {position}");
    }
}

#[test]
fn captures_are_searched_to_their_end() {
    // One ply deep, taking the man looks good; what takes back is seen only with quiescence.
    let position: Position = "W:Wc3,a1:Bd4,f6,h8".parse().unwrap();
    let without = ask(
        &mut *bot("negascout-id:quiescence=off,tablebase=off"),
        &position,
        1,
    );
    let with = ask(&mut *bot("negascout-id:tablebase=off"), &position, 1);
    assert!(
        with.score < without.score,
        "{} {}",
        with.score,
        without.score
    );
    assert_eq!((without.pv.len(), with.pv.len()), (1, 2));
}

#[test]
fn the_nearest_end_is_found_without_going_on() {
    let position: Position = "W:Wb4,d2,Kh2:Ba5".parse().unwrap();
    let choice = ask(&mut *bot("negascout-id"), &position, 30);
    assert_eq!((choice.score, choice.depth), (Score::win_in(1), 1));
    assert!(choice.complete);
}

#[test]
fn a_forced_move_takes_no_time() {
    let game = Game::from_position("W:Wc3,g1:Bd4,h8,a7".parse().unwrap(), DrawRules::Fmjd64);
    assert_eq!(game.legal_moves().len(), 1);
    let hour = Duration::from_secs(3600);
    let clock = Clock {
        remaining: hour,
        increment: Duration::ZERO,
    };
    let on_clock = Limits {
        clock: Some(clock),
        ..Limits::default()
    };
    let of_move = Limits {
        movetime: Some(hour),
        ..Limits::default()
    };
    for spec in [
        "negascout-id",
        "alpha-beta:depth=9,id=on",
        "champion:tt=1,tablebase=off",
    ] {
        for limits in [&on_clock, &of_move] {
            let choice = bot(spec).choose(&game, limits);
            assert_eq!((choice.depth, choice.complete), (1, true), "{spec}");
        }
    }
}
