//! Tournaments, played by the program as a user starts it.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]
#![expect(
    clippy::print_stdout,
    reason = "a faulty bot talks to the program that started it"
)]

mod faults;
mod faulty;
mod games;
mod hub;
mod outputs;
mod processes;
mod resume;
mod support;
