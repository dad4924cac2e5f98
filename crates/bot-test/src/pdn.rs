//! The games of a match as PDN, for other programs and for people.
//!
//! Each move has a comment: `[%emt 0:00:00.001234]`, the time it took, and what the bot told
//! about its search. There is no `[%clk …]`, as nobody's clock runs down.

use checkers_lib::Position;
use checkers_lib::pdn::{Comment, PdnGame, PdnResult, Tags};
use checkers_lib::protocol::GameResult;

use crate::{GameRecord, MatchRecord, MoveRecord, text};

const LEGAL: &str = "a record holds moves that were legal when they were played";

/// Every game of the match, a blank line between two.
pub(crate) fn games(record: &MatchRecord) -> String {
    let games: Vec<String> = (record.games.iter())
        .map(|game| pdn_game(record, game).to_string())
        .collect();
    games.join("\n")
}

fn pdn_game(record: &MatchRecord, game: &GameRecord) -> PdnGame {
    let start: Position = game.start_fen.parse().expect(LEGAL);
    let mut pdn = PdnGame::new(start);
    pdn.tags = tags(record, game);
    pdn.comment = Comment::new(&text::game_line(game, record.options.games));
    pdn.result = result(game.result);
    for played in &game.moves {
        let m = pdn.position().parse_move(&played.text).expect(LEGAL);
        pdn.push(m).expect(LEGAL).comment = comment(played);
    }
    pdn
}

fn tags(record: &MatchRecord, game: &GameRecord) -> Tags {
    let date = record.began.split('T').next().unwrap_or_default();
    let mut tags = Tags::default();
    for (name, value) in [
        ("Event", "bot match"),
        ("Date", &date.replace('-', ".")),
        ("Round", &game.number.to_string()),
        ("White", &record.bots[game.seats.white.0].spec),
        ("Black", &record.bots[game.seats.black.0].spec),
        ("WhiteType", "program"),
        ("BlackType", "program"),
        ("DrawRules", &record.options.draw_rules),
        ("Annotator", &record.program),
    ] {
        tags.set(name, value).expect("these names are good");
    }
    tags
}

fn result(result: GameResult) -> PdnResult {
    match result {
        GameResult::WhiteWon => PdnResult::WhiteWins,
        GameResult::BlackWon => PdnResult::BlackWins,
        GameResult::Draw => PdnResult::Draw,
        GameResult::Interrupted => PdnResult::Unfinished,
    }
}

fn comment(played: &MoveRecord) -> Comment {
    let search = played.search.map_or_else(String::new, |search| {
        let (score, depth, nodes) = (search.score, search.depth, search.nodes);
        format!("score {score}, depth {depth}, {nodes} nodes")
    });
    Comment::new(&format!("[%emt {}] {search}", elapsed(played.time_us)))
}

/// Microseconds as `H:MM:SS.ffffff`.
fn elapsed(time_us: u64) -> String {
    let (seconds, micros) = (time_us / 1_000_000, time_us % 1_000_000);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    format!("{hours}:{minutes:02}:{seconds:02}.{micros:06}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::record;
    use checkers_lib::pdn::parse;

    #[test]
    fn pdn_is_read_back_move_for_move() {
        let record = record();
        let games = parse(&games(&record)).unwrap();
        assert_eq!(games.len(), record.games.len());
        for (pdn, game) in games.iter().zip(&record.games) {
            assert_eq!(pdn.moves().len(), game.moves.len());
        }
        let results: Vec<_> = games.iter().map(|game| game.result).collect();
        let expected = [PdnResult::WhiteWins, PdnResult::Draw, PdnResult::Unfinished];
        assert_eq!(results, expected);
    }

    #[test]
    fn tags_and_comments_say_who_and_how() {
        let game = &parse(&games(&record())).unwrap()[1];
        assert_eq!(game.tags.get("Date"), Some("2001.09.09"));
        assert_eq!(game.tags.get("Round"), Some("2"));
        assert_eq!(game.tags.get("White"), Some("exec:./mine"));
        assert_eq!(game.tags.get("Black"), Some("alpha-beta:depth=7"));
        let comments: Vec<_> = (game.moves().iter())
            .map(|played| played.annotation.comment.text())
            .collect();
        let told = "[%emt 0:00:00.001000] score 12, depth 7, 5000 nodes";
        assert_eq!(comments[..2], [told, "[%emt 0:00:00.002000]"]);
        let end = "game 2 of 5: draw: threefold repetition (article 7.2.3), 3 plies";
        assert_eq!(game.comment.text(), end);
    }

    #[test]
    fn times_are_written_in_full() {
        assert_eq!(elapsed(0), "0:00:00.000000");
        assert_eq!(elapsed(3_723_000_004), "1:02:03.000004");
    }
}
