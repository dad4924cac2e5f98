//! A directory of tables: a file of each kind for each slice.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use checkers_engine::tablebase::{
    FileKind, Generator, Made, Material, Section, TableFile, write_file,
};

use super::failure::TableFailure;
use super::manifest::{Listed, ListedFile, Manifest};
use crate::draft::Draft;
use crate::failure::LabFailure;

/// The tables of a directory and their list.
#[derive(Debug)]
pub(crate) struct Directory {
    pub(crate) path: PathBuf,
    pub(crate) manifest: Manifest,
}

impl Directory {
    /// Opens a directory to add to it; makes it if it is not there, and clears away what an
    /// interrupted run has left unfinished.
    pub(crate) fn create(path: &Path) -> Result<Directory, TableFailure> {
        let failure = |source| TableFailure::Directory {
            path: path.to_owned(),
            source,
        };
        fs::create_dir_all(path).map_err(failure)?;
        for entry in fs::read_dir(path).map_err(failure)? {
            let found = entry.map_err(failure)?.path();
            if found
                .extension()
                .is_some_and(|extension| extension == "tmp")
            {
                fs::remove_file(&found).map_err(failure)?;
            }
        }
        Directory::open(path)
    }

    pub(crate) fn open(path: &Path) -> Result<Directory, TableFailure> {
        Ok(Directory {
            path: path.to_owned(),
            manifest: Manifest::read(path)?,
        })
    }

    /// Whether both files of a slice are there.
    pub(crate) fn has(&self, material: Material) -> bool {
        self.manifest.is_made(&self.path, material)
    }

    /// The slices that are there, by pieces.
    pub(crate) fn materials(&self) -> Vec<Material> {
        let listed = self.manifest.slices.iter();
        let mut materials: Vec<Material> = listed
            .filter_map(|listed| listed.stats.material.parse().ok())
            .collect();
        materials.sort_by_key(|material: &Material| (material.pieces(), *material));
        materials
    }

    /// Fails unless both files of a slice are there.
    pub(crate) fn require(&self, material: Material) -> Result<(), TableFailure> {
        if self.has(material) {
            return Ok(());
        }
        Err(TableFailure::Missing {
            material,
            dir: self.path.clone(),
        })
    }

    /// Opens a file of a slice.
    pub(crate) fn table(
        &self,
        material: Material,
        kind: FileKind,
    ) -> Result<TableFile, TableFailure> {
        self.require(material)?;
        Ok(TableFile::open(&self.path.join(file_name(material, kind)))?)
    }

    /// Takes a slice and all that it needs for that into memory.
    pub(crate) fn load(
        &self,
        material: Material,
        generator: &mut Generator,
    ) -> Result<(), TableFailure> {
        if generator.has(material) {
            return Ok(());
        }
        for need in Generator::needs_to_load(material) {
            self.load(need, generator)?;
        }
        generator.load(material, &self.table(material, FileKind::Distance)?)?;
        Ok(())
    }

    /// Writes the files of a pair of slices, then the list.
    pub(crate) fn add(&mut self, made: Vec<Made>) -> Result<(), LabFailure> {
        for Made {
            stats,
            wdl,
            distance,
        } in made
        {
            let files = vec![
                self.write(&stats.material, FileKind::Wdl, wdl)?,
                self.write(&stats.material, FileKind::Distance, distance)?,
            ];
            self.manifest.add(Listed {
                stats,
                files,
                articles: None,
            });
        }
        self.manifest.write(&self.path)
    }

    fn write(
        &self,
        stem: &str,
        kind: FileKind,
        section: Section,
    ) -> Result<ListedFile, LabFailure> {
        let name = file_name(stem, kind);
        write_table(&self.path.join(&name), kind, vec![section], name)
    }
}

/// The name of a slice's file.
fn file_name(material: impl fmt::Display, kind: FileKind) -> String {
    format!("{material}.{}", kind.extension())
}

/// Writes sections as a file, all at once; it is listed by `name`.
pub(crate) fn write_table(
    path: &Path,
    kind: FileKind,
    mut sections: Vec<Section>,
    name: String,
) -> Result<ListedFile, LabFailure> {
    let mut sum = Sum::default();
    Draft::create(path)?.commit_with(|file| {
        let mut both = Both(io::BufWriter::new(file), &mut sum);
        write_file(kind, &mut sections, &mut both)?;
        both.0.flush()
    })?;
    Ok(ListedFile {
        name,
        bytes: sum.bytes,
        crc32: sum.hasher.finalize(),
    })
}

/// What was written: how much, and its checksum.
#[derive(Default)]
struct Sum {
    bytes: u64,
    hasher: crc32fast::Hasher,
}

/// Writes and sums.
struct Both<'a, W>(W, &'a mut Sum);

impl<W: Write> Write for Both<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes)?;
        self.1.bytes += written as u64;
        self.1.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
