//! Numbers, texts and moves as bytes.

use checkers_lib::{Move, Position};

use crate::Score;

/// Appends.
#[derive(Default)]
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Small numbers of either sign as small numbers: 0, -1, 1, -2, 2 and so on.
    pub(super) fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)) as u64);
    }

    /// Nothing as 0, and numbers by one higher.
    pub(super) fn optional(&mut self, number: Option<u64>) {
        self.number(number.map_or(0, |number| number.saturating_add(1)));
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.0.extend(text.bytes());
    }

    /// The place of a move among the legal ones.
    pub(super) fn place(&mut self, position: &Position, m: Move) {
        let moves = position.legal_moves();
        let place = moves.iter().position(|&legal| legal == m);
        self.number(place.unwrap_or(moves.len()) as u64);
    }

    /// Their number, then the place of each.
    pub(super) fn moves(&mut self, start: &Position, moves: &[Move]) {
        self.number(moves.len() as u64);
        let mut position = start.clone();
        for &m in moves {
            self.place(&position, m);
            position.play_unchecked(m);
        }
    }
}

/// What is still to be read. Each method returns `None` where the bytes are not what it reads.
pub(super) struct Content<'a>(pub(super) &'a [u8]);

impl Content<'_> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if (bits << shift) >> shift != bits {
                return None;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                // In one way alone: no leading zeros.
                return (byte != 0 || shift == 0).then_some(number);
            }
        }
        None
    }

    pub(super) fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// `Some(None)` is nothing that was written.
    pub(super) fn optional(&mut self) -> Option<Option<u64>> {
        Some(self.number()?.checked_sub(1))
    }

    pub(super) fn score(&mut self) -> Option<Score> {
        super::score(self.signed()?)
    }

    pub(super) fn text(&mut self) -> Option<&str> {
        let len = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        str::from_utf8(text).ok()
    }

    pub(super) fn place(&mut self, position: &Position) -> Option<Move> {
        let place = usize::try_from(self.number()?).ok()?;
        position.legal_moves().get(place).copied()
    }

    pub(super) fn moves(&mut self, start: &Position) -> Option<Vec<Move>> {
        let count = self.number()?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        for _ in 0..count {
            let m = self.place(&position)?;
            position.play_unchecked(m);
            moves.push(m);
        }
        Some(moves)
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
        assert!(content.0.is_empty());
    }

    #[test]
    fn numbers_have_one_form() {
        for bytes in [&[0x80, 0][..], &[0x80], &[0xff; 10], &[]] {
            assert_eq!(Content(bytes).number(), None, "{bytes:?}");
        }
    }
}
