//! The command line as a whole.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

use crate::environment;
use crate::errors::{in_our_words, usage_error};

/// Reads the command line of this process, or prints what is wrong with it and exits with
/// [`exit::USAGE`](crate::exit::USAGE). Also prints help and version.
pub fn parse<P: CommandFactory + FromArgMatches>() -> P {
    parse_from(std::env::args_os().collect())
}

/// The same for other words than those of this process; the first one is the program.
pub fn parse_from<P: CommandFactory + FromArgMatches>(words: Vec<OsString>) -> P {
    let variables = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    try_parse(words, variables).unwrap_or_else(|error| error.exit())
}

/// Reads a command line; its first word is the program. `variables` are the names of all
/// environment variables, among which misspelt ones are an error.
///
/// # Errors
/// What is wrong, or the help that was asked for.
pub fn try_parse<P: CommandFactory + FromArgMatches>(
    words: Vec<OsString>,
    variables: impl Iterator<Item = String>,
) -> Result<P, clap::Error> {
    let command = P::command();
    let matches = command.clone().try_get_matches_from(&words);
    let matches = matches.map_err(|error| in_our_words(error, &command, &words))?;
    environment::check(&command, variables).map_err(|error| usage_error(&error.to_string()))?;
    P::from_arg_matches(&matches)
}
