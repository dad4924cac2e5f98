//! The ratings of many bots.

use match_statistics::{
    Bootstrap, GameScore, Pool, PoolError, Rating, RatingInterval, Sample, Strength, Unrated,
    score_of_elo,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use GameScore::{Draw, Loss, Win};

const FEW: Bootstrap = Bootstrap {
    replicates: 300,
    seed: 7,
};

/// A round-robin of bots with these ratings, `pairs` for each meeting. A third of the games is
/// drawn as far as the ratings allow it.
fn round_robin(elo: &[f64], pairs: u32, seed: u64) -> Pool {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut pool = Pool::new(elo.len());
    for first in 0..elo.len() {
        for second in first + 1..elo.len() {
            let score = score_of_elo(elo[first] - elo[second]);
            for _ in 0..pairs {
                let pair = [play(score, &mut rng), play(score, &mut rng)];
                pool.count_pair(first, second, pair).unwrap();
            }
        }
    }
    pool
}

fn play(score: f64, rng: &mut Pcg64Mcg) -> GameScore {
    let draws = (score.min(1.0 - score) * 2.0).min(1.0 / 3.0);
    let luck: f64 = rng.random();
    if luck < score - draws / 2.0 {
        Win
    } else if luck < score + draws / 2.0 {
        Draw
    } else {
        Loss
    }
}

fn ratings(pool: &Pool, anchor: usize) -> Vec<Result<Rating, Unrated>> {
    pool.ratings(anchor, FEW).unwrap()
}

fn limits(rating: Rating) -> (f64, f64) {
    let RatingInterval { low, high } = rating.interval.unwrap();
    (low.unwrap(), high.unwrap())
}

#[test]
fn known_ratings_are_recovered() {
    let truth = [0.0, 120.0, -80.0, 300.0, 45.0];
    let mut held = 0;
    for seed in 0..10 {
        let ratings = ratings(&round_robin(&truth, 100, seed), 0);
        assert_eq!(ratings[0].unwrap().elo, 0.0);
        assert_eq!(ratings[0].unwrap().interval, None);
        for (rating, &truth) in ratings.iter().zip(&truth).skip(1) {
            let rating = rating.unwrap();
            let (low, high) = limits(rating);
            assert!(low < rating.elo && rating.elo < high);
            assert!((rating.elo - truth).abs() < 80.0, "{rating:?} for {truth}");
            held += u32::from(low <= truth && truth <= high);
        }
    }
    // 38 of 40 are expected.
    assert!(held >= 34, "{held} of 40");
}

#[test]
fn the_same_seed_gives_the_same_intervals() {
    let pool = round_robin(&[0.0, 50.0, 100.0], 30, 1);
    assert_eq!(pool.ratings(1, FEW), pool.ratings(1, FEW));
    let other = Bootstrap { seed: 8, ..FEW };
    assert_ne!(pool.ratings(1, FEW), pool.ratings(1, other));
    let none = Bootstrap {
        replicates: 0,
        ..FEW
    };
    let without = pool.ratings(1, none).unwrap();
    assert!(
        without
            .iter()
            .all(|rating| rating.unwrap().interval.is_none())
    );
}

#[test]
fn the_order_of_results_does_not_matter() {
    let results = [
        (0, 1, [Win, Draw]),
        (1, 2, [Win, Loss]),
        (2, 0, [Draw, Draw]),
        (0, 1, [Loss; 2]),
    ];
    let pool = |results: &mut dyn Iterator<Item = (usize, usize, [GameScore; 2])>| {
        let mut pool = Pool::new(3);
        for (bot, opponent, pair) in results {
            pool.count_pair(bot, opponent, pair).unwrap();
        }
        pool
    };
    let swapped = |(bot, opponent, pair): (usize, usize, [GameScore; 2])| {
        (opponent, bot, pair.map(GameScore::swapped))
    };
    let forth = pool(&mut results.into_iter());
    let back = pool(&mut results.into_iter().rev().map(swapped));
    assert_eq!(forth, back);
    assert_eq!(ratings(&forth, 0), ratings(&back, 0));
}

#[test]
fn two_bots_differ_as_their_match_says() {
    let pool = round_robin(&[70.0, 0.0], 200, 5);
    let sample = Sample::Pairs(pool.meeting(0, 1).unwrap().pairs);
    let elo = Strength::of(&sample).elo.unwrap();
    let rating = ratings(&pool, 1)[0].unwrap();
    assert!((rating.elo - elo.value).abs() < 1e-6);
    let (low, high) = limits(rating);
    assert!(
        (low - elo.low).abs() < 6.0 && (high - elo.high).abs() < 6.0,
        "{low} {high} {elo:?}"
    );
}

#[test]
fn the_anchor_only_moves_the_scale() {
    let pool = round_robin(&[0.0, 120.0, -80.0], 50, 9);
    let (from_first, from_second) = (ratings(&pool, 0), ratings(&pool, 1));
    let shift = from_first[1].unwrap().elo;
    for (one, other) in from_first.iter().zip(&from_second) {
        assert!((one.unwrap().elo - shift - other.unwrap().elo).abs() < 1e-6);
    }
}

#[test]
fn unrated_bots_have_a_reason() {
    let mut pool = Pool::new(9);
    for (bot, opponent, pair) in [
        (0, 1, [Win, Loss]),
        (2, 0, [Win, Win]),
        (3, 1, [Loss, Loss]),
        (4, 5, [Draw, Draw]),
        (6, 7, [Win, Loss]),
        (6, 0, [Win, Win]),
    ] {
        pool.count_pair(bot, opponent, pair).unwrap();
    }
    let ratings = ratings(&pool, 0);
    let reason = |bot: usize| ratings[bot].unwrap_err();
    assert_eq!(ratings[1].unwrap().elo, 0.0);
    assert_eq!(reason(2), Unrated::AllWon);
    assert_eq!(reason(3), Unrated::AllLost);
    assert_eq!((reason(4), reason(5)), (Unrated::Apart, Unrated::Apart));
    assert_eq!((reason(6), reason(7)), (Unrated::Above, Unrated::Above));
    assert_eq!(reason(8), Unrated::NoGames);
}

#[test]
fn a_bot_that_nearly_lost_everything_has_no_lower_limit() {
    let mut pool = Pool::new(2);
    for number in 0..20 {
        let first = if number == 0 { Draw } else { Loss };
        pool.count_pair(0, 1, [first, Loss]).unwrap();
    }
    let rating = ratings(&pool, 1)[0].unwrap();
    let RatingInterval { low, high } = rating.interval.unwrap();
    assert!(rating.elo < -700.0 && rating.elo.is_finite());
    assert_eq!(low, None);
    assert!(high.unwrap() > rating.elo);
}

#[test]
fn pairs_that_do_not_vary_have_no_interval() {
    let mut pool = Pool::new(2);
    for _ in 0..20 {
        pool.count_pair(0, 1, [Win, Loss]).unwrap();
    }
    let rating = ratings(&pool, 1)[0].unwrap();
    assert_eq!((rating.elo, rating.interval), (0.0, None));
}

#[test]
fn games_without_a_pair_count_as_well() {
    let mut pool = Pool::new(2);
    for score in [Win, Win, Win, Draw, Loss] {
        pool.count_game(1, 0, score).unwrap();
    }
    let meeting = pool.meeting(0, 1).unwrap();
    assert_eq!(
        (meeting.unpaired.to_string(), meeting.pairs.pairs()),
        ("1,1,3".to_owned(), 0)
    );
    let elo = Strength::of(&Sample::Games(meeting.unpaired)).elo.unwrap();
    assert!((ratings(&pool, 1)[0].unwrap().elo - elo.value).abs() < 1e-6);
}

#[test]
fn a_long_chain_of_meetings_is_rated() {
    let mut pool = Pool::new(40);
    for bot in 1..40 {
        pool.count_pair(bot, bot - 1, [Win, Win]).unwrap();
        pool.count_pair(bot, bot - 1, [Win, Loss]).unwrap();
    }
    let step = 400.0 * 3_f64.log10();
    let without = Bootstrap {
        replicates: 0,
        seed: 0,
    };
    for (place, rating) in pool.ratings(0, without).unwrap().into_iter().enumerate() {
        assert!((rating.unwrap().elo - step * place as f64).abs() < 1e-3);
    }
}

#[test]
fn bots_that_do_not_exist_are_refused() {
    let mut pool = Pool::new(2);
    let unknown = PoolError::UnknownBot { bot: 2, bots: 2 };
    assert_eq!(pool.count_game(0, 2, Win), Err(unknown));
    assert_eq!(
        pool.count_pair(1, 1, [Win, Win]),
        Err(PoolError::SameBot { bot: 1 })
    );
    assert_eq!(pool.ratings(2, FEW), Err(unknown));
    assert_eq!(pool, Pool::new(2));
    assert!(Pool::new(0).ratings(0, FEW).is_err());
}
