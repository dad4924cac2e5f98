//! Environment variables whose names are nearly those of a program: misspelt ones, which would be
//! ignored silently.
//!
//! Other programs have variables with the same prefix, so an unknown one is not an error by itself.

use checkers_lib::nearest;
use clap::Command;

/// The prefix of all our variables.
const PREFIX: &str = "CHECKERS_";
/// Variables that all programs read without an option for them.
const COMMON: [&str; 2] = ["CHECKERS_LOG", "CHECKERS_TABLEBASE"];

/// A variable that no program reads, and the one that is probably meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownVariable {
    name: String,
    meant: String,
}

impl std::fmt::Display for UnknownVariable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let UnknownVariable { name, meant } = self;
        write!(
            f,
            "unknown environment variable {name}: did you mean {meant}?"
        )
    }
}

impl std::error::Error for UnknownVariable {}

/// Looks for a misspelt variable of `command` among the `names` of all variables.
///
/// # Errors
/// The first one.
pub fn check(
    command: &Command,
    names: impl Iterator<Item = String>,
) -> Result<(), UnknownVariable> {
    let mut known: Vec<String> = COMMON.map(str::to_owned).to_vec();
    collect(command, &mut known);
    let own = names.filter(|name| name.starts_with(PREFIX) && !known.contains(name));
    for name in own {
        let words = known.iter().filter_map(|known| known.strip_prefix(PREFIX));
        if let Some(meant) = nearest(&name[PREFIX.len()..], words) {
            let meant = format!("{PREFIX}{meant}");
            return Err(UnknownVariable { name, meant });
        }
    }
    Ok(())
}

/// The variables of a command and its subcommands.
fn collect(command: &Command, known: &mut Vec<String>) {
    let own = command.get_arguments().filter_map(|arg| arg.get_env());
    known.extend(own.map(|name| name.to_string_lossy().into_owned()));
    for subcommand in command.get_subcommands() {
        collect(subcommand, known);
    }
}
