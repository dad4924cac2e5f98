//! The bytes of a book's file; `docs/file-formats.md` describes them.

use super::{Book, MenKey};

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
        let mut reader = Reader { bytes, at: 0 };
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
            reader.block(&mut book)?;
        }
        match reader.at {
            // A last block with more positions than there are.
            _ if book.len() > count => Err(BookError::Damaged { offset: 0 }),
            at if at < bytes.len() => Err(BookError::TooLong { offset: at }),
            _ => Ok(book),
        }
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
            let mut content = Vec::with_capacity(keys.len() * LONGEST_POSITION);
            let mut before = 0;
            for (key, &score) in keys.iter().zip(scores) {
                add_number(&mut content, key.to_bits() - before);
                add_number(&mut content, fold_sign(score));
                before = key.to_bits();
            }
            let begin = bytes.len();
            bytes.extend((keys.len() as u32).to_le_bytes());
            bytes.extend((content.len() as u32).to_le_bytes());
            bytes.extend(content);
            add_sum(&mut bytes, begin);
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

fn add_sum(bytes: &mut Vec<u8>, begin: usize) {
    let sum = crc32fast::hash(&bytes[begin..]);
    bytes.extend(sum.to_le_bytes());
}

/// Adds a number, seven bits a byte, the lowest first; the highest bit says that more follow.
fn add_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Small numbers of either sign as small numbers: 0, -1, 1, -2, 2 and so on.
fn fold_sign(number: i16) -> u64 {
    u64::from(((number << 1) ^ (number >> 15)) as u16)
}

fn unfold_sign(number: u64) -> Option<i16> {
    let number = u16::try_from(number).ok()?;
    Some((number >> 1) as i16 ^ -((number & 1) as i16))
}

/// Bytes from a place on.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], BookError> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count));
        let taken = taken.ok_or(BookError::CutOff {
            offset: self.bytes.len(),
        })?;
        self.at += count;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, BookError> {
        let word = self.take(4)?;
        Ok(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }

    /// Reads the checksum of what was read since `begin`.
    fn check_sum_since(&mut self, begin: usize) -> Result<(), BookError> {
        let sum = crc32fast::hash(&self.bytes[begin..self.at]);
        if self.word()? == sum {
            Ok(())
        } else {
            Err(BookError::Damaged { offset: begin })
        }
    }

    /// Reads the next positions into a book.
    fn block(&mut self, book: &mut Book) -> Result<(), BookError> {
        let begin = self.at;
        let damaged = BookError::Damaged { offset: begin };
        let (count, len) = (self.word()? as usize, self.word()? as usize);
        let is_possible = (1..=POSITIONS_PER_BLOCK).contains(&count);
        if !is_possible || len > count * LONGEST_POSITION {
            return Err(damaged);
        }
        let mut content = self.take(len)?;
        self.check_sum_since(begin)?;
        let mut bits = 0_u64;
        for _ in 0..count {
            let step = number(&mut content).ok_or(damaged)?;
            bits = bits.checked_add(step).ok_or(damaged)?;
            let key = MenKey::from_bits(bits).map_err(|_| damaged)?;
            let score = number(&mut content).and_then(unfold_sign).ok_or(damaged)?;
            if book.keys.last().is_some_and(|&last| last >= key) {
                return Err(damaged);
            }
            book.keys.push(key);
            book.scores.push(score);
        }
        if content.is_empty() {
            Ok(())
        } else {
            Err(damaged)
        }
    }
}

/// Takes a number from the front.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
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
    fn signs_are_folded_and_unfolded() {
        for number in [0, 1, -1, 77, -77, i16::MAX, i16::MIN] {
            assert_eq!(unfold_sign(fold_sign(number)), Some(number));
        }
        assert_eq!((fold_sign(-1), fold_sign(1)), (1, 2));
        assert_eq!(unfold_sign(1 << 16), None);
    }
}
