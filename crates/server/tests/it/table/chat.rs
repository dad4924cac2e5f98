//! Chat phrases.

use std::time::Duration;

use checkers_lib::DrawRules;
use checkers_lib::protocol::{ErrorCode, Phrase, ServerMessage, WireColor};
use checkers_server::table::{ClientId, Command, Effect};

use crate::table::scene::{ANNA, ANY, BORIS, CLARA, TableScene};

const HELLO: Command = Command::Say(Phrase::Hello);

fn said(by: WireColor) -> [Effect; 1] {
    [Effect::Broadcast(ServerMessage::Said {
        table: "main".into(),
        by,
        phrase: Phrase::Hello,
    })]
}

impl TableScene {
    fn greets(&mut self, who: ClientId) -> Vec<Effect> {
        self.does(who, HELLO)
    }
}

#[test]
fn phrases_are_broadcast() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    let records = scene.records.len();
    assert_eq!(scene.greets(ANNA), said(WireColor::White));
    assert_eq!(scene.greets(BORIS), said(WireColor::Black));
    assert_eq!(scene.records.len(), records, "it is kept nowhere");
}

#[test]
fn players_may_chat_after_the_game() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.does(ANNA, Command::Resign(ANY));
    assert_eq!(scene.greets(BORIS), said(WireColor::Black));
    scene.does(ANNA, Command::Exit);
    scene.refuses(BORIS, HELLO, ErrorCode::NoGame);
}

#[test]
fn spectators_cannot_chat() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.refuses(CLARA, HELLO, ErrorCode::NotJoined);
    scene.enter(CLARA, "clara");
    scene.refuses(CLARA, HELLO, ErrorCode::NoGame);
}

#[test]
fn phrases_are_rate_limited() {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    for _ in 0..3 {
        assert_eq!(scene.greets(ANNA), said(WireColor::White));
    }
    scene.refuses(ANNA, HELLO, ErrorCode::TooManyMessages);
    assert_eq!(scene.greets(BORIS), said(WireColor::Black));
    scene.waits(Duration::from_millis(9_999));
    scene.refuses(ANNA, HELLO, ErrorCode::TooManyMessages);
    scene.waits(Duration::from_millis(1));
    assert_eq!(scene.greets(ANNA), said(WireColor::White));
}
