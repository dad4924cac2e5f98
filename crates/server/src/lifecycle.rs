//! The lifecycle of the server, from serving to shutdown.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use checkers_lib::protocol::close_code;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_util::sync::CancellationToken;

/// Why the server stops, as sent to its clients.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Stop {
    /// It does not come back: close code 1001.
    #[default]
    ForGood,
    /// It comes back: close code 1012.
    Restart,
}

impl From<()> for Stop {
    fn from((): ()) -> Stop {
        Stop::ForGood
    }
}

/// The close frame sent to every client at shutdown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Farewell {
    pub(crate) code: u16,
    pub(crate) reason: String,
}

impl Farewell {
    pub(crate) fn new(stop: Stop, restart_delay: std::time::Duration) -> Farewell {
        match stop {
            Stop::ForGood => Farewell {
                code: close_code::GOING_AWAY,
                reason: "the server is shutting down".to_owned(),
            },
            Stop::Restart => Farewell {
                code: CloseCode::Restart.into(),
                reason: format!(
                    "restarting: come back in {}",
                    humantime::format_duration(restart_delay)
                ),
            },
        }
    }
}

/// The phase of the server's lifecycle.
#[derive(Default, Debug)]
pub(crate) struct Lifecycle {
    draining: AtomicBool,
    closing: CancellationToken,
    farewell: OnceLock<Farewell>,
}

impl Lifecycle {
    /// Starts to refuse new clients.
    pub(crate) fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Tells every connection to close.
    pub(crate) fn close(&self, farewell: Farewell) {
        self.drain();
        let _ = self.farewell.set(farewell);
        self.closing.cancel();
    }

    /// Waits for the end, and returns what to say then.
    pub(crate) async fn closed(&self) -> Farewell {
        self.closing.cancelled().await;
        let farewell = self.farewell.get().cloned();
        farewell.expect("set before the token is cancelled")
    }
}
