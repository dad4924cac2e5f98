//! Has memory fetched that is going to be looked at soon, so that nobody waits for it then.

#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the hint takes a pointer")
)]

/// Asks the processor to fetch what is going to be read; `None` is not looked at. Costs about as much
/// as an addition, and does nothing where there is no such instruction.
#[inline(always)]
pub(crate) fn prefetch<T>(slot: Option<&T>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(slot) = slot {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint reads nothing, and the address is that of something that lives.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = slot;
}
