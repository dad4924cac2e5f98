//! Takebacks.

use std::time::Duration;

use checkers_lib::protocol::{EndReason, ErrorCode, GameResult, Offer, ServerMessage, WireColor};
use checkers_lib::{ByColor, Color, DrawRules, Position, TimeControl, openings};
use checkers_server::table::{Command, Effect, Table};

use crate::table::scene::{
    ANNA, ANOTHER, ANY, BORIS, CLARA, TableScene, asked, end, offer_messages, sent_to, setup,
};

const TAKEBACK: Offer = Offer::Takeback;
const OFFER: Command = Command::Offer(TAKEBACK, ANY);
const ACCEPT: Command = Command::Accept(TAKEBACK, ANY);
const SECOND: Duration = Duration::from_secs(1);

/// A game of Anna and Boris with these settings, after these moves.
fn after(table: Table, moves: &[&str]) -> TableScene {
    let mut scene = TableScene::new(DrawRules::Fmjd64);
    scene.table = table;
    scene.enter(ANNA, "anna");
    scene.enter(BORIS, "boris");
    scene.does(ANNA, Command::TakeSeat(Color::White));
    scene.does(BORIS, Command::TakeSeat(Color::Black));
    scene.play_all(moves);
    scene
}

fn plain() -> Table {
    Table::new("main", DrawRules::Fmjd64)
}

fn on_clocks(control: &str) -> Table {
    let control: TimeControl = control.parse().expect("a time control");
    plain().with_clocks(ByColor {
        white: Some(control),
        black: Some(control),
    })
}

/// The takeback message: ply, position, side to move and remaining times.
type Back = (u32, String, WireColor, Option<[u64; 2]>);

fn back(effects: &[Effect]) -> Back {
    let back = effects.iter().find_map(|effect| match effect {
        Effect::Broadcast(ServerMessage::TookBack {
            game: 1,
            ply,
            fen,
            turn,
            clocks,
            ..
        }) => Some((
            *ply,
            fen.clone(),
            *turn,
            clocks.map(|clocks| {
                [clocks.white, clocks.black].map(|c| c.expect("both sides have one").remaining_ms)
            }),
        )),
        _ => None,
    });
    back.expect("moves are taken back")
}

#[test]
fn an_accepted_takeback_removes_the_last_move() {
    let mut scene = after(plain(), &["c3-d4"]);
    let effects = scene.offers(ANNA, TAKEBACK);
    assert_eq!(
        offer_messages(&effects),
        [("offered", TAKEBACK, Color::White)]
    );
    let effects = scene.accepts(BORIS, TAKEBACK);
    let start = Position::start().to_string();
    assert_eq!(back(&effects), (0, start, WireColor::White, None));
    let (mover, ply, moves) = asked(&effects);
    assert_eq!((mover, ply, moves.len()), (ANNA, 0, 7));
    assert_eq!(asked(&scene.plays(ANNA, 0, "g3-f4")).0, BORIS);
}

#[test]
fn after_the_answer_two_moves_are_taken_back() {
    let mut scene = after(plain(), &["c3-d4", "b6-a5", "b2-c3", "a7-b6"]);
    scene.offers(ANNA, TAKEBACK);
    let effects = scene.accepts(BORIS, TAKEBACK);
    let (ply, fen, turn, _) = back(&effects);
    assert_eq!((ply, turn), (2, WireColor::White));
    assert_eq!(asked(&effects).0, ANNA);
    // A new member receives the current game.
    let effects = scene.enter(CLARA, "clara");
    let [_, ServerMessage::GameState(state)] = sent_to(&effects, CLARA)[..] else {
        panic!("{effects:?}");
    };
    let texts: Vec<&str> = state.moves.iter().map(|played| &*played.text).collect();
    assert_eq!(texts, ["c3-d4", "b6-a5"]);
    assert_eq!((&state.fen, state.ply, state.offers.len()), (&fen, 2, 0));
    scene.plays(ANNA, 2, "g3-h4");
}

#[test]
fn takeback_offers_of_both_sides_are_an_agreement() {
    let mut scene = after(plain(), &["c3-d4", "b6-a5"]);
    scene.offers(ANNA, TAKEBACK);
    // Anna asked first: her move is taken back.
    assert_eq!(back(&scene.offers(BORIS, TAKEBACK)).0, 0);
}

#[test]
fn repetitions_are_recounted() {
    let table = plain()
        .with_openings(openings::parse("W:WKc1,a1:BKf8,h8").unwrap())
        .unwrap();
    let mut scene = after(table, &[]);
    let moves = ["c1-d2", "f8-e7", "d2-c1", "e7-f8"];
    let around = moves.into_iter().cycle().take(7).collect::<Vec<_>>();
    scene.play_all(&around);
    for _ in 0..2 {
        scene.offers(ANNA, TAKEBACK);
        assert_eq!(back(&scene.accepts(BORIS, TAKEBACK)).0, 6);
        assert_eq!(end(&scene.plays(ANNA, 6, "d2-c1")), None);
    }
    let drawn = (
        GameResult::Draw,
        EndReason::Repetition,
        Some("7.2.3".to_owned()),
        8,
    );
    assert_eq!(end(&scene.plays(BORIS, 7, "e7-f8")), Some(drawn));
}

