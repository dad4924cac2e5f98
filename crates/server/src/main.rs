//! `checkers-server`: see [`checkers_server`].

use std::process::ExitCode;

/// Handling a move makes dozens of small, short-lived allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    checkers_server::main_with(cli_kit::parse())
}
