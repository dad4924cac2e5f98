//! How long a bot may think.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::clock::Instant;

/// The deepest search in plies.
pub(crate) const MAX_DEPTH: u32 = 64;

/// What bounds one choice of a move. All bounds hold together: the first one reached ends the
/// search. The default bounds nothing beyond the bot's own spec.
///
/// A search that is cut short still answers with a legal move, [`Choice::complete`] says that it
/// was cut, and how good the move is depends on the algorithm:
///
/// | bot | depth | when cut short |
/// |---|---|---|
/// | the fixed-depth searches | `depth`, else the spec's | the best of the root's moves searched by then, or the first legal one |
/// | those with `id=on` | `depth`, else the spec's if nothing else bounds the search, else 64 | the answer of the last depth finished |
/// | `mtdf` | likewise | the answer of the last depth finished, or the first legal move |
/// | `sss-star` | likewise | the first legal move: it has none before its answer |
/// | `negascout-id` | `depth`, else the spec's if nothing else bounds the search, else 64 | the best of the moves searched at the depth begun, the first of which is the best of the depth before |
/// | `champion` | likewise | likewise |
/// | `mcts` | none: `nodes` bounds its simulations, else the spec's `playouts` if no time does | the best of the simulations made |
/// | `random` | none | never: it does not search |
///
/// With `order=best` and `order=worst` another search finds out what the moves are worth. Its nodes
/// do not count, and flag and time end it too. Where its memory of about 50 MB does not suffice, the
/// search is cut short.
///
/// The flag and the time are looked at every 1024 nodes (every 16 simulations of `mcts`), which
/// takes well under a millisecond.
///
/// [`Choice::complete`]: crate::Choice::complete
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Searches this many plies deep, brought into the range 1 to 64. It does not bound `mcts`.
    pub depth: Option<u32>,
    /// Visits at most this many nodes, counted as in [`Choice::nodes`](crate::Choice::nodes).
    pub nodes: Option<u64>,
    /// Takes at most this long.
    pub movetime: Option<Duration>,
    /// Plays on a clock; each algorithm takes a share of it.
    pub clock: Option<Clock>,
    /// Ends the search early when set.
    pub stop: Stop,
    /// Thinks while it is the opponent's turn: neither clock nor time per move end the search
    /// before [`Ponder::hit`], and what they allow counts from then on.
    pub ponder: Option<Ponder>,
}

/// A player's clock before its move.
///
/// An algorithm that can end at any moment aims at a thirtieth of what remains and three quarters
/// of the increment. One that cannot, because it needs the iteration or the fixed depth it has
/// begun, may take three times as long. Neither takes more than half of what remains. What the way
/// of the move to the clock takes is the caller's to subtract.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    /// What remains for all moves to come.
    pub remaining: Duration,
    /// What every move adds once it is made.
    pub increment: Duration,
}

impl Clock {
    /// What to aim at.
    fn target(self) -> Duration {
        let share = (self.remaining / 30).saturating_add(self.increment / 4 * 3);
        share.min(self.remaining / 2)
    }

    /// What to take at most.
    fn most(self) -> Duration {
        self.target().saturating_mul(3).min(self.remaining / 2)
    }
}

impl Limits {
    /// When a search that can end at any moment should.
    pub(crate) fn target_time(&self) -> Option<Duration> {
        earlier(self.movetime, self.clock.map(Clock::target))
    }

    /// When any search must end.
    pub(crate) fn most_time(&self) -> Option<Duration> {
        earlier(self.movetime, self.clock.map(Clock::most))
    }

    /// The deepest iteration of a search that deepens, whose spec has `depth`.
    pub(crate) fn deepest(&self, depth: u32) -> u32 {
        let unless_asked = if self.bounds_effort() {
            MAX_DEPTH
        } else {
            depth
        };
        self.depth.unwrap_or(unless_asked).clamp(1, MAX_DEPTH)
    }

    /// Whether a search for a move begins another iteration. Within a time, not where there is no choice; on a clock,
    /// not once half of the time it aims at is over, because an iteration takes longer than all before it.
    pub(crate) fn allow_another_iteration(&self, start: Instant, moves: usize) -> bool {
        let target = self.clock.and(self.target_time());
        let has_choice = moves > 1 || self.most_time().is_none();
        has_choice && target.is_none_or(|time| start.elapsed() < time / 2)
    }

    /// Whether nodes or time bound the search, whatever its depth.
    pub(crate) fn bounds_effort(&self) -> bool {
        self.nodes.is_some() || self.most_time().is_some()
    }
}

fn earlier(one: Option<Duration>, other: Option<Duration>) -> Option<Duration> {
    one.into_iter().chain(other).min()
}

/// A flag that ends a search from outside: clone it, hand one clone to the search and call
/// [`Stop::stop`] on another from any thread. The search ends within a few thousand nodes.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Sets the flag, for good and for all its clones.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells a search that thinks in the opponent's time that its own has begun: clone it, hand one
/// clone to the search and call [`Ponder::hit`] on another from any thread.
#[derive(Clone, Debug, Default)]
pub struct Ponder(Arc<OnceLock<Instant>>);

impl Ponder {
    /// The opponent has moved as expected, and the clock runs from now on. The first call counts.
    pub fn hit(&self) {
        let _ = self.0.set(Instant::now());
    }

    /// When the side's own time began, if it has.
    #[inline]
    pub(crate) fn turn(&self) -> Option<Instant> {
        self.0.get().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64) -> Clock {
        Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        }
    }

    #[test]
    fn a_clock_gives_a_share_and_never_more_than_half() {
        for (clock, target, most) in [
            (clock(60_000, 0), 2_000, 6_000),
            (clock(30_000, 4_000), 4_000, 12_000),
            (clock(600, 4_000), 300, 300),
            (clock(0, 4_000), 0, 0),
        ] {
            assert_eq!(clock.target(), Duration::from_millis(target), "{clock:?}");
            assert_eq!(clock.most(), Duration::from_millis(most), "{clock:?}");
        }
    }

    #[test]
    fn a_clock_that_is_used_up_to_the_bound_is_never_empty() {
        // What a search may take at most, and as much again as the system may hold it up by.
        let late = Duration::from_millis(4);
        let mut clock = clock(100, 10);
        for ply in 0..500 {
            let left = clock.remaining.checked_sub(clock.most() + late);
            clock.remaining =
                left.unwrap_or_else(|| panic!("lost on time at move {ply}")) + clock.increment;
        }
    }

    #[test]
    fn the_earlier_of_two_times_counts() {
        let movetime = Some(Duration::from_millis(50));
        let mut limits = Limits::default();
        assert_eq!((limits.target_time(), limits.most_time()), (None, None));
        limits.clock = Some(clock(60_000, 0));
        assert_eq!(limits.most_time(), Some(Duration::from_secs(6)));
        limits.movetime = movetime;
        assert_eq!(
            (limits.target_time(), limits.most_time()),
            (movetime, movetime)
        );
    }

    #[test]
    fn clocks_of_any_length_are_fine() {
        let endless = Clock {
            remaining: Duration::MAX,
            increment: Duration::MAX,
        };
        assert!(endless.most() <= Duration::MAX / 2);
        assert!(clock(u64::MAX, 0).target() > Duration::ZERO);
    }
}
