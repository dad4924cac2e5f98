//! Every figure, as SVG.
//!
//! Figures have no background and are black, so that the page can invert them in its dark style.

use std::ops::Range;

use checkers_lib::protocol::GameResult;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::standings::BotStanding;
use crate::statistics::Rating;
use crate::{BotId, GameRecord, text};

/// In pixels of a figure that scales. Letters of [`FONT`] are readable where it is as wide as a
/// phone.
const WIDTH: u32 = 720;
const FONT: u32 = 20;
const ROW: u32 = 40;

/// Colours that remain distinct with any colour vision.
///
/// CITE: M. Okabe, K. Ito, "Color Universal Design", 2008.
const COLOURS: [RGBColor; 5] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(140, 130, 0),
];

/// Marks as polygons around the origin. Their number and that of the colours have no common
/// factor, so that twenty curves differ.
const MARKS: [&[(i32, i32)]; 4] = [
    &[
        (7, 0),
        (5, 5),
        (0, 7),
        (-5, 5),
        (-7, 0),
        (-5, -5),
        (0, -7),
        (5, -5),
    ],
    &[(-6, -6), (6, -6), (6, 6), (-6, 6)],
    &[(0, -8), (8, 6), (-8, 6)],
    &[(0, -9), (9, 0), (0, 9), (-9, 0)],
];

type Backend<'a> = SVGBackend<'a>;
type Area<'a> = DrawingArea<Backend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<Backend<'a> as DrawingBackend>::ErrorType>>;

/// Costs by depth, on a logarithmic scale.
pub(crate) struct CostPlot<'a> {
    /// A cost as it stands beside the scale.
    pub(crate) label: fn(f64) -> String,
    /// What is drawn.
    pub(crate) curves: Vec<Curve>,
    /// What a figure has that stands alone in a file.
    pub(crate) frame: Option<FigureTexts<'a>>,
}

/// The texts around a figure, which is white.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FigureTexts<'a> {
    /// Above the figure.
    pub(crate) caption: &'a str,
    /// Below it.
    pub(crate) note: &'a str,
}

/// The costs of one bot by depth. Costs of 0, which a coarse clock may give, are not drawn.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Curve {
    /// In the legend.
    pub(crate) name: String,
    /// Depths and costs, drawn as a line with marks.
    pub(crate) points: Vec<(u32, f64)>,
    /// Published costs, drawn as a dotted line.
    pub(crate) published: Vec<(u32, f64)>,
    /// Depths with hollow marks.
    pub(crate) hollow: Vec<u32>,
}

/// Draws costs by depth.
pub(crate) fn costs(plot: &CostPlot<'_>) -> String {
    let legend_rows = plot.curves.len().div_ceil(LEGEND_COLUMNS) as u32;
    let legend = 28 * (legend_rows + u32::from(plot.frame.is_some()));
    svg(500 + legend, |area| draw_costs(area, plot, legend))
}

const LEGEND_COLUMNS: usize = 4;

