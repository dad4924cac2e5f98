//! Searches that end by nodes, time or clock.

use std::time::Duration;

use checkers_engine::{Choice, Clock, Limits};
use checkers_lib::{DrawRules, Game, Position};

use super::{ask, bot};

const SEARCHES: [&str; 14] = [
    "minimax-weak:depth=64",
    "minimax:depth=64",
    "alpha-beta:depth=64",
    "negascout:depth=64",
    "negascout-tt:depth=64,tt=1",
    "sss-star:depth=64,tt=1",
    "mtdf:depth=64,tt=1",
    "alpha-beta:depth=64,id=on",
    "alpha-beta:depth=64,order=on",
    "negascout-tt:depth=64,tt=1,order=on,id=on",
    "negascout-id:depth=64,tt=1",
    "champion:depth=64,tt=1,book=off",
    "mcts:playouts=1000000000",
    "mcts:playouts=1000000000,playout=eval",
];

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn clock(remaining: Duration, increment: Duration) -> Limits {
    let clock = Clock {
        remaining,
        increment,
    };
    Limits {
        clock: Some(clock),
        ..Limits::default()
    }
}

/// What a new bot chooses at the start of a game, a legal move in any case.
fn choose(spec: &str, limits: &Limits) -> Choice {
    let game = Game::new(DrawRules::Fmjd64);
    let choice = bot(spec).choose(&game, limits);
    let m = choice.best.expect("there are moves");
    assert!(game.position().is_legal(m), "{spec}");
    assert_eq!(choice.pv.first(), Some(&m), "{spec}");
    choice
}

#[test]
fn nodes_are_bounded_exactly() {
    for spec in SEARCHES {
        for bound in [0, 1, 7, 1000, 1024, 1025, 3000] {
            let choice = choose(spec, &nodes(bound));
            assert_eq!(choice.nodes, bound, "{spec}");
            assert_eq!(choice.complete, spec.starts_with("mcts"), "{spec}");
        }
    }
}

#[test]
fn bounds_that_are_not_reached_change_nothing() {
    let roomy = Limits {
        depth: Some(4),
        movetime: Some(Duration::MAX),
        ..nodes(1_000_000)
    };
    for spec in &SEARCHES[..12] {
        let bounded = choose(spec, &roomy);
        let free = ask(&mut *bot(spec), &Position::start(), 4);
        assert!(bounded.complete, "{spec}");
        assert_eq!(
            (bounded.pv, bounded.score, bounded.nodes, bounded.depth),
            (free.pv, free.score, free.nodes, free.depth),
            "{spec}"
        );
    }
}

#[test]
fn as_many_nodes_as_needed_are_enough() {
    for spec in &SEARCHES[..12] {
        let needed = ask(&mut *bot(spec), &Position::start(), 4).nodes;
        let with = |bound| {
            let limits = Limits {
                depth: Some(4),
                ..nodes(bound)
            };
            choose(spec, &limits)
        };
        assert!(with(needed).complete, "{spec}");
        assert!(!with(needed - 1).complete, "{spec}");
    }
}

#[test]
fn time_ends_searches_that_would_take_for_ever() {
    let movetime = Limits {
        movetime: Some(Duration::from_millis(5)),
        ..Limits::default()
    };
    let clock = clock(Duration::from_millis(100), Duration::from_millis(1));
    for spec in SEARCHES {
        assert!(!choose(spec, &movetime).complete, "{spec}");
        choose(spec, &clock);
    }
}

#[test]
fn no_time_at_all_still_gives_a_move() {
    let movetime = Limits {
        movetime: Some(Duration::ZERO),
        ..Limits::default()
    };
    let clock = clock(Duration::ZERO, Duration::ZERO);
    for spec in SEARCHES {
        for limits in [&movetime, &clock] {
            let choice = choose(spec, limits);
            assert!(choice.nodes <= 1024, "{spec}");
        }
    }
}

