#![doc = include_str!("../README.md")]
#![expect(clippy::unwrap_used, reason = "a helper of a test fails like the test")]

mod postgres;
mod process;
mod proxy;
pub mod store;

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

pub use postgres::{PostgresServer, as_user, give, query};
pub use process::{program, run, send_signal, stderr, stdout};
pub use proxy::{Proxy, ProxyLink};

/// How long a test waits for anything before it gives up. Nothing comes near, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// An address on this machine that is used neither by outgoing connections nor by other tests, of other processes too.
pub fn free_address() -> SocketAddr {
    static PORTS: Mutex<Vec<PortBlock>> = Mutex::new(Vec::new());
    let mut blocks = PORTS.lock().unwrap();
    loop {
        if let Some(address) = blocks.last_mut().and_then(PortBlock::next) {
            return address;
        }
        blocks.push(PortBlock::take());
    }
}

/// Ports that belong to this process as long as the file is locked.
struct PortBlock {
    _lock: File,
    ports: Range<u16>,
}

impl PortBlock {
    const PORTS: u16 = 50;

    fn take() -> PortBlock {
        let mut firsts = (20_000..30_000).step_by(usize::from(PortBlock::PORTS));
        let taken = firsts.find_map(|first| {
            let path = std::env::temp_dir().join(format!("checkers-test-ports-{first}"));
            let lock = File::create(path).ok()?;
            lock.try_lock().ok()?;
            let ports = first..first + PortBlock::PORTS;
            Some(PortBlock { _lock: lock, ports })
        });
        taken.expect("ports that no other test has")
    }

    fn next(&mut self) -> Option<SocketAddr> {
        self.ports.find_map(|port| {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok()?;
            listener.local_addr().ok()
        })
    }
}
