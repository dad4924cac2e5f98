//! Ctrl-C, SIGTERM and SIGHUP.

use std::io;
use std::sync::OnceLock;
use std::thread;

use checkers_engine::Stop;
use cli_kit::{Signal, Signals};

use crate::failure::talk;

/// What stopped the command, for its exit code.
static STOPPED_BY: OnceLock<Signal> = OnceLock::new();

/// A flag that Ctrl-C and a request to terminate set, for commands that have something to clear
/// away. To be called once.
pub(crate) fn stop_on_signals() -> Stop {
    let stop = Stop::default();
    if let Err(error) = set_at_signal(stop.clone()) {
        talk(&format!("warning: Ctrl-C will not be answered: {error}"));
    }
    stop
}

fn set_at_signal(flag: Stop) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()?;
    // The handlers are there before the command begins.
    let mut signals = runtime.block_on(async { Signals::with_hangup() })?;
    let thread = thread::Builder::new().name("signals".to_owned());
    thread.spawn(move || {
        // Nothing is there yet: a command calls this once.
        let _ = STOPPED_BY.set(runtime.block_on(signals.next()));
        flag.stop();
    })?;
    Ok(())
}

/// The exit code of a command that was stopped.
pub(crate) fn exit_code() -> u8 {
    let signal = STOPPED_BY.get().copied();
    signal.unwrap_or(Signal::Interrupt).exit_code()
}
