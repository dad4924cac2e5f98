//! Journeys through the page in Chromium, against the real server.
//!
//! They need `chromium`, `chromedriver` and axe-core, which `scripts/test.sh` installs. Where one is
//! missing the tests say so and do nothing, unless `CHECKERS_BROWSER` is set: then they fail.

#![expect(clippy::unwrap_used, reason = "tests")]

mod board;
mod browser;
#[path = "../../build/page.rs"]
mod build;
mod connection;
mod everyone;
mod far;
mod layout;
mod offers;
mod page;
mod play;
mod process;
mod records;
mod scene;
mod states;
mod study;
mod watch;
