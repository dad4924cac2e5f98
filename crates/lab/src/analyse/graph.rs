//! The course of a game as a plot.

use plotters::prelude::*;

use crate::failure::LabFailure;

/// In pixels, of a plot that scales.
const SIZE: (u32, u32) = (900, 300);
/// The most numbers beside the axis of plies.
const MOST_LABELS: usize = 11;

/// Draws White's chance after each ply, from 0 to 100 %, as SVG.
///
/// # Errors
/// When the plot cannot be drawn.
pub(super) fn svg(chances: &[f64]) -> Result<String, LabFailure> {
    let mut svg = String::new();
    draw(&mut svg, chances).map_err(|error| LabFailure::DrawPlot {
        reason: error.to_string(),
    })?;
    Ok(svg)
}

fn draw<'a>(
    svg: &'a mut String,
    chances: &[f64],
) -> Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let last = chances.len().saturating_sub(1).max(1) as f64;
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..last, 0.0..100.0)?;
    chart
        .configure_mesh()
        .x_desc("ply")
        .y_desc("White's chance, %")
        // Never more than there are plies, which have no fractions.
        .x_labels(chances.len().min(MOST_LABELS))
        .x_label_formatter(&|ply| format!("{ply:.0}"))
        .y_label_formatter(&|chance| format!("{chance:.0}"))
        .label_style(("sans-serif", 13))
        .light_line_style(WHITE)
        .draw()?;
    let points = || {
        let plies = chances.iter().enumerate();
        plies.map(|(ply, chance)| (ply as f64, 100.0 * chance))
    };
    let blue = RGBColor(0, 114, 178);
    chart.draw_series(LineSeries::new(points(), blue.stroke_width(2)).point_size(2))?;
    let level = [(0.0, 50.0), (last, 50.0)];
    chart.draw_series(LineSeries::new(level, BLACK.stroke_width(1)))?;
    area.present()
}
