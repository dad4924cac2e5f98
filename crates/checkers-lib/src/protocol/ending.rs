//! How games end, on the wire.

use serde::{Deserialize, Serialize};

use crate::{Color, DrawReason, Outcome, WinReason};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// White won.
    WhiteWon,
    /// Black won.
    BlackWon,
    /// Nobody won.
    Draw,
    /// It was broken off before the end.
    Interrupted,
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 4] = [
        GameResult::WhiteWon,
        GameResult::BlackWon,
        GameResult::Draw,
        GameResult::Interrupted,
    ];

    /// The result as the wire has it.
    pub fn name(self) -> &'static str {
        match self {
            GameResult::WhiteWon => "white_won",
            GameResult::BlackWon => "black_won",
            GameResult::Draw => "draw",
            GameResult::Interrupted => "interrupted",
        }
    }

    /// The result that the wire has under this name.
    pub fn from_name(name: &str) -> Option<GameResult> {
        GameResult::ALL
            .into_iter()
            .find(|result| result.name() == name)
    }

    /// The side that won, if one did.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWon => Some(Color::White),
            GameResult::BlackWon => Some(Color::Black),
            GameResult::Draw | GameResult::Interrupted => None,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The side to move had no pieces left.
    NoPieces,
    /// The side to move had pieces, but no move.
    NoMoves,
    /// The loser gave up.
    Resignation,
    /// The loser's time ran out.
    Time,
    /// A side's time ran out, and the opponent had nothing left to win with.
    TimeAgainstKing,
    /// Article 7.2.3.
    Repetition,
    /// Article 7.2.4.
    KingsAgainstKing,
    /// Article 7.2.5.
    KingMoves,
    /// Article 7.2.6.
    NoProgress,
    /// Article 7.2.7.
    MainRoad,
    /// Article 7.2.8.
    FewPieces,
    /// 200 plies under the study's rules.
    PlyLimit,
    /// Both agreed to a draw.
    Agreement,
    /// A player left.
    PlayerLeft,
    /// A player called the game off before both sides had moved.
    Aborted,
    /// A player was away for too long, and the opponent claimed the game; interrupted, if both were.
    Abandoned,
    /// The director ended the game by judgement, or whoever runs the server closed its table.
    Adjudication,
    /// The loser broke the rules of the tournament.
    Forfeit,
}

impl EndReason {
    /// Whether a director may give it as the reason for ending a game.
    pub fn is_for_a_director(self) -> bool {
        matches!(
            self,
            EndReason::Resignation
                | EndReason::Time
                | EndReason::Agreement
                | EndReason::Adjudication
                | EndReason::Forfeit
        )
    }

    /// Whether such an end comes from the position and its history alone.
    pub fn is_on_board(self) -> bool {
        match self {
            EndReason::NoPieces
            | EndReason::NoMoves
            | EndReason::Repetition
            | EndReason::KingsAgainstKing
            | EndReason::KingMoves
            | EndReason::NoProgress
            | EndReason::MainRoad
            | EndReason::FewPieces
            | EndReason::PlyLimit => true,
            EndReason::Resignation
            | EndReason::Time
            | EndReason::TimeAgainstKing
            | EndReason::Agreement
            | EndReason::PlayerLeft
            | EndReason::Aborted
            | EndReason::Abandoned
            | EndReason::Adjudication
            | EndReason::Forfeit => false,
        }
    }
}

impl From<Outcome> for EndReason {
    fn from(outcome: Outcome) -> EndReason {
        match outcome {
            Outcome::Win { reason, .. } => match reason {
                WinReason::NoPieces => EndReason::NoPieces,
                WinReason::NoMoves => EndReason::NoMoves,
                WinReason::Resignation => EndReason::Resignation,
                WinReason::Time => EndReason::Time,
            },
            Outcome::Draw(reason) => match reason {
                DrawReason::Repetition => EndReason::Repetition,
                DrawReason::KingsAgainstKing => EndReason::KingsAgainstKing,
                DrawReason::KingMoves => EndReason::KingMoves,
                DrawReason::NoProgress => EndReason::NoProgress,
                DrawReason::MainRoad => EndReason::MainRoad,
                DrawReason::FewPieces => EndReason::FewPieces,
                DrawReason::PlyLimit => EndReason::PlyLimit,
                DrawReason::Agreement => EndReason::Agreement,
                DrawReason::TimeAgainstKing => EndReason::TimeAgainstKing,
            },
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome.winner() {
            Some(Color::White) => GameResult::WhiteWon,
            Some(Color::Black) => GameResult::BlackWon,
            None => GameResult::Draw,
        }
    }
}
