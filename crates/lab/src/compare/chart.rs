//! The costs against depth as a plot.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::measure::{Cost, Series};
use super::table::grouped;
use crate::failure::LabFailure;

/// In pixels, of a plot that scales.
const SIZE: (u32, u32) = (900, 1100);

/// Colours that remain distinct with any colour vision.
///
/// CITE: M. Okabe, K. Ito, "Color Universal Design", 2008; grey added.
const COLORS: [RGBColor; 9] = [
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(204, 187, 0),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
];

/// A cost and what it is called.
struct ChartMeasure {
    title: &'static str,
    of: fn(&Cost) -> f64,
}

const MEASURES: [ChartMeasure; 2] = [
    ChartMeasure {
        title: "Nodes a position",
        of: |cost| cost.nodes,
    },
    ChartMeasure {
        title: "Milliseconds a position",
        of: |cost| cost.milliseconds,
    },
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type DrawError<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

/// Draws nodes and time of the bots measured by depth, on logarithmic scales, as SVG.
///
/// # Errors
/// When the plot cannot be drawn.
pub(super) fn svg(series: &[Series]) -> Result<String, LabFailure> {
    let series: Vec<&Series> = series
        .iter()
        .filter(|series| series.is_by_depth())
        .collect();
    let mut svg = String::new();
    draw(&mut svg, &series).map_err(|error| LabFailure::DrawPlot {
        reason: error.to_string(),
    })?;
    Ok(svg)
}

fn draw<'a>(svg: &'a mut String, series: &[&Series]) -> Result<(), DrawError<'a>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let halves = area.split_evenly((MEASURES.len(), 1));
    for (half, measure) in halves.iter().zip(&MEASURES) {
        draw_measure(half, measure, series)?;
    }
    area.present()
}

fn draw_measure<'a>(
    area: &Area<'a>,
    measure: &ChartMeasure,
    series: &[&Series],
) -> Result<(), DrawError<'a>> {
    let costs = || series.iter().flat_map(|series| &series.costs);
    let depths = range(costs().map(|cost| cost.effort.amount() as f64));
    let deepest = depths.end;
    let mut chart = ChartBuilder::on(area)
        .caption(measure.title, ("sans-serif", 22))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(80)
        .build_cartesian_2d(depths, range(costs().map(measure.of)).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("depth in plies")
        .x_labels(deepest as usize)
        .x_label_formatter(&|depth| format!("{depth:.0}"))
        .y_label_formatter(&|&cost| axis_label(cost))
        .label_style(("sans-serif", 14))
        .light_line_style(WHITE)
        .draw()?;
    for (series, &color) in series.iter().zip(COLORS.iter().cycle()) {
        let points = || {
            let points = series.costs.iter();
            points.map(|cost| (cost.effort.amount() as f64, (measure.of)(cost)))
        };
        chart
            .draw_series(LineSeries::new(points(), color.stroke_width(2)).point_size(3))?
            .label(&series.label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(3)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 14))
        .draw()
}

/// A power of ten.
fn axis_label(cost: f64) -> String {
    if cost < 1.0 {
        cost.to_string()
    } else {
        grouped(cost.round() as u64)
    }
}

/// From the least to the greatest cost; never empty, for logarithms.
fn range(costs: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, greatest) = costs
        .filter(|&cost| cost > 0.0)
        .fold((f64::INFINITY, 0.0), |(least, greatest), cost| {
            (cost.min(least), cost.max(greatest))
        });
    if least < greatest {
        least..greatest
    } else {
        1.0..10.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::MeasuredEffort;
    use super::*;

    fn series(label: &str, costs: &[f64]) -> Series {
        let cost = |(depth, &cost): (u32, &f64)| Cost {
            effort: MeasuredEffort::Depth(depth),
            nodes: cost,
            milliseconds: cost / 100.0,
        };
        Series {
            label: label.to_owned(),
            costs: (1..).zip(costs).map(cost).collect(),
        }
    }

    #[test]
    fn every_bot_has_a_line_in_both_charts() {
        let (one, other) = (
            series("one", &[9.0, 80.0, 700.0]),
            series("other", &[9.0, 20.0]),
        );
        let svg = svg(&[one, other]).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        for label in [
            "one",
            "other",
            "Nodes a position",
            "Milliseconds a position",
        ] {
            assert!(svg.contains(label), "{label}");
        }
        // Each line also once in the legend.
        for color in ["#000000", "#969696"] {
            assert!(
                svg.matches(&format!("stroke=\"{color}\"")).count() >= 4,
                "{color}"
            );
        }
    }

    #[test]
    fn too_little_to_draw_is_no_error() {
        for series in [
            series("nothing", &[]),
            series("point", &[5.0]),
            series("zero", &[0.0; 2]),
        ] {
            assert!(svg(&[series]).is_ok());
        }
        assert!(svg(&[]).is_ok());
    }
}
