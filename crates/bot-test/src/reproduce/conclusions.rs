//! The study's three conclusions, each with whether it holds here and with what numbers.

use std::fmt;

use super::costs::{Cost, Reach};
use super::numbers::{NONE, grouped, ratio, three_digits};
use super::pooled::{Curve, Measure, curves};
use super::{Comparison, Effort, Reproduction, TableRecord};
use crate::statistics::Estimate;

/// One of the study's conclusions, judged.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Conclusion {
    /// What the study says.
    pub(super) claim: &'static str,
    /// Whether that is so here.
    pub(super) verdict: Verdict,
    /// Why, in Markdown; several lines, each with its line break.
    pub(super) evidence: String,
}

/// Whether something is so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It is.
    Holds,
    /// Some of it is.
    HoldsInPart,
    /// It is not.
    Fails,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::HoldsInPart => "holds in part",
            Verdict::Fails => "does not hold",
        })
    }
}

/// The depths at which the study says NegaScout is slower.
const SMALL: std::ops::RangeInclusive<u32> = 1..=7;

/// Judges all three by the costs of searches; `None` where not all that it takes were run. The
/// record adds what its single games took.
pub(super) fn judge(record: &Reproduction, costs: &Comparison) -> Option<[Conclusion; 3]> {
    let curves = curves(record, Measure::Mean);
    Some([
        alpha_beta_is_faster(costs, &curves)?,
        negascout_wins_at_depth(costs, &curves)?,
        table_buys_a_ply(costs, &curves, &record.tables)?,
    ])
}

fn alpha_beta_is_faster(costs: &Comparison, curves: &[Curve]) -> Option<Conclusion> {
    let reaches = |depth| reaches(costs, ["minimax", "alpha-beta"], depth);
    let [seven, eight] = [reaches(7)?, reaches(8)?];
    let gains = [seven.gains(7), eight.gains(8)];
    let least = gains.into_iter().flatten().flatten().reduce(f64::min)?;
    let singles = [
        ("minimax", 7),
        ("minimax", 8),
        ("alpha-beta", 9),
        ("alpha-beta", 10),
    ];
    Some(Conclusion {
        claim: "Alpha-beta is several plies faster than minimax: it searches 9–10 plies deep for \
                what minimax needs for 7–8",
        verdict: match least {
            2.0.. => Verdict::Holds,
            1.0.. => Verdict::HoldsInPart,
            _ => Verdict::Fails,
        },
        evidence: format!(
            "In the time that minimax needs for depth 7 it searches {} plies deep, in that for \
             depth 8 {}; by nodes {} and {}.\n\n{}{}",
            seven.time,
            eight.time,
            seven.nodes,
            eight.nodes,
            minimax_and_alpha_beta(costs)?,
            from_tables(curves, &singles)
        ),
    })
}

fn minimax_and_alpha_beta(costs: &Comparison) -> Option<String> {
    let mut text = "\
What a search costs by minimax, and how deep alpha-beta searches for the same:

| minimax depth | nodes | alpha-beta depth | ms | alpha-beta depth |
|--:|--:|--:|--:|--:|
"
    .to_owned();
    for depth in 4..=8 {
        let Reaches { nodes, time } = reaches(costs, ["minimax", "alpha-beta"], depth)?;
        let [cost, ms] = means(costs, "minimax", depth)?;
        text += &format!("| {depth} | {cost} | {nodes} | {ms} | {time} |\n");
    }
    Some(text)
}

fn negascout_wins_at_depth(costs: &Comparison, curves: &[Curve]) -> Option<Conclusion> {
    let compared = |depth| ratios(costs, ["negascout", "alpha-beta"], depth, depth);
    let small: Vec<_> = SMALL.filter_map(|depth| compared(depth)[1]).collect();
    let slower = small.iter().filter(|ratio| ratio.low > 1.0).count();
    let faster = small.iter().filter(|ratio| ratio.high < 1.0).count();
    let (from, to, of) = (SMALL.start(), SMALL.end(), small.len());
    let [nodes, time] = compared(10);
    let is_cheaper = |ratio: Estimate| ratio.high < 1.0;
    let singles = [
        ("alpha-beta", 7),
        ("negascout", 7),
        ("alpha-beta", 10),
        ("negascout", 10),
    ];
    Some(Conclusion {
        claim: "NegaScout is a little slower than alpha-beta at small depths and faster at \
                depth 10",
        verdict: match (slower > faster, is_cheaper(nodes?) && is_cheaper(time?)) {
            (true, true) => Verdict::Holds,
            (true, false) | (false, true) => Verdict::HoldsInPart,
            (false, false) => Verdict::Fails,
        },
        evidence: format!(
            "With 95 % confidence each, it is slower at {slower} and faster at {faster} of the \
             {of} depths from {from} to {to}. At depth 10 it takes {} times alpha-beta's time and \
             visits {} times its nodes.\n\n{}{}",
            ratio(time),
            ratio(nodes),
            negascout_and_alpha_beta(costs),
            from_tables(curves, &singles)
        ),
    })
}

