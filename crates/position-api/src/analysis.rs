//! What a position is worth.

use checkers_engine::{Score, win_chance};
use checkers_lib::protocol::WireColor;
use checkers_lib::{Color, Move, Position};
use serde::Serialize;

use crate::{Mistake, MistakeCode, position};

/// The most positions of a game that is analysed.
const LONGEST_GAME: usize = 600;

/// The value of a position, and its best moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis {
    /// The number of given moves that lead to this position.
    pub ply: usize,
    /// The position.
    pub fen: String,
    /// The side to move.
    pub turn: WireColor,
    /// The share of points that White may expect, from 0 to 1.
    pub white_chance: f64,
    /// The value of the best move for White, in hundredths of a logit: 100 is a chance of 73 %.
    pub white_score: i32,
    /// In how many plies the game is decided, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_in: Option<u32>,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The number of positions that the search visited.
    pub nodes: u64,
    /// The best moves, the best first; none if there is no legal move.
    pub lines: Vec<AnalysedLine>,
}

/// A move, its continuation and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalysedLine {
    /// The move and the best replies that follow.
    pub moves: Vec<String>,
    /// The share of points that White may expect, from 0 to 1.
    pub white_chance: f64,
    /// The same in units of the engine.
    pub white_score: i32,
    /// In how many plies the game is decided, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided_in: Option<u32>,
}

impl Analysis {
    /// What a search of `depth` plies and so many nodes found about a position that comes after `ply`
    /// moves: the best lines, the best first, with what they are worth to the side to move. A position
    /// without a move has none.
    pub fn new<'m>(
        ply: usize,
        position: &Position,
        depth: u32,
        nodes: u64,
        lines: impl Iterator<Item = (Score, &'m [Move])>,
    ) -> Analysis {
        let side = position.turn();
        let mut best = None;
        let lines = lines.map(|(score, moves)| {
            best.get_or_insert(score);
            analysed(position, score, moves)
        });
        let lines = lines.collect();
        let score = for_white(side, best.unwrap_or(Score::lost_in(0)));
        Analysis {
            ply,
            fen: position.to_string(),
            turn: side.into(),
            white_chance: chance(score),
            white_score: score.value(),
            decided_in: score.plies_to_end(),
            depth,
            nodes,
            lines,
        }
    }
}

fn analysed(position: &Position, score: Score, moves: &[Move]) -> AnalysedLine {
    let score = for_white(position.turn(), score);
    let mut after = position.clone();
    let moves = moves.iter().map(|&m| {
        let text = after.notation(m);
        after.play_unchecked(m);
        text
    });
    AnalysedLine {
        moves: moves.collect(),
        white_chance: chance(score),
        white_score: score.value(),
        decided_in: score.plies_to_end(),
    }
}

/// To six digits: the last ones of an exponential function differ between machines.
fn chance(score: Score) -> f64 {
    (win_chance(score) * 1e6).round() / 1e6
}

fn for_white(side: Color, score: Score) -> Score {
    match side {
        Color::White => score,
        Color::Black => -score,
    }
}

/// A position, and the one after each of the moves, which spaces separate; at least one.
///
/// # Errors
/// When the position or a move cannot be read, or when there are too many moves.
pub fn positions(fen: Option<&str>, moves: &str) -> Result<Vec<Position>, Mistake> {
    let mut next = position(fen)?;
    let mut positions = vec![next.clone()];
    for text in moves.split_whitespace() {
        next.play_unchecked(next.parse_move(text)?);
        positions.push(next.clone());
    }
    if positions.len() > LONGEST_GAME {
        let message = format!("moves: expected fewer than {LONGEST_GAME}");
        return Err(Mistake::new(MistakeCode::BadQuery, message));
    }
    Ok(positions)
}
