//! Inner loops compiled twice: for every processor, and for those that count bits.
//!
//! Ranks of sets of squares are counts of bits, which takes a dozen instructions or one.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "instructions that not every processor has")
)]

/// Calls a function with one argument, compiled for this processor. The function is to be
/// `inline(always)`, and what it calls in its inner loops as well.
macro_rules! for_this_processor {
    ($argument:expr, |$name:ident| $call:expr) => {
        $crate::tablebase::processor::choose($argument, |$name| $call, |$name| $call)
    };
}
pub(crate) use for_this_processor;

/// Does `modern`, which is to be the same as `plain`, with instructions of a modern processor, if this
/// is one. They are two closures so that each is called, and then inlined, in one place.
#[inline(always)]
pub(crate) fn choose<A, T>(
    argument: A,
    modern: impl FnOnce(A) -> T,
    plain: impl FnOnce(A) -> T,
) -> T {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
    {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { with_bit_counts(argument, modern) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    drop(modern);
    plain(argument)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
fn with_bit_counts<A, T>(argument: A, work: impl FnOnce(A) -> T) -> T {
    work(argument)
}
