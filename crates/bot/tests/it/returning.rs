//! The bot loses its connection and comes back.

use checkers_bot::report::Report;
use checkers_lib::Color;
use checkers_lib::protocol::{
    ClientMessage, EndReason, GameResult, Joined, ServerMessage, Since, TableState, WireColor,
};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

use crate::process::{self, EndedBot};
use crate::referee::{BOT, MAIN, Referee, joined, seated};
use crate::script::{Peer, Script};

const OPTIONS: &str = "--name b1 --bot random --json";

/// The bot is let in by a server that would know it again, or that does.
fn known(resumed: bool) -> ServerMessage {
    let ServerMessage::Joined(plain) = joined() else {
        panic!("not joined");
    };
    ServerMessage::Joined(Joined {
        token: Some("secret".to_owned()),
        resumed,
        ..plain
    })
}

/// Takes the bot's connection and starts a game with it on a server that would know it again.
async fn start_game(script: &Script) -> (Peer, Referee) {
    let mut peer = script.accept().await;
    let join = peer.join().await;
    assert_eq!((join.name.as_str(), join.token), (BOT, None));
    peer.say(&known(false)).await;
    let color = peer.give_seat().await;
    let referee = Referee::new(1, color);
    peer.say(&referee.started()).await;
    (peer, referee)
}

/// Takes the bot's connection again, as the one it was before.
async fn come_back(script: &Script, seq: u32) -> Peer {
    let mut peer = script.accept().await;
    let join = peer.join().await;
    assert_eq!(join.token.as_deref(), Some("secret"));
    assert_eq!(join.since, Some(Since { game: 1, seq }));
    peer
}

async fn hear_move(peer: &mut Peer) -> (String, Option<String>) {
    match peer.hear().await {
        ClientMessage::Move { text, id, .. } => (text, id),
        other => panic!("the bot moves: {other:?}"),
    }
}

fn resignation(referee: &Referee) -> ServerMessage {
    referee.over_by(GameResult::WhiteWon, EndReason::Resignation)
}

/// The number of times that the bot lost its connection and came back.
fn losses(ended: &EndedBot) -> (usize, usize) {
    let reports = ended.reports();
    let count = |is: fn(&Report) -> bool| reports.iter().filter(|report| is(report)).count();
    (
        count(|report| matches!(report, Report::Disconnected { .. })),
        count(|report| matches!(report, Report::Reconnected { .. })),
    )
}

#[tokio::test]
async fn a_move_that_was_lost_is_sent_again() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (mut peer, mut referee) = start_game(&script).await;
    peer.say(&referee.your_turn()).await;
    let sent = hear_move(&mut peer).await;
    assert_eq!(sent.1.as_deref(), Some("1-0"));
    drop(peer);

    let mut peer = come_back(&script, 4).await;
    peer.say(&known(true)).await;
    peer.say(&seated(Color::White)).await;
    peer.say(&referee.your_turn()).await;
    assert_eq!(hear_move(&mut peer).await, sent);
    peer.say(&referee.play(&sent.0)).await;
    peer.say(&resignation(&referee)).await;
    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!((ended.code(), losses(&ended)), (0, (1, 1)), "{ended:?}");
}

#[tokio::test]
async fn what_was_missed_is_taken_in() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (mut peer, mut referee) = start_game(&script).await;
    peer.say(&referee.your_turn()).await;
    let (text, _) = hear_move(&mut peer).await;
    drop(peer);

    let mut peer = come_back(&script, 4).await;
    peer.say(&known(true)).await;
    peer.say(&referee.play(&text)).await;
    peer.say(&referee.play_any()).await;
    peer.say(&seated(Color::White)).await;
    peer.say(&referee.your_turn()).await;
    let (text, id) = hear_move(&mut peer).await;
    assert_eq!(id.as_deref(), Some("1-2"));
    drop(peer);

    // More than the server has kept: it shows the whole table.
    let mut peer = come_back(&script, 6).await;
    referee.play(&text);
    referee.play_any();
    peer.say(&known(true)).await;
    peer.say(&state_of(&referee)).await;
    peer.say(&seated(Color::White)).await;
    peer.say(&referee.your_turn()).await;
    assert_eq!(hear_move(&mut peer).await.1.as_deref(), Some("1-4"));
    peer.say(&resignation(&referee)).await;
    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!((ended.code(), losses(&ended)), (0, (2, 2)), "{ended:?}");
    let reports = ended.reports();
    let moves = reports
        .iter()
        .filter(|report| matches!(report, Report::Move { .. }));
    assert_eq!(moves.count(), 2);
}

