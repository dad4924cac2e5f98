//! What is built into every program is what the generator makes.

use checkers_engine::tablebase::{Kind, Material, Selection, TableFile, Workshop};

use super::{file_bytes, made_up_to_4};

const VALUES: &[u8] = include_bytes!("../../data/endings-2-5.wdl");
const DISTANCES: &[u8] = include_bytes!("../../data/endings-2-4.dist");

/// Byte for byte, whatever the number of threads; then some of the values are derived anew.
#[test]
fn the_tables_in_the_program_are_those_that_are_made() {
    let mut workshop = Workshop::new(3);
    let (mut sections, mut positions) = (Vec::new(), 0);
    for pair in (2..=5).flat_map(Material::pairs) {
        for made in workshop.make(pair).unwrap() {
            sections.push(made.wdl);
            if pair.pieces() == 5 {
                positions += made.census.positions;
            }
        }
    }
    assert_eq!(positions, 139_450_808);
    let bytes = file_bytes(Kind::Wdl, sections);
    assert!(bytes.len() <= 7 << 19, "{} bytes", bytes.len());
    assert!(bytes == VALUES, "the file of values differs");

    let table = TableFile::from_bytes("made", bytes).unwrap();
    let mut quiet = 0;
    for material in Material::all(5) {
        let selection = Selection::Sample {
            count: 50_000,
            seed: 1,
        };
        let found = workshop.verify(material, &table, selection).unwrap();
        assert_eq!(found.wrong, None, "{material}");
        quiet += found.quiet;
    }
    assert!(quiet > 500_000, "{quiet}");
}

#[test]
fn so_are_the_distances() {
    let [_, distances] = made_up_to_4();
    assert!(distances == DISTANCES, "the file of distances differs");
}
