//! The page: its logic, without a browser, and how it is served.

#![expect(clippy::unwrap_used, reason = "tests")]

mod files;
mod scripts;
