//! What the bot does on which message, without a socket.

use std::time::Duration;

use checkers_bot::ExitCode;
use checkers_bot::player::{Action, Player, Request, RunPlan, Series, Thought, Venue};
use checkers_bot::report::Report;
use checkers_engine::{Choice, Score};
use checkers_lib::Color;
use checkers_lib::protocol::{
    ClientMessage, EndReason, ErrorCode, GameResult, SearchInfo, ServerMessage, WireColor,
};

use crate::referee::{BOT, RIVAL, Referee, joined, refusal, seated};

pub(crate) fn plan(games: u32) -> RunPlan {
    RunPlan {
        name: BOT.to_owned(),
        token: None,
        bot: "random:seed=1".to_owned(),
        series: Some(series(games)),
        venue: Venue::Main,
        rated: false,
    }
}

fn series(games: u32) -> Series {
    Series {
        color: Color::White,
        games,
        swap: false,
    }
}

/// A player that has White's seat.
pub(crate) fn seated_player(plan: RunPlan) -> Player {
    let mut player = Player::new(plan);
    player.handle(&joined()).unwrap();
    player.handle(&seated(Color::White)).unwrap();
    player
}

/// A player in its first game, as White, before its first move.
pub(crate) fn playing(games: u32) -> (Player, Referee) {
    let mut player = seated_player(plan(games));
    let referee = Referee::new(1, Color::White);
    player.handle(&referee.started()).unwrap();
    (player, referee)
}

/// A player that is thinking about its first move.
pub(crate) fn thinking(games: u32) -> (Player, Referee, Request) {
    let (mut player, referee) = playing(games);
    let actions = player.handle(&referee.your_turn()).unwrap();
    let [Action::Think(request)] = &actions[..] else {
        panic!("{actions:?}");
    };
    let request = request.clone();
    (player, referee, request)
}

pub(crate) fn thought(request: &Request, text: &str) -> Thought {
    let m = request.game.position().parse_move(text).unwrap();
    let choice = Choice {
        best: Some(m),
        score: Score::new(-5),
        depth: 3,
        nodes: 99,
        time: Duration::from_micros(1500),
        pv: vec![m],
        complete: true,
        from_book: false,
    };
    Thought {
        turn: request.turn,
        choice,
    }
}

fn sends(actions: &[Action], message: &ClientMessage) -> bool {
    matches!(actions, [Action::Send(sent)] if sent == message)
}

fn seat(color: WireColor) -> ClientMessage {
    let color = color.into();
    ClientMessage::TakeSeat { color }
}

fn reports(actions: &[Action]) -> Vec<&Report> {
    let mut reports = Vec::new();
    for action in actions {
        if let Action::Report(report) = action {
            reports.push(report);
        }
    }
    reports
}

#[test]
fn it_joins_and_sits_down() {
    let mut player = Player::new(plan(1));
    let name = BOT.to_owned();
    assert!(sends(&player.join(), &ClientMessage::join(name)));
    let actions = player.handle(&joined()).unwrap();
    assert!(sends(&actions, &seat(WireColor::White)));
}

#[test]
fn the_first_seat_is_reported_once() {
    let mut player = Player::new(plan(1));
    player.handle(&joined()).unwrap();
    let started = Report::Started {
        name: BOT.to_owned(),
        bot: "random:seed=1".to_owned(),
        color: WireColor::White,
    };
    let actions = player.handle(&seated(Color::White)).unwrap();
    assert_eq!(reports(&actions), [&started]);
    assert!(player.handle(&seated(Color::White)).unwrap().is_empty());
}

#[test]
fn a_move_is_reported_when_the_server_has_played_it() {
    let (mut player, mut referee, request) = thinking(1);
    let sent = ClientMessage::Move {
        game: Some(1),
        ply: 0,
        text: "c3-d4".to_owned(),
        search: Some(SearchInfo {
            score: -5,
            depth: 3,
            nodes: 99,
            time_us: 1500,
            pv: "c3-d4".parse().unwrap(),
        }),
        id: Some("1-0".to_owned()),
    };
    let actions = player.chosen(&thought(&request, "c3-d4")).unwrap();
    assert!(sends(&actions, &sent));

    let actions = player.handle(&referee.play("c3-d4")).unwrap();
    let report = Report::Move {
        game: 1,
        ply: 0,
        text: "c3-d4".to_owned(),
        score: -5,
        depth: 3,
        nodes: 99,
        time_us: 1500,
        pv: "c3-d4".parse().unwrap(),
        book: false,
    };
    assert_eq!(reports(&actions), [&report]);
}

#[test]
fn a_lost_game_is_followed_by_the_next() {
    let mut player = seated_player(plan(2));
    let mut referee = Referee::from_fen(7, Color::White, "W:Wa1:Bd6,c3");
    player.handle(&referee.started()).unwrap();
    let actions = player.handle(&referee.your_turn()).unwrap();
    let [Action::Think(request)] = &actions[..] else {
        panic!("{actions:?}");
    };
    assert_eq!((request.number, request.turn.game), (0, 7));
    player.chosen(&thought(request, "a1-b2")).unwrap();
    player.handle(&referee.play("a1-b2")).unwrap();
    player.handle(&referee.play("c3:a1")).unwrap();

    let actions = player.handle(&referee.over()).unwrap();
    let over = Report::Game {
        game: 7,
        color: WireColor::White,
        opponent: RIVAL.to_owned(),
        result: GameResult::BlackWon,
        reason: EndReason::NoPieces,
        plies: 2,
        moves: 1,
        mean_us: 1500,
        max_us: 1500,
    };
    assert_eq!(reports(&actions), [&over]);
    assert!(sends(&actions[1..], &seat(WireColor::White)));
}

