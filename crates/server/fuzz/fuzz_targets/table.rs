//! The table against a simpler table: who sits where, whose turn it is, what the rules say of a move.
//! What the model foresees has to happen, and whatever happens is remembered before it is told.

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
