//! The wire, pinned: coming in, tables and lists of them.

use checkers_lib::protocol::{
    self, About, AddBot, Addressed, BotRequest, BotRequests, ClaimedResult, ClientLimits,
    ClientMessage, ClosedReason, CreateTable, HeldSeat, Join, Joined, KeepName, ListTables,
    NameKept, Phrase, Registration, SeatInfo, SeatWish, Seats, ServerMessage, Since, TableFilter,
    TableInfo, TableKind, TableList, TablePhase, Visibility, WireColor,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::protocol::pin;

/// Pins a message that has nothing but its type.
fn pin_bare<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    message: &T,
    name: &str,
) {
    pin(message, &format!(r#"{{"type":"{name}"}}"#));
}

const SINCE: Since = Since { game: 3, seq: 17 };

#[test]
fn coming_in_and_back() {
    pin(
        &ClientMessage::join("anna"),
        r#"{"type":"join","name":"anna"}"#,
    );
    let back = Join {
        name: "anna".into(),
        token: Some("t".into()),
        lobby: true,
        since: Some(SINCE),
        moves: false,
    };
    pin(
        &Addressed::to("k3x", ClientMessage::Join(back)),
        r#"{"type":"join","name":"anna","token":"t","lobby":true,"since":{"game":3,"seq":17},"moves":false,"table":"k3x"}"#,
    );
    let joined = Joined {
        name: "anna".into(),
        protocol: 1,
        table: Some("k3x".into()),
        draw_rules: "fmjd64".into(),
        token: Some("t".into()),
        resumed: true,
        grace_ms: Some(60_000),
        seats: vec![HeldSeat {
            table: "k3x".into(),
            color: WireColor::White,
            state: TablePhase::Running,
        }],
        account: true,
        registration: Some(Registration::Invitation),
        limits: Some(ClientLimits {
            message_burst: 100,
            message_rate: 5,
            tables: 8,
        }),
        quick_clock: Some("5m+3s".into()),
    };
    pin(
        &ServerMessage::Joined(joined),
        r#"{"type":"joined","name":"anna","protocol":1,"table":"k3x","draw_rules":"fmjd64","token":"t","resumed":true,"grace_ms":60000,"seats":[{"table":"k3x","color":"white","state":"running"}],"account":true,"registration":"invitation","limits":{"message_burst":100,"message_rate":5,"tables":8},"quick_clock":"5m+3s"}"#,
    );
}

#[test]
fn names_are_kept() {
    pin_bare(&ClientMessage::KeepName(KeepName::default()), "keep_name");
    let invitation = Some("abc".into());
    pin(
        &ClientMessage::KeepName(KeepName { invitation }),
        r#"{"type":"keep_name","invitation":"abc"}"#,
    );
    let kept = NameKept {
        name: "anna".into(),
        token: "t".into(),
        recovery: vec!["abcde".into()],
    };
    pin(
        &ServerMessage::NameKept(kept),
        r#"{"type":"name_kept","name":"anna","token":"t","recovery":["abcde"]}"#,
    );
}

#[test]
fn a_message_says_which_table_it_is_about() {
    pin(
        &Addressed::to("k3x", ClientMessage::LeaveSeat),
        r#"{"type":"leave_seat","table":"k3x"}"#,
    );
    pin_bare(&Addressed::from(ClientMessage::LeaveSeat), "leave_seat");
    let about = serde_json::from_str::<About>(r#"{"type":"moved","table":"k3x","game":1}"#);
    assert_eq!(about.unwrap().table.as_deref(), Some("k3x"));
}

#[test]
fn what_clients_ask_of_the_place() {
    use ClientMessage::*;
    pin_bare(&Watch(Default::default()), "watch");
    let since = Some(SINCE);
    pin(
        &Sync(protocol::Watch { since }),
        r#"{"type":"sync","since":{"game":3,"seq":17}}"#,
    );
    pin_bare(&Unwatch, "unwatch");
    pin_bare(&DeclineChallenge, "decline_challenge");
    pin_bare(&Quick(Default::default()), "quick");
    let quick = protocol::Quick {
        clock: Some("5m+3s".into()),
        rated: true,
        ladder: Some("k3x9w2ab".into()),
        tournament: Some("q5x9w2ab".into()),
        invitation: Some("letters".into()),
    };
    pin(
        &Quick(quick),
        r#"{"type":"quick","clock":"5m+3s","rated":true,"ladder":"k3x9w2ab","tournament":"q5x9w2ab","invitation":"letters"}"#,
    );
    pin_bare(&CancelQuick, "cancel_quick");
    pin_bare(&ListTables(Default::default()), "list_tables");
    let list = protocol_list();
    pin(
        &ListTables(list),
        r#"{"type":"list_tables","state":"live","cursor":"c","limit":10}"#,
    );
    pin_bare(&SubscribeLobby, "subscribe_lobby");
    pin_bare(&UnsubscribeLobby, "unsubscribe_lobby");
    pin_bare(&Tv, "tv");
    pin_bare(&LeaveTv, "leave_tv");
    pin_bare(&Leave, "leave");
    let result = ClaimedResult::Win;
    pin(&Claim { result }, r#"{"type":"claim","result":"win"}"#);
    let phrase = Phrase::MustGo;
    pin(&Say { phrase }, r#"{"type":"say","phrase":"must_go"}"#);
    let t = Some(9_007_199_254_740_992);
    pin(
        &Ping(protocol::Ping { t }),
        r#"{"type":"ping","t":9007199254740992}"#,
    );
}

fn protocol_list() -> ListTables {
    ListTables {
        state: TableFilter::Live,
        cursor: Some("c".into()),
        limit: Some(10),
    }
}

#[test]
fn making_a_table() {
    pin_bare(
        &ClientMessage::CreateTable(CreateTable::default()),
        "create_table",
    );
    let bots = BotRequests {
        white: Some(BotRequest::Level(3)),
        black: Some(BotRequest::Spec("random:seed=1".into())),
    };
    let all = CreateTable {
        visibility: Visibility::Link,
        color: Some(SeatWish::Random),
        opponent: Some("boris".into()),
        clock: Some("5m+3s".into()),
        white_clock: Some("1m".into()),
        black_clock: Some("2m".into()),
        draw_rules: Some("study".into()),
        start_fen: Some("W:Wa1:Bh8".into()),
        opening: Some("7".into()),
        casual: Some(false),
        rated: true,
        bots,
    };
    pin(
        &ClientMessage::CreateTable(all),
        r#"{"type":"create_table","visibility":"link","color":"random","opponent":"boris","clock":"5m+3s","white_clock":"1m","black_clock":"2m","draw_rules":"study","start_fen":"W:Wa1:Bh8","opening":"7","casual":false,"rated":true,"bots":{"white":{"level":3},"black":{"spec":"random:seed=1"}}}"#,
    );
    pin(
        &ServerMessage::TableCreated {
            table: "k3x".into(),
        },
        r#"{"type":"table_created","table":"k3x"}"#,
    );
}

#[test]
fn a_bot_has_a_level_or_a_specification() {
    let add = |bot| {
        ClientMessage::AddBot(AddBot {
            color: SeatWish::White,
            bot,
        })
    };
    pin(
        &add(BotRequest::Level(10)),
        r#"{"type":"add_bot","color":"white","level":10}"#,
    );
    pin(
        &add(BotRequest::Spec("random".into())),
        r#"{"type":"add_bot","color":"white","spec":"random"}"#,
    );
    for fields in ["", r#","level":3,"spec":"random""#, r#","level":300"#] {
        let json = format!(r#"{{"type":"add_bot","color":"white"{fields}}}"#);
        assert!(
            serde_json::from_str::<ClientMessage>(&json).is_err(),
            "{json}"
        );
    }
}

#[test]
fn a_seat_is_asked_for_by_name() {
    for (wish, name) in [
        (SeatWish::White, "white"),
        (SeatWish::Black, "black"),
        (SeatWish::Random, "random"),
    ] {
        pin(&wish, &format!("{name:?}"));
    }
    assert!(serde_json::from_str::<SeatWish>(r#""red""#).is_err());
    assert!(serde_json::from_str::<SeatWish>(r#"{"white":null}"#).is_err());
}

fn info() -> TableInfo {
    TableInfo {
        id: "k3x".into(),
        kind: TableKind::Quick,
        visibility: Visibility::Public,
        white_clock: Some("5m+3s".into()),
        black_clock: None,
        draw_rules: "fmjd64".into(),
        start_fen: None,
        casual: true,
        rated: true,
        event: Some("ladder-2026-11".into()),
        opponent: Some("boris".into()),
        state: TablePhase::Running,
        seats: Seats {
            white: Some(SeatInfo {
                name: "anna".into(),
                absent_ms: Some(5000),
                claim_in_ms: Some(55_000),
                ..SeatInfo::default()
            }),
            black: Some(SeatInfo {
                name: "level 3".into(),
                connected: true,
                bot: Some("level 3".into()),
                ..SeatInfo::default()
            }),
        },
        watchers: 2,
        ply: 14,
    }
}

const INFO: &str = r#"{"id":"k3x","kind":"quick","visibility":"public","white_clock":"5m+3s","draw_rules":"fmjd64","casual":true,"rated":true,"event":"ladder-2026-11","opponent":"boris","state":"running","seats":{"white":{"name":"anna","connected":false,"absent_ms":5000,"claim_in_ms":55000},"black":{"name":"level 3","connected":true,"bot":"level 3"}},"watchers":2,"ply":14}"#;

#[test]
fn lists_of_tables() {
    let list = TableList {
        tables: vec![info()],
        next: Some("c".into()),
        open: 0,
        live: 1,
        players: 5,
        quick: vec!["5m".into()],
        quick_rated: vec!["3m".into()],
    };
    let body = format!(
        r#""tables":[{INFO}],"next":"c","open":0,"live":1,"players":5,"quick":["5m"],"quick_rated":["3m"]}}"#
    );
    pin(
        &ServerMessage::Tables(list.clone()),
        &format!(r#"{{"type":"tables",{body}"#),
    );
    pin(
        &ServerMessage::Lobby(list),
        &format!(r#"{{"type":"lobby",{body}"#),
    );
}

#[test]
fn what_the_place_says() {
    use ServerMessage::*;
    let table = || "k3x".to_owned();
    let about = |name: &str, rest: &str| format!(r#"{{"type":"{name}","table":"k3x"{rest}}}"#);
    pin(&Unwatched { table: table() }, &about("unwatched", ""));
    for (reason, name) in [
        (ClosedReason::Idle, "idle"),
        (ClosedReason::Ended, "ended"),
        (ClosedReason::Admin, "admin"),
    ] {
        let closed = TableClosed {
            table: table(),
            reason,
        };
        let json = about("table_closed", &format!(r#","reason":"{name}""#));
        pin(&closed, &json);
    }
    let queued = Queued {
        clock: None,
        rated: false,
        tournament: Some("k3x9w2ab".into()),
    };
    pin(&queued, r#"{"type":"queued","tournament":"k3x9w2ab"}"#);
    pin_bare(&Unqueued, "unqueued");
    let color = WireColor::Black;
    let paired = Paired {
        table: table(),
        color,
    };
    pin(&paired, &about("paired", r#","color":"black""#));
    pin_bare(&Tv { table: None }, "tv");
    let on = Tv {
        table: Some(table()),
    };
    pin(&on, &about("tv", ""));
    let challenged = Challenged {
        table: table(),
        by: "anna".into(),
        info: info(),
    };
    pin(
        &challenged,
        &about("challenged", &format!(r#","by":"anna","info":{INFO}"#)),
    );
    let declined = ChallengeDeclined {
        table: table(),
        by: "boris".into(),
    };
    pin(&declined, &about("challenge_declined", r#","by":"boris""#));
    let withdrawn = ChallengeWithdrawn { table: table() };
    pin(&withdrawn, &about("challenge_withdrawn", ""));
    pin_bare(&Replaced, "replaced");
    let restarting = |in_ms| Restarting {
        delay_ms: 5000,
        in_ms,
    };
    pin(
        &restarting(None),
        r#"{"type":"restarting","delay_ms":5000}"#,
    );
    pin(
        &restarting(Some(30_000)),
        r#"{"type":"restarting","delay_ms":5000,"in_ms":30000}"#,
    );
    let pong = Pong(protocol::Pong {
        t: Some(7),
        rtt_ms: Some(31),
        server_ms: 1_700_000_000_000,
    });
    pin(
        &pong,
        r#"{"type":"pong","t":7,"rtt_ms":31,"server_ms":1700000000000}"#,
    );
}
