//! Members, seats and games.

use std::time::Duration;

use checkers_engine::Rng;
use checkers_lib::openings::{self, Opening};
use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, GameState, Joined, Role, ServerMessage, WireColor,
};
use checkers_lib::{Color, DrawRules, Position};
use checkers_server::table::{Command, Effect, JoinRequest, MoveRequest, Table, TableSettings};

use crate::table::scene::{
    ANNA, BORIS, CLARA, ScriptedEnd, TableScene, asked, end, roles, sent_to, started,
};

#[test]
fn new_members_are_spectators() {
    let mut scene = TableScene::new(DrawRules::Study);
    let effects = scene.enter(ANNA, "anna");
    let joined = ServerMessage::Joined(Joined {
        name: "anna".into(),
        protocol: 1,
        table: Some("main".into()),
        draw_rules: "study".into(),
        ..Joined::default()
    });
    assert_eq!(sent_to(&effects, ANNA), [&joined]);
    assert_eq!(roles(&effects), [("anna".into(), Role::Spectator)]);
}

#[test]
fn names_are_checked_and_unique() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.refuses(
        ANNA,
        Command::Enter(JoinRequest::named("")),
        ErrorCode::BadName,
    );
    scene.refuses(
        ANNA,
        Command::Enter(JoinRequest::named("x".repeat(31))),
        ErrorCode::BadName,
    );
    scene.enter(ANNA, "anna");
    scene.refuses(
        ANNA,
        Command::Enter(JoinRequest::named("other")),
        ErrorCode::AlreadyJoined,
    );
    scene.refuses(
        BORIS,
        Command::Enter(JoinRequest::named("anna")),
        ErrorCode::NameTaken,
    );
    scene.does(ANNA, Command::Exit);
    assert_eq!(
        roles(&scene.enter(BORIS, "anna")),
        [("anna".into(), Role::Spectator)]
    );
}

#[test]
fn commands_require_a_join() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    for command in [
        Command::TakeSeat(Color::White),
        Command::LeaveSeat,
        Command::Move(MoveRequest {
            ply: 0,
            text: "c3-d4".into(),
            ..MoveRequest::default()
        }),
    ] {
        scene.refuses(CLARA, command, ErrorCode::NotJoined);
    }
    assert_eq!(scene.does(CLARA, Command::Exit), []);
}

#[test]
fn a_seat_has_one_player() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.refuses(ANNA, Command::LeaveSeat, ErrorCode::NotSeated);
    let effects = scene.does(ANNA, Command::TakeSeat(Color::White));
    let anna_sits = [
        ("anna".to_owned(), Role::White),
        ("boris".into(), Role::Spectator),
    ];
    assert_eq!(roles(&effects), anna_sits);
    scene.refuses(BORIS, Command::TakeSeat(Color::White), ErrorCode::SeatTaken);
    scene.refuses(
        ANNA,
        Command::TakeSeat(Color::Black),
        ErrorCode::AlreadySeated,
    );
    let move_early = Command::Move(MoveRequest {
        ply: 0,
        text: "c3-d4".into(),
        ..MoveRequest::default()
    });
    scene.refuses(ANNA, move_early, ErrorCode::NoGame);
    let effects = scene.does(ANNA, Command::LeaveSeat);
    assert_eq!(roles(&effects)[0], ("anna".into(), Role::Spectator));
    assert_eq!(end(&effects), None);
}

#[test]
fn two_players_start_a_game_and_white_is_asked() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::Black));
    let effects = scene.does(BORIS, Command::TakeSeat(Color::White));
    let started = |effect: &Effect| {
        matches!(
            effect,
            Effect::Broadcast(ServerMessage::GameStarted(GameState { game: 1, white, black, .. }))
                if white == "boris" && black == "anna"
        )
    };
    assert!(effects.iter().any(started), "{effects:?}");
    let [
        ServerMessage::YourTurn {
            game: 1,
            ply: 0,
            fen,
            legal_moves,
            clocks: None,
            ..
        },
    ] = sent_to(&effects, BORIS)[..]
    else {
        panic!("{effects:?}");
    };
    assert_eq!(*fen, Position::start().to_string());
    assert_eq!(legal_moves.len(), 7);
    assert_eq!(sent_to(&effects, ANNA), [] as [&ServerMessage; 0]);
}

