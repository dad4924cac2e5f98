//! Reading a journal from its beginning.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{Defect, Header, Journal, JournalDamage, JournalError, line};
use crate::PairRecord;

/// Reads a journal line by line.
pub(super) struct JournalReader<'a> {
    path: &'a Path,
    input: BufReader<&'a File>,
    /// Which line is next, from 1.
    line: u64,
    /// Where it begins.
    pub(super) byte: u64,
    /// The checksum of the line before it.
    pub(super) checksum: u32,
}

pub(super) struct Records {
    /// The last header after the first, if the tournament was extended.
    pub(super) header: Option<Header>,
    pub(super) list: Vec<PairRecord>,
    /// Their pairings.
    pub(super) ids: HashSet<u64>,
    /// What is wrong with the last line, if it should be cut off.
    pub(super) damage: Option<JournalDamage>,
}

/// What comes next in a journal.
enum Item {
    /// A good line's JSON.
    Json(Vec<u8>),
    /// The last line, which was not written to its end.
    Torn {
        damage: JournalDamage,
        text: Vec<u8>,
    },
    /// Nothing.
    End,
}

/// The part of a header that all versions have.
#[derive(Deserialize)]
struct Versioned {
    journal: u32,
}

impl<'a> JournalReader<'a> {
    /// Reads from the file's first byte; there must be no other reader of it.
    pub(super) fn new(path: &'a Path, file: &'a File) -> JournalReader<'a> {
        JournalReader {
            path,
            input: BufReader::new(file),
            line: 1,
            byte: 0,
            checksum: line::NO_CHECKSUM,
        }
    }

    /// Reads the first line.
    pub(super) fn header(&mut self) -> Result<Header, JournalError> {
        let no_header = || JournalError::NoHeader {
            path: self.path.to_owned(),
        };
        let start = self.place();
        let json = match self.next()? {
            Item::Json(json) => json,
            Item::End => return Err(no_header()),
            Item::Torn { text, .. } if line::begins_like_header(&text) => return Err(no_header()),
            Item::Torn { damage, .. } => return Err(self.damaged(damage)),
        };
        let Versioned { journal: found } = self.parse(&json, start)?;
        let expected = Journal::VERSION;
        if found != expected {
            let path = self.path.to_owned();
            return Err(JournalError::Version {
                path,
                found,
                expected,
            });
        }
        self.parse(&json, start)
    }

    /// Reads the other lines. Afterwards [`JournalReader::byte`] is where the good ones end.
    pub(super) fn records(&mut self) -> Result<Records, JournalError> {
        let mut records = Records {
            header: None,
            list: Vec::new(),
            ids: HashSet::new(),
            damage: None,
        };
        loop {
            let start = self.place();
            match self.next()? {
                Item::End => return Ok(records),
                Item::Torn { damage, .. } => {
                    records.damage = Some(damage);
                    return Ok(records);
                }
                Item::Json(json) if line::is_header(&json) => {
                    records.header = Some(self.parse(&json, start)?);
                }
                Item::Json(json) => {
                    let record: PairRecord = self.parse(&json, start)?;
                    let id = record.pairing.id;
                    if !records.ids.insert(id) {
                        return Err(self.damaged(start.with(Defect::Twice { id })));
                    }
                    records.list.push(record);
                }
            }
        }
    }

    fn next(&mut self) -> Result<Item, JournalError> {
        let mut text = Vec::new();
        let length = self.read_line(&mut text)?;
        if length == 0 {
            return Ok(Item::End);
        }
        let is_finished = text.pop_if(|last| *last == b'\n').is_some();
        match line::read(&text, self.checksum) {
            Ok((checksum, json)) if is_finished => {
                self.checksum = checksum;
                self.line += 1;
                self.byte += length;
                Ok(Item::Json(json.to_vec()))
            }
            Ok(_) => Ok(self.torn(Defect::Unfinished, text)),
            Err(defect) if self.is_at_end()? && !line::runs_on(&text, self.checksum) => {
                let defect = if is_finished {
                    defect
                } else {
                    Defect::Unfinished
                };
                Ok(self.torn(defect, text))
            }
            Err(defect) => Err(self.damaged(self.place().with(defect))),
        }
    }

    fn read_line(&mut self, text: &mut Vec<u8>) -> Result<u64, JournalError> {
        let length = self.input.read_until(b'\n', text);
        Ok(length.map_err(|source| self.unreadable(source))? as u64)
    }

    fn is_at_end(&mut self) -> Result<bool, JournalError> {
        let path = self.path;
        let rest = self.input.fill_buf();
        rest.map(<[u8]>::is_empty)
            .map_err(|source| unreadable(path, source))
    }

    fn parse<T: DeserializeOwned>(&self, json: &[u8], place: LineStart) -> Result<T, JournalError> {
        serde_json::from_slice(json).map_err(|error| {
            let message = error.to_string();
            self.damaged(place.with(Defect::Content { message }))
        })
    }

    fn torn(&self, defect: Defect, text: Vec<u8>) -> Item {
        let damage = self.place().with(defect);
        Item::Torn { damage, text }
    }

    fn place(&self) -> LineStart {
        LineStart {
            line: self.line,
            byte: self.byte,
        }
    }

    fn damaged(&self, damage: JournalDamage) -> JournalError {
        JournalError::Damaged {
            path: self.path.to_owned(),
            damage,
        }
    }

    fn unreadable(&self, source: io::Error) -> JournalError {
        unreadable(self.path, source)
    }
}

/// Where a line begins.
#[derive(Clone, Copy)]
struct LineStart {
    line: u64,
    byte: u64,
}

impl LineStart {
    fn with(self, defect: Defect) -> JournalDamage {
        JournalDamage {
            line: self.line,
            byte: self.byte,
            defect,
        }
    }
}

fn unreadable(path: &Path, source: io::Error) -> JournalError {
    JournalError::Io {
        path: path.to_owned(),
        action: "read",
        source,
    }
}