fn negascout_and_alpha_beta(costs: &Comparison) -> String {
    let mut text = "\
NegaScout's cost divided by alpha-beta's, with its 95 % interval:

| depth | nodes | time |
|--:|--:|--:|
"
    .to_owned();
    for depth in 1..=10 {
        let [nodes, time] = ratios(costs, ["negascout", "alpha-beta"], depth, depth).map(ratio);
        text += &format!("| {depth} | {nodes} | {time} |\n");
    }
    text
}

fn table_buys_a_ply(
    costs: &Comparison,
    curves: &[Curve],
    tables: &[TableRecord],
) -> Option<Conclusion> {
    let reach = reaches(costs, ["negascout", "negascout-tt"], 10)?;
    let [nodes, time] = ratios(costs, ["negascout-tt", "negascout"], 11, 10);
    let is_dearer = |ratio: Estimate| ratio.low > 1.0;
    let singles = [
        ("negascout", 10),
        ("negascout-tt", 10),
        ("negascout-tt", 11),
    ];
    Some(Conclusion {
        claim: "The table buys a ply: depth 11 costs with it what depth 10 costs without",
        verdict: match (is_dearer(nodes?), is_dearer(time?)) {
            (false, false) => Verdict::Holds,
            (false, true) | (true, false) => Verdict::HoldsInPart,
            (true, true) => Verdict::Fails,
        },
        evidence: format!(
            "Depth 11 with it takes {} times the time of depth 10 without and visits {} times the \
             nodes. In the time for depth 10 without it, the search with it goes {} plies deep, \
             for the nodes {}.\n\n{}{}{}",
            ratio(time),
            ratio(nodes),
            reach.time,
            reach.nodes,
            with_and_without_table(costs)?,
            kept_through_games(tables).unwrap_or_default(),
            from_tables(curves, &singles)
        ),
    })
}

fn with_and_without_table(costs: &Comparison) -> Option<String> {
    let mut text = "\
The cost with the table divided by that without it at the same depth, and how deep the search with
the table goes for the cost of the one without:

| depth | nodes | time | depth for the nodes | depth for the time |
|--:|--:|--:|--:|--:|
"
    .to_owned();
    for depth in 4..=10 {
        let [nodes, time] = ratios(costs, ["negascout-tt", "negascout"], depth, depth).map(ratio);
        let reach = reaches(costs, ["negascout", "negascout-tt"], depth)?;
        let (by_nodes, by_time) = (reach.nodes, reach.time);
        text += &format!("| {depth} | {nodes} | {time} | {by_nodes} | {by_time} |\n");
    }
    Some(text)
}

