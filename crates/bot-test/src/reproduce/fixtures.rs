//! A record for tests: two rows of one table, the second of which was not played.

use super::{
    Comparison, PairedResult, PublishedRow, REPRODUCTION_VERSION, ReproduceOptions, Reproduction,
    RowRecord, SearchCosts, SingleGame, Study, StudyEffort, TableRecord,
};
use crate::Machine;
use crate::statistics::{GameScore, Pentanomial, Wdl};

pub(super) fn record() -> Reproduction {
    let table = Study::published().table(1).expect("a table of the study");
    Reproduction {
        version: REPRODUCTION_VERSION,
        program: "checkers-bot-test 0.1.0".to_owned(),
        machine: Machine {
            platform: "linux x86_64".to_owned(),
            processor: Some("Abacus 9000".to_owned()),
            threads: 2,
        },
        began: "2001-09-09T01:46:40Z".to_owned(),
        took_ms: 61_000,
        options: ReproduceOptions {
            seed: 1,
            timings: 3,
            other_seeds: 20,
            pairs: 100,
            threads: 2,
            max_depth: 2,
        },
        figures: Vec::new(),
        tables: vec![TableRecord {
            number: table.number,
            white: table.white.clone(),
            black: table.black.clone(),
            rows: vec![played(table.rows[0]), unplayed(table.rows[1])],
        }],
        comparison: None,
        is_interrupted: true,
    }
}

fn played(published: PublishedRow) -> RowRecord {
    let effort = |mean_ms| StudyEffort {
        moves: 20,
        mean_ms,
        max_ms: 3.0 * mean_ms,
        mean_nodes: 1234.5,
        max_nodes: 9999,
    };
    let wdl = |wins, draws, losses| Wdl {
        wins,
        draws,
        losses,
    };
    RowRecord {
        published,
        single: Some(SingleGame {
            result: GameScore::Win,
            plies: 40,
            moves: "c3-d4 b6-a5".to_owned(),
            plays: 3,
            white: effort(0.5),
            black: effort(0.000_25),
        }),
        paired: Some(PairedResult::new(
            wdl(3, 1, 16),
            19,
            wdl(20, 10, 170),
            Pentanomial([80, 5, 10, 5, 0]),
        )),
    }
}

fn unplayed(published: PublishedRow) -> RowRecord {
    RowRecord {
        published,
        single: None,
        paired: None,
    }
}

/// All of the study's white bots on three positions. A ply costs minimax 6 times and the others 3
/// times what the one before costs; NegaScout needs `scout` times what alpha-beta does, and the
/// table halves that.
pub(super) fn comparison(scout: f64) -> Comparison {
    let cost = |bot: &str, depth: u32, place: u32| {
        let plies = f64::from(depth);
        let cost = match bot {
            "minimax" => 6_f64.powf(plies),
            "alpha-beta" => 3_f64.powf(plies),
            "negascout" => scout * 3_f64.powf(plies),
            _ => 3_f64.powf(plies) * scout / 2.0,
        };
        // No two positions are alike.
        (1000.0 * cost * (1.0 + 0.01 * f64::from(place * depth))) as u64
    };
    let costs = |(bot, depth): (&str, u32)| SearchCosts {
        bot: bot.to_owned(),
        depth,
        nodes: (0..3).map(|place| cost(bot, depth, place)).collect(),
        time_ns: (0..3).map(|place| 40 * cost(bot, depth, place)).collect(),
    };
    Comparison {
        positions: vec!["W:Wc3:Bd4".to_owned(); 3],
        costs: (Study::published().white_bots().into_iter())
            .map(costs)
            .collect(),
    }
}
