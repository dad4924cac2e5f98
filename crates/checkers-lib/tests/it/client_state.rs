//! The client's states through a whole evening: join, sit, play, lose the connection.

use checkers_lib::client_state::{Client, ClientState};
use checkers_lib::protocol::{
    EndReason, GameResult, GameState, Joined, Offer, PlayedMove, Player, Role, ServerMessage,
    WireColor,
};
use checkers_lib::{Color, DrawRules, Game};

fn joined(name: &str) -> ServerMessage {
    ServerMessage::Joined(Joined {
        name: name.into(),
        protocol: 1,
        table: Some("main".into()),
        draw_rules: "fmjd64".into(),
        ..Joined::default()
    })
}

fn players(roles: &[(&str, Role)]) -> ServerMessage {
    let players = roles
        .iter()
        .map(|&(name, role)| Player {
            name: name.into(),
            role,
            bot: None,
        })
        .collect();
    ServerMessage::Players {
        table: "main".into(),
        players,
        watchers: 1,
    }
}

fn game(turn: WireColor) -> GameState {
    let start = Game::new(DrawRules::Fmjd64).position().to_string();
    GameState {
        table: "main".into(),
        id: "main-1".into(),
        game: 1,
        seq: 7,
        white: "anna".into(),
        black: "boris".into(),
        start_fen: start.clone(),
        moves: Vec::new(),
        opening_plies: 0,
        fen: start,
        ply: 0,
        turn,
        clocks: None,
        offers: Vec::new(),
        thinking_ms: None,
        result: None,
        reason: None,
        article: None,
        left: None,
    }
}

fn moved(turn: WireColor) -> ServerMessage {
    let game = Game::new(DrawRules::Fmjd64);
    let (m, route) = game.position().parse_route("c3-d4").unwrap();
    let played = PlayedMove::new(&game, m, &route, 0);
    ServerMessage::Moved {
        table: "main".into(),
        game: 1,
        seq: 8,
        played,
        fen: String::new(),
        turn,
        clocks: None,
        id: None,
    }
}

fn took_back(turn: WireColor) -> ServerMessage {
    ServerMessage::TookBack {
        table: "main".into(),
        game: 1,
        seq: 8,
        ply: 1,
        fen: String::new(),
        turn,
        clocks: None,
    }
}

/// An offer, and what becomes of it.
fn offers() -> [ServerMessage; 3] {
    let (game, offer, by) = (1, Offer::Draw, WireColor::Black);
    [
        ServerMessage::Offered {
            table: "main".into(),
            game,
            seq: Some(8),
            offer,
            by,
        },
        ServerMessage::Declined {
            table: "main".into(),
            game,
            seq: Some(8),
            offer,
            by,
        },
        ServerMessage::Lapsed {
            table: "main".into(),
            game,
            offer,
            by,
        },
    ]
}

fn game_over() -> ServerMessage {
    ServerMessage::GameOver {
        table: "main".into(),
        game: 1,
        seq: 9,
        id: "main-1".into(),
        result: GameResult::WhiteWon,
        reason: EndReason::NoMoves,
        article: None,
        left: None,
        ply: 9,
        fen: String::new(),
    }
}

#[test]
fn a_player_passes_through_every_state() {
    let mut anna = Client::default();
    assert_eq!(anna.state(), ClientState::NotConnected);
    assert_eq!(anna.handle(&joined("anna")), ClientState::NotParticipating);

    anna.handle(&players(&[
        ("anna", Role::White),
        ("boris", Role::Spectator),
    ]));
    assert_eq!(
        (anna.state(), anna.seat()),
        (ClientState::NotParticipating, Some(Color::White))
    );

    let start = ServerMessage::GameStarted(game(WireColor::White));
    assert_eq!(anna.handle(&start), ClientState::ThisPlayerMove);
    assert_eq!(
        anna.handle(&moved(WireColor::Black)),
        ClientState::OtherPlayerMove
    );
    assert_eq!(
        anna.handle(&moved(WireColor::White)),
        ClientState::ThisPlayerMove
    );

    for message in offers() {
        assert_eq!(anna.handle(&message), ClientState::ThisPlayerMove);
    }
    assert_eq!(
        anna.handle(&took_back(WireColor::Black)),
        ClientState::OtherPlayerMove
    );

    assert_eq!(anna.handle(&game_over()), ClientState::NotParticipating);
    assert_eq!(anna.seat(), None);

    anna.disconnected();
    assert_eq!((anna.state(), anna.name()), (ClientState::NotConnected, ""));
}

#[test]
fn black_begins_by_waiting() {
    let mut boris = Client::default();
    boris.handle(&joined("boris"));
    let start = ServerMessage::GameStarted(game(WireColor::White));
    assert_eq!(boris.handle(&start), ClientState::OtherPlayerMove);
    assert_eq!(boris.seat(), Some(Color::Black));
}

#[test]
fn a_spectator_never_participates() {
    let mut clara = Client::default();
    clara.handle(&joined("clara"));
    for message in [
        ServerMessage::GameState(game(WireColor::Black)),
        moved(WireColor::White),
        moved(WireColor::Black),
        took_back(WireColor::White),
        game_over(),
    ] {
        assert_eq!(clara.handle(&message), ClientState::NotParticipating);
        assert!(!clara.plays());
    }
}

#[test]
fn nothing_moves_a_client_that_has_not_joined() {
    let mut client = Client::default();
    for message in [
        ServerMessage::GameStarted(game(WireColor::White)),
        moved(WireColor::White),
        game_over(),
    ] {
        assert_eq!(client.handle(&message), ClientState::NotConnected);
    }
}