#[test]
fn whichever_bound_comes_first_holds() {
    let limits = |depth, nodes| Limits {
        depth: Some(depth),
        nodes: Some(nodes),
        movetime: Some(Duration::from_secs(3600)),
        clock: clock(Duration::from_secs(36_000), Duration::ZERO).clock,
        ..Limits::default()
    };
    for spec in &SEARCHES[..12] {
        let by_depth = choose(spec, &limits(2, 1_000_000));
        assert!(by_depth.complete && by_depth.depth == 2, "{spec}");
        let by_nodes = choose(spec, &limits(64, 50));
        assert!(!by_nodes.complete && by_nodes.nodes == 50, "{spec}");
    }
}

#[test]
fn time_ends_also_the_search_for_the_true_order_of_moves() {
    for spec in [
        "alpha-beta:depth=64,order=best",
        "negascout-tt:depth=64,tt=1,order=worst",
    ] {
        for movetime in [0, 5].map(Duration::from_millis) {
            let limits = Limits {
                movetime: Some(movetime),
                ..Limits::default()
            };
            let choice = choose(spec, &limits);
            assert!(!choice.complete && choice.depth == 0, "{spec}");
            assert!(choice.nodes <= 1024, "{spec}");
        }
    }
}

#[test]
fn only_the_searchs_own_nodes_are_bounded() {
    for order in ["best", "worst"] {
        let spec = format!("alpha-beta:depth=5,order={order}");
        let needed = choose(&spec, &Limits::default()).nodes;
        assert!(choose(&spec, &nodes(needed)).complete, "{spec}");
        let cut = choose(&spec, &nodes(needed - 1));
        assert!(!cut.complete && cut.nodes == needed - 1, "{spec}");
    }
}

#[test]
fn a_search_cut_short_searches_again() {
    for spec in SEARCHES {
        let mut cut = bot(spec);
        cut.choose(&Game::new(DrawRules::Fmjd64), &nodes(2_000));
        cut.new_game(1);
        let limits = Limits {
            depth: Some(4),
            ..nodes(100_000)
        };
        let again = cut.choose(&Game::new(DrawRules::Fmjd64), &limits);
        let fresh = choose(spec, &limits);
        assert!(again.complete, "{spec}");
        assert_eq!(
            (again.best, again.score),
            (fresh.best, fresh.score),
            "{spec}"
        );
    }
}

#[test]
fn a_stopped_mtdf_keeps_the_answer_of_the_depth_before() {
    for depth in 3..=6 {
        let needed = ask(&mut *bot("mtdf"), &Position::start(), depth).nodes;
        let limits = Limits {
            depth: Some(depth),
            ..nodes(needed - 1)
        };
        let cut = choose("mtdf", &limits);
        let before = ask(&mut *bot("mtdf"), &Position::start(), depth - 1);
        assert!(!cut.complete);
        assert_eq!((cut.best, cut.score), (before.best, before.score));
    }
}

#[test]
fn a_search_cut_short_tells_the_depth_it_finished() {
    let depth = |spec: &str| {
        let choice = choose(spec, &nodes(20_000));
        assert!(!choice.complete, "{spec}");
        choice.depth
    };
    assert_eq!(depth("alpha-beta:depth=30"), 0);
    assert_eq!(depth("sss-star:depth=30,tt=1"), 0);
    for spec in ["mtdf:depth=30", "alpha-beta:id=on", "minimax:id=on"] {
        assert!((3..15).contains(&depth(spec)), "{spec}");
    }
}

#[test]
fn iterative_deepening_keeps_the_answer_of_the_last_depth_it_finished() {
    for spec in ["alpha-beta:id=on", "negascout-tt:id=on,order=on,tt=1"] {
        let cut = choose(spec, &nodes(5_000));
        let whole = ask(&mut *bot(spec), &Position::start(), cut.depth);
        assert_eq!((cut.best, cut.score), (whole.best, whole.score), "{spec}");
    }
}
