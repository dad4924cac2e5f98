//! Leaves counted per second: from the start, with many kings, and with many captures.

use std::hint::black_box;

use checkers_lib::{Position, perft};
use criterion::{BenchmarkId, Criterion, Throughput};

/// Name, position, depth, and the leaves there.
const CASES: [(&str, &str, u32, u64); 3] = [
    (
        "start",
        "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb6,d6,f6,h6,a7,c7,e7,g7,b8,d8,f8,h8",
        7,
        190_146,
    ),
    (
        "kings",
        "W:Wc1,e1,a3,Ka1,Kg1,Kh2:Bd8,f8,h6,Ka7,Kb8,Kh8",
        6,
        816_541,
    ),
    (
        "captures",
        "W:Wc1,e1,g1,f2,a3,c3,e3,d4,h4:Bc5,e5,f6,h6,a7,c7,e7,d8,h8",
        9,
        653_882,
    ),
];

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("perft");
    for (name, fen, depth, leaves) in CASES {
        let position: Position = fen.parse().expect("a legal position");
        assert_eq!(perft::effects(&position, depth), leaves, "{name}");
        group.throughput(Throughput::Elements(leaves));
        group.bench_function(BenchmarkId::new(name, depth), |bencher| {
            bencher.iter(|| perft::effects(black_box(&position), depth));
        });
    }
    group.finish();
    criterion.final_summary();
}
