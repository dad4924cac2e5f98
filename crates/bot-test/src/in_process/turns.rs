//! Whether a bot has the turn, and whether it took too long: one word of memory, in which the
//! runner counts the turns and the watcher sees that they go on.

use std::sync::atomic::{AtomicU64, Ordering};

/// The turns of a runner's bots. Either side decides by one atomic step, so that both agree on
/// whether a bot came in time.
#[derive(Default)]
pub(super) struct Turns(AtomicU64);

/// A moment as the watcher sees it; another turn is another moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Moment(u64);

/// How far a turn is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// No bot has the turn.
    Idle,
    /// A bot has the turn.
    Thinking,
    /// A bot has the turn and was asked to stop.
    Late,
    /// A bot has the turn and will not be waited for.
    GivenUp,
}

/// How many phases a turn has: the count of turns stands above them.
const PHASES: u64 = 4;

impl Moment {
    pub(super) fn phase(self) -> Phase {
        match self.0 % PHASES {
            0 => Phase::Idle,
            1 => Phase::Thinking,
            2 => Phase::Late,
            _ => Phase::GivenUp,
        }
    }

    /// The first moment after this turn; the moment itself if there is no turn, or no end to it.
    fn after(self) -> Moment {
        match self.phase() {
            Phase::Idle | Phase::GivenUp => self,
            Phase::Thinking | Phase::Late => Moment(self.0 - self.0 % PHASES + PHASES),
        }
    }
}

impl Turns {
    /// For the runner: a bot has the turn now.
    pub(super) fn begin(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    /// For the runner: ends the turn and returns the phase in which it was.
    pub(super) fn end(&self) -> Phase {
        let after = |word| Some(Moment(word).after().0);
        let ended = (self.0).fetch_update(Ordering::AcqRel, Ordering::Acquire, after);
        let (Ok(word) | Err(word)) = ended;
        Moment(word).phase()
    }

    /// For the watcher: what goes on.
    pub(super) fn now(&self) -> Moment {
        Moment(self.0.load(Ordering::Acquire))
    }

    /// For the watcher: brings a turn into its next phase, unless it is over.
    pub(super) fn press(&self, seen: Moment) -> bool {
        let next = seen.0 + 1;
        (self.0)
            .compare_exchange(seen.0, next, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ends_in_the_phase_it_was_brought_into() {
        let turns = Turns::default();
        assert_eq!(turns.now().phase(), Phase::Idle);
        for presses in [0, 1, 0] {
            turns.begin();
            for _ in 0..presses {
                assert!(turns.press(turns.now()));
            }
            let phase = turns.now().phase();
            assert_eq!(turns.end(), phase);
            assert_eq!(turns.now().phase(), Phase::Idle);
        }
    }

    #[test]
    fn a_turn_that_is_over_cannot_be_pressed() {
        let turns = Turns::default();
        turns.begin();
        let seen = turns.now();
        assert_eq!(turns.end(), Phase::Thinking);
        assert!(!turns.press(seen));
        turns.begin();
        assert!(!turns.press(seen));
        assert_eq!(turns.end(), Phase::Thinking);
    }

    #[test]
    fn a_turn_that_was_given_up_never_ends() {
        let turns = Turns::default();
        turns.begin();
        assert!(turns.press(turns.now()));
        assert!(turns.press(turns.now()));
        assert_eq!(turns.end(), Phase::GivenUp);
        assert_eq!(turns.end(), Phase::GivenUp);
    }
}
