//! The layers of settings (flags, environment, file, defaults) and their printed form.

use std::collections::BTreeMap;
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use clap::builder::Resettable;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};

use super::Config;
use super::file::{self, ConfigFileError};

/// The settings as a command line that ignores the environment.
pub(super) fn without_environment() -> Command {
    let command = Command::new("checkers-server").no_binary_name(true);
    Config::augment_args(command).mut_args(|arg| arg.env(Resettable::Reset))
}

/// The names of all settings, as in a flag.
pub(super) fn names() -> Vec<String> {
    let command = without_environment();
    command.get_arguments().map(long_name).collect()
}

/// Checks one value. Conflicts between settings are found when all layers are merged.
pub(super) fn check(name: &str, value: &str) -> Result<(), String> {
    let settings = without_environment();
    let mut arguments = settings.get_arguments();
    let Some(setting) = arguments.find(|arg| long_name(arg) == name) else {
        return Err("no such setting".to_owned());
    };
    let alone = Arg::new("value")
        .long("value")
        .value_parser(setting.get_value_parser().clone());
    let command = Command::new("value").no_binary_name(true).arg(alone);
    match command.try_get_matches_from([flag("value", value)]) {
        Ok(_) => Ok(()),
        Err(error) => Err(match error.source() {
            Some(source) => cli_kit::reason(source),
            None => error.to_string(),
        }),
    }
}

/// Merges the layers: a flag has precedence over the environment, the environment over `file`, and the
/// file over the default. `matches` holds the first two.
pub(crate) fn effective(
    matches: &ArgMatches,
    file: Option<&Path>,
) -> Result<ArgMatches, EffectiveError> {
    let in_file = file.map(file::read).transpose()?.unwrap_or_default();
    let command = without_environment();
    let arguments = command.get_arguments();
    let arguments: Vec<OsString> = arguments
        .filter_map(|arg| given(arg, matches, &in_file))
        .collect();
    Ok(command.try_get_matches_from(arguments)?)
}

/// Why settings are rejected.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EffectiveError {
    #[error(transparent)]
    File(#[from] ConfigFileError),
    /// Two settings conflict.
    #[error(transparent)]
    Clash(#[from] clap::Error),
}

/// The settings as a configuration file with help as comments, without secrets.
pub(crate) fn to_toml(matches: &ArgMatches) -> String {
    let command = without_environment();
    let entries: Vec<String> = (command.get_arguments())
        .map(|arg| entry(arg, matches))
        .collect();
    entries.join("\n")
}

fn entry(arg: &Arg, matches: &ArgMatches) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let name = long_name(arg);
    let value = matches.get_raw(arg.get_id().as_str());
    let setting = match value.and_then(|mut values| values.next()) {
        None => format!("# {name} ="),
        Some(_) if arg.is_hide_env_values_set() => format!("# {name} = \"***\""),
        Some(value) => format!("{name} = {}", toml_value(&value.to_string_lossy())),
    };
    format!("# {help}\n{setting}\n")
}

fn toml_value(text: &str) -> toml::Value {
    if let Ok(number) = text.parse() {
        toml::Value::Integer(number)
    } else if let Ok(value) = text.parse() {
        toml::Value::Boolean(value)
    } else {
        toml::Value::String(text.to_owned())
    }
}

/// The command-line argument with the value of a setting; `None` for the default.
fn given(arg: &Arg, matches: &ArgMatches, file: &BTreeMap<String, String>) -> Option<OsString> {
    let id = arg.get_id().as_str();
    let name = long_name(arg);
    match matches.value_source(id) {
        Some(ValueSource::CommandLine | ValueSource::EnvVariable) => {
            let mut argument = OsString::from(format!("--{name}="));
            argument.push(matches.get_raw(id)?.next()?);
            Some(argument)
        }
        _ => file.get(&name).map(|value| flag(&name, value).into()),
    }
}

fn flag(name: &str, value: &str) -> String {
    format!("--{name}={value}")
}

fn long_name(arg: &Arg) -> String {
    let name = arg.get_long();
    name.expect("every setting is a long flag").to_owned()
}
