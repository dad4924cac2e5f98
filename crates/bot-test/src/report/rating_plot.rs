//! Ratings with their intervals: a whisker for each bot.

use maud::{Markup, html};

use super::scale::{Scale, WIDTH, px, round_step};
use crate::standings::BotStanding;
use crate::statistics::Rating;
use crate::text::units;
use crate::{BotId, TournamentRecord, text};

const LEFT: f64 = 48.0;
const RIGHT: f64 = WIDTH - 14.0;
const TOP: f64 = 8.0;
const ROW: f64 = 22.0;

/// Draws the ratings of all bots, the best first.
pub(super) fn draw(record: &TournamentRecord) -> Markup {
    let order = best_first(record);
    let bottom = TOP + ROW * order.len() as f64;
    let Some(scale) = scale(&order) else {
        return html! { p { "No bot has a rating." } };
    };
    html! {
        figure {
            svg viewBox={ "0 0 " (WIDTH) " " (bottom + 36.0) } role="img" aria-labelledby="elo-title elo-desc" {
                title #elo-title { "Elo of each bot with its 95 % interval" }
                desc #elo-desc { (description(&order)) }
                (axis(&scale, bottom))
                @for (row, bot) in order.iter().enumerate() {
                    (whisker(bot, &scale, TOP + ROW * (row as f64 + 0.5)))
                }
            }
            figcaption.soft {
                "Elo above bot 1, from distinct results; the lines are 95 % intervals, and an arrow "
                "means that there is no bound on that side."
            }
        }
    }
}

fn best_first(record: &TournamentRecord) -> Vec<&BotStanding> {
    let mut order: Vec<&BotStanding> = record.standings.bots.iter().collect();
    let elo = |bot: &BotStanding| bot.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
    order.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    order
}

fn description(order: &[&BotStanding]) -> String {
    let bots = order
        .iter()
        .map(|bot| format!("{}: {}", bot.bot, text::rating(bot)));
    bots.collect::<Vec<_>>().join("; ")
}

fn scale(order: &[&BotStanding]) -> Option<Scale> {
    let values: Vec<f64> = (order.iter().filter_map(|bot| bot.rating))
        .flat_map(|rating| [Some(rating.elo), low(rating), high(rating)])
        .flatten()
        .collect();
    let least = values.iter().copied().reduce(f64::min)?;
    let most = values.iter().copied().reduce(f64::max)?;
    let margin = ((most - least) * 0.06).max(5.0);
    Some(Scale::new([least - margin, most + margin], [LEFT, RIGHT]))
}

fn low(rating: Rating) -> Option<f64> {
    rating.interval?.low
}

fn high(rating: Rating) -> Option<f64> {
    rating.interval?.high
}

fn axis(scale: &Scale, bottom: f64) -> Markup {
    let [least, most] = scale.ends();
    let step = round_step(most - least, 5.0);
    let ticks = (least / step).ceil() as i64..=(most / step).floor() as i64;
    let ticks: Vec<f64> = ticks.map(|tick| tick as f64 * step).collect();
    html! {
        @for &tick in &ticks {
            @let x = px(scale.at(tick));
            @let class = if tick == 0.0 { "zero" } else { "axis" };
            path class=(class) d={ "M" (x) "," (TOP) "V" (bottom) } {}
            text x=(x) y=(bottom + 14.0) text-anchor="middle" { (tick_text(tick)) }
        }
        text.soft x=(px(f64::midpoint(LEFT, RIGHT))) y=(bottom + 30.0) text-anchor="middle" { "Elo" }
    }
}

fn tick_text(elo: f64) -> String {
    if elo == 0.0 {
        return "0".to_owned();
    }
    format!("{elo:+}")
}

fn whisker(bot: &BotStanding, scale: &Scale, y: f64) -> Markup {
    html! {
        text x=(LEFT - 6.0) y=(y + 4.0) text-anchor="end" { (bot.bot) }
        @match bot.rating {
            Some(rating) => {
                @if bot.bot != BotId::FIRST && rating.interval.is_some() {
                    path.whisker d=(line(rating, scale, y)) {}
                }
                circle.point cx=(px(scale.at(rating.elo))) cy=(y) r="4" {
                    title { (bot.bot) ": " (units::rating(bot.rating, bot.unrated)) }
                }
            }
            None => text.soft.halo x=(LEFT + 4.0) y=(y + 4.0) { (text::rating(bot)) },
        }
    }
}

/// The line of the interval, with a bar at each bound and an arrow where there is none.
fn line(rating: Rating, scale: &Scale, y: f64) -> String {
    let end = |bound: Option<f64>, edge: f64, inwards: f64| match bound {
        Some(bound) => {
            let x = scale.at(bound);
            (x, format!("M{x:.1},{:.1}v8", y - 4.0))
        }
        None => (
            edge,
            format!(
                "M{:.1},{:.1}L{edge:.1},{y:.1}l{inwards},4",
                edge + inwards,
                y - 4.0
            ),
        ),
    };
    let (left, low) = end(low(rating), LEFT, 5.0);
    let (right, high) = end(high(rating), RIGHT, -5.0);
    format!("M{left:.1},{y:.1}H{right:.1}{low}{high}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::RatingInterval;

    #[test]
    fn a_missing_bound_is_an_arrow_at_the_edge() {
        let scale = Scale::new([0.0, 100.0], [LEFT, RIGHT]);
        let line = |low, high| {
            let interval = Some(RatingInterval { low, high });
            line(
                Rating {
                    elo: 50.0,
                    interval,
                },
                &scale,
                10.0,
            )
        };
        assert_eq!(
            line(Some(0.0), Some(100.0)),
            "M48.0,10.0H346.0M48.0,6.0v8M346.0,6.0v8"
        );
        assert_eq!(
            line(Some(0.0), None),
            "M48.0,10.0H346.0M48.0,6.0v8M341.0,6.0L346.0,10.0l-5,4"
        );
    }

    #[test]
    fn nothing_is_neither_more_nor_less() {
        assert_eq!([-20.0, 0.0, 5.0].map(tick_text), ["-20", "0", "+5"]);
    }
}
