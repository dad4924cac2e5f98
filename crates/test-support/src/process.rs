use std::env;
use std::process::{Command, Output};

/// A program, without the settings that the environment of the tests may have.
pub fn program(path: &str) -> Command {
    let mut command = Command::new(path);
    for (name, _) in env::vars().filter(|(name, _)| name.starts_with("CHECKERS_")) {
        command.env_remove(name);
    }
    command
}

/// Runs a command that must succeed.
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    output
}

/// What a command that must succeed writes to standard output.
pub fn stdout(command: &mut Command) -> String {
    String::from_utf8(run(command).stdout).unwrap()
}

/// What a command that must end with this exit code writes to standard error.
pub fn stderr(command: &mut Command, exit_code: i32) -> String {
    let output = command.output().unwrap();
    let code = output.status.code();
    assert_eq!(code, Some(exit_code), "{command:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Sends a signal such as `-TERM` to a process that runs.
pub fn send_signal(process: u32, signal: &str) {
    run(Command::new("kill").args([signal, &process.to_string()]));
}
