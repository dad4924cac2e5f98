//! By how much late moves are searched less deep.

use std::array;

/// Depths and moves beyond count as the last.
const LEN: usize = 64;

/// The plies by which a move off the principal variation is searched less deep, by depth and place in the order: the
/// product of their logarithms, divided.
///
/// CITE: T. Romstad, "An Introduction to Late Move Reductions", 2006; the product of logarithms as in
/// his Stockfish (idea alone).
pub(super) struct Reductions([[u8; LEN]; LEN]);

impl Reductions {
    /// With a divisor in percent.
    pub(super) fn new(divisor: u32) -> Reductions {
        let divisor = f64::from(divisor) / 100.0;
        let plies = |depth: usize, i: usize| LOGARITHMS[depth] * LOGARITHMS[i + 1] / divisor;
        Reductions(array::from_fn(|depth| {
            array::from_fn(|i| plies(depth, i) as u8)
        }))
    }

    /// For the move that comes `i`-th, counted from 0, at a node of `depth` plies.
    #[inline]
    pub(super) fn plies(&self, depth: i32, i: usize) -> i32 {
        let row = &self.0[(depth.max(0) as usize).min(LEN - 1)];
        row[i.min(LEN - 1)].into()
    }
}

/// The natural logarithms of 1 and more. They are made by the compiler, so that they are the same
/// on every machine.
const LOGARITHMS: [f64; LEN + 1] = {
    let mut logarithms = [0.0; LEN + 1];
    let mut n = 2;
    while n <= LEN {
        // ln n − ln (n − 1) = 2 artanh 1 / (2n − 1)
        let x = 1.0 / (2 * n - 1) as f64;
        let (mut power, mut k, mut artanh) = (x, 1.0, 0.0);
        while k < 40.0 {
            artanh += power / k;
            power *= x * x;
            k += 2.0;
        }
        logarithms[n] = logarithms[n - 1] + 2.0 * artanh;
        n += 1;
    }
    logarithms
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for (n, &logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            assert!((logarithm - (n as f64).ln()).abs() < 1e-12);
        }
    }

    #[test]
    fn later_and_deeper_is_reduced_more() {
        let reductions = Reductions::new(150);
        let reduction = |depth, i| reductions.plies(depth, i);
        assert_eq!(reduction(12, 0), 0);
        assert_eq!(reduction(2, 3), 0);
        assert_eq!(reduction(4, 3), 1);
        assert_eq!(reduction(12, 3), 2);
        assert_eq!(reduction(12, 11), 4);
        for depth in 1..70 {
            for i in 0..130 {
                assert!(reduction(depth, i) <= reduction(depth + 1, i));
                assert!(reduction(depth, i) <= reduction(depth, i + 1));
            }
        }
        assert_eq!(reduction(-1, 3), 0);
    }
}
