//! The archive format of finished games.

use checkers_lib::Position;
use checkers_lib::protocol::{EndReason, GameRecord, PlayedMove, SearchInfo};
use serde::{Deserialize, Serialize};

/// A finished game in few bytes: moves are stored as text, and what follows from them is computed
/// when the record is read.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CompactRecord {
    /// The record without moves. Older archive entries have their moves here and no `line`.
    #[serde(flatten)]
    pub(crate) record: GameRecord,
    /// The moves with all their squares, separated by spaces.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    line: String,
    /// The time used for each move, in milliseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    elapsed_ms: Vec<u64>,
    /// The players' search reports, with the plies of the moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    searches: Vec<(u32, SearchInfo)>,
}

/// Why an archived game cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadGame {
    /// The document is malformed.
    #[error(transparent)]
    Form(#[from] serde_json::Error),
    /// The initial position is invalid, or a move is illegal.
    #[error("move {0} of the line cannot be played")]
    Line(u32),
}

impl CompactRecord {
    /// A record without moves yet; `plies` is the capacity.
    pub(super) fn new(record: GameRecord, plies: usize) -> CompactRecord {
        /// The bytes of a move without captures, with its separator.
        const QUIET: usize = 6;
        CompactRecord {
            record,
            line: String::with_capacity(plies * QUIET),
            elapsed_ms: Vec::with_capacity(plies),
            searches: Vec::new(),
        }
    }

    /// Appends a move; `write` writes its squares.
    pub(super) fn push(
        &mut self,
        elapsed_ms: u64,
        search: Option<SearchInfo>,
        write: impl FnOnce(&mut String),
    ) {
        let ply = self.plies();
        if ply > 0 {
            self.line.push(' ');
        }
        write(&mut self.line);
        self.elapsed_ms.push(elapsed_ms);
        self.searches.extend(search.map(|search| (ply, search)));
    }

    /// The number of moves of both sides.
    pub(crate) fn plies(&self) -> u32 {
        u32::try_from(self.elapsed_ms.len()).unwrap_or(u32::MAX)
    }

    /// Reads an archived game without its moves, which is fast.
    ///
    /// # Errors
    /// The document is malformed.
    pub(crate) fn read_head(document: &[u8]) -> Result<GameRecord, BadGame> {
        let CompactRecord { mut record, .. } = serde_json::from_slice(document)?;
        record.moves.clear();
        Ok(record)
    }

    /// The document to archive: a JSON object.
    pub fn document(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a record has only string keys")
    }

    /// Reads an archived game.
    ///
    /// # Errors
    /// The document is malformed.
    pub fn read(document: &[u8]) -> Result<GameRecord, BadGame> {
        let CompactRecord {
            mut record,
            line,
            elapsed_ms,
            searches,
        } = serde_json::from_slice(document)?;
        if line.is_empty() {
            return Ok(record);
        }
        let start = record.start_fen.parse();
        let mut position: Position = start.map_err(|_| BadGame::Line(0))?;
        let mut searches = searches.into_iter().peekable();
        for (ply, path) in (0..).zip(line.split(' ')) {
            let elapsed_ms = elapsed_ms.get(ply as usize);
            let search = searches.next_if(|(of, _)| *of == ply);
            let read = position.parse_route(path).ok().zip(elapsed_ms);
            let ((m, route), &elapsed_ms) = read.ok_or(BadGame::Line(ply))?;
            record.moves.push(PlayedMove {
                search: search.map(|(_, search)| search),
                ..PlayedMove::at(ply, &position, m, &route, elapsed_ms)
            });
            position.play_unchecked(m);
        }
        Ok(record)
    }
}

/// The name of the reason in the archive and on the wire.
pub(crate) fn reason_name(reason: EndReason) -> String {
    match serde_json::to_value(reason) {
        Ok(serde_json::Value::String(name)) => name,
        // A reason serialises to a string.
        Ok(_) | Err(_) => String::new(),
    }
}

/// The time controls of both sides as archived: one if they are equal; `none` for no clock.
pub(crate) fn clock_of_both(white: Option<&str>, black: Option<&str>) -> String {
    let [white, black] = [white, black].map(|clock| clock.unwrap_or("none"));
    if white == black {
        white.to_owned()
    } else {
        format!("{white},{black}")
    }
}

#[cfg(test)]
pub(super) mod tests {
    use checkers_lib::protocol::{GameResult, RecordedPlayer};

    use super::*;

    fn search() -> SearchInfo {
        SearchInfo {
            score: -7,
            depth: 3,
            nodes: 11,
            time_us: 13,
            pv: "h8:f6 a1-b2".parse().unwrap(),
        }
    }

    pub(crate) fn record(start_fen: &str) -> GameRecord {
        let player = RecordedPlayer {
            name: "anna".to_owned(),
            bot: None,
        };
        GameRecord {
            id: "main-1".to_owned(),
            table: "main".to_owned(),
            number: 1,
            white: player.clone(),
            black: player,
            start_fen: start_fen.to_owned(),
            opening_plies: 0,
            moves: Vec::new(),
            fen: String::new(),
            white_clock: None,
            black_clock: None,
            draw_rules: "fmjd64".to_owned(),
            rated: false,
            event: None,
            result: GameResult::Draw,
            reason: EndReason::Agreement,
            article: None,
            left: None,
            started_ms: 1,
            ended_ms: 2,
            taken_over: Vec::new(),
        }
    }

    #[test]
    fn moves_times_and_searches_are_read_back() {
        let mut position: Position = "W:Wc3,a1:Bd4,f6,h8".parse().unwrap();
        let mut kept = CompactRecord::new(record(&position.to_string()), 3);
        let mut expected = record(&position.to_string());
        for (ply, path) in (0..).zip(["c3:e5:g7", "h8:f6", "a1-b2"]) {
            let (m, route) = position.parse_route(path).unwrap();
            let search = (ply == 1).then(search);
            kept.push(u64::from(ply) * 10, search.clone(), |line| {
                line.push_str(path);
            });
            expected.moves.push(PlayedMove {
                search,
                ..PlayedMove::at(ply, &position, m, &route, u64::from(ply) * 10)
            });
            position = position.play(m).unwrap();
        }
        assert_eq!(CompactRecord::read(&kept.document()).unwrap(), expected);
    }

    #[test]
    fn a_record_without_a_line_is_read() {
        let position = Position::start();
        let (m, route) = position.parse_route("c3-d4").unwrap();
        let mut old = record(&position.to_string());
        old.moves = vec![PlayedMove::at(0, &position, m, &route, 5)];
        let document = serde_json::to_vec(&old).unwrap();
        assert_eq!(CompactRecord::read(&document).unwrap(), old);
    }

    #[test]
    fn different_clocks_are_both_stored() {
        let cases = [
            (Some("5m+3s"), Some("5m+3s"), "5m+3s"),
            (None, None, "none"),
            (Some("5m"), Some("1m"), "5m,1m"),
            (None, Some("1m"), "none,1m"),
        ];
        for (white, black, expected) in cases {
            assert_eq!(clock_of_both(white, black), expected);
        }
        assert_eq!(
            reason_name(EndReason::KingsAgainstKing),
            "kings_against_king"
        );
    }

    #[test]
    fn an_illegal_line_is_an_error() {
        let mut kept = CompactRecord::new(record(&Position::start().to_string()), 1);
        kept.push(0, None, |line| line.push_str("c3-d4"));
        kept.push(0, None, |line| line.push_str("c3-d4"));
        let read = CompactRecord::read(&kept.document());
        assert!(matches!(read, Err(BadGame::Line(1))), "{read:?}");
    }
}
