//! The bot as a process.

use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use checkers_bot::report::Report;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// How long anything may take before a test gives up; nothing comes near.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Starts the bot with options separated by spaces.
pub(crate) fn start(server: &str, options: &str) -> Child {
    command()
        .args(["--server", server])
        .args(options.split_whitespace())
        .spawn()
        .unwrap()
}

/// The bot's command, without the options that the environment of the tests may have.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_checkers-bot"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("CHECKERS_")) {
        command.env_remove(name);
    }
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Sends a signal such as `-TERM`.
pub(crate) fn signal(bot: &Child, signal: &str) {
    let process = bot.id().expect("it runs").to_string();
    let kill = std::process::Command::new("kill")
        .args([signal, &process])
        .status();
    assert!(kill.expect("a kill command").success());
}

/// Waits for the first line on a bot's stdout; what follows it there is read and not kept.
pub(crate) async fn first_line(bot: &mut Child) -> String {
    let mut lines = BufReader::new(bot.stdout.take().unwrap()).lines();
    let line = timeout(PATIENCE, lines.next_line()).await;
    let line = line.expect("the bot reports").unwrap().expect("a line");
    tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
    line
}

/// What a bot left behind.
#[derive(Debug)]
pub(crate) struct Ended {
    status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Waits for a bot to end.
    pub(crate) async fn of(child: Child) -> Ended {
        let output = timeout(PATIENCE, child.wait_with_output())
            .await
            .expect("the bot ends")
            .unwrap();
        Ended {
            status: output.status,
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn code(&self) -> i32 {
        self.status.code().expect("an exit, not a signal")
    }

    /// The reports of a run with `--json`.
    pub(crate) fn reports(&self) -> Vec<Report> {
        let report = |line| serde_json::from_str(line).unwrap();
        self.stdout.lines().map(report).collect()
    }
}
