//! What a bot does whose games are arranged, without a socket.

use std::time::Duration;

use checkers_bot::player::{Action, Player, Request, RunPlan};
use checkers_bot::report::Report;
use checkers_bot::{BotFailure, ExitCode};
use checkers_lib::protocol::{
    ClientMessage, EndReason, ErrorCode, GameResult, ServerMessage, WireClock, WireClocks,
    WireColor,
};
use checkers_lib::{Color, MoveTiming, SideClock};

use crate::player::{plan, thought};
use crate::referee::{BOT, Referee, joined, refusal};

/// A player that has joined and waits for its games.
fn arranged_player() -> Player {
    let mut player = Player::new(RunPlan {
        series: None,
        ..plan(1)
    });
    let actions = player.handle(&joined()).unwrap();
    assert!(actions.is_empty(), "{actions:?}");
    player
}

/// The request for the bot's next move.
fn request(player: &mut Player, referee: &Referee) -> Request {
    let actions = player.handle(&referee.your_turn()).unwrap();
    let [Action::Think(request)] = &actions[..] else {
        panic!("{actions:?}");
    };
    request.clone()
}

fn adjudicated(referee: &Referee) -> ServerMessage {
    referee.over_by(GameResult::Draw, EndReason::Adjudication)
}

fn closed(code: Option<u16>) -> BotFailure {
    BotFailure::Closed {
        code,
        reason: String::new(),
    }
}

#[test]
fn it_plays_every_game_on_either_side() {
    let mut player = arranged_player();
    for (number, color) in [(1, Color::Black), (2, Color::White), (3, Color::White)] {
        let mut referee = Referee::new(number, color);
        let actions = player.handle(&referee.started()).unwrap();
        let started = Report::Started {
            name: BOT.to_owned(),
            bot: "random:seed=1".to_owned(),
            color: WireColor::Black,
        };
        match &actions[..] {
            [Action::Report(report)] if number == 1 => assert_eq!(report, &started),
            [] if number > 1 => {}
            other => panic!("{other:?}"),
        }
        if color == Color::Black {
            player.handle(&referee.play("c3-d4")).unwrap();
        }
        request(&mut player, &referee);
        let actions = player.handle(&adjudicated(&referee)).unwrap();
        let [Action::StopThinking, Action::Report(Report::Game { .. })] = &actions[..] else {
            panic!("{actions:?}");
        };
    }
}

#[test]
fn a_game_has_its_number_after_any_other() {
    let mut player = arranged_player();
    for number in [7, 12] {
        let referee = Referee::new(number, Color::White);
        player.handle(&referee.started()).unwrap();
        assert_eq!(request(&mut player, &referee).number, number - 1);
        player.handle(&adjudicated(&referee)).unwrap();
    }
}

#[test]
fn games_of_others_go_on_beside_it() {
    let mut player = arranged_player();
    let mut referee = Referee::new(1, Color::White);
    referee.names.white = "anna".to_owned();
    for message in [referee.started(), referee.play("c3-d4"), referee.over()] {
        assert!(player.handle(&message).unwrap().is_empty(), "{message:?}");
    }
}

#[test]
fn a_move_knows_its_own_clock() {
    let clock = |remaining_ms| WireClock {
        remaining_ms,
        increment_ms: 100,
        delay_ms: None,
        per_move_ms: None,
    };
    let both = WireClocks {
        white: Some(clock(5000)),
        black: Some(clock(7000)),
    };
    let white_only = WireClocks {
        black: None,
        ..both
    };
    let seconds = |remaining| SideClock {
        remaining: Duration::from_secs(remaining),
        timing: MoveTiming::Increment(Duration::from_millis(100)),
    };
    for (color, told, expected) in [
        (Color::White, Some(both), Some(seconds(5))),
        (Color::Black, Some(both), Some(seconds(7))),
        (Color::Black, Some(white_only), None),
        (Color::White, None, None),
    ] {
        let mut player = arranged_player();
        let mut referee = Referee::new(1, color);
        referee.clocks = told;
        player.handle(&referee.started()).unwrap();
        if color == Color::Black {
            player.handle(&referee.play("c3-d4")).unwrap();
        }
        assert_eq!(request(&mut player, &referee).clock, expected);
    }
}

