//! The study's figures as SVG: one file each, without anything from outside.

use super::Reproduction;
use super::pooled::{Measure, curves};
use crate::plot::{self, CostPlot, Curve, Frame};

/// Draws figure 3, the mean time per move against depth, or figure 4, the longest.
pub(super) fn draw(number: u8, record: &Reproduction) -> String {
    let (measure, caption) = match number {
        3 => (Measure::Mean, "Figure 3: mean time per move"),
        _ => (Measure::Max, "Figure 4: longest time for a move"),
    };
    let microseconds = |points: Vec<(u32, f64)>| {
        let points = points.into_iter();
        points.map(|(depth, ms)| (depth, 1000.0 * ms)).collect()
    };
    let curves = curves(record, measure).into_iter().map(|curve| Curve {
        name: curve.bot,
        points: microseconds(curve.here),
        published: microseconds(curve.study),
        hollow: curve.drawn,
    });
    plot::costs(&CostPlot {
        label: plot::time_label,
        curves: curves.collect(),
        frame: Some(Frame {
            caption,
            note: "solid: here, dotted: the study, hollow: with a drawn game",
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::record;
    use crate::statistics::GameScore;

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
