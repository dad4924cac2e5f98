//! Making the bytes of a table.

use std::io::{self, Write};
use std::ops::Range;

use zstd::zstd_safe::{CParameter, Strategy};

use super::solved::Solved;
use crate::tablebase::format::{BLOCK_ENTRY_LEN, ENTRY_LEN, FileKind, HEADER_LEN, MAGIC, VERSION};
use crate::tablebase::material::Material;
use crate::tablebase::parallel::in_parts;
use crate::tablebase::section::Section;
use crate::tablebase::value::{Distance, Wdl};

/// How distances are compressed: what is fast.
const DISTANCE_LEVEL: i32 = 6;
/// How values are compressed, which are small and kept: the level whose search is for the shortest
/// encoding, but without matches of three bytes, of which there are too many to be worth the time.
const WDL_LEVEL: i32 = 15;
const WDL_PARAMETERS: [CParameter; 4] = [
    CParameter::Strategy(Strategy::ZSTD_btopt),
    CParameter::MinMatch(4),
    CParameter::SearchLog(5),
    CParameter::TargetLength(48),
];

impl Section {
    /// Packs and compresses a slice. The bytes do not depend on the number of threads.
    pub(crate) fn encode(kind: FileKind, solved: &Solved, threads: usize) -> io::Result<Section> {
        let places = solved.slice.values.len();
        let step = kind.places_in_block();
        let parts = in_parts(threads, places.div_ceil(step), 1, |parts| {
            let mut packer = Packer::new(kind)?;
            let blocks = parts.flatten().map(|block| {
                let begin = block * step;
                let packed = packer.pack(solved, begin..(begin + step).min(places))?;
                Ok((block, packed))
            });
            blocks.collect::<io::Result<Vec<_>>>()
        });
        let mut blocks = Vec::new();
        for part in parts {
            blocks.extend(part?);
        }
        blocks.sort_unstable_by_key(|(block, _)| *block);
        let mut section = Section {
            kind,
            material: solved.slice.layout.material,
            places: places as u64,
            blocks: Vec::with_capacity(blocks.len()),
            data: Vec::new(),
        };
        for (_, bytes) in blocks {
            section.data.extend_from_slice(&bytes);
            let end = u32::try_from(section.data.len()).map_err(io::Error::other)?;
            section.blocks.push((end, crc32fast::hash(&bytes)));
        }
        Ok(section)
    }

    /// The bytes this takes in a file, without its share of the header.
    fn len(&self) -> u64 {
        (ENTRY_LEN + self.blocks.len() * BLOCK_ENTRY_LEN + self.data.len()) as u64
    }
}

/// Packs places into blocks and compresses these.
struct Packer {
    kind: FileKind,
    compressor: zstd::bulk::Compressor<'static>,
    raw: Vec<u8>,
}

impl Packer {
    fn new(kind: FileKind) -> io::Result<Packer> {
        let mut compressor = match kind {
            FileKind::Wdl => zstd::bulk::Compressor::new(WDL_LEVEL)?,
            FileKind::Distance => zstd::bulk::Compressor::new(DISTANCE_LEVEL)?,
        };
        if kind == FileKind::Wdl {
            for parameter in WDL_PARAMETERS {
                compressor.set_parameter(parameter)?;
            }
        }
        compressor.include_checksum(false)?;
        compressor.include_contentsize(false)?;
        compressor.include_dictid(false)?;
        Ok(Packer {
            kind,
            compressor,
            raw: Vec::new(),
        })
    }

    fn pack(&mut self, solved: &Solved, places: Range<usize>) -> io::Result<Vec<u8>> {
        self.fill(solved, places);
        match self.raw.first() {
            Some(&first) if self.raw.iter().all(|&byte| byte == first) => Ok(vec![first]),
            _ => self.compressor.compress(&self.raw),
        }
    }

    /// Packs places. Those that nobody will ask for repeat one beside them.
    fn fill(&mut self, solved: &Solved, places: Range<usize>) {
        let values = &solved.slice.values[places.clone()];
        let quiet = solved.quiet(places);
        let first = values.iter().zip(quiet).find(|&(_, &quiet)| quiet != 0);
        let first = first.map_or(Distance::DRAW.0, |(&value, _)| value);
        self.raw.clear();
        match self.kind {
            FileKind::Distance => repeat_last(values, quiet, first, &mut self.raw),
            FileKind::Wdl => pack_fours(values, quiet, first, &mut self.raw),
        }
    }
}

