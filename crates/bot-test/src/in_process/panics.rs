//! Bots that panic: the message is kept, and nothing is written to stderr.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// Whether panics on this thread are caught below.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// What the latest of them said.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs a bot's code, or returns on one line the message and place of its panic. After a panic, the
/// data that the code worked on must not be used.
pub(super) fn catch<T>(code: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(keep_messages);
    IS_CAUGHT.set(true);
    let done = panic::catch_unwind(AssertUnwindSafe(code));
    IS_CAUGHT.set(false);
    done.map_err(|_| MESSAGE.take().unwrap_or_default())
}

/// Keeps the messages of the panics that are caught; all others go where they went before.
fn keep_messages() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IS_CAUGHT.get() {
            MESSAGE.set(Some(line(info)));
        } else {
            before(info);
        }
    }));
}

fn line(info: &PanicHookInfo<'_>) -> String {
    let message = info.payload_as_str().unwrap_or("no message");
    let words: Vec<&str> = message.split_whitespace().collect();
    let place = info.location().map(|place| format!(" ({place})"));
    words.join(" ") + &place.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_reported_on_one_line() {
        assert_eq!(catch(|| 5), Ok(5));
        let reported = catch(|| panic!("no move\n  at ply {}", 7)).unwrap_err();
        assert!(reported.starts_with("no move at ply 7 ("), "{reported}");
        assert!(reported.contains("panics.rs:"), "{reported}");
        let reported = catch(|| panic::panic_any(5)).unwrap_err();
        assert!(reported.starts_with("no message ("), "{reported}");
        assert_eq!(catch(|| 6), Ok(6));
    }
}
