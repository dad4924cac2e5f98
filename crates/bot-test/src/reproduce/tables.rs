//! The study's tables and conclusions in Markdown, as numbers. `docs/results/study.md` says what they mean.

use std::fmt::{self, Display, Write};

use super::costs::{Cost, DepthReached};
use super::{
    Comparison, NONE, PairedResult, Reproduction, RowRecord, StudyEffort, TableRecord, figure_name,
};
use crate::statistics::{Estimate, GameScore, Wdl};

/// Everything that was played.
pub(super) fn document(record: &Reproduction) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_document(&mut text, record);
    text
}

fn write_document(text: &mut String, record: &Reproduction) -> fmt::Result {
    write_head(text, record)?;
    if let Some(costs) = &record.comparison {
        write_conclusions(text, costs)?;
    }
    write_surprises(text, record)?;
    for &number in &record.figures {
        let name = figure_name(number);
        writeln!(
            text,
            "\n![Figure {number} of the study, drawn again]({name})"
        )?;
    }
    for (at, table) in record.tables.iter().enumerate() {
        write_table(text, table, &record.tables[..at])?;
    }
    Ok(())
}

fn write_head(text: &mut String, record: &Reproduction) -> fmt::Result {
    let (machine, options) = (&record.machine, &record.options);
    let processor = machine.processor.as_deref().unwrap_or("unknown processor");
    let (minutes, seconds) = (record.took_ms / 60_000, record.took_ms / 1000 % 60);
    writeln!(
        text,
        "Played by {} on {}, {} threads ({processor}), {}, in {minutes} min {seconds} s.",
        record.program, machine.platform, machine.threads, record.began
    )?;
    writeln!(
        text,
        "Seed {}, single games timed up to {} times, {} other seeds, {} openings.",
        options.seed, options.timings, options.other_seeds, options.pairs
    )?;
    if record.is_interrupted {
        writeln!(
            text,
            "\nThe run was ended early: what is missing was not played."
        )?;
    }
    Ok(())
}

/// Writes a table below its head.
fn write_rows<const COLUMNS: usize>(
    text: &mut String,
    head: &str,
    rows: impl IntoIterator<Item = [String; COLUMNS]>,
) -> fmt::Result {
    writeln!(text, "\n{head}")?;
    for row in rows {
        writeln!(text, "| {} |", row.join(" | "))?;
    }
    Ok(())
}

/// The study's three conclusions, each with whether it holds here and with what numbers; those
/// only of which all searches were run.
fn write_conclusions(text: &mut String, costs: &Comparison) -> fmt::Result {
    writeln!(text, "\n## The study's conclusions")?;
    writeln!(
        text,
        "\nOn the same {} positions for every search.",
        costs.positions.len()
    )?;
    write_alpha_beta(text, costs)?;
    write_negascout(text, costs)?;
    write_hash_table(text, costs)
}

/// Whether something is so: all of it, a part, or nothing.
fn write_verdict(text: &mut String, number: u8, claim: &str, parts: [bool; 2]) -> fmt::Result {
    let verdict = match parts {
        [true, true] => "holds",
        [true, false] | [false, true] => "holds in part",
        [false, false] => "does not hold",
    };
    writeln!(text, "\n### {number}. {claim}\n\n**This {verdict} here.**")
}

fn write_alpha_beta(text: &mut String, costs: &Comparison) -> fmt::Result {
    let bots = ["minimax", "alpha-beta"];
    let gains = [7, 8].map(|depth| reached(costs, bots, depth).map(|to| to?.gain(depth)));
    let least = gains.into_iter().flatten().flatten().reduce(f64::min);
    let (Some(least), Some(_)) = (least, costs.costs("minimax", 8)) else {
        return Ok(());
    };
    let claim = "Alpha-beta is several plies faster than minimax: it searches 9–10 plies deep \
                 for what minimax needs for 7–8";
    write_verdict(text, 1, claim, [least >= 1.0, least >= 2.0])?;
    let head = "| minimax depth | nodes | alpha-beta depth | ms | alpha-beta depth |\n\
                |--:|--:|--:|--:|--:|";
    let row = |depth| {
        let searches = costs.costs("minimax", depth)?;
        let [nodes, time] = reached(costs, bots, depth).map(or_none);
        let milliseconds = three_digits(Cost::Time.mean(searches)? / 1e6);
        Some([
            depth.to_string(),
            grouped(Cost::Nodes.mean(searches)?),
            nodes,
            milliseconds,
            time,
        ])
    };
    write_rows(text, head, (4..=8).filter_map(row))
}

