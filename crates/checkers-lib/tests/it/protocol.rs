//! The wire, pinned: each message and its JSON, both ways.

use checkers_lib::protocol::{
    self, ClientMessage, EndReason, ErrorCode, GameResult, GameState, Joined, LegalMove, Meant,
    Offer, OpenOffer, Phrase, PlayedMove, Player, Refusal, Role, SearchInfo, SeatWish,
    ServerMessage, WireClock, WireClocks, WireColor, is_valid_name,
};
use checkers_lib::{ByColor, Clocks, Color, DrawRules, Game, MoveTextError, Position, SideClock};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Asserts that the message is written as this JSON and read back from it.
pub(crate) fn pin<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    message: &T,
    json: &str,
) {
    assert_eq!(serde_json::to_string(message).unwrap(), json);
    assert_eq!(&serde_json::from_str::<T>(json).unwrap(), message);
}

#[test]
fn client_messages() {
    use ClientMessage::*;
    pin(
        &Join(protocol::Join::new("anna")),
        r#"{"type":"join","name":"anna"}"#,
    );
    pin(
        &TakeSeat {
            color: SeatWish::Black,
        },
        r#"{"type":"take_seat","color":"black"}"#,
    );
    pin(&LeaveSeat, r#"{"type":"leave_seat"}"#);
    pin(
        &Move {
            game: None,
            ply: 4,
            text: "c3:e5".into(),
            search: None,
            id: None,
        },
        r#"{"type":"move","ply":4,"move":"c3:e5"}"#,
    );
    pin(
        &Move {
            game: Some(7),
            ply: 4,
            text: "c3:e5".into(),
            search: Some(search()),
            id: Some("m-1".into()),
        },
        r#"{"type":"move","game":7,"ply":4,"move":"c3:e5","search":{"score":-30,"depth":7,"nodes":1234,"time_us":5678,"pv":["c3:e5","h8:f6"]},"id":"m-1"}"#,
    );
}

fn search() -> SearchInfo {
    SearchInfo {
        score: -30,
        depth: 7,
        nodes: 1234,
        time_us: 5678,
        pv: "c3:e5 h8:f6".parse().unwrap(),
    }
}

#[test]
fn the_directors_messages() {
    let arrange =
        |fen: Option<&str>, moves: &[&str], clock: Option<&str>| ClientMessage::ArrangeGame {
            token: "t".into(),
            game: 7,
            white: "anna".into(),
            black: "boris".into(),
            start_fen: fen.map(Into::into),
            moves: moves.iter().map(ToString::to_string).collect(),
            white_clock: clock.map(Into::into),
            black_clock: None,
        };
    pin(
        &arrange(None, &[], None),
        r#"{"type":"arrange_game","token":"t","game":7,"white":"anna","black":"boris"}"#,
    );
    pin(
        &arrange(Some("W:Wa1:Bh8"), &["a1-b2"], Some("10s+100ms")),
        r#"{"type":"arrange_game","token":"t","game":7,"white":"anna","black":"boris","start_fen":"W:Wa1:Bh8","moves":["a1-b2"],"white_clock":"10s+100ms"}"#,
    );
    pin(
        &ClientMessage::EndGame {
            token: "t".into(),
            game: 7,
            result: GameResult::BlackWon,
            reason: EndReason::Forfeit,
        },
        r#"{"type":"end_game","token":"t","game":7,"result":"black_won","reason":"forfeit"}"#,
    );
}

#[test]
fn clocks_on_the_wire() {
    let none = ByColor {
        white: None,
        black: None,
    };
    assert_eq!(WireClocks::new(&Clocks::new(none)), None);
    let clocks = Clocks::new(ByColor {
        white: "10+0.1".parse().ok(),
        black: None,
    });
    let wire = WireClocks::new(&clocks).unwrap();
    pin(
        &wire,
        r#"{"white":{"remaining_ms":10000,"increment_ms":100}}"#,
    );
    assert_eq!(wire.white.map(SideClock::from), clocks.side(Color::White));
    assert_eq!(wire.side(Color::Black), None);
}

#[test]
fn every_kind_of_clock_is_told() {
    let clocks = Clocks::new(ByColor {
        white: "10~2".parse().ok(),
        black: "30/move".parse().ok(),
    });
    let wire = WireClocks::new(&clocks).unwrap();
    pin(
        &wire,
        r#"{"white":{"remaining_ms":10000,"increment_ms":0,"delay_ms":2000},"black":{"remaining_ms":30000,"increment_ms":0,"per_move_ms":30000}}"#,
    );
    for side in Color::ALL {
        assert_eq!(wire.side(side).map(SideClock::from), clocks.side(side));
    }
}

#[test]
fn what_players_say_beside_their_moves() {
    use ClientMessage::*;
    let any = Meant::default();
    let seven = Meant { game: Some(7) };
    for (plain, meant, name) in [
        (Resign(any), Resign(seven), "resign"),
        (Abort(any), Abort(seven), "abort"),
        (OfferDraw(any), OfferDraw(seven), "offer_draw"),
        (AcceptDraw(any), AcceptDraw(seven), "accept_draw"),
        (DeclineDraw(any), DeclineDraw(seven), "decline_draw"),
        (OfferTakeback(any), OfferTakeback(seven), "offer_takeback"),
        (
            AcceptTakeback(any),
            AcceptTakeback(seven),
            "accept_takeback",
        ),
        (
            DeclineTakeback(any),
            DeclineTakeback(seven),
            "decline_takeback",
        ),
        (OfferRematch(any), OfferRematch(seven), "offer_rematch"),
        (AcceptRematch(any), AcceptRematch(seven), "accept_rematch"),
        (
            DeclineRematch(any),
            DeclineRematch(seven),
            "decline_rematch",
        ),
    ] {
        pin(&plain, &format!(r#"{{"type":"{name}"}}"#));
        pin(&meant, &format!(r#"{{"type":"{name}","game":7}}"#));
    }
}

#[test]
fn offers_and_what_becomes_of_them() {
    let (game, by) = (7, WireColor::Black);
    let offer = Offer::Draw;
    pin(
        &ServerMessage::Offered {
            table: "main".into(),
            game,
            seq: Some(8),
            offer,
            by,
        },
        r#"{"type":"offered","table":"main","game":7,"seq":8,"offer":"draw","by":"black"}"#,
    );
    let offer = Offer::Takeback;
    pin(
        &ServerMessage::Declined {
            table: "main".into(),
            game,
            seq: Some(8),
            offer,
            by,
        },
        r#"{"type":"declined","table":"main","game":7,"seq":8,"offer":"takeback","by":"black"}"#,
    );
    let offer = Offer::Rematch;
    pin(
        &ServerMessage::Lapsed {
            table: "main".into(),
            game,
            offer,
            by,
        },
        r#"{"type":"lapsed","table":"main","game":7,"offer":"rematch","by":"black"}"#,
    );
    let phrase = Phrase::GoodLuck;
    pin(
        &ServerMessage::Said {
            table: "main".into(),
            by,
            phrase,
        },
        r#"{"type":"said","table":"main","by":"black","phrase":"good_luck"}"#,
    );
    pin(
        &OpenOffer { offer, by },
        r#"{"offer":"rematch","by":"black"}"#,
    );
    pin(
        &ServerMessage::TookBack {
            table: "main".into(),
            game,
            seq: 8,
            ply: 4,
            fen: "W:Wa1:Bh8".into(),
            turn: WireColor::White,
            clocks: None,
        },
        r#"{"type":"took_back","table":"main","game":7,"seq":8,"ply":4,"fen":"W:Wa1:Bh8","turn":"white"}"#,
    );
}

#[test]
fn every_client_type_is_listed() {
    for name in ClientMessage::TYPES {
        let error = serde_json::from_str::<ClientMessage>(&format!(r#"{{"type":"{name}"}}"#));
        let is_unknown = error.is_err_and(|error| error.to_string().contains("unknown variant"));
        assert!(!is_unknown, "{name}");
    }
}

#[test]
fn every_client_message_knows_its_type() {
    // The fields that any of them needs; the others are ignored.
    let fields = r#""name":"anna","color":"white","ply":0,"move":"c3-d4","token":"t","game":1,
        "white":"anna","black":"boris","result":"draw","reason":"adjudication","level":3,
        "phrase":"hello""#;
    for name in ClientMessage::TYPES {
        let json = format!(r#"{{"type":"{name}",{fields}}}"#);
        let message: ClientMessage = serde_json::from_str(&json).unwrap();
        assert_eq!(message.type_name(), name);
    }
}

#[test]
fn unknown_fields_are_ignored() {
    let json = r#"{"type":"leave_seat","table":"main","hurry":true}"#;
    assert_eq!(
        serde_json::from_str::<ClientMessage>(json).unwrap(),
        ClientMessage::LeaveSeat
    );
}

fn opening_move() -> PlayedMove {
    let game = Game::new(DrawRules::Fmjd64);
    let (m, route) = game.position().parse_route("c3d4").unwrap();
    PlayedMove::new(&game, m, &route, 17)
}

const OPENING_MOVE: &str = r#"{"ply":0,"color":"white","move":"c3-d4","squares":["c3","d4"],"captures":[],"promotes":false,"elapsed_ms":17}"#;

#[test]
fn joining() {
    pin(
        &ServerMessage::Joined(Joined {
            name: "anna".into(),
            protocol: 1,
            table: Some("main".into()),
            draw_rules: "fmjd64".into(),
            ..Joined::default()
        }),
        r#"{"type":"joined","name":"anna","protocol":1,"table":"main","draw_rules":"fmjd64"}"#,
    );
    let player = |name: &str, role, bot: Option<&str>| Player {
        name: name.into(),
        role,
        bot: bot.map(Into::into),
    };
    pin(
        &ServerMessage::Players {
            table: "main".into(),
            players: vec![
                player("anna", Role::White, None),
                player("Level 3", Role::Black, Some("level 3")),
                player("boris", Role::Spectator, None),
            ],
            watchers: 1,
        },
        r#"{"type":"players","table":"main","players":[{"name":"anna","role":"white"},{"name":"Level 3","role":"black","bot":"level 3"},{"name":"boris","role":"spectator"}],"watchers":1}"#,
    );
}

#[test]
fn a_game_on_the_wire() {
    let state = GameState {
        table: "main".into(),
        id: "main-1".into(),
        game: 1,
        seq: 7,
        white: "anna".into(),
        black: "boris".into(),
        start_fen: "W:Wa1:Bh8".into(),
        moves: vec![opening_move()],
        opening_plies: 0,
        fen: "B:Wb2:Bh8".into(),
        ply: 1,
        turn: WireColor::Black,
        clocks: None,
        offers: Vec::new(),
        thinking_ms: None,
        result: None,
        reason: None,
        article: None,
        left: None,
    };
    let body = format!(
        r#""table":"main","id":"main-1","game":1,"seq":7,"white":"anna","black":"boris","start_fen":"W:Wa1:Bh8","moves":[{OPENING_MOVE}],"opening_plies":0,"fen":"B:Wb2:Bh8","ply":1,"turn":"black"}}"#
    );
    pin(
        &ServerMessage::GameStarted(state.clone()),
        &format!(r#"{{"type":"game_started",{body}"#),
    );
    pin(
        &ServerMessage::GameState(state),
        &format!(r#"{{"type":"game_state",{body}"#),
    );
    pin(
        &ServerMessage::Moved {
            table: "main".into(),
            game: 1,
            seq: 8,
            played: opening_move(),
            fen: "B:Wb2:Bh8".into(),
            turn: WireColor::Black,
            clocks: None,
            id: None,
        },
        &format!(
            r#"{{"type":"moved","table":"main","game":1,"seq":8,"played":{OPENING_MOVE},"fen":"B:Wb2:Bh8","turn":"black"}}"#
        ),
    );
    pin(
        &ServerMessage::GameOver {
            table: "main".into(),
            game: 1,
            seq: 9,
            id: "main-1".into(),
            result: GameResult::Draw,
            reason: EndReason::Repetition,
            article: Some("7.2.3".into()),
            left: None,
            ply: 40,
            fen: "W:WKa1:BKh8".into(),
        },
        r#"{"type":"game_over","table":"main","game":1,"seq":9,"id":"main-1","result":"draw","reason":"repetition","article":"7.2.3","ply":40,"fen":"W:WKa1:BKh8"}"#,
    );
    pin(
        &ServerMessage::GameOver {
            table: "main".into(),
            game: 2,
            seq: 9,
            id: "main-2".into(),
            result: GameResult::Interrupted,
            reason: EndReason::PlayerLeft,
            article: None,
            left: Some(WireColor::White),
            ply: 3,
            fen: "W:Wa1:Bh8".into(),
        },
        r#"{"type":"game_over","table":"main","game":2,"seq":9,"id":"main-2","result":"interrupted","reason":"player_left","left":"white","ply":3,"fen":"W:Wa1:Bh8"}"#,
    );
}

#[test]
fn a_game_with_clocks_and_searches_on_the_wire() {
    let clock = WireClock {
        remaining_ms: 900,
        increment_ms: 0,
        delay_ms: None,
        per_move_ms: None,
    };
    let clocks = Some(WireClocks {
        white: Some(clock),
        black: Some(clock),
    });
    let played = PlayedMove {
        search: Some(search()),
        ..opening_move()
    };
    let clock = r#"{"remaining_ms":900,"increment_ms":0}"#;
    let search = r#"{"score":-30,"depth":7,"nodes":1234,"time_us":5678,"pv":["c3:e5","h8:f6"]}"#;
    let json_played = OPENING_MOVE.replace('}', &format!(r#","search":{search}}}"#));
    pin(
        &ServerMessage::Moved {
            table: "main".into(),
            game: 1,
            seq: 8,
            played,
            fen: "B:Wb2:Bh8".into(),
            turn: WireColor::Black,
            clocks,
            id: None,
        },
        &format!(
            r#"{{"type":"moved","table":"main","game":1,"seq":8,"played":{json_played},"fen":"B:Wb2:Bh8","turn":"black","clocks":{{"white":{clock},"black":{clock}}}}}"#
        ),
    );
}

#[test]
fn what_is_told_of_a_tables_life() {
    let table = "k3x".to_owned();
    pin(
        &ServerMessage::Acknowledged {
            table: table.clone(),
            game: 2,
            seq: 8,
            ply: 4,
            id: Some("m-1".into()),
        },
        r#"{"type":"acknowledged","table":"k3x","game":2,"seq":8,"ply":4,"id":"m-1"}"#,
    );
    pin(
        &ServerMessage::Presence {
            table: table.clone(),
            color: WireColor::White,
            connected: false,
            claim_in_ms: Some(60_000),
        },
        r#"{"type":"presence","table":"k3x","color":"white","connected":false,"claim_in_ms":60000}"#,
    );
    pin(
        &ServerMessage::Watchers {
            table: table.clone(),
            count: 120,
        },
        r#"{"type":"watchers","table":"k3x","count":120}"#,
    );
    pin(
        &ServerMessage::Storage { table, ok: false },
        r#"{"type":"storage","table":"k3x","ok":false}"#,
    );
}

#[test]
fn the_request_for_a_move() {
    let position: Position = "W:Wc3:Bd4".parse().unwrap();
    pin(
        &ServerMessage::YourTurn {
            table: "main".into(),
            game: 1,
            ply: 12,
            fen: position.to_string(),
            legal_moves: LegalMove::all(&position),
            clocks: None,
            thinking_ms: None,
        },
        r#"{"type":"your_turn","table":"main","game":1,"ply":12,"fen":"W:Wc3:Bd4","legal_moves":[{"move":"c3:e5","from":"c3","to":"e5","captures":["d4"],"promotes":false,"routes":[{"squares":["c3","e5"],"captures":["d4"]}]}]}"#,
    );
}

#[test]
fn errors() {
    pin(
        &ServerMessage::from(Refusal::new(ErrorCode::NotYourTurn, "it is black's turn")),
        r#"{"type":"error","code":"not_your_turn","message":"it is black's turn"}"#,
    );
    pin(
        &Refusal::new(ErrorCode::NoGame, "no game is running").about("k3x"),
        r#"{"type":"error","code":"no_game","message":"no game is running","table":"k3x"}"#,
    );
    let ambiguous = MoveTextError::Ambiguous {
        text: "g1:h6".into(),
        candidates: vec!["g1:e3:h6".into(), "g1:c5:a3:c1:h6".into()],
    };
    pin(
        &ServerMessage::from(Refusal::from(ambiguous)),
        r#"{"type":"error","code":"ambiguous_move","message":"g1:h6 is ambiguous: g1:e3:h6, g1:c5:a3:c1:h6","candidates":["g1:e3:h6","g1:c5:a3:c1:h6"]}"#,
    );
}

#[test]
fn names() {
    for good in [
        "a",
        "Анна",
        "a b",
        "🙂",
        "🙂 🏽",
        "e\u{301}\u{323} 2\u{20e3}",
        "नमस्ते",
        "สวัสดี",
        "(^_^) ½ €",
        &"x".repeat(30),
    ] {
        assert!(is_valid_name(good), "{good:?}");
    }
    for bad in [
        "",
        " ",
        " a",
        "a ",
        "a  b",
        "a\u{a0}b",
        "a\u{200b}b",
        "a\nb",
        "\u{202e}a",
        "\u{3164}",
        "\u{2800}",
        "\u{34f}",
        "a\u{fe0f}",
        "\u{301}",
        "\u{483}",
        "\u{20dd}",
        "a \u{301}",
        "a\u{301} \u{301}",
        "_\u{301}",
        "🙂\u{301}",
        "anna\u{70f}",
        "anna\u{13430}",
        "anna\u{1d159}",
        "anna\u{16fe4}",
        "anna\u{e0101}",
        "anna\u{2028}",
        "\u{1d159}",
        "\u{16fe4}",
        "\u{fffc}",
        "\u{ffff}",
        "\u{378}",
        "\u{e000}",
        &"x".repeat(31),
    ] {
        assert!(!is_valid_name(bad), "{bad:?}");
    }
}

/// Everything a reader of `docs/protocol.md` may meet stands in it.
#[test]
fn the_document_names_every_word() {
    let document = include_str!("../../../../docs/protocol.md");
    let documented = |word: &str| document.contains(&format!("`{word}`"));
    let words = [
        words_of::<ErrorCode>(&ERROR_CODES),
        words_of::<EndReason>(&END_REASONS),
        words_of::<GameResult>(&RESULTS),
        words_of::<Offer>(&[Offer::Draw, Offer::Takeback, Offer::Rematch]),
        ClientMessage::TYPES.map(str::to_owned).to_vec(),
    ];
    let missing: Vec<String> = words
        .into_iter()
        .flatten()
        .filter(|word| !documented(word))
        .collect();
    assert_eq!(missing, [] as [&str; 0]);
}

fn words_of<T: Serialize>(values: &[T]) -> Vec<String> {
    let word = |value| {
        serde_json::to_string(value)
            .unwrap()
            .trim_matches('"')
            .to_owned()
    };
    values.iter().map(word).collect()
}

const RESULTS: [GameResult; 4] = [
    GameResult::WhiteWon,
    GameResult::BlackWon,
    GameResult::Draw,
    GameResult::Interrupted,
];

const END_REASONS: [EndReason; 18] = [
    EndReason::NoPieces,
    EndReason::NoMoves,
    EndReason::Resignation,
    EndReason::Time,
    EndReason::Repetition,
    EndReason::KingsAgainstKing,
    EndReason::KingMoves,
    EndReason::NoProgress,
    EndReason::MainRoad,
    EndReason::FewPieces,
    EndReason::PlyLimit,
    EndReason::Agreement,
    EndReason::TimeAgainstKing,
    EndReason::PlayerLeft,
    EndReason::Aborted,
    EndReason::Abandoned,
    EndReason::Adjudication,
    EndReason::Forfeit,
];

const ERROR_CODES: [ErrorCode; 39] = [
    ErrorCode::BadJson,
    ErrorCode::UnknownType,
    ErrorCode::BadMessage,
    ErrorCode::NotJoined,
    ErrorCode::AlreadyJoined,
    ErrorCode::BadName,
    ErrorCode::NameTaken,
    ErrorCode::SeatTaken,
    ErrorCode::AlreadySeated,
    ErrorCode::NotSeated,
    ErrorCode::NoGame,
    ErrorCode::NotYourTurn,
    ErrorCode::WrongPly,
    ErrorCode::BadMove,
    ErrorCode::IllegalMove,
    ErrorCode::AmbiguousMove,
    ErrorCode::TooSoon,
    ErrorCode::AlreadyOffered,
    ErrorCode::NoOffer,
    ErrorCode::NothingToTakeBack,
    ErrorCode::TooLate,
    ErrorCode::NotCasual,
    ErrorCode::NoRematch,
    ErrorCode::Forbidden,
    ErrorCode::NoSuchPlayer,
    ErrorCode::BadGame,
    ErrorCode::GameRunning,
    ErrorCode::NoSuchTable,
    ErrorCode::TooManyTables,
    ErrorCode::BadTable,
    ErrorCode::NotStored,
    ErrorCode::BotsBusy,
    ErrorCode::BadBot,
    ErrorCode::BadToken,
    ErrorCode::Suspended,
    ErrorCode::Muted,
    ErrorCode::Blocked,
    ErrorCode::NotAbsent,
    ErrorCode::TooManyMessages,
];
