//! Words for people, on stderr.

use std::io::Write;

/// Writes to stderr. Errors are ignored: stderr may be closed.
pub(crate) fn print_stderr(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
