//! Usage errors in our own words.

use std::error::Error;
use std::ffi::OsString;
use std::net::AddrParseError;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

/// A usage error with this message.
pub fn usage_error(message: &str) -> clap::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n"))
}

/// Why a value is not taken. Replaces the texts of the parsers of the standard library, which are
/// about code, not about values.
pub fn reason(error: &(dyn Error + 'static)) -> String {
    if let Some(error) = error.downcast_ref::<ParseIntError>() {
        return match error.kind() {
            IntErrorKind::Zero => "expected a whole number, 1 or more".to_owned(),
            _ => "expected a whole number".to_owned(),
        };
    }
    if error.is::<ParseFloatError>() {
        return "expected a number".to_owned();
    }
    if error.is::<AddrParseError>() {
        return "expected an IP address".to_owned();
    }
    let text = error.to_string();
    // Of a number out of its range.
    match text.split_once(" is not in ") {
        Some((_, range)) => expected_range(range).unwrap_or(text),
        None => text,
    }
}

/// `1..=64` and `1..` in words.
fn expected_range(range: &str) -> Option<String> {
    let (low, high) = range.split_once("..")?;
    // No bound that anybody has chosen.
    let largest = u32::MAX.to_string();
    Some(
        match high.strip_prefix('=').filter(|high| *high != largest) {
            Some(high) => format!("expected a whole number from {low} to {high}"),
            None => format!("expected a whole number, {low} or more"),
        },
    )
}

/// The error with a wrong value explained in our own words. Names the environment variable where
/// the value comes from one. Other errors are returned as they are.
pub(crate) fn in_our_words(
    error: clap::Error,
    command: &Command,
    words: &[OsString],
) -> clap::Error {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let value = context(ContextKind::InvalidValue);
    let option = context(ContextKind::InvalidArg);
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(option) = &option
        && has_option(command, option)
    {
        let message = format!(
            "'{option}' is no option of a subcommand: give it before that\n\nFor more information, try '--help'.\n"
        );
        return clap::Error::raw(error.kind(), message);
    }
    let (Some(value), Some(option)) = (value, option) else {
        return error;
    };
    let explained = match (error.kind(), error.source()) {
        (ErrorKind::ValueValidation, Some(source)) => format!(": {}", reason(source)),
        (ErrorKind::InvalidValue, _) => match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(known)) if !known.is_empty() && !value.is_empty() => {
                format!(": expected {}", known.join(" or "))
            }
            _ => return error,
        },
        _ => return error,
    };
    // Options show their values only once they are built.
    let mut command = command.clone();
    command.build();
    let arg = find(&command, &option);
    let is_secret = arg.is_some_and(Arg::is_hide_env_values_set);
    let value = if is_secret { "***" } else { &value };
    let place = match arg.and_then(|arg| variable(arg, words)) {
        Some(name) => format!("the environment variable {name}"),
        None => format!("'{option}'"),
    };
    let message = format!(
        "invalid value '{value}' for {place}{explained}\n\nFor more information, try '--help'.\n"
    );
    clap::Error::raw(error.kind(), message)
}

/// Whether the command itself, not a subcommand, has an option.
fn has_option(command: &Command, option: &str) -> bool {
    let mut options = command.get_arguments().filter_map(Arg::get_long);
    options.any(|long| option.strip_prefix("--") == Some(long))
}

/// The option that clap shows like this, in the command or a subcommand.
fn find<'a>(command: &'a Command, shown: &str) -> Option<&'a Arg> {
    let mut own = command.get_arguments();
    own.find(|arg| arg.to_string() == shown).or_else(|| {
        let mut subcommands = command.get_subcommands();
        subcommands.find_map(|subcommand| find(subcommand, shown))
    })
}

/// The environment variable that gives an option its value: it is set, and the option is not on the
/// command line.
fn variable(arg: &Arg, words: &[OsString]) -> Option<String> {
    let name = arg.get_env()?;
    std::env::var_os(name)?;
    let long = format!("--{}", arg.get_long()?);
    let is_given = words.iter().any(|word| {
        let word = word.to_string_lossy();
        word == long
            || word
                .strip_prefix(&long)
                .is_some_and(|rest| rest.starts_with('='))
    });
    (!is_given).then(|| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::value_parser;

    fn complaint(words: &[&str]) -> String {
        let command = Command::new("test")
            .arg(
                Arg::new("port")
                    .long("port")
                    .value_parser(value_parser!(u16)),
            )
            .arg(
                Arg::new("depth")
                    .long("depth")
                    .value_parser(value_parser!(u32).range(1..=64)),
            )
            .arg(
                Arg::new("nodes")
                    .long("nodes")
                    .value_parser(value_parser!(u64).range(1..)),
            )
            .arg(
                Arg::new("bind")
                    .long("bind")
                    .value_parser(value_parser!(std::net::IpAddr)),
            )
            .arg(
                Arg::new("color")
                    .long("color")
                    .value_parser(["white", "black"]),
            )
            .subcommand(Command::new("check"));
        let words: Vec<OsString> = ["test"].iter().chain(words).map(OsString::from).collect();
        let error = command.clone().try_get_matches_from(&words).unwrap_err();
        let text = in_our_words(error, &command, &words).to_string();
        text.lines().next().unwrap().to_owned()
    }

    #[test]
    fn an_option_after_the_subcommand_is_explained() {
        assert_eq!(
            complaint(&["check", "--port", "1"]),
            "error: '--port' is no option of a subcommand: give it before that"
        );
        assert!(complaint(&["check", "--prot", "1"]).contains("unexpected argument"));
    }

    #[test]
    fn messages_are_about_values() {
        for (words, expected) in [
            (
                ["--port", "abc"],
                "'--port <port>': expected a whole number",
            ),
            (
                ["--port", "70000"],
                "'--port <port>': expected a whole number from 0 to 65535",
            ),
            (
                ["--depth", "0"],
                "'--depth <depth>': expected a whole number from 1 to 64",
            ),
            (
                ["--nodes", "x"],
                "'--nodes <nodes>': expected a whole number",
            ),
            (
                ["--nodes", "0"],
                "'--nodes <nodes>': expected a whole number, 1 or more",
            ),
            (
                ["--bind", "here"],
                "'--bind <bind>': expected an IP address",
            ),
            (
                ["--color", "red"],
                "'--color <color>': expected white or black",
            ),
        ] {
            let value = words[1];
            assert_eq!(
                complaint(&words),
                format!("error: invalid value '{value}' for {expected}")
            );
        }
    }
}
