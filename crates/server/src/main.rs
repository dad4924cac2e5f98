//! `checkers-server`: see [`checkers_server`].

use std::process::ExitCode;

use checkers_server::Args;
use clap::CommandFactory;

/// Handling a move makes dozens of small, short-lived allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(code) = cli_kit::generate_pages(Args::command) {
        return code;
    }
    checkers_server::main_with(cli_kit::parse::<Args>())
}
