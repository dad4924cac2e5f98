//! Engines of other programs as something that chooses moves.

use std::time::Duration;

use checkers_bot::{HubEngine, HubError};
use checkers_engine::{BotSpec, Choice, Limits, Score, Stop};
use checkers_lib::{DrawRules, Game};

use super::fake::{spec, start_error};

fn start() -> Game {
    Game::new(DrawRules::Fmjd64)
}

/// What an engine that behaves so makes of the start position.
fn choose(behaviour: &str, moves: &str, limits: &Limits) -> Result<Choice, HubError> {
    let mut engine = HubEngine::start(&spec(behaviour, moves), None).unwrap();
    engine.new_game();
    engine.choose(&start(), limits)
}

fn within(movetime: u64) -> Limits {
    Limits {
        movetime: Some(Duration::from_millis(movetime)),
        ..Limits::default()
    }
}

#[test]
fn move_score_depth_nodes_and_line_come_through() {
    let choice = choose("plays", "22-18", &Limits::default()).unwrap();
    assert_eq!(
        choice.best,
        Some(start().position().parse_move("c3-d4").unwrap())
    );
    assert_eq!((choice.depth, choice.nodes), (9, 1000));
    assert_eq!(choice.score, Score::new(320));
    assert_eq!(choice.pv.len(), 2);
    assert!(choice.complete);
}

#[test]
fn an_engine_may_take_its_time_to_start_and_babble() {
    for behaviour in ["slow", "babble"] {
        let choice = choose(behaviour, "22-18", &Limits::default()).unwrap();
        assert!(choice.best.is_some());
    }
}

#[test]
fn an_engine_that_takes_too_long_is_stopped() {
    let choice = choose("endless", "22-18", &within(50)).unwrap();
    assert!(!choice.complete && choice.best.is_some());
    let stopped = Limits::default();
    stopped.stop.stop();
    assert!(choose("endless", "22-18", &stopped).is_ok());
}

#[test]
fn an_engine_that_hangs_is_given_up_once_its_move_is_not_needed() {
    let stop = Stop::default();
    let limits = Limits {
        stop: stop.clone(),
        ..within(1)
    };
    stop.stop();
    let error = choose("hang", "", &limits).unwrap_err();
    assert!(matches!(error, HubError::Silent { .. }), "{error}");
}

#[test]
fn errors_of_engines_are_reported() {
    for (behaviour, moves, told) in [
        ("crash", "", "ended with exit code 3"),
        ("speechless", "", "sent no move: done"),
        ("flood", "22-18", "line of more than 65536 bytes"),
        ("chatter", "22-18", "wrote 10000 lines that mean nothing"),
        ("segfault", "22-18", "ended with signal 11"),
        ("plays", "22-17-13", "is no move such as"),
        ("plays", "22-13", "22-13 is not a legal move here"),
        ("plays", "22x13x18", "not a legal move here"),
    ] {
        let error = choose(behaviour, moves, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains(told), "{behaviour}: {error}");
    }
}

#[test]
fn an_engine_that_cannot_be_set_up_is_reported() {
    for (behaviour, keys, told) in [
        (
            "other-variant",
            "",
            "does not play russian, but normal killer",
        ),
        ("failing", "", "reports an error: no weights"),
        ("mute", ",start=100ms", "did not say wait within 100ms"),
        (
            "plays",
            ",param.threads=2",
            "no parameter threads: it has variant, book",
        ),
    ] {
        let spec = format!("{}{keys}", spec(behaviour, ""));
        let error = start_error(&spec.parse().unwrap()).to_string();
        assert!(error.contains(told), "{behaviour}: {error}");
    }
    let error = start_error(&"hub:cmd=exec no-such-engine".parse().unwrap());
    assert!(matches!(error, HubError::Ended { .. }), "{error}");
    let error = start_error(&"hub:cmd=true,dir=/no/such/place".parse().unwrap());
    assert!(matches!(error, HubError::Start(_)), "{error}");
}

/// A game of two choosers from the start, each asked in turn, as texts.
fn play(mut choose: impl FnMut(&Game) -> Choice, plies: usize) -> Vec<(String, u32, u64)> {
    let mut game = start();
    let mut played = Vec::new();
    while game.outcome().is_none() && game.ply() < plies {
        let choice = choose(&game);
        let best = choice.best.unwrap();
        played.push((game.position().notation(best), choice.depth, choice.nodes));
        game.play(best).unwrap();
    }
    played
}

/// Our bots through the protocol play the game that they play without it, node for node.
#[test]
fn a_bot_of_ours_is_the_same_through_the_protocol() {
    for text in ["champion:depth=5,tt=1", "negascout-tt:depth=4,tt=1"] {
        let spec: BotSpec = text.parse().unwrap();
        let mut bots = [spec.build(), spec.build()];
        let direct = play(
            |game| bots[game.ply() % 2].choose(game, &Limits::default()),
            200,
        );
        let program = env!("CARGO_BIN_EXE_checkers-bot");
        let hub = format!("hub:cmd=\"exec '{program}' hub --bot {text}\"");
        let engine = || {
            let mut engine = HubEngine::start(&hub.parse().unwrap(), None).unwrap();
            engine.new_game();
            engine
        };
        let mut engines = [engine(), engine()];
        let limits = Limits::default();
        let through = play(
            |game| engines[game.ply() % 2].choose(game, &limits).unwrap(),
            200,
        );
        assert!(direct.len() > 40, "{}", direct.len());
        assert_eq!(through, direct);
    }
}
