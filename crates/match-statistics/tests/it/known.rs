//! Known answers.
//!
//! CITE: fastchess (Disservin/fastchess), `app/tests/elo_test.cpp` and `sprt_test.cpp`, for inputs
//! and outputs; the rest was computed with the formulas of its source.

use match_statistics::{
    Decision, Estimate, Model, Pentanomial, Sample, Sprt, Strength, Unavailable, Wdl,
};

const PAIRS: &str = "12,80,210,110,20";

fn games(text: &str) -> Sample {
    Sample::Games(text.parse::<Wdl>().unwrap())
}

fn pairs(text: &str) -> Sample {
    Sample::Pairs(text.parse::<Pentanomial>().unwrap())
}

fn llr(sample: Sample, elo: [f64; 2], model: Model) -> f64 {
    Sprt::new(elo, 0.05, 0.05, model).unwrap().llr(&sample)
}

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} for {expected}"
    );
}

/// Value and error, both to within a tolerance.
#[track_caller]
fn assert_estimate(estimate: Result<Estimate, Unavailable>, expected: (f64, f64), tolerance: f64) {
    let estimate = estimate.unwrap();
    assert_near(estimate.value, expected.0, tolerance);
    assert_near(estimate.error(), expected.1, tolerance);
}

#[test]
fn single_games() {
    let strength = Strength::of(&games("136,111,96"));
    assert_estimate(strength.elo, (40.70, 30.43), 0.005);
    assert_estimate(strength.normalized_elo, (49.77, 36.77), 0.005);
    assert_near(strength.los.unwrap(), 0.9960, 0.000_05);
}

#[test]
fn pairs_of_games() {
    let strength = Strength::of(&pairs(PAIRS));
    assert_estimate(strength.elo, (18.515, 13.993), 0.0005);
    assert_estimate(strength.normalized_elo, (30.73, 23.17), 0.005);
    assert_near(strength.los.unwrap(), 0.9953, 0.000_05);
}

#[test]
fn published_estimates() {
    for (sample, elo, nelo, los) in [
        (games("76,123,89"), None, (-20.76, 40.13), 0.1553),
        (
            pairs("34,54,63,64,75"),
            Some((55.58, 27.65)),
            (57.94, 28.28),
            1.0,
        ),
        (
            pairs("332,433,498,333,334"),
            Some((-8.64, 10.33)),
            (-9.17, 10.96),
            0.0505,
        ),
    ] {
        let strength = Strength::of(&sample);
        if let Some(elo) = elo {
            assert_estimate(strength.elo, elo, 0.01);
        }
        assert_estimate(strength.normalized_elo, nelo, 0.01);
        assert_near(strength.los.unwrap(), los, 0.0001);
    }
}

#[test]
fn the_tests_that_decide_and_those_that_do_not() {
    let judge = |sample, elo, model| {
        let answer = Sprt::new(elo, 0.05, 0.05, model).unwrap().judge(&sample);
        (answer.llr, answer.decision)
    };
    let long = games("880,1863,759");
    for (sample, elo, model, expected, decision) in [
        (
            pairs(PAIRS),
            [0.0, 10.0],
            Model::Normalized,
            1.82352,
            Decision::Continue,
        ),
        (
            pairs(PAIRS),
            [0.0, 10.0],
            Model::Logistic,
            2.63357,
            Decision::Continue,
        ),
        (
            long,
            [0.0, 5.0],
            Model::Logistic,
            2.9472,
            Decision::AcceptH1,
        ),
        (
            long,
            [0.0, 5.0],
            Model::Normalized,
            2.1830,
            Decision::Continue,
        ),
    ] {
        let (llr, decided) = judge(sample, elo, model);
        assert_near(llr, expected, 0.000_05);
        assert_eq!(decided, decision);
    }
}

#[test]
fn published_likelihood_ratios() {
    use Model::{Logistic, Normalized};
    for (sample, elo, model, expected) in [
        (games("36433,68692,36027"), [0.0, 2.0], Normalized, 0.92),
        (games("10871,20431,10650"), [-1.75, 0.25], Normalized, 2.30),
        (games("21404,40708,21184"), [0.5, 2.5], Logistic, -1.57),
        (games("57433,106593,57030"), [0.0, 2.0], Logistic, -2.59),
        (
            pairs("365,16618,36229,16974,390"),
            [0.0, 2.0],
            Normalized,
            2.25,
        ),
        (
            pairs("223,9863,21279,10037,246"),
            [0.5, 2.5],
            Logistic,
            -3.07,
        ),
    ] {
        let value = llr(sample, elo, model);
        assert_near(value, expected, 0.01 * (1.0 + expected.abs()));
    }
}

#[test]
fn a_clean_sweep_is_strong_evidence_and_no_more() {
    use Model::Normalized;
    assert_near(llr(games("4250,0,0"), [0.0, 10.0], Normalized), 120.56, 0.1);
    assert_near(
        llr(pairs("0,0,0,0,5550"), [0.0, 5.0], Normalized),
        111.82,
        0.1,
    );
}

#[test]
fn the_bounds_are_walds() {
    let bounds = Sprt::new([0.0, 5.0], 0.05, 0.1, Model::Normalized)
        .unwrap()
        .bounds();
    assert_near(bounds.lower, (0.1_f64 / 0.95).ln(), 1e-12);
    assert_near(bounds.upper, (0.9_f64 / 0.05).ln(), 1e-12);
}

#[test]
fn a_small_sample_has_a_finite_interval() {
    let elo = Strength::of(&games("7,2,1")).elo.unwrap();
    assert_near(elo.value, 240.824, 0.001);
    assert_near(elo.low, 66.419, 0.001);
    // A score of 0.975, a quarter of a point below a clean sweep of 10 games.
    assert_near(elo.high, 636.426, 0.001);
}

#[test]
fn what_does_not_exist_says_why() {
    use Unavailable::{AllDrawn, AllLost, AllPairsAlike, AllWon, NoGames};
    for (sample, reason) in [
        (games("0,0,0"), NoGames),
        (pairs("0,0,0,0,0"), NoGames),
        (games("5,0,0"), AllWon),
        (pairs("0,0,0,0,5"), AllWon),
        (games("0,0,1"), AllLost),
        (pairs("1,0,0,0,0"), AllLost),
        (games("0,9,0"), AllDrawn),
        (pairs("0,0,9,0,0"), AllPairsAlike),
        (pairs("0,3,0,0,0"), AllPairsAlike),
    ] {
        let strength = Strength::of(&sample);
        assert_eq!(strength.elo, Err(reason), "{sample:?}");
        assert_eq!(strength.normalized_elo, Err(reason), "{sample:?}");
        assert_eq!(strength.score.is_err(), reason == NoGames, "{sample:?}");
        assert_eq!(strength.los.is_err(), reason == NoGames, "{sample:?}");
    }
    assert_eq!(AllDrawn.to_string(), "all games drawn");
}

#[test]
fn few_decisive_games_are_judged_by_the_beta_distribution() {
    let los = |text| Strength::of(&games(text)).los.unwrap();
    // P(Beta(8, 2) > ½) = P(at most 7 of 9 fair coins fall heads up).
    assert_near(los("7,2,1"), 502.0 / 512.0, 1e-9);
    assert_near(los("7,500,1"), 502.0 / 512.0, 1e-9);
    assert_near(los("0,9,0"), 0.5, 1e-9);
    assert_near(los("10,0,0"), 1.0 - 0.5_f64.powi(11), 1e-9);
    let of_pairs = Strength::of(&pairs("0,1,50,4,3")).los.unwrap();
    assert_near(of_pairs, los("7,0,1"), 1e-12);
}
