use std::{fmt, io};

use crate::exit;

/// What asks the process to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// Ctrl-C (SIGINT), or the end of the terminal (SIGHUP).
    Interrupt,
    /// SIGTERM; on Unix only.
    Terminate,
}

impl Signal {
    /// The exit code of a process that ends early because of it.
    pub const fn exit_code(self) -> u8 {
        match self {
            Signal::Interrupt => exit::INTERRUPTED,
            Signal::Terminate => exit::TERMINATED,
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Signal::Interrupt => "Ctrl-C",
            Signal::Terminate => "SIGTERM",
        })
    }
}

/// The signals that ask this process to end. Once there is one of these, they no longer kill the
/// process.
#[derive(Debug)]
pub struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hangup: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    /// Catches Ctrl-C and SIGTERM. Needs a tokio runtime with I/O.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: None,
        })
    }

    /// Catches SIGHUP too.
    ///
    /// # Errors
    /// As [`Signals::new`].
    pub fn with_hangup() -> io::Result<Signals> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Signals {
            hangup: Some(signal(SignalKind::hangup())?),
            ..Signals::new()?
        })
    }

    /// Waits for the next one. Cancelling loses none.
    pub async fn next(&mut self) -> Signal {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
            _ = hangup => Signal::Interrupt,
        }
    }
}

/// SIGHUP, at which servers reload files. While this exists, the signal does not end the process.
#[derive(Debug)]
pub struct Hangups {
    #[cfg(unix)]
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Hangups {
    /// Catches SIGHUP. Needs a tokio runtime with I/O.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new() -> io::Result<Hangups> {
        use tokio::signal::unix::{SignalKind, signal};
        let hangup = signal(SignalKind::hangup())?;
        Ok(Hangups { hangup })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        if self.hangup.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
impl Hangups {
    /// This system has no SIGHUP.
    ///
    /// # Errors
    /// None on this system.
    pub fn new() -> io::Result<Hangups> {
        Ok(Hangups {})
    }

    /// Never returns.
    pub async fn next(&mut self) {
        std::future::pending::<()>().await;
    }
}

#[cfg(not(unix))]
impl Signals {
    /// Catches Ctrl-C. Needs a tokio runtime with I/O.
    ///
    /// # Errors
    /// None on this system.
    pub fn new() -> io::Result<Signals> {
        Ok(Signals {})
    }

    /// The same on this system.
    ///
    /// # Errors
    /// None on this system.
    pub fn with_hangup() -> io::Result<Signals> {
        Signals::new()
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Signal {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Signal::Interrupt,
            Err(_) => std::future::pending().await,
        }
    }
}
