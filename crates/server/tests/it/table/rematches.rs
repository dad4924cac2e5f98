//! Rematches.

use checkers_lib::protocol::{ErrorCode, Meant, Offer, Role, ServerMessage};
use checkers_lib::{ByColor, Color, DrawRules, openings};
use checkers_server::table::{Command, Effect, JoinRequest, Table};
use event_store::TokenHash;

use crate::table::scene::{
    ANNA, ANOTHER, ANY, BORIS, CLARA, TableScene, asked, end, offer_messages, roles, sent_to,
    setup, started,
};

const REMATCH: Offer = Offer::Rematch;
const OFFER: Command = Command::Offer(REMATCH, ANY);
const ACCEPT: Command = Command::Accept(REMATCH, ANY);

/// A finished game: Anna with White has resigned.
fn over() -> TableScene {
    let mut scene = TableScene::playing(DrawRules::Fmjd64);
    scene.enter(CLARA, "clara");
    scene.does(ANNA, Command::Resign(ANY));
    scene
}

/// A finished game after which Anna has offered a rematch.
fn offered() -> TableScene {
    let mut scene = over();
    let effects = scene.offers(ANNA, REMATCH);
    assert_eq!(
        offer_messages(&effects),
        [("offered", REMATCH, Color::White)]
    );
    scene
}

#[test]
fn a_rematch_starts_at_once_with_colours_swapped() {
    let mut scene = offered();
    let effects = scene.accepts(BORIS, REMATCH);
    let game = started(&effects);
    assert_eq!(
        (game.game, &*game.white, &*game.black),
        (2, "boris", "anna")
    );
    let seats: Vec<Role> = roles(&effects).into_iter().map(|(_, role)| role).collect();
    assert_eq!(seats, [Role::Black, Role::White, Role::Spectator]);
    assert_eq!(asked(&effects).0, BORIS);
    // And again.
    scene.does(BORIS, Command::Resign(ANY));
    scene.does(BORIS, Command::Offer(REMATCH, Meant { game: Some(2) }));
    let effects = scene.does(ANNA, Command::Accept(REMATCH, Meant { game: Some(2) }));
    assert_eq!(
        (started(&effects).game, &*started(&effects).white),
        (3, "anna")
    );
}

#[test]
fn two_offers_are_an_agreement() {
    let mut scene = offered();
    assert_eq!(started(&scene.offers(BORIS, REMATCH)).game, 2);
}

#[test]
fn start_and_clocks_are_the_same() {
    let openings = openings::parse("W:WKa1,c1:Bh2,Kh8\nc3-d4 b6-a5\n").unwrap();
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = Table::new("main", DrawRules::Fmjd64)
        .with_openings(openings)
        .unwrap()
        .with_clocks(ByColor {
            white: "1m".parse().ok(),
            black: "2m".parse().ok(),
        });
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    let first = started(&scene.does(BORIS, Command::TakeSeat(Color::Black)));
    scene.does(ANNA, Command::Abort(ANY));
    scene.offers(BORIS, REMATCH);
    let second = started(&scene.accepts(ANNA, REMATCH));
    assert_eq!(second.start_fen, first.start_fen);
    assert_eq!((second.ply, second.clocks), (0, first.clocks));
}

#[test]
fn a_declined_rematch_cannot_be_offered_again() {
    let mut scene = offered();
    scene.refuses(ANNA, OFFER, ErrorCode::AlreadyOffered);
    let effects = scene.declines(BORIS, REMATCH);
    assert_eq!(
        offer_messages(&effects),
        [("declined", REMATCH, Color::Black)]
    );
    for who in [ANNA, BORIS] {
        scene.refuses(who, OFFER, ErrorCode::NoRematch);
    }
    scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);
}

#[test]
fn a_rematch_lapses_when_a_player_leaves_or_a_seat_is_taken() {
    for (who, command) in [
        (ANNA, Command::Exit),
        (BORIS, Command::Exit),
        (BORIS, Command::TakeSeat(Color::White)),
        (CLARA, Command::TakeSeat(Color::White)),
    ] {
        let mut scene = offered();
        let effects = scene.does(who, command);
        assert_eq!(
            offer_messages(&effects),
            [("lapsed", REMATCH, Color::White)]
        );
        if who != ANNA {
            scene.refuses(ANNA, OFFER, ErrorCode::NoRematch);
        } else {
            scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);
        }
    }
}

