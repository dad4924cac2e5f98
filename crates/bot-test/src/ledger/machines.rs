//! Whether machines are equal enough for limits of time.

use std::time::{Duration, Instant};

use checkers_engine::{BotSpec, Limits};
use checkers_lib::{DrawRules, Game};

use crate::TournamentPlan;

/// How much slower or faster than the first machine of a run others may be, in percent.
pub(super) const TOLERANCE: f64 = 15.0;

/// How often the search is repeated; the fastest one is the least disturbed.
const ROUNDS: u32 = 7;

/// The nodes of the search.
const NODES: u64 = 100_000;

/// Whether the games of a plan depend on the speed of the machine.
pub(super) fn is_timed(plan: &TournamentPlan) -> bool {
    let limits = plan.participants.iter().map(|bot| bot.limits);
    limits
        .into_iter()
        .any(|limits| limits.movetime.is_some() || limits.clock.is_some())
}

/// The nodes that a fixed search of this program visits in a second on one thread of this machine. Takes about a
/// second.
pub(super) fn speed() -> f64 {
    let spec: BotSpec = "negascout-id".parse().expect("a bot of ours");
    let game = Game::new(DrawRules::Fmjd64);
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    let round = |_| {
        let mut bot = spec.build();
        bot.new_game(0);
        let began = Instant::now();
        let nodes = bot.choose(&game, &limits).nodes;
        nodes as f64 / began.elapsed().max(Duration::from_micros(1)).as_secs_f64()
    };
    (0..ROUNDS).map(round).fold(0.0, f64::max)
}

/// Whether a machine is as fast as another one.
pub(super) fn are_equal(speed: f64, expected: f64) -> bool {
    (speed / expected - 1.0).abs() * 100.0 <= TOLERANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_may_differ_a_little() {
        for (speed, are) in [
            (1.0, true),
            (0.86, true),
            (1.14, true),
            (0.8, false),
            (2.0, false),
        ] {
            assert_eq!(are_equal(speed, 1.0), are, "{speed}");
        }
    }
}
