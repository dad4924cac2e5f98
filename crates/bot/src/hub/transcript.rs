//! What an engine was sent and what it wrote, in a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The size at which a file ends, so that an engine that writes without end fills no disk.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// The author of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Speaker {
    /// We, on its stdin.
    Us,
    /// The engine, on its stdout.
    Engine,
    /// The engine, on its stderr.
    Stderr,
}

/// The transcript of one process, shared by the threads that read and write its streams.
#[derive(Clone)]
pub(super) struct Transcript(Arc<Mutex<Sheet<File>>>);

impl Transcript {
    /// Begins a transcript in place of what is in the file.
    pub(super) fn create(path: &Path) -> io::Result<Transcript> {
        let sheet = Sheet::new(File::create(path)?, MOST_BYTES);
        Ok(Transcript(Arc::new(Mutex::new(sheet))))
    }

    /// Writes a line at once: the process that has the engine may be killed at any time.
    pub(super) fn note(&self, speaker: Speaker, line: &str) {
        let mut sheet = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = sheet.note(speaker, line) {
            // The game goes on without a transcript.
            let _ = writeln!(io::stderr(), "warning: the transcript ends: {error}");
        }
    }
}

/// Lines until there is no room, or they cannot be written.
struct Sheet<W> {
    sink: W,
    /// How many more bytes may be written; `None` once there are no more lines.
    room: Option<usize>,
}

impl<W: Write> Sheet<W> {
    fn new(sink: W, room: usize) -> Sheet<W> {
        let room = Some(room);
        Sheet { sink, room }
    }

    fn note(&mut self, speaker: Speaker, line: &str) -> io::Result<()> {
        let Some(room) = self.room.take() else {
            return Ok(());
        };
        let mark = match speaker {
            Speaker::Us => '>',
            Speaker::Engine => '<',
            Speaker::Stderr => '!',
        };
        let text = format!("{mark} {}\n", line.trim_end_matches('\r'));
        match room.checked_sub(text.len()) {
            Some(left) => {
                self.sink.write_all(text.as_bytes())?;
                self.room = Some(left);
                Ok(())
            }
            None => self.sink.write_all(b"# the rest is left out\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_marked_until_there_is_no_room() {
        let mut sheet = Sheet::new(Vec::new(), 25);
        for (speaker, line) in [
            (Speaker::Us, "hub"),
            (Speaker::Stderr, "hello"),
            (Speaker::Engine, "wait\r"),
            (Speaker::Us, "init"),
            (Speaker::Us, "x"),
        ] {
            sheet.note(speaker, line).unwrap();
        }
        let text = String::from_utf8(sheet.sink).unwrap();
        assert_eq!(text, "> hub\n! hello\n< wait\n# the rest is left out\n");
    }

    #[test]
    fn a_file_that_cannot_be_written_ends_it_once() {
        let mut disk = [0; 4];
        let mut sheet = Sheet::new(disk.as_mut_slice(), 100);
        assert!(sheet.note(Speaker::Us, "hub").is_err());
        assert!(sheet.note(Speaker::Us, "init").is_ok());
    }
}