/// Anna disconnects and reconnects.
fn away_and_back(scene: &mut TableScene, meanwhile: impl FnOnce(&mut TableScene)) -> Vec<Effect> {
    scene.does(ANNA, Command::Disconnect);
    meanwhile(scene);
    scene.does(ANNA, Command::Enter(known("anna", 1)))
}

/// A finished game of Anna and Boris with keys.
fn over_by_known() -> TableScene {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.does(ANNA, Command::Enter(known("anna", 1)));
    scene.does(BORIS, Command::Enter(known("boris", 2)));
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeSeat(Color::Black));
    scene
}

fn known(name: &str, key: u8) -> JoinRequest {
    JoinRequest::named(name).with_key(TokenHash([key; 32]))
}

#[test]
fn a_player_absent_at_the_end_receives_the_rematch_offer() {
    let mut scene = over_by_known();
    let effects = away_and_back(&mut scene, |scene| {
        scene.does(BORIS, Command::Resign(ANY));
        scene.offers(BORIS, REMATCH);
    });
    let is_offer = |message: &&ServerMessage| matches!(message, ServerMessage::Offered { .. });
    assert!(sent_to(&effects, ANNA).iter().any(is_offer), "{effects:?}");
    assert_eq!(started(&scene.accepts(ANNA, REMATCH)).white, "boris");
}

#[test]
fn an_offer_lapses_when_its_player_disconnects_and_can_be_repeated() {
    let mut scene = over_by_known();
    scene.does(BORIS, Command::Resign(ANY));
    scene.offers(ANNA, REMATCH);
    let effects = scene.does(ANNA, Command::Disconnect);
    assert_eq!(
        offer_messages(&effects),
        [("lapsed", REMATCH, Color::White)]
    );
    scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);
    scene.does(ANNA, Command::Enter(known("anna", 1)));
    scene.offers(ANNA, REMATCH);
    assert_eq!(started(&scene.accepts(BORIS, REMATCH)).game, 2);
}

#[test]
fn unwatching_rules_out_a_rematch() {
    let mut scene = over_by_known();
    scene.does(BORIS, Command::Resign(ANY));
    scene.does(ANNA, Command::Unwatch);
    scene.refuses(BORIS, OFFER, ErrorCode::NoRematch);
}

#[test]
fn a_spectator_may_leave() {
    let mut scene = offered();
    assert_eq!(offer_messages(&scene.does(CLARA, Command::Exit)), []);
    assert_eq!(started(&scene.accepts(BORIS, REMATCH)).game, 2);
}

#[test]
fn a_new_member_receives_the_rematch_offer() {
    let mut scene = offered();
    scene.does(CLARA, Command::Exit);
    let effects = scene.enter(CLARA, "clara");
    let by = Color::White.into();
    let offered = ServerMessage::Offered {
        table: "main".to_owned(),
        game: 1,
        seq: None,
        offer: REMATCH,
        by,
    };
    assert_eq!(sent_to(&effects, CLARA)[1..], [&offered]);
}

#[test]
fn a_rematch_requires_both_players() {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.refuses(ANNA, OFFER, ErrorCode::NotJoined);
    scene.refuses(ANNA, ACCEPT, ErrorCode::NotJoined);
    scene.enter(ANNA, "anna");
    scene.refuses(ANNA, OFFER, ErrorCode::NoRematch);

    for leave in [Command::LeaveSeat, Command::Exit] {
        let mut scene = TableScene::playing(DrawRules::Fmjd64);
        assert!(end(&scene.does(ANNA, leave)).is_some());
        scene.refuses(BORIS, OFFER, ErrorCode::NoRematch);
    }
}

#[test]
fn only_the_players_agree_on_a_rematch() {
    let mut scene = offered();
    scene.refuses(CLARA, OFFER, ErrorCode::NoRematch);
    for who in [ANNA, CLARA] {
        scene.refuses(who, ACCEPT, ErrorCode::NoOffer);
        scene.refuses(who, Command::Decline(REMATCH, ANY), ErrorCode::NoOffer);
    }
    scene.refuses(BORIS, Command::Accept(REMATCH, ANOTHER), ErrorCode::NoOffer);
    scene.refuses(
        BORIS,
        Command::Offer(REMATCH, ANOTHER),
        ErrorCode::NoRematch,
    );
    scene.accepts(BORIS, REMATCH);
    scene.refuses(ANNA, OFFER, ErrorCode::GameRunning);
}

#[test]
fn directed_tables_have_no_rematches() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(1));
    scene.refuses(ANNA, OFFER, ErrorCode::NotCasual);
    scene.does(ANNA, Command::Resign(ANY));
    scene.refuses(ANNA, OFFER, ErrorCode::NotCasual);
}
