//! Running the program the way a user does.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use checkers_bot_test::{BotId, Fault, Forfeit, TournamentRecord};
use tempfile::TempDir;
use test_support::{PATIENCE, send_signal};

use crate::support::program;

/// An environment variable that every process of a tournament inherits.
const MARK: &str = "BOT_TEST_MARK";

/// A tournament, its processes marked.
pub(crate) struct TestRun {
    command: Command,
    mark: String,
    directory: TempDir,
}

/// What came of one.
pub(crate) struct EndedRun {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) record: Option<TournamentRecord>,
    directory: TempDir,
}

impl TestRun {
    /// A match with these words after `match`.
    pub(crate) fn of_match(words: &[&str]) -> TestRun {
        TestRun::new(&[&["match"], words].concat())
    }

    /// A run of the program with these words.
    pub(crate) fn new(words: &[&str]) -> TestRun {
        let directory = tempfile::tempdir().unwrap();
        let mark = directory.path().display().to_string();
        let mut command = program(words.iter().copied());
        if !words.contains(&"--connect-timeout") && words.first() != Some(&"report") {
            // However busy the machine is, a bot that comes late is no subject of the test.
            command.args(["--connect-timeout", "10m"]);
        }
        command.arg("--json").arg(directory.path().join("run.json"));
        command.env(MARK, &mark).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        TestRun {
            command,
            mark,
            directory,
        }
    }

    /// Writes a file too; see [`EndedRun::file`].
    pub(crate) fn with_file(mut self, option: &str, name: &str) -> TestRun {
        self.command
            .arg(option)
            .arg(self.directory.path().join(name));
        self
    }

    pub(crate) fn start(mut self) -> Running {
        Running {
            child: self.command.spawn().unwrap(),
            of: self,
        }
    }

    /// Plays to the end, whatever it is, and makes sure that nobody is left.
    pub(crate) fn play(self) -> EndedRun {
        self.start().wait()
    }
}

/// A tournament that runs.
pub(crate) struct Running {
    child: Child,
    of: TestRun,
}

impl Running {
    /// Waits until this many processes besides the program itself belong to the tournament.
    pub(crate) fn wait_for_processes(&self, count: usize) {
        wait_until("the processes of the tournament", || {
            marked(&self.of.mark)
                .iter()
                .filter(|&&pid| pid != self.child.id())
                .count()
                >= count
        });
    }

    /// Waits until the program has a thread of this name.
    pub(crate) fn wait_for_thread(&self, name: &str) {
        let threads = format!("/proc/{}/task", self.child.id());
        wait_until("a thread of the program", || {
            let mut threads = std::fs::read_dir(&threads).unwrap().flatten();
            threads.any(|thread| {
                let found = std::fs::read_to_string(thread.path().join("comm"));
                found.is_ok_and(|found| found.trim_end() == name)
            })
        });
    }

    /// Sends the program a signal.
    pub(crate) fn signal(&self, signal: &str) {
        send_signal(self.child.id(), signal);
    }

    /// Kills the process of the tournament that was started with this first word.
    pub(crate) fn kill_process_with(&self, word: &str) {
        self.signal_process_with(word, "-KILL");
    }

    /// Sends a signal to the process of the tournament that was started with this first word.
    pub(crate) fn signal_process_with(&self, word: &str, signal: &str) {
        let pid = wait_for("a process to signal", || {
            marked(&self.of.mark)
                .into_iter()
                .find(|pid| first_word(*pid).as_deref() == Some(word))
        });
        send_signal(pid, signal);
    }

    pub(crate) fn wait(self) -> EndedRun {
        let TestRun {
            mark, directory, ..
        } = self.of;
        let Output {
            status,
            stdout,
            stderr,
        } = self.child.wait_with_output().unwrap();
        wait_until("the end of every process", || marked(&mark).is_empty());
        EndedRun {
            code: status.code(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
            record: read(&directory.path().join("run.json")),
            directory,
        }
    }
}

impl EndedRun {
    pub(crate) fn record(&self) -> &TournamentRecord {
        self.record
            .as_ref()
            .unwrap_or_else(|| panic!("no record: {}", self.stderr))
    }

    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.directory.path().join(name)).unwrap()
    }

    /// The names of the files in a directory, in order.
    pub(crate) fn files(&self, directory: &str) -> Vec<String> {
        let files = std::fs::read_dir(self.directory.path().join(directory)).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// How a bot forfeited the first game.
    pub(crate) fn forfeit_of(&self, bot: BotId) -> &Forfeit {
        let game = &self.record().games[0];
        let forfeit = game.forfeit().filter(|forfeit| forfeit.bot == bot);
        forfeit.unwrap_or_else(|| panic!("{:?}\n{}", game.ruling, self.stderr))
    }

    /// What the bot did that forfeited the first game.
    pub(crate) fn fault_of(&self, bot: BotId) -> &Fault {
        &self.forfeit_of(bot).fault
    }
}

fn read(path: &Path) -> Option<TournamentRecord> {
    let json = std::fs::read_to_string(path).ok()?;
    Some(serde_json::from_str(&json).unwrap())
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    wait_for(what, || is_so().then_some(()));
}

fn wait_for<T>(what: &str, look: impl Fn() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The first word of a process's command line after its name.
fn first_word(pid: u32) -> Option<String> {
    let words = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let word = words.split(|&byte| byte == 0).nth(1)?;
    String::from_utf8(word.to_vec()).ok()
}

/// The living processes of a tournament.
fn marked(mark: &str) -> Vec<u32> {
    let wanted = format!("{MARK}={mark}");
    let is_marked = |pid: &u32| {
        // Empty for the dead, unreadable for others' processes.
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment
            .split(|&byte| byte == 0)
            .any(|variable| variable == wanted.as_bytes())
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    (processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok()))
        .filter(is_marked)
        .collect()
}
