use checkers_lib::{DrawRules, Game};

use super::*;
use crate::Rng;

/// Weights of all sizes that training may find.
fn random_network(seed: u64) -> Network {
    let mut rng = Rng::new(seed);
    let mut up_to = |most: i32| rng.below(2 * most as usize + 1) as i32 - most;
    let inputs = (INPUTS + 1) * HIDDEN;
    let values = (0..NETWORK_VALUES).map(|i| {
        let is_input = i < inputs;
        let most = if is_input {
            MOST_INPUT_WEIGHT
        } else {
            MOST_OUTPUT_WEIGHT
        };
        // Most are small.
        let value = up_to(most);
        (if i % 3 == 0 { value } else { value / 16 }) as i16
    });
    let file = WeightsFile {
        kind: WeightsKind::Network,
        provenance: String::new(),
        values: values.collect(),
    };
    Network::new(&file).unwrap()
}

/// A random game.
fn random_game(seed: u64) -> Game {
    let mut rng = Rng::new(seed);
    let mut game = Game::new(DrawRules::Study);
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        game.play(moves[rng.below(moves.len())]).unwrap();
    }
    game
}

/// The value by the book: with numbers that have room for everything, and without anything kept.
fn slow_value(network: &Network, position: &Position) -> i32 {
    let layers = &network.layers;
    let phase = match position.occupied().len() {
        0..=6 => 0,
        7..=9 => 1,
        10..=12 => 2,
        13..=15 => 3,
        16..=18 => 4,
        19..=21 => 5,
        _ => 6,
    };
    let mut total = i64::from(layers.output_biases[phase]) * 32_768;
    for (i, side) in [position.turn(), !position.turn()].into_iter().enumerate() {
        for neuron in 0..HIDDEN {
            let mut sum = i64::from(layers.biases.0[neuron]);
            for input in inputs_of(&SideView::of(position, side)) {
                sum += i64::from(layers.inputs[input].0[neuron]);
            }
            let square = sum.clamp(0, 255).pow(2) / 2;
            total += square * i64::from(layers.output[phase][i].0[neuron]);
        }
    }
    (total * 100).div_euclid(1 << 23).clamp(-20_000, 20_000) as i32
}

#[test]
fn every_set_of_instructions_says_the_same_move_by_move() {
    for seed in 0..8 {
        let network = random_network(seed);
        for simd in Simd::available() {
            let network = network.clone().with_simd(simd);
            let game = random_game(seed);
            let positions = game.positions();
            let mut sums = Accumulators::default();
            network.refresh(&positions[0], &mut sums);
            for (pair, &m) in positions.windows(2).zip(game.moves()) {
                let mut next = Accumulators::default();
                network.update(&sums, &pair[0], m, &mut next);
                let mut at_once = Accumulators::default();
                let value = network.advance(&sums, &pair[0], m, &pair[1], &mut at_once);
                assert_eq!((at_once, value), (next, network.value(&next, &pair[1])));
                let mut anew = Accumulators::default();
                network.refresh(&pair[1], &mut anew);
                assert_eq!(next, anew, "{} {simd:?}", pair[1]);
                let expected = slow_value(&network, &pair[1]);
                assert_eq!(
                    network.value(&next, &pair[1]),
                    expected,
                    "{} {simd:?}",
                    pair[1]
                );
                sums = next;
            }
        }
    }
}

#[test]
fn both_sides_are_alike() {
    let network = random_network(99);
    let white: Position = "W:Wa1,c3,Kd4:Bc7,Kh8,a5".parse().unwrap();
    let black: Position = "B:Wf2,Ka1,h4:Bh8,f6,Ke5".parse().unwrap();
    assert_eq!(network.evaluate(&white), network.evaluate(&black));
}

#[test]
fn each_piece_on_each_square_is_an_input_of_its_own() {
    let mut seen = [0; INPUTS];
    for (i, set) in [0x0fff_ffff, 0xffff_fff0, u32::MAX, u32::MAX]
        .into_iter()
        .enumerate()
    {
        for square in checkers_lib::Bitboard(set) {
            let mut view = SideView::default();
            let place = if i < 2 {
                &mut view.men[i]
            } else {
                &mut view.kings[i - 2]
            };
            *place = square.into();
            let inputs: Vec<usize> = inputs_of(&view).collect();
            assert_eq!(inputs.len(), 1);
            seen[inputs[0]] += 1;
        }
    }
    assert_eq!(seen, [1; INPUTS]);
}

#[test]
fn extreme_weights_do_not_overflow() {
    let mut values = vec![MOST_INPUT_WEIGHT as i16; NETWORK_VALUES];
    values[(INPUTS + 1) * HIDDEN..].fill(-MOST_OUTPUT_WEIGHT as i16);
    let file = WeightsFile {
        kind: WeightsKind::Network,
        provenance: String::new(),
        values,
    };
    let network = Network::new(&file).unwrap();
    let start = Position::start();
    assert_eq!(network.evaluate(&start), slow_value(&network, &start));
    assert_eq!(network.evaluate(&start), -20_000);
}

#[test]
fn the_built_in_network_knows_what_more_men_are_worth() {
    let network = Network::embedded();
    let ahead: Position = "W:Wa1,c1,e1,c3,e3,d4:Bb8,d8,f8,h6,a5".parse().unwrap();
    let behind: Position = "B:Wa1,c1,e1,c3,e3,d4:Bb8,d8,f8,h6,a5".parse().unwrap();
    assert!(network.evaluate(&ahead) > 50);
    assert!(network.evaluate(&behind) < -50);
    assert!(network.evaluate(&Position::start()).abs() < 50);
}

#[test]
fn the_built_in_weights_say_how_they_were_made() {
    let bytes = include_bytes!("../../../data/network.weights");
    let file = WeightsFile::read(bytes).unwrap();
    for word in ["commit", "selfplay", "seed=", "held out"] {
        assert!(
            file.provenance.contains(word),
            "{word}: {}",
            file.provenance
        );
    }
}
