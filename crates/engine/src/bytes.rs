//! Numbers, texts and checked blocks as bytes, for the files of books and trees; `docs/file-formats.md` describes
//! them.

/// Where bytes are not a file. Offsets are in bytes from its beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BytesError {
    /// They end too early, at `offset`.
    CutOff { offset: usize },
    /// The part that begins at `offset` is not what was written.
    Damaged { offset: usize },
}

/// Appends numbers and texts.
#[derive(Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    pub(crate) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Small numbers of either sign as small numbers: 0, -1, 1, -2, 2 and so on.
    pub(crate) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)) as u64);
    }

    /// A missing number as 0, others one higher.
    pub(crate) fn optional(&mut self, number: Option<u64>) {
        self.number(number.map_or(0, |number| number.saturating_add(1)));
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.bytes());
    }
}

/// What is still to be read. Each method returns `None` where the bytes are not what it reads.
pub(crate) struct Content<'a>(pub(crate) &'a [u8]);

impl<'a> Content<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if (bits << shift) >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                // A number has one form: without leading zeros.
                return (byte != 0 || shift == 0).then_some(number);
            }
        }
        None
    }

    pub(crate) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// `Some(None)` is a missing number.
    pub(crate) fn optional(&mut self) -> Option<Option<u64>> {
        Some(self.number()?.checked_sub(1))
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        str::from_utf8(text).ok()
    }
}

/// Appends the checksum of all bytes from `begin` on.
pub(crate) fn add_sum(bytes: &mut Vec<u8>, begin: usize) {
    let sum = crc32fast::hash(&bytes[begin..]);
    bytes.extend(sum.to_le_bytes());
}

/// Appends a block of `count` items: their number, the length of their bytes, these, and a checksum.
pub(crate) fn add_block(bytes: &mut Vec<u8>, count: usize, content: Writer) {
    let (begin, content) = (bytes.len(), content.into_bytes());
    bytes.extend((count as u32).to_le_bytes());
    bytes.extend((content.len() as u32).to_le_bytes());
    bytes.extend(content);
    add_sum(bytes, begin);
}

/// Reads a file from its beginning.
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> ByteReader<'a> {
        ByteReader { bytes, at: 0 }
    }

    /// How many bytes were read.
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], BytesError> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.get(..count));
        let taken = taken.ok_or(BytesError::CutOff {
            offset: self.bytes.len(),
        })?;
        self.at += count;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u32, BytesError> {
        let word = self.take(4)?;
        Ok(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }

    /// Reads the checksum of what was read since `begin`.
    pub(crate) fn check_sum_since(&mut self, begin: usize) -> Result<(), BytesError> {
        let sum = crc32fast::hash(&self.bytes[begin..self.at]);
        if self.word()? == sum {
            Ok(())
        } else {
            Err(BytesError::Damaged { offset: begin })
        }
    }

    /// Reads a block of at least one item and at most `most`, each of at most `longest` bytes, and checks its
    /// checksum. Gives `read` the number of items and their bytes; it reads them all, or returns `None`.
    pub(crate) fn block(
        &mut self,
        most: usize,
        longest: usize,
        read: impl FnOnce(usize, &mut Content<'a>) -> Option<()>,
    ) -> Result<(), BytesError> {
        let begin = self.at;
        let damaged = BytesError::Damaged { offset: begin };
        let (count, len) = (self.word()? as usize, self.word()? as usize);
        if !(1..=most).contains(&count) || len > count * longest {
            return Err(damaged);
        }
        let mut content = Content(self.take(len)?);
        self.check_sum_since(begin)?;
        let read = read(count, &mut content);
        read.filter(|()| content.is_empty()).ok_or(damaged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive() {
        let mut writer = Writer::default();
        let numbers = [0, 1, 127, 128, 1 << 40, u64::MAX];
        let signed = [0, -1, 1, -64, 64, i64::MIN, i64::MAX];
        numbers.iter().for_each(|&number| writer.number(number));
        signed.iter().for_each(|&number| writer.signed(number));
        let bytes = writer.into_bytes();
        let mut content = Content(&bytes);
        assert!(numbers.iter().all(|&n| content.number() == Some(n)));
        assert!(signed.iter().all(|&n| content.signed() == Some(n)));
        assert!(content.is_empty());
        let mut small = Writer::default();
        small.signed(-1);
        small.signed(1);
        assert_eq!(small.into_bytes(), [1, 2]);
    }

    #[test]
    fn numbers_have_one_form() {
        for bytes in [&[0x80, 0][..], &[0x80], &[0xff; 10], &[]] {
            assert_eq!(Content(bytes).number(), None, "{bytes:?}");
        }
    }
}
