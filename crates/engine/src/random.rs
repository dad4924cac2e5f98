//! Random numbers that are the same in every build.

/// What SplitMix64 adds from one number to the next: 2⁶⁴ divided by the golden ratio.
pub(crate) const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64: a bijection that leaves no pattern of its argument visible.
///
/// CITE: S. Vigna, SplitMix64 (public domain); G. L. Steele, D. Lea, C. H. Flood, "Fast
/// Splittable Pseudorandom Number Generators", 2014.
pub(crate) const fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Where a random word falls among `count` equal parts of all words: a number below `count`.
#[inline]
pub(crate) fn scale(word: u64, count: usize) -> usize {
    ((u128::from(word) * count as u128) >> 64) as usize
}

/// A sequence of random numbers that is the same in every build: SplitMix64.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// One of many sequences of a seed, none of which has to do with another.
    pub fn of(seed: u64, number: u64) -> Rng {
        Rng(mix(mix(seed) ^ number))
    }

    /// A number below `count`, each as likely as another; 0 if there is none.
    #[inline]
    pub fn below(&mut self, count: usize) -> usize {
        let word = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        scale(word, count)
    }
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
    fn dice_fall_on_every_side_alike() {
        let mut rng = Rng::new(1);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[rng.below(6)] += 1;
        }
        // A standard deviation of 29.
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn scale_reaches_both_ends() {
        assert_eq!(scale(0, 7), 0);
        assert_eq!(scale(u64::MAX, 7), 6);
        assert_eq!(scale(u64::MAX / 2, 7), 3);
        assert_eq!(scale(u64::MAX, 0), 0);
    }
}
