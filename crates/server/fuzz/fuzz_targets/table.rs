//! Compares the table with a simpler model of seats, turns and rules. Events must be recorded
//! before they are sent.

#![no_main]

mod model;

use libfuzzer_sys::fuzz_target;
use model::{Model, Step};

fuzz_target!(|steps: Vec<Step>| {
    let mut model = Model::new();
    for step in steps {
        model.take(step);
    }
});
