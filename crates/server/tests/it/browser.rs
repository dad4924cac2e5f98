//! Tests of the page in Chromium, against the real server.
//!
//! They need `chromium`, `chromedriver` and axe-core, which `scripts/test.sh` installs. Without
//! them the tests are skipped, or fail if `CHECKERS_BROWSER` is set.

mod accounts;
mod arena_and_swiss;
mod board;
mod connection;
mod correspondence;
mod everyone;
mod explorer;
mod far;
mod layout;
mod offers;
mod page;
mod play;
mod process;
mod records;
mod scene;
mod session;
mod states;
mod study;
mod watch;
