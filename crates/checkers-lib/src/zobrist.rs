//! Random words for position keys.
//!
//! CITE: A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970; the words
//! come from SplitMix64 (S. Vigna, public domain), so that keys are the same in every build.

use crate::{Color, Square};

/// Output number `index` of SplitMix64 seeded with 0.
pub(crate) const fn split_mix(index: u64) -> u64 {
    let mut z = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Indexed by colour, then king or man, then square.
static PIECES: [[[u64; 32]; 2]; 2] = {
    let mut table = [[[0; 32]; 2]; 2];
    let mut i = 0;
    while i < 128 {
        table[i / 64][i / 32 % 2][i % 32] = split_mix(i as u64);
        i += 1;
    }
    table
};

/// Part of the key whenever Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = split_mix(128);

/// The word of one piece on one square.
#[inline]
pub(crate) fn piece(color: Color, is_king: bool, square: Square) -> u64 {
    PIECES[color as usize][usize::from(is_king)][square.index()]
}