fn draw_costs<'a>(area: &Area<'a>, plot: &CostPlot<'_>, legend: u32) -> Drawn<'a> {
    let height = area.dim_in_pixel().1;
    let (upper, lower) = area.split_vertically(height.saturating_sub(legend));
    let positive = |curve: &Curve| {
        let points = curve.points.iter().chain(&curve.published).copied();
        points.filter(|&(_, cost)| cost > 0.0).collect::<Vec<_>>()
    };
    let drawn: Vec<(u32, f64)> = plot.curves.iter().flat_map(positive).collect();
    let depths = depths(&drawn);
    let mut builder = ChartBuilder::on(&upper);
    if let Some(FigureTexts { caption, note }) = plot.frame {
        area.fill(&WHITE)?;
        builder.caption(caption, ("sans-serif", FONT + 4));
        let at = (WIDTH as i32 / 2, legend as i32 - 14);
        lower.draw(&Text::new(note, at, font(HPos::Center)))?;
    }
    let mut chart = builder
        .margin(12)
        .margin_right(28)
        .x_label_area_size(64)
        .y_label_area_size(100)
        .build_cartesian_2d(depths.clone(), decades(&drawn).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .x_desc("depth in plies")
        .x_labels(depths.end.ceil() as usize)
        .x_label_formatter(&|depth| format!("{depth:.0}"))
        .y_label_formatter(&|&cost| (plot.label)(cost))
        .label_style(("sans-serif", FONT))
        .draw()?;
    for (place, curve) in plot.curves.iter().enumerate() {
        let style = colour(place).stroke_width(3);
        let line = |points: &[(u32, f64)]| -> Vec<(f64, f64)> {
            let points = points.iter().filter(|&&(_, cost)| cost > 0.0);
            points
                .map(|&(depth, cost)| (f64::from(depth), cost))
                .collect()
        };
        chart.draw_series(DashedLineSeries::new(line(&curve.published), 3, 6, style))?;
        chart.draw_series(LineSeries::new(line(&curve.points), style))?;
        for at in line(&curve.points) {
            let center = chart.backend_coord(&at);
            upper.draw(&mark(center, place, colour(place), 100))?;
            if curve.hollow.contains(&(at.0 as u32)) {
                upper.draw(&mark(center, place, WHITE, 60))?;
            }
        }
    }
    for (place, curve) in plot.curves.iter().enumerate() {
        let x = 100 + 150 * (place % LEGEND_COLUMNS) as i32;
        let y = 14 + 28 * (place / LEGEND_COLUMNS) as i32;
        lower.draw(&mark((x, y), place, colour(place), 100))?;
        lower.draw(&Text::new(
            curve.name.clone(),
            (x + 16, y),
            font(HPos::Left),
        ))?;
    }
    Ok(())
}

fn colour(place: usize) -> RGBColor {
    COLOURS[place % COLOURS.len()]
}

/// A mark of `percent` of its full size.
fn mark((x, y): (i32, i32), place: usize, colour: RGBColor, percent: i32) -> Polygon<(i32, i32)> {
    let corners = MARKS[place % MARKS.len()].iter();
    let corners = corners.map(|(dx, dy)| (x + dx * percent / 100, y + dy * percent / 100));
    Polygon::new(corners.collect::<Vec<_>>(), colour.filled())
}

/// Microseconds beside a scale.
pub(crate) fn time_label(us: f64) -> String {
    label(us, &[(1e6, "s"), (1e3, "ms"), (1.0, "µs"), (1e-3, "ns")])
}

/// Nodes beside a scale.
pub(crate) fn count_label(nodes: f64) -> String {
    label(nodes, &[(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")])
}

/// A number in the largest unit of which it is one or more, without what rounding left of it.
fn label(value: f64, units: &[(f64, &str)]) -> String {
    let rounded = |size: f64| (1000.0 * value / size).round() / 1000.0;
    let fitting = units.iter().find(|(size, _)| rounded(*size) >= 1.0);
    let Some(&(size, unit)) = fitting.or(units.last()) else {
        return value.to_string();
    };
    format!("{} {unit}", rounded(size)).trim_end().to_owned()
}

/// The depths to be drawn, with room at both ends.
fn depths(points: &[(u32, f64)]) -> Range<f64> {
    let depths = || points.iter().map(|&(depth, _)| f64::from(depth));
    let least = depths().reduce(f64::min).unwrap_or(1.0);
    let most = depths().reduce(f64::max).unwrap_or(1.0);
    least - 0.3..most + 0.3
}

/// The powers of ten around all costs; two at least.
fn decades(points: &[(u32, f64)]) -> Range<f64> {
    let logs = || points.iter().map(|(_, cost)| cost.log10());
    let low = logs().reduce(f64::min).unwrap_or(0.0).floor() as i32;
    let high = logs().reduce(f64::max).unwrap_or(0.0).ceil() as i32;
    10_f64.powi(low)..10_f64.powi(high.max(low + 1))
}

/// Draws the ratings of bots with their intervals, one below the other; `None` without any.
pub(crate) fn ratings(bots: &[&BotStanding]) -> Option<String> {
    let rated = bots.iter().filter_map(|bot| bot.rating);
    let values: Vec<f64> = rated
        .flat_map(|rating| [Some(rating.elo), low(rating), high(rating)])
        .flatten()
        .collect();
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    let margin = ((most - least) * 0.06).max(5.0);
    let range = least - margin..most + margin;
    let height = ROW * bots.len() as u32 + 90;
    Some(svg(height, |area| draw_ratings(area, bots, range)))
}

fn low(rating: Rating) -> Option<f64> {
    rating.interval?.low
}

fn high(rating: Rating) -> Option<f64> {
    rating.interval?.high
}

fn draw_ratings<'a>(area: &Area<'a>, bots: &[&BotStanding], range: Range<f64>) -> Drawn<'a> {
    let rows = -0.5..bots.len() as f64 - 0.5;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .margin_right(28)
        .x_label_area_size(64)
        .y_label_area_size(90)
        .build_cartesian_2d(range.clone(), rows)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.15))
        .x_desc("Elo")
        .x_labels(6)
        .x_label_formatter(&|&elo| {
            if elo == 0.0 {
                "0".to_owned()
            } else {
                format!("{elo:+}")
            }
        })
        .label_style(("sans-serif", FONT))
        .draw()?;
    for (place, bot) in bots.iter().rev().enumerate() {
        let y = place as f64;
        let (left, row) = chart.backend_coord(&(range.start, y));
        area.draw(&Text::new(
            bot.bot.to_string(),
            (left - 10, row),
            font(HPos::Right),
        ))?;
        let Some(rating) = bot.rating else {
            area.draw(&Text::new(
                text::rating(bot),
                (left + 10, row),
                font(HPos::Left),
            ))?;
            continue;
        };
        if bot.bot != BotId::FIRST && rating.interval.is_some() {
            chart.draw_series(whisker(rating, &range, y))?;
        }
        chart.draw_series([Circle::new((rating.elo, y), 8, COLOURS[0].filled())])?;
    }
    Ok(())
}

