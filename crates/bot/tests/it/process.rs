//! The bot as a process.

use std::process::{ExitStatus, Stdio};

use checkers_bot::report::Report;
use test_support::{PATIENCE, program, send_signal};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

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
    let mut command = Command::from(program(env!("CARGO_BIN_EXE_checkers-bot")));
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// Sends a signal such as `-TERM`.
pub(crate) fn signal(bot: &Child, signal: &str) {
    send_signal(bot.id().expect("it runs"), signal);
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
pub(crate) struct EndedBot {
    status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl EndedBot {
    /// Waits for a bot to end.
    pub(crate) async fn of(child: Child) -> EndedBot {
        let output = timeout(PATIENCE, child.wait_with_output())
            .await
            .expect("the bot ends")
            .unwrap();
        EndedBot {
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
