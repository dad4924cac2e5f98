//! What a look into the endgame tables costs: values out of the decompressed tables of up to 5
//! pieces, in the order in which a search asks and of random positions; values and distances out of
//! the cache of blocks, and with a block decoded for it.
//!
//! What goes by blocks needs tables of 6 pieces in the directory that `CHECKERS_TABLEBASE` names,
//! and is left out without them.

use std::hint::black_box;
use std::time::Duration;

use checkers_engine::Rng;
use checkers_engine::tablebase::Tablebases;
use checkers_lib::{Bitboard, ByColor, Color, Position, Setup};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Few enough that all of their blocks are in the cache.
const IN_CACHE: usize = 1_000;
/// So many that the block of the next one is hardly ever in the cache.
const BEYOND_CACHE: usize = 200_000;

/// Random positions of so many pieces without a capture, as a search would look them up.
fn positions(pieces: u32, count: usize) -> Vec<Position> {
    let mut rng = Rng::new(1);
    let setups = std::iter::repeat_with(move || {
        let mut setup = Setup {
            men: ByColor::default(),
            kings: ByColor::default(),
            turn: Color::White,
        };
        for piece in 0..pieces {
            let sets = match rng.below(2) {
                0 => &mut setup.men,
                _ => &mut setup.kings,
            };
            // A piece on both sides.
            let side = match (piece, rng.below(2)) {
                (0, _) | (2.., 0) => Color::White,
                _ => Color::Black,
            };
            sets[side] |= Bitboard(1 << rng.below(32));
        }
        setup
    });
    let positions = setups.filter_map(|setup| Position::from_setup(setup).ok());
    let quiet = positions.filter(|p| p.occupied().len() == pieces && !p.must_capture());
    quiet.take(count).collect()
}

/// How deep the search below each position goes.
const DEPTH: u32 = 5;

/// Positions of so many pieces without a capture in the order in which a search comes to them: all
/// lines from random positions of a piece more.
fn searched_positions(pieces: u32, count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    for root in positions(pieces + 1, count) {
        if found.len() >= count {
            break;
        }
        search(&root, DEPTH, pieces, &mut found);
    }
    found
}

fn search(position: &Position, depth: u32, pieces: u32, found: &mut Vec<Position>) {
    if position.occupied().len() == pieces && !position.must_capture() {
        found.push(position.clone());
    } else if depth > 0 && position.occupied().len() >= pieces {
        for m in position.legal_moves() {
            // It is one of the legal moves.
            if let Ok(after) = position.clone().play(m) {
                search(&after, depth - 1, pieces, found);
            }
        }
    }
}

/// Times looks at positions, one after the other, over and over again.
fn time<T>(
    criterion: &mut Criterion,
    name: &str,
    positions: &[Position],
    probe: impl Fn(&Position) -> Option<T>,
) {
    if positions
        .iter()
        .take(10)
        .any(|position| probe(position).is_none())
    {
        eprintln!("{name}: there are no such tables");
        return;
    }
    // What is decompressed as a whole is decompressed now.
    positions.iter().for_each(|position| drop(probe(position)));
    let mut group = criterion.benchmark_group("tablebase");
    group.measurement_time(Duration::from_secs(3));
    group.throughput(Throughput::Elements(1));
    let mut next = positions.iter().cycle();
    group.bench_function(name, |bencher| {
        bencher.iter(|| next.next().map(|position| probe(black_box(position))));
    });
}

fn probes(criterion: &mut Criterion) {
    let tables = Tablebases::shared();
    let wdl = |position: &Position| tables.probe_quiet(position).ok();
    let distance = |position: &Position| tables.probe_distance(position).ok();
    let searched = searched_positions(5, BEYOND_CACHE);
    time(criterion, "value of 5 pieces, in a search", &searched, wdl);
    let five = positions(5, BEYOND_CACHE);
    time(criterion, "value of 5 pieces, at random", &five, wdl);
    let six = positions(6, BEYOND_CACHE);
    let cached = &six[..IN_CACHE];
    time(
        criterion,
        "value of 6 pieces, block in the cache",
        cached,
        wdl,
    );
    time(
        criterion,
        "distance of 6 pieces, block in the cache",
        cached,
        distance,
    );
    time(criterion, "value of 6 pieces, block decoded", &six, wdl);
    time(
        criterion,
        "distance of 6 pieces, block decoded",
        &six,
        distance,
    );
}

criterion_group!(benches, probes);
criterion_main!(benches);