/// The line of an interval with a bar at each bound. An open side extends to the edge without a bar.
fn whisker(rating: Rating, range: &Range<f64>, y: f64) -> Vec<PathElement<(f64, f64)>> {
    let bar = |x| vec![(x, y - 0.2), (x, y + 0.2)];
    let ends = [
        low(rating).unwrap_or(range.start),
        high(rating).unwrap_or(range.end),
    ];
    let line = ends.map(|x| (x, y)).to_vec();
    let bars = [low(rating), high(rating)].into_iter().flatten().map(bar);
    let lines = [line].into_iter().chain(bars);
    lines
        .map(|line| PathElement::new(line, BLACK.stroke_width(3)))
        .collect()
}

/// How many games of one result are how long.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lengths {
    pub(crate) name: &'static str,
    /// Games by bar: the first has those of less than one step of plies.
    pub(crate) bars: Vec<u64>,
}

const RESULTS: [(GameResult, &str); 4] = [
    (GameResult::WhiteWon, "white won"),
    (GameResult::Draw, "draw"),
    (GameResult::BlackWon, "black won"),
    (GameResult::Interrupted, "void"),
];

/// About how many bars there are.
const BARS: usize = 24;

/// Counts games by result and length. Also returns the plies of a bar: a round number.
pub(crate) fn lengths(games: &[GameRecord]) -> (Vec<Lengths>, usize) {
    let longest = games.iter().map(|game| game.moves.len()).max().unwrap_or(0);
    let rough = (longest + 1).div_ceil(BARS);
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500];
    let step = steps
        .into_iter()
        .find(|&step| step >= rough)
        .unwrap_or(rough);
    let rows = RESULTS.into_iter().filter_map(|(result, name)| {
        let mut bars = vec![0; longest / step + 1];
        for game in games.iter().filter(|game| game.result == result) {
            bars[game.moves.len() / step] += 1;
        }
        (bars.iter().sum::<u64>() > 0).then_some(Lengths { name, bars })
    });
    (rows.collect(), step)
}

/// Draws a row of bars for each result.
pub(crate) fn histogram(rows: &[Lengths], step: usize) -> String {
    let height = 170 * rows.len() as u32 + 64;
    svg(height, |area| draw_histogram(area, rows, step))
}

