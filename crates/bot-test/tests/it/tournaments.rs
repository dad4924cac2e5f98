//! Tournaments played by the program as a user starts it.

mod faults;
mod faulty;
mod games;
mod hub;
mod outputs;
mod processes;
mod resume;
mod support;
