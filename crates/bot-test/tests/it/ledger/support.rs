//! Coordinators and workers of a run, and the same tournament in one process.

use std::fs::{self, DirEntry};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use test_support::{PATIENCE, query, send_signal};
use tokio_postgres::Row;

use crate::support::program;

/// The longest run takes a minute on a busy machine.
const LONGEST_RUN: Duration = Duration::from_secs(600);

/// What a tournament leaves behind.
#[derive(PartialEq, Eq)]
pub(super) struct Left {
    pub(super) tables: String,
    pub(super) journal: String,
}

/// A tournament that is played once in one process, and then on ledgers.
pub(super) struct LedgerCase {
    line: String,
    directory: TempDir,
}

/// A process, which is killed if the test fails.
pub(super) struct TestProcess(Option<Child>);

impl LedgerCase {
    /// A tournament within the process of this format and with these bots.
    pub(super) fn new(line: &str) -> LedgerCase {
        LedgerCase {
            line: format!("{line} --in-process --reproducible --concurrency 2"),
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// The same with processes and sockets.
    pub(super) fn over_websocket(line: &str) -> LedgerCase {
        LedgerCase {
            line: format!("{line} --reproducible --concurrency 2 --connect-timeout 10m"),
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// What one process makes of it.
    pub(super) fn alone(&self) -> Left {
        let ended = self.start("alone", &[]).end();
        let code = ended.status.code();
        assert!(matches!(code, Some(0 | 7)), "{}", errors(&ended));
        self.left("alone", &ended)
    }

    /// Starts a coordinator that does not play. Nobody plays its first pairing until [`release`], so that the run
    /// does not end before.
    pub(super) fn coordinate_held(&self, url: &str, journal: &str) -> TestProcess {
        let coordinator = self.coordinate(url, journal, &["--no-play"]);
        wait_for_row(url, "SELECT 1 FROM tournament_task");
        let hold = "
            WITH holder AS (
                INSERT INTO tournament_worker (run, name, machine, lease) VALUES (1, 'holder', '', 'infinity')
                RETURNING id
            )
            UPDATE tournament_task SET attempt = 1, worker = holder.id FROM holder WHERE tournament_task.id = 0";
        query(url, hold).unwrap();
        coordinator
    }

    /// Starts the coordinator on a ledger, with these options and a journal of this name.
    pub(super) fn coordinate(&self, url: &str, journal: &str, options: &[&str]) -> TestProcess {
        self.start(journal, &[&["--ledger", url], options].concat())
    }

    /// What a coordinator that has ended left.
    pub(super) fn left(&self, journal: &str, ended: &Output) -> Left {
        Left {
            tables: String::from_utf8(ended.stdout.clone()).unwrap(),
            journal: read(&self.directory.path().join(journal)),
        }
    }

    /// The journal that is exported from a ledger.
    pub(super) fn exported(&self, url: &str) -> String {
        let file = self.directory.path().join("exported");
        let words = ["export-journal", "--ledger", url, file.to_str().unwrap()];
        let ended = TestProcess::start(&words).end();
        assert!(ended.status.success(), "{}", errors(&ended));
        let text = read(&file);
        fs::remove_file(file).unwrap();
        text
    }

    fn start(&self, journal: &str, options: &[&str]) -> TestProcess {
        let journal = self.directory.path().join(journal);
        let words: Vec<&str> = self.line.split_whitespace().collect();
        let recorded = ["--journal", journal.to_str().unwrap()];
        TestProcess::start(&[&words[..], &recorded, options].concat())
    }
}

impl TestProcess {
    /// Starts the program.
    pub(super) fn start(words: &[&str]) -> TestProcess {
        let mut command: Command = program(words.iter().copied());
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        TestProcess(Some(command.spawn().unwrap()))
    }

    /// Starts a worker.
    pub(super) fn worker(url: &str) -> TestProcess {
        let options = ["--concurrency", "1", "--lease", "1s"];
        TestProcess::start(&[&["worker", "--ledger", url], &options[..]].concat())
    }

    /// Starts this many workers, and waits until they have joined the run of [`LedgerCase::coordinate_held`].
    pub(super) fn workers(url: &str, count: usize) -> Vec<TestProcess> {
        let workers = (0..count).map(|_| TestProcess::worker(url)).collect();
        wait_for_workers(url, count);
        workers
    }

    /// Waits until it has begun a run.
    pub(super) fn wait_for_run(self, url: &str) -> TestProcess {
        wait_for_row(url, "SELECT 1 FROM tournament_run");
        self
    }

    /// Waits for its end. Kills a process that waits for something that does not come.
    pub(super) fn end(mut self) -> Output {
        let child = self.0.take().unwrap();
        let id = child.id();
        let (ended, end) = mpsc::channel::<()>();
        let guard = thread::spawn(move || {
            if end.recv_timeout(LONGEST_RUN) == Err(RecvTimeoutError::Timeout) {
                send_signal(id, "-KILL");
            }
        });
        let output = child.wait_with_output().unwrap();
        drop(ended);
        guard.join().unwrap();
        output
    }

    /// Reads what it reports until that contains this text.
    pub(super) fn wait_for_report(&mut self, text: &str) {
        let stderr = self.0.as_mut().unwrap().stderr.as_mut().unwrap();
        let mut reported = Vec::new();
        while !String::from_utf8_lossy(&reported).contains(text) {
            let mut byte = [0];
            stderr.read_exact(&mut byte).unwrap();
            reported.extend(byte);
        }
    }

    pub(super) fn signal(&self, signal: &str) {
        send_signal(self.0.as_ref().unwrap().id(), signal);
    }

    /// Waits until it has this many children. Returns their ids.
    pub(super) fn wait_for_children(&self, count: usize) -> Vec<u32> {
        let id = self.0.as_ref().unwrap().id();
        let began = Instant::now();
        loop {
            let threads = fs::read_dir(format!("/proc/{id}/task")).unwrap();
            let of_thread = |thread: DirEntry| fs::read_to_string(thread.path().join("children"));
            let listed: String = threads.flatten().flat_map(of_thread).collect();
            let children = listed.split_whitespace().map(|id| id.parse().unwrap());
            // A process that is still to become another program has the arguments of its parent, which waits for it.
            let is_started = |child: &u32| arguments(*child) != arguments(id);
            let children: Vec<u32> = children.filter(is_started).collect();
            if children.len() == count {
                return children;
            }
            assert!(began.elapsed() < PATIENCE, "{children:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it as a power cut does.
    pub(super) fn kill(self) {
        drop(self);
    }

    /// The same, and another one takes its place.
    pub(super) fn replace_by(&mut self, other: TestProcess) {
        *self = other;
    }
}

impl Drop for TestProcess {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The command line of a process; empty once it is gone.
fn arguments(process: u32) -> Vec<u8> {
    fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default()
}

pub(super) fn errors(ended: &Output) -> String {
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

/// Makes sure that a process ended well.
pub(super) fn check(ended: &Output) {
    assert!(ended.status.success(), "{}", errors(ended));
}

/// Makes sure that both are the same, and shows what is short.
pub(super) fn assert_same(found: &Left, expected: &Left) {
    assert_eq!(found.tables, expected.tables);
    // Journals are too long to be shown.
    let lines = |left: &Left| left.journal.lines().count();
    assert_eq!(lines(found), lines(expected));
    assert!(found.journal == expected.journal, "the journals differ");
}

/// Lets the first pairing be played.
pub(super) fn release(url: &str) {
    let release = "UPDATE tournament_worker SET lease = '-infinity' WHERE name = 'holder'";
    query(url, release).unwrap();
}

/// Waits until this many workers have joined.
pub(super) fn wait_for_workers(url: &str, count: usize) {
    let joined = format!(
        "SELECT 1 FROM tournament_worker WHERE name <> 'holder' HAVING count(*) >= {count}"
    );
    wait_for_row(url, &joined);
}

/// Waits until a query has a row.
pub(super) fn wait_for_row(url: &str, text: &str) -> Row {
    let began = Instant::now();
    loop {
        if let Some(row) = query(url, text).ok().and_then(|mut rows| rows.pop()) {
            return row;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {text}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}
