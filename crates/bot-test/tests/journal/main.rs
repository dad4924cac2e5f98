//! Journals: what was recorded is there, whatever happened to the program or the file.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod damage;
mod full_disk;
mod settings;
mod support;
mod writing;
