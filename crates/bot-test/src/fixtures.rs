//! Records for tests.

use std::time::{Duration, SystemTime};

use checkers_lib::protocol::{EndReason, GameResult, WireLine};
use checkers_lib::{Color, DrawRules, Game, Position};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::format::{FormatReport, SprtReport};
use crate::statistics::{Model, Pentanomial, Sample, Sprt};
use crate::{
    Adjudication, BotId, Exit, Fault, Forfeit, Forfeits, Format, GameOrder, GameRecord, Machine,
    MoveRecord, Openings, PairRecord, Pairing, PlayedTournament, Ruling, RunConfig, SearchRecord,
    Seats, SprtRecord, Timekeeper, Timeouts, TournamentPlan, TournamentRecord, TournamentResults,
};

/// A plan for these engines, with games from the start and nothing out of the ordinary.
pub(crate) fn engine_plan(participants: &[&str]) -> TournamentPlan {
    TournamentPlan {
        format: Format::Match { games: 2 },
        participants: participants
            .iter()
            .map(|text| text.parse().unwrap())
            .collect(),
        swap: true,
        openings: Openings {
            source: "the start".to_owned(),
            seed: None,
            list: Vec::new(),
        },
        draw_rules: DrawRules::Fmjd64,
        adjudication: Adjudication::default(),
        forfeits: Forfeits::Loss,
        in_process: true,
        keep_lines: false,
    }
}

/// A pair of games between the first two bots.
pub(crate) fn pairing(id: u64) -> Pairing {
    Pairing {
        id,
        round: 1,
        bots: [BotId::FIRST, BotId::SECOND],
        opening: id,
        games: 2,
    }
}

/// A short game between the first two bots, the first of which has White in games of odd number:
/// White reports its search, Black reports nothing.
pub(crate) fn game(number: u64, result: GameResult, reason: EndReason) -> GameRecord {
    let mut seats = Seats {
        white: BotId::FIRST,
        black: BotId::SECOND,
    };
    if number.is_multiple_of(2) {
        std::mem::swap(&mut seats.white, &mut seats.black);
    }
    let mut position = Position::start();
    let mut play = |text: &str, time_us, search: Option<SearchRecord>| {
        let m = position.parse_move(text).unwrap();
        position.play_unchecked(m);
        MoveRecord {
            m,
            time_us,
            clock: if search.is_some() {
                Timekeeper::Bot
            } else {
                Timekeeper::Server
            },
            search,
        }
    };
    let reported = |pv: &str| {
        Some(SearchRecord {
            score: 12,
            depth: 7,
            nodes: 5000,
            pv: pv.parse().unwrap(),
        })
    };
    GameRecord {
        number,
        seats,
        start: Position::start(),
        moves: vec![
            play("c3-d4", 1000, reported("c3-d4 f6-g5")),
            play("f6-g5", 2000, None),
            play("b2-c3", 3000, reported("")),
        ],
        result,
        reason,
        article: (reason == EndReason::Repetition).then(|| "7.2.3".to_owned()),
        ruling: None,
    }
}

/// A pairing of the first two bots in two games: those of the numbers 2·`id` + 1 and 2·`id` + 2.
pub(crate) fn pair(id: u64, ends: [(GameResult, EndReason); 2]) -> PairRecord {
    let numbers = 2 * id + 1..;
    PairRecord {
        pairing: pairing(id),
        games: (numbers.zip(ends))
            .map(|(number, (result, reason))| game(number, result, reason))
            .collect(),
    }
}

/// The forfeit of a bot that crashed.
pub(crate) fn crash(bot: BotId) -> Ruling {
    Ruling::Forfeit(Forfeit {
        bot,
        fault: Fault::Crashed {
            exit: Exit::Code(3),
            message: None,
        },
        stderr: vec!["oh <no>".to_owned()],
    })
}

/// A plan for these bots over WebSocket, with void games for forfeits.
pub(crate) fn plan(bots: &[&str]) -> TournamentPlan {
    TournamentPlan {
        format: Format::Match { games: 6 },
        forfeits: Forfeits::Void,
        in_process: false,
        ..engine_plan(bots)
    }
}

