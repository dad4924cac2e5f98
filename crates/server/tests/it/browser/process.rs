//! The processes of a test, which end with it.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A program that prints its port.
pub(crate) struct Program {
    child: Child,
    pub(crate) port: u16,
}

impl Program {
    /// Starts it and waits for a line that contains `needle` and ends with the port.
    pub(crate) fn start(command: &mut Command, needle: &str) -> Program {
        Program::try_start(command, needle)
            .unwrap_or_else(|| panic!("{command:?} ended before it said {needle:?}"))
    }

    /// As `start`; `None` if it exits before it prints its port.
    fn try_start(command: &mut Command, needle: &str) -> Option<Program> {
        let spawned = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = spawned.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains(needle) {
            line.clear();
            if output.read_line(&mut line).unwrap() == 0 {
                let _ = child.wait();
                return None;
            }
        }
        let port = port_of(&line).unwrap_or_else(|| panic!("no port in {line:?}"));
        thread::spawn(move || {
            let mut rest = String::new();
            while output.read_line(&mut rest).is_ok_and(|read| read > 0) {
                rest.clear();
            }
        });
        Some(Program { child, port })
    }

    /// Kills it, and first its descendants: a driver that exits first may leave its browsers running, which are
    /// children of a script on some systems.
    pub(crate) fn kill(&mut self) {
        let driver = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        for program in driver.into_iter().flat_map(descendants) {
            let _ = kill_process(program, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Whether a program is installed.
pub(crate) fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version");
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The last positive number at the start of a word; words end at spaces and colons.
fn port_of(line: &str) -> Option<u16> {
    line.split([':', ' '])
        .filter_map(|word| {
            let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        })
        .rfind(|&port| port > 0)
}

fn descendants(parent: Pid) -> Vec<Pid> {
    let tasks = fs::read_dir(format!("/proc/{parent}/task"));
    let children: Vec<Pid> = tasks
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|task| fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|children| {
            let ids: Vec<i32> = children
                .split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect();
            ids
        })
        .filter_map(Pid::from_raw)
        .collect();
    let further: Vec<Pid> = children.iter().copied().flat_map(descendants).collect();
    [children, further].concat()
}

/// How often to retry the driver: it chooses a free IPv6 port, which may be taken for IPv4.
const DRIVER_TRIES: usize = 5;

/// The driver and the folder of browser profiles, which is removed after the browsers have exited.
pub(crate) struct Driver {
    pub(crate) program: Program,
    pub(crate) profiles: Option<TempDir>,
}

impl Driver {
    pub(crate) fn start() -> Driver {
        let profiles = tempfile::tempdir().unwrap();
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").env("TMPDIR", profiles.path());
        let program = (0..DRIVER_TRIES)
            .find_map(|_| Program::try_start(&mut command, "started successfully on port"))
            .expect("a driver of browsers");
        Driver {
            program,
            profiles: Some(profiles),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.program.kill();
        let Some(profiles) = self.profiles.take() else {
            return;
        };
        let folder: PathBuf = profiles.keep();
        // Helper processes of the browser may write for a moment.
        for _ in 0..80 {
            if fs::remove_dir_all(&folder).is_ok() {
                break;
            }
            thread::sleep(Duration::from_millis(25));
        }
    }
}

/// The server; restarts keep its port.
pub(crate) struct TheServer {
    program: Option<Program>,
    port: u16,
    data: TempDir,
    page: &'static Path,
}

impl TheServer {
    pub(crate) fn start() -> TheServer {
        let data = tempfile::tempdir().unwrap();
        let page = built_page();
        let program = start_server(0, &data, page);
        TheServer {
            port: program.port,
            program: Some(program),
            data,
            page,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!(
            "http://{}:{}{path}",
            far("ADDRESS").unwrap_or("127.0.0.1".to_owned()),
            self.port
        )
    }

    /// What `checkers-server account` prints for its data.
    pub(crate) fn account(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-server"));
        command.arg("--data").arg(self.data.path()).arg("account");
        let output = command.args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Kills it without a shutdown.
    pub(crate) fn kill(&mut self) {
        self.program = None;
    }

    pub(crate) fn start_again(&mut self) {
        self.program = Some(start_server(self.port, &self.data, self.page));
    }

    /// Replaces it by a server with another version of the page.
    pub(crate) fn upgrade(&mut self) {
        self.kill();
        self.page = other_page();
        self.start_again();
    }
}

/// A variable that `scripts/slow-link.sh` sets for a server in another network namespace.
fn far(what: &str) -> Option<String> {
    env::var(format!("CHECKERS_FAR_{what}")).ok()
}

/// Whether the server is behind a slow link.
pub(crate) fn is_far() -> bool {
    far("NAMESPACE").is_some()
}

fn start_server(port: u16, data: &TempDir, page: &Path) -> Program {
    let program = env!("CARGO_BIN_EXE_checkers-server");
    let mut command = match far("NAMESPACE") {
        Some(namespace) => {
            let mut command = Command::new("ip");
            command.args(["netns", "exec", &namespace, program]);
            command
        }
        None => Command::new(program),
    };
    let address = far("ADDRESS").unwrap_or("127.0.0.1".to_owned());
    command.args(["--bind", &address, "--port", &port.to_string()]);
    // Showcase games take processor time, and lists that change move what a test clicks.
    command.args(["--house-games", "0", "--data"]);
    command.arg(data.path()).env("CHECKERS_PAGE", page);
    Program::start(&mut command, "listening on")
}

/// The folder with the built page.
fn built_page() -> &'static Path {
    static BUILT: LazyLock<PathBuf> = LazyLock::new(|| build_page(&web(), "browser-page"));
    &BUILT
}

/// The folder with another version of the page.
fn other_page() -> &'static Path {
    static BUILT: LazyLock<PathBuf> = LazyLock::new(|| {
        let changed = tempfile::tempdir().unwrap();
        let mut copy = Command::new("cp");
        copy.arg("-r").arg(web()).arg(changed.path());
        assert!(copy.status().unwrap().success());
        let folder = changed.path().join("web");
        let style = folder.join("css/base.css");
        let text = fs::read_to_string(&style).unwrap();
        fs::write(style, format!("{text}\n:root {{ --version: 2; }}\n")).unwrap();
        build_page(&folder, "browser-page-2")
    });
    &BUILT
}

fn web() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web")
}

fn build_page(web: &Path, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    crate::build::build(web, &folder).unwrap();
    folder
}
