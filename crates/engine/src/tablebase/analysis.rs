//! Everything the tables say about a position.

use std::cmp::Reverse;

use checkers_lib::{DrawRules, Game, Move, Outcome, Position};
use serde::{Deserialize, Serialize};

use super::probe::Tablebases;
use super::tables::ProbeError;
use super::value::{Distance, Wdl};

/// What a position is worth, and each of its moves. Its JSON form is the answer of programs:
///
/// ```json
/// {"value":"win","plies":7,"moves":[{"move":"a5-b4","value":"win","plies":7}]}
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis {
    /// What it is worth to the side to move, whatever the draw-counting articles say.
    pub value: Wdl,
    /// How many plies a decided game lasts by best play of both sides; nothing for a draw, or if
    /// there is no table of distances.
    pub plies: Option<u8>,
    /// The legal moves, the best ones first.
    pub moves: Vec<MoveValue>,
}

/// What a move is worth to the side that makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveValue {
    /// The move as it is written.
    #[serde(rename = "move")]
    pub notation: String,
    /// What it is worth.
    pub value: Wdl,
    /// How many plies the game lasts from the present position on, this move counted.
    pub plies: Option<u8>,
}

/// Everything that can be told of a position: its analysis with the line of best play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Report {
    /// What it and its moves are worth.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// Whether the line comes to its end before an article of the federation's rules declares a
    /// draw, if counting begins at the position; nothing without a line.
    pub fits_articles: Option<bool>,
    /// The best play of both sides to the end, as it is written; empty for a draw, or if there is
    /// no table of distances.
    pub line: Vec<String>,
}

/// The value of a move, with its distance if it is known.
#[derive(Clone, Copy, Debug)]
struct Rated {
    m: Move,
    value: Wdl,
    distance: Option<Distance>,
}

impl Tablebases {
    /// Everything the tables say about a position.
    ///
    /// # Errors
    /// When the tables do not have it or what its moves lead to, or are damaged.
    pub fn analyse(&self, position: &Position) -> Result<Analysis, ProbeError> {
        let value = self.probe_wdl(position)?;
        let distance = self.known_distance(position)?;
        let moves = self.rate(position)?;
        Ok(Analysis {
            value,
            plies: distance.and_then(Distance::plies),
            moves: moves
                .into_iter()
                .map(|rated| MoveValue {
                    notation: position.notation(rated.m),
                    value: rated.value,
                    plies: rated.distance.and_then(Distance::plies),
                })
                .collect(),
        })
    }

    /// Everything the tables say about a position, and what comes of it.
    ///
    /// # Errors
    /// As above.
    pub fn report(&self, position: &Position) -> Result<Report, ProbeError> {
        let analysis = self.analyse(position)?;
        let line = self.best_line(position)?;
        let mut after = position.clone();
        let mut notation = Vec::with_capacity(line.len());
        for &m in &line {
            notation.push(after.notation(m));
            after.play_unchecked(m);
        }
        Ok(Report {
            fits_articles: (analysis.plies.is_some()).then(|| ends_in_time(position, &line)),
            analysis,
            line: notation,
        })
    }

    /// The legal moves that are worth the most, in generation order: by distance where that is
    /// known of all of them, otherwise by value. Empty if there is no move.
    ///
    /// # Errors
    /// As above.
    pub fn best_moves(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut moves = self.rate(position)?;
        let Some(&best) = moves.first() else {
            return Ok(Vec::new());
        };
        moves.retain(|rated| rated.value == best.value && rated.distance == best.distance);
        Ok(moves.into_iter().map(|rated| rated.m).collect())
    }

    /// The best play of both sides from a decided position to its end, the first of equal moves
    /// each time; empty for a draw, or without distances.
    ///
    /// # Errors
    /// As above.
    pub fn best_line(&self, position: &Position) -> Result<Vec<Move>, ProbeError> {
        let mut line = Vec::new();
        let mut position = position.clone();
        let mut plies = self.known_distance(&position)?.and_then(Distance::plies);
        while let Some(left) = plies.and_then(|plies| plies.checked_sub(1)) {
            let Some(&best) = self.best_moves(&position)?.first() else {
                break;
            };
            position.play_unchecked(best);
            line.push(best);
            plies = Some(left);
        }
        Ok(line)
    }

    /// Whether the line of best play from a decided position comes to its end before an article of
    /// the federation's rules declares a draw; nothing for a draw, or without distances. Counts
    /// begin at the position. Another line might do where this one does not.
    ///
    /// # Errors
    /// As above.
    pub fn fits_articles(&self, position: &Position) -> Result<Option<bool>, ProbeError> {
        let decided = self.known_distance(position)?.and_then(Distance::plies);
        if decided.is_none() {
            return Ok(None);
        }
        Ok(Some(ends_in_time(position, &self.best_line(position)?)))
    }

    /// The moves with their values, the best first; equal ones stay in generation order.
    fn rate(&self, position: &Position) -> Result<Vec<Rated>, ProbeError> {
        let mut moves = Vec::new();
        for &m in &position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            let distance = self.known_distance(&after)?;
            moves.push(Rated {
                m,
                value: self.probe_wdl(&after)?.reversed(),
                distance: distance.map(Distance::before),
            });
        }
        let all_known = moves.iter().all(|rated| rated.distance.is_some());
        for rated in &mut moves {
            rated.distance = rated.distance.filter(|_| all_known);
        }
        moves.sort_by_key(|rated| Reverse((rated.value, rated.distance)));
        Ok(moves)
    }

    /// The distance, or nothing where no table has it.
    fn known_distance(&self, position: &Position) -> Result<Option<Distance>, ProbeError> {
        match self.probe_distance(position) {
            Ok(distance) => Ok(Some(distance)),
            Err(ProbeError::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Whether a line that ends in a loss for one side comes to its end before an article declares a
/// draw.
fn ends_in_time(position: &Position, line: &[Move]) -> bool {
    let mut game = Game::from_position(position.clone(), DrawRules::Fmjd64);
    for &m in line {
        if game.play(m).is_err() {
            break;
        }
    }
    matches!(game.outcome(), Some(Outcome::Win { .. }))
}
