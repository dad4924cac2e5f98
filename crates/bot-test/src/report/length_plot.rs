//! How long games were, in a row of bars for each result.

use checkers_lib::protocol::GameResult;
use maud::{Markup, html};

use super::scale::{Scale, WIDTH, px, round_step};
use crate::TournamentRecord;

const LEFT: f64 = 34.0;
const RIGHT: f64 = WIDTH - 10.0;
/// The height of a row, its name above the bars included.
const ROW: f64 = 84.0;
/// What of it the bars have.
const BARS: f64 = 58.0;
/// About how many bars there are.
const COUNT: f64 = 24.0;

const RESULTS: [(GameResult, &str); 4] = [
    (GameResult::WhiteWon, "white won"),
    (GameResult::Draw, "draw"),
    (GameResult::BlackWon, "black won"),
    (GameResult::Interrupted, "void"),
];

/// The games of one result by length.
struct Row {
    name: &'static str,
    /// How many games each bar stands for.
    counts: Vec<usize>,
}

/// Draws the lengths of all games.
pub(super) fn draw(record: &TournamentRecord) -> Markup {
    let longest = record
        .games
        .iter()
        .map(|game| game.moves.len())
        .max()
        .unwrap_or(0);
    let step = (round_step(longest as f64 + 1.0, COUNT) as usize).max(1);
    let bars = longest / step + 1;
    let rows: Vec<Row> = (RESULTS.into_iter())
        .filter_map(|(result, name)| row(record, result, name, step, bars))
        .collect();
    if rows.is_empty() {
        return html! { p.soft { "No games." } };
    }
    let most = rows
        .iter()
        .flat_map(|row| &row.counts)
        .copied()
        .max()
        .unwrap_or(1);
    let bottom = ROW * rows.len() as f64;
    let x = Scale::new([0.0, (bars * step) as f64], [LEFT, RIGHT]);
    html! {
        figure {
            svg viewBox={ "0 0 " (WIDTH) " " (bottom + 34.0) } role="img" aria-labelledby="length-title length-desc" {
                title #length-title { "Length of games in plies, by result" }
                desc #length-desc { (description(&rows, step)) }
                @for (place, row) in rows.iter().enumerate() {
                    (bars_of(row, ROW * (place as f64 + 1.0), most, &x, step))
                }
                (axis(&x, bottom))
            }
            figcaption.soft { "All rows have the same scale; a bar is " (plies(step)) " wide." }
        }
    }
}

fn plies(number: usize) -> String {
    match number {
        1 => "1 ply".to_owned(),
        _ => format!("{number} plies"),
    }
}

fn row(
    record: &TournamentRecord,
    result: GameResult,
    name: &'static str,
    step: usize,
    bars: usize,
) -> Option<Row> {
    let mut counts = vec![0; bars];
    for game in record.games.iter().filter(|game| game.result == result) {
        if let Some(count) = counts.get_mut(game.moves.len() / step) {
            *count += 1;
        }
    }
    let games: usize = counts.iter().sum();
    (games > 0).then_some(Row { name, counts })
}

fn description(rows: &[Row], step: usize) -> String {
    let row = |row: &Row| {
        let bars = row
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        let bars = bars.map(|(bar, count)| format!("{count} from {} plies", bar * step));
        format!("{}: {}", row.name, bars.collect::<Vec<_>>().join(", "))
    };
    rows.iter().map(row).collect::<Vec<_>>().join("; ")
}

fn bars_of(row: &Row, bottom: f64, most: usize, x: &Scale, step: usize) -> Markup {
    let y = Scale::new([0.0, most as f64], [bottom, bottom - BARS]);
    let games: usize = row.counts.iter().sum();
    html! {
        text x=(LEFT) y=(bottom - BARS - 8.0) { (row.name) ": " (games) }
        text.soft x=(LEFT - 5.0) y=(px(bottom - BARS + 4.0)) text-anchor="end" { (most) }
        path.axis d={ "M" (LEFT) "," (px(bottom - BARS)) "H" (RIGHT) } {}
        @for (bar, &count) in row.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            @let left = x.at((bar * step) as f64);
            @let right = x.at(((bar + 1) * step) as f64);
            @let top = y.at(count as f64);
            rect.bar x=(px(left + 0.5)) y=(px(top)) width=(px((right - left - 1.0).max(0.5))) height=(px(bottom - top)) {
                title { (row.name) ", " (bar * step) " to " (bar * step + step - 1) " plies: " (count) }
            }
        }
        path.axis d={ "M" (LEFT) "," (px(bottom)) "H" (RIGHT) } {}
    }
}

fn axis(x: &Scale, bottom: f64) -> Markup {
    let [_, most] = x.ends();
    let step = (round_step(most, 6.0) as usize).max(1);
    html! {
        @for plies in (0..=most as usize).step_by(step) {
            text x=(px(x.at(plies as f64))) y=(bottom + 14.0) text-anchor="middle" { (plies) }
        }
        text.soft x=(px(f64::midpoint(LEFT, RIGHT))) y=(bottom + 29.0) text-anchor="middle" { "plies" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::match_record;

    #[test]
    fn games_are_counted_by_length_and_result() {
        // Four games of three plies each.
        let record = match_record();
        let row = |result, step, bars| row(&record, result, "", step, bars).map(|row| row.counts);
        assert_eq!(row(GameResult::WhiteWon, 1, 4), Some(vec![0, 0, 0, 2]));
        assert_eq!(row(GameResult::WhiteWon, 2, 2), Some(vec![0, 2]));
        assert_eq!(row(GameResult::BlackWon, 2, 2), None);
    }
}
