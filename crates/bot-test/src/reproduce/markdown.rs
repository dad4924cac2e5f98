//! The reproduction as a document.

use std::fmt::{self, Write};

use super::conclusions::{Conclusion, judge};
use super::numbers::{elo, grouped, percent, signed, three_digits, wins_draws_losses};
use super::pooled::{Measure, curves};
use super::{Effort, Reproduction, RowRecord, Study, TableRecord, surprises};

/// The file name of a figure.
pub(super) fn figure_name(number: u8) -> String {
    format!("study-figure-{number}.svg")
}

/// The whole document in Markdown.
pub(super) fn document(record: &Reproduction) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_document(&mut text, record);
    text
}

fn write_document(text: &mut String, record: &Reproduction) -> fmt::Result {
    write_head(text, record)?;
    if let Some(comparison) = &record.comparison
        && let Some(conclusions) = judge(record, comparison)
    {
        write_conclusions(text, &conclusions, comparison.positions.len())?;
    }
    surprises::write(text, record)?;
    for &number in &record.figures {
        let name = figure_name(number);
        writeln!(
            text,
            "\n![Figure {number} of the study, drawn again]({name})"
        )?;
    }
    if !record.figures.is_empty() {
        write_curves(text, record)?;
    }
    record
        .tables
        .iter()
        .try_for_each(|table| write_table(text, table))
}

fn write_head(text: &mut String, record: &Reproduction) -> fmt::Result {
    let Study {
        source, machine, ..
    } = Study::published();
    let options = &record.options;
    writeln!(text, "# The published study, reproduced\n")?;
    writeln!(
        text,
        "The study is {source}, measured on a {machine}. It played one game from the start for \
         each row of seven tables, drawn after 200 plies, and reported the result for White (+1, \
         0, −1) and the mean and the longest time per move of both bots."
    )?;
    write_machine(text, record)?;
    writeln!(
        text,
        "\n- **Single games** are those of the study. White's noise has seed {}, Black's {}. Times \
         are of the search alone, one at a time; each game is played {}, unless that takes more than \
         ten seconds, and each move counts with its fastest time. Nodes are exact: they are the \
         same on every machine.",
        options.seed,
        options.seed.wrapping_add(1),
        times(options.timings)
    )?;
    writeln!(
        text,
        "- **Other seeds** are {} more such games, each with noise of its own.",
        options.other_seeds
    )?;
    writeln!(
        text,
        "- **Pairs** are the honest version: {} openings of the built-in suite, the same for every \
         row, each played with both colours. The score is that of the table's White in percent, \
         with a 95 % interval from the pairs (normal approximation; the rule of three where all \
         pairs ended alike).",
        options.honest_pairs
    )?;
    writeln!(
        text,
        "\nMinimax, alpha-beta and NegaScout choose the same move at the same depth with the same \
         seed. So tables 3 and 5 consist of the same games here, and tables 4 and 6 too: their \
         times and nodes compare directly, and their scores are one and the same. For other seeds \
         and pairs, where only moves count, NegaScout with an exact table plays for all three: it \
         finds the same moves in a fraction of the time."
    )?;
    if record.is_interrupted {
        writeln!(
            text,
            "\nThe run was ended early: what is missing was not played."
        )?;
    }
    Ok(())
}

