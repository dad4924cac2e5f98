//! Random numbers that are the same in every run, and random positions made of them.

use std::ops::RangeInclusive;

/// CITE: S. Vigna, SplitMix64 (public domain).
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The FEN of so many pieces on random squares, two in three of them kings.
pub(crate) fn random_set_up(random: &mut SplitMix, pieces: RangeInclusive<usize>) -> String {
    let mut squares: Vec<(usize, usize)> = (0..8)
        .flat_map(|row| (row % 2..8).step_by(2).map(move |file| (row, file)))
        .collect();
    let mut sides = [Vec::new(), Vec::new()];
    for _ in 0..pieces.start() + random.below(pieces.end() - pieces.start() + 1) {
        let (row, file) = squares.swap_remove(random.below(squares.len()));
        let side = match random.below(2) {
            side if sides[side].len() < 12 => side,
            full => 1 - full,
        };
        let last_row = [7, 0][side];
        let king = if row == last_row || random.below(3) > 0 {
            "K"
        } else {
            ""
        };
        sides[side].push(format!(
            "{king}{}{}",
            char::from(b'a' + file as u8),
            row + 1
        ));
    }
    let turn = ["W", "B"][random.below(2)];
    format!("{turn}:W{}:B{}", sides[0].join(","), sides[1].join(","))
}
