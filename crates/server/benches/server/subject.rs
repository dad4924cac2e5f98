//! What is measured: a process of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::arguments::Arguments;
use crate::{AnyError, process};

/// What may be measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// The floor.
    Relay,
    /// The server, whose moves survive its death.
    Crash,
    /// The server, whose moves survive a power cut.
    PowerLoss,
}

impl Kind {
    /// The two that are compared.
    pub(crate) const IN_TURN: [Kind; 2] = [Kind::Relay, Kind::Crash];

    pub(crate) fn is_relay(self) -> bool {
        self == Kind::Relay
    }
}

/// A process that is measured. It is killed when the value goes, and its data go with it.
pub(crate) struct Subject {
    pub(crate) kind: Kind,
    pub(crate) address: SocketAddr,
    process: Child,
    _data: TempDir,
}

impl Subject {
    /// Starts a subject and waits until it listens.
    pub(crate) fn start(kind: Kind, arguments: &Arguments) -> Result<Subject, AnyError> {
        let data = match &arguments.data {
            Some(parent) => tempfile::tempdir_in(parent)?,
            None => tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?,
        };
        let program = match (kind, &arguments.server) {
            (Kind::Relay, _) => std::env::current_exe()?,
            (Kind::Crash | Kind::PowerLoss, Some(server)) => server.clone(),
            (Kind::Crash | Kind::PowerLoss, None) => env!("CARGO_BIN_EXE_checkers-server").into(),
        };
        let mut command = match arguments.server_core {
            Some(core) => {
                let mut command = Command::new("taskset");
                command.args(["-c", &core.to_string()]).arg(program);
                command
            }
            None => Command::new(program),
        };
        match kind {
            Kind::Relay => command.arg("--relay"),
            Kind::Crash => serve(&mut command, &data, "crash"),
            Kind::PowerLoss => serve(&mut command, &data, "power-loss"),
        };
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let address = listening(&mut process);
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

    /// The processor time it has had so far.
    pub(crate) fn cpu_time(&self) -> Result<Duration, AnyError> {
        process::cpu_time(self.process.id())
    }

    /// The memory it holds, in bytes.
    pub(crate) fn memory(&self) -> Result<u64, AnyError> {
        process::memory(self.process.id())
    }

    /// How many groups the server's store has committed.
    pub(crate) async fn commits(&self) -> Result<u64, AnyError> {
        if self.kind.is_relay() {
            return Ok(0);
        }
        let mut stream = TcpStream::connect(self.address).await?;
        let request = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut metrics = String::new();
        stream.read_to_string(&mut metrics).await?;
        let commits = metrics
            .lines()
            .find_map(|line| line.strip_prefix("checkers_store_commits_total "));
        // As a text it is a whole number or one with a point.
        let commits: f64 = commits.ok_or("no count of commits in /metrics")?.parse()?;
        Ok(commits as u64)
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        // It may have gone by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves nobody but the load: a game that the house lets two bots play, because the load comes in by way
/// of the lobby, is not one of its moves.
fn serve<'a>(command: &'a mut Command, data: &TempDir, durability: &str) -> &'a mut Command {
    command
        .args(["--bind", "127.0.0.1", "--port", "0"])
        .args(["--max-connections", "20000", "--durability", durability])
        .args(["--house-games", "0"])
        .arg("--data")
        .arg(data.path())
        .env("CHECKERS_LOG", "warn")
}

/// Reads the address that a process prints when it listens.
fn listening(process: &mut Child) -> Result<SocketAddr, AnyError> {
    let out = process.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    let address = line.trim_end().strip_prefix("listening on ws://");
    Ok(address.ok_or("it does not listen")?.parse()?)
}
