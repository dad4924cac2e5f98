//! The games of a tournament as CSV, one row each, for spreadsheets and data frames.
//!
//! See [`COLUMNS`]; `docs/tournaments.md` says what is in them. Cells of what does not exist are
//! empty.

use checkers_lib::Color;
use checkers_lib::protocol::{EndReason, GameResult};
use serde::Serialize;

use crate::standings::{RulingKind, repeats};
use crate::statistics::mean;
use crate::{BotId, GameRecord, PairingRecord, Timekeeper, TournamentRecord};

/// The columns in their order.
pub const COLUMNS: [&str; 35] = [
    "number",
    "pairing",
    "round",
    "opening",
    "opening_moves",
    "start_fen",
    "white_bot",
    "white",
    "black_bot",
    "black",
    "result",
    "reason",
    "article",
    "ruling",
    "fault",
    "fault_bot",
    "plies",
    "white_moves",
    "white_mean_us",
    "white_max_us",
    "white_depth",
    "white_nodes",
    "white_score",
    "black_moves",
    "black_mean_us",
    "black_max_us",
    "black_depth",
    "black_nodes",
    "black_score",
    "repeat_of",
    "swap",
    "draw_rules",
    "in_process",
    "began",
    "stderr",
];

/// A row. Its fields are [`COLUMNS`].
#[derive(Serialize)]
struct CsvRow<'a> {
    number: u64,
    pairing: u64,
    round: u32,
    opening: u64,
    opening_moves: String,
    start_fen: String,
    white_bot: usize,
    white: &'a str,
    black_bot: usize,
    black: &'a str,
    result: GameResult,
    reason: EndReason,
    article: Option<&'a str>,
    ruling: Option<&'static str>,
    fault: Option<crate::FaultKind>,
    fault_bot: Option<usize>,
    plies: usize,
    white_moves: usize,
    white_mean_us: Option<f64>,
    white_max_us: Option<u64>,
    white_depth: Option<f64>,
    white_nodes: Option<f64>,
    white_score: Option<i32>,
    black_moves: usize,
    black_mean_us: Option<f64>,
    black_max_us: Option<u64>,
    black_depth: Option<f64>,
    black_nodes: Option<f64>,
    black_score: Option<i32>,
    repeat_of: Option<u64>,
    swap: bool,
    draw_rules: &'a str,
    in_process: bool,
    began: &'a str,
    stderr: String,
}

/// Every game of the tournament below a line with the names of the columns.
pub fn games(record: &TournamentRecord) -> String {
    let repeats = repeats(&record.games);
    let mut writer = ::csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    writer.write_record(COLUMNS).expect(IN_MEMORY);
    for (pairing, game) in record.paired_games() {
        let repeat_of = repeats.get(&game.number).copied();
        writer
            .serialize(row(record, pairing, game, repeat_of))
            .expect(IN_MEMORY);
    }
    let bytes = writer.into_inner().expect(IN_MEMORY);
    String::from_utf8(bytes).expect("it is written from texts")
}

const IN_MEMORY: &str = "rows of plain values always fit into memory";

fn row<'a>(
    record: &'a TournamentRecord,
    pairing: &PairingRecord,
    game: &'a GameRecord,
    repeat_of: Option<u64>,
) -> CsvRow<'a> {
    let [white, black] = Color::ALL.map(|side| Side::of(game, game.seats.player(side)));
    let forfeit = game.forfeit();
    CsvRow {
        number: game.number,
        pairing: pairing.id,
        round: pairing.round,
        opening: pairing.opening,
        opening_moves: opening_moves(game),
        start_fen: game.start.to_string(),
        white_bot: game.seats.white.0 + 1,
        white: &record.bot(game.seats.white).label,
        black_bot: game.seats.black.0 + 1,
        black: &record.bot(game.seats.black).label,
        result: game.result,
        reason: game.reason,
        article: game.article.as_deref(),
        ruling: game
            .ruling
            .as_ref()
            .map(|ruling| RulingKind::of(ruling).name()),
        fault: forfeit.map(|forfeit| forfeit.fault.kind()),
        fault_bot: forfeit.map(|forfeit| forfeit.bot.0 + 1),
        plies: game.moves.len(),
        white_moves: white.moves,
        white_mean_us: white.mean_us,
        white_max_us: white.max_us,
        white_depth: white.depth,
        white_nodes: white.nodes,
        white_score: white.score,
        black_moves: black.moves,
        black_mean_us: black.mean_us,
        black_max_us: black.max_us,
        black_depth: black.depth,
        black_nodes: black.nodes,
        black_score: black.score,
        repeat_of,
        swap: record.settings.swap,
        draw_rules: &record.settings.draw_rules,
        in_process: record.settings.in_process,
        began: &record.began,
        stderr: forfeit.map_or_else(String::new, |forfeit| forfeit.stderr.join("\n")),
    }
}

/// The moves that one side chose.
struct Side {
    moves: usize,
    mean_us: Option<f64>,
    max_us: Option<u64>,
    /// Means of the moves that were searched, not looked up.
    depth: Option<f64>,
    nodes: Option<f64>,
    /// The last reported score.
    score: Option<i32>,
}

impl Side {
    fn of(game: &GameRecord, bot: BotId) -> Side {
        let times = || game.moves_of(bot).map(|played| played.time_us);
        let reported = || (game.moves_of(bot)).filter_map(|played| played.search.as_ref());
        let searches = || reported().filter(|search| search.nodes > 1);
        Side {
            moves: times().count(),
            mean_us: mean(times()).map(tenths),
            max_us: times().max(),
            depth: mean(searches().map(|search| search.depth.into())).map(tenths),
            nodes: mean(searches().map(|search| search.nodes)).map(f64::round),
            score: reported().last().map(|search| search.score),
        }
    }
}

/// One decimal is all that a mean is worth.
fn tenths(number: f64) -> f64 {
    (10.0 * number).round() / 10.0
}

/// The moves of the opening that a game began from.
pub(crate) fn opening_moves(game: &GameRecord) -> String {
    let opening = (game.moves.iter()).take_while(|played| played.clock == Timekeeper::Opening);
    let texts = game.texts().take(opening.count());
    texts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{empty_record, match_record};

    #[test]
    fn every_game_is_a_row() {
        insta::assert_snapshot!(games(&match_record()));
    }

    #[test]
    fn nothing_played_has_a_header() {
        assert_eq!(games(&empty_record()), COLUMNS.join(",") + "\n");
    }

    #[test]
    fn rows_are_read_back_under_the_names_of_the_columns() {
        let text = games(&match_record());
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<std::collections::HashMap<String, String>> =
            reader.deserialize().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows[0]["result"], "white_won");
        assert_eq!(rows[0]["white"], "alpha-beta:depth=7");
        assert_eq!(rows[0]["white_max_us"], "3000");
        assert_eq!(rows[0]["swap"], "true");
        assert_eq!(rows[0]["white_depth"], "7.0");
        assert_eq!(rows[0]["white_nodes"], "5000.0");
        assert_eq!(rows[0]["white_score"], "12");
        assert_eq!(rows[2]["stderr"], "oh <no>");
    }
}
