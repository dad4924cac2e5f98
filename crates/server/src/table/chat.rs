//! Chat between the players of a table: fixed phrases, which are not stored.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use checkers_lib::protocol::{ErrorCode, Phrase, Refusal, ServerMessage};
use checkers_lib::{ByColor, Color};

use super::{ClientId, Effect, Table};

/// The most phrases of a player within [`PERIOD`].
const MAX_PHRASES: usize = 3;
const PERIOD: Duration = Duration::from_secs(10);

/// The times of the last phrases of each side.
#[derive(Debug, Default)]
pub(super) struct PhraseLimiter(ByColor<VecDeque<Instant>>);

impl PhraseLimiter {
    fn count(&mut self, by: Color, now: Instant) -> Result<(), Refusal> {
        let sent = &mut self.0[by];
        if sent.len() == MAX_PHRASES {
            if now.saturating_duration_since(sent[0]) < PERIOD {
                let seconds = PERIOD.as_secs();
                let message = format!("say at most {MAX_PHRASES} phrases in {seconds} s");
                return Err(Refusal::new(ErrorCode::TooManyMessages, message));
            }
            sent.pop_front();
        }
        sent.push_back(now);
        Ok(())
    }
}

impl Table {
    /// Broadcasts a phrase of a player of the running game, or of the last one while a rematch is
    /// possible.
    pub(super) fn send_phrase(
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
        self.phrases.count(by, now)?;
        Ok(vec![Effect::Broadcast(ServerMessage::Said {
            table: self.settings.id.clone(),
            by: by.into(),
            phrase,
        })])
    }
}