fn write_negascout(text: &mut String, costs: &Comparison) -> fmt::Result {
    let ratios = |depth| ratios(costs, ["negascout", "alpha-beta"], depth, depth);
    let small: Vec<Estimate> = (1..=7).filter_map(|depth| ratios(depth)[1]).collect();
    let slower = small.iter().filter(|ratio| ratio.low > 1.0).count();
    let faster = small.iter().filter(|ratio| ratio.high < 1.0).count();
    let [Some(nodes), Some(time)] = ratios(10) else {
        return Ok(());
    };
    let claim = "NegaScout is a little slower than alpha-beta at small depths and faster at \
                 depth 10";
    write_verdict(
        text,
        2,
        claim,
        [slower > faster, nodes.high < 1.0 && time.high < 1.0],
    )?;
    let head = "| depth | nodes, negascout / alpha-beta | time |\n|--:|--:|--:|";
    let row = |depth: u32| {
        let [nodes, time] = ratios(depth).map(ratio);
        [depth.to_string(), nodes, time]
    };
    write_rows(text, head, (1..=10).map(row))
}

fn write_hash_table(text: &mut String, costs: &Comparison) -> fmt::Result {
    let [Some(nodes), Some(time)] = ratios(costs, ["negascout-tt", "negascout"], 11, 10) else {
        return Ok(());
    };
    let claim = "The table buys a ply: depth 11 costs with it what depth 10 costs without";
    write_verdict(text, 3, claim, [nodes.low <= 1.0, time.low <= 1.0])?;
    let head = "| depth with the table | depth without | nodes, with / without | time |\n\
                |--:|--:|--:|--:|";
    let row = |(with, without): (u32, u32)| {
        let ratios = ratios(costs, ["negascout-tt", "negascout"], with, without);
        let [nodes, time] = ratios.map(ratio);
        [with.to_string(), without.to_string(), nodes, time]
    };
    let depths = (4..=10).map(|depth| (depth, depth)).chain([(11, 10)]);
    write_rows(text, head, depths.map(row))
}

/// How many times as much the first bot's search costs at a depth as the second's at another one:
/// nodes, time.
fn ratios(
    costs: &Comparison,
    [one, other]: [&str; 2],
    depth: u32,
    other_depth: u32,
) -> [Option<Estimate>; 2] {
    let pair = costs.costs(one, depth).zip(costs.costs(other, other_depth));
    [Cost::Nodes, Cost::Time].map(|cost| pair.and_then(|(one, other)| cost.ratio(one, other)))
}

/// How deep the second bot searches for what the first needs at a depth: nodes, time.
fn reached(costs: &Comparison, [slow, fast]: [&str; 2], depth: u32) -> [Option<DepthReached>; 2] {
    let slow = costs.costs(slow, depth);
    [Cost::Nodes, Cost::Time].map(|cost| Some(cost.depth_at(costs, fast, cost.mean(slow?)?)))
}

/// How often single games say something else than many games do.
fn write_surprises(text: &mut String, record: &Reproduction) -> fmt::Result {
    let rows = || record.tables.iter().flat_map(|table| &table.rows);
    let count = |is_one: &dyn Fn(&RowRecord) -> bool| rows().filter(|row| is_one(row)).count();
    if count(&|row| row.single.is_some()) == 0 {
        return Ok(());
    }
    let single = |row: &RowRecord| Some(row.single.as_ref()?.result);
    let wrong = |row: &RowRecord, result: Option<GameScore>| {
        let known = row.paired.as_ref().zip(result);
        known.is_some_and(|(paired, result)| contradicts(paired, result))
    };
    let differs = |row: &RowRecord| single(row).is_some_and(|here| here != row.published.result);
    let counts = [
        ("single games", count(&|row| row.single.is_some())),
        (
            "that ended otherwise than the published one",
            count(&differs),
        ),
        ("rows with pairs", count(&|row| row.paired.is_some())),
        (
            "in which other seeds give more than one result",
            count(&|row| row.paired.as_ref().is_some_and(differs_by_seed)),
        ),
        (
            "in which the winner of the published game is the weaker bot",
            count(&|row| wrong(row, Some(row.published.result))),
        ),
        (
            "in which the winner of our game is the weaker bot",
            count(&|row| wrong(row, single(row))),
        ),
    ];
    writeln!(text, "\n## What a single game says")?;
    let rows = counts.map(|(what, count)| [what.to_owned(), count.to_string()]);
    write_rows(text, "| | rows |\n|:--|--:|", rows)
}

