//! Ctrl-C.

use checkers_engine::Stop;

use crate::failure::talk;

/// A flag that Ctrl-C and a request to terminate set, for commands that have something to clear
/// away. To be called once.
pub(crate) fn stop_on_signals() -> Stop {
    let stop = Stop::default();
    let flag = stop.clone();
    if let Err(error) = ctrlc::set_handler(move || flag.stop()) {
        talk(&format!("warning: Ctrl-C will not be answered: {error}"));
    }
    stop
}
