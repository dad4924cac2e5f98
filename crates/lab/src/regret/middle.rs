//! Middle games: what moves lose according to a much longer search.

use std::collections::HashMap;
use std::fmt::Write as _;

use checkers_engine::{Score, win_chance};
use checkers_lib::{Move, Position};

use super::Contender;
use super::measure::{RegretMeasure, per_100_moves, search};
use crate::failure::LabFailure;

/// A row for each contender.
///
/// # Errors
/// When stopped.
pub(super) fn table(
    positions: &[Position],
    judge: &Contender,
    contenders: &[Contender],
    measure: &RegretMeasure,
) -> Result<String, LabFailure> {
    let best = measure.choices(positions, judge)?;
    let chosen = contenders
        .iter()
        .map(|contender| measure.choices(positions, contender));
    let chosen: Vec<Vec<Option<Move>>> = chosen.collect::<Result<_, _>>()?;
    let worth = values(positions, &best, &chosen, judge, measure)?;

    let mut text = format!(
        "Middle games, {} positions, judged by {} a move:\n\n",
        positions.len(),
        judge
            .columns()
            .trim_start_matches("| ")
            .trim_end()
            .replace(" |", " with"),
    );
    text += "| bot | a move | same move | points lost in 100 moves |\n|---|---|---:|---:|\n";
    for (contender, moves) in contenders.iter().zip(&chosen) {
        let pairs = best.iter().zip(moves).enumerate();
        let pairs: Vec<(usize, Move, Move)> = pairs
            .filter_map(|(at, (best, chosen))| Some((at, (*best)?, (*chosen)?)))
            .collect();
        let same = pairs
            .iter()
            .filter(|(_, best, chosen)| best == chosen)
            .count();
        let losses: Vec<f64> = pairs
            .iter()
            .map(|&(at, best, chosen)| match best == chosen {
                true => 0.0,
                false => worth[&(at, best)] - worth[&(at, chosen)],
            })
            .collect();
        let _ = writeln!(
            text,
            "{}| {:.1} % | {} |",
            contender.columns(),
            100.0 * same as f64 / pairs.len() as f64,
            per_100_moves(&losses)
        );
    }
    Ok(text)
}

/// The expected points of moves for the side that makes them, by the number of the position: of positions in which not all
/// chose the same move.
fn values(
    positions: &[Position],
    best: &[Option<Move>],
    chosen: &[Vec<Option<Move>>],
    judge: &Contender,
    measure: &RegretMeasure,
) -> Result<HashMap<(usize, Move), f64>, LabFailure> {
    let mut disputed: Vec<(usize, Move)> = Vec::new();
    for (at, best) in best.iter().enumerate() {
        let moves = chosen.iter().filter_map(|moves| moves[at]).chain(*best);
        let mut different: Vec<Move> = Vec::new();
        for m in moves {
            if !different.contains(&m) {
                different.push(m);
            }
        }
        if different.len() > 1 {
            disputed.extend(different.into_iter().map(|m| (at, m)));
        }
    }
    let make = || judge.factory.make(&measure.stop);
    let worth = measure.map(&disputed, make, |player, &(at, m)| {
        let mut after = positions[at].clone();
        after.play_unchecked(m);
        if after.legal_moves().is_empty() {
            return 1.0;
        }
        let found = search(player, &after, judge);
        1.0 - win_chance(Score::new(found.score.into()))
    })?;
    Ok(disputed.into_iter().zip(worth).collect())
}