#[test]
fn a_move_is_broadcast_and_the_next_one_requested() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.now += Duration::from_millis(1234);
    let effects = scene.plays(ANNA, 0, "c3xd4");
    let [
        Effect::Broadcast(ServerMessage::Moved {
            game: 1,
            played,
            turn: WireColor::Black,
            ..
        }),
        Effect::Send(BORIS, ServerMessage::YourTurn { ply: 1, .. }),
    ] = &effects[..]
    else {
        panic!("{effects:?}");
    };
    assert_eq!(
        (played.text.as_str(), played.ply, played.elapsed_ms),
        ("c3-d4", 0, 1234)
    );
}

#[test]
fn only_a_legal_move_of_the_side_to_move_at_the_current_ply_is_accepted() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.enter(CLARA, "clara");
    let says = |ply, text: &str| {
        Command::Move(MoveRequest {
            ply,
            text: text.into(),
            ..MoveRequest::default()
        })
    };
    scene.refuses(CLARA, says(0, "c3-d4"), ErrorCode::NotSeated);
    scene.refuses(BORIS, says(0, "b6-a5"), ErrorCode::NotYourTurn);
    scene.refuses(ANNA, says(1, "c3-d4"), ErrorCode::WrongPly);
    scene.refuses(ANNA, says(0, "hello"), ErrorCode::BadMove);
    scene.refuses(ANNA, says(0, "c3-e5"), ErrorCode::IllegalMove);
    scene.plays(ANNA, 0, "c3-d4");
    scene.refuses(ANNA, says(0, "e3-f4"), ErrorCode::NotYourTurn);
    scene.refuses(BORIS, says(0, "b6-a5"), ErrorCode::WrongPly);
    assert_eq!(end(&scene.plays(BORIS, 1, "b6-a5")), None);
}

#[test]
fn a_spectator_gets_the_whole_game_so_far_and_disturbs_nothing() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.plays(ANNA, 0, "c3-d4");
    scene.plays(BORIS, 1, "b6-a5");
    let effects = scene.enter(CLARA, "clara");
    let [
        ServerMessage::Joined { .. },
        ServerMessage::GameState(state),
    ] = sent_to(&effects, CLARA)[..]
    else {
        panic!("{effects:?}");
    };
    let texts: Vec<&str> = state
        .moves
        .iter()
        .map(|played| played.text.as_str())
        .collect();
    assert_eq!(texts, ["c3-d4", "b6-a5"]);
    assert_eq!((state.ply, state.turn), (2, WireColor::White));
    assert_eq!(end(&scene.does(CLARA, Command::Exit)), None);
    assert_eq!(end(&scene.plays(ANNA, 2, "b2-c3")), None);
}

#[test]
fn leaving_interrupts_the_game_and_frees_both_seats() {
    for command in [Command::LeaveSeat, Command::Exit] {
        let mut scene = TableScene::playing(DrawRules::Fmjd64);
        scene.plays(ANNA, 0, "c3-d4");
        let effects = scene.does(ANNA, command);
        let interrupted = (GameResult::Interrupted, EndReason::PlayerLeft, None, 1);
        assert_eq!(end(&effects), Some(interrupted));
        assert!(
            roles(&effects)
                .iter()
                .all(|(_, role)| *role == Role::Spectator)
        );
        let late = Command::Move(MoveRequest {
            ply: 1,
            text: "b6-a5".into(),
            ..MoveRequest::default()
        });
        let refused = scene.does(BORIS, late);
        assert!(
            matches!(
                &refused[..],
                [Effect::Send(BORIS, ServerMessage::Error { code: ErrorCode::NotSeated, message, .. })]
                    if message == "the game is over"
            ),
            "{refused:?}"
        );
    }
}

/// Plays the first legal move for both sides until the game ends.
fn play_to_the_end(scene: &mut TableScene) -> Vec<Effect> {
    let mut effects = scene.plays(ANNA, 0, "c3-d4");
    while end(&effects).is_none() {
        let (mover, ply, moves) = asked(&effects);
        effects = scene.plays(mover, ply, &moves[0]);
    }
    effects
}

#[test]
fn a_finished_game_frees_the_seats_for_the_next() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    let effects = play_to_the_end(&mut scene);
    assert_ne!(end(&effects).unwrap().0, GameResult::Interrupted);
    assert!(
        roles(&effects)
            .iter()
            .all(|(_, role)| *role == Role::Spectator)
    );
    scene.does(ANNA, Command::TakeSeat(Color::Black));
    let effects = scene.does(BORIS, Command::TakeSeat(Color::White));
    let second = |effect: &Effect| matches!(effect, Effect::Broadcast(ServerMessage::GameStarted(game)) if game.game == 2);
    assert!(effects.iter().any(second));
}

