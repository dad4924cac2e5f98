//! Directed tables.

use checkers_lib::protocol::{EndReason, ErrorCode, GameResult, Role, SearchInfo, ServerMessage};
use checkers_lib::{ByColor, Color, DrawRules, Position};
use checkers_server::DirectorToken;
use checkers_server::table::{Command, DirectorRuling, Effect, GameSetup, MoveRequest};

use crate::table::scene::{
    ANNA, BORIS, CLARA, TableScene, asked, end, roles, sent_to, setup, started, token,
};

fn ruling(game: u64, result: GameResult, reason: EndReason) -> DirectorRuling {
    DirectorRuling {
        game,
        result,
        reason,
    }
}

#[test]
fn an_arranged_game_starts_at_once() {
    let mut scene = TableScene::directed();
    let effects = scene.arranges(setup(7));
    let game = started(&effects);
    assert_eq!((game.game, game.ply, game.clocks), (7, 0, None));
    assert_eq!(
        (game.white.as_str(), game.black.as_str()),
        ("anna", "boris")
    );
    let seats = [Role::White, Role::Black, Role::Spectator];
    let told_seats: Vec<Role> = roles(&effects).into_iter().map(|(_, role)| role).collect();
    assert_eq!(told_seats, seats);
    let (mover, ply, _) = asked(&effects);
    assert_eq!((mover, ply), (ANNA, 0));
}

#[test]
fn the_game_starts_from_the_directors_opening() {
    let mut scene = TableScene::directed();
    let effects = scene.arranges(GameSetup {
        moves: vec!["c3-d4".to_owned(), "b6a5".to_owned(), "g3-f4".to_owned()],
        ..setup(1)
    });
    let game = started(&effects);
    assert_eq!(game.start_fen, Position::start().to_string());
    let texts: Vec<&str> = game.moves.iter().map(|played| &*played.text).collect();
    assert_eq!(texts, ["c3-d4", "b6-a5", "g3-f4"]);
    let (mover, ply, _) = asked(&effects);
    assert_eq!((mover, ply), (BORIS, 3));

    scene.ends_game(ruling(1, GameResult::Draw, EndReason::Adjudication));
    let effects = scene.arranges(GameSetup {
        start_fen: Some("B:Wa1:Bc5,h8".to_owned()),
        moves: vec!["c5-d4".to_owned()],
        ..setup(2)
    });
    let game = started(&effects);
    assert_eq!((&*game.start_fen, game.ply), ("B:Wa1:Bc5,h8", 1));
    assert_eq!(asked(&effects).0, ANNA);
}

#[test]
fn only_the_director_arranges_and_ends_games() {
    let mut scene = TableScene::directed();
    let wrong = DirectorToken::new("guess");
    let arrange = |token| Command::ArrangeGame(token, setup(1));
    let draw = ruling(1, GameResult::Draw, EndReason::Adjudication);
    let judge = |token| Command::EndGame(token, draw);
    scene.refuses(CLARA, arrange(wrong.clone()), ErrorCode::Forbidden);
    scene.arranges(setup(1));
    scene.refuses(CLARA, judge(wrong), ErrorCode::Forbidden);
    // Any client with the token is the director.
    assert!(end(&scene.does(ANNA, judge(token()))).is_some());
    scene.does(CLARA, Command::Exit);
    scene.refuses(CLARA, arrange(token()), ErrorCode::NotJoined);
    scene.refuses(CLARA, judge(token()), ErrorCode::NotJoined);
}

#[test]
fn a_table_without_a_token_has_no_director() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    for shown in ["", "secret"] {
        let shown = DirectorToken::new(shown);
        let arrange = Command::ArrangeGame(shown.clone(), setup(2));
        scene.refuses(ANNA, arrange, ErrorCode::Forbidden);
        let win = ruling(1, GameResult::WhiteWon, EndReason::Forfeit);
        scene.refuses(ANNA, Command::EndGame(shown, win), ErrorCode::Forbidden);
    }
}

#[test]
fn invalid_games_are_refused() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(5));
    let arrange = |setup| Command::ArrangeGame(token(), setup);
    scene.refuses(CLARA, arrange(setup(6)), ErrorCode::GameRunning);
    scene.ends_game(ruling(5, GameResult::Draw, EndReason::Adjudication));

    let players = |white: &str, black: &str| GameSetup {
        players: ByColor {
            white: white.to_owned(),
            black: black.to_owned(),
        },
        ..setup(6)
    };
    let from = |fen: &str, moves: &[&str]| GameSetup {
        start_fen: Some(fen.to_owned()),
        moves: moves.iter().map(ToString::to_string).collect(),
        ..setup(6)
    };
    let clock = |text: &str| GameSetup {
        clocks: ByColor {
            white: None,
            black: Some(text.to_owned()),
        },
        ..setup(6)
    };
    for (setup, code) in [
        (players("anna", "dora"), ErrorCode::NoSuchPlayer),
        (players("anna", "anna"), ErrorCode::BadGame),
        (setup(5), ErrorCode::BadGame),
        (from("W:W:Bh9", &[]), ErrorCode::BadGame),
        (from("W:W:Bh8", &[]), ErrorCode::BadGame),
        (from("W:Wc3:Bh8", &["c3-e5"]), ErrorCode::BadGame),
        (from("W:Wc3:Bd4", &["c3:e5"]), ErrorCode::BadGame),
        (clock("soon"), ErrorCode::BadGame),
        (clock("0+1"), ErrorCode::BadGame),
    ] {
        scene.refuses(CLARA, arrange(setup), code);
    }
    assert_eq!(started(&scene.arranges(setup(6))).game, 6);
}

