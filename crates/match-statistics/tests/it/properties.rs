//! What holds for all samples.

use match_statistics::{
    Estimate, Model, Pentanomial, Sample, Sprt, SprtError, Strength, Unavailable, Wdl,
    elo_of_score, score_of_elo,
};
use proptest::prelude::*;

/// None, a few, many, or as many as there can be.
fn count() -> impl Strategy<Value = u32> {
    prop_oneof![
        Just(0),
        0..20_u32,
        0..10_000_u32,
        any::<u32>(),
        Just(u32::MAX)
    ]
}

fn sample() -> impl Strategy<Value = Sample> {
    prop_oneof![
        [count(), count(), count()].prop_map(|[wins, draws, losses]| Sample::Games(Wdl {
            wins,
            draws,
            losses
        })),
        prop::array::uniform5(count()).prop_map(|counts| Sample::Pairs(Pentanomial(counts))),
    ]
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![Just(Model::Normalized), Just(Model::Logistic)]
}

fn hypotheses() -> impl Strategy<Value = [f64; 2]> {
    let elo = || prop_oneof![-10.0..10.0_f64, -500.0..=500.0_f64, Just(0.0)];
    let ordered = |[a, b]: &[f64; 2]| a < b;
    [elo(), elo()].prop_filter("H0 below H1", ordered)
}

fn sprt(elo: [f64; 2], model: Model) -> Sprt {
    Sprt::new(elo, 0.05, 0.05, model).unwrap()
}

fn is_sound(estimate: Result<Estimate, Unavailable>) -> bool {
    estimate.is_err()
        || estimate.is_ok_and(|Estimate { value, low, high }| {
            [value, low, high].into_iter().all(f64::is_finite) && low <= value && value <= high
        })
}

fn is_negated(estimate: Estimate, other: Estimate) -> bool {
    let near = |a: f64, b: f64| (a + b).abs() <= 1e-6 * (1.0 + a.abs());
    near(estimate.value, other.value)
        && near(estimate.low, other.high)
        && near(estimate.high, other.low)
}

/// As good as equal, seen beside the size of the sample: a ratio is a small difference between
/// two sums of so many terms.
fn is_same_ratio(a: f64, b: f64, sample: &Sample) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs() + sample.games() as f64)
}

