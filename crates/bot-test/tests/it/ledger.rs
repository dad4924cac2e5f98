//! Tournaments on several machines, which are processes here: what they leave behind is what one process leaves.

mod equality;
mod faults;
mod refusals;
mod support;
