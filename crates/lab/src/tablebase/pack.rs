//! `checkers-lab tablebase pack`: puts slices into one file.

use std::path::PathBuf;

use checkers_engine::tablebase::{FileKind, MOST_PIECES, Material};

use super::DirArgs;
use super::directory::{Directory, write_table};
use super::failure::TableFailure;
use crate::failure::{LabFailure, talk};

/// Put the tables of up to this many pieces into one file
///
/// Nothing is compressed again. The file for the values of up to 5 pieces is the one that is built
/// into every program.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Up to how many pieces
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..=i64::from(MOST_PIECES)))]
    pieces: u8,

    /// Take the distances, not the values
    #[arg(long)]
    distances: bool,

    /// Write to this file, at the end and all at once
    #[arg(long)]
    out: PathBuf,

    #[command(flatten)]
    place: DirArgs,
}

pub(crate) fn run(args: &Args) -> Result<(), LabFailure> {
    let directory = Directory::open(&args.place.dir)?;
    let kind = if args.distances {
        FileKind::Distance
    } else {
        FileKind::Wdl
    };
    let mut sections = Vec::new();
    for material in (2..=args.pieces).flat_map(Material::all) {
        let table = directory.table(material, kind)?;
        let section = table.section(material).map_err(TableFailure::from)?;
        sections.push(section.ok_or_else(|| TableFailure::Missing {
            material,
            dir: args.place.dir.clone(),
        })?);
    }
    let name = args.out.display().to_string();
    let file = write_table(&args.out, kind, sections, name)?;
    talk(&format!(
        "{}: {} bytes, CRC-32 {:08x}",
        file.name, file.bytes, file.crc32
    ));
    Ok(())
}
