//! `checkers-server`: see [`checkers_server`].

use std::process::ExitCode;

/// A move takes some dozens of small allocations, most of them short-lived.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    checkers_server::main_with(cli_kit::parse())
}