/// Each value that is asked for, and the one asked for before it in place of the others.
fn repeat_last(values: &[u8], quiet: &[u8], first: u8, raw: &mut Vec<u8>) {
    let mut last = first;
    raw.extend(values.iter().zip(quiet).map(|(&value, &quiet)| {
        last = if quiet != 0 { value } else { last };
        last
    }));
}

/// Two bits for each value that is asked for. The others are as the one asked for before them, but
/// as the one behind them at the beginning of a byte: whole bytes of one value cost least.
fn pack_fours(values: &[u8], quiet: &[u8], first: u8, raw: &mut Vec<u8>) {
    let mut last = BITS[usize::from(first)];
    let fours = values.chunks(4).zip(quiet.chunks(4));
    raw.extend(fours.map(|(values, quiet)| {
        let asked = values.iter().zip(quiet);
        if let Some((&value, _)) = asked.clone().find(|&(_, &quiet)| quiet != 0) {
            last = BITS[usize::from(value)];
        } else if values.len() == 4 {
            return last * 0b0101_0101;
        }
        let bits = asked.enumerate();
        bits.fold(0, |byte, (i, (&value, &quiet))| {
            last = if quiet != 0 {
                BITS[usize::from(value)]
            } else {
                last
            };
            byte | last << (2 * i)
        })
    }));
}

/// The two bits of each distance.
static BITS: [u8; 256] = {
    let mut bits = [0; 256];
    let mut distance = 0;
    while distance < 256 {
        bits[distance] = wdl_bits(Distance(distance as u8).wdl());
        distance += 1;
    }
    bits
};

/// The two bits of a value.
const fn wdl_bits(value: Wdl) -> u8 {
    match value {
        Wdl::Loss => 0,
        Wdl::Draw => 1,
        Wdl::Win => 2,
    }
}

/// Writes sections of one kind as a file, in the order of their materials.
///
/// # Errors
/// When writing fails, or when the sections are not all of this kind.
pub fn write_file(
    kind: FileKind,
    sections: &mut [Section],
    output: &mut impl Write,
) -> io::Result<()> {
    if sections.iter().any(|section| section.kind != kind) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    sections.sort_by_key(|section| section.material);
    let directory = directory(sections);
    let length = HEADER_LEN as u64 + sections.iter().map(Section::len).sum::<u64>();
    let mut header = Vec::with_capacity(HEADER_LEN);
    header.extend_from_slice(&MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&[kind.number(), 0]);
    header.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    header.extend_from_slice(&(kind.places_in_block() as u32).to_le_bytes());
    header.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    header.extend_from_slice(&length.to_le_bytes());
    header.extend_from_slice(&crc32fast::hash(&directory).to_le_bytes());
    header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
    output.write_all(&header)?;
    output.write_all(&directory)?;
    sections
        .iter()
        .try_for_each(|section| output.write_all(&section.data))
}

/// The entries of all sections, then their block tables.
fn directory(sections: &[Section]) -> Vec<u8> {
    let tables: usize = sections
        .iter()
        .map(|s| s.blocks.len() * BLOCK_ENTRY_LEN)
        .sum();
    let entries = sections.len() * ENTRY_LEN;
    let mut table_at = (HEADER_LEN + entries) as u64;
    let mut data_at = table_at + tables as u64;
    let mut bytes = Vec::with_capacity(entries + tables);
    for section in sections {
        let Material { mover, other } = section.material;
        bytes.extend_from_slice(&[mover.men, mover.kings, other.men, other.kings]);
        bytes.extend_from_slice(&(section.blocks.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&section.places.to_le_bytes());
        bytes.extend_from_slice(&table_at.to_le_bytes());
        bytes.extend_from_slice(&data_at.to_le_bytes());
        table_at += (section.blocks.len() * BLOCK_ENTRY_LEN) as u64;
        data_at += section.data.len() as u64;
    }
    for (end, checksum) in sections.iter().flat_map(|section| &section.blocks) {
        bytes.extend_from_slice(&end.to_le_bytes());
        bytes.extend_from_slice(&checksum.to_le_bytes());
    }
    bytes
}
