//! The games of a tournament as PDN, for other programs and for people.
//!
//! Each move has a comment: `[%clk 0:00:09.2]`, the time left on its side's clock, if it had one;
//! `[%emt 0:00:00.001234]`, the time it took; and the search that the bot reported. Clocks are
//! computed from the recorded times, so that those of a game over a network may have been slightly
//! lower.

use std::time::Duration;

use checkers_lib::pdn::{Comment, PdnGame, PdnResult, Tags};
use checkers_lib::protocol::{EndReason, GameResult};
use checkers_lib::{ByColor, Clocks, Color};

use crate::{GameRecord, MoveRecord, PairingRecord, Seats, Timekeeper, TournamentRecord, text};

const LEGAL: &str = "a record holds moves that were legal when they were played";

/// Every game of the tournament, a blank line between two.
pub fn games(record: &TournamentRecord) -> String {
    let games: Vec<String> = (record.paired_games())
        .map(|(pairing, game)| pdn_game(record, pairing, game).to_string())
        .collect();
    games.join("\n")
}

fn pdn_game(record: &TournamentRecord, pairing: &PairingRecord, game: &GameRecord) -> PdnGame {
    let mut pdn = PdnGame::new(game.start.clone());
    pdn.tags = tags(record, pairing, game);
    pdn.line.comment = Comment::new(&head(record, game));
    pdn.result = result(game.result);
    let mut clocks = clocks(record, game.seats);
    for (index, played) in game.moves.iter().enumerate() {
        let clock = spend(&mut clocks, game.mover(index), played);
        pdn.push(played.m).expect(LEGAL).comment = comment(played, clock);
    }
    pdn
}

/// What is said before the first move.
fn head(record: &TournamentRecord, game: &GameRecord) -> String {
    let line = text::game_line(game, record.settings.planned_games);
    let fault = match game.forfeit() {
        Some(forfeit) => {
            let words = forfeit
                .stderr
                .last()
                .map(|line| format!("; its last words: {line}"));
            format!(
                "; {} {}{}",
                forfeit.bot,
                forfeit.fault,
                words.unwrap_or_default()
            )
        }
        None => String::new(),
    };
    format!("{line}{fault}; {}", record.settings.sides)
}

fn tags(record: &TournamentRecord, pairing: &PairingRecord, game: &GameRecord) -> Tags {
    let date = record.began.split('T').next().unwrap_or_default();
    let mut tags = Tags::default();
    let round = format!("{}.{}", pairing.round, game.number);
    let swap = if record.settings.swap { "yes" } else { "no" };
    for (name, value) in [
        ("Event", &*format!("bots: {}", record.settings.format)),
        ("Date", &date.replace('-', ".")),
        ("Round", &round),
        ("White", &record.bot(game.seats.white).label),
        ("Black", &record.bot(game.seats.black).label),
        ("WhiteType", "program"),
        ("BlackType", "program"),
        ("Opening", &pairing.opening.to_string()),
        ("Swap", swap),
        ("DrawRules", &record.settings.draw_rules),
        ("Annotator", &record.program),
    ] {
        tags.set(name, value).expect("these names are good");
    }
    let clock = |bot| record.bot(bot).limits.clock;
    tags.set_time_control(clock(game.seats.white), clock(game.seats.black));
    if game.reason == EndReason::Time {
        tags.set("Termination", "time forfeit")
            .expect("this name is good");
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

fn clocks(record: &TournamentRecord, seats: Seats) -> Clocks {
    Clocks::new(ByColor::new_with(|side| {
        record.bot(seats.player(side)).limits.clock
    }))
}

/// What is left on the mover's clock after its move, the increment included.
fn spend(clocks: &mut Clocks, side: Color, played: &MoveRecord) -> Option<Duration> {
    if played.clock != Timekeeper::Opening {
        // A clock that ran out shows zero.
        let _ = clocks.spend(side, Duration::from_micros(played.time_us));
    }
    Some(clocks.side(side)?.remaining)
}

fn comment(played: &MoveRecord, clock: Option<Duration>) -> Comment {
    let search = played.search.as_ref().map_or_else(String::new, |search| {
        let (score, depth, nodes) = (search.score, search.depth, search.nodes);
        let line = match search.pv.is_empty() {
            true => String::new(),
            false => format!(", pv {}", search.pv),
        };
        format!("score {score}, depth {depth}, {nodes} nodes{line}")
    });
    let comment = match played.clock {
        Timekeeper::Opening => Comment::new("opening"),
        Timekeeper::Bot | Timekeeper::Server => {
            Comment::new(&format!("[%emt {}] {search}", elapsed(played.time_us)))
        }
    };
    match clock {
        Some(clock) => comment.with_clock(clock),
        None => comment,
    }
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
    use crate::fixtures::match_record;
    use checkers_lib::pdn::parse;

    #[test]
    fn pdn_is_read_back_move_for_move() {
        let record = match_record();
        let games = parse(&games(&record)).unwrap();
        assert_eq!(games.len(), record.games.len());
        for (pdn, game) in games.iter().zip(&record.games) {
            assert_eq!(pdn.moves().len(), game.moves.len());
        }
        let results: Vec<_> = games.iter().map(|game| game.result).collect();
        let expected = [
            PdnResult::WhiteWins,
            PdnResult::Draw,
            PdnResult::Unfinished,
            PdnResult::WhiteWins,
        ];
        assert_eq!(results, expected);
    }

    #[test]
    fn tags_and_comments_describe_the_game() {
        let game = &parse(&games(&match_record())).unwrap()[1];
        assert_eq!(game.tags.get("Date"), Some("2001.09.09"));
        assert_eq!(game.tags.get("Round"), Some("1.2"));
        assert_eq!(game.tags.get("White"), Some("exec:./mine@clock=10s+1s"));
        assert_eq!(game.tags.get("Black"), Some("alpha-beta:depth=7"));
        assert_eq!(game.tags.get("Swap"), Some("yes"));
        // One of them has no clock.
        assert_eq!(game.tags.get("TimeControl"), Some("?"));
        let comments: Vec<_> = (game.moves().iter())
            .map(|played| played.annotation.comment.text())
            .collect();
        let reported = "[%emt 0:00:00.001000] score 12, depth 7, 5000 nodes, pv c3-d4 f6-g5";
        assert_eq!(comments[..2], [reported, "[%emt 0:00:00.002000]"]);
        assert_eq!(
            game.line.comment.text(),
            "game 2 of 6: draw: threefold repetition (article 7.2.3), 3 plies; each opening \
             played twice, with sides swapped"
        );
    }

    #[test]
    fn clocks_run_for_sides_that_have_one() {
        let game = &parse(&games(&match_record())).unwrap()[1];
        let clocks: Vec<_> = (game.moves().iter())
            .map(|played| played.annotation.comment.clock())
            .collect();
        let after = |micros| Some(Duration::from_micros(micros));
        assert_eq!(clocks, [after(10_999_000), None, after(11_996_000)]);
    }

    #[test]
    fn times_are_written_in_full() {
        assert_eq!(elapsed(0), "0:00:00.000000");
        assert_eq!(elapsed(3_723_000_004), "1:02:03.000004");
    }
}
