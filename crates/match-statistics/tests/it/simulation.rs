//! Tests of simulated matches: how often they are wrong.

use match_statistics::{Decision, GameScore, Model, Pentanomial, Sample, Sprt, Strength};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A bot that draws a share of its games and wins so many of the others.
#[derive(Clone, Copy)]
struct SimulatedPlayer {
    draws: f64,
    wins: f64,
}

impl SimulatedPlayer {
    /// A bot of a normalized Elo: score - ½ = Elo / 347.4 · √(1 - draws) / 2 to first order, solved
    /// here for the exact deviation.
    fn of_normalized_elo(elo: f64, draws: f64) -> SimulatedPlayer {
        let deviations = elo / (800.0 / std::f64::consts::LN_10);
        // (s - ½)² = t² · ((1 - draws) / 4 - (s - ½)²)
        let above_half =
            deviations * ((1.0 - draws) / 4.0 / (1.0 + deviations * deviations)).sqrt();
        let wins = 0.5 + above_half / (1.0 - draws);
        SimulatedPlayer { draws, wins }
    }

    fn play(self, rng: &mut Pcg64Mcg) -> GameScore {
        if rng.random_bool(self.draws) {
            GameScore::Draw
        } else if rng.random_bool(self.wins) {
            GameScore::Win
        } else {
            GameScore::Loss
        }
    }
}

/// Pairs between two looks at the test, as many as a match plays at the same time.
const PAIRS_AT_ONCE: usize = 4;

/// Plays pairs until the test decides.
fn decide(test: &Sprt, player: SimulatedPlayer, rng: &mut Pcg64Mcg) -> Decision {
    let mut pairs = Pentanomial::default();
    loop {
        for _ in 0..PAIRS_AT_ONCE {
            pairs.count([player.play(rng), player.play(rng)]);
        }
        let decision = test.judge(&Sample::Pairs(pairs)).decision;
        if decision != Decision::Continue {
            return decision;
        }
    }
}

/// In what share of many tests H1 is accepted.
fn accepted(test: &Sprt, player: SimulatedPlayer, seed: u64) -> f64 {
    const TESTS: u32 = 400;
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let count = (0..TESTS).filter(|_| decide(test, player, &mut rng) == Decision::AcceptH1);
    count.count() as f64 / f64::from(TESTS)
}

#[test]
fn errors_are_as_frequent_as_they_may_be() {
    let test = Sprt::new([0.0, 60.0], 0.10, 0.05, Model::Normalized).unwrap();
    let player = |elo| SimulatedPlayer::of_normalized_elo(elo, 0.6);
    let wrong_h1 = accepted(&test, player(0.0), 1);
    let wrong_h0 = 1.0 - accepted(&test, player(60.0), 2);
    // Wald's rates, give or take three standard deviations of 400 tests and the overshoot, which
    // makes them a little smaller.
    assert!((0.04..=0.145).contains(&wrong_h1), "{wrong_h1}");
    assert!((0.01..=0.085).contains(&wrong_h0), "{wrong_h0}");
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_matches() {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let player = SimulatedPlayer {
        draws: 0.5,
        wins: 0.6,
    };
    let truth = match_statistics::elo_of_score(0.55);
    let is_held = |_: &u32| {
        let mut pairs = Pentanomial::default();
        for _ in 0..200 {
            pairs.count([player.play(&mut rng), player.play(&mut rng)]);
        }
        let elo = Strength::of(&Sample::Pairs(pairs)).elo.unwrap();
        (elo.low..=elo.high).contains(&truth)
    };
    let held = (0..2000).filter(is_held).count();
    assert!((1870..=1930).contains(&held), "{held}");
}