#[test]
fn the_last_game_ends_the_run() {
    let (mut player, referee) = playing(1);
    let actions = player.handle(&referee.over()).unwrap();
    let done = Report::Done {
        games: 1,
        wins: 0,
        losses: 0,
        draws: 0,
        interrupted: 1,
        mean_us: 0,
        max_us: 0,
    };
    assert_eq!(reports(&actions)[1], &done);
    assert!(matches!(actions.last(), Some(Action::Finish)));
}

#[test]
fn sides_change_when_asked_to() {
    let swapped = Series {
        swap: true,
        ..series(3)
    };
    let mut player = seated_player(RunPlan {
        series: Some(swapped),
        ..plan(3)
    });
    for (number, color, next) in [
        (1, Color::White, WireColor::Black),
        (2, Color::Black, WireColor::White),
    ] {
        let referee = Referee::new(number, color);
        player.handle(&seated(color)).unwrap();
        player.handle(&referee.started()).unwrap();
        let actions = player.handle(&referee.over()).unwrap();
        assert!(sends(&actions[1..], &seat(next)));
    }
}

#[test]
fn games_of_a_run_are_numbered_from_zero() {
    let (mut player, referee, request) = thinking(2);
    assert_eq!(request.number, 0);
    player.handle(&referee.over()).unwrap();
    let referee = Referee::new(2, Color::White);
    player.handle(&seated(Color::White)).unwrap();
    player.handle(&referee.started()).unwrap();
    let actions = player.handle(&referee.your_turn()).unwrap();
    assert!(matches!(&actions[..], [Action::Think(request)] if request.number == 1));
}

#[test]
fn a_search_ends_with_its_game() {
    let (mut player, referee, request) = thinking(2);
    let actions = player.handle(&referee.over()).unwrap();
    assert!(matches!(actions[0], Action::StopThinking));
    let late = player.chosen(&thought(&request, "c3-d4")).unwrap();
    assert!(late.is_empty(), "{late:?}");
}

#[test]
fn a_move_that_came_too_late_may_be_refused_once() {
    let refusal = refusal(ErrorCode::NotSeated, "no seat");
    let (mut player, referee, request) = thinking(2);
    player.chosen(&thought(&request, "c3-d4")).unwrap();
    player.handle(&referee.over()).unwrap();
    assert!(player.handle(&refusal).unwrap().is_empty());
    assert_eq!(
        player.handle(&refusal).unwrap_err().exit_code(),
        ExitCode::Refused
    );
}

#[test]
fn asked_twice_it_thinks_once() {
    let (mut player, referee, request) = thinking(1);
    assert!(player.handle(&referee.your_turn()).unwrap().is_empty());
    player.chosen(&thought(&request, "c3-d4")).unwrap();
    assert!(player.handle(&referee.your_turn()).unwrap().is_empty());
    assert!(
        player
            .chosen(&thought(&request, "a3-b4"))
            .unwrap()
            .is_empty()
    );
}

#[test]
fn games_of_others_are_none_of_its_business() {
    let mut player = Player::new(plan(1));
    player.handle(&joined()).unwrap();
    let mut referee = Referee::new(1, Color::White);
    referee.names.white = "anna".to_owned();
    for message in [
        ServerMessage::GameState(referee.state()),
        referee.started(),
        referee.play("c3-d4"),
        referee.over(),
    ] {
        assert!(player.handle(&message).unwrap().is_empty(), "{message:?}");
    }
}

#[test]
fn leaving_gives_the_seat_up() {
    assert!(Player::new(plan(1)).leave().is_empty());
    let mut waiting = seated_player(plan(1));
    assert!(sends(&waiting.leave(), &ClientMessage::LeaveSeat));
    let (mut player, ..) = thinking(1);
    let actions = player.leave();
    assert!(matches!(actions[0], Action::StopThinking));
    assert!(sends(&actions[1..], &ClientMessage::LeaveSeat));
}

#[test]
fn a_bot_without_a_legal_move_fails() {
    let (mut player, _, request) = thinking(1);
    let mut thought = thought(&request, "c3-d4");
    thought.choice.best = None;
    let failure = player.chosen(&thought).unwrap_err();
    assert_eq!(failure.exit_code(), ExitCode::Failed);
}

#[test]
fn refusals_have_their_codes() {
    for (code, exit) in [
        (ErrorCode::BadName, ExitCode::BadName),
        (ErrorCode::NameTaken, ExitCode::NameTaken),
        (ErrorCode::SeatTaken, ExitCode::SeatTaken),
        (ErrorCode::IllegalMove, ExitCode::Refused),
        (ErrorCode::NotSeated, ExitCode::Refused),
        (ErrorCode::TooManyMessages, ExitCode::Refused),
    ] {
        let mut player = Player::new(plan(1));
        let failure = player.handle(&refusal(code, "why")).unwrap_err();
        assert_eq!(failure.exit_code(), exit, "{code:?}");
    }
}

#[test]
fn the_end_of_a_tournament_is_a_good_end() {
    let mut player = seated_player(plan(0));
    let over = refusal(ErrorCode::EventOver, "the tournament is over");
    let actions = player.handle(&over).unwrap();
    assert!(
        matches!(
            &actions[..],
            [Action::Report(Report::Done { .. }), Action::Finish]
        ),
        "{actions:?}"
    );
}
