//! A table that grows by a line with every iteration.

use std::io::Write;
use std::time::Duration;

use checkers_engine::{SearchReport, Variation};
use checkers_lib::Game;

use super::judge::Judge;
use super::verdict::{MoveVerdict, Worth, notation};
use crate::failure::LabFailure;

/// Analyses a position before the reader's eyes.
pub(super) fn show(
    judge: &mut Judge,
    game: &Game,
    output: &mut impl Write,
) -> Result<MoveVerdict, LabFailure> {
    let head = format!(
        "{}\n{:>5} {:>10} {:>6} {:>12} {:>7} {:>8}  line",
        game.position(),
        "depth",
        "score",
        "chance",
        "nodes",
        "Mn/s",
        "seconds",
    );
    writeln!(output, "{head}").map_err(LabFailure::Write)?;
    let mut is_told = false;
    let verdict = judge.verdict(game, &mut |game, report| {
        is_told = true;
        for line in &report.lines {
            writeln!(output, "{}", row(game, report, line))?;
        }
        output.flush()
    })?;
    if !is_told {
        writeln!(output, "{}", known(&verdict)).map_err(LabFailure::Write)?;
    }
    writeln!(output).map_err(LabFailure::Write)?;
    Ok(verdict)
}

fn row(game: &Game, report: &SearchReport, line: &Variation) -> String {
    let pv = notation(game, line).join(" ");
    let worth = Worth::of(line.score);
    columns(report.depth, worth, report.nodes, report.time, &pv)
}

/// The row of an answer from the cache, or of a position that is over.
fn known(verdict: &MoveVerdict) -> String {
    let time = Duration::from_millis(verdict.time_ms);
    let pv = verdict.pv.join(" ");
    columns(verdict.depth, verdict.worth, verdict.nodes, time, &pv)
}

fn columns(depth: u32, worth: Worth, nodes: u64, time: Duration, pv: &str) -> String {
    let seconds = time.as_secs_f64();
    let speed = nodes as f64 / seconds.max(1e-6) / 1e6;
    let chance = 100.0 * worth.win_chance;
    let score = worth.text();
    format!("{depth:>5} {score:>10} {chance:>5.1}% {nodes:>12} {speed:>7.2} {seconds:>8.3}  {pv}")
}
