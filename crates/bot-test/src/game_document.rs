//! A game in JSON: positions and moves are text.

use checkers_lib::Position;
use checkers_lib::protocol::{EndReason, GameResult, WireColor};
use serde::{Deserialize, Serialize};

use crate::{GameRecord, MoveRecord, Ruling, SearchRecord, Seats, Timekeeper};

/// See [`GameRecord`], field by field.
#[derive(Serialize, Deserialize)]
pub(crate) struct GameDocument {
    number: u64,
    seats: Seats,
    start_fen: String,
    moves: Vec<MoveDocument>,
    result: GameResult,
    reason: EndReason,
    article: Option<String>,
    ruling: Option<Ruling>,
}

#[derive(Serialize, Deserialize)]
struct MoveDocument {
    color: WireColor,
    #[serde(rename = "move")]
    text: String,
    time_us: u64,
    clock: Timekeeper,
    /// Whether there was no other move.
    forced: bool,
    search: Option<SearchRecord>,
}

/// Why a document is not a game.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GameDocumentError {
    #[error("game {number} begins with {source}")]
    Start {
        number: u64,
        source: checkers_lib::FenError,
    },
    #[error("ply {ply} of game {number}: {source}")]
    Move {
        number: u64,
        ply: usize,
        source: checkers_lib::MoveTextError,
    },
}

impl From<GameRecord> for GameDocument {
    fn from(game: GameRecord) -> GameDocument {
        let mut position = game.start.clone();
        let moves = (game.moves.iter())
            .map(|played| {
                let document = MoveDocument::new(&position, played);
                position.play_unchecked(played.m);
                document
            })
            .collect();
        GameDocument {
            number: game.number,
            seats: game.seats,
            start_fen: game.start.to_string(),
            moves,
            result: game.result,
            reason: game.reason,
            article: game.article,
            ruling: game.ruling,
        }
    }
}

impl MoveDocument {
    fn new(position: &Position, played: &MoveRecord) -> MoveDocument {
        MoveDocument {
            color: position.turn().into(),
            text: position.notation(played.m),
            time_us: played.time_us,
            clock: played.clock,
            forced: position.count_moves() == 1,
            search: played.search.clone(),
        }
    }
}

impl TryFrom<GameDocument> for GameRecord {
    type Error = GameDocumentError;

    fn try_from(document: GameDocument) -> Result<GameRecord, GameDocumentError> {
        let number = document.number;
        let start: Position = (document.start_fen.parse())
            .map_err(|source| GameDocumentError::Start { number, source })?;
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(document.moves.len());
        for (ply, reported) in document.moves.into_iter().enumerate() {
            let m = (position.parse_move(&reported.text)).map_err(|source| {
                GameDocumentError::Move {
                    number,
                    ply,
                    source,
                }
            })?;
            position.play_unchecked(m);
            moves.push(MoveRecord {
                m,
                time_us: reported.time_us,
                clock: reported.clock,
                search: reported.search,
            });
        }
        Ok(GameRecord {
            number,
            seats: document.seats,
            start,
            moves,
            result: document.result,
            reason: document.reason,
            article: document.article,
            ruling: document.ruling,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::GameRecord;
    use crate::fixtures::game;
    use checkers_lib::protocol::{EndReason, GameResult};

    #[test]
    fn a_game_is_read_back_as_it_was() {
        let game = game(1, GameResult::Draw, EndReason::Repetition);
        let json = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<GameRecord>(&json).unwrap(), game);
    }

    #[test]
    fn illegal_moves_are_reported() {
        let game = game(1, GameResult::Draw, EndReason::Repetition);
        let json = serde_json::to_string(&game).unwrap();
        let json = json.replace("f6-g5", "f6-g7");
        let error = serde_json::from_str::<GameRecord>(&json).unwrap_err();
        assert!(
            error.to_string().starts_with("ply 1 of game 1: "),
            "{error}"
        );
    }
}
