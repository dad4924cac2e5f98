//! Words for people, on stderr.

use std::io::Write;

/// Says something on stderr. Whether anybody reads it changes nothing.
pub(crate) fn print_stderr(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