fn draw_histogram<'a>(area: &Area<'a>, rows: &[Lengths], step: usize) -> Drawn<'a> {
    let most = rows
        .iter()
        .flat_map(|row| &row.bars)
        .copied()
        .max()
        .unwrap_or(1);
    let mut rest = area.clone();
    for (place, row) in rows.iter().enumerate() {
        let axis = if place + 1 == rows.len() { 64 } else { 0 };
        let (upper, lower) = rest.split_vertically(170 + axis);
        rest = lower;
        let games: u64 = row.bars.iter().sum();
        let mut chart = ChartBuilder::on(&upper)
            .caption(format!("{}: {games}", row.name), ("sans-serif", FONT))
            .margin(12)
            .x_label_area_size(axis)
            .y_label_area_size(70)
            .build_cartesian_2d(0..row.bars.len() * step, 0..most)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.15))
            .x_desc("plies")
            .x_labels(7)
            .y_labels(3)
            .label_style(("sans-serif", FONT))
            .draw()?;
        chart.draw_series((0..).zip(&row.bars).filter(|(_, games)| **games > 0).map(
            |(bar, &games)| {
                let corners = [(bar * step, 0), ((bar + 1) * step, games)];
                let mut bar = Rectangle::new(corners, COLOURS[0].filled());
                bar.set_margin(0, 0, 1, 1);
                bar
            },
        ))?;
    }
    Ok(())
}

fn font(horizontal: HPos) -> TextStyle<'static> {
    let position = Pos::new(horizontal, VPos::Center);
    TextStyle::from(("sans-serif", FONT)).pos(position)
}

fn svg(height: u32, draw: impl for<'a> FnOnce(&Area<'a>) -> Drawn<'a>) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
    draw(&area)
        .and_then(|()| area.present())
        .expect("text is always written to memory");
    drop(area);
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{assert_finite, match_record};
    use crate::statistics::RatingInterval;

    fn curve(name: &str, points: &[(u32, f64)]) -> Curve {
        Curve {
            name: name.to_owned(),
            points: points.to_vec(),
            published: Vec::new(),
            hollow: Vec::new(),
        }
    }

    fn drawn(curves: Vec<Curve>) -> String {
        costs(&CostPlot {
            label: time_label,
            curves,
            frame: None,
        })
    }

    #[test]
    fn scales_have_units() {
        let times = [1e-4, 1e-3, 0.1, 1.0, 10.0, 1e3, 1e5, 1e6, 1e7].map(time_label);
        let expected = [
            "0.1 ns", "1 ns", "100 ns", "1 µs", "10 µs", "1 ms", "100 ms", "1 s", "10 s",
        ];
        assert_eq!(times, expected);
        assert_eq!(
            [1.0, 1e4, 1e8, 1e9].map(count_label),
            ["1", "10 k", "100 M", "1 G"]
        );
    }

    #[test]
    fn every_curve_has_its_name_and_its_points() {
        let points = [(1, 3.0), (2, 40.0), (3, 500.0)];
        let svg = drawn(vec![curve("one", &points), curve("other", &points[..2])]);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(
            svg.contains("one") && svg.contains("other") && svg.contains("100 µs"),
            "{svg}"
        );
        // Its points and the legend.
        assert_eq!(svg.matches("<polygon").count(), 4 + 3);
    }

    #[test]
    fn what_has_no_logarithm_is_left_out() {
        let svg = drawn(vec![curve("one", &[(1, 0.0), (2, 3.0)])]);
        assert_finite(&svg);
        assert_eq!(svg.matches("<polygon").count(), 1 + 1);
        for points in [&[][..], &[(1, 0.0)], &[(1, 5.0)]] {
            assert_finite(&drawn(vec![curve("one", points)]));
        }
        assert_finite(&drawn(Vec::new()));
    }

    #[test]
    fn a_bound_has_a_bar_and_a_missing_one_has_none() {
        let lines = |low, high| {
            let interval = Some(RatingInterval { low, high });
            whisker(
                Rating {
                    elo: 50.0,
                    interval,
                },
                &(0.0..100.0),
                1.0,
            )
            .len()
        };
        assert_eq!(lines(Some(10.0), Some(90.0)), 3);
        assert_eq!(lines(Some(10.0), None), 2);
        assert_eq!(lines(None, None), 1);
    }

    #[test]
    fn games_are_counted_by_length_and_result() {
        // Four games of three plies each.
        let (rows, step) = lengths(&match_record().games);
        let bars = |name| Some(&rows.iter().find(|row| row.name == name)?.bars[..]);
        assert_eq!(step, 1);
        assert_eq!(bars("white won"), Some(&[0, 0, 0, 2][..]));
        assert_eq!(bars("black won"), None);
        assert_eq!(lengths(&[]), (Vec::new(), 1));
    }
}