fn differs_by_seed(paired: &PairedResult) -> bool {
    let Wdl {
        wins,
        draws,
        losses,
    } = paired.other_seeds;
    [wins, draws, losses]
        .iter()
        .filter(|&&games| games > 0)
        .count()
        > 1
}

/// Whether the winner of a game is the weaker bot, with 95 % confidence.
fn contradicts(paired: &PairedResult, result: GameScore) -> bool {
    paired.score.is_some_and(|score| match result {
        GameScore::Win => score.high < 0.5,
        GameScore::Draw => false,
        GameScore::Loss => score.low > 0.5,
    })
}

fn write_table(text: &mut String, table: &TableRecord, earlier: &[TableRecord]) -> fmt::Result {
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
    let singles = rows
        .iter()
        .filter_map(|row| Some((row, row.single.as_ref()?)));
    if rows.iter().any(|row| row.single.is_some()) {
        let head = "The single games; times in ms per move.\n\n\
                    | depth | result: study | here | White mean: study | here | nodes | \
                    Black mean: study | here | nodes |\n\
                    |--:|--:|--:|--:|--:|--:|--:|--:|--:|";
        let row = |(row, single): (&RowRecord, &super::SingleGame)| {
            let study = row.published;
            let depth = study.depth.to_string();
            let [published, here] = [study.result, single.result].map(|it| signed(it).to_owned());
            let [a, b, c] = effort(study.white.mean_ms, &single.white);
            let [d, e, f] = effort(study.black.mean_ms, &single.black);
            [depth, published, here, a, b, c, d, e, f]
        };
        write_rows(text, head, singles.map(row))?;
    }
    if let Some(same) = earlier.iter().find(|other| have_same_pairs(other, table)) {
        writeln!(text, "\nMany games: those of table {}.", same.number)?;
    } else if rows.iter().any(|row| row.paired.is_some()) {
        let head = "Many games; all of White's side of the table.\n\n\
                    | depth | other seeds | score in pairs, % |\n\
                    |--:|:--|--:|";
        write_rows(text, head, rows.iter().filter_map(paired_row))?;
    }
    Ok(())
}

/// Whether many games were played in both tables and gave the same results.
fn have_same_pairs(one: &TableRecord, other: &TableRecord) -> bool {
    let mut rows = one.rows.iter().zip(&other.rows);
    one.rows.len() == other.rows.len()
        && rows.all(|(a, b)| a.paired.is_some() && a.paired == b.paired)
}

fn effort(study_mean: f64, here: &StudyEffort) -> [String; 3] {
    [
        study_mean.to_string(),
        three_digits(here.mean_ms),
        grouped(here.mean_nodes),
    ]
}

fn paired_row(row: &RowRecord) -> Option<[String; 3]> {
    let paired = row.paired.as_ref()?;
    Some([
        row.published.depth.to_string(),
        wins_draws_losses(paired.other_seeds),
        percent(paired.score),
    ])
}

/// What exists, or that it does not.
fn or_none(value: Option<impl Display>) -> String {
    value.map_or_else(|| NONE.to_owned(), |value| value.to_string())
}

/// A result as the study writes it: `+1`, `0`, `−1`.
pub(super) fn signed(result: GameScore) -> &'static str {
    match result {
        GameScore::Win => "+1",
        GameScore::Draw => "0",
        GameScore::Loss => "−1",
    }
}

/// A positive number with three digits, or more if it has more before the point: `0.000312`,
/// `8.24`, `1250`.
fn three_digits(value: f64) -> String {
    if value < 1e-6 {
        return "0".to_owned();
    }
    let decimals = (2.0 - value.log10().floor()).max(0.0);
    format!("{value:.0$}", decimals as usize)
}

