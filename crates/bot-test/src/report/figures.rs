//! The figures of the page, each with a description in words.

use maud::{Markup, PreEscaped, html};

use crate::plot::{self, CostPlot, Curve};
use crate::standings::BotStanding;
use crate::text::units;
use crate::{DepthCost, TournamentRecord, text};

/// A figure with a description of its contents for screen readers.
fn figure(id: &str, title: &str, svg: &str, description: &str, caption: &str) -> Markup {
    // Within a page, SVG needs no name space.
    let svg = svg.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    html! {
        figure {
            h3 id={ (id) "-title" } { (title) }
            div role="img" aria-labelledby={ (id) "-title" } aria-describedby={ (id) "-desc" } {
                (PreEscaped(svg))
            }
            p hidden id={ (id) "-desc" } { (description) }
            @if !caption.is_empty() { figcaption.soft { (caption) } }
        }
    }
}

/// Mean time per move against depth.
pub(super) fn time(record: &TournamentRecord) -> Markup {
    let title = "Mean time per move against depth";
    let texts = [plot::time_label, |us| units::micros(Some(us))];
    costs(record, "time", title, |cost| cost.mean_time_us, texts)
}

/// Mean nodes per move against depth.
pub(super) fn nodes(record: &TournamentRecord) -> Markup {
    let title = "Mean nodes per move against depth";
    let texts = [plot::count_label, |nodes| units::short(Some(nodes))];
    costs(record, "nodes", title, |cost| cost.mean_nodes, texts)
}

/// `label` writes a cost beside the scale, `text` in the description.
fn costs(
    record: &TournamentRecord,
    id: &str,
    title: &str,
    cost: fn(&DepthCost) -> f64,
    [label, text]: [fn(f64) -> String; 2],
) -> Markup {
    // Depth 0 is no search.
    let points = |costs: &[DepthCost]| {
        let costs = costs.iter().filter(|at| at.depth > 0);
        let costs = costs.map(|at| (at.depth, cost(at)));
        costs.filter(|&(_, cost)| cost > 0.0).collect::<Vec<_>>()
    };
    let curves = record.times.iter().map(|times| Curve {
        name: times.bot.to_string(),
        points: points(&times.by_depth),
        published: Vec::new(),
        hollow: Vec::new(),
    });
    let curves: Vec<Curve> = curves.filter(|curve| !curve.points.is_empty()).collect();
    if curves.is_empty() {
        return html! { figure { h3 { (title) } p.soft { "No bot reported its depths and times." } } };
    }
    let describe = |curve: &Curve| {
        let points = curve.points.iter();
        let points = points.map(|&(depth, cost)| format!("depth {depth} {}", text(cost)));
        format!("{}: {}", curve.name, points.collect::<Vec<_>>().join(", "))
    };
    let description = curves.iter().map(describe).collect::<Vec<_>>().join("; ");
    let svg = plot::costs(&CostPlot {
        label,
        curves,
        frame: None,
    });
    figure(id, title, &svg, &description, "")
}

/// The ratings of all bots, the best first.
pub(super) fn ratings(record: &TournamentRecord) -> Markup {
    let mut bots: Vec<&BotStanding> = record.standings.bots.iter().collect();
    let elo = |bot: &BotStanding| bot.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
    bots.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    let Some(svg) = plot::ratings(&bots) else {
        return html! { p { "No bot has a rating." } };
    };
    let described = bots
        .iter()
        .map(|bot| format!("{}: {}", bot.bot, text::rating(bot)));
    let description = described.collect::<Vec<_>>().join("; ");
    let caption = "Elo above bot 1, from distinct results. The lines are 95 % intervals; a line \
                   without a bar at its end has no bound on that side.";
    figure(
        "elo",
        "Elo of each bot with its 95 % interval",
        &svg,
        &description,
        caption,
    )
}

/// The lengths of all games.
pub(super) fn lengths(record: &TournamentRecord) -> Markup {
    let (rows, step) = plot::lengths(&record.games);
    if rows.is_empty() {
        return html! { p.soft { "No games." } };
    }
    let describe = |row: &plot::Lengths| {
        let bars = (0..).zip(&row.bars).filter(|(_, games)| **games > 0);
        let bars = bars.map(|(bar, games)| format!("{games} from {} plies", bar * step));
        format!("{}: {}", row.name, bars.collect::<Vec<_>>().join(", "))
    };
    let description = rows.iter().map(describe).collect::<Vec<_>>().join("; ");
    let plies = if step == 1 {
        "1 ply".to_owned()
    } else {
        format!("{step} plies")
    };
    let caption = format!("All rows have the same scale; a bar is {plies} wide.");
    let svg = plot::histogram(&rows, step);
    figure(
        "length",
        "Length of games in plies, by result",
        &svg,
        &description,
        &caption,
    )
}
