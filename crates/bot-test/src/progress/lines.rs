//! Lines for a log: one for each game, or fewer when games are fast.

use std::time::{Duration, Instant};

use super::state::TournamentState;
use crate::GameRecord;
use crate::text::game_line;

/// How long a stretch of time is.
const STRETCH: Duration = Duration::from_secs(2);

/// How many games may have a line of their own in one stretch.
const LINES: u32 = 10;

/// How long games may have lines of their own before one says how it stands.
const SILENCE: Duration = Duration::from_secs(30);

/// Decides which lines are written: in each stretch of two seconds the first ten games have one
/// each. After a stretch with more games comes one with a single line for all of them, which says
/// how it stands. Where games are slower, such a line comes twice a minute.
#[derive(Debug)]
pub(super) struct LineLimiter {
    /// When a line last said how it stands.
    reported: Instant,
    /// When the present stretch began.
    began: Instant,
    /// How many games were over in it.
    games: u32,
    /// Whether games have no lines of their own in it.
    is_fast: bool,
}

impl LineLimiter {
    pub(super) fn new(now: Instant) -> LineLimiter {
        LineLimiter {
            reported: now,
            began: now,
            games: 0,
            is_fast: false,
        }
    }

    /// The text to write when a game is over.
    pub(super) fn over(
        &mut self,
        game: &GameRecord,
        state: &TournamentState,
        now: Instant,
    ) -> Vec<String> {
        let mut is_due = now - self.reported >= SILENCE;
        if now - self.began >= STRETCH {
            let had_more = self.games > LINES;
            is_due |= self.is_fast || had_more;
            (self.began, self.games, self.is_fast) = (now, 0, had_more);
        }
        self.games = self.games.saturating_add(1);
        let has_line = !self.is_fast && self.games <= LINES;
        let mut lines = Vec::new();
        lines.extend(has_line.then(|| game_line(game, state.planned())));
        if is_due {
            self.reported = now;
            lines.push(state.line(now));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::game;
    use checkers_lib::protocol::{EndReason, GameResult};

    /// How many lines a number of games of a given duration write.
    fn lines(games: u64, each: Duration) -> Vec<String> {
        let began = Instant::now();
        let (mut lines, mut state) = (LineLimiter::new(began), TournamentState::new(2));
        (1..=games)
            .flat_map(|number| {
                let game = game(number, GameResult::WhiteWon, EndReason::NoMoves);
                state.game(&game);
                let now = began + each * u32::try_from(number).unwrap();
                lines.over(&game, &state, now)
            })
            .collect()
    }

    #[test]
    fn slow_games_have_a_line_each() {
        let lines = lines(20, Duration::from_millis(300));
        assert_eq!(lines.len(), 20);
        assert_eq!(
            lines[1],
            "game 2: white won: no legal move (bot 2), 3 plies"
        );
    }

    #[test]
    fn slow_games_say_how_it_stands_twice_a_minute() {
        // Two minutes.
        let lines = lines(24, Duration::from_secs(5));
        assert_eq!(lines.len(), 24 + 4);
        assert_eq!(
            lines[5],
            "game 6: white won: no legal move (bot 2), 3 plies"
        );
        assert!(
            lines[6].starts_with("6 games; 0 pairs; bot 1: "),
            "{}",
            lines[6]
        );
    }

    #[test]
    fn fast_games_share_a_line() {
        // 20 seconds.
        let lines = lines(20_000, Duration::from_millis(1));
        assert_eq!(lines.len(), 10 + 10);
        assert!(
            lines[15].starts_with("12000 games; 0 pairs; bot 1: "),
            "{}",
            lines[15]
        );
    }
}
