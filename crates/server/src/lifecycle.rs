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
pub(crate) struct ShutdownNotice {
    pub(crate) code: u16,
    pub(crate) reason: String,
}

impl ShutdownNotice {
    pub(crate) fn new(stop: Stop, restart_delay: std::time::Duration) -> ShutdownNotice {
        match stop {
            Stop::ForGood => ShutdownNotice {
                code: close_code::GOING_AWAY,
                reason: "the server is shutting down".to_owned(),
            },
            Stop::Restart => ShutdownNotice {
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
}
