//! The lifecycle of the server, from serving to shutdown.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use checkers_lib::protocol::close_code;
use tokio::time::sleep;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_util::sync::CancellationToken;

use crate::table::ClientId;

/// Into how many parts the connections are divided that are closed over time.
const CLOSED_AT_ONCE: u64 = 64;

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
pub(crate) struct ShutdownNotice {
    pub(crate) code: u16,
    pub(crate) reason: String,
    /// The time over which the connections are closed.
    pub(crate) spread: Duration,
}

impl ShutdownNotice {
    pub(crate) fn new(stop: Stop, restart_delay: Duration) -> ShutdownNotice {
        match stop {
            Stop::ForGood => ShutdownNotice {
                code: close_code::GOING_AWAY,
                reason: "the server is shutting down".to_owned(),
                spread: Duration::ZERO,
            },
            Stop::Restart => ShutdownNotice {
                code: CloseCode::Restart.into(),
                reason: format!(
                    "restarting: come back in {}",
                    humantime::format_duration(restart_delay)
                ),
                spread: Duration::ZERO,
            },
        }
    }
}

/// The phase of the server's lifecycle.
#[derive(Default, Debug)]
pub(crate) struct Lifecycle {
    draining: AtomicBool,
    closing: CancellationToken,
    notice: OnceLock<ShutdownNotice>,
}

impl Lifecycle {
    /// Starts to refuse new clients.
    pub(crate) fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    /// Closes all connections.
    pub(crate) fn close(&self, notice: ShutdownNotice) {
        self.drain();
        let _ = self.notice.set(notice);
        self.closing.cancel();
    }

    /// Waits for [`Lifecycle::close`].
    pub(crate) async fn closed(&self) -> ShutdownNotice {
        self.closing.cancelled().await;
        let notice = self.notice.get().cloned();
        notice.expect("set before the token is cancelled")
    }

    /// Waits until the connection of this client is to be closed.
    pub(crate) async fn closed_for(&self, who: ClientId) -> ShutdownNotice {
        let notice = self.closed().await;
        let share = (who.0 % CLOSED_AT_ONCE) as f64 / CLOSED_AT_ONCE as f64;
        sleep(notice.spread.mul_f64(share)).await;
        notice
    }
}
