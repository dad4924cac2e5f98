//! The results of games on the wire.

use serde::{Deserialize, Serialize};

use crate::{Color, DrawReason, Outcome, WinReason};

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// White won.
    WhiteWon,
    /// Black won.
    BlackWon,
    /// The game is drawn.
    Draw,
    /// The game was interrupted: it ended without a result.
    Interrupted,
}

impl GameResult {
    /// All results.
    pub const ALL: [GameResult; 4] = [
        GameResult::WhiteWon,
        GameResult::BlackWon,
        GameResult::Draw,
        GameResult::Interrupted,
    ];

    /// The name of the result on the wire.
    pub fn name(self) -> &'static str {
        match self {
            GameResult::WhiteWon => "white_won",
            GameResult::BlackWon => "black_won",
            GameResult::Draw => "draw",
            GameResult::Interrupted => "interrupted",
        }
    }

    /// The result with this name on the wire.
    pub fn from_name(name: &str) -> Option<GameResult> {
        GameResult::ALL
            .into_iter()
            .find(|result| result.name() == name)
    }

    /// The side that won; `None` if no side did.
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
    /// The side to move had no pieces left and lost.
    NoPieces,
    /// The side to move had pieces but no legal move, and lost.
    NoMoves,
    /// The loser resigned.
    Resignation,
    /// The loser ran out of time.
    Time,
    /// A draw: a side ran out of time, each side had only one king, and the opponent could not win.
    TimeAgainstKing,
    /// A draw by article 7.2.3: the same position occurred for the third time.
    Repetition,
    /// A draw by article 7.2.4: three or more kings against a lone king, for 30 plies.
    KingsAgainstKing,
    /// A draw by article 7.2.5: 8 or more pieces, and only moves of kings without a capture for 30
    /// plies.
    KingMoves,
    /// A draw by article 7.2.6: 4 to 7 pieces, and no capture or promotion for 60 plies, or for 120
    /// plies with 6 or 7 pieces.
    NoProgress,
    /// A draw by article 7.2.7: three pieces against a lone king on the main road, for 10 plies.
    MainRoad,
    /// A draw by article 7.2.8: one or two pieces against a lone king, for 10 plies.
    FewPieces,
    /// A draw under `study` rules: 200 plies were played.
    PlyLimit,
    /// Both players agreed to a draw.
    Agreement,
    /// A player left the seat or the server. If both sides had moved and the game was not arranged,
    /// the opponent won; otherwise the game was interrupted.
    PlayerLeft,
    /// A player aborted the game before both sides had moved.
    Aborted,
    /// A player was disconnected for too long, and the opponent claimed a win or a draw. The game
    /// was interrupted if both players were away or the server closed the table.
    Abandoned,
    /// The director decided the game, or an administrator closed its table.
    Adjudication,
    /// The director ended the game because a player broke the rules of the tournament.
    Forfeit,
}

impl EndReason {
    /// Whether a director may give this reason when ending a game.
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

    /// Whether the moves played alone decide such an ending.
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
