//! From messages of the server to lines, and from calls to messages.

use std::time::{Duration, Instant};

use checkers_lib::Position;
use checkers_lib::protocol::{Offer, ServerMessage};
use event_store::UnixMillis;
use serde_json::{Value, json};

use super::action::{ActionStep, BotAction};
use super::awaited::{Awaited, AwaitedMove};
use super::streams::StreamLine;
use super::tables::BotTables;

const BOT: &str = "hawk[bot]";

/// A bot, what it has received, and the time.
struct BotApiScene {
    tables: BotTables,
    now: Instant,
}

impl BotApiScene {
    fn new() -> BotApiScene {
        let now = Instant::now();
        BotApiScene {
            tables: BotTables::new(BOT.to_owned(), now, UnixMillis(1_000_000)),
            now,
        }
    }

    /// The bot has White against a computer opponent, with a minute and a second for each move.
    fn playing() -> BotApiScene {
        let mut scene = BotApiScene::new();
        let lines = scene.receive(json!({
            "type": "table_state", "table": "t", "info": info(), "server_ms": 0, "state": game(),
        }));
        let kinds: Vec<_> = lines.iter().map(kind).collect();
        assert_eq!(kinds, ["end", "gameStart"]);
        scene
    }

    fn receive(&mut self, message: Value) -> Vec<StreamLine> {
        let message: ServerMessage = serde_json::from_value(message).unwrap();
        self.tables.handle(message, self.now)
    }

    fn moved(&mut self, ply: u32, squares: [&str; 2], fen: &str, turn: &str) -> Vec<StreamLine> {
        self.receive(json!({
            "type": "moved", "table": "t", "game": 1, "seq": 5 + ply, "fen": fen, "turn": turn,
            "clocks": {
                "white": {"remaining_ms": 59_000, "increment_ms": 1000},
                "black": {"remaining_ms": 60_000, "increment_ms": 1000},
            },
            "played": {
                "ply": ply, "color": if ply.is_multiple_of(2) { "white" } else { "black" },
                "move": squares.join("-"), "squares": squares, "captures": [], "promotes": false,
                "elapsed_ms": 7,
            },
        }))
    }

    fn step(&self, action: BotAction) -> ActionStep {
        action.begin(&self.tables, "m").unwrap()
    }
}

fn info() -> Value {
    json!({
        "id": "t", "kind": "custom", "visibility": "public", "white_clock": "1m+1s",
        "black_clock": "1m+1s", "draw_rules": "fmjd64", "casual": true, "state": "running",
        "seats": {}, "watchers": 0, "ply": 0,
    })
}

fn game() -> Value {
    let fen = Position::start().to_string();
    json!({
        "table": "t", "id": "t-1", "game": 1, "seq": 4, "white": BOT, "black": "Level 3",
        "start_fen": fen, "moves": [], "fen": fen, "ply": 0, "turn": "white",
        "clocks": {
            "white": {"remaining_ms": 60_000, "increment_ms": 1000},
            "black": {"remaining_ms": 60_000, "increment_ms": 1000},
        },
        "thinking_ms": 500,
    })
}

fn kind(line: &StreamLine) -> String {
    match line {
        StreamLine::Event(value) | StreamLine::Game(_, value) => {
            value["type"].as_str().unwrap().to_owned()
        }
        StreamLine::End(_) => "end".to_owned(),
    }
}

fn kinds(lines: &[StreamLine]) -> Vec<String> {
    lines.iter().map(kind).collect()
}

fn sent(step: ActionStep) -> (Value, Awaited) {
    match step {
        ActionStep::Send(message, awaited) => (serde_json::to_value(*message).unwrap(), awaited),
        other => panic!("{other:?}"),
    }
}

fn moved(draw: Option<u64>) -> Awaited {
    Awaited::Moved(AwaitedMove {
        table: "t".into(),
        ply: 0,
        id: "m".into(),
        draw,
    })
}

#[test]
fn a_game_begins_with_its_whole_state() {
    let scene = BotApiScene::playing();
    let (table, game, _) = scene.tables.game("t-1").unwrap();
    let full = table
        .view(game, scene.now + Duration::from_millis(700))
        .full();
    let expected = json!({
        "type": "gameFull",
        "id": "t-1",
        "variant": {"key": "russian", "name": "Russian", "short": "Russian"},
        "speed": "bullet",
        "perf": {"name": "Russian"},
        "rated": false,
        "createdAt": 999_500,
        "white": {"id": BOT, "name": BOT, "title": "BOT"},
        "black": {"id": "Level 3", "name": "Level 3", "aiLevel": 3},
        "initialFen": "startpos",
        "clock": {"initial": 60_000, "increment": 1000},
        "state": {
            "type": "gameState", "moves": "", "fen": Position::start().to_string(),
            "wtime": 58_800, "btime": 60_000, "winc": 1000, "binc": 1000,
            "wdraw": false, "bdraw": false, "wtakeback": false, "btakeback": false,
            "status": "started",
        },
    });
    assert_eq!(full, expected);
    assert!(scene.tables.game("t-2").is_none() && scene.tables.game("t").is_none());
}

