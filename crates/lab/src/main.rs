//! `checkers-lab`: see [`checkers_lab`].

use std::process::ExitCode;

fn main() -> ExitCode {
    checkers_lab::main()
}
