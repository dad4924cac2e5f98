//! The engine's process: lines to it and lines from it.
//!
//! Its stderr is this program's, or is copied there: the last lines of this program's stderr
//! include the engine's.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::error::{EngineEnd, HubError};
use super::line::HubLine;
use super::reading::{Heard, MAX_LINE_BYTES, next_line, pump};
use super::spec::HubSpec;
use super::transcript::{Speaker, Transcript};

/// How many lines wait to be read by us; then the engine waits.
const LINES_FROM: usize = 256;
/// How many lines wait to be read by the engine; then it is deaf.
const LINES_TO: usize = 64;
/// How long an engine may take to end once it was asked to.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(5);

/// The directory of tablebases is not a setting of a bot.
const TABLES: &str = "CHECKERS_TABLEBASE";

/// A running engine. Dropping it ends it, and everything in its process group.
pub(super) struct EngineProcess {
    child: Child,
    /// `None` once it was asked to end.
    to: Option<SyncSender<HubLine>>,
    from: Receiver<Heard>,
    /// Disconnected once all of its stderr is copied, if it is.
    copied: Option<Receiver<()>>,
}

impl EngineProcess {
    /// Starts the engine with `sh -c`, in a process group of its own and without what this
    /// program's settings in the environment are.
    pub(super) fn start(
        spec: &HubSpec,
        transcript: Option<Transcript>,
    ) -> io::Result<EngineProcess> {
        let mut command = Command::new("sh");
        command.arg("-c").arg(&spec.command);
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        for (key, _) in std::env::vars_os() {
            if key.to_string_lossy().starts_with("CHECKERS_") && key != TABLES {
                command.env_remove(key);
            }
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(match transcript {
                Some(_) => Stdio::piped(),
                None => Stdio::inherit(),
            })
            .spawn()?;
        let (to, to_engine) = sync_channel(LINES_TO);
        let (from_engine, from) = sync_channel(LINES_FROM);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let stderr = child.stderr.take();
        let mut process = EngineProcess {
            child,
            to: Some(to),
            from,
            copied: None,
        };
        let spawn = |name: &str| thread::Builder::new().name(name.to_owned());
        if let (Some(stderr), Some(transcript)) = (stderr, transcript.clone()) {
            let (copying, copied) = sync_channel(0);
            process.copied = Some(copied);
            spawn("engine-err").spawn(move || copy(stderr, &transcript, copying))?;
        }
        if let (Some(stdin), Some(stdout)) = (stdin, stdout) {
            let sent = transcript.clone();
            spawn("engine-in").spawn(move || write(stdin, &to_engine, sent.as_ref()))?;
            spawn("engine-out").spawn(move || {
                pump(BufReader::new(stdout), &from_engine, |heard| {
                    if let (Some(transcript), Some(line)) = (&transcript, line_of(&heard)) {
                        transcript.note(Speaker::Engine, line);
                    }
                    heard
                });
            })?;
        }
        Ok(process)
    }

    /// Says something to the engine. Whether it has ended is found out by hearing.
    pub(super) fn say(&self, line: HubLine) -> Result<(), HubError> {
        match self.to.as_ref().map(|to| to.try_send(line)) {
            Some(Err(TrySendError::Full(_))) => Err(HubError::Deaf),
            Some(Ok(()) | Err(TrySendError::Disconnected(_))) | None => Ok(()),
        }
    }

    /// The next line that the engine says; `None` if it says nothing for so long.
    pub(super) fn hear(&mut self, patience: Duration) -> Result<Option<String>, HubError> {
        match self.from.recv_timeout(patience) {
            Ok(Heard::Line(line)) => Ok(Some(line)),
            Ok(Heard::TooLong) => Err(HubError::TooLong {
                limit: MAX_LINE_BYTES,
            }),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => {
                let how = self.wait().map_or(EngineEnd::Output, EngineEnd::from);
                if let Some(copied) = &self.copied {
                    // Its last words come before what is said of its end.
                    let _ = copied.recv_timeout(GRACE);
                }
                Err(HubError::Ended { how })
            }
        }
    }

    /// Waits a while for the end of the process.
    fn wait(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(LOOK),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Kills the rest of the process group.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(leader) = i32::try_from(self.child.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            // The only error is that the group is empty.
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        let _ = self.say(HubLine::new("quit"));
        // Closes its stdin, once all is written.
        self.to = None;
        let is_over = self.wait().is_some();
        // At once: the group's number may be given to another as soon as the group is empty.
        self.kill();
        if !is_over {
            let _ = self.child.wait();
        }
    }
}

/// Writes lines until the channel closes or the engine stops reading.
fn write(mut stdin: ChildStdin, lines: &Receiver<HubLine>, transcript: Option<&Transcript>) {
    for line in lines {
        let text = format!("{line}\n");
        if let Some(transcript) = transcript {
            transcript.note(Speaker::Us, text.trim_end());
        }
        if stdin
            .write_all(text.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}

/// Copies its stderr to ours and to the transcript.
fn copy(stderr: ChildStderr, transcript: &Transcript, _copying: SyncSender<()>) {
    let mut stderr = BufReader::new(stderr);
    while let Ok(heard) = next_line(&mut stderr)
        && let Some(line) = line_of(&heard)
    {
        transcript.note(Speaker::Stderr, line);
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// What was heard, in words.
fn line_of(heard: &Heard) -> Option<&str> {
    match heard {
        Heard::Line(line) => Some(line),
        Heard::TooLong => Some("(a line that is too long)"),
        Heard::End => None,
    }
}