#[test]
fn moves_offers_and_the_end_are_lines() {
    let mut scene = BotApiScene::playing();
    let start = Position::start();
    let m = start.parse_move("c3-d4").unwrap();
    let fen = start.play(m).unwrap().to_string();
    let lines = scene.moved(0, ["c3", "d4"], &fen, "black");
    let [StreamLine::Game(table, state)] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert_eq!((table.as_str(), &state["moves"]), ("t", &json!("c3d4")));
    assert_eq!(
        (&state["wtime"], &state["fen"]),
        (&json!(59_000), &json!(fen))
    );
    let offered =
        json!({"type": "offered", "table": "t", "game": 1, "offer": "draw", "by": "black"});
    let lines = scene.receive(offered);
    assert!(
        matches!(&lines[..], [StreamLine::Game(_, state)] if state["bdraw"] == true),
        "{lines:?}"
    );
    let gone = json!({"type": "presence", "table": "t", "color": "black", "connected": false, "claim_in_ms": 59_001});
    let lines = scene.receive(gone);
    let expected = json!({"type": "opponentGone", "gone": true, "claimWinInSeconds": 60});
    assert_eq!(lines, [StreamLine::Game("t".into(), expected)]);
    let lines = scene.receive(json!({
        "type": "game_over", "table": "t", "game": 1, "seq": 9, "id": "t-1", "result": "black_won",
        "reason": "resignation", "ply": 1, "fen": fen,
    }));
    assert_eq!(kinds(&lines), ["gameState", "end", "gameFinish"]);
    let StreamLine::Game(_, state) = &lines[0] else {
        panic!("{lines:?}");
    };
    assert_eq!(
        (&state["status"], &state["winner"]),
        (&json!("resign"), &json!("black"))
    );
    assert_eq!(scene.tables.playing(scene.now), json!({"nowPlaying": []}));
}

#[test]
fn the_last_move_is_told_together_with_the_end() {
    let mut scene = BotApiScene::new();
    let mut last = game();
    last["start_fen"] = json!("W:Wc3:Bd4");
    last["fen"] = json!("W:Wc3:Bd4");
    scene.receive(json!({
        "type": "table_state", "table": "t", "info": info(), "server_ms": 0, "state": last,
    }));
    assert_eq!(scene.moved(0, ["c3", "e5"], "B:We5:B", "black"), []);
    let lines = scene.receive(json!({
        "type": "game_over", "table": "t", "game": 1, "seq": 6, "id": "t-1", "result": "white_won",
        "reason": "no_pieces", "ply": 1, "fen": "B:We5:B",
    }));
    let StreamLine::Game(_, state) = &lines[0] else {
        panic!("{lines:?}");
    };
    let told = (&state["moves"], &state["status"], &state["winner"]);
    assert_eq!(told, (&json!("c3e5"), &json!("mate"), &json!("white")));
}

#[test]
fn challenges_come_and_go() {
    let mut scene = BotApiScene::new();
    let challenged = json!({"type": "challenged", "table": "t", "by": "anna", "info": info()});
    let lines = scene.receive(challenged.clone());
    let [StreamLine::Event(event)] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert_eq!(event["challenge"]["id"], "t-1");
    assert_eq!(event["challenge"]["challenger"]["name"], "anna");
    assert_eq!(
        event["challenge"]["timeControl"],
        json!({"type": "clock", "limit": 60, "increment": 1, "show": "1m+1s"})
    );
    assert_eq!(scene.tables.present(scene.now), std::slice::from_ref(event));
    assert_eq!(scene.receive(challenged.clone()), [], "the same once more");
    let (message, _) = sent(scene.step(BotAction::Decline("t-1".into())));
    assert_eq!(message, json!({"type": "decline_challenge", "table": "t"}));
    let lines = scene.receive(json!({"type": "challenge_withdrawn", "table": "t"}));
    assert_eq!(kinds(&lines), ["challengeCanceled"]);
    assert!(
        BotAction::Accept("t-1".into())
            .begin(&scene.tables, "m")
            .is_err()
    );
    scene.receive(challenged);
    assert!(
        BotAction::Accept("t-2".into())
            .begin(&scene.tables, "m")
            .is_err()
    );
}

