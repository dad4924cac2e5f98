//! Child processes that cannot be left behind.
//!
//! Each child leads a process group of its own, which is killed as a whole: when the child ends,
//! when its [`ChildProcess`] is dropped, and so also when this program panics. Should this program
//! itself be killed, the child notices the end of its stdin; see [`crate::guard`].

use std::collections::VecDeque;
use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::Exit;

/// The longest line that is kept whole; the rest of a longer one is dropped.
const MAX_LINE_BYTES: usize = 64 * 1024;
/// How many of the last lines of stderr are kept, and how much of each.
const STDERR_LINES: usize = 12;
const STDERR_LINE_BYTES: usize = 500;
/// How long a child has to end by itself; see [`crate::guard`].
const GRACE: Duration = Duration::from_secs(1);
/// How long the output of a dead child may still take to arrive.
const DRAIN: Duration = Duration::from_secs(1);

/// What comes from a child process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ProcessOutput {
    /// A line of its stdout, without the line break.
    Line(String),
    /// It has ended, and so has everything else in its group. Nothing follows.
    Ended(Exit),
}

/// A running child process and its group. Dropping it kills them.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    group: Group,
    stderr: Arc<Tail>,
    watcher: JoinHandle<()>,
    /// Held open: its end makes the child end, with all its descendants.
    stdin: Option<ChildStdin>,
}

impl ChildProcess {
    /// Starts a child and the task that watches it. What comes from it goes to `sink`, each thing
    /// as `wrap` makes it; a child that writes faster than the sink is read has to wait. Its stdin
    /// is a pipe that never carries anything.
    pub(crate) fn start<T: Send + 'static>(
        mut command: Command,
        sink: mpsc::Sender<T>,
        wrap: impl Fn(ProcessOutput) -> T + Send + Sync + 'static,
    ) -> io::Result<ChildProcess> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let group = Group::led_by(&child);
        let stdin = child.stdin.take();
        let stderr = Arc::new(Tail::default());
        let sink = Arc::new(Sink { sink, wrap });
        let watcher = tokio::spawn(watch(child, group, Arc::clone(&stderr), sink));
        Ok(ChildProcess {
            group,
            stderr,
            watcher,
            stdin,
        })
    }

    /// The last lines the child wrote to stderr.
    pub(crate) fn stderr(&self) -> Vec<String> {
        self.stderr.lines()
    }

    /// Lets the child end with all its descendants, kills its group if it does not, and waits until
    /// it has ended.
    pub(crate) async fn kill(mut self) {
        drop(self.stdin.take());
        if timeout(GRACE, &mut self.watcher).await.is_ok() {
            return;
        }
        self.group.kill();
        // The watcher ends when the child does, which a killed one must; the time is a bound for
        // a child that the system itself holds up.
        let _ = timeout(DRAIN * 3, &mut self.watcher).await;
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        if !self.watcher.is_finished() {
            self.group.kill();
        }
    }
}

/// A process group, by the process that leads it.
#[derive(Clone, Copy, Debug)]
struct Group(Option<Pid>);

impl Group {
    fn led_by(child: &Child) -> Group {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Group(id.and_then(Pid::from_raw))
    }

