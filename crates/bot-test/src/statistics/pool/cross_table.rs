//! Who scored how much against whom.

use serde::Serialize;

use super::{Meeting, Pool};

/// Who scored how much against whom: the best row first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CrossTable {
    /// One row for each bot, by its share of the points; equal ones, and those that did not play,
    /// by place in the list of bots.
    pub rows: Vec<Row>,
}

/// The results of one bot.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Its place in the list of bots.
    pub bot: usize,
    /// How many games it played.
    pub games: u64,
    /// How many points it scored, a win one and a draw half.
    pub points: f64,
    /// Its results against each bot, in the order of the rows; `None` where they did not meet,
    /// itself included.
    pub cells: Vec<Option<Cell>>,
}

/// The results of one bot against another.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Cell {
    /// How many games they played.
    pub games: u64,
    /// How many points the bot of the row scored.
    pub points: f64,
    /// The results themselves, as the bot of the row sees them.
    pub meeting: Meeting,
}

impl CrossTable {
    /// Adds the results up.
    pub fn of(pool: &Pool) -> CrossTable {
        let in_places: Vec<usize> = (0..pool.bots()).collect();
        let mut rows = rows(pool, &in_places);
        rows.sort_by(|a, b| b.share().total_cmp(&a.share()));
        let best_first: Vec<usize> = rows.iter().map(|row| row.bot).collect();
        CrossTable {
            rows: self::rows(pool, &best_first),
        }
    }
}

impl Row {
    /// The share of the points, from 0 to 1; 0 without games.
    fn share(&self) -> f64 {
        self.points / (self.games as f64).max(1.0)
    }
}

fn rows(pool: &Pool, order: &[usize]) -> Vec<Row> {
    (order.iter())
        .map(|&bot| {
            let cell = |&opponent: &usize| pool.meeting(bot, opponent).map(Cell::of);
            let cells: Vec<Option<Cell>> = order.iter().map(cell).collect();
            Row {
                bot,
                games: cells.iter().flatten().map(|cell| cell.games).sum(),
                points: cells.iter().flatten().map(|cell| cell.points).sum(),
                cells,
            }
        })
        .collect()
}

impl Cell {
    fn of(meeting: Meeting) -> Cell {
        Cell {
            games: meeting.games.games(),
            points: meeting.games.points(),
            meeting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::GameScore::{Draw, Loss, Win};

    #[test]
    fn rows_are_sorted_and_cells_mirrored() {
        let mut pool = Pool::new(4);
        pool.count_pair(0, 1, [Loss, Draw]).unwrap();
        pool.count_game(1, 2, Win).unwrap();
        let table = CrossTable::of(&pool);
        let order: Vec<usize> = table.rows.iter().map(|row| row.bot).collect();
        assert_eq!(order, [1, 0, 2, 3]);
        let best = &table.rows[0];
        assert_eq!((best.games, best.points), (3, 2.5));
        assert_eq!(best.cells[0], None);
        assert_eq!(best.cells[1].unwrap().points, 1.5);
        assert_eq!(table.rows[1].cells[0].unwrap().points, 0.5);
        assert_eq!(
            table.rows[1].cells[0].unwrap().meeting.pairs.0,
            [0, 1, 0, 0, 0]
        );
        assert_eq!(table.rows[3].games, 0);
    }
}
