//! The arithmetic on accumulators, once for each set of instructions.
//!
//! The loops are written once, in [`kernels`], over arrays of a fixed size; the compiler vectorises
//! them with what each copy of them may use. All of it is on whole numbers that wrap around, so
//! that every copy has the same results.

use checkers_lib::Color;

use super::inputs::{INPUTS, InputChange, Inputs};

/// The accumulators of a side.
pub const HIDDEN: usize = 128;

/// A number for each accumulator of a side, in as many cache lines as it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct AccumulatorRow(pub(super) [i16; HIDDEN]);

impl Default for AccumulatorRow {
    fn default() -> AccumulatorRow {
        AccumulatorRow([0; HIDDEN])
    }
}

/// A set of instructions that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Simd(SimdLevel);

/// Of those that depend on the machine there is none but by [`Simd::available`], which asks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SimdLevel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// What every machine has.
    pub const PORTABLE: Simd = Simd(SimdLevel::Portable);

    /// All that this machine has, the fastest last.
    pub fn available() -> impl Iterator<Item = Simd> {
        let portable = std::iter::once(Simd::PORTABLE);
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2");
            let avx512 =
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
            let more = [(avx2, SimdLevel::Avx2), (avx2 && avx512, SimdLevel::Avx512)];
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
            SimdLevel::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => "avx512",
        }
    }
}

/// The rows of weights of all inputs.
type Rows = [AccumulatorRow; INPUTS];
/// Who is to move, and the weights of the last layer: of that side, then of the other.
type Layer<'a> = (Color, &'a [AccumulatorRow; 2]);

/// The loops.
mod kernels {
    use super::{AccumulatorRow, HIDDEN, InputChange, Inputs, Layer, Rows};

    #[inline(always)]
    pub(super) fn add(rows: &Rows, inputs: &Inputs, sums: &mut AccumulatorRow) {
        for &input in inputs.iter() {
            for (sum, weight) in sums.0.iter_mut().zip(&rows[usize::from(input)].0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
    }

    #[inline(always)]
    pub(super) fn advance(
        rows: &Rows,
        parent: &[AccumulatorRow; 2],
        change: &InputChange,
        child: &mut [AccumulatorRow; 2],
    ) {
        for (side, (parent, child)) in parent.iter().zip(child.iter_mut()).enumerate() {
            let added = &rows[usize::from(change.added[side])];
            let removed = &rows[usize::from(change.removed[side])];
            for i in 0..HIDDEN {
                child.0[i] = parent.0[i]
                    .wrapping_add(added.0[i])
                    .wrapping_sub(removed.0[i]);
            }
        }
        for captured in &change.captured {
            for (child, &input) in child.iter_mut().zip(captured) {
                for (sum, weight) in child.0.iter_mut().zip(&rows[usize::from(input)].0) {
                    *sum = sum.wrapping_sub(*weight);
                }
            }
        }
    }

    #[inline(always)]
    pub(super) fn output(sums: &[AccumulatorRow; 2], (turn, weights): Layer<'_>) -> i32 {
        let sides = [turn as usize, !turn as usize];
        let mut total = 0_i32;
        for (side, weights) in sides.into_iter().zip(weights) {
            for i in 0..HIDDEN {
                let active = sums[side].0[i].clamp(0, 255) as u16;
                let square = (active * active) >> 1;
                let product = i32::from(square as i16) * i32::from(weights.0[i]);
                total = total.wrapping_add(product);
            }
        }
        total
    }

    #[inline(always)]
    pub(super) fn advance_and_output(
        rows: &Rows,
        parent: &[AccumulatorRow; 2],
        change: &InputChange,
        child: &mut [AccumulatorRow; 2],
        layer: Layer<'_>,
    ) -> i32 {
        advance(rows, parent, change, child);
        output(child, layer)
    }
}

/// Copies of the loops that may use more instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! copies {
    ($level:ident, $features:literal) => {
        mod $level {
            use super::{AccumulatorRow, InputChange, Inputs, Layer, Rows, kernels};

            #[target_feature(enable = $features)]
            pub(super) fn add(rows: &Rows, inputs: &Inputs, sums: &mut AccumulatorRow) {
                kernels::add(rows, inputs, sums);
            }

            #[target_feature(enable = $features)]
            pub(super) fn advance(
                rows: &Rows,
                parent: &[AccumulatorRow; 2],
                change: &InputChange,
                child: &mut [AccumulatorRow; 2],
            ) {
                kernels::advance(rows, parent, change, child);
            }

            #[target_feature(enable = $features)]
            pub(super) fn output(sums: &[AccumulatorRow; 2], layer: Layer<'_>) -> i32 {
                kernels::output(sums, layer)
            }

            #[target_feature(enable = $features)]
            pub(super) fn advance_and_output(
                rows: &Rows,
                parent: &[AccumulatorRow; 2],
                change: &InputChange,
                child: &mut [AccumulatorRow; 2],
                layer: Layer<'_>,
            ) -> i32 {
                kernels::advance_and_output(rows, parent, change, child, layer)
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
            SimdLevel::Portable => kernels::$function($($argument),*),
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the one way to use instructions that not all machines have")]
            // SAFETY: this level is only ever made after the machine was found to have AVX2.
            SimdLevel::Avx2 => unsafe { avx2::$function($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the one way to use instructions that not all machines have")]
            // SAFETY: this level is only ever made after the machine was found to have AVX-512F
            // and AVX-512BW.
            SimdLevel::Avx512 => unsafe { avx512::$function($($argument),*) },
        }
    };
}

impl Simd {
    /// Adds some inputs to the sums of a side.
    #[inline]
    pub(super) fn add(self, rows: &Rows, inputs: &Inputs, sums: &mut AccumulatorRow) {
        dispatch!(self, add(rows, inputs, sums));
    }

    /// Makes the sums of both sides after a move.
    #[inline]
    pub(super) fn advance(
        self,
        rows: &Rows,
        parent: &[AccumulatorRow; 2],
        change: &InputChange,
        child: &mut [AccumulatorRow; 2],
    ) {
        dispatch!(self, advance(rows, parent, change, child));
    }

    /// The weighted sum of the squares of both sides' accumulators, where 2¹⁵ stands for 1.
    #[inline]
    pub(super) fn output(self, sums: &[AccumulatorRow; 2], layer: Layer<'_>) -> i32 {
        dispatch!(self, output(sums, layer))
    }

    /// Makes the sums after a move, and their output.
    #[inline]
    pub(super) fn advance_and_output(
        self,
        rows: &Rows,
        parent: &[AccumulatorRow; 2],
        change: &InputChange,
        child: &mut [AccumulatorRow; 2],
        layer: Layer<'_>,
    ) -> i32 {
        dispatch!(self, advance_and_output(rows, parent, change, child, layer))
    }
}