    /// Kills the rest of the group.
    fn kill(self) {
        if let Some(leader) = self.0 {
            // The only error is that the group is empty.
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

/// Where what comes from a child goes.
struct Sink<T, W> {
    sink: mpsc::Sender<T>,
    wrap: W,
}

impl<T, W: Fn(ProcessOutput) -> T> Sink<T, W> {
    /// Sends output; returns whether the receiver is still open.
    async fn put(&self, output: ProcessOutput) -> bool {
        self.sink.send((self.wrap)(output)).await.is_ok()
    }
}

/// Passes a child's output on, and then its exit status.
async fn watch<T, W>(mut child: Child, group: Group, stderr: Arc<Tail>, sink: Arc<Sink<T, W>>)
where
    T: Send + 'static,
    W: Fn(ProcessOutput) -> T + Send + Sync + 'static,
{
    let mut lines = tokio::spawn(pump_lines(child.stdout.take(), Arc::clone(&sink)));
    let mut tail = tokio::spawn(pump_tail(child.stderr.take(), stderr));
    let exit = child.wait().await.map_or(Exit::Code(-1), Exit::from);
    // At once: the group's number may be given to another as soon as the group is empty.
    group.kill();
    if timeout(DRAIN, async { tokio::join!(&mut lines, &mut tail) })
        .await
        .is_err()
    {
        lines.abort();
        tail.abort();
    }
    sink.put(ProcessOutput::Ended(exit)).await;
}

async fn pump_lines<T, W>(stdout: Option<ChildStdout>, sink: Arc<Sink<T, W>>)
where
    W: Fn(ProcessOutput) -> T,
{
    let Some(stdout) = stdout else { return };
    let mut reader = BufReader::new(stdout);
    while let Ok(Some(line)) = next_line(&mut reader, MAX_LINE_BYTES).await {
        if !sink.put(ProcessOutput::Line(line)).await {
            return;
        }
    }
}

async fn pump_tail(stderr: Option<ChildStderr>, tail: Arc<Tail>) {
    let Some(stderr) = stderr else { return };
    let mut reader = BufReader::new(stderr);
    while let Ok(Some(line)) = next_line(&mut reader, STDERR_LINE_BYTES).await {
        tail.push(line);
    }
}

/// The next line without its line break, cut off at `limit` bytes; `None` at the end.
async fn next_line(
    reader: &mut (impl AsyncBufRead + Unpin),
    limit: usize,
) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    loop {
        let available = reader.fill_buf().await?;
        if available.is_empty() && line.is_empty() {
            return Ok(None);
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        line.extend(part.iter().take(limit.saturating_sub(line.len())));
        let (used, is_last) = (part.len() + usize::from(end.is_some()), end.is_some());
        let is_at_end = available.is_empty();
        reader.consume(used);
        if is_last || is_at_end {
            let text = String::from_utf8_lossy(&line);
            return Ok(Some(text.trim_end_matches('\r').to_owned()));
        }
    }
}

/// The last lines of a stream.
#[derive(Debug, Default)]
struct Tail(Mutex<VecDeque<String>>);

impl Tail {
    fn push(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == STDERR_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    fn lines(&self) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> (ChildProcess, mpsc::Receiver<ProcessOutput>) {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        let (sink, output) = mpsc::channel(8);
        let process = ChildProcess::start(command, sink, |output| output).unwrap();
        (process, output)
    }

    async fn all(mut output: mpsc::Receiver<ProcessOutput>) -> (Vec<String>, Option<Exit>) {
        let mut lines = Vec::new();
        while let Some(output) = output.recv().await {
            match output {
                ProcessOutput::Line(line) => lines.push(line),
                ProcessOutput::Ended(exit) => return (lines, Some(exit)),
            }
        }
        (lines, None)
    }

    fn is_alive(pid: &str) -> bool {
        // A zombie is dead; only its parent has not heard yet.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    }

    async fn dies(pid: &str) {
        while is_alive(pid) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn tells_lines_exit_code_and_stderr() {
        let (process, output) = shell("echo one; printf two; echo oh >&2; echo no >&2; exit 3");
        let (lines, exit) = all(output).await;
        assert_eq!(lines, ["one", "two"]);
        assert_eq!(exit, Some(Exit::Code(3)));
        assert_eq!(process.stderr(), ["oh", "no"]);
    }

    #[tokio::test]
    async fn tells_the_signal() {
        let (_process, output) = shell("kill -TERM $$");
        assert_eq!(all(output).await.1, Some(Exit::Signal(15)));
    }

    #[tokio::test]
    async fn keeps_the_end_of_stderr_and_the_head_of_long_lines() {
        let (process, output) = shell("seq 1000 >&2; head -c 100000 /dev/zero | tr '\\0' x");
        let (lines, _) = all(output).await;
        assert_eq!(lines[0].len(), MAX_LINE_BYTES);
        assert_eq!(process.stderr().len(), STDERR_LINES);
        assert_eq!(process.stderr().last().unwrap(), "1000");
    }

    #[tokio::test]
    async fn grandchildren_end_with_the_child() {
        let (_process, output) = shell("sleep 1000 & echo $!");
        let (lines, exit) = all(output).await;
        assert_eq!(exit, Some(Exit::Code(0)));
        dies(&lines[0]).await;
    }

    #[tokio::test]
    async fn dropping_kills_the_whole_group() {
        let (process, mut output) = shell("sleep 1000 & echo $$ $!; wait");
        let Some(ProcessOutput::Line(pids)) = output.recv().await else {
            panic!("the pids");
        };
        drop(process);
        for pid in pids.split(' ') {
            dies(pid).await;
        }
    }

    #[tokio::test]
    async fn a_flood_waits_and_can_be_killed() {
        let (process, mut output) = shell("yes");
        assert_eq!(
            output.recv().await,
            Some(ProcessOutput::Line("y".to_owned()))
        );
        process.kill().await;
        assert_eq!(all(output).await.1, Some(Exit::Signal(9)));
    }
}
