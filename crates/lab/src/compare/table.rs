//! The costs as Markdown tables.

use std::io::{self, Write};

use super::measure::{Cost, Series};

/// Writes nodes and time of the bots measured by depth, then the time of those measured by
/// simulations, each with a row per effort and a column per bot. A table without bots is left out.
pub(super) fn write(output: &mut impl Write, series: &[Series]) -> io::Result<()> {
    let (by_depth, by_simulations): (Vec<&Series>, Vec<&Series>) =
        series.iter().partition(|series| series.is_by_depth());
    let nodes = |cost: &Cost| grouped(cost.nodes.round() as u64);
    let time = |cost: &Cost| significant(cost.milliseconds);
    write_table(output, "Nodes", "depth", &by_depth, nodes)?;
    write_table(output, "Milliseconds", "depth", &by_depth, time)?;
    write_table(output, "Milliseconds", "simulations", &by_simulations, time)
}

fn write_table(
    output: &mut impl Write,
    title: &str,
    effort: &str,
    series: &[&Series],
    cell: impl Fn(&Cost) -> String,
) -> io::Result<()> {
    let Some(longest) = series.iter().max_by_key(|series| series.costs.len()) else {
        return Ok(());
    };
    let labels: Vec<&str> = series.iter().map(|series| &*series.label).collect();
    writeln!(output, "### {title} by {effort}\n")?;
    writeln!(output, "| {effort} | {} |", labels.join(" | "))?;
    writeln!(output, "|--:|{}", "--:|".repeat(labels.len()))?;
    for (row, cost) in longest.costs.iter().enumerate() {
        let cells = series.iter().map(|series| series.costs.get(row).map(&cell));
        let cells: Vec<String> = cells.map(Option::unwrap_or_default).collect();
        writeln!(
            output,
            "| {} | {} |",
            grouped(cost.effort.amount()),
            cells.join(" | ")
        )?;
    }
    writeln!(output)
}

/// A number with its digits in groups of three.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with three significant digits, down to a thousandth.
fn significant(number: f64) -> String {
    match number {
        ..1.0 => format!("{number:.3}"),
        ..10.0 => format!("{number:.2}"),
        ..100.0 => format!("{number:.1}"),
        _ => grouped(number.round() as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::super::measure::MeasuredEffort;
    use super::*;

    fn series(label: &str, efforts: &[MeasuredEffort]) -> Series {
        let cost = |&effort| Cost {
            effort,
            nodes: 1234.4,
            milliseconds: 0.5,
        };
        Series {
            label: label.to_owned(),
            costs: efforts.iter().map(cost).collect(),
        }
    }

    #[test]
    fn bots_stand_side_by_side_and_shorter_series_end_in_blanks() {
        let deep = series(
            "deep",
            &[MeasuredEffort::Depth(1), MeasuredEffort::Depth(2)],
        );
        let short = series("short", &[MeasuredEffort::Depth(1)]);
        let mut output = Vec::new();
        write(&mut output, &[short, deep]).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "### Nodes by depth\n\n| depth | short | deep |\n|--:|--:|--:|\n\
             | 1 | 1,234 | 1,234 |\n| 2 |  | 1,234 |\n\n\
             ### Milliseconds by depth\n\n| depth | short | deep |\n|--:|--:|--:|\n\
             | 1 | 0.500 | 0.500 |\n| 2 |  | 0.500 |\n\n"
        );
    }

    #[test]
    fn simulations_have_a_table_of_their_own() {
        let mut output = Vec::new();
        write(
            &mut output,
            &[series("mcts", &[MeasuredEffort::Simulations(1000)])],
        )
        .unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "### Milliseconds by simulations\n\n| simulations | mcts |\n|--:|--:|\n\
             | 1,000 | 0.500 |\n\n"
        );
    }

    #[test]
    fn numbers_are_easy_to_read() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
        for (number, text) in [
            (0.0004, "0.000"),
            (0.123_45, "0.123"),
            (1.234, "1.23"),
            (12.34, "12.3"),
            (1234.5, "1,235"),
        ] {
            assert_eq!(significant(number), text);
        }
    }
}
