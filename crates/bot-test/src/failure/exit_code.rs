//! What the program's exit code says.

use super::Failure;

/// The exit codes of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum ExitCode {
    /// Every game was played to its end.
    Done = cli_kit::exit::DONE,
    /// A file, a ledger or stdout cannot be read or written, or the system gave no thread, process or
    /// the like; the results so far are printed.
    Failed = cli_kit::exit::FAILED,
    /// The command line is wrong; nothing was played.
    Usage = cli_kit::exit::USAGE,
    /// A server failed; the results so far are printed.
    ServerFailed = 3,
    /// A bot forfeited games or a game took too long; the results so far are printed.
    BotFailed = 4,
    /// Not everything was played in the time there was; the results so far are printed.
    RunTooLong = 6,
    /// A sequential test ended without a decision; the results so far are printed.
    Undecided = 7,
    /// Ctrl-C or SIGHUP; the results so far are printed.
    Interrupted = cli_kit::exit::INTERRUPTED,
    /// SIGTERM; the results so far are printed.
    Terminated = cli_kit::exit::TERMINATED,
}

impl ExitCode {
    /// The codes as `--help` lists them.
    pub const HELP: &str = "Exit codes:
  0    every game was played to its end
  1    a file or stdout cannot be read or written, or this system does not let the program run
  2    the command line is wrong; nothing was played
  3    a server failed; the results so far are printed
  4    a bot forfeited games or a game took too long; the results so far are printed
  6    not everything was played in the time there was; the results so far are printed
  7    a sequential test ended without a decision; the results so far are printed
  130  interrupted by Ctrl-C or SIGHUP; the results so far are printed
  143  terminated by SIGTERM; the results so far are printed";
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(code as u8)
    }
}

impl From<&Failure> for ExitCode {
    fn from(failure: &Failure) -> ExitCode {
        match failure {
            Failure::Bot { .. } => ExitCode::BotFailed,
            Failure::Server { .. } => ExitCode::ServerFailed,
            Failure::RunTooLong { .. } => ExitCode::RunTooLong,
            Failure::Journal { .. } | Failure::Ledger { .. } | Failure::System { .. } => {
                ExitCode::Failed
            }
            Failure::Interrupted => ExitCode::Interrupted,
            Failure::Terminated => ExitCode::Terminated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_lists_every_exit_code() {
        let codes = [
            ExitCode::Done,
            ExitCode::Failed,
            ExitCode::Usage,
            ExitCode::ServerFailed,
            ExitCode::BotFailed,
            ExitCode::RunTooLong,
            ExitCode::Undecided,
            ExitCode::Interrupted,
            ExitCode::Terminated,
        ];
        let listed: Vec<u8> = (ExitCode::HELP.lines().skip(1))
            .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(listed, codes.map(|code| code as u8));
    }
}
