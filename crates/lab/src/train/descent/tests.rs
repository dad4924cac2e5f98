use std::sync::LazyLock;

use checkers_engine::evaluation::{Network, Patterns, WeightsFile};
use checkers_lib::{Bitboard, Position};

use super::*;
use crate::train::network::NetworkModel;
use crate::train::patterns::PatternsModel;

/// Men at random, and as target the side that has more of them, softly.
fn lessons(count: usize, seed: u64) -> Vec<Example> {
    let mut rng = Rng::new(seed);
    (0..count)
        .map(|_| {
            let mut view = SideView::default();
            for square in Bitboard::FULL - Bitboard::row(0) - Bitboard::row(7) {
                match rng.below(4) {
                    0 => view.men[0] |= square.into(),
                    1 => view.men[1] |= square.into(),
                    _ => {}
                }
            }
            let more = view.men[0].len() as f32 - view.men[1].len() as f32;
            (view, sigmoid(more))
        })
        .collect()
}

fn hyperparameters() -> Hyperparameters {
    Hyperparameters {
        epochs: 6,
        rate: 0.01,
        batch: 64,
        patience: 6,
        seed: 5,
    }
}

fn games() -> TrainingGames {
    TrainingGames {
        learnt: lessons(4_000, 1),
        held_out: lessons(500, 2),
    }
}

fn learns<M: Model>() -> BestWeights {
    let games = games();
    let descent = Descent::<M>::new(&games, hyperparameters());
    let untrained = descent.loss(&M::initial(hyperparameters().seed), &games.held_out);
    let found = descent.run(&Stop::default()).unwrap();
    // What no evaluation can do better than.
    let least: f64 = games
        .held_out
        .iter()
        .map(|&(_, target)| cross_entropy((target / (1.0 - target)).ln(), target))
        .sum::<f64>()
        / games.held_out.len() as f64;
    let left = (found.held_out - least) / (untrained - least);
    assert!(left < 0.2, "{left} of the way is left");
    found
}

static NETWORK: LazyLock<BestWeights> = LazyLock::new(learns::<NetworkModel>);
static PATTERNS: LazyLock<BestWeights> = LazyLock::new(learns::<PatternsModel>);

#[test]
fn both_models_learn_to_count_men() {
    LazyLock::force(&NETWORK);
    LazyLock::force(&PATTERNS);
}

#[test]
fn the_same_seed_finds_the_same_weights() {
    let games = TrainingGames {
        learnt: lessons(500, 1),
        held_out: lessons(100, 2),
    };
    let run = || Descent::<NetworkModel>::new(&games, hyperparameters()).run(&Stop::default());
    assert_eq!(run().unwrap().weights, run().unwrap().weights);
}

#[test]
fn whole_numbers_say_nearly_the_same() {
    let (network, patterns) = (&*NETWORK, &*PATTERNS);
    let file = |kind, values| WeightsFile {
        kind,
        provenance: String::new(),
        values,
    };
    let quantised = NetworkModel::quantised(&network.weights);
    let exact_network = Network::new(&file(NetworkModel::KIND, quantised)).unwrap();
    let quantised = PatternsModel::quantised(&patterns.weights);
    let exact_patterns = Patterns::new(&file(PatternsModel::KIND, quantised)).unwrap();
    for fen in [
        "W:Wc3,d4,b2:Bf6,h6",
        "B:Wc3,d4,b2:Bf6,h6,a7,b6",
        "W:Wc3,Kd4:Bf6,Kh8",
    ] {
        let position: Position = fen.parse().unwrap();
        let view = SideView::of(&position, position.turn());
        let logits = NetworkModel::output(&network.weights, &view, &mut Default::default());
        let exact = exact_network.evaluate(&position);
        assert!(
            (logits * 100.0 - exact as f32).abs() < 10.0,
            "{logits} {exact}"
        );
        let logits = PatternsModel::output(&patterns.weights, &view, &mut Default::default());
        let exact = exact_patterns.evaluate(&position);
        assert!(
            (logits * 100.0 - exact as f32).abs() < 3.0,
            "{logits} {exact}"
        );
    }
}

/// The gradient against small differences of the output.
fn gradient_is_right<M: Model>(seed: u64) {
    let mut rng = Rng::new(seed);
    let weights: Vec<f32> = M::initial(3)
        .iter()
        .map(|weight| weight + rng.below(1000) as f32 / 20_000.0)
        .collect();
    let mut activations = M::Activations::default();
    for (view, _) in lessons(4, seed) {
        let mut gradient = vec![0.0; weights.len()];
        M::output(&weights, &view, &mut activations);
        M::add_gradient(&weights, &view, &activations, 1.0, &mut gradient);
        let mut looked = 0;
        for i in (0..weights.len()).filter(|&i| gradient[i].abs() > 0.01) {
            let mut moved = weights.clone();
            moved[i] += 0.001;
            let up = M::output(&moved, &view, &mut activations);
            moved[i] -= 0.002;
            let down = M::output(&moved, &view, &mut activations);
            let slope = (up - down) / 0.002;
            assert!(
                (slope - gradient[i]).abs() < 0.02 + 0.02 * slope.abs(),
                "{i}"
            );
            looked += 1;
            if looked == 100 {
                break;
            }
        }
        assert!(looked >= 9, "{looked}");
    }
}

#[test]
fn gradients_are_slopes() {
    gradient_is_right::<NetworkModel>(1);
    gradient_is_right::<PatternsModel>(2);
}
