//! Large pages for large tables.
//!
//! Most of a look here and there into hundreds of megabytes is the processor's search for the page;
//! of large pages it has the addresses at hand.

#![cfg_attr(
    target_os = "linux",
    expect(unsafe_code, reason = "the one way to ask for large pages")
)]

/// An empty vector with room for so many elements, in large pages where the system has them.
pub(crate) fn with_capacity<T>(capacity: usize) -> Vec<T> {
    let vec: Vec<T> = Vec::with_capacity(capacity);
    #[cfg(target_os = "linux")]
    ask_for_large_pages(vec.as_ptr().cast(), capacity * size_of::<T>());
    vec
}

/// Asks for large pages where so many bytes begin. That they are not to be had is no fault.
#[cfg(target_os = "linux")]
fn ask_for_large_pages(begin: *const u8, len: usize) {
    const LARGE: usize = 2 << 20;
    let before = begin.addr().next_multiple_of(LARGE) - begin.addr();
    let inside = len.saturating_sub(before) / LARGE * LARGE;
    if inside == 0 {
        return;
    }
    let first = begin.wrapping_add(before).cast_mut().cast();
    // SAFETY: these pages are the caller's alone, and the advice changes no content.
    let _ = unsafe { rustix::mm::madvise(first, inside, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_whatever_the_size() {
        for capacity in [0, 1, 1 << 20, (5 << 20) + 3] {
            let mut vec = with_capacity::<u16>(capacity);
            assert!(vec.capacity() >= capacity);
            vec.extend((0..capacity).map(|i| i as u16));
            assert!(vec.iter().enumerate().all(|(i, &word)| word == i as u16));
        }
    }
}
