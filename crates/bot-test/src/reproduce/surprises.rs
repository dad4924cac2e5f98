//! What a single game says, and what it does not.

use std::fmt::{self, Write};

use super::{HonestResult, Reproduction, RowRecord, TableRecord};
use crate::statistics::{GameScore, Wdl};

/// A row together with its table's number.
type Row<'a> = (u8, &'a RowRecord);

/// Tells which single games differ from the published ones, and from what many games say.
pub(super) fn write(text: &mut String, record: &Reproduction) -> fmt::Result {
    let rows: Vec<Row<'_>> = record.tables.iter().flat_map(rows).collect();
    let single = |row: &RowRecord| Some(row.single.as_ref()?.result);
    let played = count(&rows, |row| row.single.is_some());
    if played == 0 {
        return Ok(());
    }
    writeln!(text, "\n## What a single game says\n")?;
    let differs = |row: &RowRecord| single(row).is_some_and(|here| here != row.published.result);
    writeln!(
        text,
        "Of {played} single games, {} ended otherwise than the published ones{}.",
        count(&rows, differs),
        places(&rows, differs)
    )?;
    let honest = count(&rows, |row| row.honest.is_some());
    if honest == 0 {
        return Ok(());
    }
    let hangs_on_noise = |row: &RowRecord| row.honest.as_ref().is_some_and(differs_by_seed);
    let wrong = |row: &RowRecord, result: Option<GameScore>| {
        (row.honest.as_ref().zip(result))
            .is_some_and(|(honest, result)| contradicts(honest, result))
    };
    let published_wrong = |row: &RowRecord| wrong(row, Some(row.published.result));
    let ours_wrong = |row: &RowRecord| wrong(row, single(row));
    writeln!(
        text,
        "\nThat is to be expected. All bots add a random byte to every evaluation, and of equally good \
         moves they take the first one generated: another seed or another order of the moves is \
         another game. The very same game with other seeds has more than one result in {} of \
         {honest} rows. Over pairs from many openings, the winner of the published game scores \
         less than half of the points, with 95 % confidence, in {} of {honest} rows{}; for our own \
         single games, in {}{}. A single game is one draw from such a distribution: it says \
         neither which bot is stronger nor by how much. The tables say both, with an interval.",
        count(&rows, hangs_on_noise),
        count(&rows, published_wrong),
        places(&rows, published_wrong),
        count(&rows, ours_wrong),
        places(&rows, ours_wrong),
    )
}

fn rows(table: &TableRecord) -> impl Iterator<Item = Row<'_>> {
    table.rows.iter().map(|row| (table.number, row))
}

fn count(rows: &[Row<'_>], is_one: impl Fn(&RowRecord) -> bool) -> usize {
    rows.iter().filter(|(_, row)| is_one(row)).count()
}

/// Where these rows are: ` (table 1: depth 3, 4; table 2: depth 8)`.
fn places(rows: &[Row<'_>], is_one: impl Fn(&RowRecord) -> bool) -> String {
    let mut tables: Vec<(u8, Vec<String>)> = Vec::new();
    for &(table, row) in rows.iter().filter(|(_, row)| is_one(row)) {
        let depth = row.published.depth.to_string();
        match tables.last_mut() {
            Some((last, depths)) if *last == table => depths.push(depth),
            Some(_) | None => tables.push((table, vec![depth])),
        }
    }
    let table =
        |(table, depths): &(u8, Vec<String>)| format!("table {table}: depth {}", depths.join(", "));
    let tables: Vec<String> = tables.iter().map(table).collect();
    if tables.is_empty() {
        return String::new();
    }
    format!(" ({})", tables.join("; "))
}

fn differs_by_seed(honest: &HonestResult) -> bool {
    let Wdl {
        wins,
        draws,
        losses,
    } = honest.other_seeds;
    [wins, draws, losses]
        .iter()
        .filter(|&&games| games > 0)
        .count()
        > 1
}

/// Whether the winner of a game is the weaker bot.
fn contradicts(honest: &HonestResult, result: GameScore) -> bool {
    honest.score.is_some_and(|score| match result {
        GameScore::Win => score.high < 0.5,
        GameScore::Draw => false,
        GameScore::Loss => score.low > 0.5,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::record;

    #[test]
    fn it_is_told_where_games_mislead() {
        let mut text = String::new();
        write(&mut text, &record()).unwrap();
        let sentences = [
            "Of 1 single games, 1 ended otherwise than the published ones (table 1: depth 1).",
            "has more than one result in 1 of 1 rows.",
            "in 0 of 1 rows; for our own single games, in 1 (table 1: depth 1).",
        ];
        for sentence in sentences {
            assert!(text.contains(sentence), "{text}");
        }
    }

    #[test]
    fn nothing_played_says_nothing() {
        let mut record = record();
        record.tables[0].rows[0].single = None;
        let mut text = String::new();
        write(&mut text, &record).unwrap();
        assert_eq!(text, "");
    }

    #[test]
    fn places_are_grouped_by_table() {
        let record = record();
        let row = &record.tables[0].rows[0];
        let deeper = &record.tables[0].rows[1];
        let rows = [(1, row), (1, deeper), (3, row)];
        assert_eq!(
            places(&rows, |_| true),
            " (table 1: depth 1, 2; table 3: depth 1)"
        );
        assert_eq!(places(&rows, |_| false), "");
    }
}
