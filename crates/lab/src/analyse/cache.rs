//! Answers kept in a file: one line of JSON each.
//!
//! A line is `{"key":…,"verdict":…,"check":…}`. Lines that cannot be read, such as one that was cut
//! off by a crash, and lines with a wrong checksum are skipped; of two with one key the last
//! counts. A file without any line that begins like one is not a cache, and is not changed.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::verdict::MoveVerdict;
use crate::failure::LabFailure;

/// The answers that are known, and the file that new ones are added to.
pub(super) struct Cache {
    path: PathBuf,
    file: File,
    known: HashMap<String, MoveVerdict>,
}

#[derive(Serialize, Deserialize)]
struct CacheEntry<K, V> {
    key: K,
    verdict: V,
    /// The CRC-32 of the key and the answer.
    check: u32,
}

impl Cache {
    /// Opens and reads the file, or creates it.
    ///
    /// # Errors
    /// When that fails, or the file is something else.
    pub(super) fn open(path: &Path) -> Result<Cache, LabFailure> {
        let open = || -> io::Result<Cache> {
            let mut options = OpenOptions::new();
            let mut file = options.read(true).append(true).create(true).open(path)?;
            if !file.metadata()?.is_file() {
                let reason = "it is no regular file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
            }
            let known = read(&file)?;
            end_last_line(&mut file)?;
            let path = path.to_owned();
            Ok(Cache { path, file, known })
        };
        open().map_err(|source| LabFailure::ReadFile {
            path: path.to_owned(),
            source,
        })
    }

    pub(super) fn get(&self, key: &str) -> Option<&MoveVerdict> {
        self.known.get(key)
    }

    /// Adds an answer, on the disk first.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn add(&mut self, key: String, verdict: &MoveVerdict) -> Result<(), LabFailure> {
        let check = checksum(&key, verdict);
        let entry = CacheEntry {
            key: &key,
            verdict,
            check,
        };
        let mut line = serde_json::to_vec(&entry).expect("texts and numbers can be written");
        line.push(b'\n');
        self.file
            .write_all(&line)
            .map_err(|source| LabFailure::WriteFile {
                path: self.path.clone(),
                source,
            })?;
        self.known.insert(key, verdict.clone());
        Ok(())
    }
}

/// What every line begins with.
const BEGINNING: &[u8] = br#"{"key":"#;

fn read(file: &File) -> io::Result<HashMap<String, MoveVerdict>> {
    let mut known = HashMap::new();
    let (mut is_empty, mut is_ours) = (true, false);
    for line in BufReader::new(file).split(b'\n') {
        let line = line?;
        is_empty = false;
        let is_cut_off = !line.is_empty() && BEGINNING.starts_with(&line);
        is_ours |= line.starts_with(BEGINNING) || is_cut_off;
        let entry: Result<CacheEntry<String, MoveVerdict>, _> = serde_json::from_slice(&line);
        if let Ok(CacheEntry {
            key,
            verdict,
            check,
        }) = entry
            && check == checksum(&key, &verdict)
        {
            known.insert(key, verdict);
        }
    }
    if !is_empty && !is_ours {
        let reason = "it is no cache of answers, no line of it is one";
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(known)
}

fn checksum(key: &str, verdict: &MoveVerdict) -> u32 {
    crc32fast::hash(format!("{key}\n{}", verdict.to_json()).as_bytes())
}

/// Sees to it that what is added begins on a line of its own.
fn end_last_line(file: &mut File) -> io::Result<()> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(());
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last != *b"\n" {
        file.write_all(b"\n")?;
    }
    Ok(())
}