/// A bot that accepts at once must not take the challenger's seat.
#[test]
fn a_challenge_is_accepted_once_the_challenger_sits() {
    let mut scene = BotApiScene::new();
    scene.receive(json!({"type": "challenged", "table": "t", "by": "anna", "info": info()}));
    let (message, awaited) = sent(scene.step(BotAction::Accept("t-1".into())));
    assert_eq!(message, json!({"type": "watch", "table": "t"}));
    let mut next = |awaited: Awaited, message: Value| {
        let message: ServerMessage = serde_json::from_value(message).unwrap();
        scene.tables.handle(message.clone(), scene.now);
        awaited.next(&message, &mut scene.tables)
    };
    let entered = json!({"type": "table_state", "table": "t", "info": info(), "server_ms": 0});
    assert_eq!(next(awaited.clone(), entered), None, "nobody sits there");
    let players = json!([{"name": "anna", "role": "white"}]);
    let seated = json!({"type": "players", "table": "t", "players": players});
    let (message, awaited) = sent(next(awaited, seated).unwrap().unwrap());
    assert_eq!(
        message,
        json!({"type": "take_seat", "color": "random", "table": "t"})
    );
    assert_eq!(awaited, Awaited::Started("t".into()));
}

#[test]
fn an_offer_to_play_again_is_a_challenge() {
    let mut scene = BotApiScene::playing();
    let over = json!({
        "type": "game_over", "table": "t", "game": 1, "seq": 9, "id": "t-1", "result": "draw",
        "reason": "agreement", "ply": 0, "fen": Position::start().to_string(),
    });
    scene.receive(over);
    let offered =
        |by| json!({"type": "offered", "table": "t", "game": 1, "offer": "rematch", "by": by});
    assert_eq!(scene.receive(offered("white")), [], "its own");
    let lines = scene.receive(offered("black"));
    let [StreamLine::Event(event)] = &lines[..] else {
        panic!("{lines:?}");
    };
    let challenge = &event["challenge"];
    assert_eq!(
        (&challenge["id"], &challenge["rematchOf"]),
        (&json!("t-2"), &json!("t-1"))
    );
    assert_eq!(challenge["color"], "white");
    let (message, awaited) = sent(scene.step(BotAction::Accept("t-2".into())));
    assert_eq!(
        message,
        json!({"type": "accept_rematch", "game": 1, "table": "t"})
    );
    assert_eq!(awaited, Awaited::StartedAgain("t".into()));
}

/// A client that has lost the answer sends its move again.
#[test]
fn a_move_out_of_turn_is_the_last_one_again() {
    let mut scene = BotApiScene::playing();
    let play = |text: &str| BotAction::Move {
        game: "t-1".into(),
        text: text.into(),
        offers_draw: true,
    };
    let (message, awaited) = sent(scene.step(play("c3d4")));
    assert_eq!(
        message,
        json!({"type": "move", "game": 1, "ply": 0, "move": "c3d4", "id": "m", "table": "t"})
    );
    assert_eq!(awaited, moved(Some(1)));
    scene.moved(0, ["c3", "d4"], "B:W", "black");
    let (message, awaited) = sent(scene.step(play("c3d4")));
    assert_eq!(message["ply"], 0);
    let acknowledged = json!({
        "type": "acknowledged", "table": "t", "game": 1, "seq": 5, "ply": 0, "id": "of another session",
    });
    let acknowledged: ServerMessage = serde_json::from_value(acknowledged).unwrap();
    let (message, _) = sent(
        awaited
            .next(&acknowledged, &mut scene.tables)
            .unwrap()
            .unwrap(),
    );
    assert_eq!(message["type"], "offer_draw");
    assert!(play("c3d4").begin(&BotApiScene::new().tables, "m").is_err());
}

