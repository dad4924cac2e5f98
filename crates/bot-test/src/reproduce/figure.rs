//! The study's figures as SVG: one file each, without anything from outside.

use std::fmt::{self, Write};

use super::Reproduction;
use super::pooled::{Curve, Measure, curves};

/// Draws figure 3, the mean time per move against depth, or figure 4, the longest.
pub(super) fn draw(number: u8, record: &Reproduction) -> String {
    let (measure, title) = match number {
        3 => (Measure::Mean, "Figure 3: mean time per move"),
        _ => (Measure::Max, "Figure 4: longest time for a move"),
    };
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = Plot::new(title, curves(record, measure)).write(&mut svg);
    svg
}

/// The size of the drawing: letters of size 11 are readable where it is as wide as a phone.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 380.0;
/// Where the curves are.
const LEFT: f64 = 52.0;
const RIGHT: f64 = WIDTH - 12.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 290.0;

/// Colours that people with any kind of colour vision tell apart.
///
/// CITE: M. Okabe, K. Ito, "Color Universal Design", 2008.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#aa4499"];

/// Marks, around the origin.
const MARKS: [&str; 4] = [
    "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0",
    "M-3,-3h6v6h-6z",
    "M0,-4l4,7h-8z",
    "M0,-4l4,4l-4,4l-4,-4z",
];

/// Curves on a logarithmic scale of milliseconds.
struct Plot {
    title: &'static str,
    curves: Vec<Curve>,
    deepest: u32,
    /// The powers of ten at the lower and the upper edge.
    powers: [i32; 2],
}

impl Plot {
    fn new(title: &'static str, mut curves: Vec<Curve>) -> Plot {
        // Zero, which a coarse clock may say, has no logarithm.
        for curve in &mut curves {
            curve.study.retain(|&(_, ms)| ms > 0.0);
            curve.here.retain(|&(_, ms)| ms > 0.0);
        }
        let points = || {
            curves
                .iter()
                .flat_map(|curve| curve.study.iter().chain(&curve.here))
        };
        let logs = || points().map(|&(_, ms)| ms.log10());
        let low = logs().reduce(f64::min).unwrap_or(-3.0).floor() as i32;
        let high = logs().reduce(f64::max).unwrap_or(3.0).ceil() as i32;
        Plot {
            deepest: points().map(|&(depth, _)| depth).max().unwrap_or(1).max(2),
            powers: [low, high.max(low + 1)],
            title,
            curves,
        }
    }

    fn write(&self, svg: &mut String) -> fmt::Result {
        let title = self.title;
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{}\" height=\"{}\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\">",
            2.0 * WIDTH,
            2.0 * HEIGHT
        )?;
        writeln!(svg, "<title>{title} against depth, by algorithm</title>")?;
        writeln!(
            svg,
            "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>"
        )?;
        writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"20\" font-size=\"13\" font-weight=\"bold\">{title}</text>"
        )?;
        self.write_times(svg)?;
        self.write_depths(svg)?;
        for (place, curve) in self.curves.iter().enumerate() {
            self.write_curve(svg, place, curve)?;
        }
        self.write_legend(svg)?;
        writeln!(svg, "</svg>")
    }

    fn write_times(&self, svg: &mut String) -> fmt::Result {
        let [low, high] = self.powers;
        for power in low..=high {
            let y = self.y(10_f64.powi(power));
            writeln!(
                svg,
                "<path d=\"M{LEFT},{y:.1}H{RIGHT}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 5.0,
                y + 4.0,
                power_of_ten(power)
            )?;
        }
        Ok(())
    }

    fn write_depths(&self, svg: &mut String) -> fmt::Result {
        for depth in 1..=self.deepest {
            let (x, y) = (self.x(depth), BOTTOM + 16.0);
            writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{depth}</text>"
            )?;
        }
        let (x, y) = (f64::midpoint(LEFT, RIGHT), BOTTOM + 32.0);
        writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">depth in plies</text>"
        )
    }

    fn write_curve(&self, svg: &mut String, place: usize, curve: &Curve) -> fmt::Result {
        let (colour, mark) = (COLOURS[place % COLOURS.len()], MARKS[place % MARKS.len()]);
        let line = |points: &[(u32, f64)]| {
            let place = |&(depth, ms)| format!("{:.1},{:.1}", self.x(depth), self.y(ms));
            points.iter().map(place).collect::<Vec<_>>().join(" ")
        };
        for (points, dashes) in [(&curve.study, "2 3"), (&curve.here, "none")] {
            writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" \
                 stroke-dasharray=\"{dashes}\"/>",
                line(points)
            )?;
        }
        for &(depth, ms) in &curve.here {
            let fill = if curve.drawn.contains(&depth) {
                "#fff"
            } else {
                colour
            };
            write_mark(svg, mark, [fill, colour], self.x(depth), self.y(ms))?;
        }
        Ok(())
    }

    fn write_legend(&self, svg: &mut String) -> fmt::Result {
        for (place, curve) in self.curves.iter().enumerate() {
            let x = LEFT + 150.0 * (place % 2) as f64;
            let y = BOTTOM + 48.0 + 16.0 * (place / 2) as f64;
            let colour = COLOURS[place % COLOURS.len()];
            write_mark(svg, MARKS[place % MARKS.len()], [colour; 2], x, y)?;
            writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 9.0,
                y + 4.0,
                curve.bot
            )?;
        }
        let (x, y) = (WIDTH / 2.0, HEIGHT - 8.0);
        writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">\
             solid: here, dotted: the study, hollow: with a drawn game</text>"
        )
    }

    fn x(&self, depth: u32) -> f64 {
        let share = f64::from(depth - 1) / f64::from(self.deepest - 1);
        LEFT + 10.0 + share * (RIGHT - LEFT - 20.0)
    }

    fn y(&self, ms: f64) -> f64 {
        let [low, high] = self.powers.map(f64::from);
        BOTTOM - (ms.log10() - low) / (high - low) * (BOTTOM - TOP)
    }
}

