//! What is built into every program is what the generator makes.

use checkers_engine::tablebase::{FileKind, Generator, Material, Selection, TableFile, Tablebases};

use super::claims::four_kings_win_within_13_plies;
use super::{file_bytes, made_up_to_4};

const VALUES: &[u8] = include_bytes!("../../../data/endings-2-5.wdl");
const DISTANCES: &[u8] = include_bytes!("../../../data/endings-2-4.dist");

/// The checksum of the values that the test below has made.
const CHECKSUM: u32 = 0x871d_240f;

#[test]
fn the_values_in_the_program_are_those_that_were_made() {
    assert_eq!(crc32fast::hash(VALUES), CHECKSUM);
    let mut generator = Generator::new(2);
    for pair in (2..=4).flat_map(Material::pairs) {
        generator.make(pair).unwrap();
    }
    let table = TableFile::from_bytes("built in", VALUES.to_vec()).unwrap();
    let mut checked = 0;
    for material in (2..=4).flat_map(Material::all) {
        let found = generator.verify(material, &table, Selection::All).unwrap();
        assert_eq!(found.wrong, None, "{material}");
        checked += found.checked;
    }
    assert_eq!(checked, 6_408_836);
}

/// Byte for byte, whatever the number of threads; then every value is derived anew.
#[test]
fn the_tables_in_the_program_are_those_that_are_made() {
    if !crate::is_exhaustive() {
        return;
    }
    let mut generator = Generator::new(3);
    let (mut sections, mut positions) = (Vec::new(), 0);
    let mut four_kings = Vec::new();
    for pair in (2..=5).flat_map(Material::pairs) {
        for made in generator.make(pair).unwrap() {
            sections.push(made.wdl);
            if made.stats.material == "KKKK-K" {
                four_kings.push(made.distance);
            }
            if pair.pieces() == 5 {
                positions += made.stats.positions;
            }
        }
    }
    assert_eq!(positions, 139_450_808);
    let four_kings = file_bytes(FileKind::Distance, four_kings);
    let four_kings = TableFile::from_bytes("made", four_kings).unwrap();
    four_kings_win_within_13_plies(&Tablebases::new(vec![four_kings]));
    let bytes = file_bytes(FileKind::Wdl, sections);
    assert!(bytes.len() <= 7 << 19, "{} bytes", bytes.len());
    assert!(bytes == VALUES, "the file of values differs");

    let table = TableFile::from_bytes("made", bytes).unwrap();
    let mut checked = 0;
    for material in (2..=5).flat_map(Material::all) {
        let found = generator.verify(material, &table, Selection::All).unwrap();
        assert_eq!(found.wrong, None, "{material}");
        checked += found.checked;
    }
    assert_eq!(checked, 145_859_644);
}

#[test]
fn so_are_the_distances() {
    let [_, distances] = made_up_to_4();
    assert!(distances == DISTANCES, "the file of distances differs");
}
