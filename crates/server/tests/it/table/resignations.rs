//! Resigned and aborted games.

use checkers_lib::openings;
use checkers_lib::protocol::{EndReason, ErrorCode, GameResult, Meant, Role};
use checkers_lib::{Color, DrawRules};
use checkers_server::table::{Command, Table};

use crate::table::scene::{ANNA, ANOTHER, ANY, BORIS, CLARA, TableScene, asked, end, roles, setup};

#[test]
fn resigning_loses_on_either_turn() {
    for (who, result) in [(ANNA, GameResult::BlackWon), (BORIS, GameResult::WhiteWon)] {
        let mut scene = TableScene::playing(DrawRules::Fmjd64);
        scene.play_all(&["c3-d4"]);
        let effects = scene.does(who, Command::Resign(Meant { game: Some(1) }));
        let resigned = (result, EndReason::Resignation, None, 1);
        assert_eq!(end(&effects), Some(resigned));
        assert!(
            roles(&effects)
                .iter()
                .all(|(_, role)| *role == Role::Spectator)
        );
        scene.refuses(who, Command::Resign(ANY), ErrorCode::NotSeated);
    }
}

#[test]
fn only_players_of_a_running_game_resign_or_abort() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    for command in [Command::Resign, Command::Abort] {
        scene.refuses(ANNA, command(ANY), ErrorCode::NotJoined);
    }
    scene.enter(ANNA, "anna");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    for command in [Command::Resign, Command::Abort] {
        scene.refuses(ANNA, command(ANY), ErrorCode::NoGame);
    }
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.enter(CLARA, "clara");
    for command in [Command::Resign, Command::Abort] {
        scene.refuses(CLARA, command(ANY), ErrorCode::NotSeated);
        scene.refuses(ANNA, command(ANOTHER), ErrorCode::NoGame);
    }
    assert_eq!(asked(&scene.plays(ANNA, 0, "c3-d4")).1, 1);
}

#[test]
fn a_game_may_be_aborted_before_both_sides_have_moved() {
    let aborted = |ply| Some((GameResult::Interrupted, EndReason::Aborted, None, ply));
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    assert_eq!(end(&scene.does(BORIS, Command::Abort(ANY))), aborted(0));

    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.play_all(&["c3-d4"]);
    assert_eq!(end(&scene.does(ANNA, Command::Abort(ANY))), aborted(1));

    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.play_all(&["c3-d4", "b6-a5"]);
    scene.refuses(ANNA, Command::Abort(ANY), ErrorCode::TooLate);
}

#[test]
fn opening_moves_count_for_neither_side() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    let opening = openings::parse("c3-d4 b6-a5").unwrap();
    scene.table = Table::new("main", DrawRules::Fmjd64)
        .with_openings(opening)
        .unwrap();
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeSeat(Color::Black));
    let aborted = (GameResult::Interrupted, EndReason::Aborted, None, 2);
    assert_eq!(end(&scene.does(ANNA, Command::Abort(ANY))), Some(aborted));
}

#[test]
fn an_arranged_game_can_be_resigned_but_not_aborted() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(1));
    scene.refuses(ANNA, Command::Abort(ANY), ErrorCode::NotCasual);
    let resigned = (GameResult::BlackWon, EndReason::Resignation, None, 0);
    assert_eq!(end(&scene.does(ANNA, Command::Resign(ANY))), Some(resigned));
}