fn state_of(referee: &Referee) -> ServerMessage {
    let info = serde_json::json!({
        "id": MAIN, "kind": "main", "visibility": "public", "draw_rules": "fmjd64",
        "casual": true, "state": "running", "seats": {}, "watchers": 0, "ply": 0,
    });
    ServerMessage::TableState(Box::new(TableState {
        table: MAIN.to_owned(),
        info: serde_json::from_value(info).unwrap(),
        state: Some(referee.state()),
        you: Some(WireColor::White),
        legal_moves: Vec::new(),
        rematch: None,
        server_ms: 0,
    }))
}

#[tokio::test]
async fn a_game_that_ended_meanwhile_is_over() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (peer, referee) = start_game(&script).await;
    drop(peer);
    let mut peer = come_back(&script, 4).await;
    peer.say(&known(true)).await;
    let ServerMessage::TableState(mut table) = state_of(&referee) else {
        unreachable!()
    };
    if let Some(state) = &mut table.state {
        (state.result, state.reason) = (Some(GameResult::BlackWon), Some(EndReason::Time));
    }
    peer.say(&ServerMessage::TableState(table)).await;
    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 0, "{ended:?}");
    let is_lost = |report: &Report| matches!(report, Report::Done { losses: 1, .. });
    assert!(ended.reports().iter().any(is_lost), "{ended:?}");
}

#[tokio::test]
async fn a_server_that_has_forgotten_the_game_begins_another() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), "--name b1 --bot random --json --games 2");
    let (peer, _) = start_game(&script).await;
    drop(peer);
    let mut peer = come_back(&script, 4).await;
    peer.say(&known(false)).await;
    let color = peer.give_seat().await;
    peer.play(1, color).await;
    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 0, "{ended:?}");
    let reports = ended.reports();
    let Some(Report::Done {
        games, interrupted, ..
    }) = reports.last()
    else {
        panic!("{reports:?}");
    };
    assert_eq!((*games, *interrupted), (2, 1));
}

#[tokio::test]
async fn a_move_without_an_answer_is_sent_again() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (mut peer, mut referee) = start_game(&script).await;
    peer.say(&referee.your_turn()).await;
    let sent = hear_move(&mut peer).await;
    assert_eq!(hear_move(&mut peer).await, sent);
    peer.say(&referee.play(&sent.0)).await;
    peer.say(&resignation(&referee)).await;
    peer.see_off().await;
    assert_eq!(EndedBot::of(bot).await.code(), 0);
}

#[tokio::test]
async fn a_server_that_restarts_is_come_back_to() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (mut peer, referee) = start_game(&script).await;
    peer.say(&ServerMessage::Restarting {
        delay_ms: 700,
        in_ms: None,
    })
    .await;
    let (code, reason) = (1012.into(), "restarting".into());
    peer.close(CloseFrame { code, reason }).await;
    peer.see_off().await;
    let mut peer = come_back(&script, 4).await;
    peer.say(&known(true)).await;
    peer.say(&resignation(&referee)).await;
    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 0, "{ended:?}");
    let waits = |report: &Report| match report {
        Report::Disconnected { retry_ms, .. } => (700..1000).contains(retry_ms),
        _ => false,
    };
    assert!(ended.reports().iter().any(waits), "{ended:?}");
}

#[tokio::test]
async fn it_gives_up_after_the_given_time() {
    for (options, disconnections) in [("--give-up-after 0s", 0), ("--give-up-after 10ms", 1)] {
        let script = Script::listen().await;
        let bot = process::start(&script.url(), &format!("{OPTIONS} {options}"));
        let (peer, _) = start_game(&script).await;
        drop((peer, script));
        let ended = EndedBot::of(bot).await;
        assert_eq!(ended.code(), 9, "{ended:?}");
        assert_eq!(losses(&ended), (disconnections, 0), "{ended:?}");
    }
}

#[tokio::test]
async fn a_replaced_client_does_not_reconnect() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), OPTIONS);
    let (mut peer, _) = start_game(&script).await;
    peer.say(&ServerMessage::Replaced).await;
    let (code, reason) = (4002.into(), "another connection".into());
    peer.close(CloseFrame { code, reason }).await;
    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!((ended.code(), losses(&ended)), (9, (0, 0)), "{ended:?}");
}
