//! Whatever happens to a file, it is an error that says where.

use checkers_engine::tablebase::{FileKind, Generator, Material, TableFile, Tablebases};

use super::{file_bytes, made_up_to_4, position};

/// A file of one slice: KK-K, and its mirror image that it needs is not in it.
fn small_file(kind: FileKind) -> Vec<u8> {
    let mut generator = Generator::new(1);
    let mut sections = Vec::new();
    for pair in (2..=3).flat_map(Material::pairs) {
        for made in generator.make(pair).unwrap() {
            if made.stats.material == "KK-K" {
                sections.push(match kind {
                    FileKind::Wdl => made.wdl,
                    FileKind::Distance => made.distance,
                });
            }
        }
    }
    file_bytes(kind, sections)
}

/// What opening a file and reading all of it says.
fn read(bytes: Vec<u8>) -> Result<(), String> {
    let table = TableFile::from_bytes("file", bytes).map_err(|error| error.to_string())?;
    let materials: Vec<Material> = table.materials().collect();
    for material in materials {
        table.section(material).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[test]
fn a_file_that_is_cut_off_anywhere_is_an_error() {
    for kind in FileKind::ALL {
        let whole = small_file(kind);
        assert_eq!(read(whole.clone()), Ok(()));
        for len in 0..whole.len() {
            let error = read(whole[..len].to_vec()).unwrap_err();
            assert!(
                error.starts_with("table file is damaged at byte "),
                "{error}"
            );
        }
        let mut longer = whole;
        longer.push(0);
        read(longer).unwrap_err();
    }
}

#[test]
fn a_file_with_any_byte_altered_is_an_error() {
    let whole = small_file(FileKind::Wdl);
    for at in 0..whole.len() {
        let mut altered = whole.clone();
        altered[at] ^= 1 << (at % 8);
        let error = read(altered).unwrap_err();
        assert!(
            error.starts_with("table file is damaged at byte "),
            "{at}: {error}"
        );
    }
}

#[test]
fn foreign_files_are_told_from_tables() {
    for bytes in [&b""[..], b"hello", &[0; 100], b"RDTABLE"] {
        let error = read(bytes.to_vec()).unwrap_err();
        assert_eq!(error, "table file is damaged at byte 0: this is no table");
    }
}

#[test]
fn slices_are_copied_as_they_are() {
    for (kind, whole) in FileKind::ALL.into_iter().zip(made_up_to_4()) {
        let table = TableFile::from_bytes("made", whole.clone()).unwrap();
        assert_eq!(table.kind(), kind);
        let materials = table.materials();
        let sections = materials.map(|material| table.section(material).unwrap().unwrap());
        assert!(file_bytes(kind, sections.collect()) == *whole);
    }
}

#[test]
fn damaged_files_are_left_out_and_the_rest_is_there() {
    let dir = std::env::temp_dir().join(format!("tables-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let [wdl, distances] = made_up_to_4();
    std::fs::write(dir.join("cut.wdl"), &wdl[..wdl.len() - 1]).unwrap();
    std::fs::write(dir.join("empty.dist"), b"").unwrap();
    std::fs::write(dir.join("whole.dist"), distances).unwrap();
    std::fs::write(dir.join("other.txt"), b"no table").unwrap();
    let (tables, faults) = Tablebases::open(&dir).unwrap();
    std::fs::remove_dir_all(&dir).unwrap();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    let end = format!(
        "cut.wdl is damaged at byte {}: the file does not end where it should",
        wdl.len() - 1
    );
    assert!(faults[0].ends_with(&end), "{faults:?}");
    assert!(
        faults[1].ends_with("empty.dist is damaged at byte 0: this is no table"),
        "{faults:?}"
    );
    let plies = tables
        .probe_distance(&position("W:WKa1:BKb2"))
        .unwrap()
        .plies();
    assert_eq!(plies, Some(1));
}
