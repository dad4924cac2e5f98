//! Time and nodes per move against the depth searched, on a logarithmic scale.

use maud::{Markup, html};

use super::scale::{Scale, WIDTH, px, round_step};
use crate::text::units;
use crate::{BotId, BotTimes, TournamentRecord};

const LEFT: f64 = 54.0;
const RIGHT: f64 = WIDTH - 10.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 220.0;
const HEIGHT: f64 = 256.0;

/// Colours that people with any kind of colour vision tell apart; marks differ as well.
const COLOURS: [&str; 5] = ["s0", "s1", "s2", "s3", "s4"];

/// Marks, around the origin. Their number and that of the colours have no common factor, so that
/// twenty bots differ.
const MARKS: [&str; 4] = [
    "M-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0",
    "M-3.2,-3.2h6.4v6.4h-6.4z",
    "M0,-4.4l4.4,7.4h-8.8z",
    "M0,-4.6l4.6,4.6l-4.6,4.6l-4.6,-4.6z",
];

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cost {
    Time,
    Nodes,
}

impl Cost {
    fn title(self) -> &'static str {
        match self {
            Cost::Time => "Mean time per move against depth",
            Cost::Nodes => "Mean nodes per move against depth",
        }
    }

    fn id(self) -> &'static str {
        match self {
            Cost::Time => "time",
            Cost::Nodes => "nodes",
        }
    }

    fn text(self, value: f64) -> String {
        match self {
            Cost::Time => units::micros(Some(value)),
            Cost::Nodes => units::short(Some(value)),
        }
    }

    /// A power of ten beside the scale.
    fn tick(self, power: i32) -> String {
        let (thousands, unit) = (power.div_euclid(3), power.rem_euclid(3));
        let number = 10_u32.pow(unit.unsigned_abs());
        match (self, thousands) {
            (Cost::Time, -1) => format!("{number} ns"),
            (Cost::Time, 0) => format!("{number} µs"),
            (Cost::Time, 1) => format!("{number} ms"),
            (Cost::Time, 2) => format!("{number} s"),
            (Cost::Nodes, 0) => number.to_string(),
            (Cost::Nodes, 1) => format!("{number} k"),
            (Cost::Nodes, 2) => format!("{number} M"),
            (Cost::Nodes, 3) => format!("{number} G"),
            (Cost::Time | Cost::Nodes, _) => format!("10^{power}"),
        }
    }
}

/// The costs of one bot by depth. Depth 0 is no search; and nothing, which a coarse clock may say,
/// has no logarithm. Both are left out.
struct Curve {
    bot: BotId,
    points: Vec<(u32, f64)>,
}

/// Draws the costs of all bots that told their depths.
pub(super) fn draw(record: &TournamentRecord, cost: Cost) -> Markup {
    let curves: Vec<Curve> = record
        .times
        .iter()
        .filter_map(|times| curve(times, cost))
        .collect();
    let (title, id) = (cost.title(), cost.id());
    html! {
        figure {
            h3 { (title) }
            @match Axes::of(&curves) {
                None => p.soft { "No bot told its depths and times." },
                Some(axes) => {
                    svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-labelledby={ (id) "-title " (id) "-desc" } {
                        title id={ (id) "-title" } { (title) }
                        desc id={ (id) "-desc" } { (description(&curves, cost)) }
                        (axes.draw(cost))
                        @for curve in &curves { (axes.curve(curve, cost)) }
                    }
                    (legend(record, &curves))
                }
            }
        }
    }
}

fn curve(times: &BotTimes, cost: Cost) -> Option<Curve> {
    let points: Vec<(u32, f64)> = (times.by_depth.iter().filter(|at| at.depth > 0))
        .map(|at| match cost {
            Cost::Time => (at.depth, at.mean_time_us),
            Cost::Nodes => (at.depth, at.mean_nodes),
        })
        .filter(|&(_, value)| value > 0.0)
        .collect();
    (!points.is_empty()).then_some(Curve {
        bot: times.bot,
        points,
    })
}

fn description(curves: &[Curve], cost: Cost) -> String {
    let curve = |curve: &Curve| {
        let points = curve.points.iter();
        let points = points.map(|&(depth, value)| format!("depth {depth} {}", cost.text(value)));
        format!("{}: {}", curve.bot, points.collect::<Vec<_>>().join(", "))
    };
    curves.iter().map(curve).collect::<Vec<_>>().join("; ")
}

