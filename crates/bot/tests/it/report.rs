//! The reports, pinned: each with its JSON, both ways, and its line for people.

use checkers_bot::report::{Report, ReportFormat, ReportOutput};
use checkers_lib::protocol::{EndReason, GameResult, WireColor};

fn written(report: &Report, format: ReportFormat) -> String {
    let mut text = Vec::new();
    ReportOutput::new(&mut text, format).write(report).unwrap();
    String::from_utf8(text).unwrap()
}

fn pin(report: &Report, json: &str, line: &str) {
    assert_eq!(written(report, ReportFormat::Json), format!("{json}\n"));
    assert_eq!(written(report, ReportFormat::Text), line);
    assert_eq!(&serde_json::from_str::<Report>(json).unwrap(), report);
}

#[test]
fn the_start() {
    let started = Report::Started {
        name: "b1".to_owned(),
        bot: "alpha-beta:depth=7".to_owned(),
        color: WireColor::White,
    };
    pin(
        &started,
        r#"{"type":"started","name":"b1","bot":"alpha-beta:depth=7","color":"white"}"#,
        "b1 plays white with alpha-beta:depth=7\n",
    );
}

#[test]
fn a_move() {
    let m = Report::Move {
        game: 3,
        ply: 12,
        text: "c3:e5".to_owned(),
        score: 512,
        depth: 7,
        nodes: 12_034,
        time_us: 3_142,
        pv: "c3:e5 d6:f4".parse().unwrap(),
        book: false,
    };
    pin(
        &m,
        r#"{"type":"move","game":3,"ply":12,"move":"c3:e5","score":512,"depth":7,"nodes":12034,"time_us":3142,"pv":["c3:e5","d6:f4"]}"#,
        "game 3 ply  12  c3:e5       depth  7  score     +512  nodes      12034    3.142 ms\n",
    );
}

#[test]
fn a_move_from_the_book() {
    let m = Report::Move {
        game: 3,
        ply: 0,
        text: "c3-d4".to_owned(),
        score: 4,
        depth: 0,
        nodes: 0,
        time_us: 21,
        pv: "c3-d4".parse().unwrap(),
        book: true,
    };
    pin(
        &m,
        r#"{"type":"move","game":3,"ply":0,"move":"c3-d4","score":4,"depth":0,"nodes":0,"time_us":21,"pv":["c3-d4"],"book":true}"#,
        "game 3 ply   0  c3-d4       book      score       +4  nodes          0    0.021 ms\n",
    );
}

#[test]
fn a_game() {
    let game = Report::Game {
        game: 3,
        color: WireColor::Black,
        opponent: "b2".to_owned(),
        result: GameResult::WhiteWon,
        reason: EndReason::NoMoves,
        plies: 61,
        moves: 30,
        mean_us: 1_500,
        max_us: 20_001,
    };
    pin(
        &game,
        r#"{"type":"game","game":3,"color":"black","opponent":"b2","result":"white_won","reason":"no_moves","plies":61,"moves":30,"mean_us":1500,"max_us":20001}"#,
        "game 3 as black against b2: lost, no legal move after 61 plies; 30 moves, mean 1.500 ms, max 20.001 ms\n",
    );
}

#[test]
fn the_end() {
    let done = Report::Done {
        games: 10,
        wins: 4,
        losses: 3,
        draws: 2,
        interrupted: 1,
        mean_us: 7,
        max_us: 1_000_000,
    };
    pin(
        &done,
        r#"{"type":"done","games":10,"wins":4,"losses":3,"draws":2,"interrupted":1,"mean_us":7,"max_us":1000000}"#,
        "total: 4 won, 3 lost, 2 drawn, 1 interrupted; mean 0.007 ms, max 1000.000 ms per move\n",
    );
}

#[test]
fn what_was_missed() {
    pin(
        &Report::Missed { reports: 12 },
        r#"{"type":"missed","reports":12}"#,
        "12 reports were left out: the reader was too slow\n",
    );
}

#[test]
fn a_failure_is_for_programs_alone() {
    let failed = Report::Failed {
        code: 6,
        message: "the white seat is taken".to_owned(),
    };
    pin(
        &failed,
        r#"{"type":"failed","code":6,"message":"the white seat is taken"}"#,
        "",
    );
}

#[test]
fn a_quiet_run_reports_nothing() {
    let started = Report::Started {
        name: "b1".to_owned(),
        bot: "random".to_owned(),
        color: WireColor::White,
    };
    assert_eq!(written(&started, ReportFormat::Quiet), "");
}
