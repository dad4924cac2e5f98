//! The arithmetic on accumulators, once for each set of instructions.
//!
//! The loops are written once, in [`kernels`], over arrays of a fixed size; the compiler vectorises
//! them with what each copy of them may use. All of it is on whole numbers that wrap around, so
//! that every copy has the same results.

use super::HIDDEN;
use super::inputs::Inputs;

/// A number for each accumulator of a side, in as many cache lines as it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct Row(pub(super) [i16; HIDDEN]);

impl Default for Row {
    fn default() -> Row {
        Row([0; HIDDEN])
    }
}

/// A set of instructions that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Simd(Level);

/// Of those that depend on the machine there is none but by [`Simd::available`], which asks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// What every machine has.
    pub const PORTABLE: Simd = Simd(Level::Portable);

    /// All that this machine has, the fastest last.
    pub fn available() -> impl Iterator<Item = Simd> {
        let portable = std::iter::once(Simd::PORTABLE);
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2");
            let avx512 =
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            let more = [(avx2, Level::Avx2), (avx2 && avx512, Level::Avx512)];
            let more = more.into_iter().filter(|(is_there, _)| *is_there);
            portable.chain(more.map(|(_, level)| Simd(level)))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            portable
        }
    }

    /// The fastest that this machine has.
    pub fn fastest() -> Simd {
        Simd::available().last().unwrap_or(Simd::PORTABLE)
    }

    /// What to call it.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }
}

/// The loops.
mod kernels {
    use super::{HIDDEN, Inputs, Row};

    #[inline(always)]
    pub(super) fn step(parent: &Row, added: &Row, removed: &Row, child: &mut Row) {
        for i in 0..HIDDEN {
            child.0[i] = parent.0[i]
                .wrapping_add(added.0[i])
                .wrapping_sub(removed.0[i]);
        }
    }

    #[inline(always)]
    pub(super) fn change(rows: &[Row], added: &Inputs, removed: &Inputs, sums: &mut Row) {
        for &input in added.iter() {
            for (sum, weight) in sums.0.iter_mut().zip(&rows[usize::from(input)].0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for &input in removed.iter() {
            for (sum, weight) in sums.0.iter_mut().zip(&rows[usize::from(input)].0) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
    }

    #[inline(always)]
    pub(super) fn output(sums: [&Row; 2], weights: [&Row; 2]) -> i32 {
        let mut total = 0_i32;
        for (sums, weights) in sums.into_iter().zip(weights) {
            for i in 0..HIDDEN {
                let active = sums.0[i].clamp(0, 255) as u16;
                let square = (active * active) >> 1;
                let product = i32::from(square as i16) * i32::from(weights.0[i]);
                total = total.wrapping_add(product);
            }
        }
        total
    }
}

/// Copies of the loops that may use more instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! copies {
    ($level:ident, $features:literal) => {
        mod $level {
            use super::{Inputs, Row, kernels};

            #[target_feature(enable = $features)]
            pub(super) fn step(parent: &Row, added: &Row, removed: &Row, child: &mut Row) {
                kernels::step(parent, added, removed, child);
            }

            #[target_feature(enable = $features)]
            pub(super) fn change(rows: &[Row], added: &Inputs, removed: &Inputs, sums: &mut Row) {
                kernels::change(rows, added, removed, sums);
            }

            #[target_feature(enable = $features)]
            pub(super) fn output(sums: [&Row; 2], weights: [&Row; 2]) -> i32 {
                kernels::output(sums, weights)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
copies!(avx2, "avx2");
#[cfg(target_arch = "x86_64")]
copies!(avx512, "avx512f,avx512bw");

/// Calls a loop's copy for a level.
macro_rules! dispatch {
    ($simd:expr, $function:ident($($argument:expr),*)) => {
        match $simd.0 {
            Level::Portable => kernels::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the one way to use instructions that not all machines have")]
            // SAFETY: this level is only ever made after the machine was found to have AVX2.
            Level::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the one way to use instructions that not all machines have")]
            // SAFETY: this level is only ever made after the machine was found to have AVX-512F
            // and AVX-512BW.
            Level::Avx512 => unsafe { avx512::$function($($argument),*) },
        }
    };
}

impl Simd {
    /// Makes the sums after a piece has gone from one square to another.
    #[inline]
    pub(super) fn step(self, parent: &Row, added: &Row, removed: &Row, child: &mut Row) {
        dispatch!(self, step(parent, added, removed, child));
    }

    /// Adds some inputs to sums and takes others away.
    #[inline]
    pub(super) fn change(self, rows: &[Row], added: &Inputs, removed: &Inputs, sums: &mut Row) {
        dispatch!(self, change(rows, added, removed, sums));
    }

    /// The weighted sum of the squares of both sides' accumulators, where 2¹⁵ stands for 1.
    #[inline]
    pub(super) fn output(self, sums: [&Row; 2], weights: [&Row; 2]) -> i32 {
        dispatch!(self, output(sums, weights))
    }
}