#[test]
fn offers_are_made_accepted_and_declined() {
    let mut scene = BotApiScene::playing();
    let kind = |step: ActionStep| sent(step).0["type"].as_str().unwrap().to_owned();
    let agree = |offer, agrees| BotAction::Agree("t-1".into(), offer, agrees);
    assert_eq!(kind(scene.step(agree(Offer::Draw, true))), "offer_draw");
    assert!(matches!(
        scene.step(agree(Offer::Takeback, false)),
        ActionStep::Done(_)
    ));
    let offered =
        |by| json!({"type": "offered", "table": "t", "game": 1, "offer": "draw", "by": by});
    scene.receive(offered("black"));
    assert_eq!(kind(scene.step(agree(Offer::Draw, true))), "accept_draw");
    assert_eq!(kind(scene.step(agree(Offer::Draw, false))), "decline_draw");
    scene.receive(
        json!({"type": "declined", "table": "t", "game": 1, "offer": "draw", "by": "white"}),
    );
    scene.receive(offered("white"));
    assert!(
        matches!(scene.step(agree(Offer::Draw, true)), ActionStep::Done(_)),
        "its own is open"
    );
}

#[test]
fn a_refusal_answers_the_call() {
    let mut scene = BotApiScene::playing();
    let mut next = |awaited: Awaited, message: Value| {
        let message: ServerMessage = serde_json::from_value(message).unwrap();
        scene.tables.handle(message.clone(), scene.now);
        awaited.next(&message, &mut scene.tables)
    };
    let error = || json!({"type": "error", "code": "illegal_move", "message": "no", "table": "t"});
    assert!(matches!(next(moved(None), error()), Some(Err(_))));
    let handled = || Awaited::Handled("t".into());
    assert!(matches!(next(handled(), error()), Some(Err(_))));
    let pong = || json!({"type": "pong", "t": 1, "server_ms": 0});
    assert!(matches!(
        next(handled(), pong()),
        Some(Ok(ActionStep::Done(_)))
    ));
    for ignores in [
        Awaited::DrawBesideMove("t".into()),
        Awaited::Refused("t".into()),
    ] {
        assert_eq!(next(ignores.clone(), error()), None);
        assert!(matches!(
            next(ignores, pong()),
            Some(Ok(ActionStep::Done(_)))
        ));
    }
    // The time was up when the move came.
    let over = json!({
        "type": "game_over", "table": "t", "game": 1, "seq": 9, "id": "t-1", "result": "black_won",
        "reason": "time", "ply": 0, "fen": Position::start().to_string(),
    });
    let Some(Ok(ActionStep::Ping(awaited))) = next(moved(None), over) else {
        panic!("an error may follow");
    };
    assert!(matches!(next(awaited, pong()), Some(Err(_))));
    let closed = json!({"type": "table_closed", "table": "t", "reason": "admin"});
    assert!(matches!(next(handled(), closed.clone()), Some(Err(_))));
    let left = next(Awaited::Left("t".into()), closed);
    assert!(matches!(left, Some(Ok(ActionStep::Done(_)))));
}

/// The opponent's reply may overtake the answer to a move.
#[test]
fn the_own_last_move_can_be_sent_again_after_the_reply() {
    let mut scene = BotApiScene::playing();
    let mut position = Position::start();
    let play = |scene: &BotApiScene, text: &str| {
        scene.step(BotAction::Move {
            game: "t-1".into(),
            text: text.into(),
            offers_draw: false,
        })
    };
    for (ply, squares, turn) in [(0, ["c3", "d4"], "black"), (1, ["f6", "e5"], "white")] {
        let m = position.parse_move(&squares.join("-")).unwrap();
        position = position.play(m).unwrap();
        scene.moved(ply, squares, &position.to_string(), turn);
    }
    for again in ["c3d4", "c3-d4"] {
        assert!(
            matches!(play(&scene, again), ActionStep::Done(_)),
            "{again}"
        );
    }
    for other in ["d4f6", "a3b4", "f6e5"] {
        assert_eq!(sent(play(&scene, other)).0["ply"], 2, "{other}");
    }
}

#[test]
fn a_challenge_of_an_earlier_session_is_open() {
    let mut scene = BotApiScene::new();
    let mut challenge = info();
    challenge["opponent"] = json!("anna");
    challenge["state"] = json!("waiting");
    challenge["seats"] = json!({"white": {"name": BOT, "connected": true}});
    scene.receive(json!({
        "type": "table_state", "table": "t", "info": challenge, "server_ms": 0,
    }));
    assert_eq!(scene.tables.challenges()["out"][0]["id"], "t-1");
    let (message, _) = sent(scene.step(BotAction::Cancel("t-1".into())));
    assert_eq!(message, json!({"type": "leave_seat", "table": "t"}));
    let declined = json!({"type": "challenge_declined", "table": "t", "by": "anna"});
    let lines = scene.receive(declined);
    let [StreamLine::Event(event)] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert_eq!(event["type"], "challengeDeclined");
    assert_eq!(event["challenge"]["declineReasonKey"], "generic");
}