/// What a table is worth that is kept from move to move: Black's in tables 6 and 7, as long as they
/// play the same games.
fn kept_through_games(tables: &[TableRecord]) -> Option<String> {
    let find = |number| tables.iter().find(|table| table.number == number);
    let [without, with] = [find(6)?, find(7)?].map(|table| &table.rows);
    let singles = without.iter().zip(with);
    let singles = singles.filter_map(|(one, other)| one.single.as_ref().zip(other.single.as_ref()));
    let same: Vec<_> = singles
        .filter(|(one, other)| one.moves == other.moves)
        .collect();
    let ratio = |cost: fn(&Effort) -> f64| {
        let total = |effort: &Effort| cost(effort) * effort.moves as f64;
        let without: f64 = same.iter().map(|(without, _)| total(&without.black)).sum();
        let with: f64 = same.iter().map(|(_, with)| total(&with.black)).sum();
        with / without
    };
    let (time, nodes) = (
        ratio(|effort| effort.mean_ms),
        ratio(|effort| effort.mean_nodes),
    );
    (time.is_finite() && nodes.is_finite()).then(|| {
        format!(
            "\nIn games the table is kept from move to move. Tables 6 and 7 have {} games in \
             common; there Black, 9 plies deep, takes {time:.2} times the time with it and visits \
             {nodes:.2} times the nodes.\n",
            same.len()
        )
    })
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

/// How deep one bot searches for what another needs.
struct Reaches {
    nodes: Reach,
    time: Reach,
}

/// How deep the second bot searches for what the first needs at a depth.
fn reaches(costs: &Comparison, [slow, fast]: [&str; 2], depth: u32) -> Option<Reaches> {
    let slow = costs.costs(slow, depth)?;
    let reach = |cost: Cost| Some(cost.depth_at(costs, fast, cost.mean(slow)?));
    Some(Reaches {
        nodes: reach(Cost::Nodes)?,
        time: reach(Cost::Time)?,
    })
}

impl Reaches {
    /// How many plies more than `depth`, at least, by nodes and by time.
    fn gains(&self, depth: u32) -> [Option<f64>; 2] {
        [self.nodes, self.time].map(|reach| reach.gain(depth))
    }
}

/// Mean nodes and milliseconds of a search, over the positions.
fn means(costs: &Comparison, bot: &str, depth: u32) -> Option<[String; 2]> {
    let costs = costs.costs(bot, depth)?;
    let nodes = Cost::Nodes.mean(costs)?;
    let nanoseconds = Cost::Time.mean(costs)?;
    Some([grouped(nodes), three_digits(nanoseconds / 1e6)])
}

/// The mean times of single games, the study's and ours.
fn from_tables(curves: &[Curve], bots: &[(&str, u32)]) -> String {
    let find = |points: &[(u32, f64)], depth| {
        let point = points.iter().find(|point| point.0 == depth);
        point.map_or_else(|| NONE.to_owned(), |&(_, ms)| three_digits(ms))
    };
    let told = bots.iter().filter_map(|&(bot, depth)| {
        let curve = curves.iter().find(|curve| curve.bot == bot)?;
        let [study, here] = [&curve.study, &curve.here].map(|points| find(points, depth));
        Some(format!(
            "{bot} at depth {depth} {study} in the study, {here} here"
        ))
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        return String::new();
    }
    format!(
        "\nIn the single games, mean ms per move: {}.\n",
        told.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::fixtures::{comparison, record};

    fn verdicts(scout: f64) -> [Verdict; 3] {
        let conclusions = judge(&record(), &comparison(scout)).unwrap();
        for Conclusion { evidence, .. } in &conclusions {
            assert!(
                !evidence.contains("NaN") && !evidence.contains("inf"),
                "{evidence}"
            );
        }
        conclusions.map(|conclusion| conclusion.verdict)
    }

    #[test]
    fn conclusions_follow_the_numbers() {
        use Verdict::{Fails, Holds, HoldsInPart};
        // Half of 3 is less than a ply, whatever alpha-beta needs.
        assert_eq!(verdicts(0.9), [Holds, HoldsInPart, Fails]);
        assert_eq!(verdicts(1.1), [Holds, HoldsInPart, Fails]);
        assert_eq!(verdicts(1.0), [Holds, Fails, Fails]);
    }

    #[test]
    fn a_kept_table_is_judged_by_the_same_games() {
        let mut tables = [6, 7].map(|number| TableRecord {
            number,
            ..record().tables.remove(0)
        });
        let single = tables[1].rows[0].single.as_mut().unwrap();
        single.black.mean_nodes /= 2.0;
        let told = kept_through_games(&tables).unwrap();
        let numbers = "takes 1.00 times the time with it and visits 0.50 times the nodes";
        assert!(
            told.contains("have 1 games") && told.contains(numbers),
            "{told}"
        );
        tables[1].rows[0].single.as_mut().unwrap().moves.clear();
        assert_eq!(kept_through_games(&tables), None);
        assert_eq!(kept_through_games(&[]), None);
    }

    #[test]
    fn without_searches_there_is_no_conclusion() {
        let mut few = comparison(1.0);
        few.costs.retain(|costs| costs.depth <= 3);
        assert_eq!(judge(&record(), &few), None);
    }
}
