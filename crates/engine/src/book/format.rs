//! The bytes of a book's file; `docs/file-formats.md` describes them.

use super::{Book, MenKey};
use crate::bytes::{ByteReader, BytesError, Content, Writer, add_block, add_sum};

/// What a file begins with.
const MAGIC: [u8; 8] = *b"RDBOOK\x1a\n";
/// The version of the format.
const VERSION: u16 = 1;
/// The bytes before the note.
const HEADER_LEN: usize = 16;
/// So many positions share a checksum, but for the last ones.
const POSITIONS_PER_BLOCK: usize = 256;
/// The most bytes of a position: seven bits of its key and of its score in each.
const LONGEST_POSITION: usize = 10 + 3;

/// Why bytes are no book. Offsets are in bytes from the beginning of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// They begin like something else.
    #[error("no opening book: it begins with other bytes at byte 0")]
    Foreign,
    /// They are of another time.
    #[error("version {found} of the format at byte 8, expected {VERSION}")]
    Version {
        /// What was found.
        found: u16,
    },
    /// They end too early.
    #[error("cut off at byte {offset}")]
    CutOff {
        /// Where they end.
        offset: usize,
    },
    /// They are not what was written.
    #[error("damaged at byte {offset}")]
    Damaged {
        /// Where the damaged part begins.
        offset: usize,
    },
    /// Something follows after the end.
    #[error("more than a book: it goes on at byte {offset}")]
    TooLong {
        /// Where the book ends.
        offset: usize,
    },
}

impl Book {
    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are something else, or damaged.
    pub fn read(bytes: &[u8]) -> Result<Book, BookError> {
        let begin = &bytes[..bytes.len().min(MAGIC.len())];
        if !MAGIC.starts_with(begin) || begin.is_empty() {
            return Err(BookError::Foreign);
        }
        let mut reader = ByteReader::new(bytes);
        let header = reader.take(HEADER_LEN)?;
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version != VERSION {
            return Err(BookError::Version { found: version });
        }
        let note_len = u16::from_le_bytes([header[10], header[11]]).into();
        let count = u32::from_le_bytes([header[12], header[13], header[14], header[15]]) as usize;
        let note = String::from_utf8_lossy(reader.take(note_len)?).into_owned();
        reader.check_sum_since(0)?;
        let mut book = Book {
            note,
            ..Book::default()
        };
        while book.len() < count {
            reader.block(POSITIONS_PER_BLOCK, LONGEST_POSITION, |count, content| {
                book.add(count, content)
            })?;
        }
        if book.len() > count {
            // A last block with more positions than there are.
            return Err(BookError::Damaged { offset: 0 });
        }
        if !reader.is_at_end() {
            return Err(BookError::TooLong {
                offset: reader.offset(),
            });
        }
        Ok(book)
    }

    /// The bytes of the file, the same for the same book.
    pub fn to_bytes(&self) -> Vec<u8> {
        let note = truncated(&self.note);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((note.len() as u16).to_le_bytes());
        bytes.extend((self.len() as u32).to_le_bytes());
        bytes.extend(note.bytes());
        add_sum(&mut bytes, 0);
        let blocks = self.keys.chunks(POSITIONS_PER_BLOCK);
        for (keys, scores) in blocks.zip(self.scores.chunks(POSITIONS_PER_BLOCK)) {
            let mut content = Writer::default();
            let mut before = 0;
            for (key, &score) in keys.iter().zip(scores) {
                content.number(key.to_bits() - before);
                content.signed(score.into());
                before = key.to_bits();
            }
            add_block(&mut bytes, keys.len(), content);
        }
        bytes
    }
}

/// As much of a text as a file has room for.
fn truncated(text: &str) -> &str {
    let mut len = text.len().min(u16::MAX.into());
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    &text[..len]
}

impl Book {
    /// Adds the positions of a block; `None` if they are none, or not in ascending order.
    fn add(&mut self, count: usize, content: &mut Content<'_>) -> Option<()> {
        let mut bits = 0_u64;
        for _ in 0..count {
            bits = bits.checked_add(content.number()?)?;
            let key = MenKey::from_bits(bits).ok()?;
            let score = content.signed()?.try_into().ok()?;
            if self.keys.last().is_some_and(|&last| last >= key) {
                return None;
            }
            self.keys.push(key);
            self.scores.push(score);
        }
        Some(())
    }
}

impl From<BytesError> for BookError {
    fn from(error: BytesError) -> BookError {
        match error {
            BytesError::CutOff { offset } => BookError::CutOff { offset },
            BytesError::Damaged { offset } => BookError::Damaged { offset },
        }
    }
}

#[cfg(test)]
mod tests {
    use checkers_lib::openings;

    use super::*;

    fn book() -> Book {
        let openings = openings::enumerate(4);
        let scores = [0, 1, -1, 500, -500, i16::MAX, i16::MIN];
        let entries = openings.iter().zip(scores.into_iter().cycle());
        let entries = entries.map(|(opening, score)| {
            let key = MenKey::of(opening.position()).unwrap();
            (key, score)
        });
        Book::new("made of\nall quiet openings: ½".to_owned(), entries)
    }

    #[test]
    fn files_come_back() {
        let book = book();
        let bytes = book.to_bytes();
        assert!(book.len() > POSITIONS_PER_BLOCK && bytes.len() < 9 * book.len());
        assert_eq!(Book::read(&bytes), Ok(book));
        let empty = Book::new(String::new(), []);
        assert_eq!(Book::read(&empty.to_bytes()), Ok(empty));
    }

    #[test]
    fn every_damaged_byte_and_every_cut_is_noticed() {
        let bytes = book().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert!(Book::read(&damaged).is_err(), "byte {at}");
            let cut = Book::read(&bytes[..at]);
            let expected = match at {
                0 => BookError::Foreign,
                _ => BookError::CutOff { offset: at },
            };
            assert_eq!(cut, Err(expected));
        }
    }

    #[test]
    fn errors_say_where() {
        let bytes = book().to_bytes();
        assert_eq!(Book::read(b"PK\x03\x04"), Err(BookError::Foreign));
        let mut other = bytes.clone();
        other[8] = 9;
        assert_eq!(Book::read(&other), Err(BookError::Version { found: 9 }));
        let first_block = HEADER_LEN + book().note.len() + size_of::<u32>();
        let mut damaged = bytes.clone();
        damaged[first_block + 100] ^= 1;
        let offset = first_block;
        assert_eq!(Book::read(&damaged), Err(BookError::Damaged { offset }));
        damaged = bytes.clone();
        damaged[HEADER_LEN] ^= 1;
        assert_eq!(Book::read(&damaged), Err(BookError::Damaged { offset: 0 }));
        let offset = bytes.len();
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(Book::read(&longer), Err(BookError::TooLong { offset }));
    }

    #[test]
    fn scores_survive_and_others_are_none() {
        let read = |number: i64| {
            let mut writer = Writer::default();
            writer.number(0);
            writer.signed(number);
            let bytes = writer.into_bytes();
            let mut book = Book::default();
            book.add(1, &mut Content(&bytes)).map(|()| book.scores[0])
        };
        for score in [0, 1, -1, 300, -300, i16::MAX, i16::MIN] {
            assert_eq!(read(score.into()), Some(score));
        }
        assert_eq!(read(1 << 15), None);
    }
}
