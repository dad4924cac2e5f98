//! The server process, and how to damage it.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use test_support::{free_address, run, send_signal};

use tempfile::TempDir;

/// The variable with the directory of the small file system.
const SMALL_FILE_SYSTEM: &str = "RELIABILITY_SMALL_FILE_SYSTEM";

/// Where the store is.
pub(crate) enum Disk {
    /// On the machine's file system. Full disks are simulated by a file size limit.
    Temporary(TempDir),
    /// On a separate file system that can be filled.
    Small(TempDir),
}

impl Disk {
    pub(crate) fn temporary() -> Disk {
        Disk::Temporary(tempfile::tempdir().expect("a directory"))
    }

    /// The small file system of this process, if it has one.
    pub(crate) fn small() -> Option<Disk> {
        let directory = std::env::var_os(SMALL_FILE_SYSTEM)?;
        Some(Disk::Small(
            tempfile::tempdir_in(directory).expect("a directory"),
        ))
    }

    pub(crate) fn path(&self) -> &Path {
        let (Disk::Temporary(directory) | Disk::Small(directory)) = self;
        directory.path()
    }
}

/// A server that can be restarted on the same port and store.
pub(crate) struct ServerProcess {
    pub(crate) disk: Disk,
    address: SocketAddr,
    /// The faketime library, and the file with the time offset.
    false_clock: Option<(PathBuf, PathBuf)>,
    /// What makes it a node of a cluster, as arguments.
    node: Vec<String>,
    /// Where it listens for other nodes.
    link_address: Option<SocketAddr>,
    child: Option<Child>,
}

impl ServerProcess {
    pub(crate) fn on(disk: Disk) -> ServerProcess {
        ServerProcess {
            disk,
            address: free_address(),
            false_clock: None,
            node: Vec::new(),
            link_address: None,
            child: None,
        }
    }

    /// A node with this name, whose cluster has its store in a database and its key in a file.
    pub(crate) fn node(name: &str, database: &str, key: &Path) -> ServerProcess {
        let link_address = free_address();
        let address = link_address.to_string();
        let key = key.to_str().expect("UTF-8");
        let arguments = [
            ["--store", database],
            ["--node", name],
            ["--cluster-address", &address],
            ["--cluster-key-file", key],
        ];
        let mut node = ServerProcess::on(Disk::temporary());
        node.node = arguments.concat().into_iter().map(str::to_owned).collect();
        node.link_address = Some(link_address);
        node
    }

    /// The server with further arguments.
    pub(crate) fn with(mut self, arguments: &[&str]) -> ServerProcess {
        self.node
            .extend(arguments.iter().map(|&text| text.to_owned()));
        self
    }

    /// A server with an adjustable time of day; `None` without the library.
    pub(crate) fn with_false_clock() -> Option<ServerProcess> {
        let library = std::fs::read_dir("/usr/lib")
            .ok()?
            .flatten()
            .map(|entry| entry.path().join("faketime/libfaketime.so.1"));
        let library = { library }.find(|path| path.exists())?;
        let mut server = ServerProcess::on(Disk::temporary());
        let offset = server.disk.path().join("offset");
        server.false_clock = Some((library, offset));
        server.set_clock(0);
        Some(server)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where a node listens for other nodes.
    pub(crate) fn link_address(&self) -> SocketAddr {
        self.link_address.expect("a node")
    }

    /// Starts and waits until the server listens.
    pub(crate) fn start(&mut self) {
        let mut child = self.command().spawn().expect("the server starts");
        let out = child.stdout.as_mut().expect("it speaks");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        let listens = line.starts_with("listening on ");
        assert!(listens, "{line:?}: {}", self.log());
        self.child = Some(child);
    }

    /// Starts it, and waits until it has ended by itself. Returns its exit code.
    pub(crate) fn run(&self) -> Option<i32> {
        let status = self.command().status();
        status.expect("the server starts").code()
    }

    /// What it has logged since it was first started.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.log_file()).expect("a log")
    }

