//! How games ended.

use std::fmt;

use checkers_lib::protocol::{EndReason, GameResult};
use serde::{Deserialize, Serialize};

use crate::{FaultKind, GameRecord, PairRecord, Ruling};

/// How a game ended. Written `white won: no legal move`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ending {
    /// The winner, if there is one.
    pub result: GameResult,
    /// Why.
    pub reason: EndReason,
    /// The article of the federation's rules, for a draw that has one.
    pub article: Option<String>,
    /// What the harness decided, if it was not the board that did.
    pub ruling: Option<RulingKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RulingKind {
    /// A draw by adjudication.
    Draw,
    /// A win by adjudication.
    Win,
    /// A result from the endgame tablebases.
    Tablebase,
    /// A draw by the ply cap.
    PlyCap,
    /// A bot could not or did not go on.
    Forfeit {
        /// What it did.
        fault: FaultKind,
    },
    /// The game took too long.
    TooLong,
}

/// How many games ended in one way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EndCount {
    /// In which.
    pub ending: Ending,
    /// How many games.
    pub games: u64,
}

/// Counts the endings, in the order of first appearance.
pub(super) fn count(pairs: &[PairRecord]) -> Vec<EndCount> {
    let mut ends: Vec<EndCount> = Vec::new();
    for game in pairs.iter().flat_map(|pair| &pair.games) {
        let ending = Ending::of(game);
        match ends.iter_mut().find(|end| end.ending == ending) {
            Some(end) => end.games += 1,
            None => ends.push(EndCount { ending, games: 1 }),
        }
    }
    ends
}

impl Ending {
    /// How a game ended.
    pub fn of(game: &GameRecord) -> Ending {
        Ending {
            result: game.result,
            reason: game.reason,
            article: game.article.clone(),
            ruling: game.ruling.as_ref().map(RulingKind::of),
        }
    }
}

impl RulingKind {
    pub fn of(ruling: &Ruling) -> RulingKind {
        match ruling {
            Ruling::Draw => RulingKind::Draw,
            Ruling::Win => RulingKind::Win,
            Ruling::Tablebase => RulingKind::Tablebase,
            Ruling::PlyCap { .. } => RulingKind::PlyCap,
            Ruling::Forfeit(forfeit) => RulingKind::Forfeit {
                fault: forfeit.fault.kind(),
            },
            Ruling::TooLong { .. } => RulingKind::TooLong,
        }
    }

    /// Its name in tables for programs: `draw`, `win`, `tablebase`, `ply_cap`, `forfeit` or
    /// `too_long`.
    pub fn name(self) -> &'static str {
        match self {
            RulingKind::Draw => "draw",
            RulingKind::Win => "win",
            RulingKind::Tablebase => "tablebase",
            RulingKind::PlyCap => "ply_cap",
            RulingKind::Forfeit { .. } => "forfeit",
            RulingKind::TooLong => "too_long",
        }
    }
}

impl fmt::Display for RulingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulingKind::Draw | RulingKind::Win => f.write_str("adjudicated"),
            RulingKind::Tablebase => f.write_str("endgame tablebases"),
            RulingKind::PlyCap => f.write_str("ply cap"),
            RulingKind::Forfeit { fault } => write!(f, "forfeit, {fault}"),
            RulingKind::TooLong => f.write_str("the game took too long"),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.result {
            GameResult::WhiteWon => "white won",
            GameResult::BlackWon => "black won",
            GameResult::Draw => "draw",
            GameResult::Interrupted => "void",
        })?;
        match (&self.ruling, &self.article) {
            (Some(ruling), _) => write!(f, ": {ruling}"),
            (None, Some(article)) => {
                write!(f, ": {} (article {article})", reason_text(self.reason))
            }
            (None, None) => write!(f, ": {}", reason_text(self.reason)),
        }
    }
}

fn reason_text(reason: EndReason) -> &'static str {
    match reason {
        EndReason::NoPieces => "no pieces left",
        EndReason::NoMoves => "no legal move",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::TimeAgainstKing => "time, king against king",
        EndReason::Repetition => "threefold repetition",
        EndReason::KingsAgainstKing => "three or more kings against one",
        EndReason::KingMoves => "king moves only",
        EndReason::NoProgress => "no progress",
        EndReason::MainRoad => "a king on the main road",
        EndReason::FewPieces => "at most two pieces against a king",
        EndReason::PlyLimit => "200 plies",
        EndReason::Agreement => "agreement",
        EndReason::PlayerLeft => "a player left",
        EndReason::Aborted => "called off",
        EndReason::Abandoned => "a player stayed away",
        EndReason::Adjudication => "adjudicated",
        EndReason::Forfeit => "forfeit",
    }
}