/// The end of a long game: seeded random moves that avoid captures.
fn random_game(rules: DrawRules, seed: u64) -> ScriptedEnd {
    let mut scene = TableScene::playing(rules);
    let mut rng = Rng::new(seed);
    let mut effects = scene.plays(ANNA, 0, "c3-d4");
    loop {
        if let Some(end) = end(&effects) {
            return end;
        }
        let (mover, ply, mut moves) = asked(&effects);
        let first = rng.below(moves.len());
        moves.rotate_left(first);
        effects = scene.plays(mover, ply, cautious(&present_fen(&effects), &moves));
    }
}

/// The first move that allows no capture, or else the first.
fn cautious<'a>(fen: &str, moves: &'a [String]) -> &'a str {
    let position: Position = fen.parse().expect("a position");
    let is_safe = |text: &&String| {
        let m = position.parse_move(text).expect("an offered move");
        !position
            .clone()
            .play(m)
            .expect("an offered move")
            .must_capture()
    };
    moves.iter().find(is_safe).unwrap_or(&moves[0])
}

fn present_fen(effects: &[Effect]) -> String {
    let fen = effects.iter().find_map(|effect| match effect {
        Effect::Broadcast(ServerMessage::Moved { fen, .. }) => Some(fen.clone()),
        _ => None,
    });
    fen.expect("a move was played")
}

#[test]
fn games_begin_from_the_openings_in_turn() {
    let openings = openings::parse("c3-d4 b6-a5\nW:WKa1:BKh8,h2\n").unwrap();
    let table = Table::new("main", DrawRules::Fmjd64).with_openings(openings);
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = table.unwrap();
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    for (start, ply) in [
        (Position::start().to_string(), 2),
        ("W:WKa1:Bh2,Kh8".to_owned(), 0),
        (Position::start().to_string(), 2),
    ] {
        scene.does(ANNA, Command::TakeSeat(Color::White));
        let effects = scene.does(BORIS, Command::TakeSeat(Color::Black));
        let game = started(&effects);
        assert_eq!((game.start_fen, game.ply), (start, ply));
        assert_eq!(game.moves.len(), ply as usize);
        assert_eq!(asked(&effects).1, ply);
        scene.does(ANNA, Command::LeaveSeat);
    }
}

#[test]
fn an_opening_that_ends_the_game_is_refused() {
    let mut opening = Opening::new("W:Wc3:Bd4".parse().unwrap());
    let m = opening.position().legal_moves()[0];
    opening.push(m).unwrap();
    let start = Opening::new(Position::start());
    let table = Table::new("main", DrawRules::Fmjd64).with_openings(vec![start, opening]);
    assert_eq!(table.unwrap_err().number, 2);
}

#[test]
fn a_draw_names_its_article() {
    let mut draws = (0..300).map(|seed| random_game(DrawRules::Fmjd64, seed));
    let (_, reason, article, _) = draws.find(|end| end.0 == GameResult::Draw).unwrap();
    let expected = match reason {
        EndReason::Repetition => "7.2.3",
        EndReason::KingsAgainstKing => "7.2.4",
        EndReason::KingMoves => "7.2.5",
        EndReason::NoProgress => "7.2.6",
        EndReason::MainRoad => "7.2.7",
        EndReason::FewPieces => "7.2.8",
        other => panic!("{other:?} is no draw of these rules"),
    };
    assert_eq!(article.as_deref(), Some(expected));
}

#[test]
fn the_study_draws_after_two_hundred_plies() {
    let mut draws = (0..300).map(|seed| random_game(DrawRules::Study, seed));
    let draw = draws.find(|end| end.0 == GameResult::Draw).unwrap();
    assert_eq!(draw, (GameResult::Draw, EndReason::PlyLimit, None, 200));
}

#[test]
fn a_seat_is_reserved_for_the_challenged_player() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::open(TableSettings {
        opponent: Some("Boris".into()),
        ..TableSettings::new("k3x", DrawRules::Fmjd64)
    });
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.enter(CLARA, "clara");
    scene.does(ANNA, Command::TakeSeat(Color::Black));
    for take in [
        Command::TakeSeat(Color::White),
        Command::TakeAnySeat(Color::Black),
    ] {
        scene.refuses(CLARA, take, ErrorCode::SeatTaken);
    }
    let begun = scene.does(BORIS, Command::TakeAnySeat(Color::Black));
    let game = started(&begun);
    assert_eq!((game.white, game.black), ("boris".into(), "anna".into()));
}
