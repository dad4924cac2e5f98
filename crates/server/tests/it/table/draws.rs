//! Draws by agreement.

use checkers_lib::protocol::{
    EndReason, ErrorCode, GameResult, Meant, Offer, OpenOffer, ServerMessage,
};
use checkers_lib::{Color, DrawRules};
use checkers_server::table::{Command, GameSetup};

use crate::table::scene::{
    ANNA, ANOTHER, ANY, BORIS, CLARA, ScriptedEnd, TableScene, asked, end, offer_messages, sent_to,
    setup,
};

const DRAW: Offer = Offer::Draw;
const OFFER: Command = Command::Offer(DRAW, ANY);
const ACCEPT: Command = Command::Accept(DRAW, ANY);
const DECLINE: Command = Command::Decline(DRAW, ANY);

fn agreed(ply: u32) -> Option<ScriptedEnd> {
    Some((GameResult::Draw, EndReason::Agreement, None, ply))
}

/// A new game in which Anna has offered a draw.
fn offered() -> TableScene {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    let effects = scene.offers(ANNA, DRAW);
    assert_eq!(offer_messages(&effects), [("offered", DRAW, Color::White)]);
    scene
}

#[test]
fn an_accepted_draw_ends_the_game() {
    let mut scene = offered();
    assert_eq!(end(&scene.accepts(BORIS, DRAW)), agreed(0));
    let mut scene = TableScene::directed();
    scene.arranges(setup(3));
    scene.does(ANNA, Command::Offer(DRAW, Meant { game: Some(3) }));
    let accept = Command::Accept(DRAW, Meant { game: Some(3) });
    assert_eq!(end(&scene.does(BORIS, accept)), agreed(0));
}

#[test]
fn two_offers_are_an_agreement() {
    let mut scene = offered();
    assert_eq!(end(&scene.offers(BORIS, DRAW)), agreed(0));
}

#[test]
fn a_declined_draw_is_closed() {
    let mut scene = offered();
    let effects = scene.declines(BORIS, DRAW);
    assert_eq!(offer_messages(&effects), [("declined", DRAW, Color::Black)]);
    assert_eq!(effects.len(), 1);
    scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);
    scene.refuses(BORIS, DECLINE, ErrorCode::NoOffer);
}

#[test]
fn an_offer_lapses_when_the_opponent_moves() {
    let mut scene = offered();
    let effects = scene.plays(ANNA, 0, "c3-d4");
    assert_eq!(offer_messages(&effects), [], "one's own move does not");
    let effects = scene.plays(BORIS, 1, "b6-a5");
    assert_eq!(offer_messages(&effects), [("lapsed", DRAW, Color::White)]);
    assert_eq!(asked(&effects).0, ANNA);
    scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);
}

#[test]
fn the_end_of_the_game_closes_offers_without_messages() {
    let mut scene = offered();
    let effects = scene.does(BORIS, Command::Resign(ANY));
    assert_eq!(offer_messages(&effects), []);
    scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);

    let mut scene = TableScene::directed();
    scene.arranges(GameSetup {
        start_fen: Some("W:Wc3:Bd4".to_owned()),
        ..setup(1)
    });
    scene.offers(BORIS, DRAW);
    let effects = scene.plays(ANNA, 0, "c3:e5");
    assert!(end(&effects).is_some());
    assert_eq!(offer_messages(&effects), []);
}

#[test]
fn a_new_member_receives_open_offers() {
    let mut scene = offered();
    let effects = scene.enter(CLARA, "clara");
    let [_, ServerMessage::GameState(state)] = sent_to(&effects, CLARA)[..] else {
        panic!("{effects:?}");
    };
    let by = Color::White.into();
    assert_eq!(state.offers, [OpenOffer { offer: DRAW, by }]);
}

#[test]
fn only_the_opponent_answers() {
    let mut scene = offered();
    for command in [ACCEPT, DECLINE] {
        scene.refuses(CLARA, command, ErrorCode::NotJoined);
    }
    scene.enter(CLARA, "clara");
    for who in [ANNA, CLARA] {
        scene.refuses(who, ACCEPT, ErrorCode::NoOffer);
        scene.refuses(who, DECLINE, ErrorCode::NoOffer);
    }
    scene.refuses(BORIS, Command::Accept(DRAW, ANOTHER), ErrorCode::NoOffer);
    scene.refuses(BORIS, Command::Decline(DRAW, ANOTHER), ErrorCode::NoOffer);
    assert_eq!(end(&scene.accepts(BORIS, DRAW)), agreed(0));
}

#[test]
fn only_players_offer() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.refuses(ANNA, OFFER, ErrorCode::NotJoined);
    scene.enter(ANNA, "anna");
    scene.refuses(ANNA, OFFER, ErrorCode::NotSeated);
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.refuses(ANNA, OFFER, ErrorCode::NoGame);
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.refuses(ANNA, Command::Offer(DRAW, ANOTHER), ErrorCode::NoGame);
}

#[test]
fn a_side_may_offer_again_after_ten_own_moves() {
    let mut scene = offered();
    scene.refuses(ANNA, OFFER, ErrorCode::AlreadyOffered);
    scene.declines(BORIS, DRAW);
    // The other side may offer.
    let effects = scene.offers(BORIS, DRAW);
    assert_eq!(offer_messages(&effects), [("offered", DRAW, Color::Black)]);
    scene.declines(ANNA, DRAW);
    let mut effects = scene.plays(ANNA, 0, "c3-d4");
    for _ in 1..19 {
        scene.refuses(ANNA, OFFER, ErrorCode::TooSoon);
        let (mover, ply, moves) = asked(&effects);
        effects = scene.plays(mover, ply, &moves[0]);
    }
    let effects = scene.offers(ANNA, DRAW);
    assert_eq!(offer_messages(&effects), [("offered", DRAW, Color::White)]);
    scene.refuses(BORIS, Command::Offer(DRAW, ANOTHER), ErrorCode::NoGame);
}
