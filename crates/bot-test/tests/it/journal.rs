//! Journals: records survive crashes of the program and damage to the file's end.

mod damage;
mod full_disk;
mod settings;
mod support;
mod writing;