fn write_machine(text: &mut String, record: &Reproduction) -> fmt::Result {
    let machine = &record.machine;
    let processor = machine.processor.as_deref().unwrap_or("unknown processor");
    let (minutes, seconds) = (record.took_ms / 60_000, record.took_ms / 1000 % 60);
    writeln!(
        text,
        "\nPlayed by {} on {}, {} threads ({processor}), {}, in {minutes} min {seconds} s.",
        record.program, machine.platform, machine.threads, record.began
    )
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

fn write_conclusions(
    text: &mut String,
    conclusions: &[Conclusion],
    positions: usize,
) -> fmt::Result {
    writeln!(text, "\n## The study's conclusions\n")?;
    writeln!(
        text,
        "Judged on the same {positions} positions for every search, from all phases of games, with \
         an empty table for each: the games of the tables visit different positions and can be \
         compared only roughly. Means are geometric, lest a few endgames with kings outweigh all \
         others; intervals are over the positions, at 95 %, and know nothing of what else the \
         machine did. Nodes are exact."
    )?;
    for (number, conclusion) in (1..).zip(conclusions) {
        let Conclusion {
            claim,
            verdict,
            evidence,
        } = conclusion;
        writeln!(
            text,
            "\n### {number}. {claim}\n\n**This {verdict} here.** {}",
            evidence.trim_end()
        )?;
    }
    Ok(())
}

/// The figures in numbers.
fn write_curves(text: &mut String, record: &Reproduction) -> fmt::Result {
    writeln!(
        text,
        "\nBoth figures are over all tables in which the algorithm plays White: the mean over all \
         moves of their single games, and the longest of them. The study does not say how many \
         moves its games had; its means are averaged as they are. The curves jump where a game is \
         drawn after 200 plies: in its endgame kings roam an open board, where a search costs \
         hundreds of times what it does among men."
    )?;
    let [means, maxima] = [Measure::Mean, Measure::Max].map(|measure| curves(record, measure));
    writeln!(
        text,
        "\n| bot | depth | mean ms: study | here | max ms: study | here |\n\
         |:--|--:|--:|--:|--:|--:|"
    )?;
    for (mean, max) in means.iter().zip(&maxima) {
        for &(depth, here) in &mean.here {
            let at = |points: &[(u32, f64)]| {
                let point = points.iter().find(|point| point.0 == depth);
                point.map_or_else(String::new, |&(_, ms)| three_digits(ms))
            };
            writeln!(
                text,
                "| {} | {depth} | {} | {} | {} | {} |",
                mean.bot,
                at(&mean.study),
                three_digits(here),
                at(&max.study),
                at(&max.here)
            )?;
        }
    }
    Ok(())
}

fn write_table(text: &mut String, table: &TableRecord) -> fmt::Result {
    let TableRecord {
        number,
        white,
        black,
        rows,
    } = table;
    let deepest = rows
        .iter()
        .map(|row| row.published.depth)
        .max()
        .unwrap_or(1);
    writeln!(
        text,
        "\n## Table {number}: {white}, depth 1–{deepest}, against {black}"
    )?;
    if rows.iter().any(|row| row.single.is_some()) {
        write_single_games(text, rows)?;
    }
    if rows.iter().any(|row| row.honest.is_some()) {
        write_honest_games(text, rows)?;
    }
    Ok(())
}

fn write_single_games(text: &mut String, rows: &[RowRecord]) -> fmt::Result {
    writeln!(
        text,
        "\nThe single games, as published and here; times in ms per move.\n\n\
         | depth | result: study | here | plies | White mean: study | here | max: study | here \
         | nodes | Black mean: study | here | max: study | here | nodes |\n\
         |--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    )?;
    for row in rows {
        let Some(single) = &row.single else { continue };
        let study = row.published;
        write!(
            text,
            "| {} | {} | {} | {}",
            study.depth,
            signed(study.result),
            signed(single.result),
            single.plies
        )?;
        for (study, here) in [(study.white, single.white), (study.black, single.black)] {
            write_effort(text, [study.mean_ms, study.max_ms], &here)?;
        }
        writeln!(text, " |")?;
    }
    Ok(())
}

fn write_effort(
    text: &mut String,
    [study_mean, study_max]: [f64; 2],
    here: &Effort,
) -> fmt::Result {
    write!(
        text,
        " | {study_mean} | {} | {study_max} | {} | {}",
        three_digits(here.mean_ms),
        three_digits(here.max_ms),
        grouped(here.mean_nodes)
    )
}

fn write_honest_games(text: &mut String, rows: &[RowRecord]) -> fmt::Result {
    writeln!(
        text,
        "\nThe honest version; all of White's side of the table.\n\n\
         | depth | study | one game here | other seeds | different games | pairs | games | score % | Elo |\n\
         |--:|--:|--:|:--|--:|--:|:--|--:|--:|"
    )?;
    for row in rows {
        let Some(honest) = &row.honest else { continue };
        let single = row.single.as_ref();
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.published.depth,
            signed(row.published.result),
            single.map_or("", |single| signed(single.result)),
            wins_draws_losses(honest.other_seeds),
            honest.distinct,
            honest.pairs.pairs(),
            wins_draws_losses(honest.games),
            percent(honest.score),
            elo(honest.elo)
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::{comparison, record};

    #[test]
    fn a_partial_record_is_told() {
        insta::assert_snapshot!(document(&record()));
    }

    #[test]
    fn figures_and_conclusions_are_told() {
        let record = Reproduction {
            figures: vec![3],
            comparison: Some(comparison(1.1)),
            is_interrupted: false,
            ..record()
        };
        insta::assert_snapshot!(document(&record));
    }

    #[test]
    fn nothing_played_is_told_without_numbers() {
        let mut record = record();
        record.tables[0].rows.remove(0);
        let text = document(&record);
        assert!(!text.contains("NaN") && !text.contains("| 2 |"), "{text}");
    }
}
