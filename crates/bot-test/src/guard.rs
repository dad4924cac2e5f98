//! The child's side of never being left behind.
//!
//! Every child of a tournament holds the read end of a pipe. Its parent keeps the other end open
//! and never writes to it. However the parent ends, the pipe ends with it; the parent may also
//! close it.

mod descendants;

use std::io::Read;
use std::process::{Command, Stdio};

use rustix::process::{Signal, getpid, kill_current_process_group, kill_process};

use crate::Exit;
use crate::stderr::print_stderr;

/// Kills this process and its whole group as soon as stdin ends. For processes that lead a group
/// of their own.
pub(crate) fn die_with_parent() {
    at_the_end_of_stdin(|| {});
}

/// Runs code that starts programs of its own, and ends all their descendants with it, also those in
/// other groups or sessions, as far as the system lets this process adopt orphans.
pub(crate) fn run_with_programs<T>(run: impl FnOnce() -> T) -> T {
    descendants::adopt();
    at_the_end_of_stdin(descendants::kill_all);
    let result = run();
    descendants::kill_all();
    result
}

/// Calls `clean_up` and kills this process and its group as soon as stdin ends.
fn at_the_end_of_stdin(clean_up: impl FnOnce() + Send + 'static) {
    std::thread::spawn(|| {
        // Data is ignored, and an error is an end too.
        let mut buffer = [0; 256];
        while matches!(std::io::stdin().read(&mut buffer), Ok(1..)) {}
        clean_up();
        let _ = kill_current_process_group(Signal::KILL);
    });
}

/// Runs a foreign program through the shell and ends as it ends: with its exit code, or by the
/// signal that ended it. The program inherits everything but stdin, and all its descendants end
/// with it.
pub(crate) fn run_foreign(command: &str) -> u8 {
    let status = run_with_programs(|| {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).stdin(Stdio::null()).status()
    });
    match status.map(Exit::from) {
        Ok(Exit::Code(code)) => match code.checked_sub(SHELL_SIGNAL) {
            Some(signal) if is_crash(signal) => end_by(signal),
            _ => u8::try_from(code).unwrap_or(u8::MAX),
        },
        Ok(Exit::Signal(signal)) => end_by(signal),
        Err(error) => {
            print_stderr(&format!("cannot start sh: {error}\n"));
            SHELL_CANNOT_START
        }
    }
}

/// What shells themselves answer for a command they cannot start.
const SHELL_CANNOT_START: u8 = 126;
/// What shells add to the number of the signal that ended their command.
const SHELL_SIGNAL: i32 = 128;

/// Whether a signal is one that programs commonly end by.
fn is_crash(signal: i32) -> bool {
    let crashes = [
        Signal::HUP,
        Signal::INT,
        Signal::QUIT,
        Signal::ILL,
        Signal::TRAP,
        Signal::ABORT,
        Signal::BUS,
        Signal::FPE,
        Signal::KILL,
        Signal::SEGV,
        Signal::PIPE,
        Signal::TERM,
    ];
    Signal::from_named_raw(signal).is_some_and(|named| crashes.contains(&named))
}

fn end_by(signal: i32) -> u8 {
    if let Some(named) = Signal::from_named_raw(signal) {
        // Rust's runtime takes the first SIGSEGV and SIGBUS for an overflow of the stack, finds
        // none and takes its handler away.
        for _ in 0..2 {
            let _ = kill_process(getpid(), named);
        }
    }
    // The signal is one that does not end this process: say it the way shells do.
    u8::try_from(SHELL_SIGNAL + signal).unwrap_or(u8::MAX)
}
