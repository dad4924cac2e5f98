//! The formats with made-up results: the pairings do not depend on the order in which they finish
//! or on interruptions.

mod broken_off;
mod knockouts;
mod results;
mod sprts;
mod support;
mod swiss;
mod tables;
