//! The server as a process that can be hurt.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

use tempfile::TempDir;

/// Where a process finds the small file system it is to use.
const SMALL_FILE_SYSTEM: &str = "RELIABILITY_SMALL_FILE_SYSTEM";

/// Where the games are kept.
pub(crate) enum Disk {
    /// As large as the machine's. It is full when files may not grow.
    Temporary(TempDir),
    /// A file system of its own that can be filled.
    Small(TempDir),
}

impl Disk {
    pub(crate) fn temporary() -> Disk {
        Disk::Temporary(tempfile::tempdir().expect("a directory"))
    }

    /// In the small file system that this process was given, if it was.
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

/// A server that can be started again and again on the same port with the same games.
pub(crate) struct ServerProcess {
    pub(crate) disk: Disk,
    address: SocketAddr,
    /// The library that tells the process another time, and the file that says which.
    false_clock: Option<(PathBuf, PathBuf)>,
    child: Option<Child>,
}

impl ServerProcess {
    pub(crate) fn on(disk: Disk) -> ServerProcess {
        ServerProcess {
            disk,
            address: free_address(),
            false_clock: None,
            child: None,
        }
    }

    /// A server whose time of day can be set; `None` if the library for it is not there.
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

    /// Starts and waits until the server listens.
    pub(crate) fn start(&mut self) {
        let mut child = self.command().spawn().expect("the server starts");
        let out = child.stdout.as_mut().expect("it speaks");
        let mut line = String::new();
        BufReader::new(out).read_line(&mut line).expect("a line");
        assert!(line.starts_with("listening on "), "{line:?}, see its log");
        self.child = Some(child);
    }

    fn command(&self) -> Command {
        // What would end a process that writes too large a file is to be an error there.
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        command.arg(env!("CARGO_BIN_EXE_checkers-server"));
        let port = self.address.port().to_string();
        command
            .args(["--bind", "127.0.0.1", "--port", &port])
            .arg("--data");
        command.arg(self.disk.path().join("data"));
        command.args(["--durability", "crash", "--grace", "5m"]);
        // Every game is one that somebody waits for.
        command.args(["--house-games", "0"]);
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.disk.path().with_extension("log"));
        command.stdout(Stdio::piped()).stderr(log.expect("a log"));
        command.env("CHECKERS_LOG", "warn");
        if let Some((library, offset)) = &self.false_clock {
            command.env("LD_PRELOAD", library);
            command.env("FAKETIME_TIMESTAMP_FILE", offset);
            // Only the time of day jumps; what measures durations does not.
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

    pub(crate) fn signal(&self, name: &str) {
        run("kill", &[name, &self.id()]);
    }

    /// Lets go down in order.
    pub(crate) fn stop(&mut self) {
        self.signal("-TERM");
        let status = self
            .child
            .take()
            .map(|mut child| child.wait().expect("gone"));
        assert_eq!(status.and_then(|status| status.code()), Some(0));
    }

    /// Sets the server's time of day, in seconds from the true one.
    pub(crate) fn set_clock(&self, offset: i64) {
        let (_, file) = self.false_clock.as_ref().expect("such a server");
        std::fs::write(file, format!("{offset:+}\n")).expect("written");
    }

    /// Takes the room for more from the server, or gives it back.
    pub(crate) fn fill_disk(&self, is_full: bool) {
        let Disk::Small(directory) = &self.disk else {
            let limit = if is_full {
                "4096:unlimited"
            } else {
                "unlimited:unlimited"
            };
            return run(
                "prlimit",
                &["--pid", &self.id(), &format!("--fsize={limit}")],
            );
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

    fn id(&self) -> String {
        self.child
            .as_ref()
            .expect("a running server")
            .id()
            .to_string()
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.kill();
    }
}

/// This program again, in a world of its own where a small file system is mounted; `None` where the
/// system does not allow that.
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

fn run(program: &str, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status();
    assert!(
        status.expect("a program").success(),
        "{program} {arguments:?}"
    );
}

/// A port that no outgoing connection takes while the server is away, and no other test of this
/// process.
pub(crate) fn free_address() -> SocketAddr {
    static TAKEN: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + std::process::id() % 10_000;
    let mut ports = std::iter::repeat_with(|| {
        let port = first + u32::from(TAKEN.fetch_add(1, Ordering::Relaxed));
        u16::try_from(port).expect("a port")
    });
    let free = ports.find_map(|port| {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok()?;
        listener.local_addr().ok()
    });
    free.expect("a free port")
}
