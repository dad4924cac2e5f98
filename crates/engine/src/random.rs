//! Random numbers that are the same in every build.

/// The finaliser of SplitMix64: a bijection that leaves no pattern of its argument visible.
///
/// CITE: S. Vigna, SplitMix64 (public domain); G. L. Steele, D. Lea, C. H. Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014.
pub(crate) const fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Where a random word falls among `count` equal parts of all words: a number below `count`.
#[inline]
pub(crate) fn scale(word: u64, count: usize) -> usize {
    ((u128::from(word) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mix_is_split_mix() {
        // The published first outputs of SplitMix64 seeded with 1234567.
        let outputs = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        let mut state = 1_234_567_u64;
        for output in outputs {
            assert_eq!(mix(state), output);
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
    }

    #[test]
    fn scale_reaches_both_ends() {
        assert_eq!(scale(0, 7), 0);
        assert_eq!(scale(u64::MAX, 7), 6);
        assert_eq!(scale(u64::MAX / 2, 7), 3);
        assert_eq!(scale(u64::MAX, 0), 0);
    }
}
