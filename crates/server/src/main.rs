//! `checkers-server`: see [`checkers_server`].

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    checkers_server::main_with(checkers_server::Args::parse())
}