/// The scales: depth from left to right, powers of ten upwards.
struct Axes {
    depths: [u32; 2],
    powers: [i32; 2],
    x: Scale,
    y: Scale,
}

impl Axes {
    fn of(curves: &[Curve]) -> Option<Axes> {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let logs = || points().map(|(_, value)| value.log10());
        let depths = [
            points().map(|at| at.0).min()?,
            points().map(|at| at.0).max()?,
        ];
        let low = logs().reduce(f64::min)?.floor() as i32;
        let high = (logs().reduce(f64::max)?.ceil() as i32).max(low + 1);
        Some(Axes {
            x: Scale::new(depths.map(f64::from), [LEFT + 12.0, RIGHT - 12.0]),
            y: Scale::new([f64::from(low), f64::from(high)], [BOTTOM, TOP]),
            depths,
            powers: [low, high],
        })
    }

    fn draw(&self, cost: Cost) -> Markup {
        let [low, high] = self.powers;
        let [shallow, deep] = self.depths;
        let step = round_step(f64::from(deep - shallow), 10.0).max(1.0) as usize;
        html! {
            @for power in low..=high {
                @let y = self.y.at(f64::from(power));
                path.axis d={ "M" (LEFT) "," (px(y)) "H" (RIGHT) } {}
                text x=(LEFT - 6.0) y=(px(y + 4.0)) text-anchor="end" { (cost.tick(power)) }
            }
            @for depth in (shallow..=deep).step_by(step) {
                text x=(px(self.x.at(f64::from(depth)))) y=(BOTTOM + 16.0) text-anchor="middle" { (depth) }
            }
            text.soft x=(px(f64::midpoint(LEFT, RIGHT))) y=(BOTTOM + 32.0) text-anchor="middle" { "depth in plies" }
        }
    }

    fn curve(&self, curve: &Curve, cost: Cost) -> Markup {
        let place =
            |&(depth, value): &(u32, f64)| (self.x.at(f64::from(depth)), self.y.at(value.log10()));
        let line: Vec<String> = (curve.points.iter().map(place))
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        html! {
            polyline class={ "curve " (colour(curve.bot)) } points=(line.join(" ")) {}
            @for point in &curve.points {
                @let (x, y) = place(point);
                path class={ "mark " (colour(curve.bot)) } d=(mark(curve.bot)) transform=(format!("translate({x:.1},{y:.1})")) {
                    title { (curve.bot) ", depth " (point.0) ": " (cost.text(point.1)) }
                }
            }
        }
    }
}

fn legend(record: &TournamentRecord, curves: &[Curve]) -> Markup {
    html! {
        ul.legend {
            @for curve in curves {
                li {
                    svg viewBox="-16 -6 32 12" aria-hidden="true" {
                        path class={ "curve " (colour(curve.bot)) } d="M-15,0H15" {}
                        path class={ "mark " (colour(curve.bot)) } d=(mark(curve.bot)) {}
                    }
                    span { (curve.bot) " " code { (record.bot(curve.bot).label) } }
                }
            }
        }
    }
}

fn colour(bot: BotId) -> &'static str {
    COLOURS[bot.0 % COLOURS.len()]
}

fn mark(bot: BotId) -> &'static str {
    MARKS[bot.0 % MARKS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_have_their_units() {
        let times = [-1, 0, 4, 8, 12].map(|power| Cost::Time.tick(power));
        assert_eq!(times, ["100 ns", "1 µs", "10 ms", "100 s", "10^12"]);
        let nodes = [0, 4, 8, 9].map(|power| Cost::Nodes.tick(power));
        assert_eq!(nodes, ["1", "10 k", "100 M", "1 G"]);
    }

    #[test]
    fn what_has_no_logarithm_is_left_out() {
        let cost = |depth, mean_time_us| crate::DepthCost {
            depth,
            moves: 1,
            mean_time_us,
            mean_nodes: 1.0,
        };
        let mut times = BotTimes::of(&[0], []).remove(0);
        times.by_depth = vec![cost(0, 1.0), cost(1, 0.0), cost(2, 3.0)];
        assert_eq!(curve(&times, Cost::Time).unwrap().points, [(2, 3.0)]);
        times.by_depth.truncate(2);
        assert!(curve(&times, Cost::Time).is_none());
    }
}
