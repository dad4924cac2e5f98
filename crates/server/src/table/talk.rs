//! What the players of a table say to each other: phrases, told once and kept nowhere.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, Phrase, Refusal, ServerMessage};
use checkers_lib::{ByColor, Color};

use super::{ClientId, Effect, Table};

/// A player says this many phrases at most in [`PERIOD`].
const MOST: usize = 3;
const PERIOD: Duration = Duration::from_secs(10);

/// When each side has said its last phrases: [`MOST`] at most.
#[derive(Debug, Default)]
pub(super) struct Talk(ByColor<VecDeque<Instant>>);

impl Talk {
    fn count(&mut self, by: Color, now: Instant) -> Result<(), Refusal> {
        let said = &mut self.0[by];
        if said.len() == MOST {
            if now.saturating_duration_since(said[0]) < PERIOD {
                let seconds = PERIOD.as_secs();
                let message = format!("say at most {MOST} phrases in {seconds} s");
                return Err(Refusal::new(ErrorCode::TooManyMessages, message));
            }
            said.pop_front();
        }
        said.push_back(now);
        Ok(())
    }
}

impl Table {
    /// Tells everybody what a player of the running game has said, or of the last one while it can be
    /// played again.
    pub(super) fn say(
        &mut self,
        who: ClientId,
        phrase: Phrase,
        now: Instant,
    ) -> Result<Vec<Effect>, Refusal> {
        self.member(who)?;
        let seat = self.seat_of(who).filter(|_| self.running.is_some());
        let by = seat.or_else(|| self.last_game_of(who).map(|(_, side)| side));
        let Some(by) = by else {
            let message = "only the players of a game can say something";
            return Err(Refusal::new(ErrorCode::NoGame, message));
        };
        self.talk.count(by, now)?;
        Ok(vec![Effect::TellAll(ServerMessage::Said {
            table: self.settings.id.clone(),
            by: by.into(),
            phrase,
        })])
    }
}