fn write_mark(
    svg: &mut String,
    mark: &str,
    [fill, stroke]: [&str; 2],
    x: f64,
    y: f64,
) -> fmt::Result {
    writeln!(
        svg,
        "<path transform=\"translate({x:.1} {y:.1})\" d=\"{mark}\" fill=\"{fill}\" \
         stroke=\"{stroke}\"/>"
    )
}

/// Milliseconds, a power of ten of them, in the unit that suits them.
fn power_of_ten(power: i32) -> String {
    let units = [(3, "s"), (0, "ms"), (-3, "µs"), (-6, "ns")];
    let (unit_power, unit) = (units.into_iter())
        .find(|(unit_power, _)| power >= *unit_power)
        .unwrap_or((-6, "ns"));
    format!("{} {unit}", 10_f64.powi(power - unit_power))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::record;
    use crate::statistics::GameScore;

    /// Whether tags are opened and closed in turn and nothing is outside of them.
    fn is_well_formed(svg: &str) -> bool {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let Some((tag, text)) = tag.split_once('>') else {
                return false;
            };
            let name = tag
                .trim_matches('/')
                .split_whitespace()
                .next()
                .unwrap_or_default();
            if tag.starts_with('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            let is_quoted = tag.matches('"').count() % 2 == 0;
            if !is_quoted || text.contains(['&', '"']) {
                return false;
            }
        }
        open.is_empty() && svg.starts_with("<svg ")
    }

    #[test]
    fn figures_are_well_formed_and_stand_alone() {
        let mut empty = record();
        empty.tables.clear();
        for record in [record(), empty] {
            for number in [3, 4] {
                let svg = draw(number, &record);
                assert!(is_well_formed(&svg), "{svg}");
                assert!(svg.contains(&format!("Figure {number}")));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert_eq!(svg.matches("http").count(), 1, "the name space alone");
            }
        }
    }

    #[test]
    fn a_point_that_took_no_time_is_left_out() {
        let mut record = record();
        let single = record.tables[0].rows[0].single.as_mut().unwrap();
        single.white.mean_ms = 0.0;
        let svg = draw(3, &record);
        assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn every_curve_has_its_name_and_its_points() {
        let svg = draw(3, &record());
        assert!(svg.contains(">minimax</text>"), "{svg}");
        // A point that was played, and the legend.
        assert_eq!(svg.matches(MARKS[0]).count(), 2);
    }

    #[test]
    fn a_drawn_game_is_seen() {
        let mut record = record();
        assert!(!draw(3, &record).contains("fill=\"#fff\" stroke"));
        let single = record.tables[0].rows[0].single.as_mut().unwrap();
        single.result = GameScore::Draw;
        assert!(draw(3, &record).contains("fill=\"#fff\" stroke"));
    }

    #[test]
    fn powers_of_ten_have_a_unit() {
        let shown = [-7, -6, -4, -3, 0, 2, 3, 4].map(power_of_ten);
        let expected = [
            "0.1 ns", "1 ns", "100 ns", "1 µs", "1 ms", "100 ms", "1 s", "10 s",
        ];
        assert_eq!(shown, expected);
    }
}
