//! What can be wrong with a journal.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a journal cannot be begun, taken up or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system said no. What was recorded before is as it was.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was to be done.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Another run has it.
    #[error("another run is writing {}", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A new journal was to take the place of something else.
    #[error("{} is there already", path.display())]
    NotEmpty {
        /// The file.
        path: PathBuf,
    },
    /// Nothing was recorded: the file is empty, or ends within the header. A new journal may take
    /// its place.
    #[error("nothing was recorded in {}", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// A journal of another version.
    #[error("{} is a journal of version {found}, and this program reads version {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// A line that says something else than what was written.
    #[error("{} is damaged at {damage}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where, and how.
        damage: JournalDamage,
    },
    /// A pairing was to be recorded a second time; nothing was written.
    #[error("pairing {id} is recorded already in {}", path.display())]
    Twice {
        /// The file.
        path: PathBuf,
        /// The pairing.
        id: u64,
    },
}

/// A line of a journal that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalDamage {
    /// Which line, from 1; the header is the first.
    pub line: u64,
    /// Where in the file it begins: bytes from 0.
    pub byte: u64,
    /// What is wrong.
    pub defect: Defect,
}

/// What is wrong with a line. Each reads on from "line 3 …".
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Defect {
    /// It stops short.
    #[error("has no line break at its end")]
    Unfinished,
    /// It has no checksum to hold against its text.
    #[error("does not begin with a checksum")]
    NoChecksum,
    /// Text, checksum or an earlier line have changed, or a line is missing before it.
    #[error("has the checksum {found:08x}, which should be {expected:08x}")]
    Checksum {
        /// What its text and the line before it give.
        expected: u32,
        /// What it says.
        found: u32,
    },
    /// It is what was written, and cannot be understood.
    #[error("cannot be read: {message}")]
    Content {
        /// Why.
        message: String,
    },
    /// It is about a pairing that an earlier line is about.
    #[error("records pairing {id} a second time")]
    Twice {
        /// The pairing.
        id: u64,
    },
}

impl fmt::Display for JournalDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: line {} {}", self.byte, self.line, self.defect)
    }
}
