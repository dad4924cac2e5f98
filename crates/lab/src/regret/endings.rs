//! Endings: what moves lose against exact values.

use std::fmt::Write as _;

use checkers_engine::tablebase::{ProbeError, Tablebases, Wdl};
use checkers_lib::{Move, Position};

use super::Contender;
use super::measure::{RegretMeasure, per_100_moves};
use crate::failure::LabFailure;

/// A move in a position whose value is known.
struct Judged {
    before: Wdl,
    /// The half points that it loses.
    lost: i64,
}

/// A row for each contender.
///
/// # Errors
/// When stopped.
pub(super) fn table(
    positions: &[Position],
    most_pieces: u32,
    contenders: &[Contender],
    measure: &RegretMeasure,
) -> Result<String, LabFailure> {
    let mut text = format!(
        "Endings with up to {most_pieces} pieces, {} positions:\n\n",
        positions.len()
    );
    text += "| bot | a move | points lost in 100 moves | wins given up | draws lost |\n";
    text += "|---|---|---:|---:|---:|\n";
    for contender in contenders {
        let moves = measure.choices(positions, contender)?;
        let judged = positions.iter().zip(moves);
        let judged = judged.filter_map(|(position, m)| judge(position, m?).ok());
        let judged: Vec<Judged> = judged.collect();
        let losses: Vec<f64> = judged
            .iter()
            .map(|judged| judged.lost as f64 / 2.0)
            .collect();
        let lost_from = |value| {
            judged
                .iter()
                .filter(|judged| judged.before == value && judged.lost > 0)
                .count()
        };
        let _ = writeln!(
            text,
            "{}| {} | {} | {} |",
            contender.columns(),
            per_100_moves(&losses),
            lost_from(Wdl::Win),
            lost_from(Wdl::Draw)
        );
    }
    Ok(text)
}

fn judge(position: &Position, m: Move) -> Result<Judged, ProbeError> {
    let tables = Tablebases::shared();
    let mut after = position.clone();
    after.play_unchecked(m);
    Ok(Judged {
        before: tables.probe_wdl(position)?,
        lost: tables.half_points_lost(position, &after)?,
    })
}