#[test]
fn the_clocks_stay_as_they_are() {
    for (control, clocks) in [
        ("10+1", [8000, 6000]),
        ("10~1", [8000, 7000]),
        ("10/move", [10_000, 10_000]),
    ] {
        let mut scene = after(on_clocks(control), &[]);
        scene.now += 3 * SECOND;
        scene.plays(ANNA, 0, "c3-d4");
        scene.now += 4 * SECOND;
        scene.offers(ANNA, TAKEBACK);
        let effects = scene.accepts(BORIS, TAKEBACK);
        assert_eq!(back(&effects).3, Some(clocks), "{control}");
        let delay = if control == "10~1" {
            SECOND
        } else {
            Duration::ZERO
        };
        let flag = scene.table.poll_timeout().unwrap() - Duration::from_nanos(1);
        let white = Duration::from_millis(clocks[0]);
        assert_eq!(flag, scene.now + white + delay, "{control}");
    }
}

#[test]
fn accepting_after_the_flag_fell_loses_on_time() {
    let mut scene = after(on_clocks("10"), &["c3-d4"]);
    scene.offers(ANNA, TAKEBACK);
    scene.now += 11 * SECOND;
    let effects = scene.accepts(BORIS, TAKEBACK);
    let lost = (GameResult::WhiteWon, EndReason::Time, None, 1);
    assert_eq!(end(&effects), Some(lost));
}

#[test]
fn a_takeback_offer_lapses_with_any_move() {
    let moves = ["c3-d4", "b6-a5", "b2-c3"];
    for (before, mover, text) in [(2, ANNA, "b2-c3"), (3, BORIS, "a7-b6")] {
        let mut scene = after(plain(), &moves[..before]);
        scene.offers(ANNA, TAKEBACK);
        let effects = scene.plays(mover, before as u32, text);
        assert_eq!(
            offer_messages(&effects),
            [("lapsed", TAKEBACK, Color::White)]
        );
        scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);
    }
}

#[test]
fn a_draw_offer_lapses_with_it() {
    let mut scene = after(plain(), &["c3-d4"]);
    scene.offers(BORIS, Offer::Draw);
    scene.offers(ANNA, TAKEBACK);
    let effects = scene.accepts(BORIS, TAKEBACK);
    assert_eq!(
        offer_messages(&effects),
        [("lapsed", Offer::Draw, Color::Black)]
    );
}

#[test]
fn a_side_may_ask_once_per_move() {
    let mut scene = after(plain(), &["c3-d4"]);
    scene.offers(ANNA, TAKEBACK);
    scene.refuses(ANNA, OFFER, ErrorCode::AlreadyOffered);
    let effects = scene.declines(BORIS, TAKEBACK);
    assert_eq!(
        offer_messages(&effects),
        [("declined", TAKEBACK, Color::Black)]
    );
    scene.refuses(BORIS, ACCEPT, ErrorCode::NoOffer);
    scene.refuses(ANNA, OFFER, ErrorCode::TooSoon);
    scene.plays(BORIS, 1, "b6-a5");
    scene.offers(ANNA, TAKEBACK);
    scene.accepts(BORIS, TAKEBACK);
    scene.plays(ANNA, 0, "c3-d4");
    let effects = scene.offers(ANNA, TAKEBACK);
    assert_eq!(
        offer_messages(&effects),
        [("offered", TAKEBACK, Color::White)]
    );
}

#[test]
fn impossible_takebacks_are_refused() {
    let opening = openings::parse("c3-d4 b6-a5").unwrap();
    let mut scene = after(plain().with_openings(opening).unwrap(), &[]);
    scene.refuses(CLARA, OFFER, ErrorCode::NotJoined);
    scene.enter(CLARA, "clara");
    scene.refuses(CLARA, OFFER, ErrorCode::NotSeated);
    scene.refuses(ANNA, Command::Offer(TAKEBACK, ANOTHER), ErrorCode::NoGame);
    scene.refuses(ANNA, OFFER, ErrorCode::NothingToTakeBack);
    scene.plays(ANNA, 2, "b2-c3");
    scene.refuses(BORIS, OFFER, ErrorCode::NothingToTakeBack);
    scene.offers(ANNA, TAKEBACK);
    assert_eq!(back(&scene.accepts(BORIS, TAKEBACK)).0, 2);
}

#[test]
fn arranged_games_have_no_takebacks() {
    let mut scene = TableScene::directed();
    scene.arranges(setup(1));
    scene.play_all(&["c3-d4"]);
    scene.refuses(ANNA, OFFER, ErrorCode::NotCasual);
}
