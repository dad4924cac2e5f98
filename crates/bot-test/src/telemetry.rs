//! What the bots tell about themselves on their stdout.

use std::collections::HashMap;

use checkers_bot::report::Report;

use crate::{BotId, Clock, GameRecord, SearchInfo};

/// More plies than a game has under any rules of ours; what is told of others is not kept.
const MAX_PLIES: u32 = 10_000;

/// What the bots told about themselves.
#[derive(Debug)]
pub(crate) struct Telemetry {
    games: u64,
    moves: HashMap<(BotId, u64, u32), Told>,
    complaints: [Option<String>; 2],
}

/// What a bot told about a move.
#[derive(Clone, Copy, Debug)]
struct Told {
    time_us: u64,
    search: SearchInfo,
}

impl Telemetry {
    /// For a match of so many games.
    pub(crate) fn new(games: u64) -> Telemetry {
        Telemetry {
            games,
            moves: HashMap::new(),
            complaints: [None, None],
        }
    }

    /// Takes in a line of a bot's stdout. A line that is no report is talk.
    pub(crate) fn hear(&mut self, bot: BotId, line: &str) {
        match serde_json::from_str(line) {
            Ok(Report::Move {
                game,
                ply,
                score,
                depth,
                nodes,
                time_us,
                ..
            }) if (1..=self.games).contains(&game) && ply < MAX_PLIES => {
                let search = SearchInfo {
                    score,
                    depth,
                    nodes,
                };
                self.moves
                    .insert((bot, game, ply), Told { time_us, search });
            }
            Ok(Report::Failed { message, .. }) => self.complaints[bot.0] = Some(message),
            Ok(_) | Err(_) => {}
        }
    }

    /// Why a bot said that it gave up.
    pub(crate) fn complaint(&self, bot: BotId) -> Option<&str> {
        self.complaints[bot.0].as_deref()
    }

    /// Writes what was told into the records; the bot's own clock takes the place of the
    /// server's.
    pub(crate) fn complete(&self, games: &mut [GameRecord]) {
        for game in games {
            for (ply, played) in (0..).zip(&mut game.moves) {
                let bot = game.seats.player(played.color);
                if let Some(told) = self.moves.get(&(bot, game.number, ply)) {
                    played.time_us = told.time_us;
                    played.clock = Clock::Bot;
                    played.search = Some(told.search);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::game;
    use checkers_lib::protocol::{EndReason, GameResult};

    const REPORT: &str = r#"{"type":"move","game":1,"ply":1,"move":"f6-g5","score":-3,"depth":4,"nodes":99,"time_us":1234,"pv":["f6-g5"]}"#;

    #[test]
    fn the_bots_own_clock_takes_the_place_of_the_servers() {
        let mut telemetry = Telemetry::new(1);
        telemetry.hear(BotId::SECOND, REPORT);
        let mut games = [game(1, false, GameResult::Draw, EndReason::Repetition)];
        let before = games[0].clone();
        telemetry.complete(&mut games);
        let told = &games[0].moves[1];
        assert_eq!((told.clock, told.time_us), (Clock::Bot, 1234));
        assert_eq!(told.search.unwrap().nodes, 99);
        assert_eq!(games[0].moves[0], before.moves[0]);
    }

    #[test]
    fn nobody_speaks_for_the_other() {
        let mut telemetry = Telemetry::new(1);
        telemetry.hear(BotId::FIRST, REPORT);
        let mut games = [game(1, false, GameResult::Draw, EndReason::Repetition)];
        telemetry.complete(&mut games);
        assert_eq!(games[0].moves[1].clock, Clock::Server);
    }

    #[test]
    fn talk_and_games_that_are_not_played_are_ignored() {
        let mut telemetry = Telemetry::new(1);
        for line in ["", "hello", "{", "{}", r#"{"type":"move"}"#] {
            telemetry.hear(BotId::FIRST, line);
        }
        telemetry.hear(BotId::SECOND, &REPORT.replace(r#""game":1"#, r#""game":2"#));
        assert!(telemetry.moves.is_empty());
        assert_eq!(telemetry.complaint(BotId::FIRST), None);
    }

    #[test]
    fn the_last_words_are_kept() {
        let mut telemetry = Telemetry::new(1);
        let last = r#"{"type":"failed","code":7,"message":"c3-c4 was refused"}"#;
        telemetry.hear(BotId::FIRST, last);
        assert_eq!(telemetry.complaint(BotId::FIRST), Some("c3-c4 was refused"));
    }
}
