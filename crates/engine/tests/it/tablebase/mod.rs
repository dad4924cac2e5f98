//! The endgame tables, held against the rules, against a plain solver and against what is known.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod articles;
mod claims;
mod damage;
mod five_pieces;
mod plain_solver;
mod play;

use std::sync::OnceLock;

use checkers_engine::tablebase::{
    FileKind, Generator, Material, Section, TableFile, Tablebases, write_file,
};
use checkers_lib::Position;

/// Made tables of one kind as the bytes of a file.
fn file_bytes(kind: FileKind, mut sections: Vec<Section>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_file(kind, &mut sections, &mut bytes).unwrap();
    bytes
}

/// The bytes of the values and of the distances of up to so many pieces, made now.
fn make(pieces: u8) -> [Vec<u8>; 2] {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut generator = Generator::new(threads);
    let (mut wdl, mut distance) = (Vec::new(), Vec::new());
    for pair in (2..=pieces).flat_map(Material::pairs) {
        for made in generator.make(pair).unwrap() {
            wdl.push(made.wdl);
            distance.push(made.distance);
        }
    }
    [
        file_bytes(FileKind::Wdl, wdl),
        file_bytes(FileKind::Distance, distance),
    ]
}

/// The tables of up to 4 pieces, made once.
fn made_up_to_4() -> &'static [Vec<u8>; 2] {
    static MADE: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    MADE.get_or_init(|| make(4))
}

/// The same, to be asked.
fn tables() -> Tablebases {
    let files = made_up_to_4().iter();
    let files = files.map(|bytes| TableFile::from_bytes("made", bytes.clone()).unwrap());
    Tablebases::new(files.collect())
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap()
}