#[test]
fn the_director_ends_the_running_game() {
    for (result, reason) in [
        (GameResult::WhiteWon, EndReason::Adjudication),
        (GameResult::BlackWon, EndReason::Forfeit),
        (GameResult::Interrupted, EndReason::Forfeit),
    ] {
        let mut scene = TableScene::directed();
        scene.arranges(setup(3));
        scene.plays(ANNA, 0, "c3-d4");
        let effects = scene.ends_game(ruling(3, result, reason));
        assert_eq!(end(&effects), Some((result, reason, None, 1)));
        let is_free = |(_, role): &(String, Role)| *role == Role::Spectator;
        assert!(roles(&effects).iter().all(is_free));
        let again = Command::EndGame(token(), ruling(3, result, reason));
        scene.refuses(CLARA, again, ErrorCode::NoGame);
    }
}

#[test]
fn the_director_cannot_end_another_game_or_use_reasons_of_the_board() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(3));
    let judge = |game, reason| {
        let ruling = ruling(game, GameResult::WhiteWon, reason);
        Command::EndGame(token(), ruling)
    };
    let other = judge(2, EndReason::Adjudication);
    scene.refuses(CLARA, other, ErrorCode::NoGame);
    for reason in [EndReason::NoMoves, EndReason::PlayerLeft] {
        scene.refuses(CLARA, judge(3, reason), ErrorCode::BadGame);
    }
    assert_eq!(end(&scene.plays(ANNA, 0, "c3-d4")), None);
}

#[test]
fn seat_requests_change_nothing() {
    let mut scene = TableScene::directed();
    for command in [Command::TakeSeat(Color::White), Command::LeaveSeat] {
        let effects = scene.does(ANNA, command);
        let [Effect::Send(ANNA, ServerMessage::Players { players, .. })] = &effects[..] else {
            panic!("{effects:?}");
        };
        assert!(players.iter().all(|player| player.role == Role::Spectator));
    }
    scene.arranges(setup(1));
    for who in [ANNA, CLARA] {
        let effects = scene.does(who, Command::TakeSeat(Color::Black));
        let [ServerMessage::Players { players, .. }] = sent_to(&effects, who)[..] else {
            panic!("{effects:?}");
        };
        assert_eq!(players[0].role, Role::White);
    }
    assert_eq!(end(&scene.plays(ANNA, 0, "c3-d4")), None);
}

#[test]
fn leaving_is_broadcast() {
    for command in [Command::LeaveSeat, Command::Exit] {
        let mut scene = TableScene::directed();
        scene.arranges(setup(1));
        let effects = scene.does(BORIS, command);
        let [
            Effect::Broadcast(ServerMessage::GameOver { reason, left, .. }),
            _,
        ] = &effects[..]
        else {
            panic!("{effects:?}");
        };
        let black = Some(Color::Black.into());
        assert_eq!((*reason, *left), (EndReason::PlayerLeft, black));
    }
}

#[test]
fn a_move_for_another_game_is_refused() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(1));
    scene.ends_game(ruling(1, GameResult::Draw, EndReason::Adjudication));
    let move_request = |game| {
        Command::Move(MoveRequest {
            game: Some(game),
            text: "c3-d4".to_owned(),
            ..MoveRequest::default()
        })
    };
    scene.refuses(ANNA, move_request(1), ErrorCode::NotSeated);
    scene.arranges(setup(2));
    scene.refuses(ANNA, move_request(1), ErrorCode::NoGame);
    scene.does(ANNA, move_request(2));
    assert_eq!(asked(&scene.plays(BORIS, 1, "b6-a5")).1, 2);
}

#[test]
fn search_reports_are_sent_to_all() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(1));
    let search = SearchInfo {
        score: 12,
        depth: 5,
        nodes: 678,
        time_us: 90,
        pv: "c3-d4 b6-a5".parse().unwrap(),
    };
    let effects = scene.does(
        ANNA,
        Command::Move(MoveRequest {
            text: "c3-d4".to_owned(),
            search: Some(search.clone()),
            ..MoveRequest::default()
        }),
    );
    let [Effect::Broadcast(ServerMessage::Moved { played, .. }), ..] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(played.search, Some(search));
}

#[test]
fn the_director_is_notified_of_protocol_violations() {
    let mut scene = TableScene::directed();
    let misbehave = || Command::ReportViolation {
        message: "not JSON".to_owned(),
    };
    assert_eq!(scene.does(BORIS, misbehave()), []);
    scene.arranges(setup(1));
    let expected = ServerMessage::Misbehaved {
        table: "main".to_owned(),
        game: 1,
        color: Color::Black.into(),
        message: "not JSON".to_owned(),
    };
    assert_eq!(
        scene.does(BORIS, misbehave()),
        [Effect::Send(CLARA, expected)]
    );
    assert_eq!(scene.does(CLARA, misbehave()), []);
}

#[test]
fn the_director_is_notified_of_illegal_moves() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(1));
    let move_request = |text: &str| MoveRequest {
        game: Some(1),
        ply: 0,
        text: text.to_owned(),
        ..MoveRequest::default()
    };
    let effects = scene.does(ANNA, Command::Move(move_request("c3-e5")));
    let code = ErrorCode::IllegalMove;
    let errors: Vec<_> = (effects.iter())
        .map(|effect| match effect {
            Effect::Send(who, ServerMessage::Error { code, .. }) => (*who, *code, None),
            Effect::Send(who, ServerMessage::MoveRefused { text, code, .. }) => {
                (*who, *code, Some(text.as_str()))
            }
            effect => panic!("{effect:?}"),
        })
        .collect();
    assert_eq!(errors, [(ANNA, code, None), (CLARA, code, Some("c3-e5"))]);
    let effects = scene.does(BORIS, Command::Move(move_request("c3-d4")));
    assert_eq!(
        effects.len(),
        1,
        "a move out of turn is the player's own business"
    );
}