/// A count in groups of three digits: `1,234,567`.
fn grouped(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A score in percent with its interval: `51.3 (47.0–55.6)`.
fn percent(score: Option<Estimate>) -> String {
    score.map_or_else(
        || NONE.to_owned(),
        |Estimate { value, low, high }| {
            let [value, low, high] = [value, low, high].map(|share| 100.0 * share);
            format!("{value:.1} ({low:.1}–{high:.1})")
        },
    )
}

/// A ratio with its interval: `1.03 (1.01–1.05)`.
fn ratio(ratio: Option<Estimate>) -> String {
    ratio.map_or_else(
        || NONE.to_owned(),
        |Estimate { value, low, high }| format!("{value:.2} ({low:.2}–{high:.2})"),
    )
}

/// Wins, draws and losses: `+3 =1 −6`.
fn wins_draws_losses(games: Wdl) -> String {
    let Wdl {
        wins,
        draws,
        losses,
    } = games;
    format!("+{wins} ={draws} −{losses}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::{comparison, record};

    #[test]
    fn a_partial_record_is_printed() {
        insta::assert_snapshot!(document(&record()));
    }

    #[test]
    fn figures_and_conclusions_are_printed() {
        let record = Reproduction {
            figures: vec![3],
            comparison: Some(comparison(1.1)),
            is_interrupted: false,
            ..record()
        };
        insta::assert_snapshot!(document(&record));
    }

    #[test]
    fn equal_games_are_printed_once() {
        let mut record = record();
        record.tables[0].rows.truncate(1);
        let again = TableRecord {
            number: 2,
            ..record.tables[0].clone()
        };
        record.tables.push(again);
        let text = document(&record);
        assert!(
            text.ends_with("\nMany games: those of table 1.\n"),
            "{text}"
        );
        assert_eq!(text.matches("| score in pairs, % |").count(), 1, "{text}");
    }

    #[test]
    fn nothing_played_has_no_numbers() {
        let mut record = record();
        record.tables[0].rows.remove(0);
        let text = document(&record);
        assert!(!text.contains("NaN") && !text.contains("| 2 |"), "{text}");
        assert!(!text.contains("What a single game says"), "{text}");
    }

    #[test]
    fn conclusions_follow_the_numbers() {
        let verdicts = |scout: f64| {
            let mut text = String::new();
            write_conclusions(&mut text, &comparison(scout)).unwrap();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
            let verdicts = text.lines().filter_map(|line| line.strip_prefix("**This "));
            verdicts.map(str::to_owned).collect::<Vec<_>>()
        };
        let [holds, in_part, fails] = [
            "holds here.**",
            "holds in part here.**",
            "does not hold here.**",
        ];
        // Half of 3 is less than one ply of any alpha-beta.
        assert_eq!(verdicts(0.9), [holds, in_part, fails]);
        assert_eq!(verdicts(1.1), [holds, in_part, fails]);
        assert_eq!(verdicts(1.0), [holds, fails, fails]);
    }

    #[test]
    fn without_searches_there_is_no_conclusion() {
        let mut few = comparison(1.0);
        few.costs.retain(|costs| costs.depth <= 3);
        let mut text = String::new();
        write_conclusions(&mut text, &few).unwrap();
        assert!(!text.contains("###"), "{text}");
    }

    #[test]
    fn games_that_mislead_are_counted() {
        let text = document(&record());
        for row in [
            "| single games | 1 |",
            "| that ended otherwise than the published one | 1 |",
            "| rows with pairs | 1 |",
            "| in which other seeds give more than one result | 1 |",
            "| in which the winner of the published game is the weaker bot | 0 |",
            "| in which the winner of our game is the weaker bot | 1 |",
        ] {
            assert!(text.contains(row), "{text}");
        }
    }

    #[test]
    fn times_have_three_digits() {
        let shown = [0.0, 0.000_312_4, 0.5, 8.244, 1250.4].map(three_digits);
        assert_eq!(shown, ["0", "0.000312", "0.500", "8.24", "1250"]);
    }

    #[test]
    fn counts_are_grouped() {
        let shown = [0.0, 999.4, 1000.0, 1_234_567.0].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn what_does_not_exist_is_said_so() {
        assert_eq!([percent(None), ratio(None)], [NONE; 2]);
    }

    #[test]
    fn intervals_stand_behind_their_values() {
        let estimate = |value, low, high| Some(Estimate { value, low, high });
        assert_eq!(percent(estimate(0.513, 0.47, 0.556)), "51.3 (47.0–55.6)");
        assert_eq!(ratio(estimate(1.034, 1.0, 1.1)), "1.03 (1.00–1.10)");
    }
}