/// A player in its second game, in which its move for the first may still be refused.
fn with_a_late_move() -> (Player, Referee) {
    let mut player = arranged_player();
    let referee = Referee::new(1, Color::White);
    player.handle(&referee.started()).unwrap();
    let request = request(&mut player, &referee);
    player.chosen(&thought(&request, "c3-d4")).unwrap();
    player.handle(&adjudicated(&referee)).unwrap();
    let referee = Referee::new(2, Color::White);
    player.handle(&referee.started()).unwrap();
    (player, referee)
}

#[test]
fn a_late_move_may_be_refused_in_the_next_game_once() {
    for code in [
        ErrorCode::NoGame,
        ErrorCode::NotSeated,
        ErrorCode::NotYourTurn,
        ErrorCode::WrongPly,
    ] {
        let (mut player, referee) = with_a_late_move();
        let refusal = refusal(code, "too late");
        assert!(player.handle(&refusal).unwrap().is_empty());
        request(&mut player, &referee);
        let failure = player.handle(&refusal).unwrap_err();
        assert_eq!(failure.exit_code(), ExitCode::Refused, "{code:?}");
    }
}

#[test]
fn a_late_move_excuses_no_other_refusal() {
    let (mut player, _) = with_a_late_move();
    let refusal = refusal(ErrorCode::IllegalMove, "not a legal move");
    assert!(player.handle(&refusal).is_err());
}

#[test]
fn a_stale_thought_is_not_sent() {
    let mut player = arranged_player();
    let referee = Referee::new(1, Color::White);
    player.handle(&referee.started()).unwrap();
    let stale = request(&mut player, &referee);
    player.handle(&adjudicated(&referee)).unwrap();
    let referee = Referee::new(2, Color::White);
    player.handle(&referee.started()).unwrap();
    let fresh = request(&mut player, &referee);
    let actions = player.chosen(&thought(&stale, "c3-d4")).unwrap();
    assert!(actions.is_empty(), "{actions:?}");
    let actions = player.chosen(&thought(&fresh, "c3-d4")).unwrap();
    assert!(
        matches!(
            &actions[..],
            [Action::Send(ClientMessage::Move { game: Some(2), .. })]
        ),
        "{actions:?}"
    );
}

#[test]
fn the_run_is_done_when_the_server_closes_between_games() {
    for code in [1000, 1001] {
        let mut player = arranged_player();
        let referee = Referee::new(1, Color::White);
        player.handle(&referee.started()).unwrap();
        player.handle(&adjudicated(&referee)).unwrap();
        let actions = player.disconnected(closed(Some(code))).unwrap();
        let [
            Action::Report(Report::Done { games: 1, .. }),
            Action::Finish,
        ] = &actions[..]
        else {
            panic!("{actions:?}");
        };
    }
}

#[test]
fn any_other_end_of_the_connection_is_a_failure() {
    let after = Duration::from_secs(60);
    for failure in [
        closed(Some(1008)),
        closed(None),
        BotFailure::Silent { after },
    ] {
        let failure = arranged_player().disconnected(failure).unwrap_err();
        assert_eq!(failure.exit_code(), ExitCode::Closed);
    }
    let mut playing = arranged_player();
    let started = Referee::new(1, Color::White).started();
    playing.handle(&started).unwrap();
    assert!(playing.disconnected(closed(Some(1001))).is_err());
    let mut seated = Player::new(plan(1));
    seated.handle(&joined()).unwrap();
    assert!(seated.disconnected(closed(Some(1001))).is_err());
}

#[test]
fn leaving_between_games_says_nothing() {
    let mut player = arranged_player();
    assert!(player.leave().is_empty());
    let mut player = arranged_player();
    let referee = Referee::new(1, Color::White);
    player.handle(&referee.started()).unwrap();
    let actions = player.leave();
    assert!(matches!(
        &actions[..],
        [Action::StopThinking, Action::Send(ClientMessage::LeaveSeat)]
    ));
}
