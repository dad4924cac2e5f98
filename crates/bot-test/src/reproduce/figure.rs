//! The study's figures: what an algorithm's moves cost over all tables in which it plays White.

use super::{PublishedTimes, Reproduction, RowRecord, Study, StudyEffort, TableRecord};
use crate::plot::{self, CostPlot, Curve, FigureTexts};
use crate::statistics::GameScore;

/// Draws figure 3, the mean time per move against depth, or figure 4, the longest.
pub(super) fn draw(number: u8, record: &Reproduction) -> String {
    let (measure, caption) = match number {
        3 => (FigureMeasure::Mean, "Figure 3: mean time per move"),
        _ => (FigureMeasure::Max, "Figure 4: longest time for a move"),
    };
    plot::costs(&CostPlot {
        label: |ms| plot::time_label(1000.0 * ms),
        curves: curves(record, measure),
        frame: Some(FigureTexts {
            caption,
            note: "solid: here, dotted: the study, hollow: with a drawn game",
        }),
    })
}

/// What is measured of a bot's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FigureMeasure {
    /// The mean time per move.
    Mean,
    /// The longest time for a move.
    Max,
}

impl FigureMeasure {
    /// Of all moves in the study's games. How many there were it does not say: the mean of the
    /// means has to do.
    fn of_study(self, times: &[PublishedTimes]) -> Option<f64> {
        let means = times.iter().map(|times| times.mean_ms);
        match self {
            _ if times.is_empty() => None,
            FigureMeasure::Mean => Some(means.sum::<f64>() / times.len() as f64),
            FigureMeasure::Max => times.iter().map(|times| times.max_ms).reduce(f64::max),
        }
    }

    /// Of all moves in our games.
    fn of_efforts(self, efforts: &[StudyEffort]) -> Option<f64> {
        let moves: usize = efforts.iter().map(|effort| effort.moves).sum();
        let total = |effort: &StudyEffort| effort.mean_ms * effort.moves as f64;
        match self {
            _ if moves == 0 => None,
            FigureMeasure::Mean => Some(efforts.iter().map(total).sum::<f64>() / moves as f64),
            FigureMeasure::Max => efforts.iter().map(|effort| effort.max_ms).reduce(f64::max),
        }
    }
}

/// The milliseconds of all algorithms that play White in the record's tables, the simplest first.
/// Marks are hollow where one of our games was drawn after 200 plies.
pub(super) fn curves(record: &Reproduction, measure: FigureMeasure) -> Vec<Curve> {
    let mut bots: Vec<&str> = Vec::new();
    for table in &Study::published().tables {
        let is_played = record
            .tables
            .iter()
            .any(|played| played.number == table.number);
        if is_played && !bots.contains(&table.white.as_str()) {
            bots.push(&table.white);
        }
    }
    let curve = |bot| curve(&record.tables, bot, measure);
    bots.into_iter().map(curve).collect()
}

fn curve(tables: &[TableRecord], bot: &str, measure: FigureMeasure) -> Curve {
    let rows = || {
        let tables = tables.iter().filter(|table| table.white == bot);
        tables.flat_map(|table| &table.rows)
    };
    let deepest = rows().map(|row| row.published.depth).max().unwrap_or(0);
    let point = |depth| {
        let rows = || rows().filter(move |row| row.published.depth == depth);
        let study: Vec<_> = rows().map(|row| row.published.white).collect();
        let singles = rows().filter_map(|row| row.single.as_ref());
        let here: Vec<_> = singles.map(|single| single.white).collect();
        (depth, measure.of_study(&study), measure.of_efforts(&here))
    };
    let is_drawn = |row: &&RowRecord| {
        let single = row.single.as_ref();
        single.is_some_and(|single| single.result == GameScore::Draw)
    };
    let points: Vec<_> = (1..=deepest).map(point).collect();
    let known = |(depth, value): (u32, Option<f64>)| Some((depth, value?));
    Curve {
        name: bot.to_owned(),
        hollow: rows()
            .filter(is_drawn)
            .map(|row| row.published.depth)
            .collect(),
        published: (points.iter().map(|&(depth, study, _)| (depth, study)))
            .filter_map(known)
            .collect(),
        points: (points.iter().map(|&(depth, _, here)| (depth, here)))
            .filter_map(known)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::record;

    #[test]
    fn means_are_over_all_moves() {
        let effort = |moves, mean_ms| StudyEffort {
            moves,
            mean_ms,
            max_ms: 2.0 * mean_ms,
            mean_nodes: 1.0,
            max_nodes: 1,
        };
        let efforts = [effort(10, 1.0), effort(30, 3.0)];
        assert_eq!(FigureMeasure::Mean.of_efforts(&efforts), Some(2.5));
        assert_eq!(FigureMeasure::Max.of_efforts(&efforts), Some(6.0));
        assert_eq!(FigureMeasure::Mean.of_efforts(&[effort(0, 0.0)]), None);
    }

    #[test]
    fn a_curve_has_what_was_played() {
        let curves = curves(&record(), FigureMeasure::Mean);
        let [minimax] = &curves[..] else {
            panic!("one algorithm");
        };
        assert_eq!(minimax.name, "minimax");
        assert_eq!(minimax.published, [(1, 0.17), (2, 0.15)]);
        assert_eq!(
            (&minimax.points[..], &minimax.hollow[..]),
            (&[(1, 0.5)][..], &[][..])
        );
        let mut record = record();
        record.tables[0].rows[0].single.as_mut().unwrap().result = GameScore::Draw;
        assert_eq!(super::curves(&record, FigureMeasure::Max)[0].hollow, [1]);
    }

    #[test]
    fn figures_stand_alone() {
        let mut empty = record();
        empty.tables.clear();
        for record in [record(), empty] {
            for number in [3, 4] {
                let svg = draw(number, &record);
                assert!(svg.contains(&format!("Figure {number}")));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert_eq!(svg.matches("http").count(), 1, "the name space alone");
            }
        }
    }

    #[test]
    fn a_drawn_game_is_hollow() {
        let mut record = record();
        let marks = |record: &Reproduction| draw(3, record).matches("<polygon").count();
        assert!(draw(3, &record).contains("minimax"));
        let before = marks(&record);
        let single = record.tables[0].rows[0].single.as_mut().unwrap();
        single.result = GameScore::Draw;
        assert_eq!(marks(&record), before + 1);
    }
}
