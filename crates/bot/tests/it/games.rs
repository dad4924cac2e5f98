//! Whole runs against a scripted server.

use checkers_bot::report::Report;
use checkers_lib::Color;
use checkers_lib::protocol::{ClientMessage, EndReason, GameResult, WireColor, wire_ply};
use tokio_tungstenite::tungstenite::Message;

use crate::process::{self, EndedBot};
use crate::referee::{BOT, RIVAL};
use crate::script::Script;

/// A bot whose search ends only when it is stopped.
const ENDLESS: &str = "--name b1 --bot minimax:depth=20 --json";

#[tokio::test]
async fn a_whole_game_is_played_and_reported() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), "--name b1 --bot random:seed=7 --json");
    let mut peer = script.accept().await;
    peer.let_in().await;
    let color = peer.give_seat().await;
    let referee = peer.play(5, color).await;

    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 0, "{ended:?}");
    let reports = ended.reports();
    let [started, moves @ .., game, done] = &reports[..] else {
        panic!("{reports:?}");
    };
    let Report::Started { name, bot, color } = started else {
        panic!("{started:?}");
    };
    assert_eq!((name.as_str(), *color), (BOT, WireColor::White));
    assert!(bot.starts_with("random"), "{bot}");
    for (i, m) in moves.iter().enumerate() {
        let Report::Move {
            game,
            ply,
            text,
            pv,
            ..
        } = m
        else {
            panic!("{m:?}");
        };
        assert_eq!((*game, *ply as usize), (5, 2 * i));
        let position = &referee.game.positions()[2 * i];
        assert_eq!(position.parse_move(text), Ok(referee.game.moves()[2 * i]));
        assert_eq!(pv.moves().next(), Some(text.as_str()));
    }
    assert_eq!(moves.len(), referee.game.ply().div_ceil(2));

    let outcome = referee.game.outcome().unwrap();
    let Report::Game {
        game,
        opponent,
        result,
        reason,
        plies,
        moves: own,
        ..
    } = game
    else {
        panic!("{game:?}");
    };
    assert_eq!((*game, opponent.as_str()), (5, RIVAL));
    assert_eq!((*result, *reason), (outcome.into(), outcome.into()));
    assert_eq!(
        (*plies, *own as usize),
        (wire_ply(&referee.game), moves.len())
    );
    assert!(matches!(
        done,
        Report::Done {
            games: 1,
            interrupted: 0,
            ..
        }
    ));
}

#[tokio::test]
async fn people_read_one_line_per_report() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), "--name b1 --bot random:seed=7");
    let mut peer = script.accept().await;
    peer.let_in().await;
    let color = peer.give_seat().await;
    let referee = peer.play(1, color).await;

    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 1 + referee.game.ply().div_ceil(2) + 2);
    assert!(lines[0].starts_with("b1 plays white with random"));
    assert!(lines[1].starts_with("game 1 ply   0  "));
    assert!(lines[lines.len() - 2].starts_with("game 1 as white against rival: "));
    assert!(lines[lines.len() - 1].starts_with("total: "));
    assert_eq!(ended.stderr, "");
}

#[tokio::test]
async fn sides_change_from_game_to_game() {
    let script = Script::listen().await;
    let options = "--name b1 --color black --games 3 --swap --bot random --json";
    let bot = process::start(&script.url(), options);
    let mut peer = script.accept().await;
    peer.let_in().await;
    for (number, color) in [(1, Color::Black), (2, Color::White), (3, Color::Black)] {
        assert_eq!(peer.give_seat().await, color);
        peer.play(number, color).await;
    }
    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 0);
    assert!(matches!(
        ended.reports().last(),
        Some(Report::Done { games: 3, .. })
    ));
}

#[tokio::test]
async fn pings_are_answered_during_a_search_that_ends_with_its_game() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), ENDLESS);
    let (mut peer, referee) = script.start_game().await;
    peer.say(&referee.your_turn()).await;
    peer.ping().await;
    peer.say(&referee.over()).await;

    peer.see_off().await;
    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), 0);
    let reports = ended.reports();
    let [_, game, done] = &reports[..] else {
        panic!("{reports:?}");
    };
    let Report::Game {
        result,
        reason,
        moves,
        ..
    } = game
    else {
        panic!("{game:?}");
    };
    let interrupted = (GameResult::Interrupted, EndReason::PlayerLeft, 0);
    assert_eq!((*result, *reason, *moves), interrupted);
    assert!(matches!(
        done,
        Report::Done {
            games: 1,
            interrupted: 1,
            ..
        }
    ));
}

#[tokio::test]
async fn pings_are_answered_during_the_delay() {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), "--name b1 --bot random --delay 1h");
    let (mut peer, referee) = script.start_game().await;
    peer.say(&referee.your_turn()).await;
    peer.ping().await;
    peer.say(&referee.over()).await;
    peer.see_off().await;
    assert_eq!(EndedBot::of(bot).await.code(), 0);
}

/// Sends a signal to a bot that is thinking; it gives up its seat, closes, and exits with `code`.
async fn stopped_by(signal: &str, code: i32) {
    let script = Script::listen().await;
    let bot = process::start(&script.url(), ENDLESS);
    let (mut peer, referee) = script.start_game().await;
    peer.say(&referee.your_turn()).await;
    process::signal(&bot, signal);
    assert_eq!(peer.hear().await, ClientMessage::LeaveSeat);
    assert!(matches!(peer.frame().await, Message::Close(_)));
    peer.see_off().await;

    let ended = EndedBot::of(bot).await;
    assert_eq!(ended.code(), code);
    let reports = ended.reports();
    assert!(matches!(reports.last(), Some(Report::Failed { code: told, .. }) if *told == code));
}

#[tokio::test]
async fn ctrl_c_leaves_in_order() {
    stopped_by("-INT", 130).await;
}

#[tokio::test]
async fn sigterm_leaves_in_order() {
    stopped_by("-TERM", 143).await;
}

#[tokio::test]
async fn options_come_from_the_environment_too() {
    let script = Script::listen().await;
    let bot = process::command()
        .env("CHECKERS_SERVER", script.url())
        .env("CHECKERS_NAME", "b1")
        .env("CHECKERS_COLOR", "black")
        .env("CHECKERS_BOT", "random")
        .env("CHECKERS_JSON", "1")
        .env("CHECKERS_SWAP", "0")
        .spawn()
        .unwrap();
    let (mut peer, referee) = script.start_game().await;
    assert_eq!(referee.names.black, BOT);
    peer.say(&referee.over()).await;
    peer.see_off().await;
    assert_eq!(EndedBot::of(bot).await.reports().len(), 3);
}
