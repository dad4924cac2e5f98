//! What the study published.

use std::sync::LazyLock;

use checkers_engine::BotSpec;
use serde::{Deserialize, Serialize};

use crate::statistics::GameScore;

/// What the study published, as `data/study.json` has it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Study {
    /// What it is.
    pub source: String,
    /// What its times were measured on.
    pub machine: String,
    /// Its seven tables.
    pub tables: Vec<PublishedTable>,
}

/// A table of the study: White searches ever deeper, Black stays as it is.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct PublishedTable {
    /// Its number, 1–7.
    pub number: u8,
    /// What plays White, without its depth.
    pub white: String,
    /// What plays Black, with its depth.
    pub black: String,
    /// Its rows, by depth.
    pub rows: Vec<PublishedRow>,
}

/// One game of the study.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PublishedRow {
    /// How many plies deep White searched.
    pub depth: u32,
    /// How the game ended for White.
    pub result: GameScore,
    pub white: PublishedTimes,
    pub black: PublishedTimes,
}

/// How long a program took for its moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PublishedTimes {
    /// The mean time per move in milliseconds.
    pub mean_ms: f64,
    /// The longest time for a move in milliseconds.
    pub max_ms: f64,
}

impl Study {
    /// The study's figures.
    pub fn published() -> &'static Study {
        static PUBLISHED: LazyLock<Study> = LazyLock::new(|| {
            let read: StudyFile = serde_json::from_str(include_str!("../../data/study.json"))
                .expect("a file that is part of the program and of its tests");
            Study::from(read)
        });
        &PUBLISHED
    }

    pub fn table(&self, number: u8) -> Option<&PublishedTable> {
        self.tables.iter().find(|table| table.number == number)
    }

    /// Every program that plays White in some table, once, each with its depths.
    pub(super) fn white_bots(&self) -> Vec<(&str, u32)> {
        let mut bots = Vec::new();
        for table in &self.tables {
            for row in &table.rows {
                let bot = (table.white.as_str(), row.depth);
                if !bots.contains(&bot) {
                    bots.push(bot);
                }
            }
        }
        bots
    }
}

/// What `name` is with a depth and a seed; it may have other keys already, its depth among them.
pub(super) fn bot(name: &str, depth: Option<u32>, seed: u64) -> BotSpec {
    let separator = if name.contains(':') { ',' } else { ':' };
    let depth = depth.map_or_else(String::new, |depth| format!(",depth={depth}"));
    format!("{name}{separator}seed={seed}{depth}")
        .parse()
        .expect("names that are part of the program and of its tests")
}

/// The file: rows are lists of numbers, in the order of its `columns`.
#[derive(Deserialize)]
struct StudyFile {
    source: String,
    machine: String,
    tables: Vec<TableInFile>,
}

#[derive(Deserialize)]
struct TableInFile {
    number: u8,
    white: String,
    black: String,
    rows: Vec<RowInFile>,
}

#[derive(Clone, Copy, Deserialize)]
struct RowInFile(u32, i8, f64, f64, f64, f64);

impl From<StudyFile> for Study {
    fn from(file: StudyFile) -> Study {
        let table = |table: TableInFile| PublishedTable {
            number: table.number,
            white: table.white,
            black: table.black,
            rows: table.rows.into_iter().map(PublishedRow::from).collect(),
        };
        Study {
            source: file.source,
            machine: file.machine,
            tables: file.tables.into_iter().map(table).collect(),
        }
    }
}

impl From<RowInFile> for PublishedRow {
    fn from(RowInFile(depth, result, mean_1, max_1, mean_2, max_2): RowInFile) -> PublishedRow {
        let times = |mean_ms, max_ms| PublishedTimes { mean_ms, max_ms };
        PublishedRow {
            depth,
            result: match result {
                1.. => GameScore::Win,
                0 => GameScore::Draw,
                ..0 => GameScore::Loss,
            },
            white: times(mean_1, max_1),
            black: times(mean_2, max_2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_seven_tables_is_there() {
        let tables = &Study::published().tables;
        let rows = tables.iter().map(|table| (table.number, table.rows.len()));
        let expected = [(1, 8), (2, 8), (3, 10), (4, 10), (5, 10), (6, 10), (7, 11)];
        assert!(rows.eq(expected));
        for table in tables {
            let depths = table.rows.iter().map(|row| row.depth);
            assert!(depths.eq(1..=table.rows.len() as u32), "{}", table.number);
        }
    }

    #[test]
    fn the_tables_name_bots() {
        for table in &Study::published().tables {
            assert_eq!(bot(&table.white, Some(3), 1).options().depth, 3);
            assert_eq!(bot(&table.black, None, 5).options().seed, 5);
        }
        assert_eq!(Study::published().white_bots().len(), 8 + 10 + 10 + 11);
    }

    #[test]
    fn values_are_plausible_and_some_known_ones_are_right() {
        let study = Study::published();
        for row in study.tables.iter().flat_map(|table| &table.rows) {
            for times in [row.white, row.black] {
                assert!(
                    0.0 < times.mean_ms && times.mean_ms <= times.max_ms,
                    "{row:?}"
                );
            }
        }
        let last = study.table(7).unwrap().rows.last().unwrap();
        assert_eq!((last.result, last.white.mean_ms), (GameScore::Win, 680.6));
        assert_eq!((last.white.max_ms, last.black.max_ms), (2953.0, 604.0));
        let draws = |table: &PublishedTable| {
            let drawn = |row: &&PublishedRow| row.result == GameScore::Draw;
            table.rows.iter().filter(drawn).count()
        };
        let draws: Vec<usize> = study.tables.iter().map(draws).collect();
        assert_eq!(draws, [0, 1, 0, 1, 0, 1, 1]);
    }
}
