//! The monotonic clock.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use std::time::Instant;

#[cfg(target_arch = "wasm32")]
pub(crate) use imported::Instant;

/// WebAssembly has no clock of its own: the host of the module provides one.
#[cfg(target_arch = "wasm32")]
mod imported {
    #![expect(unsafe_code, reason = "a function of the host")]

    use std::time::Duration;

    #[link(wasm_import_module = "clock")]
    unsafe extern "C" {
        /// The milliseconds since any fixed time; never less than before.
        safe fn milliseconds() -> f64;
    }

    /// A moment, counted from that time.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub(crate) fn now() -> Instant {
            let seconds = milliseconds() / 1000.0;
            Instant(Duration::try_from_secs_f64(seconds).unwrap_or_default())
        }

        pub(crate) fn elapsed(self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        pub(crate) fn checked_add(self, time: Duration) -> Option<Instant> {
            self.0.checked_add(time).map(Instant)
        }
    }
}
