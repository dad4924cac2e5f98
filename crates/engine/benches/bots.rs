//! What a move costs each bot at each depth: the mean time per move over the positions of
//! `positions.txt`, and nodes per second as the throughput.
//!
//! `random` and `mcts` know no depth and are timed once. The transposition table is cleared before
//! every move, outside of the time. Minimax, of which each ply costs six times the one before, is
//! timed to depth 8. A name after `--` picks what is timed, as in
//! `cargo bench -p checkers-engine --bench bots -- alpha-beta`.

use std::hint::black_box;
use std::time::Duration;

use checkers_engine::{Bot, BotSpec, Choice, Limits};
use checkers_lib::{DrawRules, Game, Position};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

/// A bot and the deepest search that is timed; 0 for a bot that knows no depth.
const BOTS: [(&str, u32); 10] = [
    ("random", 0),
    ("minimax-weak", 8),
    ("minimax", 8),
    ("alpha-beta", 10),
    ("negascout", 10),
    ("negascout-tt", 10),
    ("sss-star", 10),
    ("mtdf", 10),
    ("negascout-id", 10),
    ("mcts", 0),
];

fn bots(criterion: &mut Criterion) {
    let games = games();
    for (name, deepest) in BOTS {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        group.warm_up_time(Duration::from_millis(100));
        group.measurement_time(Duration::from_millis(500));
        for depth in deepest.min(1)..=deepest {
            time_moves(&mut group, name, depth, &games);
        }
    }
}

fn time_moves(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, depth: u32, games: &[Game]) {
    let spec: BotSpec = name.parse().expect("a bot of the table above");
    let mut bot = spec.build();
    let nodes: u64 = answers(&mut *bot, games, depth)
        .map(|choice| choice.nodes)
        .sum();
    if nodes > 0 {
        group.throughput(Throughput::Elements(nodes / games.len() as u64));
    }
    let mut round = || {
        answers(&mut *bot, games, depth)
            .map(|choice| choice.time)
            .sum()
    };
    group.bench_function(format!("depth {depth}"), |bencher| {
        bencher.iter_custom(|rounds| {
            let time: Duration = (0..rounds).map(|_| -> Duration { round() }).sum();
            time / games.len() as u32
        });
    });
}

fn games() -> Vec<Game> {
    let lines = include_str!("positions.txt").lines();
    let positions = lines.filter(|line| !line.starts_with('#'));
    positions
        .map(|fen| fen.parse::<Position>().expect("a position of the file"))
        .map(|position| Game::from_position(position, DrawRules::Study))
        .collect()
}

/// The bot's choice in each game, as in a game of its own.
fn answers(bot: &mut dyn Bot, games: &[Game], depth: u32) -> impl Iterator<Item = Choice> {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    games.iter().map(move |game| {
        bot.new_game(0);
        black_box(bot.choose(game, &limits))
    })
}

criterion_group!(benches, bots);
criterion_main!(benches);
