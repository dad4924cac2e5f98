//! A server that contradicts the rules, the protocol or itself is left with an error.

use checkers_bot::player::Player;
use checkers_bot::{BotFailure, ProtocolError};
use checkers_lib::Color;
use checkers_lib::protocol::{
    EndReason, GameResult, GameState, Joined, PlayedMove, ServerMessage, WireColor,
};

use crate::player::{plan, playing, seated_player, thinking, thought};
use crate::referee::{BOT, MAIN, Referee, joined};

/// The error that `message` is for `player`.
fn protocol_error(mut player: Player, message: &ServerMessage) -> ProtocolError {
    match player.handle(message) {
        Err(BotFailure::Protocol(error)) => error,
        other => panic!("{other:?} on {message:?}"),
    }
}

fn mismatch(message: &ServerMessage, player: Player) -> &'static str {
    match protocol_error(player, message) {
        ProtocolError::Mismatch { field, .. } => field,
        other => panic!("{other:?} on {message:?}"),
    }
}

#[test]
fn a_server_of_another_protocol_is_left() {
    let told = |protocol, draw_rules: &str| {
        ServerMessage::Joined(Joined {
            name: BOT.to_owned(),
            protocol,
            draw_rules: draw_rules.to_owned(),
            ..Joined::default()
        })
    };
    let error = protocol_error(Player::new(plan(1)), &told(2, "fmjd64"));
    assert_eq!(error, ProtocolError::Version(2));
    let error = protocol_error(Player::new(plan(1)), &told(1, "house"));
    assert!(matches!(error, ProtocolError::DrawRules(_)));
}

#[test]
fn messages_out_of_place_are_noticed() {
    let referee = Referee::new(1, Color::White);
    let fresh = || Player::new(plan(1));
    for (player, message, name) in [
        (seated_player(plan(1)), joined(), "joined"),
        (fresh(), referee.your_turn(), "your_turn"),
        (seated_player(plan(1)), referee.your_turn(), "your_turn"),
        (playing(1).0, referee.started(), "game_started"),
    ] {
        let error = protocol_error(player, &message);
        assert_eq!(error, ProtocolError::Unexpected(name));
    }
}

#[test]
fn a_game_that_does_not_fit_is_noticed() {
    let start = |change: fn(&mut GameState)| {
        let mut state = Referee::new(1, Color::White).state();
        change(&mut state);
        ServerMessage::GameStarted(state)
    };
    for (message, field) in [
        (start(|state| state.ply = 1), "ply"),
        (start(|state| state.turn = WireColor::Black), "turn"),
        (start(|state| state.fen = "W:Wa1:Bh8".to_owned()), "fen"),
        (Referee::new(1, Color::Black).started(), "seat"),
    ] {
        assert_eq!(mismatch(&message, seated_player(plan(1))), field);
    }
    let nonsense = start(|state| state.start_fen = "W:Wa2:Bh8".to_owned());
    assert!(matches!(
        protocol_error(seated_player(plan(1)), &nonsense),
        ProtocolError::Meaningless {
            field: "start_fen",
            ..
        }
    ));
}

#[test]
fn a_request_that_does_not_fit_is_noticed() {
    let wrong = |change: fn(&mut Referee)| {
        let mut referee = Referee::new(1, Color::White);
        change(&mut referee);
        referee.your_turn()
    };
    let mut short = wrong(|_| {});
    let ServerMessage::YourTurn { legal_moves, .. } = &mut short else {
        panic!("not a request");
    };
    legal_moves.pop();
    for (message, field) in [
        (wrong(|referee| referee.number = 2), "game"),
        (wrong(|referee| drop(referee.play("c3-d4"))), "ply"),
        (
            Referee::from_fen(1, Color::White, "W:Wa1:Bh8").your_turn(),
            "fen",
        ),
        (short, "legal moves"),
    ] {
        assert_eq!(mismatch(&message, playing(1).0), field);
    }
}

#[test]
fn it_is_not_asked_for_the_opponents_move() {
    let (mut player, mut referee, request) = thinking(1);
    player.chosen(&thought(&request, "c3-d4")).unwrap();
    player.handle(&referee.play("c3-d4")).unwrap();
    assert_eq!(mismatch(&referee.your_turn(), player), "turn");
}

#[test]
fn a_move_that_does_not_fit_is_noticed() {
    let moved = |change: fn(&mut Moved)| {
        let mut moved = Moved::default();
        change(&mut moved);
        moved.message()
    };
    let sent = || {
        let (mut player, _, request) = thinking(1);
        player.chosen(&thought(&request, "c3-d4")).unwrap();
        player
    };
    for (message, field) in [
        (moved(|moved| moved.game = 2), "game"),
        (moved(|moved| moved.played.ply = 5), "ply"),
        (moved(|moved| moved.played.color = WireColor::Black), "turn"),
        (moved(|moved| moved.fen = "B:Wa1:Bh8".to_owned()), "fen"),
        (moved(|moved| moved.turn = WireColor::White), "turn"),
        (Referee::new(1, Color::White).play("a3-b4"), "move"),
    ] {
        assert_eq!(mismatch(&message, sent()), field);
    }
    let illegal = moved(|moved| moved.played.text = "c3-d6".to_owned());
    assert!(matches!(
        protocol_error(sent(), &illegal),
        ProtocolError::Meaningless { field: "move", .. }
    ));
    let unsent = playing(1).0;
    assert_eq!(mismatch(&moved(|_| {}), unsent), "move");
}

#[test]
fn an_end_that_does_not_fit_is_noticed() {
    let referee = Referee::new(1, Color::White);
    let early = referee.over_by(GameResult::WhiteWon, EndReason::NoMoves);
    assert_eq!(mismatch(&early, playing(1).0), "end");

    let mut player = seated_player(plan(1));
    let mut lost = Referee::from_fen(1, Color::White, "B:Wd4:Be5,h8");
    player.handle(&lost.started()).unwrap();
    player.handle(&lost.play("e5:c3")).unwrap();
    let wrong_side = lost.over_by(GameResult::WhiteWon, EndReason::NoPieces);
    assert_eq!(mismatch(&wrong_side, player), "end");
}

#[test]
fn an_end_outside_the_board_is_believed() {
    for (result, reason) in [
        (GameResult::WhiteWon, EndReason::Resignation),
        (GameResult::Draw, EndReason::Agreement),
    ] {
        let (mut player, referee) = playing(1);
        assert!(player.handle(&referee.over_by(result, reason)).is_ok());
    }
}

/// The parts of `moved` after White's c3-d4.
struct Moved {
    game: u64,
    played: PlayedMove,
    fen: String,
    turn: WireColor,
}

impl Default for Moved {
    fn default() -> Moved {
        match Referee::new(1, Color::White).play("c3-d4") {
            ServerMessage::Moved {
                game,
                played,
                fen,
                turn,
                ..
            } => Moved {
                game,
                played,
                fen,
                turn,
            },
            other => panic!("{other:?}"),
        }
    }
}

impl Moved {
    fn message(self) -> ServerMessage {
        let Moved {
            game,
            played,
            fen,
            turn,
        } = self;
        ServerMessage::Moved {
            table: MAIN.to_owned(),
            game,
            seq: 5,
            played,
            fen,
            turn,
            clocks: None,
            id: None,
        }
    }
}
