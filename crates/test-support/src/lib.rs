#![doc = include_str!("../README.md")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod postgres;
mod process;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};
use std::time::Duration;

pub use postgres::{PostgresServer, as_user, give, query};
pub use process::{program, run, send_signal, stderr, stdout};

/// How long a test waits for anything before it gives up. Nothing comes near, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An address on this machine that is used neither by outgoing connections nor by other tests of this process.
pub fn free_address() -> SocketAddr {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + std::process::id() % 10_000;
    let mut ports = std::iter::repeat_with(|| {
        let port = first + u32::from(TAKEN.fetch_add(1, Relaxed));
        u16::try_from(port).expect("a port")
    });
    let free = ports.find_map(|port| {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok()?;
        listener.local_addr().ok()
    });
    free.expect("a free port")
}