/// The sample with one trial moved to the next better result.
fn improved(sample: Sample) -> Option<Sample> {
    let mut better = sample;
    match &mut better {
        Sample::Games(games) => {
            games.losses = games.losses.checked_sub(1)?;
            games.draws = games.draws.checked_add(1)?;
        }
        Sample::Pairs(Pentanomial(counts)) => {
            counts[1] = counts[1].checked_sub(1)?;
            counts[2] = counts[2].checked_add(1)?;
        }
    }
    Some(better)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_number_is_finite(sample in sample()) {
        let Strength { score, score_interval, elo, normalized_elo, los, .. } =
            Strength::of(&sample);
        prop_assert!(score.is_err() || score.is_ok_and(|score| (0.0..=1.0).contains(&score)));
        prop_assert!(los.is_err() || los.is_ok_and(|los| (0.0..=1.0).contains(&los)), "{los:?}");
        prop_assert!(is_sound(score_interval), "{score_interval:?}");
        prop_assert!(is_sound(elo), "{elo:?}");
        prop_assert!(is_sound(normalized_elo), "{normalized_elo:?}");
    }

    #[test]
    fn the_other_bot_sees_the_opposite(sample in sample()) {
        let (one, other) = (Strength::of(&sample), Strength::of(&sample.swapped()));
        prop_assert_eq!(one.elo.is_ok(), other.elo.is_ok());
        if let (Ok(one), Ok(other)) = (one.elo, other.elo) {
            prop_assert!(is_negated(one, other), "{:?} {:?}", one, other);
        }
        if let (Ok(one), Ok(other)) = (one.normalized_elo, other.normalized_elo) {
            prop_assert!(is_negated(one, other), "{:?} {:?}", one, other);
        }
        if let (Ok(one), Ok(other)) = (one.los, other.los) {
            prop_assert!((one + other - 1.0).abs() < 1e-9, "{} {}", one, other);
        }
    }

    #[test]
    fn a_better_result_never_lowers_score_and_elo(sample in sample()) {
        let Some(better) = improved(sample) else { return Ok(()) };
        let (before, after) = (Strength::of(&sample), Strength::of(&better));
        prop_assert!(before.score.unwrap() < after.score.unwrap());
        if let (Ok(before), Ok(after)) = (before.elo, after.elo) {
            prop_assert!(before.value <= after.value);
        }
    }

    #[test]
    fn every_ratio_is_finite_and_its_opposite_for_the_other_bot(
        sample in sample(), elo in hypotheses(), model in model(),
    ) {
        let ratio = sprt(elo, model).llr(&sample);
        prop_assert!(ratio.is_finite());
        let [h0, h1] = elo;
        let opposite = sprt([-h1, -h0], model).llr(&sample.swapped());
        prop_assert!(is_same_ratio(ratio, -opposite, &sample), "{} {}", ratio, opposite);
    }

    #[test]
    fn ratios_of_neighbouring_hypotheses_add_up(
        sample in sample(), elo in hypotheses(), model in model(),
    ) {
        let ratio = |h0, h1| sprt([h0, h1], model).llr(&sample);
        let [h0, h1] = elo;
        let middle = h0.midpoint(h1);
        prop_assume!(h0 < middle && middle < h1);
        let sum = ratio(h0, middle) + ratio(middle, h1);
        prop_assert!(is_same_ratio(ratio(h0, h1), sum, &sample));
    }

    #[test]
    fn no_distribution_with_the_mean_is_likelier(
        counts in [1..1000_u32, 1..1000_u32, 1..1000_u32], elo in 1.0..400.0_f64, way in 0.0..1.0,
    ) {
        let games = Wdl { wins: counts[0], draws: counts[1], losses: counts[2] };
        let ratio = sprt([0.0, elo], Model::Logistic).llr(&Sample::Games(games));
        // The likelihood of H0 is at least that of any distribution of mean ½: wins and losses
        // have the same chance. That of H1 is at most that of the empirical one.
        let lopsided = 0.001 + 0.498 * way;
        let total = games.games() as f64;
        let log = |count: u32, chance: f64| f64::from(count) * (chance * total / f64::from(count)).ln();
        let h0 = log(games.wins, lopsided) + log(games.losses, lopsided)
            + log(games.draws, 1.0 - 2.0 * lopsided);
        prop_assert!(ratio <= -h0 + 1e-6, "{ratio} {h0}");
    }

    #[test]
    fn more_wins_speak_for_the_stronger_hypothesis(
        games in [1..500_u32, 1..500_u32, 1..500_u32], elo in 1.0..100.0_f64,
    ) {
        let [wins, draws, losses] = games;
        let test = sprt([0.0, elo], Model::Logistic);
        let before = test.llr(&Sample::Games(Wdl { wins, draws, losses }));
        let after = test.llr(&Sample::Games(Wdl { wins: wins + 1, draws, losses: losses - 1 }));
        prop_assert!(before < after);
    }

    #[test]
    fn scales_go_both_ways(elo in -2000.0..2000.0_f64) {
        prop_assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-6);
    }
}

#[test]
fn no_games_are_no_evidence() {
    for sample in [
        Sample::Games(Wdl::default()),
        Sample::Pairs(Pentanomial::default()),
    ] {
        assert_eq!(sprt([0.0, 10.0], Model::Normalized).llr(&sample), 0.0);
    }
}

#[test]
fn a_test_that_makes_no_sense_is_refused() {
    let test = |elo, alpha, beta| Sprt::new(elo, alpha, beta, Model::Normalized).unwrap_err();
    assert!(matches!(
        test([5.0, 0.0], 0.05, 0.05),
        SprtError::Order { .. }
    ));
    assert!(matches!(
        test([5.0, 5.0], 0.05, 0.05),
        SprtError::Order { .. }
    ));
    assert!(matches!(
        test([0.0, 501.0], 0.05, 0.05),
        SprtError::Elo { .. }
    ));
    assert!(matches!(
        test([f64::NAN, 5.0], 0.05, 0.05),
        SprtError::Elo { .. }
    ));
    assert!(matches!(
        test([0.0, 5.0], 0.0, 0.05),
        SprtError::Rate { name: "alpha", .. }
    ));
    assert!(matches!(
        test([0.0, 5.0], 0.05, f64::NAN),
        SprtError::Rate { name: "beta", .. }
    ));
    assert!(matches!(
        test([0.0, 5.0], 0.5, 0.5),
        SprtError::Rates { .. }
    ));
}

/// Samples for which digits were lost once.
#[test]
fn lopsided_samples_keep_their_digits() {
    let few_wins = Sample::Games(Wdl {
        wins: 12,
        draws: 611_771_459,
        losses: 18,
    });
    let los = |sample: &Sample| Strength::of(sample).los.unwrap();
    assert!((los(&few_wins) + los(&few_wins.swapped()) - 1.0).abs() < 1e-12);

    let few_draws = Sample::Pairs(Pentanomial([0, 0, 16, 9537, u32::MAX]));
    let ratio = sprt([0.0, 382.8], Model::Normalized).llr(&few_draws);
    let opposite = sprt([-382.8, 0.0], Model::Normalized).llr(&few_draws.swapped());
    assert!((ratio + opposite).abs() < 1e-9 * ratio);
}
