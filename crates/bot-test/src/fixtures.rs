//! Records for tests.

use std::time::{Duration, SystemTime};

use checkers_lib::protocol::{EndReason, GameResult, WireColor};
use checkers_lib::{DrawRules, Position};

use crate::{
    BotId, Clock, Exit, Failure, Fault, GameRecord, Machine, MatchRecord, MoveRecord, Plan, Played,
    SearchInfo, Seats, Timeouts, Transport,
};

/// A short game: White tells about its search, Black tells nothing.
pub(crate) fn game(number: u64, swap: bool, result: GameResult, reason: EndReason) -> GameRecord {
    let told = |text: &str, time_us| MoveRecord {
        color: WireColor::White,
        text: text.to_owned(),
        time_us,
        clock: Clock::Bot,
        search: Some(SearchInfo {
            score: 12,
            depth: 7,
            nodes: 5000,
        }),
    };
    let untold = MoveRecord {
        color: WireColor::Black,
        text: "f6-g5".to_owned(),
        time_us: 2000,
        clock: Clock::Server,
        search: None,
    };
    GameRecord {
        number,
        seats: Seats::of_game(number, swap),
        start_fen: Position::start().to_string(),
        moves: vec![told("c3-d4", 1000), untold, told("b2-c3", 3000)],
        result,
        reason,
        article: (reason == EndReason::Repetition).then(|| "7.2.3".to_owned()),
    }
}

/// A match of three games that ended in a crash during the third.
pub(crate) fn record() -> MatchRecord {
    let plan = Plan {
        bots: ["alpha-beta:depth=7", "exec:./mine"].map(|spec| spec.parse().unwrap()),
        games: 5,
        swap: true,
        openings: Vec::new(),
        draw_rules: DrawRules::Fmjd64,
        timeouts: Timeouts::default(),
        transport: Transport::InProcess,
    };
    let played = Played {
        games: vec![
            game(1, true, GameResult::WhiteWon, EndReason::NoMoves),
            game(2, true, GameResult::Draw, EndReason::Repetition),
            game(3, true, GameResult::Interrupted, EndReason::PlayerLeft),
        ],
        failure: Some(Failure::Bot {
            bot: BotId::SECOND,
            game: Some(3),
            fault: Fault::Crashed {
                exit: Exit::Code(3),
                message: None,
            },
            stderr: vec!["oh no".to_owned()],
        }),
    };
    let began = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    MatchRecord {
        machine: Machine {
            platform: "linux x86_64".to_owned(),
            processor: None,
            threads: 2,
        },
        ..MatchRecord::new(&plan, played, began, Duration::from_secs(2))
    }
}
