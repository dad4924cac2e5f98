//! What a bot says when its opponent offers it something.

use checkers_bot::player::{Action, Player};
use checkers_lib::Color;
use checkers_lib::protocol::{ClientMessage, ErrorCode, Meant, Offer, ServerMessage, WireColor};

use crate::player::playing;
use crate::referee::{MAIN, Referee, refusal};

fn offered(game: u64, offer: Offer, by: WireColor) -> ServerMessage {
    ServerMessage::Offered {
        table: MAIN.to_owned(),
        game,
        seq: None,
        offer,
        by,
    }
}

/// What the bot sends; it does nothing else.
fn answer(player: &mut Player, message: &ServerMessage) -> Option<ClientMessage> {
    match &player.handle(message).unwrap()[..] {
        [] => None,
        [Action::Send(message)] => Some(message.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_declines_every_offer() {
    let meant = Meant { game: Some(1) };
    let (mut player, referee) = playing(2);
    for (offer, declined) in [
        (Offer::Draw, ClientMessage::DeclineDraw(meant)),
        (Offer::Takeback, ClientMessage::DeclineTakeback(meant)),
    ] {
        let message = offered(1, offer, WireColor::Black);
        assert_eq!(answer(&mut player, &message), Some(declined));
    }
    player.handle(&referee.over()).unwrap();
    let message = offered(1, Offer::Rematch, WireColor::Black);
    let declined = ClientMessage::DeclineRematch(meant);
    assert_eq!(answer(&mut player, &message), Some(declined));
}

#[test]
fn it_leaves_the_offers_of_others_alone() {
    let (mut player, _) = playing(2);
    for (game, by) in [(1, WireColor::White), (2, WireColor::Black)] {
        assert_eq!(answer(&mut player, &offered(game, Offer::Draw, by)), None);
    }
    let (game, offer, by) = (1, Offer::Draw, WireColor::Black);
    let table = MAIN.to_owned();
    let declined = ServerMessage::Declined {
        table: table.clone(),
        game,
        seq: None,
        offer,
        by,
    };
    let lapsed = ServerMessage::Lapsed {
        table,
        game,
        offer,
        by,
    };
    for message in [declined, lapsed] {
        assert_eq!(answer(&mut player, &message), None);
    }
}

#[test]
fn an_offer_may_have_lapsed_before_it_is_declined() {
    let (mut player, _) = playing(2);
    player
        .handle(&offered(1, Offer::Draw, WireColor::Black))
        .unwrap();
    let lapsed = refusal(ErrorCode::NoOffer, "nobody offers you a draw");
    assert_eq!(answer(&mut player, &lapsed), None);
}

#[test]
fn its_moves_are_not_taken_back() {
    let took_back = |game| ServerMessage::TookBack {
        table: MAIN.to_owned(),
        game,
        seq: 5,
        ply: 0,
        fen: Referee::new(game, Color::White).game.position().to_string(),
        turn: WireColor::White,
        clocks: None,
    };
    let (mut player, _) = playing(2);
    assert_eq!(answer(&mut player, &took_back(2)), None);
    assert!(player.handle(&took_back(1)).is_err());
}
