//! A stdout that may not be read for a while: lines wait on a thread of their own, so that the bot
//! need not wait with them.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How many lines wait at most; a line that finds no place is an error of the kind
/// [`io::ErrorKind::WouldBlock`], and is lost.
const WAITING_LINES: usize = 1024;
/// How long to wait for the last lines to be read, and how often to check.
const LAST_WAIT: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

/// Writes to another writer without waiting for it. Each call of `write` is taken as a whole.
#[derive(Debug)]
pub(crate) struct ReportWriter {
    /// `None` once the other writer has failed.
    lines: Option<SyncSender<Vec<u8>>>,
    writer: Option<JoinHandle<io::Result<()>>>,
}

impl ReportWriter {
    /// Writes to `sink` on a thread of its own.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub(crate) fn new(sink: impl Write + Send + 'static) -> io::Result<ReportWriter> {
        let (lines, waiting) = sync_channel(WAITING_LINES);
        let thread = Builder::new().name("reports".to_owned());
        let writer = thread.spawn(|| write_all(sink, waiting))?;
        Ok(ReportWriter {
            lines: Some(lines),
            writer: Some(writer),
        })
    }

    /// Waits until everything is written, but at most two seconds: the rest is lost.
    ///
    /// # Errors
    /// Those of the other writer that were not reported yet.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.lines = None;
        let until = Instant::now() + LAST_WAIT;
        let is_busy = |writer: &JoinHandle<_>| !writer.is_finished();
        while self.writer.as_ref().is_some_and(is_busy) {
            if Instant::now() >= until {
                return Ok(());
            }
            std::thread::sleep(PAUSE);
        }
        self.failure().map_or(Ok(()), Err)
    }

    /// Why the thread has failed, if it has. Reported once.
    fn failure(&mut self) -> Option<io::Error> {
        match self.writer.take()?.join() {
            Ok(written) => written.err(),
            Err(_panic) => Some(io::Error::other("the thread that writes panicked")),
        }
    }
}

fn write_all(mut sink: impl Write, lines: Receiver<Vec<u8>>) -> io::Result<()> {
    for line in lines {
        sink.write_all(&line)?;
        sink.flush()?;
    }
    Ok(())
}

impl Write for ReportWriter {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        let lines = self.lines.as_ref().ok_or_else(closed)?;
        match lines.try_send(text.to_vec()) {
            Ok(()) => Ok(text.len()),
            Err(TrySendError::Full(_)) => Err(io::ErrorKind::WouldBlock.into()),
            Err(TrySendError::Disconnected(_)) => {
                self.lines = None;
                Err(self.failure().unwrap_or_else(closed))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex, MutexGuard};

    /// A writer that keeps everything, and waits while another thread holds the lock.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Kept {
        fn hold(&self) -> MutexGuard<'_, Vec<u8>> {
            self.0.lock().unwrap()
        }
    }

    impl Write for Kept {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.hold().write(text)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Broken;

    impl Write for Broken {
        fn write(&mut self, _text: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn everything_is_written_in_order() {
        let kept = Kept::default();
        let mut report_writer = ReportWriter::new(kept.clone()).unwrap();
        let numbers: Vec<String> = (0..WAITING_LINES)
            .map(|number| format!("{number}\n"))
            .collect();
        for number in &numbers {
            report_writer.write_all(number.as_bytes()).unwrap();
        }
        report_writer.finish().unwrap();
        assert_eq!(*kept.hold(), numbers.concat().into_bytes());
    }

    #[test]
    fn a_line_without_room_is_lost_and_reported() {
        let kept = Kept::default();
        let mut report_writer = ReportWriter::new(kept.clone()).unwrap();
        let held = kept.hold();
        // The thread has taken one line at most.
        let lost: Vec<_> = (0..WAITING_LINES + 2)
            .filter_map(|_| report_writer.write(b"x\n").err())
            .map(|error| error.kind())
            .collect();
        assert!((1..=2).contains(&lost.len()), "{lost:?}");
        assert!(lost.iter().all(|kind| *kind == io::ErrorKind::WouldBlock));
        drop(held);
        report_writer.finish().unwrap();
    }

    #[test]
    fn an_error_is_reported_once_and_at_the_latest_at_the_end() {
        let mut report_writer = ReportWriter::new(Broken).unwrap();
        report_writer.write_all(b"x\n").unwrap();
        assert_eq!(
            report_writer.finish().unwrap_err().kind(),
            io::ErrorKind::StorageFull
        );
        let mut report_writer = ReportWriter::new(Broken).unwrap();
        let error = loop {
            if let Err(error) = report_writer.write_all(b"x\n")
                && error.kind() != io::ErrorKind::WouldBlock
            {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        report_writer.finish().unwrap();
    }

    #[test]
    fn a_reader_that_does_not_read_is_not_waited_for() {
        let kept = Kept::default();
        let held = kept.hold();
        let mut report_writer = ReportWriter::new(kept.clone()).unwrap();
        report_writer.write_all(b"x\n").unwrap();
        report_writer.finish().unwrap();
        assert!(held.is_empty());
    }
}
