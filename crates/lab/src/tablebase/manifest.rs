//! The list of the tables in a directory.

use std::fs;
use std::io;
use std::path::Path;

use checkers_engine::tablebase::{Material, SliceStats, UnderArticles};
use serde::{Deserialize, Serialize};

use super::failure::TableFailure;
use crate::draft::Draft;
use crate::failure::LabFailure;

/// What the list is called.
const NAME: &str = "manifest.json";
/// The version of the list.
const VERSION: u32 = 1;

/// The finished slices of a directory. It is written anew, all at once, after each pair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    version: u32,
    /// The slices in the order in which they were made.
    pub(crate) slices: Vec<Listed>,
}

/// A finished slice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// What it holds.
    #[serde(flatten)]
    pub(crate) stats: SliceStats,
    /// Its files: values and distances.
    pub(crate) files: Vec<ListedFile>,
    /// What it holds under the articles that count moves, if that was solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) articles: Option<UnderArticles>,
}

/// A file of a slice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct ListedFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    /// The CRC-32 of the whole file.
    pub(crate) crc32: u32,
}

impl Manifest {
    /// Reads the list of a directory; it is empty if there is no file.
    pub(crate) fn read(dir: &Path) -> Result<Manifest, TableFailure> {
        let path = dir.join(NAME);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Manifest {
                    version: VERSION,
                    slices: Vec::new(),
                });
            }
            Err(source) => return Err(TableFailure::Directory { path, source }),
        };
        let manifest = serde_json::from_str::<Manifest>(&text).map_err(|e| e.to_string());
        let manifest = manifest.and_then(|manifest| match manifest.version {
            VERSION => Ok(manifest),
            other => Err(format!("version {other}, expected {VERSION}")),
        });
        manifest.map_err(|reason| TableFailure::Manifest { path, reason })
    }

    /// Writes the list.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), LabFailure> {
        let draft = Draft::create(&dir.join(NAME))?;
        draft.commit_with(|file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            io::Write::write_all(file, b"\n")
        })
    }

    /// Whether a slice is listed and its files are as long as they were.
    pub(crate) fn is_made(&self, dir: &Path, material: Material) -> bool {
        let is_whole = |file: &ListedFile| {
            fs::metadata(dir.join(&file.name)).is_ok_and(|found| found.len() == file.bytes)
        };
        let listed = self.find(material);
        listed.is_some_and(|listed| listed.files.iter().all(is_whole))
    }

    /// A checksum of the files with tables of at most this many pieces, whatever order they were made in.
    pub(crate) fn sum(&self, pieces: u8) -> u32 {
        let is_among = |listed: &&Listed| {
            let material: Option<Material> = listed.stats.material.parse().ok();
            material.is_some_and(|material| material.pieces() <= pieces)
        };
        let listed = self.slices.iter().filter(is_among);
        let files = listed.flat_map(|listed| &listed.files);
        let mut lines: Vec<String> = files
            .map(|file| format!("{} {} {:08x}\n", file.name, file.bytes, file.crc32))
            .collect();
        lines.sort();
        crc32fast::hash(lines.concat().as_bytes())
    }

    /// A slice of the list.
    pub(crate) fn find(&self, material: Material) -> Option<&Listed> {
        let name = material.to_string();
        self.slices
            .iter()
            .find(|listed| listed.stats.material == name)
    }

    /// Adds what a slice holds under the articles, if the slice is listed.
    pub(crate) fn add_articles(&mut self, material: Material, articles: UnderArticles) {
        let name = material.to_string();
        let mut slices = self.slices.iter_mut();
        if let Some(listed) = slices.find(|listed| listed.stats.material == name) {
            listed.articles = Some(articles);
        }
    }

    /// Lists a slice, in place of what was listed of it.
    pub(crate) fn add(&mut self, slice: Listed) {
        let name = slice.stats.material.clone();
        self.slices.retain(|listed| listed.stats.material != name);
        self.slices.push(slice);
    }
}
