//! The measured process: the relay or the server.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::AnyError;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Relay,
    Server,
}

/// A running subject. Dropping it kills the process and removes its data.
pub(crate) struct Subject {
    pub(crate) kind: Kind,
    pub(crate) address: SocketAddr,
    process: Child,
    _data: TempDir,
}

impl Subject {
    /// Starts a subject on these cores, a list such as `0-3`, and waits until it listens.
    pub(crate) fn start(kind: Kind, cores: &str) -> Result<Subject, AnyError> {
        let data = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let mut command = Command::new("taskset");
        command.args(["--cpu-list", cores]);
        match kind {
            Kind::Relay => command.arg(std::env::current_exe()?).arg("--relay"),
            Kind::Server => command
                .arg(env!("CARGO_BIN_EXE_checkers-server"))
                .args(["--bind", "127.0.0.1", "--port", "0"])
                .args(["--max-connections", "20000"])
                // Bots would play games of their own beside the measured ones.
                .args(["--house-games", "0"])
                .args(["--durability", "crash", "--data"])
                .arg(data.path())
                .env("CHECKERS_LOG", "warn"),
        };
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start taskset: {error}"))?;
        let address = read_address(&mut process);
        if address.is_err() {
            process.kill()?;
        }
        Ok(Subject {
            kind,
            address: address?,
            process,
            _data: data,
        })
    }

    /// The processor time it has used so far, in steps of 10 ms.
    pub(crate) fn cpu_time(&self) -> Result<Duration, AnyError> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        let (_, fields) = stat.rsplit_once(") ").ok_or("no processor time in /proc")?;
        let user_and_system = fields.split(' ').skip(11).take(2);
        let ticks: u64 = user_and_system
            .map(str::parse::<u64>)
            .sum::<Result<_, _>>()?;
        // The unit of /proc is 1/100 s whatever the kernel's own tick.
        Ok(Duration::from_millis(ticks * 10))
    }

    /// The memory it occupies, in KiB.
    pub(crate) fn memory(&self) -> Result<f64, AnyError> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let size = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:")?.strip_suffix(" kB"))
            .ok_or("no memory size in /proc")?;
        Ok(size.trim().parse()?)
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Reads the address that a process prints once it listens.
fn read_address(process: &mut Child) -> Result<SocketAddr, AnyError> {
    let output = process.stdout.take().ok_or("no standard output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let address = line.trim_end().strip_prefix("listening on ws://");
    Ok(address.ok_or("the process does not listen")?.parse()?)
}

/// Restricts this thread to a list of cores, and with it the threads that it starts.
///
/// Call it on the main thread, whose id is that of the process.
pub(crate) fn pin_main_thread(cores: &str) -> Result<(), AnyError> {
    let pinned = Command::new("taskset")
        .args([
            "--cpu-list",
            "--pid",
            cores,
            &std::process::id().to_string(),
        ])
        .output()
        .map_err(|error| format!("cannot start taskset: {error}"))?;
    if !pinned.status.success() {
        return Err(String::from_utf8_lossy(&pinned.stderr).trim().into());
    }
    Ok(())
}

/// Lowers the priority of this thread, so that ten thousand spectators do not delay the players that
/// they watch. It stays as it is if the system does not allow that.
pub(crate) fn lower_priority() {
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 19);
}