    fn log_file(&self) -> PathBuf {
        self.disk.path().with_extension("log")
    }

    fn command(&self) -> Command {
        // Exceeding the file size limit must be an error, not a signal.
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        command.arg(env!("CARGO_BIN_EXE_checkers-server"));
        let port = self.address.port().to_string();
        command
            .args(["--bind", "127.0.0.1", "--port", &port])
            .arg("--data");
        command.arg(self.disk.path().join("data"));
        // The database of a cluster is stopped, too.
        let durability = if self.node.is_empty() {
            "crash"
        } else {
            "power-loss"
        };
        command.args(["--durability", durability, "--grace", "5m"]);
        // No showcase games.
        command.args(["--house-games", "0"]);
        command.args(&self.node);
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.log_file());
        command.stdout(Stdio::piped()).stderr(log.expect("a log"));
        command.env("CHECKERS_LOG", "warn");
        if let Some((library, offset)) = &self.false_clock {
            command.env("LD_PRELOAD", library);
            command.env("FAKETIME_TIMESTAMP_FILE", offset);
            // Only the time of day changes; monotonic clocks do not.
            command.envs([
                ("FAKETIME_NO_CACHE", "1"),
                ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
            ]);
        }
        command
    }

    /// kill -9
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("dead");
        }
    }

    /// Waits until it has ended by itself, and returns its exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let mut child = self.child.take()?;
        child.wait().expect("gone").code()
    }

    pub(crate) fn signal(&self, name: &str) {
        send_signal(self.id(), name);
    }

    /// Stops it gracefully.
    pub(crate) fn stop(&mut self) {
        self.signal("-TERM");
        let status = self
            .child
            .take()
            .map(|mut child| child.wait().expect("gone"));
        assert_eq!(status.and_then(|status| status.code()), Some(0));
    }

    /// Sets the offset of the server's time of day, in seconds.
    pub(crate) fn set_clock(&self, offset: i64) {
        let (_, file) = self.false_clock.as_ref().expect("such a server");
        std::fs::write(file, format!("{offset:+}\n")).expect("written");
    }

    /// Fills the server's disk, or frees it.
    pub(crate) fn fill_disk(&self, is_full: bool) {
        let Disk::Small(directory) = &self.disk else {
            let limit = if is_full {
                "4096:unlimited"
            } else {
                "unlimited:unlimited"
            };
            let process = self.id().to_string();
            run(Command::new("prlimit").args(["--pid", &process, &format!("--fsize={limit}")]));
            return;
        };
        let ballast = directory.path().join("ballast");
        if !is_full {
            return std::fs::remove_file(ballast).expect("removed");
        }
        let mut file = std::fs::File::create(ballast).expect("a file");
        for size in [64 * 1024, 512] {
            let block = vec![0; size];
            while std::io::Write::write_all(&mut file, &block).is_ok() {}
        }
    }

    fn id(&self) -> u32 {
        self.child.as_ref().expect("a running server").id()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
        if std::thread::panicking() {
            let log = std::fs::read_to_string(self.log_file());
            eprintln!("log of {}:\n{}", self.address(), log.unwrap_or_default());
        }
    }
}

/// Runs this program again in a namespace with a small file system; `None` if the system does not
/// allow it.
pub(crate) fn on_small_file_system(mount: &Path) -> Option<Command> {
    let within = |rest: &str| {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
        command.arg(format!("mount -t tmpfs -o size=64m tmpfs \"$0\" && {rest}"));
        command.arg(mount);
        command
    };
    let can_mount = within("true").stderr(Stdio::null()).status();
    if !can_mount.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut itself = within("exec \"$@\"");
    itself.arg(std::env::current_exe().expect("a program"));
    itself.env(SMALL_FILE_SYSTEM, mount);
    Some(itself)
}