/// The record of a plan of six games on some machine.
pub(crate) fn record(plan: &TournamentPlan, pairs: Vec<PairRecord>) -> TournamentRecord {
    let config = RunConfig {
        timeouts: Timeouts::default(),
        concurrency: 1,
        patience: 3,
        program: "checkers-bot-test".into(),
        transcripts: None,
        reproducible: false,
    };
    let machine = Machine {
        platform: "linux x86_64".to_owned(),
        processor: Some("Abacus 9000".to_owned()),
        threads: 2,
    };
    let played = PlayedTournament {
        pairs,
        planned: Some(6),
        report: FormatReport::Plain,
        failure: None,
    };
    let outcome = TournamentResults {
        played,
        began: SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000),
        took: Duration::from_millis(12_345),
    };
    TournamentRecord::new(plan, &config, machine, outcome).unwrap()
}

/// Two bots, one of them on a clock: two pairs, of which the second has a void game and repeats a
/// game of the first.
pub(crate) fn match_record() -> TournamentRecord {
    let first = [
        (GameResult::WhiteWon, EndReason::NoMoves),
        (GameResult::Draw, EndReason::Repetition),
    ];
    let second = [
        (GameResult::Interrupted, EndReason::PlayerLeft),
        (GameResult::WhiteWon, EndReason::NoMoves),
    ];
    let mut pairs = vec![pair(0, first), pair(1, second)];
    pairs[1].games[0].ruling = Some(crash(BotId::SECOND));
    let plan = plan(&["alpha-beta:depth=7", "exec:./mine@clock=10s+1s"]);
    record(&plan, pairs)
}

/// What a test between 0 and 10 Elo says about some results.
pub(crate) fn sprt(model: Model) -> SprtRecord {
    let sample = Sample::Pairs(Pentanomial([12, 80, 210, 110, 20]));
    let test = Sprt::new([0.0, 10.0], 0.05, 0.05, model).unwrap();
    SprtRecord::from(&SprtReport {
        sample,
        answer: test.judge(&sample),
        judged: 440,
        repeats: 8,
        voids: 0,
        end: None,
    })
}

/// Two bots that have not played yet.
pub(crate) fn empty_record() -> TournamentRecord {
    record(&plan(&["alpha-beta:depth=7", "random"]), Vec::new())
}

/// A round-robin of one pair for every two bots, with random moves that depend only on the number
/// of bots.
pub(crate) fn round_robin(bots: usize) -> TournamentRecord {
    let names: Vec<String> = (0..bots).map(|bot| format!("random:seed={bot}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let meetings = (0..bots).flat_map(|one| (one + 1..bots).map(move |other| [one, other]));
    let mut rng = Pcg64Mcg::seed_from_u64(bots as u64);
    let pairs = (0..).zip(meetings).map(|(id, meeting)| {
        let pairing = Pairing {
            id,
            round: 1,
            bots: meeting.map(BotId),
            opening: 0,
            games: 2,
        };
        let orders = plan(&names).orders(&pairing);
        let games = orders
            .iter()
            .map(|order| random_game(order, &mut rng))
            .collect();
        PairRecord { pairing, games }
    });
    record(&plan(&names), pairs.collect())
}

fn random_game(order: &GameOrder, rng: &mut Pcg64Mcg) -> GameRecord {
    let mut game = Game::from_position(order.opening.position().clone(), DrawRules::Fmjd64);
    let mut moves = Vec::new();
    while game.outcome().is_none() {
        let legal = game.position().legal_moves();
        let m = legal[rng.random_range(0..legal.len())];
        game.play(m).unwrap();
        moves.push(MoveRecord {
            m,
            time_us: rng.random_range(0..5000),
            clock: Timekeeper::Bot,
            search: Some(SearchRecord {
                score: 0,
                depth: rng.random_range(1..6),
                nodes: rng.random_range(0..100_000),
                pv: WireLine::default(),
            }),
        });
    }
    let outcome = game.outcome().unwrap();
    let result = match outcome.winner() {
        Some(Color::White) => GameResult::WhiteWon,
        Some(Color::Black) => GameResult::BlackWon,
        None => GameResult::Draw,
    };
    GameRecord {
        number: order.number,
        seats: order.seats,
        start: order.opening.position().clone(),
        moves,
        result,
        reason: outcome.into(),
        article: outcome.article().map(str::to_owned),
        ruling: None,
    }
}

/// Fails if the text contains a number that is not finite.
pub(crate) fn assert_finite(text: &str) {
    let words = text.split(|c: char| !c.is_ascii_alphabetic());
    for word in words {
        let lower = word.to_ascii_lowercase();
        assert!(
            !["nan", "inf", "infinity"].contains(&&*lower),
            "{word} in {text}"
        );
    }
}
